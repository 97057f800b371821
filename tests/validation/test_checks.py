"""Rare checks, one by one: the API server's answers were taken from its own code."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes, validate
from rbln_dra.quantity import Quantity
from rbln_dra.resources import DeviceToleration, ObjectMeta
from rbln_dra.validation.capacity import integer
from rbln_dra.validation.metadata import changed_metadata, new_metadata
from rbln_dra.validation.server import Server
from rbln_dra.validation.taints import toleration

FRACTIONAL = {"DRAFractionalCapacityRange": True, "DRAConsumableCapacity": True}


def slice_of(*devices: dict[str, Any], **spec: Any) -> dict[str, Any]:
    """Make a slice."""
    whole = {"driver": "a", "nodeName": "a", "pool": {"name": "a", "generation": 1, "resourceSliceCount": 1}, "devices": list(devices), **spec}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "a"}, "spec": whole}


def shared(value: str, policy: dict[str, Any]) -> dict[str, Any]:
    """Make a slice with a capacity that is shared."""
    return slice_of({"name": "a", "allowMultipleAllocations": True, "capacity": {"c": {"value": value, "requestPolicy": policy}}})


def ranged(value: str, default: str, **range_: str) -> dict[str, Any]:
    """Make a slice with a capacity of which a range may be consumed."""
    return shared(value, {"default": default, "validRange": range_})


def claim_of(*derived: str) -> dict[str, Any]:
    """Make a claim that computes attributes."""
    attributes = [{"name": f"a/a{number}", "expression": text} for number, text in enumerate(derived)]
    devices = {
        "requests": [{"name": "r", "exactly": {"deviceClassName": "a", "derivedAttributes": attributes}}],
        "constraints": [{"matchAttribute": f"a/a{number}"} for number in range(len(derived))],
    }
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "a"}, "spec": {"devices": devices}}


def class_of(**spec: Any) -> dict[str, Any]:
    """Make a class."""
    return {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "a"}, "spec": spec}


_COUNTERS = {f"c{number}": {"value": "1"} for number in range(33)}
_RANGE = "spec.devices[0].capacity[c].requestPolicy.validRange"
_COSTLY = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].all(a, "
_HALF = _COSTLY * 5 + "true" + ")" * 5
_WHOLE = _COSTLY * 6 + "true" + ")" * 6
PARTITIONS = {"DRAPartitionableDevices": True, "DRAPartitionableDevicesType": True, "DRAResourcePoolStatus": True}
_CONSUMER: dict[str, Any] = {"name": "a", "consumesCounters": [{"counterSet": "s", "counters": {"c": {"value": "1"}}}]}
DERIVED = {"DRADerivedAttributes": True}

CASES: list[tuple[str, str, dict[str, bool], dict[str, Any], list[str]]] = [
    ("values by number", "1.37", FRACTIONAL, shared("9", {"default": "1", "validValues": ["1", "1500m", "1500m", "1e200"]}), ["[3]", "[2]"]),
    ("no milli value", "1.37", FRACTIONAL, ranged("9", "1n", min="1n"), [f"{_RANGE}.default", f"{_RANGE}.min"]),
    ("milli steps", "1.37", FRACTIONAL, ranged("9", "1500m", min="500m", max="2", step="400m"), [f"{_RANGE}.step", f"{_RANGE}.step"]),
    ("no step", "1.37", {}, ranged("9", "1", min="1", step="0"), [f"{_RANGE}.step"]),
    ("no step before", "1.36", {}, ranged("9", "1", min="1", step="0"), [f"{_RANGE}.step"]),
    ("negative", "1.37", {}, ranged("9", "1", min="-1", step="1"), [f"{_RANGE}.min"]),
    ("beyond 64 bits", "1.37", {}, ranged("1e30", "1", min="1", max="1e25", step="1"), [f"{_RANGE}.max"]),
    ("counters of a device", "1.34", {"DRAPartitionableDevices": True}, slice_of({"name": "a", "consumesCounters": [{"counterSet": "s", "counters": _COUNTERS}]}, sharedCounters=[{"name": "s", "counters": _COUNTERS}]), ["spec.devices[0]", "spec.sharedCounters"]),
    ("too many counters", "1.36", {}, slice_of(sharedCounters=[{"name": "s", "counters": _COUNTERS}], devices=None), ["spec.sharedCounters[0].counters"]),
    ("places", "1.36", {}, slice_of(nodeName="", allNodes=False), ["spec.nodeName", "spec.allNodes", "spec"]),
    ("two places", "1.36", {}, slice_of(allNodes=True), ["spec"]),
    ("old extended resource", "1.37", {}, class_of(extendedResourceName="kubernetes.io/a"), ["spec.extendedResourceName"]),
    ("long parameters", "1.36", {}, class_of(config=[{"opaque": {"driver": "a", "parameters": {"a": "x" * 10240}}}]), ["spec.config[0].opaque.parameters"]),
    ("old mapping", "1.36", {"DRANodeAllocatableResources": True}, slice_of({"name": "a", "nodeAllocatableResourceMappings": {"cpu": {"capacityKey": "c"}}}), ["spec.devices[0].nodeAllocatableResourceMappings[cpu].capacityKey"]),
    ("mapping", "1.37", {"DRANodeAllocatableResources": True}, slice_of({"name": "a", "capacity": {"c": {"value": "1"}}, "nodeAllocatableResources": {"cpu": {"mapping": {"capacityKey": "c", "capacityMultiplier": "0"}}}}), ["spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityMultiplier"]),
    ("mapping without key", "1.37", {"DRANodeAllocatableResources": True}, slice_of({"name": "a", "nodeAllocatableResources": {"cpu": {"mapping": {"capacityMultiplier": "1", "deviceMultiplier": "1"}}}}), ["spec.devices[0].nodeAllocatableResources[cpu].mapping.capacityKey"]),
    ("long derived attribute", "1.37", DERIVED, claim_of("'" + "x" * 10240 + "'"), ["spec.devices.requests[0].exactly.derivedAttributes[0].expression"]),
    ("derived attributes", "1.37", DERIVED, claim_of("device.driver", "1", "semver('1.0.0')", "[1]", "device", "a"), ["[3].expression", "[4].expression", "[5].expression"]),
    ("derived lists", "1.37", {**DERIVED, "DRAListTypeAttributes": True}, claim_of("[1]", "[1.5]"), ["[1].expression"]),
    ("costly derived attributes", "1.37", DERIVED, claim_of(_HALF, _HALF, _WHOLE), ["[2].expression", "spec.devices"]),
    ("bad partition name", "1.37", PARTITIONS, slice_of(_CONSUMER, partitionTypeAttribute="a"), ["spec.partitionTypeAttribute"]),
    ("partition types", "1.37", PARTITIONS, slice_of({"name": "b"}, _CONSUMER, {**_CONSUMER, "name": "c", "attributes": {"t": {"int": 1}}}, {**_CONSUMER, "name": "d", "attributes": {"a/t": {"string": "x"}}}, partitionTypeAttribute="a/t"), ["spec.devices[1].attributes[a/t]", "spec.devices[2].attributes[a/t]"]),
    ("manager", "1.36", {}, {**class_of(), "metadata": {"name": "a", "managedFields": [{"manager": "a\x07", "operation": "Apply"}]}}, ["metadata.managedFields[0].manager"]),
]  # fmt: skip


@pytest.mark.parametrize(("minor", "gates", "made", "fields"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_fields(minor: str, gates: dict[str, bool], made: dict[str, Any], fields: list[str]) -> None:
    """Each object has its errors where the API server has them."""
    errors = validate(made, kubernetes=Kubernetes(minor, gates=gates), namespace="ns")
    assert len(errors) == len(fields), errors
    assert [each.field.endswith(field) for each, field in zip(errors, fields, strict=True)] == [True] * len(fields), errors


def test_metadata_that_no_request_has() -> None:
    """The rules for metadata hold where the server's own completion leaves them nothing to say, too."""
    server = Server.of("1.36")
    assert [each.error.field for each in new_metadata(server, ObjectMeta("a"), namespaced=True)] == ["metadata.namespace"]
    assert [each.error.reason for each in new_metadata(server, ObjectMeta("a", namespace="a"), namespaced=False)] == ["FieldValueForbidden"]
    older = ObjectMeta("a", resource_version="1")
    newer = ObjectMeta("a", resource_version="1", generation=2)
    assert [each.error.field for each in changed_metadata(server, older, newer)] == ["metadata.generation"]
    assert [each.error.reason for each in toleration(server, DeviceToleration(), "t")] == ["FieldValueRequired"]


