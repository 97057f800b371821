"""
Room: the layout of `/sys`: which files say what about an NPU, and the DRA driver's filter, in its order.

Nothing else in the package knows a path below `/sys`. The scan lists `bus/pci/devices` and does single reads: it never walks and never matches
patterns, so no loop of links can hold it. What is odd about a card becomes a diagnostic and the scan goes on.

May touch: `access`, `readings`, `inventory`, `diagnostics`, `devices` and the values below.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Container, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import attrs

from ..devices import CONTAINER_DRIVER, NPU, NPU_CLASS, PASSTHROUGH_DRIVER, Device, NUMANode, Profile, publish, vfio_driver
from ..devices.profiles import find
from ..errors import DiscoveryError
from ..names import DRIVER_NAME
from ..pci import PCIAddress
from ..products import VENDOR_ID
from .access import Entry, Fault, Link, Sysfs
from .diagnostics import CODES, Diagnostic
from .inventory import Inventory, Pool
from .readings import (
    CARD,
    CPUS,
    DISTANCES,
    ID,
    MODALIAS_VENDOR,
    NUMA_NODE,
    ROOT,
    STATUS,
    UEVENT_VENDOR,
    WORDS,
    address_of,
    card_number,
    driver_code,
    int64,
    last_name,
    resolved,
    shown_name,
)

DEVICES: Final = "bus/pci/devices"
"""Where every PCI function of the host has an entry, a link into `devices/`."""

CARDS: Final = "class/rebellions"
"""Where the driver `rebellions` has an entry for each card that it runs, named as its device node."""

NODES: Final = "devices/system/node"
"""Where every NUMA node of the host that is online has a directory."""

NOIOMMU: Final = "vfio-noiommu"
"""The name of the IOMMU groups that VFIO makes up when there is no IOMMU."""

RootRule: TypeAlias = Literal["kubernetes", "driver"]

#: What a group may hold beside devices on VFIO drivers: the kernel's own stub, and bridges.
_HARMLESS_DRIVERS: Final = frozenset({"pci-stub"})
_BRIDGES: Final = ("0x0604", "0x0607")


def scan(
    sysfs: Sysfs,
    *,
    place: str,
    node: str | None = None,
    driver: str = DRIVER_NAME,
    profile: str | Profile | None = None,
    pcie_root: RootRule = "kubernetes",
) -> Inventory:
    """
    Read the NPUs of one host and publish them as the DRA driver does.

    Args:
        sysfs: Where to read.
        place: What to call it in errors.
        node: The node's name, which becomes the name of the pool.
        driver: The name under which the driver is installed.
        profile: The driver's generation; see `publish`.
        pcie_root: Which paths have a PCIe root. `kubernetes`: those that begin with it, which is what Kubernetes' own helper and so every
            driver that uses it accepts. `driver`: those that have one anywhere, which the NPU driver accepts (Hyper-V, device-tree hosts).

    Raises:
        DiscoveryError: There is no `bus/pci/devices`, or it cannot be listed.
        UnknownProfile: There is no such generation.
    """
    try:
        names = sysfs.list_dir(DEVICES)
    except OSError as error:
        fault = Fault.of(error)
        reason = f"no {DEVICES} there" if fault.number in {errno.ENOENT, errno.ENOTDIR} else f"{DEVICES} cannot be listed"
        hint = "give the directory that is /sys" if fault.number == errno.ENOENT else None
        raise DiscoveryError(place, f"{reason} ({fault}, {fault.prose})", hint) from error
    scanned = _Scan(sysfs, pcie_root)
    for name in names:
        scanned.card(name)
    scanned.cards_of_host_driver()
    npus = dict(sorted(scanned.npus.items(), key=lambda item: attrs.astuple(item[1].address)))
    row = find(profile)
    published = {name: device for name, npu in npus.items() if (device := publish(npu, pool=node, driver=driver, profile=row)) is not None}
    nodes = _numa_nodes(sysfs)
    scanned.judge(published, {node.number for node in nodes if node.without_cpus})
    containers = sorted((name for name in published if npus[name].driver == CONTAINER_DRIVER), key=lambda name: card_number(npus[name].rbln))
    passthrough = [name for name in published if npus[name].driver == PASSTHROUGH_DRIVER]
    return Inventory(
        devices=tuple(published[name] for name in (*containers, *passthrough)),
        npus=tuple(npus.values()),
        diagnostics=tuple(sorted(scanned.diagnostics, key=_order)),
        node=node,
        pools=(Pool(driver, node, node),),
        numa_nodes=nodes,
    )


@attrs.define
class _Scan:
    """
    One pass over a host: the facts by the entry's name, and what was odd.

    Every card starts from nothing, so that no value of one can end up in the next.
    """

    sysfs: Sysfs
    root_rule: RootRule
    npus: dict[str, NPU] = attrs.field(factory=dict[str, NPU])
    diagnostics: list[Diagnostic] = attrs.field(factory=list[Diagnostic])

    def note(self, name: str, code: str, entry: str | None = None, found: Entry | None = None) -> None:
        """Keep a diagnostic."""
        self.diagnostics.append(Diagnostic(shown_name(name), code, entry=entry, found=found))

    def card(self, name: str) -> None:
        """Read one entry, if it is one of ours."""
        base = f"{DEVICES}/{name}"
        try:
            if self.sysfs.read_text(f"{base}/vendor").strip() != f"0x{VENDOR_ID}":
                return
        except OSError as error:
            self.without_vendor(name, error)
            return
        address = address_of(name)
        if address is None:
            self.note(name, "not-pci-address")
            return
        if address.domain > 0xFFFF:
            self.note(name, "wide-domain")
        try:
            pci_class = self.sysfs.read_text(f"{base}/class").strip()
        except OSError as error:
            self.broken(name, "class", error)
            return
        if pci_class != f"0x{NPU_CLASS}":
            self.note(name, "not-an-npu", "class", pci_class)
            return
        npu = self.facts(name, address)
        if npu is not None:
            self.npus[name] = npu

    def without_vendor(self, name: str, error: OSError) -> None:
        """Decide what to say of an entry whose vendor cannot be read: nothing, when it says elsewhere that it is another's."""
        fault = Fault.of(error)
        vendor = None
        for entry, pattern in (("uevent", UEVENT_VENDOR), ("modalias", MODALIAS_VENDOR)):
            text = self.optional_text(name, entry)
            found = None if text is None else pattern.search(text)
            vendor = vendor or (found and found[1].lower())
        if vendor == VENDOR_ID:
            self.note(name, "unreadable", "vendor", fault)
        elif vendor is None and (fault.number == errno.ELOOP or self.gone(name, fault)):
            self.broken(name, "vendor", error)
        elif vendor is None:
            self.note(name, "vendor-unknown", "vendor", fault)

    def broken(self, name: str, entry: str, error: OSError) -> None:
        """Note a card about which too little can be read."""
        fault = Fault.of(error)
        if self.gone(name, fault):
            self.note(name, "vanished")
        else:
            self.note(name, "link-loop" if fault.number == errno.ELOOP else "unreadable", entry, fault)

    def gone(self, name: str, fault: Fault) -> bool:
        """Tell a card that is gone from one that lacks a file."""
        if fault.number != errno.ENOENT:
            return False
        try:
            self.sysfs.read_link(f"{DEVICES}/{name}")
        except OSError as error:
            return Fault.of(error).number == errno.ENOENT
        return False

    def facts(self, name: str, address: PCIAddress) -> NPU | None:
        """Read what the host says about an NPU; `None` when it is gone."""
        base = f"{DEVICES}/{name}"
        driver = None
        try:
            driver = last_name(self.sysfs.read_link(f"{base}/driver"))
        except OSError as error:
            fault = Fault.of(error)
            if self.gone(name, fault):
                self.note(name, "vanished")
                return None
            if fault.number != errno.ENOENT:
                self.broken(name, "driver", error)
            else:
                override = (self.optional_text(name, "driver_override") or "").strip()
                named = override not in {"", "(null)"}
                self.note(name, *(("unbound-override", "driver_override", override) if named else ("unbound",)))
        if driver is not None and driver != PASSTHROUGH_DRIVER:
            self.note(name, driver_code(driver), None, driver)
        group = self.group(name, driver)
        root, bridges = self.path(name)
        physfn = self.physfn(name)
        numvfs = self.count(name, "sriov_numvfs") if physfn is None else None
        return NPU(
            address,
            pci_device_id=self.pci_device_id(name),
            driver=driver,
            iommu_group=group,
            iommu_group_name=None if group is None else self.optional_text_line(name, "iommu_group/name"),
            numa_node=self.numa_node(name),
            pcie_root=root,
            bridges=bridges,
            vf=physfn is not None,
            physfn=None if physfn is None else address_of(last_name(physfn)),
            sriov_numvfs=numvfs,
            sriov_totalvfs=None if numvfs is None else self.count(name, "sriov_totalvfs"),
        )

    def text(self, name: str, entry: str) -> str | None:
        """Read a file of a card, which may be absent; what else keeps it from being read is noted."""
        try:
            return self.sysfs.read_text(f"{DEVICES}/{name}/{entry}")
        except OSError as error:
            if Fault.of(error).number != errno.ENOENT:
                self.note(name, "attribute-unreadable", entry, Fault.of(error))
            return None

    def optional_text(self, name: str, entry: str) -> str | None:
        """Read a file that only helps to explain."""
        return _optional(self.sysfs, f"{DEVICES}/{name}/{entry}")

    def optional_text_line(self, name: str, entry: str) -> str | None:
        """Read a name that only helps to explain; empty is absent."""
        return (self.optional_text(name, entry) or "").strip() or None

    def group(self, name: str, driver: str | None) -> int | None:
        """Read the number of the IOMMU group, without which the driver publishes nothing."""
        needed = driver == PASSTHROUGH_DRIVER
        try:
            target = self.sysfs.read_link(f"{DEVICES}/{name}/iommu_group")
        except OSError as error:
            fault = Fault.of(error)
            if fault.number != errno.ENOENT:
                self.note(name, "unreadable" if needed else "attribute-unreadable", "iommu_group", fault)
            elif needed:
                self.note(name, "no-iommu-group")
            return None
        number = int64(last_name(target))
        if number is None:
            self.note(name, "odd-iommu-group", "iommu_group", Link(target))
        return number

    def path(self, name: str) -> tuple[str | None, tuple[PCIAddress, ...]]:
        """Read the PCIe root and the bridges off the place that the card's entry links to."""
        try:
            target = self.sysfs.read_link(f"{DEVICES}/{name}")
        except OSError:
            self.note(name, "flat-entry")
            return None, ()
        parts = resolved(target)
        root = next((part for part in parts if ROOT.fullmatch(part)), None)
        if self.root_rule == "kubernetes" and (parts[:1] != ["devices"] or parts[1:2] != [root] or parts[-1] != name):
            root = None
        if root is None:
            self.note(name, "no-pcie-root", None, Link(target))
        bridges = (address_of(part) for part in parts[:-1])
        return root, tuple(bridge for bridge in bridges if bridge is not None)

    def physfn(self, name: str) -> str | None:
        """Read the link that a virtual function has; `None` for a physical one."""
        try:
            return self.sysfs.read_link(f"{DEVICES}/{name}/physfn")
        except OSError as error:
            fault = Fault.of(error)
            if fault.number == errno.EINVAL:
                self.note(name, "odd-physfn", "physfn")
            elif fault.number != errno.ENOENT:
                self.note(name, "attribute-unreadable", "physfn", fault)
            return None

    def pci_device_id(self, name: str) -> str | None:
        """Read the device id."""
        text = self.text(name, "device")
        if text is None:
            return None
        found = text.strip().removeprefix("0x")
        if ID.fullmatch(found):
            return found
        self.note(name, "odd-device-id", "device", text)
        return None

    def numa_node(self, name: str) -> int | None:
        """Read the NUMA node; a negative one means that there is none."""
        text = self.text(name, "numa_node")
        if text is None:
            return None
        number = int64(text.strip())
        if number is None:
            self.note(name, "odd-numa-node", "numa_node", text)
        return number if number is not None and number >= 0 else None

    def count(self, name: str, entry: str) -> int | None:
        """Read a number of virtual functions."""
        text = self.text(name, entry)
        number = None if text is None else int64(text.strip())
        if text is not None and (number is None or number < 0):
            self.note(name, "odd-card-fact", entry, text)
            return None
        return number

    def cards_of_host_driver(self) -> None:
        """Add what the driver `rebellions` says about the cards that it runs."""
        bound = {npu.address: name for name, npu in self.npus.items() if npu.driver == CONTAINER_DRIVER}
        if not bound:
            return
        try:
            entries = self.sysfs.list_dir(CARDS)
        except OSError as error:
            entries = ()
            if Fault.of(error).number != errno.ENOENT:
                for name in bound.values():
                    self.note(name, "attribute-unreadable", CARDS, Fault.of(error))
        for rbln in sorted(filter(CARD.fullmatch, entries), key=card_number):
            address = self.address_of_card(rbln)
            if address in bound:
                name = bound.pop(address)
                self.npus[name] = self.with_card(name, rbln)
        for name in bound.values():
            self.note(name, "no-class-entry")

    def address_of_card(self, rbln: str) -> PCIAddress | None:
        """Find the function that a class entry belongs to: by its link `device`, or else by the place that the entry itself links to."""
        for entry in (f"{CARDS}/{rbln}/device", f"{CARDS}/{rbln}"):
            try:
                parts = self.sysfs.read_link(entry).split("/")
            except OSError:
                continue
            found = [address for address in map(address_of, parts) if address is not None]
            if found:
                return found[-1]
        return None

    def with_card(self, name: str, rbln: str) -> NPU:
        """Add the files of a class entry to an NPU; each may be absent, older drivers lack some."""
        status = self.card_fact(name, f"{CARDS}/{rbln}/status", STATUS)
        return attrs.evolve(
            self.npus[name],
            rbln=rbln,
            card_name=self.card_fact(name, f"{CARDS}/{rbln}/card_name", WORDS),
            kernel_version=self.card_fact(name, f"{CARDS}/{rbln}/kernel_version", WORDS),
            status=None if status is None else int(status),
        )

    def card_fact(self, name: str, entry: str, pattern: re.Pattern[str]) -> str | None:
        """Read one file of a class entry; what has not the pattern is noted and not taken."""
        try:
            text = self.sysfs.read_text(entry)
        except OSError as error:
            if Fault.of(error).number != errno.ENOENT:
                self.note(name, "attribute-unreadable", entry, Fault.of(error))
            return None
        if pattern.fullmatch(text.strip()):
            return text.strip()
        self.note(name, "odd-card-fact", entry, text)
        return None

    def judge(self, published: Mapping[str, Device], without_cpus: Container[int]) -> None:
        """Note what is missing or will not work of the passthrough devices that are published."""
        for name, npu in self.npus.items():
            if npu.driver != PASSTHROUGH_DRIVER:
                continue
            device = published.get(name)
            if device is None:
                continue
            found, product = npu.pci_device_id, npu.product
            if found is not None and "productName" not in device.attributes:
                self.note(name, "no-product-name", None, found)
            if product is not None and found is not None and npu.vf != (found.lower() == product.vf_id):
                self.note(name, "pf-id-with-physfn" if npu.vf else "vf-id-without-physfn", None, found)
            if npu.iommu_group_name == NOIOMMU:
                self.note(name, "noiommu", None, str(npu.iommu_group))
            if npu.numa_node is not None and npu.numa_node in without_cpus:
                self.note(name, "numa-node-without-cpus", None, str(npu.numa_node))
            self.judge_group(name)

    def judge_group(self, name: str) -> None:
        """Look at the other members of the card's IOMMU group: VFIO opens a group only when all of them are its own, bridges aside."""
        try:
            members = self.sysfs.list_dir(f"{DEVICES}/{name}/iommu_group/devices")
        except OSError:
            return
        offenders: list[str] = []
        sharers: list[str] = []
        for member in members:
            if member == name or address_of(member) is None or (member not in self.npus and self.bridge(member)):
                continue
            driver = self.npus[member].driver if member in self.npus else self.driver_of(member)
            if driver is None or driver in _HARMLESS_DRIVERS or vfio_driver(driver):
                sharers.append(member)
            else:
                offenders.append(f"{member} ({driver})")
        if offenders:
            self.note(name, "group-not-viable", None, ", ".join(offenders))
        elif sharers:
            self.note(name, "shared-group", None, ", ".join(sharers))

    def bridge(self, name: str) -> bool:
        """Tell whether a function is a bridge."""
        return (self.optional_text(name, "class") or "").startswith(_BRIDGES)

    def driver_of(self, name: str) -> str | None:
        """Read the driver of a function that is no NPU."""
        try:
            return last_name(self.sysfs.read_link(f"{DEVICES}/{name}/driver"))
        except OSError:
            return None


