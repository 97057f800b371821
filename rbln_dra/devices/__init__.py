"""
Room: the NPU and the NUMA node, which are what a host says, and the device, which is what is published for an NPU.

May touch: `attributes`, `products` and the values below them.
"""

from __future__ import annotations

from .capacity import CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity, DeviceCounterConsumption
from .device import Device
from .npu import CONTAINER_DRIVER, NPU, NPU_CLASS, PASSTHROUGH_DRIVER, vfio_driver
from .numa import NUMANode
from .placement import (
    DeviceTaint,
    NodeAllocatableMapping,
    NodeAllocatableOverhead,
    NodeAllocatableResource,
    NodeAllocatableResourceMapping,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
)
from .profiles import DOCUMENTED, PROFILES, Profile
from .publishing import publish

__all__ = [
    "CONTAINER_DRIVER",
    "DOCUMENTED",
    "NPU",
    "NPU_CLASS",
    "PASSTHROUGH_DRIVER",
    "PROFILES",
    "CapacityRequestPolicy",
    "CapacityRequestPolicyRange",
    "Device",
    "DeviceCapacity",
    "DeviceCounterConsumption",
    "DeviceTaint",
    "NUMANode",
    "NodeAllocatableMapping",
    "NodeAllocatableOverhead",
    "NodeAllocatableResource",
    "NodeAllocatableResourceMapping",
    "NodeSelector",
    "NodeSelectorRequirement",
    "NodeSelectorTerm",
    "Profile",
    "publish",
    "vfio_driver",
]
