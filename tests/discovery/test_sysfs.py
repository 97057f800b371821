"""
Room: the layout of /sys and the driver's filter, one oddity at a time.

May touch: `sysfs`, a bundled node with entries laid over it.
"""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from rbln_dra import NPU, Inventory, PCIAddress
from rbln_dra.devices import NUMANode
from rbln_dra.discovery import CODES, HostSysfs, Link, OverlaySysfs, Sysfs, Tree, bundled, tree
from rbln_dra.discovery.access import Entry
from rbln_dra.discovery.sysfs import scan
from rbln_dra.errors import DiscoveryError, UnknownProfile

REBEL100 = bundled("rebel100")
CARD = "bus/pci/devices/0000:27:00.0"
NAME = "vfio-0000-27-00-0"


def look(entries: dict[str, Entry | OSError], base: Sysfs = REBEL100) -> Inventory:
    """Scan a node with entries laid over it, and see that a tree made from the inventory gives it again."""
    inventory = scan(OverlaySysfs(base, entries), place="x", node="node")
    assert tree(inventory).scan() == inventory
    return inventory


def card(entries: dict[str, Entry | OSError]) -> Inventory:
    """Scan the Rebel100 with entries of its directory replaced."""
    return look({f"{CARD}/{name}": entry for name, entry in entries.items()})


def codes(inventory: Inventory) -> list[str]:
    """Give the codes of the diagnostics."""
    return [diagnostic.code for diagnostic in inventory.diagnostics]