def test_finalizers_of_what_is_deleted() -> None:
    """An object that is being deleted gets no new finalizers."""
    made = {**class_of(), "metadata": {"name": "a", "resourceVersion": "1", "deletionTimestamp": "2026-01-01T00:00:00Z"}}
    changed = {**made, "metadata": {**made["metadata"], "finalizers": ["a/b"]}}
    messages = {each.message for each in validate(changed, old=made)}
    assert messages == {'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/b"}'}


def test_a_partition_type_that_was_kept() -> None:
    """With its gate off an attribute that tells the kind of partition is kept in an update, and forbidden where it changes."""
    made = slice_of(_CONSUMER, partitionTypeAttribute="a/t")
    before = {**made, "metadata": {"name": "a", "resourceVersion": "1"}}
    after = {**slice_of(_CONSUMER, partitionTypeAttribute="a/u"), "metadata": before["metadata"]}
    errors = validate(after, kubernetes=Kubernetes("1.37", gates={"DRAPartitionableDevices": True}), old=before)
    assert [(each.reason, each.field) for each in errors][-1] == ("FieldValueForbidden", "spec.partitionTypeAttribute")


def test_a_stored_expression_that_cannot_be_planned() -> None:
    """What compiles and cannot be planned is an internal error, new and stored alike."""
    made = {**class_of(selectors=[{"cel": {"expression": "int('x') == 1"}}]), "metadata": {"name": "a", "resourceVersion": "1"}}
    for minor in ("1.35", "1.36"):
        assert [each.reason for each in validate(made, kubernetes=minor, old=made)] == ["InternalError"]


def test_a_limit_that_a_minor_does_not_have() -> None:
    """To ask for it is a bug of the check."""
    with pytest.raises(LookupError):
        Server.of("1.34").limit("counter sets")


@pytest.mark.parametrize(
    ("amount", "places", "whole"),
    [
        (Quantity.parse("1500m"), 0, 2),
        (Quantity.parse("-1500m"), 0, -2),
        (Quantity.parse("1e30"), 0, 0),
        (Quantity.parse("1e30").promoted(), 0, -(2**63)),
        (Quantity.parse("1e3").promoted(), 0, 1000),
        (Quantity.parse("1500m").promoted(), 0, 2),
        (Quantity.parse("18446744073709551616"), 0, 0),
        (Quantity.parse("18446744073709551616.5"), 0, 1),
    ],
    ids=str,
)
def test_whole_numbers(amount: Quantity, places: int, whole: int) -> None:
    """Amounts become integers of 64 bits as Kubernetes makes them."""
    assert integer(amount, places) == whole
