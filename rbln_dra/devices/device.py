"""
Room: the DRA device, as a ResourceSlice publishes it and the scheduler sees it.

Every field that `k8s.io/api/resource/v1` has had from 1.34 to 1.37 is here; which of them an API server keeps is validation's business.

May touch: `capacity`, `placement`, `attributes`, `wire`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs

from .. import wire
from ..attributes import ATTRIBUTE, DeviceAttribute
from .capacity import CAPACITY, CONSUMPTION, DeviceCapacity, DeviceCounterConsumption
from .placement import (
    ALLOCATABLE,
    ALLOCATABLE_OF_1_36,
    NODE_SELECTOR,
    TAINT,
    DeviceTaint,
    NodeAllocatableResource,
    NodeAllocatableResourceMapping,
    NodeSelector,
)


# One converter for each type: type checkers do not see through a generic one.
def _attributes(entries: Mapping[str, DeviceAttribute]) -> Mapping[str, DeviceAttribute]:
    """Freeze attributes."""
    return wire.frozen_map(entries)


def _capacities(entries: Mapping[str, DeviceCapacity]) -> Mapping[str, DeviceCapacity]:
    """Freeze capacities."""
    return wire.frozen_map(entries)


def _allocatable(entries: Mapping[str, NodeAllocatableResource]) -> Mapping[str, NodeAllocatableResource]:
    """Freeze resources of a node."""
    return wire.frozen_map(entries)


def _allocatable_of_1_36(entries: Mapping[str, NodeAllocatableResourceMapping]) -> Mapping[str, NodeAllocatableResourceMapping]:
    """Freeze resources of a node, in the form of 1.36."""
    return wire.frozen_map(entries)


class _Prepared:
    """What the CEL engine keeps on a device: see `cel.preparation`. No part of the value: never compared, shown or pickled."""

    __slots__ = ("prepared", "prepared_with_lists")


@attrs.frozen
class Device(_Prepared):
    """
    One device of a ResourceSlice, with the driver and the pool that the slice names.

    Reading judges nothing: names may be invalid, attributes may have two values or none, two keys may mean the same (`type` and
    `npu.rebellions.ai/type`). Mappings keep the order of their source.

    Args:
        name: Unique in the pool: `vfio-0000-27-00-0`.
        driver: The DRA driver that publishes it; attribute names without a domain belong to it.
        pool: The pool that it is in, for the NPU driver the node's name; `None` when that is not known.
        attributes: What selectors can test, by qualified name.
        capacity: Amounts that selectors can test, by qualified name.
        consumes_counters: What it takes from shared counters.
        node_name: The node that has it; `None` when the slice says so for all.
        node_selector: The nodes that can reach it.
        all_nodes: Whether all nodes can reach it.
        taints: What claims have to tolerate.
        binds_to_node: Whether its allocation binds the claim to the node that it was chosen for.
        binding_conditions: Conditions that must be true before a pod is bound.
        binding_failure_conditions: Conditions of which one means failure.
        allow_multiple_allocations: Whether several claims may share it; `None` means no.
        node_allocatable_resources: What it takes of its node's resources, from 1.37.
        node_allocatable_resource_mappings: The form which that had in 1.36.

    Source: `Device` of `k8s.io/api/resource/v1`, v0.34 to v0.37.

    >>> device = Device.from_dict({"name": "vfio-0000-27-00-0", "attributes": {"type": {"string": "vfio"}}}, driver="npu.rebellions.ai")
    >>> device.attributes["type"].string_value
    'vfio'
    >>> device.to_dict()
    {'name': 'vfio-0000-27-00-0', 'attributes': {'type': {'string': 'vfio'}}}
    """

    name: str
    driver: str
    pool: str | None = None
    attributes: Mapping[str, DeviceAttribute] = attrs.field(factory=wire.FrozenMap[DeviceAttribute], converter=_attributes)
    capacity: Mapping[str, DeviceCapacity] = attrs.field(factory=wire.FrozenMap[DeviceCapacity], converter=_capacities)
    consumes_counters: tuple[DeviceCounterConsumption, ...] = ()
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool | None = None
    taints: tuple[DeviceTaint, ...] = ()
    binds_to_node: bool | None = None
    binding_conditions: tuple[str, ...] = wire.NIL
    binding_failure_conditions: tuple[str, ...] = wire.NIL
    allow_multiple_allocations: bool | None = None
    node_allocatable_resources: Mapping[str, NodeAllocatableResource] = attrs.field(
        factory=wire.FrozenMap[NodeAllocatableResource], converter=_allocatable
    )
    node_allocatable_resource_mappings: Mapping[str, NodeAllocatableResourceMapping] = attrs.field(
        factory=wire.FrozenMap[NodeAllocatableResourceMapping], converter=_allocatable_of_1_36
    )

    @classmethod
    def from_dict(cls, obj: object, *, driver: str, pool: str | None = None, path: str = "", strict: bool = False) -> Device:
        """
        Read an entry of a ResourceSlice's `spec.devices` in the v1 form, whatever the API server can read.

        Args:
            obj: A mapping, as `json.loads` gives it. `null` values are absent.
            driver: The slice's `spec.driver`.
            pool: The slice's `spec.pool.name`.
            path: Where it stands, for errors: `spec.devices[0]`.
            strict: Whether an unknown key is an error; the API server, and so the default, drops it.

        Raises:
            DecodeError: The API server could not read it.
        """
        read = DEVICE.from_json(obj, path=path, strict=strict)
        return attrs.evolve(read, driver=driver, pool=pool)

    def to_dict(self) -> dict[str, Any]:
        """Give the v1 form, without the driver and the pool, which a slice has but once."""
        written: dict[str, Any] = DEVICE.write(self)
        return written

    @property
    def id(self) -> tuple[str, str | None, str]:
        """Driver, pool and name: what identifies it in a cluster."""
        return self.driver, self.pool, self.name


_OPTIONAL_STRING: Final = wire.optional(wire.STRING)
_OPTIONAL_BOOLEAN: Final = wire.optional(wire.BOOLEAN)
_STRINGS: Final = wire.list_of(wire.STRING)


def _new_device(*, name: str = "", **fields: Any) -> Device:
    """Make a device of which the driver and the pool are not known yet, and the name maybe not either."""
    return Device(name, "", **fields)


_FIELDS: Final = (
    wire.Field("attributes", "attributes", wire.map_of(ATTRIBUTE)),
    wire.Field("capacity", "capacity", wire.map_of(CAPACITY)),
    wire.Field("consumesCounters", "consumes_counters", wire.list_of(CONSUMPTION)),
    wire.Field("nodeName", "node_name", _OPTIONAL_STRING),
    wire.Field("nodeSelector", "node_selector", wire.optional(NODE_SELECTOR)),
    wire.Field("allNodes", "all_nodes", _OPTIONAL_BOOLEAN),
    wire.Field("taints", "taints", wire.list_of(TAINT)),
    wire.Field("bindsToNode", "binds_to_node", _OPTIONAL_BOOLEAN),
    wire.Field("bindingConditions", "binding_conditions", _STRINGS),
    wire.Field("bindingFailureConditions", "binding_failure_conditions", _STRINGS),
    wire.Field("allowMultipleAllocations", "allow_multiple_allocations", _OPTIONAL_BOOLEAN),
    wire.Field("nodeAllocatableResources", "node_allocatable_resources", wire.map_of(ALLOCATABLE), since=37),
    wire.Field("nodeAllocatableResourceMappings", "node_allocatable_resource_mappings", wire.map_of(ALLOCATABLE_OF_1_36), since=36, until=36),
)
#: How an entry of `spec.devices` is read and written; the driver is not part of it.
DEVICE: Final = wire.struct(
    _new_device,
    wire.Field("name", "name", wire.STRING, always=True),
    *_FIELDS,
    expected='a device such as {"name": "vfio-0000-27-00-0"}',
)
#: What v1beta1 has under `basic`: all of a device but its name.
BASIC: Final = wire.struct(_new_device, *_FIELDS, expected='a device such as {"attributes": {}}')
