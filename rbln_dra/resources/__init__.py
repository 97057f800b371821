"""
Room: the objects of resource.k8s.io: ResourceSlice, DeviceClass, ResourceClaim, ResourceClaimTemplate, in every version and minor.

May touch: `devices` and the values below it.
"""

from __future__ import annotations

from .claims import DeviceClaim, DeviceConstraint, ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate, ResourceClaimTemplateSpec
from .classes import DeviceClass, DeviceClassSpec
from .conditions import CapacityRequirements, DeviceDerivedAttribute, DeviceSelector, DeviceToleration
from .configuration import DeviceAllocationConfiguration, DeviceClaimConfiguration, DeviceClassConfiguration, OpaqueDeviceConfiguration
from .fitting import fit
from .gates import drop_disabled
from .manifests import read
from .metadata import ManagedFieldsEntry, ObjectMeta, OwnerReference
from .npus import claim, claim_template, device_classes, npu_devices, product_selector
from .objects import Object, from_dict
from .pools import most_devices, pool_slices
from .raw import RawJSON
from .requests import ALL, EXACT_COUNT, DeviceRequest, DeviceSubRequest, ExactDeviceRequest
from .slices import CounterSet, ResourcePool, ResourceSlice, ResourceSliceSpec
from .status import (
    AllocatedDeviceStatus,
    AllocationResult,
    Condition,
    DeviceAllocationResult,
    DeviceRequestAllocationResult,
    NetworkDeviceData,
    ResourceClaimConsumerReference,
    ResourceClaimStatus,
)
from .storage import stored, stored_status
from .versions import GROUP, KINDS, VERSIONS

__all__ = [
    "ALL",
    "EXACT_COUNT",
    "GROUP",
    "KINDS",
    "VERSIONS",
    "AllocatedDeviceStatus",
    "AllocationResult",
    "CapacityRequirements",
    "Condition",
    "CounterSet",
    "DeviceAllocationConfiguration",
    "DeviceAllocationResult",
    "DeviceClaim",
    "DeviceClaimConfiguration",
    "DeviceClass",
    "DeviceClassConfiguration",
    "DeviceClassSpec",
    "DeviceConstraint",
    "DeviceDerivedAttribute",
    "DeviceRequest",
    "DeviceRequestAllocationResult",
    "DeviceSelector",
    "DeviceSubRequest",
    "DeviceToleration",
    "ExactDeviceRequest",
    "ManagedFieldsEntry",
    "NetworkDeviceData",
    "Object",
    "ObjectMeta",
    "OpaqueDeviceConfiguration",
    "OwnerReference",
    "RawJSON",
    "ResourceClaim",
    "ResourceClaimConsumerReference",
    "ResourceClaimSpec",
    "ResourceClaimStatus",
    "ResourceClaimTemplate",
    "ResourceClaimTemplateSpec",
    "ResourcePool",
    "ResourceSlice",
    "ResourceSliceSpec",
    "claim",
    "claim_template",
    "device_classes",
    "drop_disabled",
    "fit",
    "from_dict",
    "most_devices",
    "npu_devices",
    "pool_slices",
    "product_selector",
    "read",
    "stored",
    "stored_status",
]
