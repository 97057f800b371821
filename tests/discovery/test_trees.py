"""
Room: nodes as values, and the bundled ones.

May touch: `trees`, temporary folders.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rbln_dra import NPU, Inventory, PCIAddress
from rbln_dra.discovery import Diagnostic, Fault, HostSysfs, Link, Tree, TreeBackend, bundled, bundled_names, discover, tree
from rbln_dra.discovery.sysfs import scan
from rbln_dra.errors import DiscoveryError

NAMES = ["atom", "ca22", "mixed", "rebel100", "sriov"]


def test_the_bundled_nodes() -> None:
    """These five are package data."""
    assert list(bundled_names()) == NAMES


def test_the_rebel100_has_exactly_the_documented_attributes() -> None:
    """The example column of the documentation's attribute table, and nothing else."""
    (device,) = discover(TreeBackend("rebel100")).devices
    assert device.to_dict() == {
        "name": "vfio-0000-27-00-0",
        "attributes": {
            "type": {"string": "vfio"},
            "iommuGroup": {"int": 42},
            "pciDeviceID": {"string": "2130"},
            "productName": {"string": "RBLN-CR13"},
            "vf": {"bool": False},
            "resource.kubernetes.io/pciBusID": {"string": "0000:27:00.0"},
            "resource.kubernetes.io/pcieRoot": {"string": "pci0000:20"},
            "resource.kubernetes.io/numaNode": {"int": 0},
            "dra.net/numaNode": {"int": 0},
        },
    }


@pytest.mark.parametrize(
    ("name", "pool", "count", "first", "products"),
    [
        ("rebel100", "node-rebel100", 1, "vfio-0000-27-00-0", {"RBLN-CR13"}),
        ("atom", "node-atom", 16, "vfio-0000-23-00-0", {"RBLN-CA25"}),
        ("ca22", "node-ca22", 8, "vfio-0000-13-00-0", {"RBLN-CA22"}),
        ("sriov", "node-sriov", 3, "rbln0", {"RBLN-CR13"}),
    ],
)
def test_a_bundled_node_publishes(name: str, pool: str, count: int, first: str, products: set[str]) -> None:
    """Pool, number of devices, first device: the documentation's line, and our other nodes'."""
    inventory = discover(TreeBackend(name))
    assert [(each.name, each.node) for each in inventory.pools] == [(pool, pool)]
    assert (inventory.node, len(inventory.devices), inventory.devices[0].name) == (pool, count, first)
    assert {device.pool for device in inventory.devices} == {pool}
    assert {device.attributes["productName"].string_value for device in inventory.devices} == products
    assert not inventory.partial


@pytest.mark.parametrize(("name", "bridge", "each"), [("atom", 2, 4), ("ca22", 1, 4)])
def test_cards_stand_as_the_device_plugin_expects(name: str, bridge: int, each: int) -> None:
    """Four NPUs share the bridge by which the device plugin groups them."""
    npus = discover(TreeBackend(name)).npus
    shared = [npu.bridges[bridge] for npu in npus]
    assert {shared.count(address) for address in shared} == {each}


def test_every_bundled_tree_says_what_is_synthetic() -> None:
    """An address that the documentation does not give is ours, and the file says so."""
    for name in NAMES:
        text = (Path(__file__).parents[2] / "rbln_dra/discovery/trees" / f"{name}.tree").read_text(encoding="utf-8")
        assert "# Synthetic: " in text
    assert "four RBLN-CA25 cards of four NPUs each is our reading" in (Path(__file__).parents[2] / "rbln_dra/discovery/trees/atom.tree").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_tree_survives_its_text(name: str) -> None:
    """Text and value are the same tree."""
    node = bundled(name)
    assert Tree.parse(str(node)) == node


@pytest.mark.parametrize("name", NAMES)
def test_an_inventory_can_be_turned_back_into_a_tree(name: str) -> None:
    """A scan of the tree made from an inventory gives that inventory."""
    inventory = discover(bundled(name))
    assert discover(tree(inventory)) == inventory


@pytest.mark.parametrize("name", ["atom", "ca22", "rebel100", "sriov"])
def test_a_tree_can_be_written_as_a_folder(tmp_path: Path, name: str) -> None:
    """A folder of the shape of /sys gives the same inventory, by the code that reads a host."""
    node = bundled(name)
    node.write(tmp_path / "sys")
    assert scan(HostSysfs(tmp_path / "sys"), place="x", node=node.node) == discover(node)


def test_a_folder_keeps_empty_directories(tmp_path: Path) -> None:
    """An empty directory is there on the disk too."""
    Tree({"bus/pci/devices/": ""}).write(tmp_path)
    assert HostSysfs(tmp_path).list_dir("bus/pci/devices") == ()


@pytest.mark.parametrize(
    ("entries", "place", "reason"),
    [
        pytest.param({"x": Fault.parse("EIO")}, "new", "a folder cannot show that x fails to be read", id="a fault"),
        pytest.param({"x": "1"}, ".", "there is something in that folder already", id="a folder in use"),
        pytest.param({"x": "1"}, "file", "cannot be written: File exists", id="a file"),
        pytest.param({"a\0b": "1"}, "new", "cannot be written: embedded null byte", id="a name that no disk has"),
    ],
)
def test_a_folder_that_cannot_be_written(tmp_path: Path, entries: dict[str, str | Fault], place: str, reason: str) -> None:
    """What keeps a tree from becoming a folder is one error."""
    (tmp_path / "file").touch()
    with pytest.raises(DiscoveryError) as caught:
        Tree(entries).write(tmp_path / place)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("name", "hint"),
    [("atm", "did you mean atom?"), ("rebel", "did you mean rebel100?"), ("zzz", "a folder or file is given as a path, such as ./node")],
)
def test_an_unknown_name_has_a_hint(name: str, hint: str) -> None:
    """A near name is offered, or the way to name a folder."""
    with pytest.raises(DiscoveryError) as caught:
        bundled(name)
    assert caught.value.hint == hint
    assert "atom, ca22, mixed, rebel100, sriov" in str(caught.value)


def test_an_npu_that_no_sysfs_gave_becomes_a_tree() -> None:
    """An inventory put together by hand can be turned into a node, too."""
    npus = (
        NPU(PCIAddress.parse("0000:01:00.0"), driver="", vf=True, iommu_group=3),
        NPU(PCIAddress.parse("0000:01:00.1"), driver="..", iommu_group=3, numa_node=1),
    )
    found = discover(tree(Inventory(npus=npus, diagnostics=(Diagnostic("0000:01:00.1", "no-pcie-root", found=Link("./../devices/x/0000:01:00.1")),))))
    assert [(npu.driver, npu.vf, npu.iommu_group, npu.numa_node) for npu in found.npus] == [("", True, 3, None), ("..", False, 3, 1)]
