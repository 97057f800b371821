"""
Room: a node as a tree, and what people asked of it.

May touch: `topology`, bundled nodes with entries laid over them.
"""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from rbln_dra import NPU, PCIAddress, Selector
from rbln_dra.devices import NUMANode, publish
from rbln_dra.discovery import OverlaySysfs, bundled
from rbln_dra.discovery.sysfs import scan
from rbln_dra.errors import InvalidValue
from rbln_dra.topology import Topology, common_ancestor, path

NODES = "devices/system/node"


def npu(address: str, *bridges: str, root: str | None = "pci0000:20") -> NPU:
    """Make a Rebel100 below some bridges."""
    above = tuple(map(PCIAddress.parse, bridges))
    return NPU(PCIAddress.parse(address), pci_device_id="2130", driver="vfio-pci", iommu_group=1, numa_node=0, pcie_root=root, bridges=above)


#: Two behind one switch (its upstream port is 21:00.0), and a third on the same root complex.
SWITCH = ("0000:20:01.0", "0000:21:00.0")
NEAR = (npu("0000:23:00.0", *SWITCH, "0000:22:00.0"), npu("0000:24:00.0", *SWITCH, "0000:22:01.0"))
FAR = npu("0000:27:00.0", "0000:20:03.0")


def test_b40_the_way_to_an_npu_has_the_bridges() -> None:
    """Roots are too coarse for people who ask for NPUs behind one switch; the bridges tell them apart."""
    assert path(NEAR[0]) == ("pci0000:20", "0000:20:01.0", "0000:21:00.0", "0000:22:00.0")
    assert common_ancestor(*NEAR) == "0000:21:00.0"
    assert common_ancestor(*NEAR, FAR) == "pci0000:20"


def test_b40_selectors_see_the_root_alone() -> None:
    """What is published of the three differs in nothing but the address."""
    devices = [attrs.evolve(found, name="npu") for each in (*NEAR, FAR) if (found := publish(each, pool="node")) is not None]
    without_address = [
        {name: value for name, value in device.attributes.items() if not name.endswith("pciBusID")}
        for device in devices
    ]  # fmt: skip
    assert len(devices) == 3
    assert without_address[0] == without_address[1] == without_address[2]
    root = Selector('device.attributes["resource.kubernetes.io"].pcieRoot == "pci0000:20"')
    assert len(root.select(devices)) == 3


def test_b40_the_tree() -> None:
    """The text shows roots, bridges and NPUs."""
    rootless = npu("0000:01:00.0", root=None)
    unknown = NPU(PCIAddress.parse("0000:02:00.0"))
    assert (
        str(Topology((*NEAR, FAR, rootless, unknown)))
        == "pci0000:20\n├─ 0000:20:01.0\n│  └─ 0000:21:00.0\n│     ├─ 0000:22:00.0\n│     │  └─ 0000:23:00.0  RBLN-CR13, NUMA node 0\n│     └─ 0000:22:01.0\n│        └─ 0000:24:00.0  RBLN-CR13, NUMA node 0\n└─ 0000:20:03.0\n   └─ 0000:27:00.0  RBLN-CR13, NUMA node 0\nno PCIe root\n├─ 0000:01:00.0  RBLN-CR13, NUMA node 0\n└─ 0000:02:00.0"
    )
    assert not str(Topology(()))


@pytest.mark.parametrize(
    ("npus", "ancestor"),
    [
        pytest.param([NEAR[0]], "0000:22:00.0", id="one: the bridge above it"),
        pytest.param([NEAR[0], NEAR[0]], "0000:22:00.0", id="one twice"),
        pytest.param([NEAR[0], npu("0000:b3:00.0", root="pci0000:b0")], None, id="two roots"),
        pytest.param([NEAR[0], npu("0000:b3:00.0", root=None)], None, id="one root is not known"),
        pytest.param([npu("0000:20:00.0"), npu("0000:20:02.0")], "pci0000:20", id="on the root complex itself"),
    ],
)
def test_common_ancestors(npus: list[NPU], ancestor: str | None) -> None:
    """The nearest thing above all of them."""
    assert common_ancestor(*npus) == ancestor


def test_b38_a_numa_node_that_is_memory_alone() -> None:
    """We report what sysfs says, warn, and say which NUMA node has the nearest CPUs."""
    distances = {0: "10 40 80", 1: "40 10 120", 4: "80 120 10"}
    entries = {f"{NODES}/node{number}/distance": f"{row}\n" for number, row in distances.items()}
    entries |= {f"{NODES}/node0/cpulist": "0-71\n", f"{NODES}/node1/cpulist": "72-143\n", f"{NODES}/node4/cpulist": "\n"}
    inventory = scan(OverlaySysfs(bundled("rebel100"), {**entries, "bus/pci/devices/0000:27:00.0/numa_node": "4\n"}), place="x")
    assert inventory.devices[0].attributes["resource.kubernetes.io/numaNode"].value == 4
    assert [(each.address, each.code, each.found) for each in inventory.diagnostics] == [("0000:27:00.0", "numa-node-without-cpus", "4")]
    assert "NUMA node 4 has no CPUs" in str(inventory.diagnostics[0])
    topology = Topology(inventory.npus, inventory.numa_nodes)
    assert topology.same_socket(4) == (4,)
    assert topology.nearest_with_cpus(4) == 0
    assert topology.nearest_with_cpus(1) == 1


def test_b38_a_socket_of_several_numa_nodes() -> None:
    """With NPS4 the four nodes of a socket are nearer to each other than a remote one is."""
    rows = [tuple(10 if other == node else 12 if other // 4 == node // 4 else 32 for other in range(8)) for node in range(8)]
    topology = Topology((), [NUMANode(number, f"{number * 8}-{number * 8 + 7}", row) for number, row in enumerate(rows)])
    assert topology.same_socket(1) == (0, 1, 2, 3)
    assert topology.same_socket(7) == (4, 5, 6, 7)


@pytest.mark.parametrize("row", [(), (10,), (10, 12, 12)], ids=["none", "too few", "too many"])
def test_without_its_distances_a_node_is_alone(row: tuple[int, ...]) -> None:
    """A row that has not a number for each node says nothing."""
    topology = Topology((), [NUMANode(0, "0-7", row), NUMANode(1, "", row)])
    assert topology.same_socket(0) == (0,)
    assert (topology.nearest_with_cpus(0), topology.nearest_with_cpus(1)) == (0, None)


def test_what_a_topology_does_not_take() -> None:
    """A value of another kind, and a number that no NUMA node has, are named."""
    wrong: Any = 1
    with pytest.raises(InvalidValue, match=r"an NPU such as .* got 1"):
        path(wrong)
    with pytest.raises(InvalidValue, match=r"an NPU such as .* got 1"):
        Topology([wrong])
    with pytest.raises(InvalidValue, match=r"a sequence of NPUs, got 1"):
        Topology(wrong)
    with pytest.raises(InvalidValue, match=r"one of `Inventory.numa_nodes`.* got 1"):
        Topology((), [wrong])
    with pytest.raises(InvalidValue, match=r"this host \(0, 2\), got 1"):
        Topology((), [NUMANode(0), NUMANode(2)]).same_socket(1)
    with pytest.raises(InvalidValue, match=r"this host \(none is known\), got 0"):
        Topology(()).nearest_with_cpus(0)
