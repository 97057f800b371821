"""
Room: sysfs values: a dictionary of paths, and a dictionary laid over another sysfs.

May touch: `access`, `wire`, `errors`. No disk.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from typing import TypeAlias

import attrs

from ..errors import DiscoveryError, InvalidValue
from ..wire import FrozenMap
from .access import PAGE, Entries, Entry, Fault, Link, Sysfs

MOST_LINKS = 40
"""How many links the kernel follows in one path before it gives up with ELOOP."""


_PATH = "a path such as bus/pci/devices"


def _with_faults(entries: Mapping[str, Entry | OSError]) -> Entries:
    """Replace exceptions by values, which can be compared."""
    InvalidValue.unless(entries, Mapping, "a mapping of paths to what stands there")
    return FrozenMap({path: Fault.of(entry) if isinstance(entry, OSError) else entry for path, entry in entries.items()})


class _Folder(dict[str, "_Folder | Entry"]):
    """A directory: the names in it and what they are."""


_Node: TypeAlias = _Folder | Entry


@attrs.frozen
class MemorySysfs:
    r"""
    A sysfs in a dictionary.

    Directories are there because something is in them; a path that ends in a slash (its value does not matter, `""` is usual) is an empty one.
    Links are followed as the kernel follows them, but never out of the tree: an absolute target is not there.

    Args:
        entries: Path → text of a file, `Link`, or `Fault` (an `OSError` counts as one).

    Raises:
        DiscoveryError: Two entries cannot stand together, since one is a file or link on the other's path; or a path has `.` or `..` in it.

    >>> sysfs = MemorySysfs({
    ...     "devices/pci0000:20/0000:27:00.0/vendor": "0x1eff\n",
    ...     "bus/pci/devices/0000:27:00.0": Link("../../../devices/pci0000:20/0000:27:00.0"),
    ... })
    >>> sysfs.read_text("bus/pci/devices/0000:27:00.0/vendor")
    '0x1eff\n'
    >>> sysfs.list_dir("bus/pci")
    ('devices',)
    """

    entries: Entries = attrs.field(factory=FrozenMap[Entry], converter=_with_faults)
    _root: _Folder = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Nest the entries."""
        object.__setattr__(self, "_root", _nested(self.entries))

    def read_text(self, path: str, /) -> str:
        """Read a file; see `Sysfs`."""
        node = self._find(path, follow=True)
        if not isinstance(node, str):
            raise _failure(errno.EISDIR, path)
        return _attribute(node, path)

    def read_link(self, path: str, /) -> str:
        """Read a link; see `Sysfs`."""
        node = self._find(path, follow=False)
        if not isinstance(node, Link):
            raise _failure(errno.EINVAL, path)
        return node.target

    def list_dir(self, path: str, /) -> tuple[str, ...]:
        """List a directory; see `Sysfs`."""
        node = self._find(path, follow=True)
        if not isinstance(node, _Folder):
            raise _failure(errno.ENOTDIR, path)
        return tuple(sorted(node))

    def _find(self, path: str, *, follow: bool) -> _Node:
        """Walk a path as the kernel does; the last link is followed only if `follow`."""
        InvalidValue.unless_text(path, _PATH)
        trail: list[_Folder] = []
        node: _Node = self._root
        pending = path.split("/")[::-1]
        links = 0
        while pending:
            name = pending.pop()
            if name in {"", "."}:
                continue
            if not isinstance(node, _Folder):
                raise _failure(errno.ENOTDIR, path)
            if name == "..":
                if not trail:
                    raise _failure(errno.ENOENT, path)
                node = trail.pop()
                continue
            child = node.get(name)
            if child is None:
                raise _failure(errno.ENOENT, path)
            if isinstance(child, Fault):
                raise child.error(path)
            if isinstance(child, Link) and (pending or follow):
                links += 1
                if links > MOST_LINKS:
                    raise _failure(errno.ELOOP, path)
                if child.target.startswith("/"):
                    raise _failure(errno.ENOENT, path)
                pending.extend(child.target.split("/")[::-1])
                continue
            trail.append(node)
            node = child
        return node


