"""
Room: the limits of the API, one row each, by Kubernetes minor. The documentation's table is made of them.

May touch: `errors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from ..errors import InvalidValue

_ALWAYS: Final = 0


@attrs.frozen
class Limit:
    """
    The most of something that the API server takes.

    Args:
        name: How the checks call it.
        what: What is limited, in words.
        field: Where: `spec.devices`.
        unit: What is counted: `items`, `bytes`, `cost`.
        since: Number of the first minor with a value → the value; `None` means that there is no such limit any more.
        constant: Its name in Kubernetes, in the newest minor that has it.
    """

    name: str
    what: str
    field: str
    unit: str
    since: Mapping[int, int | None] = attrs.field(hash=False)
    constant: str = ""

    def most(self, minor: int) -> int | None:
        """
        Give the limit of a minor; `None` when that has none.

        >>> LIMITS["devices with advanced features"].most(34), LIMITS["devices with advanced features"].most(36)
        (None, 64)
        """
        InvalidValue.unless(minor, int, "the number of a minor such as 36")
        return self.since[max((first for first in self.since if first <= minor), default=-1)] if min(self.since) <= minor else None


def _row(name: str, what: str, field: str, since: int | dict[int, int | None], constant: str = "", unit: str = "items") -> Limit:
    """Make a row; a bare number holds in all minors."""
    return Limit(name, what, field, unit, MappingProxyType({_ALWAYS: since} if isinstance(since, int) else since), constant)


_SPEC: Final = "spec.devices"
_DEVICE: Final = "spec.devices[]"
_REQUEST: Final = "spec.devices.requests[]"
_ALLOCATED: Final = "status.allocation.devices"
_STATUS: Final = "status.devices[]"

#: All limits, by name.
LIMITS: Final[Mapping[str, Limit]] = MappingProxyType(
    {
        row.name: row
        for row in (
            _row("devices", "devices of a ResourceSlice", _SPEC, 128, "ResourceSliceMaxDevices"),
            _row(
                "devices with advanced features",
                "devices of a slice of which one has taints or consumes counters (from 1.36: or has a list attribute)",
                _SPEC,
                {35: 64},
                "ResourceSliceMaxDevicesWithAdvancedFeatures",
            ),
            _row(
                "attributes and capacities",
                "attributes and capacities of a device",
                _DEVICE,
                32,
                "ResourceSliceMaxAttributesAndCapacitiesPerDevice",
            ),
            _row(
                "attribute values",
                "values of a device's attributes, with each item of a list",
                _DEVICE,
                {36: 48},
                "ResourceSliceMaxAttributeValuesPerDevice",
            ),
            _row(
                "attribute value",
                "a string or version of an attribute",
                f"{_DEVICE}.attributes[].string",
                64,
                "DeviceAttributeMaxValueLength",
                "bytes",
            ),
            _row("domain", "the domain of an attribute's or capacity's name", f"{_DEVICE}.attributes", 63, "DeviceMaxDomainLength", "bytes"),
            _row("id", "the last part of that name", f"{_DEVICE}.attributes", 32, "DeviceMaxIDLength", "bytes"),
            _row("taints", "taints of a device", f"{_DEVICE}.taints", {34: 4, 35: 16}, "DeviceTaintsMaxLength"),
            _row("binding conditions", "binding conditions of a device", f"{_DEVICE}.bindingConditions", 4, "BindingConditionsMaxSize"),
            _row(
                "binding failure conditions",
                "binding failure conditions of a device",
                f"{_DEVICE}.bindingFailureConditions",
                4,
                "BindingFailureConditionsMaxSize",
            ),
            _row("counter sets", "counter sets of a slice", "spec.sharedCounters", {35: 8}, "ResourceSliceMaxCounterSets"),
            _row(
                "counters of a set", "counters of a counter set", "spec.sharedCounters[].counters", {35: 32}, "ResourceSliceMaxCountersPerCounterSet"
            ),
            _row("shared counters", "counters of all counter sets", "spec.sharedCounters", {34: 32, 35: None}, "ResourceSliceMaxSharedCounters"),
            _row(
                "consumptions",
                "counter sets that a device consumes from",
                f"{_DEVICE}.consumesCounters",
                {35: 2},
                "ResourceSliceMaxDeviceCounterConsumptionsPerDevice",
            ),
            _row(
                "counters of a consumption",
                "counters of one set that a device consumes",
                f"{_DEVICE}.consumesCounters[].counters",
                {35: 32},
                "ResourceSliceMaxCountersPerDeviceCounterConsumption",
            ),
            _row("counters of a device", "counters that a device consumes", _DEVICE, {34: 32, 35: None}, "ResourceSliceMaxCountersPerDevice"),
            _row(
                "counters of all devices",
                "counters that the devices of a slice consume",
                _SPEC,
                {34: 1024, 35: None},
                "ResourceSliceMaxDeviceCountersPerSlice",
            ),
            _row(
                "compatibility groups",
                "compatibility groups of a consumption",
                f"{_DEVICE}.consumesCounters[].compatibilityGroups",
                {37: 2},
                "DeviceCompatibilityGroupsMaxSize",
            ),
            _row(
                "valid values",
                "amounts that may be consumed of a capacity",
                f"{_DEVICE}.capacity[].requestPolicy.validValues",
                10,
                "CapacityRequestPolicyDiscreteMaxOptions",
            ),
            _row("driver", "the name of a driver", "spec.driver", 63, "DriverNameMaxLength", "bytes"),
            _row("pool", "the name of a pool", "spec.pool.name", 253, "PoolNameMaxLength", "bytes"),
            _row("requests", "requests of a claim, and names in each `requests`", "spec.devices.requests", 32, "DeviceRequestsMaxSize"),
            _row("subrequests", "subrequests of a request", f"{_REQUEST}.firstAvailable", 8, "FirstAvailableDeviceRequestMaxSize"),
            _row("selectors", "selectors of a request or a class", f"{_REQUEST}.exactly.selectors", 32, "DeviceSelectorsMaxSize"),
            _row(
                "expression",
                "a CEL expression",
                f"{_REQUEST}.exactly.selectors[].cel.expression",
                10 * 1024,
                "CELSelectorExpressionMaxLength",
                "bytes",
            ),
            _row(
                "expression cost",
                "the estimated cost of a CEL expression",
                f"{_REQUEST}.exactly.selectors[].cel.expression",
                1_000_000,
                "CELSelectorExpressionMaxCost",
                "cost",
            ),
            _row(
                "derived attributes",
                "derived attributes of a request",
                f"{_REQUEST}.exactly.derivedAttributes",
                {37: 32},
                "DeviceDerivedAttributesMaxSize",
            ),
            _row(
                "derived cost",
                "the estimated cost of all derived attributes of a claim",
                _SPEC,
                {37: 1_000_000},
                "DeviceClaimDerivedAttributeCELMaxCost",
                "cost",
            ),
            _row("constraints", "constraints of a claim", "spec.devices.constraints", 32, "DeviceConstraintsMaxSize"),
            _row("configurations", "configurations of a claim or a class", "spec.devices.config", 32, "DeviceConfigMaxSize"),
            _row(
                "parameters",
                "opaque parameters, as JSON",
                "spec.devices.config[].opaque.parameters",
                10 * 1024,
                "OpaqueParametersMaxLength",
                "bytes",
            ),
            _row("results", "allocated devices of a claim", f"{_ALLOCATED}.results", 32, "AllocationResultsMaxSize"),
            _row("allocation configurations", "configurations of an allocation, of classes and claim", f"{_ALLOCATED}.config", 64),
            _row("consumers", "who may use a claim", "status.reservedFor", 256, "ResourceClaimReservedForMaxSize"),
            _row("conditions", "conditions of an allocated device", f"{_STATUS}.conditions", 8, "AllocatedDeviceStatusMaxConditions"),
            _row("condition reason", "the reason of a condition", f"{_STATUS}.conditions[].reason", 1024, unit="bytes"),
            _row("condition message", "the message of a condition", f"{_STATUS}.conditions[].message", 32 * 1024, unit="bytes"),
            _row(
                "device data",
                "what a driver says of an allocated device, as JSON",
                f"{_STATUS}.data",
                10 * 1024,
                "AllocatedDeviceStatusDataMaxLength",
                "bytes",
            ),
            _row("addresses", "addresses of a network device", f"{_STATUS}.networkData.ips", 16, "NetworkDeviceDataMaxIPs"),
            _row(
                "interface name",
                "the name of a network interface",
                f"{_STATUS}.networkData.interfaceName",
                256,
                "NetworkDeviceDataInterfaceNameMaxLength",
                "bytes",
            ),
            _row(
                "hardware address",
                "the hardware address of a network device",
                f"{_STATUS}.networkData.hardwareAddress",
                128,
                "NetworkDeviceDataHardwareAddressMaxLength",
                "bytes",
            ),
            _row("annotations", "all annotations of an object", "metadata.annotations", 256 * 1024, "TotalAnnotationSizeLimitB", "bytes"),
        )
    }
)
