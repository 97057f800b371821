"""
Room: what the API server drops and stores.

May touch: `resources.gates`, `resources.storage`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import attrs
import pytest

from rbln_dra import DeviceClass, Kubernetes, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from rbln_dra.resources import Object, ObjectMeta, drop_disabled, from_dict, stored
from rbln_dra.resources.gates import CLAIM_RULES, CLASS_RULES, SLICE_RULES

from .examples import full

#: Every gate that keeps something, with the paths that go without it: in 1.37, from an object with every field.
GATES: dict[str, tuple[str, tuple[str, ...]]] = {
    "DRADeviceTaints": ("ResourceSlice", ("spec.devices[0].taints",)),
    "DRAPartitionableDevices": (
        "ResourceSlice",
        (
            "spec.sharedCounters",
            "spec.perDeviceNodeSelection",
            "spec.devices[0].consumesCounters",
            "spec.devices[0].nodeName",
            "spec.devices[0].nodeSelector",
            "spec.devices[0].allNodes",
        ),
    ),
    "DRADeviceBindingConditions": (
        "ResourceSlice",
        ("spec.devices[0].bindingConditions", "spec.devices[0].bindingFailureConditions", "spec.devices[0].bindsToNode"),
    ),
    "DRAConsumableCapacity": ("ResourceSlice", ("spec.devices[0].allowMultipleAllocations", "spec.devices[0].capacity.memory.requestPolicy")),
}
ALPHA = {
    "DRADeviceCompatibilityGroups": ("spec.devices[0].consumesCounters[0].compatibilityGroups",),
    "DRANodeAllocatableResources": ("spec.devices[0].nodeAllocatableResources", "spec.devices[0].nodeAllocatableResourceMappings"),
    "DRAListTypeAttributes": ("spec.devices[0].attributes.roots.strings",),
    "DRAPartitionableDevicesType": ("spec.partitionTypeAttribute",),
    "DRAOptionalNodeOperations": ("spec.skipNodeOperations",),
}


def leaves(value: Any, path: str = "") -> set[str]:
    """Give the paths of all that an object holds."""
    if isinstance(value, dict):
        inner = {f"{path}.{key}" if path else key: item for key, item in value.items()}
    elif isinstance(value, list):
        inner = {f"{path}[{index}]": item for index, item in enumerate(value)}
    else:
        inner = {}
    return {path} | {leaf for place, item in inner.items() for leaf in leaves(item, place)}


def dropped(before: Object, after: Object) -> set[str]:
    """Give the paths that went, without what was in them."""
    gone = leaves(before.to_dict()) - leaves(after.to_dict())
    return {path for path in gone if not any(path.startswith((f"{other}.", f"{other}[")) for other in gone)}


#: All features of 1.37 on.
ALL_ON = Kubernetes("1.37", gates={"AllAlpha": True, "AllBeta": True})


def without(*gates: str) -> Kubernetes:
    """Give 1.37 with all features on but some, and those that need them."""
    off = {*gates, *(("DRADeviceCompatibilityGroups", "DRAPartitionableDevicesType") if "DRAPartitionableDevices" in gates else ())}
    off |= {"DRAFractionalCapacityRange"} if "DRAConsumableCapacity" in gates else set()
    off |= {"DRADeviceTaintRules"} if "DRADeviceTaints" in gates else set()
    return Kubernetes("1.37", gates={"AllAlpha": True, "AllBeta": True, **dict.fromkeys(off, False)})


@pytest.mark.parametrize("kind", ["ResourceSlice", "DeviceClass", "ResourceClaim", "ResourceClaimTemplate"])
def test_nothing_goes_when_all_is_on(kind: str) -> None:
    """With every feature an object stays as it is, the same value."""
    read = from_dict(full(kind))
    assert drop_disabled(read, kubernetes=ALL_ON) is read


@pytest.mark.parametrize(("gate", "paths"), [*((gate, paths) for gate, (_, paths) in GATES.items()), *ALPHA.items()])
def test_a_slice_loses_what_is_off(gate: str, paths: tuple[str, ...]) -> None:
    """Each gate takes its own fields along, unless the slice had some of them."""
    read = from_dict(full("ResourceSlice"))
    after = drop_disabled(read, kubernetes=without(gate))
    gone = dropped(read, after)
    assert set(paths) <= gone or all(any(path.startswith(other) for other in gone) for path in paths)
    if gate != "DRAPartitionableDevices":
        assert gone <= set(paths)
    assert drop_disabled(read, kubernetes=without(gate), old=read) is read
    assert drop_disabled(after, kubernetes=without(gate)) is after


@pytest.mark.parametrize("kind", ["ResourceClaim", "ResourceClaimTemplate"])
@pytest.mark.parametrize(
    ("release", "paths"),
    [
        pytest.param(
            Kubernetes("1.37"),
            ("devices.requests[0].exactly.derivedAttributes", "devices.requests[1].firstAvailable[0].derivedAttributes"),
            id="1.37",
        ),
        pytest.param(
            Kubernetes("1.35"),
            (
                "devices.requests[0].exactly.derivedAttributes",
                "devices.requests[1].firstAvailable[0].derivedAttributes",
                "devices.requests[0].exactly.capacity",
                "devices.requests[1].firstAvailable[0].capacity",
                "devices.requests[0].exactly.tolerations",
                "devices.requests[1].firstAvailable[0].tolerations",
                "devices.constraints[1].distinctAttribute",
            ),
            id="1.35",
        ),
        pytest.param(
            Kubernetes("1.34"),
            (
                "devices.requests[0].exactly.derivedAttributes",
                "devices.requests[1].firstAvailable[0].derivedAttributes",
                "devices.requests[0].exactly.capacity",
                "devices.requests[1].firstAvailable[0].capacity",
            ),
            id="1.34 keeps tolerations and distinctAttribute",
        ),
        pytest.param(
            Kubernetes("1.35", gates={"DRAAdminAccess": False, "DRAPrioritizedList": False, "DRAConsumableCapacity": True, "DRADeviceTaints": True}),
            ("devices.requests[0].exactly.adminAccess", "devices.requests[1].firstAvailable", "devices.requests[0].exactly.derivedAttributes"),
            id="no lists, no admin access",
        ),
    ],
)
def test_a_claim_loses_what_is_off(kind: str, release: Kubernetes, paths: tuple[str, ...]) -> None:
    """A claim and a template go by the same rules, and an older state keeps what it has."""
    prefix = "spec." if kind == "ResourceClaim" else "spec.spec."
    read = from_dict(full(kind))
    assert dropped(read, drop_disabled(read, kubernetes=release)) == {prefix + path for path in paths}
    assert drop_disabled(read, kubernetes=release, old=read) is read


@pytest.mark.parametrize(
    ("status", "path"),
    [
        ({"allocation": {"devices": {"results": [{"adminAccess": True}]}}}, "spec.devices.requests[0].exactly.adminAccess"),
        ({"allocation": {"devices": {"results": [{"shareID": "s"}]}}}, "spec.devices.requests[0].exactly.capacity"),
        ({"devices": [{"shareID": "s"}]}, "spec.devices.requests[0].exactly.capacity"),
        ({}, None),
    ],
)
def test_in_1_34_a_status_keeps_a_spec(status: dict[str, Any], path: str | None) -> None:
    """What the status of the old claim has counts as used in 1.34, and from 1.35 no more."""
    claim = full("ResourceClaim")
    read = ResourceClaim.from_dict(claim)
    old = ResourceClaim.from_dict({**claim, "spec": {}, "status": status})
    gates = {"DRAAdminAccess": False}
    earlier, later = (drop_disabled(read, kubernetes=Kubernetes(minor, gates=gates), old=old) for minor in ("1.34", "1.35"))
    kept = dropped(read, later) - dropped(read, earlier)
    assert (path in kept) == (path is not None)


def test_a_class_loses_its_extended_resource() -> None:
    """Unless it had one before."""
    read = DeviceClass.from_dict(full("DeviceClass"))
    assert dropped(read, drop_disabled(read, kubernetes="1.35")) == {"spec.extendedResourceName"}
    assert drop_disabled(read, kubernetes="1.35", old=read) is read
    assert drop_disabled(read, kubernetes="1.36") is read


def test_every_rule_names_gates_that_exist() -> None:
    """A gate with a slip in its name would never be on."""
    gates = {gate for rules in (SLICE_RULES, CLASS_RULES, CLAIM_RULES) for rule in rules for gate in rule.gates}
    assert all(ALL_ON.enabled(gate) for gate in gates)


def test_an_attribute_without_lists_stays() -> None:
    """Only the lists of a device go."""
    read = ResourceSlice.from_dict(full("ResourceSlice"))
    device = drop_disabled(read, kubernetes="1.37").spec.devices[0]
    assert device.attributes["type"] is read.spec.devices[0].attributes["type"]
    assert device.attributes["roots"].value is None


def test_a_request_without_a_wish_has_no_admin_access_to_lose() -> None:
    """Dropping passes over lists of wishes."""
    release = Kubernetes("1.35", gates={"DRAAdminAccess": False})
    read = ResourceClaim.from_dict(full("ResourceClaim"))
    assert [request.exactly is None for request in drop_disabled(read, kubernetes=release).spec.devices.requests] == [False, True]


def test_a_new_object_is_stored_without_what_a_client_has_no_say_in() -> None:
    """A claim has no status yet, slices and classes are of generation 1 and in no namespace."""
    claim = stored(ResourceClaim.from_dict(full("ResourceClaim")), namespace="ns")
    assert (claim.metadata.namespace, claim.metadata.generation, claim.status) == ("ns", 3, ResourceClaim().status)
    metadata = claim.metadata
    assert (metadata.deletion_timestamp, metadata.deletion_grace_period_seconds, metadata.self_link) == (None, None, "")
    named = stored(ResourceClaimTemplate(ObjectMeta("x", namespace="own")), namespace="ns")
    assert named.metadata.namespace == "own"
    placed = attrs.evolve(DeviceClass.from_dict(full("DeviceClass")), metadata=ObjectMeta("x", namespace="y", generation=7))
    assert stored(placed).metadata == ObjectMeta("x", generation=1)


def test_an_update_keeps_what_it_cannot_change() -> None:
    """UID, times and status are those of the stored object; a change of the spec counts."""
    now = datetime(2026, 1, 31, tzinfo=UTC)
    before = ObjectMeta("x", uid="u", generation=4, creation_timestamp=now, deletion_timestamp=now, deletion_grace_period_seconds=5)
    old = attrs.evolve(DeviceClass.from_dict(full("DeviceClass")), metadata=before)
    same = attrs.evolve(old, metadata=ObjectMeta("x", generation=9))
    assert stored(same, kubernetes="1.36", old=old).metadata == before
    assert stored(DeviceClass(ObjectMeta("x", uid="v", deletion_grace_period_seconds=1)), kubernetes="1.36", old=old).metadata == attrs.evolve(
        before, uid="v", generation=5, deletion_grace_period_seconds=1
    )
    claim = ResourceClaim.from_dict(full("ResourceClaim"))
    assert stored(attrs.evolve(claim, status=ResourceClaim().status), old=claim).status == claim.status


def test_of_a_slice_a_change_counts_that_is_dropped() -> None:
    """The API server compares a slice before it drops, a class after."""
    read = ResourceSlice.from_dict(full("ResourceSlice"))
    old = drop_disabled(read, kubernetes="1.35")
    assert stored(read, kubernetes="1.35", old=old).metadata.generation == old.metadata.generation + 1
    chosen = DeviceClass.from_dict(full("DeviceClass"))
    kept = drop_disabled(chosen, kubernetes="1.35")
    assert stored(chosen, kubernetes="1.35", old=kept).metadata.generation == kept.metadata.generation
