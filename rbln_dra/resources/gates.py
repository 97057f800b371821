"""
Room: what the API server drops from an object before it looks at it: fields whose feature is off, and what a client has no say in.

Each rule is one row: the gates that keep a part of an object, how to drop that part, and whether an older state of the object has it, which
keeps it too.

May touch: `claims`, `classes`, `slices`, `requests`, `status`, `objects`, `devices`, `attributes`, `kubernetes`, `wire`, `errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

import attrs
from packaging.version import Version

from .. import wire
from ..attributes import DeviceAttribute
from ..devices import Device
from ..errors import InvalidValue
from ..kubernetes import DEFAULT, Kubernetes
from .claims import ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate
from .classes import DeviceClass, DeviceClassSpec
from .objects import Object
from .requests import DeviceRequest, each
from .slices import ResourceSlice, ResourceSliceSpec
from .status import ResourceClaimStatus

T = TypeVar("T")
Obj = TypeVar("Obj", bound=Object)


@attrs.frozen
class Rule(Generic[T]):
    """
    A part of a spec that is dropped unless features are on or the old state has it.

    Args:
        gates: The features; all must be on.
        drop: Drops the part.
        used: Tells whether a spec has it.
        since: The number of the first Kubernetes minor that drops it.
        used_in_status: Tells whether the status of a claim has it, which counts in 1.34 only.
        hollow: Tells whether a spec has it empty, which is dropped too.
    """

    gates: tuple[str, ...]
    drop: Callable[[T], T]
    used: Callable[[T], bool]
    since: int = 0
    used_in_status: Callable[[ResourceClaimStatus], bool] = lambda _status: False
    hollow: Callable[[T], bool] = lambda _spec: False

    def keeps(self, release: Kubernetes, old: T | None, status: ResourceClaimStatus | None) -> bool:
        """Tell whether a release keeps the part."""
        minor = release.minor.minor
        if minor < self.since or all(release.enabled(gate) for gate in self.gates) or (old is not None and self.used(old)):
            return True
        return minor == 34 and status is not None and self.used_in_status(status)


def dropped(spec: T, rules: Sequence[Rule[T]], release: Kubernetes, old: T | None, status: ResourceClaimStatus | None = None) -> T:
    """Apply rules to a spec."""
    for rule in rules:
        if not rule.keeps(release, old, status) and (rule.used(spec) or rule.hollow(spec)):
            spec = rule.drop(spec)
    return spec


def _of_devices(gate: str | tuple[str, ...], used: Callable[[Device], bool], change: Callable[[Device], Device]) -> Rule[ResourceSliceSpec]:
    """Make the rule for a part of devices."""
    return Rule(
        (gate,) if isinstance(gate, str) else gate,
        lambda spec: attrs.evolve(spec, devices=each(spec.devices, change)),
        lambda spec: any(used(device) for device in spec.devices),
    )


def _partitioned(device: Device) -> bool:
    """Tell whether a device takes from counters or says itself which nodes reach it."""
    placed = (device.node_name, device.node_selector, device.all_nodes)
    return bool(device.consumes_counters) or any(place is not None for place in placed)


def _unpartitioned(spec: ResourceSliceSpec) -> ResourceSliceSpec:
    """Drop counters and the placement of single devices."""

    def change(device: Device) -> Device:
        return attrs.evolve(device, consumes_counters=(), node_name=None, node_selector=None, all_nodes=None)

    return attrs.evolve(spec, shared_counters=wire.NIL, per_device_node_selection=None, devices=each(spec.devices, change))


def _shared(device: Device) -> bool:
    """Tell whether a device can be shared by its capacity."""
    return device.allow_multiple_allocations is not None or any(item.request_policy is not None for item in device.capacity.values())


def _unshared(device: Device) -> Device:
    """Drop what lets a device be shared."""
    capacity = {name: attrs.evolve(item, request_policy=None) for name, item in device.capacity.items()}
    return attrs.evolve(device, allow_multiple_allocations=None, capacity=capacity)


_LISTS: Final = ("int_values", "bool_values", "string_values", "version_values")


def _listed(attribute: DeviceAttribute) -> bool:
    """Tell whether an attribute has a list."""
    return any(getattr(attribute, name) is not None for name in _LISTS)


def _unlisted(device: Device) -> Device:
    """Drop the lists of a device's attributes."""
    none: dict[str, Any] = dict.fromkeys(_LISTS)
    attributes = {name: attrs.evolve(item, **none) if _listed(item) else item for name, item in device.attributes.items()}
    return attrs.evolve(device, attributes=attributes)


