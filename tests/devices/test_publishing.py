"""What the driver publishes for an NPU, by every generation."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from rbln_dra.devices import NPU, PROFILES, publish
from rbln_dra.errors import UnknownProfile
from rbln_dra.pci import PCIAddress

#: The documentation's node.
REBEL100 = NPU(
    PCIAddress.parse("0000:27:00.0"),
    pci_device_id="2130",
    driver="vfio-pci",
    iommu_group=42,
    numa_node=0,
    pcie_root="pci0000:20",
    bridges=(PCIAddress.parse("0000:20:01.1"),),
)
#: A card in container mode, with all that sysfs and rbln-smi say.
CONTAINER = NPU(
    PCIAddress.parse("0000:01:00.0"),
    pci_device_id="1250",
    driver="rebellions",
    iommu_group=7,
    numa_node=1,
    pcie_root="pci0000:00",
    bridges=(PCIAddress.parse("0000:00:01.0"), PCIAddress.parse("0000:00:02.0")),
    rbln="rbln0",
    card_name="RBLN-CA25",
    kernel_version="3.4.0",
    sid="s1",
    uuid="u1",
    firmware_version="1.0.0",
    link_speed="16GT/s",
    link_width="x16",
    memory=16_877_882_368,
)


def wire(npu: NPU, **options: Any) -> dict[str, Any]:
    """Publish, and give the attributes as the slice has them, each by its only value."""
    device = publish(npu, **options)
    assert device is not None
    return {name: attribute.value for name, attribute in device.attributes.items()}


def test_documented_node() -> None:
    """The Rebel100 node publishes the documentation's table: names, values and order."""
    device = publish(REBEL100, pool="node-rebel100")
    assert device is not None
    assert (device.name, device.driver, device.pool) == ("vfio-0000-27-00-0", "npu.rebellions.ai", "node-rebel100")
    assert list(wire(REBEL100).items()) == [
        ("type", "vfio"),
        ("iommuGroup", 42),
        ("pciDeviceID", "2130"),
        ("productName", "RBLN-CR13"),
        ("vf", False),
        ("resource.kubernetes.io/pciBusID", "0000:27:00.0"),
        ("resource.kubernetes.io/pcieRoot", "pci0000:20"),
        ("resource.kubernetes.io/numaNode", 0),
        ("dra.net/numaNode", 0),
    ]
    assert device.to_dict()["attributes"]["vf"] == {"bool": False}
    assert not device.capacity


@pytest.mark.parametrize(
    ("pci_device_id", "name"),
    [
        ("2130", "RBLN-CR13"),
        ("2131", "RBLN-CR13"),
        ("1220", "RBLN-CA22"),
        ("1221", "RBLN-CA22"),
        ("1250", "RBLN-CA25"),
        ("1251", "RBLN-CA25"),
        ("1120", None),
        ("2030", None),
        ("ffff", None),
    ],
)
def test_product_name(pci_device_id: str, name: str | None) -> None:
    """Passthrough devices of the documented cards have their product name, others have none and are published all the same."""
    assert wire(attrs.evolve(REBEL100, pci_device_id=pci_device_id)).get("productName") == name


@pytest.mark.parametrize("profile", ["4051b26", "26adea5", "5397ed8"])
def test_product_name_of_older_drivers(profile: str) -> None:
    """The drivers that were read have no name for 2130, and publish the device without one."""
    assert "productName" not in wire(REBEL100, profile=profile)
    assert wire(attrs.evolve(REBEL100, pci_device_id="1251"), profile=profile)["productName"] == "RBLN-CA25"


def test_unknown_is_absent() -> None:
    """What is unknown of the card is not published; nothing stands in its place."""
    assert wire(NPU(PCIAddress.parse("0000:27:00.0"), driver="vfio-pci", iommu_group=0)) == {
        "type": "vfio",
        "iommuGroup": 0,
        "vf": False,
        "resource.kubernetes.io/pciBusID": "0000:27:00.0",
    }


