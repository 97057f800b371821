"""
Room: the four kinds of object, in all versions.

May touch: `resources`.
"""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, datetime
from typing import Any

import pytest

from rbln_dra import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from rbln_dra.errors import DecodeError, InvalidValue, UnknownKubernetes
from rbln_dra.resources import KINDS, VERSIONS, Object, from_dict
from rbln_dra.wire import Nil

from .examples import full

CLASSES: dict[str, Any] = {
    "ResourceSlice": ResourceSlice,
    "DeviceClass": DeviceClass,
    "ResourceClaim": ResourceClaim,
    "ResourceClaimTemplate": ResourceClaimTemplate,
}
EVERY = [(kind, version) for kind in KINDS for version in VERSIONS]


def made(kind: str, spec: dict[str, Any], version: str = "v1") -> dict[str, Any]:
    """Make an object of a spec."""
    return {"apiVersion": f"resource.k8s.io/{version}", "kind": kind, "metadata": {"name": "x"}, "spec": spec}


@pytest.mark.parametrize(("kind", "version"), EVERY)
def test_every_field_survives(kind: str, version: str) -> None:
    """What is read is written again, field by field, in every version."""
    obj = full(kind, version)
    read = from_dict(obj, strict=True)
    assert type(read) is CLASSES[kind]
    assert read.to_dict(version) == obj
    assert read.to_dict(f"resource.k8s.io/{version}") == obj


@pytest.mark.parametrize(("kind", "version"), EVERY)
def test_versions_hold_the_same(kind: str, version: str) -> None:
    """The three versions of an object are one value."""
    read = CLASSES[kind].from_dict(full(kind, version))
    assert read == CLASSES[kind].from_dict(full(kind))
    assert CLASSES[kind].from_dict(read.to_dict(version)) == read
    assert hash(read) == hash(from_dict(full(kind)))


@pytest.mark.parametrize("kind", KINDS)
def test_values_are_plain_data(kind: str) -> None:
    """An object can be copied and pickled, and its defaults are in it already."""
    read = from_dict(full(kind))
    assert pickle.loads(pickle.dumps(read)) == read
    assert copy.deepcopy(read) == read
    assert read.defaulted() == read


@pytest.mark.parametrize("kind", KINDS)
def test_an_object_may_be_empty(kind: str) -> None:
    """The API server reads an object without anything; what it lacks is validation's business."""
    forms: list[dict[str, Any]] = [{}, {"metadata": None, "spec": None}, {"metadata": {}, "spec": {}}]
    for given in forms:
        read = from_dict({"apiVersion": "resource.k8s.io/v1", "kind": kind, **given})
        assert read == CLASSES[kind]()


def requests(read: Object) -> Any:
    """Give the requests of a claim."""
    assert isinstance(read, ResourceClaim)
    return read.spec.devices.requests


CLASS = "vfio-npu.rebellions.ai"