@attrs.frozen
class OverlaySysfs:
    r"""
    A sysfs with some entries replaced, added or broken: the way to inject a fault.

    An entry counts for its path and for every other path that leads to the same place through links of the base. A name whose entry is an
    error is still listed if the base lists it, as an entry that vanishes during a scan is.

    Args:
        base: The sysfs below.
        entries: Path → text, `Link`, or `Fault` (an `OSError` counts as one): each read of that path and of everything below it has it.

    >>> base = MemorySysfs({"bus/pci/devices/0000:27:00.0/numa_node": "0\n"})
    >>> OverlaySysfs(base, {"bus/pci/devices/0000:27:00.0/numa_node": PermissionError()}).read_text("bus/pci/devices/0000:27:00.0/numa_node")
    Traceback (most recent call last):
    PermissionError: [Errno 13] Permission denied: 'bus/pci/devices/0000:27:00.0/numa_node'
    """

    base: Sysfs
    entries: Entries = attrs.field(converter=_with_faults)
    _places: Entries = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Find the one path of each entry."""
        InvalidValue.unless(self.base, Sysfs, "a sysfs: read_text, read_link and list_dir")
        places = {_canonical(self.base.read_link, path, follow=False): entry for path, entry in self.entries.items()}
        object.__setattr__(self, "_places", places)

    def read_text(self, path: str, /) -> str:
        """Read a file; see `Sysfs`."""
        place = self._place(path, follow=True)
        entry = self._places.get(place)
        if not isinstance(entry, str):
            return self.base.read_text(place)
        return _attribute(entry, path)

    def read_link(self, path: str, /) -> str:
        """Read a link; see `Sysfs`."""
        return self._link(self._place(path, follow=False))

    def list_dir(self, path: str, /) -> tuple[str, ...]:
        """List a directory; see `Sysfs`."""
        place = self._place(path, follow=True)
        if place in self._places:
            raise _failure(errno.ENOTDIR, path)
        inside = f"{place}/" if place else ""
        known = (path for path, entry in self._places.items() if not isinstance(entry, Fault))
        added = {path.removeprefix(inside).partition("/")[0] for path in known if path.startswith(inside)}
        try:
            return tuple(sorted({*self.base.list_dir(place), *added}))
        except FileNotFoundError:
            if not added:
                raise
            return tuple(sorted(added))

    def _place(self, path: str, *, follow: bool) -> str:
        """Find the one path that every way to a place has, or raise the error that stands on the way."""
        place = _canonical(self._link, path, follow=follow)
        names = place.split("/")
        for count in range(1, len(names) + 1):
            entry = self._places.get("/".join(names[:count]))
            if isinstance(entry, Fault):
                raise entry.error(path)
        return place

    def _link(self, place: str) -> str:
        """Read a link here or below."""
        entry = self._places.get(place)
        if entry is None:
            return self.base.read_link(place)
        if isinstance(entry, Link):
            return entry.target
        raise _failure(errno.EINVAL, place)


def _nested(entries: Entries) -> _Folder:
    """
    Build the directories that the paths imply.

    Raises:
        DiscoveryError: Something stands twice at a path, or on the way to another, or a path leads elsewhere than down.
    """
    root = _Folder()
    for path, entry in entries.items():
        names = [name for name in path.split("/") if name]
        if not names or not {".", ".."}.isdisjoint(names):
            raise DiscoveryError(path, "no path of a tree")
        folder = root
        for name in names if path.endswith("/") else names[:-1]:
            inner = folder.setdefault(name, _Folder())
            if not isinstance(inner, _Folder):
                raise DiscoveryError(path, f"{name} is no directory")
            folder = inner
        if path.endswith("/"):
            continue
        if names[-1] in folder:
            raise DiscoveryError(path, "something stands there already")
        folder[names[-1]] = entry
    return root


def _failure(number: int, path: str) -> OSError:
    """Build what the kernel would answer."""
    return Fault(number).error(path)


def _attribute(text: str, path: str) -> str:
    """Hold a text kept as a value to the bound that a file has."""
    # U+FFFD is what a read gives for a byte that is no text: one byte, where a file's text is kept as it was read.
    if len(text) > PAGE or len(text.replace("\ufffd", "?").encode(errors="replace")) > PAGE:
        raise _failure(errno.EFBIG, path)
    return text


def _canonical(read_link: Callable[[str], str], path: str, *, follow: bool) -> str:
    """
    Follow every link on the way to the last name, and that one too if `follow`; what is no link stays as it is.

    Raises:
        OSError: ELOOP, when there are more links than the kernel follows.
    """
    InvalidValue.unless_text(path, _PATH)
    place: list[str] = []
    pending = path.split("/")[::-1]
    links = 0
    while pending:
        name = pending.pop()
        if name in {"", "."}:
            continue
        if name == "..":
            del place[-1:]
            continue
        place.append(name)
        if not pending and not follow:
            continue
        try:
            target = read_link("/".join(place))
        except OSError:
            continue
        links += 1
        if links > MOST_LINKS:
            raise _failure(errno.ELOOP, path)
        place.pop()
        pending.extend(target.split("/")[::-1])
    return "/".join(place)
