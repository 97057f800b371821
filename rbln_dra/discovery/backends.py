"""
Room: the backends: a host's sysfs, a tree; and how other packages add theirs.

May touch: `access`, `inventory`, `sysfs`, `trees`, `slices`, `devices`, `documents`, `names`, `errors`, and the entry points of installed packages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import attrs

from ..devices import Profile
from ..documents import read_file
from ..errors import DiscoveryError, Error, InvalidValue
from ..names import DRIVER_NAME
from .access import HostSysfs, path_text
from .inventory import Inventory
from .slices import SliceBackend
from .sysfs import DEVICES, RootRule, scan
from .trees import Tree, bundled, bundled_names

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS: Final = "rbln_dra.backends"
"""The group of entry points under which a package offers a backend: a callable that gives a `Backend`, of a text (a path, a name) or of nothing."""


@runtime_checkable
class Backend(Protocol):
    """
    A place where devices come from.

    Implement `scan`: give an `Inventory`; what is odd about one card is a `Diagnostic` in it and stops nothing. Raise `DiscoveryError` when the
    place as a whole cannot be read, `DecodeError` when its text is not what it should be. Any other exception is a bug of the backend.
    """

    def scan(self) -> Inventory:
        """
        Look, now; a second call looks again.

        Raises:
            DiscoveryError: The place cannot be read at all.
            DecodeError: The text of the place is not what it should be.
        """
        ...


def discover(backend: Backend) -> Inventory:
    """
    Find the devices of a backend.

    Args:
        backend: `SysfsBackend()` for this host, `TreeBackend("atom")` for a fixture, `SliceBackend(text)` for what `kubectl` printed, a `Tree`,
            or any object with a method `scan`.

    Raises:
        DiscoveryError: The place cannot be read at all.
        DecodeError: The text of the place is not what it should be.
        InvalidValue: That is no backend.

    >>> discover("atom")
    Traceback (most recent call last):
    rbln_dra.errors.InvalidValue: expected a backend such as TreeBackend("atom"), got 'atom': it has no method scan
    >>> from rbln_dra import TreeBackend
    >>> [device.name for device in discover(TreeBackend("rebel100")).devices]
    ['vfio-0000-27-00-0']
    """
    if not isinstance(backend, Backend):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidValue(backend, 'a backend such as TreeBackend("atom")', "it has no method scan")
    return backend.scan()


@attrs.frozen
class SysfsBackend:
    """
    A host's sysfs, or a folder of the same shape.

    Args:
        root: The directory that stands for `/sys`.
        node: The node's name, which becomes that of the pool; sysfs does not know it.
        driver: The name under which the DRA driver is installed.
        profile: The driver's generation, where not the documented one is meant; see `publish`.
        pcie_root: Which device paths have a PCIe root: `kubernetes`, those that Kubernetes' own helper takes; `driver`, also those where it is
            not at the beginning (Hyper-V, device-tree hosts).

    >>> discover(SysfsBackend("/nowhere"))
    Traceback (most recent call last):
    rbln_dra.errors.DiscoveryError: /nowhere: no bus/pci/devices there (ENOENT, No such file or directory); give the directory that is /sys
    """

    root: str = attrs.field(default="/sys", converter=path_text)
    node: str | None = None
    driver: str = attrs.field(default=DRIVER_NAME, kw_only=True)
    profile: str | Profile | None = attrs.field(default=None, kw_only=True)
    pcie_root: RootRule = attrs.field(default="kubernetes", kw_only=True)

    def scan(self) -> Inventory:
        """Look at the host; see `Backend`."""
        return scan(HostSysfs(self.root), place=self.root, node=self.node, driver=self.driver, profile=self.profile, pcie_root=self.pcie_root)


@attrs.frozen
class TreeBackend:
    """
    A fixture: one of the bundled nodes, a folder of the shape of `/sys`, a text file in the form of `treefile`, or a `Tree`.

    Args:
        source: The name of a bundled node (`atom`), or the path of a folder or file; `./atom` is always a path, and so is a `Path`.
        node: The node's name, where it should not be the one in the text; a folder has none.
        driver: The name under which the DRA driver is installed.
        profile: The driver's generation, where not the documented one is meant; see `publish`.
        pcie_root: As for `SysfsBackend`.

    Raises:
        InvalidValue: The source is none of these.

    >>> len(discover(TreeBackend("atom")).devices)
    16
    """

    source: str | os.PathLike[str] | Tree
    node: str | None = None
    driver: str = attrs.field(default=DRIVER_NAME, kw_only=True)
    profile: str | Profile | None = attrs.field(default=None, kw_only=True)
    pcie_root: RootRule = attrs.field(default="kubernetes", kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse what is no place."""
        InvalidValue.unless(self.source, (str, os.PathLike, Tree), "the name of a bundled node, a path or a tree")

    def scan(self) -> Inventory:
        """Look at the tree; see `Backend`."""
        place = self.source.node or "tree" if isinstance(self.source, Tree) else os.fspath(self.source)
        sysfs = self._sysfs(place)
        node = self.node if self.node is not None or not isinstance(sysfs, Tree) else sysfs.node
        return scan(sysfs, place=place, node=node, driver=self.driver, profile=self.profile, pcie_root=self.pcie_root)

    def _sysfs(self, place: str) -> Tree | HostSysfs:
        """Find the tree."""
        if isinstance(self.source, Tree):
            return self.source
        named = isinstance(self.source, str) and not {"/", ".", os.sep} & set(self.source)
        if named and (place in bundled_names() or not os.path.lexists(place)):
            return bundled(place)
        if os.path.isdir(self.source):  # noqa: PTH112 (a text with a null byte is no directory)
            return HostSysfs(_root_of(Path(self.source)))
        return Tree.parse(read_file(self.source), source=place)


