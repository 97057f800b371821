"""
Room: where a device may be used, what keeps claims away from it, and what it takes of its node.

May touch: `capacity`, `quantity`, `wire`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import attrs

from .. import wire
from ..quantity import Quantity
from .capacity import OPTIONAL_QUANTITY


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
    values: tuple[str, ...] = wire.NIL


@attrs.frozen
class NodeSelectorTerm:
    """
    Conditions that must all hold.

    Args:
        match_expressions: On the node's labels.
        match_fields: On the node's fields.
    """

    match_expressions: tuple[NodeSelectorRequirement, ...] = wire.NIL
    match_fields: tuple[NodeSelectorRequirement, ...] = wire.NIL


@attrs.frozen
class NodeSelector:
    """
    Terms of which one must hold.

    Args:
        terms: The terms.
    """

    terms: tuple[NodeSelectorTerm, ...] = wire.NIL


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


_OPTIONAL_STRING: Final = wire.optional(wire.STRING)

TAINT: Final = wire.struct(
    DeviceTaint,
    wire.Field("key", "key", wire.STRING, always=True),
    wire.Field("value", "value", wire.STRING),
    wire.Field("effect", "effect", wire.STRING, always=True),
    wire.Field("timeAdded", "time_added", wire.OPTIONAL_TIME),
    expected='a taint such as {"key": "example.com/broken", "effect": "NoSchedule"}',
)
_REQUIREMENT: Final = wire.struct(
    NodeSelectorRequirement,
    wire.Field("key", "key", wire.STRING, always=True),
    wire.Field("operator", "operator", wire.STRING, always=True),
    wire.Field("values", "values", wire.list_of(wire.STRING)),
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
    wire.Field("capacityMultiplier", "capacity_multiplier", OPTIONAL_QUANTITY),
    wire.Field("deviceMultiplier", "device_multiplier", OPTIONAL_QUANTITY),
    expected='a mapping such as {"deviceMultiplier": "8"}',
)
_OVERHEAD: Final = wire.struct(
    NodeAllocatableOverhead,
    wire.Field("perPod", "per_pod", OPTIONAL_QUANTITY),
    wire.Field("perContainer", "per_container", OPTIONAL_QUANTITY),
    expected='an overhead such as {"perPod": "1Gi"}',
)
ALLOCATABLE: Final = wire.struct(
    NodeAllocatableResource,
    wire.Field("mapping", "mapping", wire.optional(_MAPPING)),
    wire.Field("overhead", "overhead", wire.optional(_OVERHEAD)),
    expected='a node-allocatable resource such as {"mapping": {"deviceMultiplier": "8"}}',
)
ALLOCATABLE_OF_1_36: Final = wire.struct(
    NodeAllocatableResourceMapping,
    wire.Field("capacityKey", "capacity_key", _OPTIONAL_STRING),
    wire.Field("allocationMultiplier", "allocation_multiplier", OPTIONAL_QUANTITY),
    expected='a node-allocatable resource mapping such as {"allocationMultiplier": "8"}',
)