@pytest.mark.parametrize(
    ("version", "request_", "written"),
    [
        pytest.param("v1", {"exactly": {}}, {"exactly": {"deviceClassName": "", "allocationMode": "ExactCount", "count": 1}}, id="an empty wish"),
        pytest.param(
            "v1",
            {"exactly": {"deviceClassName": CLASS, "allocationMode": "All"}},
            {"exactly": {"deviceClassName": CLASS, "allocationMode": "All"}},
            id="all have no count",
        ),
        pytest.param(
            "v1",
            {"exactly": {"deviceClassName": CLASS, "allocationMode": "Odd", "tolerations": [{}]}},
            {"exactly": {"deviceClassName": CLASS, "allocationMode": "Odd", "tolerations": [{"operator": "Equal"}]}},
            id="an unknown mode stays, an operator is filled in",
        ),
        pytest.param("v1", {"firstAvailable": []}, {}, id="no wish at all"),
        pytest.param("v1", {"exactly": None, "deviceClassName": CLASS}, {}, id="a flat request of another version"),
        pytest.param(
            "v1",
            {"firstAvailable": [{"name": "a", "deviceClassName": CLASS}]},
            {"firstAvailable": [{"name": "a", "deviceClassName": CLASS, "allocationMode": "ExactCount", "count": 1}]},
            id="a subrequest",
        ),
        pytest.param(
            "v1beta1",
            {"deviceClassName": CLASS, "tolerations": [{}]},
            {"exactly": {"deviceClassName": CLASS, "allocationMode": "ExactCount", "count": 1, "tolerations": [{"operator": "Equal"}]}},
            id="a flat request",
        ),
        pytest.param("v1beta1", {}, {}, id="a flat request without anything"),
        pytest.param("v1beta1", {"count": 0, "selectors": None, "allocationMode": ""}, {}, id="a flat request of zeros"),
        pytest.param("v1beta1", {"selectors": []}, {"exactly": {"deviceClassName": ""}}, id="an empty list makes a wish"),
        pytest.param("v1beta1", {"adminAccess": False}, {"exactly": {"deviceClassName": "", "adminAccess": False}}, id="and so does a false"),
        pytest.param(
            "v1beta1",
            {"tolerations": [{}], "capacity": {}},
            {"exactly": {"deviceClassName": "", "tolerations": [{"operator": "Equal"}], "capacity": {}}},
            id="without a class there is no mode and no count",
        ),
    ],
)
def test_requests_get_their_defaults(version: str, request_: dict[str, Any], written: dict[str, Any]) -> None:
    """Mode, count and operators are those of the API server, which fills them in before it converts."""
    obj = made("ResourceClaim", {"devices": {"requests": [{"name": "r", **request_}]}}, version)
    read = ResourceClaim.from_dict(obj)
    assert read.to_dict()["spec"]["devices"]["requests"] == [{"name": "r", **written}]
    assert from_dict(obj) == read


@pytest.mark.parametrize(
    ("spec", "written"),
    [({}, None), ({"devices": {"requests": None}}, None), ({"devices": {"requests": []}}, []), ({"devices": {"requests": [None]}}, [{"name": ""}])],
    ids=["absent", "null", "empty", "a null in it"],
)
def test_no_list_and_an_empty_list_are_told_apart(spec: dict[str, Any], written: object) -> None:
    """Go's nil is written as `null`, and equals the empty list."""
    read = ResourceClaim.from_dict(made("ResourceClaim", spec))
    assert read.to_dict()["spec"]["devices"]["requests"] == written
    assert (requests(read) == ()) == (not written)
    assert isinstance(requests(read), Nil) == (written is None)


def test_a_slice_of_v1beta1_has_no_pointers() -> None:
    """An empty node name and `allNodes: false` are absent there."""
    spec = {"driver": "d", "nodeName": "", "allNodes": False, "devices": [{"name": "a"}, {"name": "b", "basic": {}}]}
    read = ResourceSlice.from_dict(made("ResourceSlice", spec, "v1beta1"))
    assert (read.spec.node_name, read.spec.all_nodes) == (None, None)
    newer = ResourceSlice.from_dict(made("ResourceSlice", spec))
    assert (newer.spec.node_name, newer.spec.all_nodes) == ("", False)
    assert newer.to_dict("v1beta1")["spec"] == {
        "driver": "d",
        "pool": {"name": "", "generation": 0, "resourceSliceCount": 0},
        "devices": [{"name": "a", "basic": {}}, {"name": "b", "basic": {}}],
    }


def test_devices_belong_to_their_slice() -> None:
    """A device gets the driver and the pool of the slice that it is in."""
    read = ResourceSlice.from_dict(full("ResourceSlice"))
    assert [device.id for device in read.spec.devices] == [("npu.rebellions.ai", "node-a", "vfio-0000-27-00-0")]


@pytest.mark.parametrize(
    ("minor", "devices", "written"),
    [("1.34", None, {"devices": None}), ("1.34", [], {"devices": []}), ("1.35", None, {}), (None, [], {})],
    ids=["1.34 none", "1.34 empty", "1.35 none", "no minor"],
)
def test_a_slice_without_devices_is_written_as_its_minor_does(minor: str | None, devices: Any, written: dict[str, Any]) -> None:
    """1.34 writes the field in any case."""
    read = ResourceSlice.from_dict(made("ResourceSlice", {"devices": devices}))
    spec = read.to_dict(kubernetes=minor)["spec"]
    assert {key: value for key, value in spec.items() if key == "devices"} == written


