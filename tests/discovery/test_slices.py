"""
Room: devices from ResourceSlices.

May touch: `slices`, PyYAML to write what kubectl would, temporary files.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from rbln_dra import SliceBackend, TreeBackend, discover
from rbln_dra.discovery import Inventory, Pool
from rbln_dra.errors import DecodeError, DiscoveryError

#: As kubectl writes YAML; PyYAML's types are not complete.
dump: Callable[[object], str] = cast("Any", yaml).safe_dump
dump_all: Callable[[object], str] = cast("Any", yaml).safe_dump_all


def slice_(
    name: str = "s",
    *,
    pool: str = "node-a",
    generation: int = 1,
    count: int = 1,
    driver: str = "npu.rebellions.ai",
    devices: tuple[str, ...] = ("d",),
    **spec: Any,
) -> dict[str, Any]:
    """Make a slice."""
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": {
            "driver": driver,
            "nodeName": pool,
            "pool": {"name": pool, "generation": generation, "resourceSliceCount": count},
            "devices": [{"name": device, "attributes": {"type": {"string": "vfio"}}} for device in devices],
            **spec,
        },
    }


def list_(*items: dict[str, Any]) -> dict[str, Any]:
    """Make what `kubectl get -o json` prints."""
    return {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": list(items)}


TWO = (slice_("a", devices=("vfio-0000-27-00-0",)), slice_("b", pool="node-b", devices=("vfio-0000-23-00-0", "vfio-0000-23-00-1")))
IDS = [
    ("npu.rebellions.ai", "node-a", "vfio-0000-27-00-0"),
    ("npu.rebellions.ai", "node-b", "vfio-0000-23-00-0"),
    ("npu.rebellions.ai", "node-b", "vfio-0000-23-00-1"),
]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(json.dumps(list_(*TWO)), id="kubectl -o json"),
        pytest.param(json.dumps(list_(*TWO), indent=4).encode(), id="bytes"),
        pytest.param(dump(list_(*TWO)), id="kubectl -o yaml"),
        pytest.param(dump_all([*TWO, {"kind": "DeviceClass", "apiVersion": "resource.k8s.io/v1"}, None]), id="documents"),
        pytest.param(json.dumps(TWO), id="a JSON list"),
        pytest.param(list_(*TWO), id="a mapping"),
        pytest.param({**list_(*TWO), "kind": "ResourceSliceList"}, id="a list of the API"),
        pytest.param({"items": list(TWO)}, id="a list without a kind"),
        pytest.param(TWO, id="a tuple"),
        pytest.param([list_(TWO[0]), [TWO[1]]], id="lists in a list"),
        pytest.param([{"spec": TWO[0]["spec"]}, {"kind": "ResourceSlice", "spec": TWO[1]["spec"]}], id="only specs"),
    ],
)
def test_slices_come_in_many_forms(source: Any) -> None:
    """Every form that kubectl or a program has gives the same devices, in order."""
    inventory = discover(SliceBackend(source))
    assert [device.id for device in inventory.devices] == IDS
    assert inventory.npus == ()


@pytest.mark.parametrize("name", ["slices.json", "slices.yaml"])
def test_slices_come_from_a_file(tmp_path: Path, name: str) -> None:
    """A path is read, as a text or as a `Path`."""
    (tmp_path / name).write_text(json.dumps(list_(*TWO)) if name.endswith("json") else dump(list_(*TWO)))
    for source in (tmp_path / name, str(tmp_path / name)):
        assert [device.id for device in discover(SliceBackend(source)).devices] == IDS


def test_a_published_tree_survives_the_cluster() -> None:
    """The devices of a node are the same when they come back from kubectl."""
    devices = discover(TreeBackend("atom")).devices
    published = slice_(pool="node-atom", devices=())
    published["spec"]["devices"] = [device.to_dict() for device in devices]
    assert discover(SliceBackend(json.dumps(list_(published)))).devices == devices
    assert discover(SliceBackend(dump(published))).devices == devices


def test_an_older_api_has_the_same_devices() -> None:
    """A device of v1beta1 has its fields under `basic`."""
    old = slice_()
    old["apiVersion"] = "resource.k8s.io/v1beta1"
    old["spec"]["devices"] = [{"name": "d", "basic": {"attributes": {"type": {"string": "vfio"}}, "capacity": {"memory": {"value": "16Gi"}}}}]
    new = slice_()
    new["spec"]["devices"] = [{"name": "d", "attributes": {"type": {"string": "vfio"}}, "capacity": {"memory": {"value": "16Gi"}}}]
    assert discover(SliceBackend(old)).devices == discover(SliceBackend(new)).devices


def test_pools_keep_what_their_slices_say() -> None:
    """Generation, count and completeness are there for who allocates; older generations are named and left out."""
    inventory = discover(
        SliceBackend(
            [
                slice_("a1", generation=1, devices=("gone",)),
                slice_("a2", generation=2, count=2),
                slice_("a3", generation=2, count=2, devices=("e",)),
                slice_("b1", pool="node-b", count=3),
                slice_("c1", pool="node-c", devices=()),
                slice_("x1", driver="gpu.example.com"),
            ]
        )
    )
    assert inventory.pools == (
        Pool("npu.rebellions.ai", "node-a", "node-a", 2, 2, ("a2", "a3")),
        Pool("npu.rebellions.ai", "node-b", "node-b", 1, 3, ("b1",)),
        Pool("npu.rebellions.ai", "node-c", "node-c", 1, 1, ("c1",)),
        Pool("gpu.example.com", "node-a", "node-a", 1, 1, ("x1",)),
    )
    assert [device.id for device in inventory.devices] == [
        ("npu.rebellions.ai", "node-a", "d"),
        ("npu.rebellions.ai", "node-a", "e"),
        ("npu.rebellions.ai", "node-b", "d"),
        ("gpu.example.com", "node-a", "d"),
    ]
    assert [str(diagnostic) for diagnostic in inventory.diagnostics] == [
        "a1: a slice of generation 1, and its pool has a newer one: its devices are gone",
        "node-b: 1 of 3 slices of the pool are here; the scheduler waits until they are as many as they say",
    ]
    assert (inventory.node, inventory.partial) == (None, False)


def test_one_driver_can_be_asked_for() -> None:
    """Without a driver all devices count, since selectors are evaluated on all."""
    slices = [slice_("a"), slice_("x", driver="gpu.example.com")]
    assert len(discover(SliceBackend(slices)).devices) == 2
    inventory = discover(SliceBackend(slices, driver="npu.rebellions.ai"))
    assert {device.driver for device in inventory.devices} == {"npu.rebellions.ai"}
    assert inventory.node == "node-a"


def test_a_pool_may_belong_to_no_node() -> None:
    """Slices for all nodes, or of several, have no node."""
    shared = [
        slice_("a", pool="shared", nodeName=None, allNodes=True),
        slice_("b", pool="several", nodeName="m"),
        slice_("c", pool="several", nodeName="n"),
    ]
    inventory = discover(SliceBackend(shared))
    assert [(pool.name, pool.node) for pool in inventory.pools] == [("shared", None), ("several", None)]
    assert inventory.node is None


@pytest.mark.parametrize(
    "source",
    [{"kind": "List", "items": []}, {"items": []}, {"kind": "ResourceSliceList", "items": []}, [], "[]", "apiVersion: v1\nitems: []\nkind: List\n"],
    ids=["List", "items", "ResourceSliceList", "list", "JSON", "YAML"],
)
def test_no_slices_are_no_error(source: Any) -> None:
    """An empty cluster has no device."""
    assert discover(SliceBackend(source)) == Inventory()


def bad(change: dict[str, Any]) -> dict[str, Any]:
    """Make a slice with some of its spec changed."""
    changed = slice_()
    changed["spec"].update(change)
    return changed


@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param("", "expected a ResourceSlice, or a list of them, got None; kubectl get resourceslices -o json prints them", id="nothing"),
        pytest.param("{}", "expected a ResourceSlice", id="an empty object"),
        pytest.param("[1]", "[0]: expected a ResourceSlice, or a list of them, got 1", id="a number"),
        pytest.param('{"kind": "List", "items": 1}', "expected a ResourceSlice", id="a list that is none"),
        pytest.param({"kind": "Pod"}, "expected a ResourceSlice, or a list of them, got 'Pod'", id="a pod"),
        pytest.param(
            {"kind": "ResourceSlice", "apiVersion": "example.com/v1", "spec": {}},
            "got {'apiVersion': 'example.com/v1', 'kind': 'ResourceSlice'}",
            id="another group",
        ),
        pytest.param({"kind": "PodList", "items": []}, "expected a ResourceSlice, or a list of them, got 'PodList'", id="no pods"),
        pytest.param("NAME   NODE\na      b\n", "got 'NAME   NODE a      b'; kubectl get resourceslices -o json prints them", id="a table"),
        pytest.param({"spec": {}, "apiVersion": 1}, "expected a ResourceSlice", id="a version that is a number"),
        pytest.param("a: 1\n---\n- b\n", "document 2[0]: expected a ResourceSlice, or a list of them, got 'b'", id="the second document"),
        pytest.param(list_(bad({"driver": 1})), "items[0].spec.driver: expected a string, got 1", id="a driver that is a number"),
        pytest.param(list_(slice_(), bad({"pool": []})), "items[1].spec.pool: expected a pool such as", id="a pool that is a list"),
        pytest.param(bad({"pool": {"generation": "1"}}), "spec.pool.generation: expected an integer, got '1'", id="a generation that is a text"),
        pytest.param(bad({"devices": {}}), "spec.devices: expected a list", id="devices that are an object"),
        pytest.param(bad({"devices": [1]}), "spec.devices[0]: expected a device such as", id="a device that is a number"),
        pytest.param(
            {**bad({"devices": [{"basic": 1}]}), "apiVersion": "resource.k8s.io/v1beta1"},
            "spec.devices[0].basic: expected a device such as",
            id="a basic device that is a number",
        ),
        pytest.param(
            bad({"devices": [{"name": "d", "attributes": {"iommuGroup": {"int": "42"}}}]}),
            "spec.devices[0].attributes[iommuGroup].int: expected an integer",
            id="an attribute",
        ),
        pytest.param(
            dump_all([slice_(), bad({"devices": [{"name": 5}]})]),
            "document 2.spec.devices[0].name: expected a string",
            id="a device name in YAML",
        ),
        pytest.param({"kind": "ResourceSlice", "metadata": 1, "spec": {}}, "metadata: expected metadata such as", id="metadata that is a number"),
        pytest.param({"kind": "ResourceSlice", "spec": 1}, "spec: expected a spec such as", id="a spec that is a number"),
    ],
)
def test_what_is_no_slice_is_one_error_with_its_path(source: Any, message: str) -> None:
    """What the API server could not read is refused, with the place."""
    with pytest.raises(DecodeError) as caught:
        discover(SliceBackend(source))
    assert message in str(caught.value)


def test_nulls_are_absent() -> None:
    """`null` gives the zero value everywhere, as in the API server."""
    inventory = discover(SliceBackend({"kind": "ResourceSlice", "metadata": None, "spec": {"devices": [None, {"name": None}], "pool": None}}))
    assert [(device.name, device.driver, device.pool) for device in inventory.devices] == [("", "", "")] * 2


def test_a_file_with_a_slip_says_where(tmp_path: Path) -> None:
    """An error in a file names the file, the line and the column."""
    path = tmp_path / "slices.yaml"
    path.write_text('kind: ResourceSlice\nspec:\n  driver: "npu.rebellions.ai\n')
    with pytest.raises(DecodeError) as caught:
        discover(SliceBackend(path))
    assert str(caught.value).startswith(f"{path}: line 4, column 1: expected YAML")
    path.write_bytes(b"\xff")
    with pytest.raises(DiscoveryError, match=r"slices\.yaml: byte 0: expected UTF-8"):
        discover(SliceBackend(path))


def test_a_long_error_inside_a_file_has_the_file_alone(tmp_path: Path) -> None:
    """An error without a place in the text names the file."""
    (tmp_path / "x").write_text("[NaN]")
    with pytest.raises(DecodeError) as caught:
        discover(SliceBackend(tmp_path / "x"))
    assert (caught.value.source, caught.value.path) == (str(tmp_path / "x"), "")


def test_an_empty_file(tmp_path: Path) -> None:
    """A file without anything in it is an error of the file; an empty text is one of the text."""
    (tmp_path / "x").write_text("\n")
    with pytest.raises(DiscoveryError) as caught:
        discover(SliceBackend(tmp_path / "x"))
    assert caught.value == DiscoveryError(str(tmp_path / "x"), "is empty", "give it what kubectl get resourceslices -o json prints")
    with pytest.raises(DecodeError, match="expected a ResourceSlice"):
        discover(SliceBackend(""))


def test_a_file_without_slices_is_named(tmp_path: Path) -> None:
    """What is no slice, or cannot be one, is an error with the file's name."""
    for text in ("kind: Pod", '{"kind": "ResourceSlice", "spec": {"devices": [{"name": 5}]}}'):
        (tmp_path / "x").write_text(text)
        with pytest.raises(DecodeError) as caught:
            discover(SliceBackend(tmp_path / "x"))
        assert caught.value.source == str(tmp_path / "x")