EACCES = PermissionError(errno.EACCES, "no")
EIO = OSError(errno.EIO, "broken")
ENOENT = FileNotFoundError(errno.ENOENT, "gone")
ELOOP = OSError(errno.ELOOP, "loop")
GARBAGE = "\x00\ufffd\x7f" * 50
TOO_LONG = "x" * 10_000


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        pytest.param(
            {"vendor": EACCES, "uevent": "DRIVER=vfio-pci\nPCI_CLASS=120000\nPCI_ID=1EFF:2130\n"}, "unreadable", id="vendor, ours by uevent"
        ),
        pytest.param({"vendor": EIO, "modalias": "pci:v00001EFFd00002130sv0sd0bc12sc00i00\n"}, "unreadable", id="vendor, ours by modalias"),
        pytest.param({"vendor": EACCES, "uevent": EACCES, "modalias": ""}, "vendor-unknown", id="vendor, and nothing else tells"),
        pytest.param({"vendor": ENOENT}, "vendor-unknown", id="no vendor"),
        pytest.param({"vendor": TOO_LONG}, "vendor-unknown", id="a vendor of 10,000 bytes"),
        pytest.param({"vendor": ELOOP}, "link-loop", id="vendor in a loop"),
        pytest.param({"vendor": Link("vendor")}, "link-loop", id="vendor a loop"),
        pytest.param({"class": EIO}, "unreadable", id="class"),
        pytest.param({"class": ENOENT}, "unreadable", id="no class"),
        pytest.param({"class": "0x020000\n"}, "not-an-npu", id="a network function"),
        pytest.param({"class": ""}, "not-an-npu", id="an empty class"),
        pytest.param({"class": GARBAGE}, "not-an-npu", id="garbage for a class"),
        pytest.param({"class": "0x120001\n"}, "not-an-npu", id="another programming interface"),
        pytest.param({"driver": ENOENT}, "unbound", id="no driver"),
        pytest.param({"driver": ENOENT, "driver_override": "\n"}, "unbound", id="an override that is a line break"),
        pytest.param({"driver": ENOENT, "driver_override": "(null)\n"}, "unbound", id="an override that is null"),
        pytest.param({"driver": ENOENT, "driver_override": ""}, "unbound", id="an override that is empty"),
        pytest.param({"driver": ENOENT, "driver_override": "vfio-pci\n"}, "unbound-override", id="an override that was not probed"),
        pytest.param({"driver": Link("../../drivers/vfio_pci")}, "vfio-spelling", id="underscore"),
        pytest.param({"driver": Link("../../drivers/xe-vfio-pci")}, "vfio-variant", id="a variant"),
        pytest.param({"driver": Link("../../drivers/nvgrace_gpu_vfio_pci")}, "vfio-variant", id="a variant with underscores"),
        pytest.param({"driver": Link("../../drivers/rbln")}, "other-driver", id="another driver"),
        pytest.param({"driver": Link("/")}, "other-driver", id="a driver without a name"),
        pytest.param({"driver": EACCES}, "unreadable", id="driver"),
        pytest.param({"driver": "vfio-pci\n"}, "unreadable", id="a file in place of the driver"),
        pytest.param({"iommu_group": ENOENT}, "no-iommu-group", id="no group"),
        pytest.param({"iommu_group": EIO}, "unreadable", id="group"),
        pytest.param({"iommu_group": "42\n"}, "unreadable", id="a file in place of the group"),
        pytest.param({"iommu_group": Link("../groups/many")}, "odd-iommu-group", id="a group without a number"),
        pytest.param({"iommu_group": Link("../groups/4_2")}, "odd-iommu-group", id="a number as Python alone reads it"),
        pytest.param({"iommu_group": Link("../groups/٤")}, "odd-iommu-group", id="digits of another script"),
        pytest.param({"iommu_group": Link("../groups/9223372036854775808")}, "odd-iommu-group", id="a group beyond 64 bits"),
        pytest.param({"iommu_group": Link("/")}, "odd-iommu-group", id="a group without a name"),
    ],
)
def test_a_card_is_passed_over_with_its_reason(entries: dict[str, Entry | OSError], code: str) -> None:
    """The driver's filter, step by step: the card is not published, and exactly one diagnostic says why."""
    inventory = card(entries)
    assert inventory.devices == ()
    assert codes(inventory) == [code]
    assert CODES[code].effect.value == "skipped"


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param({"vendor": "0x10de\n"}, id="another vendor"),
        pytest.param({"vendor": "0x1EFF\n"}, id="another spelling, which the driver does not know"),
        pytest.param({"vendor": "1eff\n"}, id="without 0x"),
        pytest.param({"vendor": ""}, id="an empty vendor"),
        pytest.param({"vendor": GARBAGE}, id="garbage"),
        pytest.param({"vendor": EACCES, "uevent": "PCI_ID=10DE:2330\n"}, id="unreadable, another by uevent"),
        pytest.param({"vendor": EACCES, "modalias": "pci:v000010DEd00002330sv"}, id="unreadable, another by modalias"),
    ],
)
def test_a_card_of_another_vendor_is_no_news(entries: dict[str, Entry | OSError]) -> None:
    """What is not ours gives neither device nor diagnostic."""
    assert card(entries) == Inventory(node="node", pools=card(entries).pools)


@pytest.mark.parametrize("spelling", ["0x1eff\n", " 0x1eff \n", "0x1eff"])
def test_space_around_a_value_does_not_count(spelling: str) -> None:
    """The driver trims what it reads."""
    assert [device.name for device in card({"vendor": spelling}).devices] == [NAME]