def test_taints_get_the_time_that_is_given() -> None:
    """The API server fills in when a taint was added; without a clock it stays open."""
    taints = [{"key": "a", "effect": "NoSchedule"}, {"key": "b", "effect": "NoSchedule", "timeAdded": "2026-01-31T09:30:00Z"}]
    obj = made("ResourceSlice", {"devices": [{"name": "a", "taints": taints}, {"name": "b"}]})
    assert [taint.time_added is None for taint in ResourceSlice.from_dict(obj).spec.devices[0].taints] == [True, False]
    read = ResourceSlice.from_dict(obj, now=datetime(2026, 2, 1, 12, 0, 0, 5, tzinfo=UTC))
    assert [str(taint.time_added) for taint in read.spec.devices[0].taints] == ["2026-02-01 12:00:00+00:00", "2026-01-31 09:30:00+00:00"]


def test_the_multiplier_of_1_36_has_a_default() -> None:
    """A mapping without one multiplies with 1."""
    mappings = {"cpu": {"capacityKey": "x"}, "memory": {"allocationMultiplier": "2"}}
    read = ResourceSlice.from_dict(made("ResourceSlice", {"devices": [{"name": "a", "nodeAllocatableResourceMappings": mappings}]}))
    assert read.to_dict()["spec"]["devices"][0]["nodeAllocatableResourceMappings"] == {
        "cpu": {"capacityKey": "x", "allocationMultiplier": "1"},
        "memory": {"allocationMultiplier": "2"},
    }


def test_a_zero_time_behind_a_pointer_is_written_as_null() -> None:
    """Kubernetes tells it from no time at all; of a time without a pointer it does not."""
    metadata = {"creationTimestamp": "0001-01-01T00:00:00Z", "deletionTimestamp": "0001-01-01T00:00:00Z"}
    read = DeviceClass.from_dict({"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": metadata})
    assert read.to_dict()["metadata"] == {"deletionTimestamp": None}


@pytest.mark.parametrize(
    ("minor", "known"),
    [
        ("1.34", ()),
        ("1.35", ()),
        ("1.36", ("strings", "nodeAllocatableResourceMappings")),
        ("1.37", ("strings", "nodeAllocatableResources", "groups")),
    ],
)
def test_a_minor_reads_the_fields_that_it_has(minor: str, known: tuple[str, ...]) -> None:
    """A field that came later, or went, is dropped unread; with `strict` it is an error."""
    device = {
        "name": "a",
        "attributes": {"a": {"strings": ["x"]}},
        "nodeAllocatableResources": {"cpu": {}},
        "nodeAllocatableResourceMappings": {"cpu": {}},
        "consumesCounters": [{"counterSet": "s", "compatibilityGroups": ["g"]}],
    }
    read = ResourceSlice.from_dict(made("ResourceSlice", {"devices": [device]}), kubernetes=minor).spec.devices[0]
    seen = {
        "strings": read.attributes["a"].string_values,
        "nodeAllocatableResources": read.node_allocatable_resources,
        "nodeAllocatableResourceMappings": read.node_allocatable_resource_mappings,
        "groups": read.consumes_counters[0].compatibility_groups,
    }
    assert tuple(name for name in seen if name in known) == tuple(name for name, value in seen.items() if value)
    wrong = {"attributes": {"a": {"strings": 1}}}
    if "strings" in known:
        with pytest.raises(DecodeError, match=r"spec\.devices\[0\]\.attributes\[a\]\.strings: expected a list"):
            ResourceSlice.from_dict(made("ResourceSlice", {"devices": [wrong]}), kubernetes=minor)
    else:
        ResourceSlice.from_dict(made("ResourceSlice", {"devices": [wrong]}), kubernetes=minor)
        with pytest.raises(DecodeError, match=r"attributes\[a\]\.strings: expected a field of this Kubernetes minor, .*; exists from 1\.36 on"):
            ResourceSlice.from_dict(made("ResourceSlice", {"devices": [wrong]}), kubernetes=minor, strict=True)


