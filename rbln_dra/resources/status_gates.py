"""
Room: what the API server drops from the status of a claim before it looks at it: fields whose feature is off, news of devices that are given back.

May touch: `claims`, `gates`, `status`, `kubernetes`, `wire`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import attrs

from .. import wire
from ..kubernetes import Kubernetes
from .claims import ResourceClaim
from .gates import Rule, consumed, consuming, dropped, results
from .status import AllocatedDeviceStatus, DeviceRequestAllocationResult, ResourceClaimStatus

_DEVICE_STATUS: Final = "DRAResourceClaimDeviceStatus"


def _changed(claim: ResourceClaim, **changes: Any) -> ResourceClaim:
    """Change the status of a claim."""
    return attrs.evolve(claim, status=attrs.evolve(claim.status, **changes))


def _without(**zeros: Any) -> Callable[[ResourceClaim], ResourceClaim]:
    """Make what sets fields of all results to zero."""

    def drop(claim: ResourceClaim) -> ResourceClaim:
        allocation = claim.status.allocation
        if allocation is None:
            return claim
        items = tuple(attrs.evolve(result, **zeros) for result in allocation.devices.results)
        devices = attrs.evolve(allocation.devices, results=items or allocation.devices.results)
        return _changed(claim, allocation=attrs.evolve(allocation, devices=devices))

    return drop


def _of_results(used: Callable[[DeviceRequestAllocationResult], bool]) -> Callable[[ResourceClaim], bool]:
    """Make what tells whether any result has something."""
    return lambda claim: any(used(result) for result in results(claim.status))


def _privileged(claim: ResourceClaim) -> bool:
    """Tell whether a claim asks for admin access, or got it; whether it is true or false does not matter."""
    asked = any(request.exactly is not None and request.exactly.admin_access is not None for request in claim.spec.devices.requests)
    return asked or any(result.admin_access is not None for result in results(claim.status))


def _unshared(claim: ResourceClaim) -> ResourceClaim:
    """Drop what says which share of a device was allocated."""
    devices = tuple(attrs.evolve(device, share_id=None) for device in claim.status.devices) or claim.status.devices
    return _changed(_without(share_id=None, consumed_capacity={})(claim), devices=devices)


def _conditional(result: DeviceRequestAllocationResult) -> bool:
    """Tell whether a result has binding conditions; an empty list of them counts."""
    return not (isinstance(result.binding_conditions, wire.Nil) and isinstance(result.binding_failure_conditions, wire.Nil))


_UNCONDITIONAL: Final = _without(binding_conditions=wire.NIL, binding_failure_conditions=wire.NIL)


def _untimed(claim: ResourceClaim) -> ResourceClaim:
    """Drop binding conditions, and when the devices were allocated."""
    allocation = claim.status.allocation
    return claim if allocation is None else _UNCONDITIONAL(_changed(claim, allocation=attrs.evolve(allocation, allocation_timestamp=None)))


def _timed(claim: ResourceClaim) -> bool:
    """Tell whether a claim has binding conditions, or says when its devices were allocated."""
    allocation = claim.status.allocation
    if allocation is None:
        return False
    conditional = any(result.binding_conditions or result.binding_failure_conditions for result in allocation.devices.results)
    return conditional or allocation.allocation_timestamp is not None


_COMMON: Final[tuple[Rule[ResourceClaim], ...]] = (
    Rule((_DEVICE_STATUS,), lambda claim: _changed(claim, devices=wire.NIL), lambda claim: bool(claim.status.devices)),
    Rule(("DRAAdminAccess",), _without(admin_access=None), _privileged),
    Rule(("DRAConsumableCapacity",), _unshared, lambda claim: consuming(claim.spec) or consumed(claim.status)),
)
#: 1.34 asks for another gate too, and drops the time of the allocation.
_RULES_OF_34: Final = (
    *_COMMON,
    Rule[ResourceClaim](("DRADeviceBindingConditions", _DEVICE_STATUS), _untimed, _timed, hollow=_of_results(_conditional)),
)
_RULES: Final = (
    *_COMMON,
    Rule[ResourceClaim](("DRADeviceBindingConditions",), _UNCONDITIONAL, _of_results(_conditional)),
    Rule[ResourceClaim](
        ("DRAOptionalNodeOperations",),
        _without(skip_node_operations=wire.NIL),
        _of_results(lambda result: bool(result.skip_node_operations)),
        since=37,
    ),
)


def updated_status(claim: ResourceClaim, old: ResourceClaim, release: Kubernetes) -> ResourceClaimStatus:
    """
    Give what an update of a claim's status makes of it.

    Args:
        claim: The claim with its new status and its old spec.
        old: The claim as it is stored.
        release: The minor, with its feature gates.
    """
    if release.minor.minor == 34:
        return dropped(_left(claim, old, release), _RULES_OF_34, release, old).status
    return _left(dropped(claim, _RULES, release, old), old, release).status


def _left(claim: ResourceClaim, old: ResourceClaim, release: Kubernetes) -> ResourceClaim:
    """Drop what drivers say of devices that are given back."""
    if not release.enabled(_DEVICE_STATUS) and not old.status.devices:
        return claim
    gone = _identities(results(old.status)) - _identities(results(claim.status))
    kept = tuple(device for device in claim.status.devices if identity(device) not in gone)
    return _changed(claim, devices=kept or wire.NIL)


def identity(device: AllocatedDeviceStatus | DeviceRequestAllocationResult) -> tuple[str, ...]:
    """
    Say which device, or which share of one, something is about.

    >>> identity(AllocatedDeviceStatus("npu.rebellions.ai", "node-atom", "vfio-0000-27-00-0"))
    ('npu.rebellions.ai', 'node-atom', 'vfio-0000-27-00-0', '')
    """
    return device.driver, device.pool, device.device, device.share_id or ""


def _identities(devices: Sequence[DeviceRequestAllocationResult]) -> frozenset[tuple[str, ...]]:
    """Collect identities."""
    return frozenset(identity(device) for device in devices)