@pytest.mark.parametrize(
    ("entries", "code", "absent"),
    [
        pytest.param({"device": EACCES}, "attribute-unreadable", {"pciDeviceID", "productName"}, id="device"),
        pytest.param({"device": TOO_LONG}, "attribute-unreadable", {"pciDeviceID", "productName"}, id="a device of 10,000 bytes"),
        pytest.param({"device": ""}, "odd-device-id", {"pciDeviceID", "productName"}, id="an empty device"),
        pytest.param({"device": GARBAGE}, "odd-device-id", {"pciDeviceID", "productName"}, id="garbage"),
        pytest.param({"device": "0x2fff\n"}, "no-product-name", {"productName"}, id="a device that no table has"),
        pytest.param({"device": "0x1120\n"}, "no-product-name", {"productName"}, id="a card that the driver has no name for"),
        pytest.param({"numa_node": ""}, "odd-numa-node", {"resource.kubernetes.io/numaNode", "dra.net/numaNode"}, id="an empty node"),
        pytest.param({"numa_node": "abc\n"}, "odd-numa-node", {"resource.kubernetes.io/numaNode", "dra.net/numaNode"}, id="a word"),
        pytest.param({"numa_node": "1_0\n"}, "odd-numa-node", {"resource.kubernetes.io/numaNode", "dra.net/numaNode"}, id="Python's digits"),
        pytest.param({"numa_node": "9" * 30}, "odd-numa-node", {"resource.kubernetes.io/numaNode", "dra.net/numaNode"}, id="too large"),
        pytest.param({"numa_node": "9" * 19}, "odd-numa-node", {"resource.kubernetes.io/numaNode", "dra.net/numaNode"}, id="beyond 64 bits"),
        pytest.param({"numa_node": EACCES}, "attribute-unreadable", {"resource.kubernetes.io/numaNode", "dra.net/numaNode"}, id="masked"),
        pytest.param({"numa_node": TOO_LONG}, "attribute-unreadable", {"resource.kubernetes.io/numaNode", "dra.net/numaNode"}, id="10,000 bytes"),
        pytest.param({"physfn": "0000:01:00.0\n"}, "odd-physfn", set[str](), id="physfn a file"),
        pytest.param({"physfn": EACCES}, "attribute-unreadable", set[str](), id="physfn"),
        pytest.param({"sriov_numvfs": EIO}, "attribute-unreadable", set[str](), id="sriov_numvfs"),
        pytest.param({"sriov_numvfs": "many\n"}, "odd-card-fact", set[str](), id="a word of virtual functions"),
        pytest.param({"sriov_numvfs": "-1\n"}, "odd-card-fact", set[str](), id="a negative number of virtual functions"),
    ],
)
def test_a_published_card_may_lack_something(entries: dict[str, Entry | OSError], code: str, absent: set[str]) -> None:
    """What cannot be read is absent from the device, never empty and never -1, and one diagnostic says so."""
    (whole,) = card({}).devices
    inventory = card(entries)
    (device,) = inventory.devices
    assert codes(inventory) == [code]
    assert inventory.partial
    assert set(whole.attributes) - set(device.attributes) == absent
    assert not any(attribute.value in {"", -1} for attribute in device.attributes.values() if attribute.bool_value is None)


def test_the_errno_is_in_the_message() -> None:
    """A masked file is told from an absent one."""
    (diagnostic,) = card({"numa_node": EACCES}).diagnostics
    assert str(diagnostic) == "0000:27:00.0: numa_node cannot be read (EACCES, Permission denied), so what it says is not published"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("-1\n", None, id="no affinity"),
        pytest.param("0\n", 0, id="node 0"),
        pytest.param("-2", None, id="negative"),
        pytest.param(" 1", 1, id="a space"),
        pytest.param("+3\n", 3, id="a sign"),
        pytest.param("9223372036854775807\n", 2**63 - 1, id="the largest"),
        pytest.param(ENOENT, None, id="a kernel without NUMA"),
    ],
)
def test_numa_node(text: Entry | OSError, number: int | None) -> None:
    """A number from 0 is published under both names; a negative one and no file are absent without a word."""
    inventory = card({"numa_node": text})
    (device,) = inventory.devices
    found = {
        device.attributes[key].int_value if key in device.attributes else None for key in ("resource.kubernetes.io/numaNode", "dra.net/numaNode")
    }
    assert (found, codes(inventory)) == ({number}, [])


