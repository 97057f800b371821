"""
Room: backends, and those of other packages.

May touch: `backends`, temporary folders, a package made up for the test.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rbln_dra.discovery import Backend, Inventory, SliceBackend, SysfsBackend, Tree, TreeBackend, bundled, discover, find_backends, make_backend
from rbln_dra.errors import DiscoveryError, InvalidValue


@pytest.mark.parametrize(
    "backend", [SysfsBackend(), TreeBackend("atom"), SliceBackend("[]"), Tree()], ids=["sysfs", "tree", "slices", "a tree itself"]
)
def test_each_is_a_backend(backend: object) -> None:
    """The protocol is one method."""
    assert isinstance(backend, Backend)


def test_the_default_is_this_host() -> None:
    """Only the class says so; the test does not look."""
    assert SysfsBackend().root == "/sys"


def test_a_host_and_a_tree_say_the_same(tmp_path: Path) -> None:
    """A folder is read by the code that reads a host, given as a text or a `Path`, as /sys or as what holds it."""
    node = bundled("sriov")
    node.write(tmp_path / "sys")
    expected = discover(node)
    assert discover(SysfsBackend(tmp_path / "sys", node="node-sriov")) == expected
    assert discover(SysfsBackend(str(tmp_path / "sys"), "node-sriov")) == expected
    assert discover(TreeBackend(tmp_path, node="node-sriov")) == expected
    assert discover(TreeBackend(str(tmp_path / "sys"), node="node-sriov")) == expected


def test_a_folder_has_no_node(tmp_path: Path) -> None:
    """Unknown is absent: the pool has no name unless one is given."""
    bundled("rebel100").write(tmp_path / "sys")
    inventory = discover(TreeBackend(tmp_path / "sys"))
    assert (inventory.node, inventory.pools[0].name, inventory.devices[0].pool) == (None, None, None)


def test_a_tree_is_given_by_name_by_file_or_as_it_is(tmp_path: Path) -> None:
    """All ways lead to the same inventory; the node can be named otherwise."""
    node = bundled("atom")
    (tmp_path / "mine.tree").write_text(str(node))
    expected = discover(node)
    assert discover(TreeBackend("atom")) == discover(TreeBackend(node)) == discover(TreeBackend(tmp_path / "mine.tree")) == expected
    assert {device.pool for device in discover(TreeBackend("atom", node="other")).devices} == {"other"}


def test_the_options_of_a_scan_pass_through() -> None:
    """Driver, profile and the rule for the root are those of `scan`."""
    for backend in (TreeBackend("mixed", driver="d.example.com", profile="5397ed8", pcie_root="driver"),):
        inventory = discover(backend)
        assert {device.driver for device in inventory.devices} == {"d.example.com"}
        assert "no-pcie-root" not in {diagnostic.code for diagnostic in inventory.diagnostics}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param("rebel10", "rebel10: no such tree; bundled are atom, ca22, mixed, rebel100, sriov; did you mean rebel100?", id="a near name"),
        pytest.param("", "no such tree", id="nothing"),
        pytest.param("./nowhere", "./nowhere: cannot be read: No such file or directory", id="no file"),
        pytest.param("./a\0b", "cannot be read: embedded null byte", id="a null byte"),
    ],
)
def test_a_tree_that_is_not_there(source: str, message: str) -> None:
    """One clear error."""
    with pytest.raises(DiscoveryError) as caught:
        discover(TreeBackend(source))
    assert message in str(caught.value)


def test_a_name_may_be_a_folder_that_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder here is found by its name alone, unless a bundled node has that name."""
    monkeypatch.chdir(tmp_path)
    bundled("rebel100").write("mine")
    bundled("rebel100").write("atom")
    assert len(discover(TreeBackend("mine")).devices) == len(discover(TreeBackend("./atom")).devices) == 1
    assert len(discover(TreeBackend("atom")).devices) == 16


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"bus/pci/devices", "x.tree:1: expected `node NAME`", id="a folder without its slash"),
        pytest.param(b"\xff", "x.tree: byte 0: expected UTF-8", id="garbage"),
        pytest.param(b"a = 1", "x.tree: no bus/pci/devices there", id="a tree without the bus"),
        pytest.param(b"a = 1\na/b = 1", "a/b: a is no directory", id="a file on the way"),
    ],
)
def test_a_file_that_is_no_tree(tmp_path: Path, data: bytes, message: str) -> None:
    """One clear error that names the file and, where there is one, the line."""
    (tmp_path / "x.tree").write_bytes(data)
    with pytest.raises(DiscoveryError) as caught:
        discover(TreeBackend(tmp_path / "x.tree"))
    assert message in str(caught.value)


