"""
Room: what a request says of the devices that it wants: expressions, tolerated taints, amounts, attributes that it computes.

May touch: `devices`, `quantity`, `wire`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from .. import wire
from ..devices.capacity import QUANTITY
from ..quantity import Quantity


def frozen_quantities(entries: Mapping[str, Quantity]) -> Mapping[str, Quantity]:
    """Freeze amounts by name."""
    return wire.frozen_map(entries)


@attrs.frozen
class DeviceSelector:
    """
    A condition on a device.

    Args:
        expression: A CEL expression that must be true of the device; `None` when the selector is of no kind that is known.

    >>> DeviceSelector('device.driver == "npu.rebellions.ai"').expression
    'device.driver == "npu.rebellions.ai"'
    """

    expression: str | None = None


@attrs.frozen
class DeviceToleration:
    """
    Taints that a request puts up with.

    Args:
        key: The taint's key; empty means all, with `Exists`.
        operator: `Exists` or `Equal`; empty means `Equal`. Any text can be read.
        value: The taint's value, with `Equal`.
        effect: `NoSchedule` or `NoExecute`; empty means all.
        toleration_seconds: For how long a taint `NoExecute` is put up with; `None` means for ever.
    """

    key: str = ""
    operator: str = ""
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None

    def defaulted(self) -> DeviceToleration:
        """Fill in the operator, as the API server does."""
        return self if self.operator else attrs.evolve(self, operator="Equal")


@attrs.frozen
class CapacityRequirements:
    """
    Amounts that a request wants of each device.

    Args:
        requests: The amount by the qualified name of the capacity.
    """

    requests: Mapping[str, Quantity] = attrs.field(factory=wire.FrozenMap[Quantity], converter=frozen_quantities)


@attrs.frozen
class DeviceDerivedAttribute:
    """
    An attribute that a request computes of each device, for constraints; from Kubernetes 1.37 behind the gate DRADerivedAttributes.

    Args:
        name: Its fully qualified name.
        expression: The CEL expression that gives its value.
    """

    name: str
    expression: str


_CEL: Final = wire.member("expression", wire.STRING, expected='an expression such as {"expression": "true"}')

SELECTOR: Final = wire.struct(
    DeviceSelector,
    wire.Field("cel", "expression", wire.optional(_CEL)),
    expected='a selector such as {"cel": {"expression": "true"}}',
)
TOLERATION: Final = wire.struct(
    DeviceToleration,
    wire.Field("key", "key", wire.STRING),
    wire.Field("operator", "operator", wire.STRING),
    wire.Field("value", "value", wire.STRING),
    wire.Field("effect", "effect", wire.STRING),
    wire.Field("tolerationSeconds", "toleration_seconds", wire.optional(wire.INTEGER)),
    expected='a toleration such as {"key": "example.com/broken", "operator": "Exists"}',
)
REQUIREMENTS: Final = wire.struct(
    CapacityRequirements,
    wire.Field("requests", "requests", wire.map_of(QUANTITY)),
    expected='requirements such as {"requests": {"memory": "16Gi"}}',
)
DERIVED: Final = wire.struct(
    DeviceDerivedAttribute,
    wire.Field("name", "name", wire.STRING, always=True),
    wire.Field("expression", "expression", wire.STRING, always=True),
    expected='a derived attribute such as {"name": "example.com/a", "expression": "true"}',
)