@pytest.mark.parametrize(
    ("target", "rule", "root", "code"),
    [
        pytest.param("../../../devices/pci0000:20/0000:20:01.0/0000:27:00.0", "kubernetes", "pci0000:20", None, id="usual"),
        pytest.param("./../../../devices/pci0000:20/./0000:27:00.0", "kubernetes", "pci0000:20", None, id="not normal"),
        pytest.param("../../../devices/LNXSYSTM:00/VMBUS:00/1-2/pci0001:00/0000:27:00.0", "kubernetes", None, "no-pcie-root", id="Hyper-V"),
        pytest.param("../../../devices/LNXSYSTM:00/VMBUS:00/1-2/pci0001:00/0000:27:00.0", "driver", "pci0001:00", None, id="Hyper-V, as the driver"),
        pytest.param("../../../devices/platform/soc/pci0000:00/0000:27:00.0", "driver", "pci0000:00", None, id="a device-tree host, as the driver"),
        pytest.param("../../../devices/pci10000:00/0000:27:00.0", "kubernetes", None, "no-pcie-root", id="a root of five digits"),
        pytest.param("../../../devices/platform/0000:27:00.0", "driver", None, "no-pcie-root", id="no root at all"),
        pytest.param("../../../devices/pci0000:20/other", "kubernetes", None, "no-pcie-root", id="another name at the end"),
        pytest.param("../../../devices", "kubernetes", None, "no-pcie-root", id="no device"),
    ],
)
def test_pcie_root(target: str, rule: str, root: str | None, code: str | None) -> None:
    """The root is where the path begins; with the driver's own rule anywhere in it."""
    place = "/".join(part for part in target.split("/") if part not in {".", ".."})
    files: dict[str, Entry] = {
        "vendor": "0x1eff\n",
        "class": "0x120000\n",
        "device": "0x2130\n",
        "driver": Link("../vfio-pci"),
        "iommu_group": Link("../5"),
    }
    node = Tree({f"{place}/{name}": entry for name, entry in files.items()} | {CARD: Link(target)})
    inventory = scan(node, place="x", pcie_root="driver" if rule == "driver" else "kubernetes")
    (device,) = inventory.devices
    found = device.attributes.get("resource.kubernetes.io/pcieRoot")
    assert (found and found.string_value, codes(inventory)) == (root, [code] if code else [])
    if rule == "kubernetes":
        assert tree(inventory).scan() == inventory


def test_an_absolute_link_has_no_root(tmp_path: Path) -> None:
    """Kubernetes' helper refuses an absolute link since 1.36, and so do we; the driver's own rule takes it."""
    node = Tree({"bus/pci/devices/": "", "devices/pci0000:20/0000:27:00.0/vendor": "0x1eff\n", "devices/pci0000:20/0000:27:00.0/class": "0x120000\n"})
    node.write(tmp_path)
    (tmp_path / CARD).symlink_to(tmp_path / "devices/pci0000:20/0000:27:00.0")
    host = HostSysfs(tmp_path)
    assert [npu.pcie_root for npu in scan(host, place="x").npus] == [None]
    assert [npu.pcie_root for npu in scan(host, place="x", pcie_root="driver").npus] == ["pci0000:20"]


@pytest.mark.parametrize(
    ("link", "physfn"),
    [
        pytest.param(Link("../0000:01:00.0"), "0000:01:00.0", id="a physical function"),
        pytest.param(Link("../gone"), None, id="dangling"),
        pytest.param(Link("physfn"), None, id="a loop"),
    ],
)
def test_a_virtual_function_has_a_link_physfn(link: Link, physfn: str | None) -> None:
    """Any link counts, wherever it leads."""
    inventory = card({"physfn": link, "device": "0x2131\n"})
    (npu,) = inventory.npus
    assert (npu.vf, npu.physfn and str(npu.physfn)) == (True, physfn)
    assert inventory.devices[0].attributes["vf"].bool_value is True
    assert codes(inventory) == []


@pytest.mark.parametrize(
    ("entries", "code"),
    [
        pytest.param({"device": "0x2131\n"}, "vf-id-without-physfn", id="the id of a virtual function"),
        pytest.param({"physfn": Link("../0000:01:00.0")}, "pf-id-with-physfn", id="the id of a physical function"),
        pytest.param({"iommu_group/name": "vfio-noiommu\n"}, "noiommu", id="no IOMMU"),
    ],
)
def test_a_published_card_may_come_with_advice(entries: dict[str, Entry | OSError], code: str) -> None:
    """The card is published as the driver does, and a diagnostic says what may surprise."""
    inventory = card(entries)
    assert [device.name for device in inventory.devices] == [NAME]
    assert codes(inventory) == [code]
    assert not inventory.partial


