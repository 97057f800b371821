"""
Room: nodes as values: a tree that can be written to a text or a folder and read back, the bundled nodes, and the way from an inventory to a tree.

May touch: `access`, `memory`, `treefile`, `sysfs`, `inventory`, `diagnostics`, `devices`, `errors`. Reads its own package data; `write` writes below
the folder that it is given.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from ..devices import CONTAINER_DRIVER, NPU, NUMANode
from ..errors import DiscoveryError, InvalidValue
from . import treefile
from .access import Entries, Entry, Fault, Link
from .diagnostics import Diagnostic
from .inventory import Inventory
from .memory import MemorySysfs
from .sysfs import CARDS, DEVICES, NODES, scan

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SUFFIX: Final = ".tree"
"""How the text file of a tree is called."""

_GROUPS: Final = "kernel/iommu_groups"
_DRIVERS: Final = "bus/pci/drivers"


@attrs.frozen
class Tree(MemorySysfs):
    r"""
    A node's sysfs as a value: a `Sysfs` to read from, and a backend to discover from.

    Two trees are equal when the same stands at the same paths. Directories are there because something is in them; empty ones are paths that
    end in a slash.

    Args:
        entries: Path → text of a file, `Link`, or `Fault`.
        node: The node's name; absent when it is not known.

    >>> tree = bundled("rebel100")
    >>> tree.read_text("bus/pci/devices/0000:27:00.0/device")
    '0x2130\n'
    >>> Tree.parse(str(tree)) == tree
    True
    """

    node: str | None = None

    @classmethod
    def parse(cls, text: str, *, source: str = "tree") -> Tree:
        """
        Parse the text form.

        Args:
            text: The text; see `treefile` for the form.
            source: What to call it in errors.

        Raises:
            DiscoveryError: The text is no tree; `place` has the number of the line.
        """
        InvalidValue.unless_text(text, "the text form of a tree")
        node, entries = treefile.parse(text, source=source)
        return cls(_implied(entries), node)

    def __str__(self) -> str:
        """Write the text form."""
        return treefile.dump(self.node, self.entries)

    def scan(self) -> Inventory:
        """Discover what this node has; see `Backend`."""
        return scan(self, place=self.node or "tree", node=self.node)

    def write(self, folder: str | os.PathLike[str]) -> None:
        """
        Write a folder of the shape of `/sys`, for programs that take one; the node's name is not in it.

        Args:
            folder: A directory that is new or empty.

        Raises:
            InvalidValue: That is no path.
            DiscoveryError: The folder has something in it, or cannot be written; or the tree has a `Fault`, which a folder cannot show.
        """
        InvalidValue.unless(folder, (str, os.PathLike), "the path of a folder")
        root = Path(folder)
        faulty = next((path for path, entry in self.entries.items() if isinstance(entry, Fault)), None)
        if faulty is not None:
            raise DiscoveryError(os.fspath(folder), f"a folder cannot show that {faulty} fails to be read")
        try:
            root.mkdir(parents=True, exist_ok=True)
            if any(root.iterdir()):
                raise DiscoveryError(os.fspath(folder), "there is something in that folder already")
            for path, entry in self.entries.items():
                _write(root / path, entry, directory=path.endswith("/"))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise DiscoveryError(os.fspath(folder), f"cannot be written: {reason}") from error


def _data() -> Traversable:
    """Give the folder of the bundled trees."""
    from importlib.resources import files

    return files("rbln_dra.discovery") / "trees"


def bundled_names() -> tuple[str, ...]:
    """
    List the bundled nodes.

    >>> bundled_names()
    ('atom', 'ca22', 'mixed', 'rebel100', 'sriov')
    """
    return tuple(sorted(entry.name.removesuffix(SUFFIX) for entry in _data().iterdir() if entry.name.endswith(SUFFIX)))


def bundled(name: str) -> Tree:
    """
    Read a bundled node.

    Args:
        name: One of `bundled_names()`.

    Raises:
        DiscoveryError: There is none of that name; the hint has near ones.
    """
    InvalidValue.unless_text(name, "the name of a bundled node")
    known = bundled_names()
    if name not in known:
        from difflib import get_close_matches

        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else "a folder or file is given as a path, such as ./node"
        raise DiscoveryError(name, f"no such tree; bundled are {', '.join(known)}", hint)
    return Tree.parse((_data() / f"{name}{SUFFIX}").read_text(encoding="utf-8"), source=f"{name}{SUFFIX}")


def tree(inventory: Inventory) -> Tree:
    """
    Build a node of which a scan gives this inventory: `discover(tree(inventory)) == inventory`.

    The inventory is one that a scan gave, with the default driver name, profile and rule for the PCIe root. What sysfs does not hold (sid, UUID,
    memory and whatever else comes from `rbln-smi`) cannot be in the tree.

    Args:
        inventory: What a scan found.

    Raises:
        InvalidValue: That is no inventory.

    >>> inventory = bundled("rebel100").scan()
    >>> tree(inventory).scan() == inventory
    True
    """
    InvalidValue.unless(inventory, Inventory, 'an inventory such as discover(TreeBackend("atom"))')
    planting = _Planting()
    notes: dict[str, list[Diagnostic]] = {}
    for diagnostic in inventory.diagnostics:
        notes.setdefault(diagnostic.address, []).append(diagnostic)
    hardware = {str(npu.address): npu for npu in inventory.npus}
    for name, npu in hardware.items():
        planting.npu(name, npu, notes.get(name, []))
    for name, noted in notes.items():
        if name not in hardware:
            planting.other(name, noted)
    planting.groups(hardware, notes)
    planting.numa_nodes(inventory.numa_nodes)
    return Tree(_implied(planting.entries), inventory.node)


@attrs.define
class _Planting:
    """The entries of a tree that is being built, and the directory of each device in it."""

    entries: dict[str, Entry] = attrs.field(factory=lambda: {f"{DEVICES}/": ""})
    places: dict[str, str] = attrs.field(factory=dict[str, str])

    def npu(self, name: str, npu: NPU, notes: list[Diagnostic]) -> None:
        """Plant an NPU and what was odd about it."""
        place = self.place(name, npu, notes)
        files: dict[str, str | int | None] = {
            "vendor": f"0x{npu.vendor_id}",
            "class": f"0x{npu.pci_class}",
            "device": npu.pci_device_id and f"0x{npu.pci_device_id}",
            "numa_node": -1 if npu.numa_node is None else npu.numa_node,
            "sriov_numvfs": npu.sriov_numvfs,
            "sriov_totalvfs": npu.sriov_totalvfs,
        }
        for entry, value in files.items():
            self.file(f"{place}/{entry}", value)
        if npu.driver is not None:
            self.bind(name, npu.driver)
        if npu.iommu_group is not None:
            group = f"{_GROUPS}/{npu.iommu_group}"
            self.entries[f"{place}/iommu_group"] = _link(f"{place}/iommu_group", group)
            self.entries[f"{group}/"] = ""
            self.file(f"{group}/name", npu.iommu_group_name)
        if npu.vf:
            self.entries[f"{place}/physfn"] = Link("../gone" if npu.physfn is None else f"../{npu.physfn}")
        if npu.rbln is not None:
            card = f"{place}/{CONTAINER_DRIVER}/{npu.rbln}"
            self.entries[f"{CARDS}/{npu.rbln}"] = _link(f"{CARDS}/{npu.rbln}", card)
            self.entries[f"{card}/device"] = Link(f"../../../{name}")
            for entry in ("card_name", "kernel_version", "status"):
                self.file(f"{card}/{entry}", getattr(npu, entry))
        self.odd(place, notes)

    def place(self, name: str, npu: NPU, notes: list[Diagnostic]) -> str:
        """Choose where a device's directory is, and link to it."""
        bus = f"{DEVICES}/{name}"
        rootless = next((note.found for note in notes if note.code == "no-pcie-root"), None)
        if isinstance(rootless, Link):
            self.entries[bus] = rootless
            place = _followed(bus, rootless)
        elif npu.pcie_root is None:
            place = bus
        else:
            place = "/".join(["devices", npu.pcie_root, *map(str, npu.bridges), name])
            self.entries[bus] = _link(bus, place)
        self.places[name] = place
        return place

    def other(self, name: str, notes: list[Diagnostic]) -> None:
        """Plant an entry that is known only by what was odd about it."""
        place = f"{DEVICES}/{name}"
        codes = {note.code for note in notes}
        if "vanished" in codes:
            self.entries[place] = Fault.parse("ENOENT")
            return
        self.file(f"{place}/vendor", "0x1eff")
        if any(note.code == "unreadable" and note.entry == "vendor" for note in notes):
            self.file(f"{place}/modalias", "pci:v00001EFFd00000000sv00000000sd00000000bc12sc00i00")
        self.odd(place, notes)

    def odd(self, place: str, notes: list[Diagnostic]) -> None:
        """Plant what was found, where it was found."""
        for note in notes:
            if note.entry is None or note.found is None:
                continue
            below = f"{CARDS}/"
            if note.entry == CARDS:
                path = CARDS
            elif note.entry.startswith(below):
                path = f"{place}/{CONTAINER_DRIVER}/{note.entry.removeprefix(below)}"
            else:
                path = f"{place}/{note.entry}"
            self.entries[path] = note.found
        if any(note.code == "odd-physfn" for note in notes):
            self.file(f"{place}/physfn", "")

    def bind(self, name: str, driver: str) -> None:
        """Link a device and its driver to each other."""
        place = self.places.get(name, f"{DEVICES}/{name}")
        if driver in {"", ".", ".."}:
            self.entries[f"{place}/driver"] = Link(f"/{driver}")
            return
        path = f"{_DRIVERS}/{driver}"
        self.entries[f"{place}/driver"] = _link(f"{place}/driver", path)
        self.entries[f"{path}/{name}"] = _link(f"{path}/{name}", place)

    def groups(self, hardware: Mapping[str, NPU], notes: Mapping[str, list[Diagnostic]]) -> None:
        """Plant the members of IOMMU groups: the NPUs of each, and the foreign ones that diagnostics name."""
        members: dict[int, dict[str, str | None]] = {}
        alone: dict[int, list[str]] = {}
        for name, npu in hardware.items():
            if npu.iommu_group is None:
                continue
            alone.setdefault(npu.iommu_group, []).append(name)
            for note in notes.get(name, []):
                if note.code in {"group-not-viable", "shared-group"}:
                    named = {found["name"]: found["driver"] for found in _MEMBER.finditer(str(note.found))}
                    members.setdefault(npu.iommu_group, {name: None}).update(named)
        for group, its_npus in alone.items():
            listed = members.get(group) or (dict.fromkeys(its_npus) if len(its_npus) == 1 else {})
            for member, driver in listed.items():
                if member not in hardware:
                    self.entries.setdefault(f"{DEVICES}/{member}/vendor", "0xffff\n")
                    if driver is not None:
                        self.bind(member, driver)
                path = f"{_GROUPS}/{group}/devices/{member}"
                self.entries[path] = _link(path, self.places.get(member, f"{DEVICES}/{member}"))

    def numa_nodes(self, nodes: Iterable[NUMANode]) -> None:
        """Plant the NUMA nodes of the host."""
        for node in nodes:
            place = f"{NODES}/node{node.number}"
            self.entries[f"{place}/"] = ""
            self.file(f"{place}/cpulist", node.cpus)
            if node.distances:
                self.file(f"{place}/distance", " ".join(map(str, node.distances)))

    def file(self, path: str, value: str | int | None) -> None:
        """Plant a file with one line; nothing for `None`."""
        if value is not None:
            self.entries[path] = f"{value}\n"


_MEMBER: Final = re.compile(r"(?P<name>[^\s,]+)(?:\ \((?P<driver>[^)]*)\))?")


def _link(path: str, place: str) -> Link:
    """Make the relative link from a path to a place, as the kernel makes them."""
    return Link("../" * path.count("/") + place)


def _followed(path: str, link: Link) -> str:
    """Resolve a link by names alone."""
    names_ = path.split("/")[:-1]
    for name in link.target.split("/"):
        if name == "..":
            del names_[-1:]
        elif name not in {"", "."}:
            names_.append(name)
    return "/".join(names_)


def _implied(entries: Entries) -> dict[str, Entry]:
    """Drop the directories that are there anyway, since something is in them."""
    needed = {"/".join(path.split("/")[:count]) + "/" for path in entries for count in range(1, path.rstrip("/").count("/") + 1)}
    return {path: entry for path, entry in entries.items() if path not in needed}


def _write(path: Path, entry: Entry, *, directory: bool) -> None:
    """Write one entry of a folder."""
    if directory:
        path.mkdir(parents=True, exist_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(entry, Link):
        path.symlink_to(entry.target)
    else:
        path.write_bytes(str(entry).encode())