@pytest.mark.parametrize(("pci_device_id", "vf"), [("1251", False), ("1250", True)])
def test_vf_is_told_by_physfn(pci_device_id: str, vf: bool) -> None:
    """Whether it is a virtual function is told by sysfs, never by the id."""
    assert wire(attrs.evolve(REBEL100, pci_device_id=pci_device_id, vf=vf))["vf"] is vf


@pytest.mark.parametrize(
    "changes",
    [
        {"driver": None},
        {"driver": "vfio_pci"},
        {"driver": "nvgrace-gpu-vfio-pci"},
        {"driver": "rebellions"},
        {"iommu_group": None},
        {"address": PCIAddress.parse("10000:e1:00.0")},
    ],
    ids=str,
)
def test_not_published(changes: dict[str, Any]) -> None:
    """A card that is not bound to vfio-pci, has no IOMMU group, or sits in a domain of more than four digits is not published."""
    assert publish(attrs.evolve(REBEL100, **changes)) is None


@pytest.mark.parametrize(
    ("domain", "profile", "published"),
    [("000a", "4051b26", False), ("000a", "26adea5", True), ("0010", "4051b26", True), ("ffff", None, True)],
    ids=str,
)
def test_domains(domain: str, profile: str | None, published: bool) -> None:
    """The first driver with passthrough skips PCI domains with a letter."""
    npu = attrs.evolve(REBEL100, address=PCIAddress.parse(f"{domain}:27:00.0"))
    assert (publish(npu, profile=profile) is not None) is published


def test_container_device() -> None:
    """A card in container mode is published under its device node's name, with its memory."""
    device = publish(CONTAINER, pool="node")
    assert device is not None
    assert device.name == "rbln0"
    assert list(wire(CONTAINER).items()) == [
        ("type", "npu"),
        ("productName", "RBLN-CA25"),
        ("sid", "s1"),
        ("uuid", "u1"),
        ("pciDeviceID", "1250"),
        ("resource.kubernetes.io/pciBusID", "0000:01:00.0"),
        ("pciLinkSpeed", "16GT/s"),
        ("pciLinkWidth", "x16"),
        ("firmwareVersion", "1.0.0"),
        ("driverVersion", "3.4.0"),
        ("resource.kubernetes.io/pcieRoot", "pci0000:00"),
        ("resource.kubernetes.io/numaNode", 1),
        ("dra.net/numaNode", 1),
    ]
    assert device.to_dict()["attributes"]["driverVersion"] == {"string": "3.4.0"}
    assert device.to_dict()["capacity"] == {"memory": {"value": "16482307Ki"}}


def test_container_device_of_few_facts() -> None:
    """From sysfs alone come the node, the ids and the card name; the table helps with the name; an unknown node means no device."""
    npu = NPU(PCIAddress.parse("0000:01:00.0"), pci_device_id="2030", driver="rebellions", rbln="rbln16")
    device = publish(npu)
    assert device is not None
    assert (device.name, dict(device.capacity)) == ("rbln16", {})
    assert wire(npu) == {"type": "npu", "productName": "RBLN-CR03", "pciDeviceID": "2030", "resource.kubernetes.io/pciBusID": "0000:01:00.0"}
    assert "productName" not in wire(attrs.evolve(npu, pci_device_id=None))
    assert publish(attrs.evolve(npu, rbln=None)) is None


@pytest.mark.parametrize(
    ("memory", "value"),
    [(None, None), (0, None), (1, "1"), (1 << 10, "1Ki"), (3 << 20, "3Mi"), (140 << 30, "140Gi"), (5 << 60, "5Ei"), (1025, "1025")],
)
def test_memory(memory: int | None, value: str | None) -> None:
    """Memory is a capacity in its shortest binary form, and no capacity when it is unknown or nothing."""
    device = publish(attrs.evolve(CONTAINER, memory=memory))
    assert device is not None
    assert device.to_dict().get("capacity") == (None if value is None else {"memory": {"value": value}})


