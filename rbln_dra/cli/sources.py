"""
Room: where the devices of a command come from: the options that say so, and the reading.

May touch: `command`, `discovery`, `names`, `errors`.
"""

from __future__ import annotations

import argparse
import platform
from typing import Final

from ..discovery import Inventory, SliceBackend, SysfsBackend, TreeBackend, bundled_names, discover
from ..errors import DiscoveryError, InvalidName
from ..names import DRIVER_NAME, DriverName, Name
from .command import Console, UsageError

HOST: Final = "/sys"
STDIN: Final = "-"


def add_source(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a source: one of three, by default this host."""
    group = parser.add_argument_group("where the devices come from (one of)")
    source = group.add_mutually_exclusive_group()
    source.add_argument("--sysfs", metavar="PATH", help=f"a host's sysfs (default: {HOST}, this host)")
    source.add_argument("--tree", metavar="NAME|DIR", help=f"a fixture: {', '.join(bundled_names())}; or a folder or text file of one")
    source.add_argument("--slices", metavar="FILE|-", help="ResourceSlices as kubectl prints them, JSON or YAML; - is standard input")
    group.add_argument("--node", metavar="NAME", help="the node's name, for --sysfs and --tree (default for this host: its host name)")
    group.add_argument("--driver", metavar="NAME", help=f"with --slices, only this driver's devices; else the name it has (there {DRIVER_NAME})")
    group.add_argument("--profile", metavar="GENERATION", help="publish as this driver generation does: a commit or release (default: documented)")
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks on cards that are not published, or not in full")


def read(options: argparse.Namespace, console: Console) -> Inventory:
    """
    Read the source that the options name, and print what is odd about it as remarks.

    Raises:
        UsageError: Options do not go together, or the API server would refuse what one says.
        DiscoveryError: The source cannot be read.
        DecodeError: The slices are none.
        UnknownProfile: There is no such driver generation.
    """
    _check(options)
    inventory = _slices(options, console) if options.slices is not None else _scan(options)
    if not options.quiet:
        for diagnostic in inventory.diagnostics:
            console.remark(f"rbln-dra: note: {diagnostic}")
    return inventory


def _check(options: argparse.Namespace) -> None:
    """Refuse what can be no path, and what neither a node nor a driver can be called."""
    for option in ("sysfs", "tree", "slices"):
        if getattr(options, option) == "":
            # A variable of a shell that is not set; as a path it would be the root of everything.
            raise UsageError(f"argument --{option}: is empty")
    for option, kind in (("node", Name), ("driver", DriverName)):
        given = getattr(options, option)
        try:
            if given is not None:
                kind.parse(given)
        except InvalidName as error:
            raise UsageError(f"argument --{option}: {error}") from error


def _slices(options: argparse.Namespace, console: Console) -> Inventory:
    """Read slices."""
    for name in ("node", "profile"):
        if getattr(options, name) is not None:
            raise UsageError(f"--{name} says nothing about --slices: slices name their nodes and devices themselves")
    if options.slices != STDIN:
        return discover(SliceBackend(_Path(options.slices), driver=options.driver))
    data = console.read()
    if not data.strip():
        raise DiscoveryError("standard input", "is empty", "give it what kubectl get resourceslices -o json prints")
    return discover(SliceBackend(data, driver=options.driver))


class _Path:
    """A file name that is one whatever it looks like."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __fspath__(self) -> str:
        """Give the path."""
        return self._path


def _scan(options: argparse.Namespace) -> Inventory:
    """Scan a host or a tree."""
    driver = DRIVER_NAME if options.driver is None else options.driver
    if options.tree is not None:
        return discover(TreeBackend(options.tree, options.node, driver=driver, profile=options.profile))
    root = HOST if options.sysfs is None else options.sysfs
    node = host_node(root, platform.node()) if options.node is None else options.node
    return discover(SysfsBackend(root, node, driver=driver, profile=options.profile))


def host_node(root: str, host: str) -> str | None:
    """
    Give the name under which the kubelet registers this host, when it is this host that is scanned; another sysfs may be another host's.

    >>> host_node("/sys", "Node-1"), host_node("/host/sys", "pod-x")
    ('node-1', None)
    """
    return host.lower() or None if root.rstrip("/") == HOST else None
