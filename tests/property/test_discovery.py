"""
Room: what holds for every host: one property a class.

May touch: `discovery`.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import attrs
import yaml
from hypothesis import HealthCheck, example, given, settings, strategies as st

from rbln_dra import NPU, Inventory, PCIAddress, SliceBackend, discover, publish
from rbln_dra.discovery import Fault, Link, OverlaySysfs, Tree, bundled, tree, treefile
from rbln_dra.discovery.access import Entry
from rbln_dra.discovery.sysfs import scan
from rbln_dra.documents import documents
from rbln_dra.errors import DecodeError, DiscoveryError, Error

T = TypeVar("T")


def outcome(call: Callable[[], T]) -> T | Error:
    """Give what a call gives: its value, or its error of ours, which is one line."""
    try:
        return call()
    except Error as error:
        failure = error
    assert len(str(failure).split("\n")) == 1
    return failure


def yaml_text(value: object) -> str:
    """Write YAML as a person's tools do."""
    written: str = cast("Any", yaml).safe_dump(value)
    return written


ADDRESSES: Final = st.builds(PCIAddress, st.sampled_from([0, 1, 0xA, 0xFFFF, 0x10000]), st.integers(0, 255), st.integers(0, 31), st.integers(0, 7))
DRIVERS: Final = st.sampled_from(["vfio-pci", "vfio-pci", "vfio-pci", "rebellions", "vfio_pci", "xe-vfio-pci", "rbln", "pci-stub", None])
IDS: Final = st.sampled_from(["2130", "2131", "1250", "1251", "1220", "1120", "2fff", "AbCd", None])
WORDS: Final = st.from_regex(r"[!-~]([ -~]{0,10}[!-~])?", fullmatch=True)


@st.composite
def npus(draw: st.DrawFn, address: PCIAddress, number: int) -> NPU:
    """Draw the facts that a host can give about one NPU; `number` is its own."""
    driver = draw(DRIVERS)
    vf = draw(st.booleans())
    numvfs = None if vf else draw(st.none() | st.integers(0, 64))
    rbln = f"rbln{number}" if driver == "rebellions" and draw(st.booleans()) else None
    group = draw(st.none() | st.just(number))
    return NPU(
        address,
        pci_device_id=draw(IDS),
        driver=driver,
        iommu_group=group,
        iommu_group_name=None if group is None else draw(st.sampled_from([None, None, "vfio-noiommu", "other"])),
        numa_node=draw(st.none() | st.integers(0, 1023)),
        pcie_root=draw(st.none() | st.from_regex(r"pci[0-9a-f]{4}:[0-9a-f]{2}", fullmatch=True)),
        bridges=tuple(draw(st.lists(ADDRESSES, max_size=3))),
        vf=vf,
        physfn=draw(st.none() | ADDRESSES) if vf else None,
        sriov_numvfs=numvfs,
        sriov_totalvfs=None if numvfs is None else draw(st.none() | st.integers(0, 64)),
        rbln=rbln,
        card_name=None if rbln is None else draw(st.none() | WORDS),
        kernel_version=None if rbln is None else draw(st.none() | WORDS),
        status=None if rbln is None else draw(st.none() | st.integers(0, 9)),
    )


@st.composite
def hosts(draw: st.DrawFn) -> tuple[NPU, ...]:
    """Draw the NPUs of a host, by address, none twice."""
    addresses = sorted(draw(st.sets(ADDRESSES, max_size=6)))
    return tuple(draw(npus(address, number)) for number, address in enumerate(addresses))


def rooted(npu: NPU) -> NPU:
    """Give an NPU the bridges that a scan can find: none, without a root."""
    return npu if npu.pcie_root is not None else attrs.evolve(npu, bridges=())


class TestAnInventoryIsATree:
    """What a scan finds can be turned into a tree of which a scan finds the same."""

    @given(hosts(), st.none() | st.just("node-a"))
    def test_round_trip(self, found: tuple[NPU, ...], node: str | None) -> None:
        """`discover(tree(inventory)) == inventory`, and the facts are those that went in."""
        wanted = tuple(map(rooted, found))
        inventory = discover(tree(Inventory(npus=wanted, node=node)))
        assert inventory.npus == wanted
        assert inventory.node == node
        assert discover(tree(inventory)) == inventory

    @given(hosts())
    def test_the_devices_are_those_that_are_published(self, found: tuple[NPU, ...]) -> None:
        """Discovery adds nothing to what `publish` says of each NPU."""
        inventory = discover(tree(Inventory(npus=found)))
        expected = {device.name for npu in inventory.npus if (device := publish(npu)) is not None}
        assert {device.name for device in inventory.devices} == expected
        unpublished = {str(npu.address) for npu in inventory.npus if publish(npu) is None}
        assert unpublished <= {diagnostic.address for diagnostic in inventory.diagnostics}

    @given(hosts())
    def test_the_text_is_the_tree(self, found: tuple[NPU, ...]) -> None:
        """A tree survives its text form."""
        node = tree(Inventory(npus=found, node="node-a"))
        assert Tree.parse(str(node)) == node