def test_backends_are_made_by_name() -> None:
    """The three of this package have names."""
    assert discover(make_backend("tree", "rebel100")) == discover(TreeBackend("rebel100"))
    assert make_backend("slices", "[]", driver="d") == SliceBackend("[]", driver="d")
    assert make_backend("sysfs", "/host/sys") == SysfsBackend("/host/sys")
    with pytest.raises(DiscoveryError, match="no such backend; there are slices, sysfs, tree"):
        make_backend("redfish")


MODULE = """
from rbln_dra.discovery import Inventory
from rbln_dra.errors import InvalidValue

class Cloud:
    def __init__(self, zone="a", *, node=None):
        self.zone = zone
        self.node = node
    def scan(self):
        return Inventory(node=self.node or self.zone)

def typed(): raise InvalidValue("x", "a y")
def broken(): raise KeyError("zone")
def other(): return 5
"""
ENTRIES = """
[rbln_dra.backends]
cloud = rbln_dra_cloud:Cloud
absent = rbln_dra_absent:Cloud
typed = rbln_dra_cloud:typed
broken = rbln_dra_cloud:broken
other = rbln_dra_cloud:other
tree = rbln_dra_cloud:other
"""


@pytest.fixture
def _plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a package that offers backends."""
    info = tmp_path / "rbln_dra_cloud-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rbln-dra-cloud\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    (tmp_path / "rbln_dra_cloud.py").write_text(MODULE)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    yield
    sys.modules.pop("rbln_dra_cloud", None)


@pytest.mark.usefixtures("_plugin")
def test_another_package_adds_a_backend() -> None:
    """An entry point is found, and imported only when it is used; ours cannot be replaced."""
    assert {"cloud", "sysfs", "tree", "slices"} <= set(find_backends())
    assert "rbln_dra_cloud" not in sys.modules
    assert discover(make_backend("cloud", "b")) == Inventory(node="b")
    assert discover(make_backend("cloud", node="n")) == Inventory(node="n")
    assert make_backend("tree", "atom") == TreeBackend("atom")


@pytest.mark.usefixtures("_plugin")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("absent", "the backend rbln_dra_absent:Cloud fails: ModuleNotFoundError: No module named 'rbln_dra_absent'", id="no module"),
        pytest.param("broken", "the backend rbln_dra_cloud:broken fails: KeyError: 'zone'", id="another exception"),
        pytest.param("other", "rbln_dra_cloud:other gives no backend but int", id="no backend"),
    ],
)
def test_a_broken_backend_is_one_error(name: str, message: str) -> None:
    """Whatever the other package does, the error is ours and names it."""
    with pytest.raises(DiscoveryError) as caught:
        make_backend(name)
    assert message in str(caught.value)


@pytest.mark.usefixtures("_plugin")
def test_a_typed_error_of_a_backend_stays() -> None:
    """An error of our tree is passed on as it is."""
    with pytest.raises(InvalidValue):
        make_backend("typed")


@pytest.mark.parametrize("backend", [3, None, "atom", b"atom", {}, object()], ids=["number", "none", "name", "bytes", "object", "other"])
def test_what_is_no_backend(backend: Any) -> None:
    """Something without a method `scan` is refused."""
    with pytest.raises(InvalidValue, match="expected a backend such as") as caught:
        discover(backend)
    assert caught.value.value is backend


@pytest.mark.parametrize("source", [3, None, b"atom", {}, object()], ids=["number", "none", "bytes", "object", "other"])
def test_what_is_no_tree(source: Any) -> None:
    """A tree backend of what is no name, path or tree is refused when it is made."""
    with pytest.raises(InvalidValue, match="the name of a bundled node, a path or a tree"):
        TreeBackend(source)