SIBLING = "bus/pci/devices/0000:27:00.1"


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        pytest.param({}, None, id="alone"),
        pytest.param(
            {f"{SIBLING}/driver": Link("../../drivers/e1000e"), f"{SIBLING}/class": "0x040300\n", f"{SIBLING}/vendor": "0x8086\n"},
            "its IOMMU group cannot be opened while members are on other drivers: 0000:27:00.1 (e1000e)",
            id="on another driver",
        ),
        pytest.param(
            {f"{SIBLING}/driver": Link("../../drivers/pcieport"), f"{SIBLING}/class": "0x060400\n", f"{SIBLING}/vendor": "0x8086\n"},
            None,
            id="a bridge",
        ),
        pytest.param(
            {f"{SIBLING}/vendor": "0x8086\n"},
            "its IOMMU group also has 0000:27:00.1: they can only go to one virtual machine together",
            id="unbound",
        ),
        pytest.param(
            {f"{SIBLING}/vendor": "0x8086\n", f"{SIBLING}/driver": Link("x/mlx5_vfio_pci")},
            "its IOMMU group also has 0000:27:00.1: they can only go to one virtual machine together",
            id="on another VFIO driver",
        ),
        pytest.param(
            {f"{SIBLING}/vendor": "0x8086\n", f"{SIBLING}/driver": Link("x/pci-stub")},
            "its IOMMU group also has 0000:27:00.1: they can only go to one virtual machine together",
            id="on the stub",
        ),
    ],
)
def test_the_members_of_an_iommu_group(entries: dict[str, Entry | OSError], message: str | None) -> None:
    """The driver does not look at them, so the card is published; who opens the group will see."""
    members = (
        {} if message is None and not entries else {"kernel/iommu_groups/42/devices/0000:27:00.1": "x", "kernel/iommu_groups/42/devices/odd": "x"}
    )
    inventory = look({**members, **entries})
    assert [device.name for device in inventory.devices] == [NAME]
    assert [diagnostic.message for diagnostic in inventory.diagnostics] == ([] if message is None else [message])


def test_a_member_that_is_an_npu_of_the_host() -> None:
    """Two NPUs in one group, of which one serves the host: the other cannot be opened."""
    atom = bundled("atom")
    member = "bus/pci/devices/0000:23:00.1"
    inventory = look(
        {
            f"{member}/driver": Link("../../drivers/rebellions"),
            f"{member}/iommu_group": Link("../../../../kernel/iommu_groups/60"),
            "kernel/iommu_groups/60/devices/0000:23:00.1": "x",
        },
        atom,
    )
    assert [(each.address, each.code) for each in inventory.diagnostics] == [
        ("0000:23:00.0", "group-not-viable"),
        ("0000:23:00.1", "host-driver"),
        ("0000:23:00.1", "no-class-entry"),
    ]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        pytest.param("10000:e1:00.0", "wide-domain", id="VMD"),
        pytest.param("5d0505:01:00.0", "wide-domain", id="six digits"),
        pytest.param("ffffffff:00:00.0", "wide-domain", id="32 bits"),
        pytest.param("100000000:00:00.0", "not-pci-address", id="33 bits"),
        pytest.param("00000:27:00.0", "not-pci-address", id="a domain with a zero too many"),
        pytest.param("0000:27:00.8", "not-pci-address", id="function 8"),
        pytest.param("0000:27:20.0", "not-pci-address", id="slot 32"),
        pytest.param("oddity", "not-pci-address", id="a word"),
        pytest.param("odd \x01", "not-pci-address", id="a name that cannot be printed"),
        pytest.param("\udcff", "not-pci-address", id="a name that is no UTF-8"),
    ],
)
def test_a_name_that_the_driver_passes_over(name: str, code: str) -> None:
    """Only domains of four digits are published; a card elsewhere is named with its reason."""
    inventory = look({f"bus/pci/devices/{name}": Link("../../../devices/pci0000:20/0000:20:01.0/0000:27:00.0")})
    assert [device.name for device in inventory.devices] == [NAME]
    assert code in codes(inventory)
    assert all(str(diagnostic).isprintable() for diagnostic in inventory.diagnostics)


