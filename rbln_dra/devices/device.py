"""
Room: the DRA device, as a ResourceSlice publishes it and the scheduler sees it.

Every field that `k8s.io/api/resource/v1` has had from 1.34 to 1.37 is here; which of them an API server keeps is validation's business.

May touch: `attributes`, `quantity`, `wire`, `errors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import attrs

from .. import wire
from ..attributes import ATTRIBUTE, DeviceAttribute
from ..errors import InvalidQuantity
from ..quantity import Quantity

_ZERO: Final = Quantity.parse("0")


@attrs.frozen
class CapacityRequestPolicyRange:
    """
    The amounts between two, by steps, that a request may consume.

    Args:
        min: The smallest.
        max: The largest; `None` means the whole capacity.
        step: The distance between two; `None` means any amount.
    """

    min: Quantity | None = None
    max: Quantity | None = None
    step: Quantity | None = None


@attrs.frozen
class CapacityRequestPolicy:
    """
    How requests consume a capacity that is shared.

    Args:
        default: What a request consumes that names no amount.
        valid_values: The amounts that may be consumed; a request is rounded up to the next. `None` when any may.
        valid_range: The range that may be consumed.
    """

    default: Quantity | None = None
    valid_values: tuple[Quantity, ...] | None = None
    valid_range: CapacityRequestPolicyRange | None = None


@attrs.frozen
class DeviceCapacity:
    """
    How much a device has of something.

    Args:
        value: The amount.
        request_policy: How requests consume it, from Kubernetes 1.34 behind the gate DRAConsumableCapacity.
    """

    value: Quantity
    request_policy: CapacityRequestPolicy | None = None


# One converter for each type: type checkers do not see through a generic one.
def _quantities(entries: Mapping[str, Quantity]) -> Mapping[str, Quantity]:
    """Freeze amounts."""
    return wire.frozen_map(entries)


@attrs.frozen
class DeviceCounterConsumption:
    """
    What a device takes from the shared counters of its pool.

    Args:
        counter_set: The name of the counter set.
        counters: The amount by the counter's name.
        compatibility_groups: Groups of which devices of one counter set must share one to be allocated together, from 1.37.
    """

    counter_set: str
    counters: Mapping[str, Quantity] = attrs.field(factory=wire.FrozenMap[Quantity], converter=_quantities)
    compatibility_groups: tuple[str, ...] = ()


@attrs.frozen
class DeviceTaint:
    """
    A mark that keeps claims away that do not tolerate it.

    Args:
        key: A label name.
        effect: `NoSchedule`, `NoExecute` or, from 1.35, `None`; any text can be read.
        value: A label value.
        time_added: When it was added, in UTC to the second.
    """

    key: str
    effect: str
    value: str = ""
    time_added: datetime | None = None


@attrs.frozen
class NodeSelectorRequirement:
    """
    One condition on a node's label or field.

    Args:
        key: The label or field.
        operator: `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`; any text can be read.
        values: What it is compared with.
    """

    key: str
    operator: str
    values: tuple[str, ...] = ()


@attrs.frozen
class NodeSelectorTerm:
    """
    Conditions that must all hold.

    Args:
        match_expressions: On the node's labels.
        match_fields: On the node's fields.
    """

    match_expressions: tuple[NodeSelectorRequirement, ...] = ()
    match_fields: tuple[NodeSelectorRequirement, ...] = ()


@attrs.frozen
class NodeSelector:
    """
    Terms of which one must hold.

    Args:
        terms: The terms.
    """

    terms: tuple[NodeSelectorTerm, ...] = ()


@attrs.frozen
class NodeAllocatableMapping:
    """
    How an allocation translates into an amount of a node's resource.

    Args:
        capacity_key: The capacity whose consumed amount counts.
        capacity_multiplier: What that amount is multiplied with.
        device_multiplier: What the number of devices is multiplied with.
    """

    capacity_key: str | None = None
    capacity_multiplier: Quantity | None = None
    device_multiplier: Quantity | None = None


@attrs.frozen
class NodeAllocatableOverhead:
    """
    What an allocation costs of a node's resource beside itself.

    Args:
        per_pod: For each pod that references the claim.
        per_container: For each reference of a container.
    """

    per_pod: Quantity | None = None
    per_container: Quantity | None = None


@attrs.frozen
class NodeAllocatableResource:
    """
    What a device takes of one resource of its node, from 1.37 behind the gate DRANodeAllocatableResources.

    Args:
        mapping: When the device is that resource.
        overhead: When the device needs it beside.
    """

    mapping: NodeAllocatableMapping | None = None
    overhead: NodeAllocatableOverhead | None = None


@attrs.frozen
class NodeAllocatableResourceMapping:
    """
    What 1.36 had in place of `NodeAllocatableResource`.

    Args:
        capacity_key: The capacity whose consumed amount counts.
        allocation_multiplier: What it is multiplied with.
    """

    capacity_key: str | None = None
    allocation_multiplier: Quantity | None = None


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


@attrs.frozen
class Device:
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
    binding_conditions: tuple[str, ...] = ()
    binding_failure_conditions: tuple[str, ...] = ()
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


def _read_quantity(value: object, strict: bool) -> Quantity:  # noqa: ARG001, FBT001 - the form of `wire.Codec.read`
    """Read a quantity: a string, or a number as written."""
    expected = "a quantity such as 16Gi"
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        wire.refuse(value, expected)
    try:
        return Quantity.parse(str(value).strip())
    except InvalidQuantity:
        wire.refuse(value, expected)


QUANTITY: Final = wire.Codec(_ZERO, _read_quantity, str)

_OPTIONAL_QUANTITY: Final = wire.optional(QUANTITY)
_OPTIONAL_STRING: Final = wire.optional(wire.STRING)
_OPTIONAL_BOOLEAN: Final = wire.optional(wire.BOOLEAN)
_STRINGS: Final = wire.list_of(wire.STRING)

_POLICY_RANGE: Final = wire.struct(
    CapacityRequestPolicyRange,
    wire.Field("min", "min", _OPTIONAL_QUANTITY),
    wire.Field("max", "max", _OPTIONAL_QUANTITY),
    wire.Field("step", "step", _OPTIONAL_QUANTITY),
    expected='a range such as {"min": "1Gi"}',
)
_POLICY: Final = wire.struct(
    CapacityRequestPolicy,
    wire.Field("default", "default", _OPTIONAL_QUANTITY, always=True),
    wire.Field("validValues", "valid_values", wire.optional(wire.list_of(QUANTITY))),
    wire.Field("validRange", "valid_range", wire.optional(_POLICY_RANGE)),
    expected='a request policy such as {"default": "1Gi"}',
)
CAPACITY: Final = wire.struct(
    DeviceCapacity,
    wire.Field("value", "value", QUANTITY, always=True),
    wire.Field("requestPolicy", "request_policy", wire.optional(_POLICY)),
    expected='a capacity such as {"value": "16Gi"}',
)
#: A counter holds nothing but its value.
COUNTER: Final = wire.member("value", QUANTITY, expected='a counter such as {"value": "4"}')

_CONSUMPTION: Final = wire.struct(
    DeviceCounterConsumption,
    wire.Field("counterSet", "counter_set", wire.STRING, always=True),
    wire.Field("counters", "counters", wire.map_of(COUNTER)),
    wire.Field("compatibilityGroups", "compatibility_groups", _STRINGS),
    expected='a counter consumption such as {"counterSet": "set", "counters": {}}',
)
TAINT: Final = wire.struct(
    DeviceTaint,
    wire.Field("key", "key", wire.STRING, always=True),
    wire.Field("value", "value", wire.STRING),
    wire.Field("effect", "effect", wire.STRING, always=True),
    wire.Field("timeAdded", "time_added", wire.TIME),
    expected='a taint such as {"key": "example.com/broken", "effect": "NoSchedule"}',
)
_REQUIREMENT: Final = wire.struct(
    NodeSelectorRequirement,
    wire.Field("key", "key", wire.STRING, always=True),
    wire.Field("operator", "operator", wire.STRING, always=True),
    wire.Field("values", "values", _STRINGS),
    expected='a requirement such as {"key": "kubernetes.io/hostname", "operator": "Exists"}',
)
_TERM: Final = wire.struct(
    NodeSelectorTerm,
    wire.Field("matchExpressions", "match_expressions", wire.list_of(_REQUIREMENT)),
    wire.Field("matchFields", "match_fields", wire.list_of(_REQUIREMENT)),
    expected='a node selector term such as {"matchExpressions": []}',
)
NODE_SELECTOR: Final = wire.struct(
    NodeSelector,
    wire.Field("nodeSelectorTerms", "terms", wire.list_of(_TERM), always=True),
    expected='a node selector such as {"nodeSelectorTerms": []}',
)
_MAPPING: Final = wire.struct(
    NodeAllocatableMapping,
    wire.Field("capacityKey", "capacity_key", _OPTIONAL_STRING),
    wire.Field("capacityMultiplier", "capacity_multiplier", _OPTIONAL_QUANTITY),
    wire.Field("deviceMultiplier", "device_multiplier", _OPTIONAL_QUANTITY),
    expected='a mapping such as {"deviceMultiplier": "8"}',
)
_OVERHEAD: Final = wire.struct(
    NodeAllocatableOverhead,
    wire.Field("perPod", "per_pod", _OPTIONAL_QUANTITY),
    wire.Field("perContainer", "per_container", _OPTIONAL_QUANTITY),
    expected='an overhead such as {"perPod": "1Gi"}',
)
_ALLOCATABLE: Final = wire.struct(
    NodeAllocatableResource,
    wire.Field("mapping", "mapping", wire.optional(_MAPPING)),
    wire.Field("overhead", "overhead", wire.optional(_OVERHEAD)),
    expected='a node-allocatable resource such as {"mapping": {"deviceMultiplier": "8"}}',
)
_ALLOCATABLE_OF_1_36: Final = wire.struct(
    NodeAllocatableResourceMapping,
    wire.Field("capacityKey", "capacity_key", _OPTIONAL_STRING),
    wire.Field("allocationMultiplier", "allocation_multiplier", _OPTIONAL_QUANTITY),
    expected='a node-allocatable resource mapping such as {"allocationMultiplier": "8"}',
)


def _new_device(**fields: Any) -> Device:
    """Make a device of which neither driver nor pool are known yet."""
    return Device(driver="", **fields)


#: How an entry of `spec.devices` is read and written; the driver is not part of it.
DEVICE: Final = wire.struct(
    _new_device,
    wire.Field("name", "name", wire.STRING, always=True),
    wire.Field("attributes", "attributes", wire.map_of(ATTRIBUTE)),
    wire.Field("capacity", "capacity", wire.map_of(CAPACITY)),
    wire.Field("consumesCounters", "consumes_counters", wire.list_of(_CONSUMPTION)),
    wire.Field("nodeName", "node_name", _OPTIONAL_STRING),
    wire.Field("nodeSelector", "node_selector", wire.optional(NODE_SELECTOR)),
    wire.Field("allNodes", "all_nodes", _OPTIONAL_BOOLEAN),
    wire.Field("taints", "taints", wire.list_of(TAINT)),
    wire.Field("bindsToNode", "binds_to_node", _OPTIONAL_BOOLEAN),
    wire.Field("bindingConditions", "binding_conditions", _STRINGS),
    wire.Field("bindingFailureConditions", "binding_failure_conditions", _STRINGS),
    wire.Field("allowMultipleAllocations", "allow_multiple_allocations", _OPTIONAL_BOOLEAN),
    wire.Field("nodeAllocatableResources", "node_allocatable_resources", wire.map_of(_ALLOCATABLE)),
    wire.Field("nodeAllocatableResourceMappings", "node_allocatable_resource_mappings", wire.map_of(_ALLOCATABLE_OF_1_36)),
    expected='a device such as {"name": "vfio-0000-27-00-0"}',
)
