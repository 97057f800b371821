"""
Room: amounts: what a device has of something, how requests consume it, and what the device takes from shared counters.

May touch: `documents`, `quantity`, `wire`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from .. import wire
from ..documents import Written
from ..quantity import Quantity


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


def _read_quantity(value: object, reading: wire.Reading) -> Quantity:  # noqa: ARG001 - the form of `wire.Codec.read`
    """Read a quantity: a string, or a number as written."""
    expected = "a quantity such as 16Gi"
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        wire.refuse(value, expected)
    try:
        # A number counts as it is written; of a text the API server drops blanks, no others since they stand there as escapes.
        return Quantity.parse(value.text if isinstance(value, Written) else str(value).strip(" "))
    except ValueError:  # no quantity, or an integer of more digits than Python writes
        wire.refuse(value, expected)


QUANTITY: Final = wire.Codec(Quantity.parse("0"), _read_quantity, str)
OPTIONAL_QUANTITY: Final = wire.optional(QUANTITY)

_POLICY_RANGE: Final = wire.struct(
    CapacityRequestPolicyRange,
    wire.Field("min", "min", OPTIONAL_QUANTITY),
    wire.Field("max", "max", OPTIONAL_QUANTITY),
    wire.Field("step", "step", OPTIONAL_QUANTITY),
    expected='a range such as {"min": "1Gi"}',
)
_POLICY: Final = wire.struct(
    CapacityRequestPolicy,
    wire.Field("default", "default", OPTIONAL_QUANTITY, always=True),
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
CONSUMPTION: Final = wire.struct(
    DeviceCounterConsumption,
    wire.Field("counterSet", "counter_set", wire.STRING, always=True),
    wire.Field("counters", "counters", wire.map_of(COUNTER)),
    wire.Field("compatibilityGroups", "compatibility_groups", wire.list_of(wire.STRING), since=37),
    expected='a counter consumption such as {"counterSet": "set", "counters": {}}',
)