def test_a_domain_with_a_letter_is_published() -> None:
    """Domains are hexadecimal."""
    npus = tuple(
        NPU(PCIAddress.parse(name), driver="vfio-pci", iommu_group=number, pcie_root="pci000a:b0")
        for number, name in enumerate(("0000:27:00.0", "000a:b3:1f.7"))
    )
    inventory = look({}, tree(Inventory(npus=npus)))
    assert [device.name for device in inventory.devices] == [NAME, "vfio-000a-b3-1f-7"]


@pytest.mark.parametrize("name", ["0000:27:00.0", "0000:20:01.0"])
@pytest.mark.parametrize(("entry", "code"), [(ENOENT, "vanished"), (Link("0000:27:00.9"), "vendor-unknown"), (ELOOP, "link-loop")])
def test_an_entry_that_vanishes_stops_nothing(name: str, entry: Entry | OSError, code: str) -> None:
    """An entry that is listed and then gone, or leads nowhere, is one diagnostic; the others are scanned."""
    inventory = look({f"bus/pci/devices/{name}": entry})
    assert codes(inventory) == [code]
    assert len(inventory.devices) == (0 if name == "0000:27:00.0" else 1)


class Vanishing:
    """A sysfs of which one entry goes away after some reads of it."""

    def __init__(self, base: Sysfs, name: str, reads: int) -> None:
        self.base, self.path, self.reads = base, f"bus/pci/devices/{name}", reads

    def check(self, path: str) -> None:
        """Count a read, or fail."""
        if path.startswith(self.path):
            if self.reads == 0:
                raise FileNotFoundError(errno.ENOENT, "gone", path)
            self.reads -= 1

    def read_text(self, path: str, /) -> str:
        """Read a file while it is there."""
        self.check(path)
        return self.base.read_text(path)

    def read_link(self, path: str, /) -> str:
        """Read a link while it is there."""
        self.check(path)
        return self.base.read_link(path)

    def list_dir(self, path: str, /) -> tuple[str, ...]:
        """List a directory while it is there."""
        self.check(path)
        return self.base.list_dir(path)


@pytest.mark.parametrize("reads", range(12))
def test_a_card_may_vanish_at_any_time(reads: int) -> None:
    """Whenever it goes, the scan goes on, and the other cards are as they are."""
    atom = bundled("atom")
    whole = scan(atom, place="x", node="n")
    inventory = scan(Vanishing(atom, "0000:23:00.1", reads), place="x", node="n")
    others = [device for device in inventory.devices if device.name != "vfio-0000-23-00-1"]
    assert others == [device for device in whole.devices if device.name != "vfio-0000-23-00-1"]
    assert {diagnostic.address for diagnostic in inventory.diagnostics} <= {"0000:23:00.1"}
    if reads < 3:
        assert codes(inventory) == ["vanished"]


def test_no_value_of_one_card_is_borrowed_by_the_next() -> None:
    """A card with missing files lacks them, even after a card that has them."""
    gone: dict[str, Entry | OSError] = {f"bus/pci/devices/0000:23:00.1/{name}": ENOENT for name in ("device", "numa_node")}
    inventory = look(gone, bundled("atom"))
    assert [(npu.pci_device_id, npu.numa_node) for npu in inventory.npus[:3]] == [("1250", 0), (None, None), ("1250", 0)]


def test_links_that_lead_back_do_not_hold_a_scan() -> None:
    """Nothing is walked: links to the bus, to the card itself and to each other are never followed."""
    inventory = card({"subsystem": Link("../../../../bus/pci"), "self": Link("."), "firmware_node": Link("../../..")})
    assert [device.name for device in inventory.devices] == [NAME]


def test_another_vendors_version_file_is_not_ours() -> None:
    """Facts come from the card's own directory."""
    inventory = look({"bus/pci/devices/0000:01:00.0/vendor": "0x10de\n", "bus/pci/devices/0000:01:00.0/version": "580.159.04\n"})
    assert [npu.kernel_version for npu in inventory.npus] == [None]


HOST = bundled("sriov")
CLASS = "class/rebellions"