def _root_of(folder: Path) -> str:
    """Take `folder/sys` for a folder that holds a whole root."""
    inner = folder / "sys"
    return os.fspath(inner if not (folder / DEVICES).exists() and (inner / DEVICES).exists() else folder)


BACKENDS: Final[Mapping[str, Callable[..., Backend]]] = MappingProxyType({"sysfs": SysfsBackend, "tree": TreeBackend, "slices": SliceBackend})
"""The backends of this package, by the name that a program may ask for."""


def find_backends() -> Mapping[str, Callable[..., Backend]]:
    """
    List all backends by name: those of this package, and those that installed packages offer as entry points of the group `rbln_dra.backends`.

    A backend of this package cannot be replaced. What an entry point offers is imported when it is called, not before.

    >>> sorted(find_backends())[:3]
    ['slices', 'sysfs', 'tree']
    """
    from importlib.metadata import entry_points

    return {**{entry.name: _Plugin(entry) for entry in entry_points(group=ENTRY_POINTS)}, **BACKENDS}


def make_backend(name: str, *arguments: Any, **options: Any) -> Backend:
    """
    Make a backend by name.

    Args:
        name: One of `find_backends()`.
        arguments: What the backend takes, such as a path.
        options: What the backend takes by keyword.

    Raises:
        DiscoveryError: There is none of that name, or its package fails to import, or what it offers is no backend.

    >>> make_backend("tree", "atom")
    TreeBackend(source='atom', node=None, driver='npu.rebellions.ai', profile=None, pcie_root='kubernetes')
    """
    InvalidValue.unless_text(name, "the name of a backend")
    known = find_backends()
    if name not in known:
        raise DiscoveryError(name, f"no such backend; there are {', '.join(sorted(known))}")
    return known[name](*arguments, **options)


@attrs.frozen
class _Plugin:
    """
    A backend of another package, imported when it is called.

    Args:
        entry: The entry point.
    """

    entry: EntryPoint

    def __call__(self, *arguments: Any, **options: Any) -> Backend:
        """Make the backend."""
        try:
            made: object = self.entry.load()(*arguments, **options)
        except Error:
            raise
        except Exception as error:
            raise DiscoveryError(self.entry.name, f"the backend {self.entry.value} fails: {type(error).__name__}: {error}") from error
        if not isinstance(made, Backend):
            raise DiscoveryError(self.entry.name, f"{self.entry.value} gives no backend but {type(made).__name__}")
        return made