def test_a_field_that_went_says_so() -> None:
    """1.36 alone has mappings of node-allocatable resources."""
    obj = made("ResourceSlice", {"devices": [{"nodeAllocatableResourceMappings": {}}]})
    with pytest.raises(DecodeError, match=r"exists only in 1\.36"):
        ResourceSlice.from_dict(obj, kubernetes="1.37", strict=True)


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        pytest.param(None, "object: expected an object such as", id="null"),
        pytest.param([], "object: expected an object such as", id="a list"),
        pytest.param({}, "kind: expected one of ResourceSlice, DeviceClass, ResourceClaim, ResourceClaimTemplate, got None", id="no kind"),
        pytest.param({"kind": "Pod", "apiVersion": "v1"}, "kind: expected one of", id="another kind"),
        pytest.param({"kind": ["ResourceClaim"]}, "kind: expected one of", id="a kind that is a list"),
        pytest.param({"kind": "ResourceClaim"}, "apiVersion: expected one of resource.k8s.io/v1, ", id="no version"),
        pytest.param({"kind": "ResourceClaim", "apiVersion": "v1"}, "apiVersion: expected one of", id="another group"),
        pytest.param({"kind": "ResourceClaim", "apiVersion": "resource.k8s.io/v1alpha3"}, "apiVersion: expected one of", id="an older version"),
        pytest.param({"kind": "ResourceClaim", "apiVersion": 1}, "apiVersion: expected one of", id="a version that is a number"),
        pytest.param(made("DeviceClass", {}), "kind: expected ResourceClaim, got 'DeviceClass'", id="another of the four"),
        pytest.param(made("ResourceClaim", 1), "spec: expected a spec such as", id="a spec that is a number"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        pytest.param(
            made("ResourceClaim", {"devices": {"requests": [{"name": "npu", "exactly": {"count": "2"}}]}}),
            "spec.devices.requests[0].exactly.count: expected an integer, got '2'; did you mean 2?",
            id="a count that is a text",
        ),
        pytest.param(
            {**made("ResourceClaim", {}), "status": {"devices": [{"data": float("nan")}]}},
            "status.devices[0].data: expected a value that JSON has, got nan",
            id="data that JSON has not",
        ),
    ],
)
def test_what_the_api_server_could_not_read_is_one_error(obj: object, message: str) -> None:
    """The error has the place, what was expected and what came."""
    with pytest.raises(DecodeError) as caught:
        ResourceClaim.from_dict(obj)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("kind", "spec", "message"),
    [
        ("ResourceSlice", {"devices": [{"attributes": {"type": {"stringValue": "vfio"}}}]}, "stringValue'; did you mean string?"),
        (
            "ResourceClaim",
            {"devices": {"request": []}},
            "spec.devices.request: expected one of config, constraints, requests, got 'request'; did you",
        ),
        ("DeviceClass", {"selector": []}, "did you mean selectors?"),
        ("ResourceClaimTemplate", {"devices": {}}, "spec.devices: expected one of metadata, spec, got 'devices'"),
    ],
)
def test_strict_reading_names_what_was_meant(kind: str, spec: dict[str, Any], message: str) -> None:
    """An unknown key is an error with the name that was probably meant; the API server drops it."""
    obj = made(kind, spec)
    from_dict(obj)
    with pytest.raises(DecodeError) as caught:
        from_dict(obj, strict=True)
    assert message in str(caught.value)


def test_there_are_three_versions() -> None:
    """No other can be written, and no unknown minor reads."""
    with pytest.raises(InvalidValue, match="expected one of v1, v1beta2, v1beta1, got 'v2'"):
        ResourceClaim().to_dict("v2")
    with pytest.raises(UnknownKubernetes):
        DeviceClass.from_dict(full("DeviceClass"), kubernetes="1.20")