def test_a_card_of_the_host_has_its_facts_and_its_device() -> None:
    """What the driver `rebellions` says is on the NPU; its container device comes first, the rest in order."""
    inventory = look({}, HOST)
    npu = inventory.npus[0]
    assert (npu.rbln, npu.card_name, npu.kernel_version, npu.status) == ("rbln0", "RBLN-CR13", "3.5.1", 0)
    assert (npu.sriov_numvfs, npu.sriov_totalvfs) == (2, 4)
    assert [device.name for device in inventory.devices] == ["rbln0", "vfio-0000-01-00-1", "vfio-0000-01-00-2"]
    assert {name: attribute.value for name, attribute in inventory.devices[0].attributes.items()} == {
        "type": "npu",
        "productName": "RBLN-CR13",
        "pciDeviceID": "2130",
        "resource.kubernetes.io/pciBusID": "0000:01:00.0",
        "driverVersion": "3.5.1",
        "resource.kubernetes.io/pcieRoot": "pci0000:00",
        "resource.kubernetes.io/numaNode": 0,
        "dra.net/numaNode": 0,
    }
    assert codes(inventory) == ["host-driver"]


@pytest.mark.parametrize(
    ("entries", "code", "facts"),
    [
        pytest.param({"rbln0/card_name": ENOENT}, None, (None, "3.5.1", 0), id="an older driver"),
        pytest.param({"rbln0/card_name": EACCES}, "attribute-unreadable", (None, "3.5.1", 0), id="masked"),
        pytest.param({"rbln0/card_name": GARBAGE}, "odd-card-fact", (None, "3.5.1", 0), id="garbage"),
        pytest.param({"rbln0/card_name": "x" * 65}, "odd-card-fact", (None, "3.5.1", 0), id="a name that no attribute holds"),
        pytest.param({"rbln0/kernel_version": ""}, "odd-card-fact", ("RBLN-CR13", None, 0), id="an empty version"),
        pytest.param({"rbln0/status": "READY\n"}, "odd-card-fact", ("RBLN-CR13", "3.5.1", None), id="a word as status"),
        pytest.param({"rbln0/device": ENOENT}, None, ("RBLN-CR13", "3.5.1", 0), id="found by the entry's own link"),
    ],
)
def test_the_files_of_a_class_entry(entries: dict[str, Entry | OSError], code: str | None, facts: tuple[str | None, str | None, int | None]) -> None:
    """Each file may be absent, and what cannot be used is absent too."""
    inventory = look({f"{CLASS}/{name}": entry for name, entry in entries.items()}, HOST)
    npu = inventory.npus[0]
    assert (npu.card_name, npu.kernel_version, npu.status) == facts
    assert codes(inventory) == ["host-driver", *([code] if code else [])]
    assert inventory.devices[0].name == "rbln0"


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        pytest.param({CLASS: ENOENT}, ["host-driver", "no-class-entry"], id="no class"),
        pytest.param({CLASS: EACCES}, ["host-driver", "attribute-unreadable", "no-class-entry"], id="a class that cannot be listed"),
        pytest.param({f"{CLASS}/rbln0": Link("nowhere")}, ["host-driver", "no-class-entry"], id="an entry of no card"),
        pytest.param({f"{CLASS}/rbln0": EACCES}, ["host-driver", "no-class-entry"], id="an entry that cannot be read"),
    ],
)
def test_a_card_of_the_host_without_a_class_entry_is_not_published(entries: dict[str, Entry | OSError], found: list[str]) -> None:
    """Without a device node there is no name, and so no container device."""
    inventory = look(entries, HOST)
    assert [device.name for device in inventory.devices] == ["vfio-0000-01-00-1", "vfio-0000-01-00-2"]
    assert codes(inventory) == found


def test_container_devices_are_ordered_by_number() -> None:
    """rbln2 comes before rbln10; what else is in the class is not a card."""
    npus = tuple(
        NPU(PCIAddress(0, 0x20 + index, 0, 0), pci_device_id="1250", driver="rebellions", pcie_root="pci0000:20", rbln=f"rbln{number}")
        for index, number in enumerate((10, 2, 0))
    )
    node = tree(Inventory(npus=npus))
    inventory = look({f"{CLASS}/rsd0/status": "0\n", f"{CLASS}/rbln007": Link("x")}, node)
    assert [device.name for device in inventory.devices] == ["rbln0", "rbln2", "rbln10"]
    assert inventory.npus == npus