class TestNamesAreStable:
    """A device keeps its name whatever else the host has, and in whatever order."""

    @given(hosts(), st.data())
    def test_any_subset_keeps_its_names(self, found: tuple[NPU, ...], data: st.DataObject) -> None:
        """Taking cards away, or listing them otherwise, renames none."""
        some = data.draw(st.permutations(found)) if found else []
        kept = tuple(some[: data.draw(st.integers(0, len(some)))])

        def names(host: tuple[NPU, ...]) -> dict[str, str]:
            published = discover(tree(Inventory(npus=host))).devices
            return {str(device.attributes["resource.kubernetes.io/pciBusID"].string_value): device.name for device in published}

        everything = names(found)
        assert names(kept) == {address: name for address, name in everything.items() if address in {str(npu.address) for npu in kept}}

    @given(hosts())
    def test_passthrough_devices_are_in_the_order_of_their_addresses(self, found: tuple[NPU, ...]) -> None:
        """That is the order of the entries' names, too, since a published domain has four digits."""
        published = [device.name for device in discover(tree(Inventory(npus=found))).devices if device.name.startswith("vfio-")]
        assert published == sorted(published)


FILES: Final = (
    "vendor",
    "class",
    "device",
    "driver",
    "iommu_group",
    "numa_node",
    "physfn",
    "driver_override",
    "uevent",
    "modalias",
    "sriov_numvfs",
    "",
)
ODD: Final = st.one_of(
    st.text(max_size=50),
    st.sampled_from(["0x1eff\n", "0x120000\n", "0x2130\n", "-1\n", "PCI_ID=1EFF:2130\n", "x" * 10_000]),
    st.builds(
        Link, st.text(st.characters(codec="ascii"), max_size=20) | st.sampled_from(["../x/vfio-pci", "rebellions", "../9", ".", "/", "vendor"])
    ),
    st.builds(Fault, st.sampled_from([errno.ENOENT, errno.EACCES, errno.EIO, errno.ELOOP, errno.EINVAL, errno.ENODEV, 9999])),
)


class TestNothingStopsAScan:
    """Whatever stands in a card's files, there is an inventory, and the other cards are untouched."""

    @given(st.dictionaries(st.sampled_from(FILES), ODD, max_size=5))
    def test_any_fault_in_any_file(self, faults: dict[str, Entry]) -> None:
        """Faults of one card change nothing of the others."""
        atom = bundled("atom")
        card = "bus/pci/devices/0000:24:00.2"
        inventory = scan(OverlaySysfs(atom, {f"{card}/{name}".rstrip("/"): entry for name, entry in faults.items()}), place="x", node="node-atom")
        others = [device for device in inventory.devices if device.name != "vfio-0000-24-00-2"]
        assert others == [device for device in discover(atom).devices if device.name != "vfio-0000-24-00-2"]
        assert all(str(diagnostic).isprintable() and len(str(diagnostic)) < 400 for diagnostic in inventory.diagnostics)

    @given(st.dictionaries(st.sampled_from(FILES[:-1]), ODD, max_size=5))
    def test_a_faulty_host_is_a_tree_too(self, faults: dict[str, Entry]) -> None:
        """The round trip holds for hosts with faults: the diagnostics come back as they were."""
        rebel = bundled("rebel100")
        inventory = scan(OverlaySysfs(rebel, {f"bus/pci/devices/0000:27:00.0/{name}": entry for name, entry in faults.items()}), place="x", node="n")
        assert discover(tree(inventory)) == inventory

    @given(
        st.text() | st.lists(st.sampled_from(["a/", "a = b", "a -> b", "b ! EIO", "a", "/", "# x", "node n", '"', "bus/pci/devices/"])).map("\n".join)
    )
    def test_any_text_is_a_tree_or_one_error(self, text: str) -> None:
        """The parser of the text form raises nothing but its own error."""
        node = outcome(lambda: Tree.parse(text))
        if isinstance(node, Tree):
            assert Tree.parse(str(node)) == node
        else:
            assert isinstance(node, DiscoveryError)


JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
KEYS: Final = st.sampled_from(
    ["kind", "apiVersion", "items", "metadata", "spec", "driver", "pool", "name", "devices", "basic", "attributes", "string", "generation"]
)
SHAPED: Final = st.recursive(
    st.none() | st.integers() | st.sampled_from(["ResourceSlice", "List", "resource.k8s.io/v1", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=30,
)


class TestSlicesAreReadOrRefused:
    """Any text and any object gives an inventory or one typed error."""

    @given(JSON | SHAPED)
    def test_any_object(self, value: object) -> None:
        """What JSON can hold is read, or refused with a path."""
        for source in (json.dumps([value]), yaml_text([value]) + "\n"):
            assert isinstance(outcome(SliceBackend(source).scan), Inventory | DecodeError)

    @given(st.binary() | st.text().map(lambda text: text.encode(errors="replace")))
    def test_any_bytes(self, data: bytes) -> None:
        """Noise is refused."""
        found = outcome(SliceBackend(data).scan)
        assert isinstance(found, DecodeError) or found == Inventory()

    @settings(suppress_health_check=[HealthCheck.too_slow])
    @given(JSON)
    def test_yaml_of_json_is_json(self, value: object) -> None:
        """JSON is YAML: written as JSON after a document mark, which only YAML has, it is the same."""
        text = json.dumps(value)
        if "\\u" not in text:
            assert documents(f"--- {text}\n") == (json.loads(text),)


class TestTreeTextIsWritten:
    """Names and entries survive the text form."""

    @given(
        st.dictionaries(st.text(min_size=1).filter(lambda name: "/" not in name), st.text() | st.builds(Link, st.text())),
        st.none() | st.text(min_size=1),
    )
    @example({}, "!")
    def test_round_trip(self, entries: dict[str, Entry], node: str | None) -> None:
        """Whatever a name, a text or a target is."""
        text = treefile.dump(node, {f"a/{name}": entry for name, entry in entries.items()})
        read_node, read = treefile.parse(text, source="x")
        assert read_node == node
        assert {path.removeprefix("a/"): entry for path, entry in read.items() if path != "a/"} == entries
