"""
Room: the status of a claim: what was allocated, who uses it, and what drivers say of the devices.

May touch: `conditions`, `configuration`, `raw`, `devices`, `quantity`, `wire`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

import attrs

from .. import wire
from ..devices import NodeSelector
from ..devices.capacity import QUANTITY
from ..devices.placement import NODE_SELECTOR
from ..quantity import Quantity
from .conditions import TOLERATION, DeviceToleration, frozen_quantities
from .configuration import ALLOCATION_CONFIGURATION, DeviceAllocationConfiguration
from .raw import RAW, RawJSON


@attrs.frozen
class DeviceRequestAllocationResult:
    """
    One device that was allocated.

    Args:
        request: The request that it is for, a subrequest as `request/subrequest`.
        driver: The device's driver.
        pool: The device's pool.
        device: The device's name.
        admin_access: Whether it was allocated for an administrator.
        tolerations: Taints that the request put up with.
        binding_conditions: Conditions that must be true before a pod is bound.
        binding_failure_conditions: Conditions of which one means failure.
        share_id: Which share of a device that several use.
        consumed_capacity: What it consumes of the device's capacity.
        skip_node_operations: What the node's plugin need not do for it, from 1.37.
    """

    request: str
    driver: str
    pool: str
    device: str
    admin_access: bool | None = None
    tolerations: tuple[DeviceToleration, ...] = wire.NIL
    binding_conditions: tuple[str, ...] = wire.NIL
    binding_failure_conditions: tuple[str, ...] = wire.NIL
    share_id: str | None = None
    consumed_capacity: Mapping[str, Quantity] = attrs.field(factory=wire.FrozenMap[Quantity], converter=frozen_quantities)
    skip_node_operations: tuple[str, ...] = wire.NIL

    def defaulted(self) -> DeviceRequestAllocationResult:
        """Fill in the operators of tolerations, as the API server does."""
        return attrs.evolve(self, tolerations=tuple(each.defaulted() for each in self.tolerations)) if self.tolerations else self


@attrs.frozen
class DeviceAllocationResult:
    """
    The devices that were allocated.

    Args:
        results: One entry for each device.
        config: Configuration for their drivers, from classes and claim.
    """

    results: tuple[DeviceRequestAllocationResult, ...] = wire.NIL
    config: tuple[DeviceAllocationConfiguration, ...] = wire.NIL


@attrs.frozen
class AllocationResult:
    """
    What a claim got.

    Args:
        devices: The devices.
        node_selector: The nodes where they can be used; `None` means all.
        allocation_timestamp: When it was allocated, from 1.34.
    """

    devices: DeviceAllocationResult = attrs.field(factory=DeviceAllocationResult)
    node_selector: NodeSelector | None = None
    allocation_timestamp: datetime | None = None


@attrs.frozen
class ResourceClaimConsumerReference:
    """
    Who may use a claim.

    Args:
        resource: `pods`.
        name: Its name.
        uid: Its UID.
        api_group: The API group of the resource; empty for the core.
    """

    resource: str
    name: str
    uid: str
    api_group: str = ""


@attrs.frozen
class Condition:
    """
    One aspect of the state of something.

    Args:
        type: The aspect: `Ready`.
        status: `True`, `False` or `Unknown`; any text can be read.
        last_transition_time: When the status changed.
        reason: Why, in one word.
        message: Why, in prose.
        observed_generation: The generation of what it was seen of.
    """

    type: str
    status: str
    last_transition_time: datetime | None = None
    reason: str = ""
    message: str = ""
    observed_generation: int = 0


@attrs.frozen
class NetworkDeviceData:
    """
    What a driver says of a network device.

    Args:
        interface_name: Its name in the pod.
        ips: Its addresses, as CIDR.
        hardware_address: Its MAC address or the like.
    """

    interface_name: str = ""
    ips: tuple[str, ...] = wire.NIL
    hardware_address: str = ""


@attrs.frozen
class AllocatedDeviceStatus:
    """
    What a driver says of an allocated device.

    Args:
        driver: The device's driver.
        pool: The device's pool.
        device: The device's name.
        share_id: Which share of a device that several use.
        conditions: Its state.
        data: Whatever else, as JSON.
        network_data: What it is as a network device.
    """

    driver: str
    pool: str
    device: str
    share_id: str | None = None
    conditions: tuple[Condition, ...] = wire.NIL
    data: RawJSON | None = None
    network_data: NetworkDeviceData | None = None


@attrs.frozen
class ResourceClaimStatus:
    """
    What became of a claim.

    Args:
        allocation: What it got; `None` while it has nothing.
        reserved_for: Who may use it.
        devices: What drivers say of the devices.
    """

    allocation: AllocationResult | None = None
    reserved_for: tuple[ResourceClaimConsumerReference, ...] = wire.NIL
    devices: tuple[AllocatedDeviceStatus, ...] = wire.NIL

    def defaulted(self) -> ResourceClaimStatus:
        """Fill in the operators of tolerations, as the API server does."""
        if self.allocation is None or not self.allocation.devices.results:
            return self
        results = tuple(result.defaulted() for result in self.allocation.devices.results)
        return attrs.evolve(self, allocation=attrs.evolve(self.allocation, devices=attrs.evolve(self.allocation.devices, results=results)))


_STRINGS: Final = wire.list_of(wire.STRING)
_OPTIONAL_STRING: Final = wire.optional(wire.STRING)

_RESULT: Final = wire.struct(
    DeviceRequestAllocationResult,
    wire.Field("request", "request", wire.STRING, always=True),
    wire.Field("driver", "driver", wire.STRING, always=True),
    wire.Field("pool", "pool", wire.STRING, always=True),
    wire.Field("device", "device", wire.STRING, always=True),
    wire.Field("adminAccess", "admin_access", wire.optional(wire.BOOLEAN)),
    wire.Field("tolerations", "tolerations", wire.list_of(TOLERATION)),
    wire.Field("bindingConditions", "binding_conditions", _STRINGS),
    wire.Field("bindingFailureConditions", "binding_failure_conditions", _STRINGS),
    wire.Field("shareID", "share_id", _OPTIONAL_STRING),
    wire.Field("consumedCapacity", "consumed_capacity", wire.map_of(QUANTITY)),
    wire.Field("skipNodeOperations", "skip_node_operations", _STRINGS, since=37),
    expected='a result such as {"request": "npu", "driver": "npu.rebellions.ai", "pool": "node-atom", "device": "vfio-0000-27-00-0"}',
)
_RESULTS: Final = wire.struct(
    DeviceAllocationResult,
    wire.Field("results", "results", wire.list_of(_RESULT)),
    wire.Field("config", "config", wire.list_of(ALLOCATION_CONFIGURATION)),
    expected='devices such as {"results": []}',
)
_ALLOCATION: Final = wire.struct(
    AllocationResult,
    wire.Field("devices", "devices", _RESULTS, always=True),
    wire.Field("nodeSelector", "node_selector", wire.optional(NODE_SELECTOR)),
    wire.Field("allocationTimestamp", "allocation_timestamp", wire.OPTIONAL_TIME),
    expected='an allocation such as {"devices": {"results": []}}',
)
_CONSUMER: Final = wire.struct(
    ResourceClaimConsumerReference,
    wire.Field("apiGroup", "api_group", wire.STRING),
    wire.Field("resource", "resource", wire.STRING, always=True),
    wire.Field("name", "name", wire.STRING, always=True),
    wire.Field("uid", "uid", wire.STRING, always=True),
    expected='a consumer such as {"resource": "pods", "name": "vm", "uid": "…"}',
)
_CONDITION: Final = wire.struct(
    Condition,
    wire.Field("type", "type", wire.STRING, always=True),
    wire.Field("status", "status", wire.STRING, always=True),
    wire.Field("observedGeneration", "observed_generation", wire.INTEGER),
    wire.Field("lastTransitionTime", "last_transition_time", wire.TIME, always=True),
    wire.Field("reason", "reason", wire.STRING, always=True),
    wire.Field("message", "message", wire.STRING, always=True),
    expected='a condition such as {"type": "Ready", "status": "True"}',
)
_NETWORK: Final = wire.struct(
    NetworkDeviceData,
    wire.Field("interfaceName", "interface_name", wire.STRING),
    wire.Field("ips", "ips", _STRINGS),
    wire.Field("hardwareAddress", "hardware_address", wire.STRING),
    expected='network data such as {"interfaceName": "net1"}',
)
_DEVICE: Final = wire.struct(
    AllocatedDeviceStatus,
    wire.Field("driver", "driver", wire.STRING, always=True),
    wire.Field("pool", "pool", wire.STRING, always=True),
    wire.Field("device", "device", wire.STRING, always=True),
    wire.Field("shareID", "share_id", _OPTIONAL_STRING),
    wire.Field("conditions", "conditions", wire.list_of(_CONDITION), always=True),
    wire.Field("data", "data", wire.optional(RAW)),
    wire.Field("networkData", "network_data", wire.optional(_NETWORK)),
    expected='a device such as {"driver": "npu.rebellions.ai", "pool": "node-atom", "device": "vfio-0000-27-00-0"}',
)
_STATUS: Final = wire.struct(
    ResourceClaimStatus,
    wire.Field("allocation", "allocation", wire.optional(_ALLOCATION)),
    wire.Field("reservedFor", "reserved_for", wire.list_of(_CONSUMER)),
    wire.Field("devices", "devices", wire.list_of(_DEVICE)),
    expected='a status such as {"allocation": {}}',
)
#: The status of a claim; defaults are filled in.
STATUS: Final = wire.converted(_STATUS, read=ResourceClaimStatus.defaulted, write=lambda status: status)