@pytest.mark.parametrize(
    ("entries", "reason", "hint"),
    [
        pytest.param({}, "no bus/pci/devices there (ENOENT, No such file or directory)", "give the directory that is /sys", id="nothing"),
        pytest.param({"bus/pci/devices": "x"}, "no bus/pci/devices there (ENOTDIR, Not a directory)", None, id="a file"),
        pytest.param({"bus/pci/devices": EACCES}, "bus/pci/devices cannot be listed (EACCES, Permission denied)", None, id="masked"),
    ],
)
def test_a_missing_sysfs_is_one_clear_error(entries: dict[str, Entry], reason: str, hint: str | None) -> None:
    """Not an empty inventory: nothing was looked at."""
    with pytest.raises(DiscoveryError) as caught:
        scan(Tree(entries), place="/host/sys")
    assert caught.value == DiscoveryError("/host/sys", reason, hint)


def test_an_empty_host_has_an_empty_pool() -> None:
    """No card is no error."""
    inventory = look({}, Tree({"bus/pci/devices/": ""}))
    assert (inventory.devices, inventory.npus, inventory.diagnostics, len(inventory.pools)) == ((), (), (), 1)


def test_an_old_driver_generation_publishes_less() -> None:
    """The profile decides what comes out; an unknown one is an error."""
    inventory = scan(REBEL100, place="x", profile="4051b26", driver="other.example.com")
    (device,) = inventory.devices
    assert (device.driver, inventory.pools[0].driver) == ("other.example.com", "other.example.com")
    assert codes(inventory) == ["no-product-name"]
    with pytest.raises(UnknownProfile):
        scan(REBEL100, place="x", profile="never")


def test_four_thousand_cards() -> None:
    """A host with every slot of sixteen buses taken is scanned like any other."""
    npus = tuple(
        NPU(
            PCIAddress(0, bus, slot, function),
            pci_device_id="1250",
            driver="vfio-pci",
            iommu_group=(bus * 32 + slot) * 8 + function,
            pcie_root="pci0000:00",
        )
        for bus in range(16)
        for slot in range(32)
        for function in range(8)
    )
    inventory = tree(Inventory(npus=npus)).scan()
    assert inventory.npus == npus
    assert len(inventory.devices) == 4096


NODES = "devices/system/node"


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        pytest.param({}, (), id="a kernel without NUMA"),
        pytest.param({NODES: EACCES}, (), id="they cannot be listed"),
        pytest.param({"node0/uevent": ""}, (NUMANode(0),), id="a node that says nothing"),
        pytest.param({"node0/cpulist": "0-3,8\n", "node0/distance": "10\n"}, (NUMANode(0, "0-3,8", (10,)),), id="a node that says all"),
        pytest.param({"node0/cpulist": "0\n", "node0/distance": "10 20\n"}, (NUMANode(0, "0"),), id="a distance too many"),
        pytest.param({"node0/cpulist": GARBAGE, "node0/distance": "10 far\n"}, (NUMANode(0),), id="garbage"),
        pytest.param({"node0/uevent": "", "node0/cpulist": EIO, "node0/distance": EIO}, (NUMANode(0),), id="reads that fail"),
        pytest.param(
            {"node10/distance": "21 10\n", "node2/distance": "10 21\n", "online": "2,10\n", "node01/x": "", "nodes/x": ""},
            (NUMANode(2, None, (10, 21)), NUMANode(10, None, (21, 10))),
            id="in the order of their numbers",
        ),
    ],
)
def test_numa_nodes(entries: dict[str, Entry | OSError], expected: tuple[NUMANode, ...]) -> None:
    """What the host says about its NUMA nodes; what is odd there is not taken, and the cards do not suffer."""
    inventory = look({path if path == NODES else f"{NODES}/{path}": entry for path, entry in entries.items()})
    assert inventory.numa_nodes == expected
    assert (len(inventory.devices), inventory.diagnostics) == (1, ())