def _optional(sysfs: Sysfs, path: str) -> str | None:
    """Read a file; `None` when it cannot be read."""
    try:
        return sysfs.read_text(path)
    except OSError:
        return None


def _numa_nodes(sysfs: Sysfs) -> tuple[NUMANode, ...]:
    """Read what the host says about its NUMA nodes; a kernel without NUMA says nothing. What has not its pattern is not taken."""
    try:
        names = sysfs.list_dir(NODES)
    except OSError:
        return ()
    numbers = sorted(int(found[1]) for found in map(NUMA_NODE.fullmatch, names) if found)

    def node(number: int) -> NUMANode:
        cpus, row = (_optional(sysfs, f"{NODES}/node{number}/{entry}") for entry in ("cpulist", "distance"))
        known = None if cpus is None or not CPUS.fullmatch(cpus.strip()) else cpus.strip()
        distances = tuple(map(int, row.split())) if row is not None and DISTANCES.fullmatch(row.strip()) else ()
        # A row that has not a number for each node was read while one came or went.
        return NUMANode(number, known, distances if len(distances) == len(numbers) else ())

    return tuple(map(node, numbers))


_RANK: Final = {code: rank for rank, code in enumerate(CODES)}


def _order(diagnostic: Diagnostic) -> tuple[Sequence[int], str, int, str]:
    """Order by address as numbers, names that are none at the end, and for one card as the scan goes."""
    address = address_of(diagnostic.address)
    place = (1,) if address is None else (0, *attrs.astuple(address))
    return place, diagnostic.address, _RANK[diagnostic.code], diagnostic.entry or ""
