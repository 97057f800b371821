"""
Room: `rbln-dra publish`: the ResourceSlices that the driver would publish for a node, for `kubectl apply`.

May touch: `command`, `documents`, `sources`, `resources`, `kubernetes`.
"""

from __future__ import annotations

import argparse
from typing import Final

from ..kubernetes import DEFAULT_MINOR, MINORS, Kubernetes, parse_feature_gates
from .command import Command, Console, UsageError
from .documents import rendered
from .sources import add_source, read

FORMS: Final = ("yaml", "json")


def _arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_source(parser)
    parser.add_argument("--kubernetes", metavar="MINOR", default=DEFAULT_MINOR, help=f"{MINORS[0]} to {MINORS[-1]} (default: %(default)s)")
    parser.add_argument("--feature-gates", metavar="GATE=BOOL,…", default="", help="as the API server takes them")
    parser.add_argument("--classes", action="store_true", help="the two DeviceClasses of the driver too")
    parser.add_argument("-o", "--output", choices=FORMS, default="yaml", help="how to print: %(choices)s (default: %(default)s)")


def _run(options: argparse.Namespace, console: Console) -> int:
    """Print the slices of each pool."""
    from ..resources import device_classes, pool_slices

    if options.slices is not None:
        raise UsageError("--slices are published already; pass --tree or --sysfs")
    release = Kubernetes(options.kubernetes, gates=parse_feature_gates(options.feature_gates))
    inventory = read(options, console)
    made: list[dict[str, object]] = []
    for pool in inventory.pools:
        if pool.name is None or pool.node is None:
            raise UsageError("a ResourceSlice names its node, which the source does not say; pass --node NAME")
        devices = [device for device in inventory.devices if (device.driver, device.pool) == (pool.driver, pool.name)]
        made += [each.to_dict() for each in pool_slices(devices, node=pool.node, driver=pool.driver, pool=pool.name, kubernetes=release)]
        if options.classes:
            made += [each.to_dict() for each in device_classes(driver=pool.driver)]
    if options.output == "json":
        console.line(rendered({"apiVersion": "v1", "kind": "List", "items": made}, "json"))
    else:
        console.line("\n---\n".join(rendered(each, "yaml") for each in made))
    return 0


COMMAND: Final = Command(
    "publish",
    "print the ResourceSlices of a node, as kubectl apply takes them",
    """\
The slices are those of a new pool; a pool that is there already has a generation that only its driver may count on.

exit codes: 0 done, 2 the source cannot be read

examples:
  rbln-dra publish --tree rebel100 --node node-1 | kubectl apply -f -
  rbln-dra publish --sysfs /host/sys --node node-1 --classes
""",
    _arguments,
    _run,
)