def _ungrouped(device: Device) -> Device:
    """Drop the compatibility groups of a device's consumptions."""
    return attrs.evolve(device, consumes_counters=each(device.consumes_counters, lambda item: attrs.evolve(item, compatibility_groups=())))


SLICE_RULES: Final[tuple[Rule[ResourceSliceSpec], ...]] = (
    _of_devices("DRADeviceTaints", lambda device: bool(device.taints), lambda device: attrs.evolve(device, taints=())),
    Rule(
        ("DRAPartitionableDevices",),
        _unpartitioned,
        lambda spec: bool(spec.shared_counters) or spec.per_device_node_selection is not None or any(_partitioned(device) for device in spec.devices),
        hollow=lambda spec: not isinstance(spec.shared_counters, wire.Nil),
    ),
    _of_devices(
        ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"),
        lambda device: bool(device.binding_conditions or device.binding_failure_conditions) or device.binds_to_node is not None,
        lambda device: attrs.evolve(device, binding_conditions=(), binding_failure_conditions=(), binds_to_node=None),
    ),
    _of_devices("DRAConsumableCapacity", _shared, _unshared),
    _of_devices(
        "DRADeviceCompatibilityGroups",
        lambda device: any(consumption.compatibility_groups for consumption in device.consumes_counters),
        _ungrouped,
    ),
    _of_devices(
        "DRANodeAllocatableResources",
        lambda device: bool(device.node_allocatable_resources or device.node_allocatable_resource_mappings),
        lambda device: attrs.evolve(device, node_allocatable_resources={}, node_allocatable_resource_mappings={}),
    ),
    _of_devices("DRAListTypeAttributes", lambda device: any(_listed(item) for item in device.attributes.values()), _unlisted),
    Rule(
        ("DRAPartitionableDevicesType",),
        lambda spec: attrs.evolve(spec, partition_type_attribute=None),
        lambda spec: spec.partition_type_attribute is not None,
    ),
    Rule(
        ("DRAOptionalNodeOperations",),
        lambda spec: attrs.evolve(spec, skip_node_operations=wire.NIL),
        lambda spec: bool(spec.skip_node_operations),
    ),
)

CLASS_RULES: Final[tuple[Rule[DeviceClassSpec], ...]] = (
    Rule(
        ("DRAExtendedResource",),
        lambda spec: attrs.evolve(spec, extended_resource_name=None),
        lambda spec: spec.extended_resource_name is not None,
    ),
)


def _wishes(spec: ResourceClaimSpec) -> list[Any]:
    """Give the wishes of all requests."""
    return [wish for request in spec.devices.requests for wish in (request.exactly, *request.first_available) if wish is not None]


def _of_requests(spec: ResourceClaimSpec, change: Callable[[DeviceRequest], DeviceRequest]) -> ResourceClaimSpec:
    """Change each request."""
    return attrs.evolve(spec, devices=attrs.evolve(spec.devices, requests=each(spec.devices.requests, change)))


def _without(**zeros: Any) -> Callable[[ResourceClaimSpec], ResourceClaimSpec]:
    """Make what sets fields of all wishes to zero."""

    def change(request: DeviceRequest) -> DeviceRequest:
        exactly = None if request.exactly is None else attrs.evolve(request.exactly, **zeros)
        return attrs.evolve(request, exactly=exactly, first_available=each(request.first_available, lambda wish: attrs.evolve(wish, **zeros)))

    return lambda spec: _of_requests(spec, change)


def _unprivileged(request: DeviceRequest) -> DeviceRequest:
    """Drop admin access."""
    return request if request.exactly is None else attrs.evolve(request, exactly=attrs.evolve(request.exactly, admin_access=None))