#: Bus id, root and NUMA attributes of a container device with facts, and of one without.
CONTAINER_HISTORY = [
    ("060937e", {"pciBusID": "0000:01:00.0", "numaNode": 1}, {"pciBusID": "0000:01:00.0", "numaNode": -1}),
    (
        "b5e360f",
        {"resource.kubernetes.io/pciBusID": "0000:01:00.0", "resource.kubernetes.io/pcieRoot": "0000:00:01.0", "numaNode": 1},
        {"resource.kubernetes.io/pciBusID": "0000:01:00.0", "resource.kubernetes.io/pcieRoot": "", "numaNode": -1},
    ),
    (
        "744f5ba",
        {
            "resource.kubernetes.io/pciBusID": "0000:01:00.0",
            "resource.kubernetes.io/pcieRoot": "0000:00:01.0",
            "resource.kubernetes.io/numaNode": 1,
        },
        {"resource.kubernetes.io/pciBusID": "0000:01:00.0", "resource.kubernetes.io/pcieRoot": "", "resource.kubernetes.io/numaNode": -1},
    ),
    (
        "4051b26",
        {
            "resource.kubernetes.io/pciBusID": "0000:01:00.0",
            "resource.kubernetes.io/pcieRoot": "0000:00:01.0",
            "resource.kubernetes.io/numaNode": 1,
        },
        {"resource.kubernetes.io/pciBusID": "0000:01:00.0", "resource.kubernetes.io/numaNode": -1},
    ),
    (
        "26adea5",
        {
            "resource.kubernetes.io/pciBusID": "0000:01:00.0",
            "resource.kubernetes.io/pcieRoot": "pci0000:00",
            "resource.kubernetes.io/numaNode": 1,
            "dra.net/numaNode": 1,
        },
        {"resource.kubernetes.io/pciBusID": "0000:01:00.0", "resource.kubernetes.io/numaNode": -1, "dra.net/numaNode": -1},
    ),
    (
        "5397ed8",
        {
            "resource.kubernetes.io/pciBusID": "0000:01:00.0",
            "resource.kubernetes.io/pcieRoot": "pci0000:00",
            "resource.kubernetes.io/numaNode": 1,
            "dra.net/numaNode": 1,
        },
        {"resource.kubernetes.io/pciBusID": "0000:01:00.0"},
    ),
]


@pytest.mark.parametrize(("profile", "known", "unknown"), CONTAINER_HISTORY, ids=[row[0] for row in CONTAINER_HISTORY])
def test_container_history(profile: str, known: dict[str, Any], unknown: dict[str, Any]) -> None:
    """Each generation names and forms bus id, root and NUMA node in its own way, and an unknown one too."""
    topology = {"pciBusID", "pcieRoot", "numaNode"}
    for npu, expected in ((CONTAINER, known), (attrs.evolve(CONTAINER, numa_node=None, pcie_root=None, bridges=()), unknown)):
        published = wire(npu, profile=profile)
        assert {name: value for name, value in published.items() if name.rpartition("/")[2] in topology} == expected


@pytest.mark.parametrize("profile", [row.name for row in PROFILES if not row.passthrough])
def test_no_passthrough(profile: str) -> None:
    """Drivers before 4051b26 know no passthrough device."""
    assert publish(REBEL100, profile=profile) is None


def test_root_port() -> None:
    """4051b26 publishes the root port's address; of a device that is on the root bus itself, the device's own."""
    assert wire(REBEL100, profile="4051b26")["resource.kubernetes.io/pcieRoot"] == "0000:20:01.1"
    assert wire(attrs.evolve(REBEL100, bridges=()), profile="4051b26")["resource.kubernetes.io/pcieRoot"] == "0000:27:00.0"
    assert "dra.net/numaNode" not in wire(REBEL100, profile="4051b26")


def test_negative_numa_is_never_published_for_passthrough() -> None:
    """A passthrough device with an unknown NUMA node has none, by every generation."""
    npu = attrs.evolve(REBEL100, numa_node=None)
    for row in PROFILES:
        if row.passthrough:
            assert not {name for name in wire(npu, profile=row) if "numaNode" in name}


def test_other_driver_name() -> None:
    """A driver that is installed under another name publishes under it."""
    device = publish(REBEL100, driver="npu.example.com")
    assert device is not None
    assert device.driver == "npu.example.com"


def test_unknown_profile() -> None:
    """A generation that does not exist is refused."""
    with pytest.raises(UnknownProfile):
        publish(REBEL100, profile="0.0.1")
