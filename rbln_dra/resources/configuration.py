"""
Room: what a claim or a class tells a driver about devices, in the driver's own words.

May touch: `raw`, `wire`.
"""

from __future__ import annotations

from typing import Final

import attrs

from .. import wire
from .raw import RAW, RawJSON


@attrs.frozen
class OpaqueDeviceConfiguration:
    """
    Parameters for one driver, which Kubernetes does not look into.

    Args:
        driver: The driver they are for.
        parameters: A JSON object with `apiVersion` and `kind` by convention; `None` for none.

    >>> OpaqueDeviceConfiguration("npu.rebellions.ai", RawJSON.of({"kind": "NPUConfig"})).parameters.value
    {'kind': 'NPUConfig'}
    """

    driver: str
    parameters: RawJSON | None = None


@attrs.frozen
class DeviceClaimConfiguration:
    """
    Configuration that a claim asks for.

    Args:
        requests: The requests it is for, a subrequest as `request/subrequest`; none means all.
        opaque: The configuration.
    """

    requests: tuple[str, ...] = wire.NIL
    opaque: OpaqueDeviceConfiguration | None = None


@attrs.frozen
class DeviceClassConfiguration:
    """
    Configuration that a class brings for every device that is allocated through it.

    Args:
        opaque: The configuration.
    """

    opaque: OpaqueDeviceConfiguration | None = None


@attrs.frozen
class DeviceAllocationConfiguration:
    """
    Configuration of an allocation, from a class or from the claim.

    Args:
        source: `FromClass` or `FromClaim`; any text can be read.
        requests: The requests it is for; none means all.
        opaque: The configuration.
    """

    source: str
    requests: tuple[str, ...] = wire.NIL
    opaque: OpaqueDeviceConfiguration | None = None


_OPAQUE: Final = wire.struct(
    OpaqueDeviceConfiguration,
    wire.Field("driver", "driver", wire.STRING, always=True),
    wire.Field("parameters", "parameters", RAW, always=True),
    expected='an opaque configuration such as {"driver": "npu.rebellions.ai", "parameters": {}}',
)
_REQUESTS_FIELD: Final = wire.Field("requests", "requests", wire.list_of(wire.STRING))
_OPAQUE_FIELD: Final = wire.Field("opaque", "opaque", wire.optional(_OPAQUE))
_EXPECTED: Final = 'a configuration such as {"opaque": {"driver": "npu.rebellions.ai", "parameters": {}}}'

CLAIM_CONFIGURATION: Final = wire.struct(DeviceClaimConfiguration, _REQUESTS_FIELD, _OPAQUE_FIELD, expected=_EXPECTED)
CLASS_CONFIGURATION: Final = wire.struct(DeviceClassConfiguration, _OPAQUE_FIELD, expected=_EXPECTED)
ALLOCATION_CONFIGURATION: Final = wire.struct(
    DeviceAllocationConfiguration,
    wire.Field("source", "source", wire.STRING, always=True),
    _REQUESTS_FIELD,
    _OPAQUE_FIELD,
    expected=_EXPECTED,
)