def _undistinguished(spec: ResourceClaimSpec) -> ResourceClaimSpec:
    """Drop what must be different between devices."""
    constraints = each(spec.devices.constraints, lambda constraint: attrs.evolve(constraint, distinct_attribute=None))
    return attrs.evolve(spec, devices=attrs.evolve(spec.devices, constraints=constraints))


def consuming(spec: ResourceClaimSpec) -> bool:
    """Tell whether a claim has anything of consumable capacity."""
    distinct = any(constraint.distinct_attribute is not None for constraint in spec.devices.constraints)
    return distinct or any(wish.capacity is not None for wish in _wishes(spec))


def results(status: ResourceClaimStatus) -> tuple[Any, ...]:
    """Give the allocated devices."""
    return () if status.allocation is None else status.allocation.devices.results


def consumed(status: ResourceClaimStatus) -> bool:
    """Tell whether a claim got a share of a device."""
    shares = any(result.share_id is not None or result.consumed_capacity for result in results(status))
    return shares or any(device.share_id is not None for device in status.devices)


CLAIM_RULES: Final[tuple[Rule[ResourceClaimSpec], ...]] = (
    Rule(
        ("DRAPrioritizedList",),
        lambda spec: _of_requests(spec, lambda request: attrs.evolve(request, first_available=wire.NIL)),
        lambda spec: any(request.first_available for request in spec.devices.requests),
    ),
    Rule(("DRADeviceTaints",), _without(tolerations=wire.NIL), lambda spec: any(wish.tolerations for wish in _wishes(spec)), since=35),
    Rule(
        ("DRAAdminAccess",),
        lambda spec: _of_requests(spec, _unprivileged),
        lambda spec: any(request.exactly is not None and request.exactly.admin_access is not None for request in spec.devices.requests),
        used_in_status=lambda status: any(result.admin_access is not None for result in results(status)),
    ),
    Rule(("DRAConsumableCapacity",), _without(capacity=None), consuming, used_in_status=consumed),
    # 1.34 drops it from a copy, so it stays.
    Rule(("DRAConsumableCapacity",), _undistinguished, consuming, since=35),
    Rule(
        ("DRADerivedAttributes",),
        _without(derived_attributes=wire.NIL),
        lambda spec: any(wish.derived_attributes for wish in _wishes(spec)),
    ),
)


_KINDS: Final = (ResourceSlice, DeviceClass, ResourceClaim, ResourceClaimTemplate)
_EXPECTED: Final = "an object as from_dict gives it, and old of the same kind"


def drop_disabled(obj: Obj, *, kubernetes: str | Version | Kubernetes = DEFAULT, old: Obj | None = None) -> Obj:
    """
    Drop what a release does not keep in the spec of an object, as the API server does before it validates.

    A field is kept when its feature is on, or when the old state of the object has something of that feature.

    Args:
        obj: The object.
        kubernetes: The minor, with its feature gates.
        old: The object as it is stored, when `obj` is an update of it.

    Raises:
        UnknownKubernetes: The minor is not known.

    >>> drop_disabled(DeviceClass(spec=DeviceClassSpec(extended_resource_name="example.com/npu")), kubernetes="1.34").spec
    DeviceClassSpec(selectors=(), config=(), extended_resource_name=None)
    """
    release = Kubernetes.of(kubernetes)
    InvalidValue.unless(obj, _KINDS, _EXPECTED)
    if old is not None:
        InvalidValue.unless(old, type(obj), _EXPECTED)
    made: Object = obj
    before: Any = None if old is None else old.spec
    spec: Any
    if isinstance(made, ResourceSlice):
        spec = dropped(made.spec, SLICE_RULES, release, before)
    elif isinstance(made, DeviceClass):
        spec = dropped(made.spec, CLASS_RULES, release, before)
    elif isinstance(made, ResourceClaim):
        spec = dropped(made.spec, CLAIM_RULES, release, before, old.status if isinstance(old, ResourceClaim) else None)
    else:
        inner = dropped(made.spec.spec, CLAIM_RULES, release, None if before is None else before.spec)
        spec = made.spec if inner is made.spec.spec else attrs.evolve(made.spec, spec=inner)
    return obj if spec is obj.spec else attrs.evolve(obj, spec=spec)
