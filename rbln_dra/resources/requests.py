"""
Room: the requests of a claim: how many devices of which class, or the first of several such wishes that can be met.

May touch: `conditions`, `wire`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import attrs

from .. import wire
from .conditions import (
    DERIVED,
    REQUIREMENTS,
    SELECTOR,
    TOLERATION,
    CapacityRequirements,
    DeviceDerivedAttribute,
    DeviceSelector,
    DeviceToleration,
)

#: So many devices as the request says; the default.
EXACT_COUNT: Final = "ExactCount"
#: All devices of a node that match.
ALL: Final = "All"


@attrs.frozen
class ExactDeviceRequest:
    """
    A wish for devices of one class.

    Args:
        device_class_name: The class.
        selectors: Conditions beside those of the class, which must all hold.
        allocation_mode: `ExactCount` or `All`; empty means `ExactCount`. Any text can be read.
        count: How many, with `ExactCount`; 0 means 1.
        admin_access: Whether it is for an administrator, who gets devices that others use; `None` means no.
        tolerations: Taints that it puts up with.
        capacity: Amounts that it wants of each device.
        derived_attributes: Attributes that it computes of each device.

    Source: `ExactDeviceRequest` of `k8s.io/api/resource/v1`.

    >>> ExactDeviceRequest("vfio-npu.rebellions.ai", count=2).defaulted().allocation_mode
    'ExactCount'
    """

    device_class_name: str
    selectors: tuple[DeviceSelector, ...] = wire.NIL
    allocation_mode: str = ""
    count: int = 0
    admin_access: bool | None = None
    tolerations: tuple[DeviceToleration, ...] = wire.NIL
    capacity: CapacityRequirements | None = None
    derived_attributes: tuple[DeviceDerivedAttribute, ...] = wire.NIL

    def defaulted(self) -> ExactDeviceRequest:
        """Fill in mode, count and operators, as the API server does."""
        return _defaulted(self)


@attrs.frozen
class DeviceSubRequest:
    """
    One of several wishes of a request, in the order of preference.

    Args:
        name: Unique in the request.
        device_class_name: The class.
        selectors: Conditions beside those of the class, which must all hold.
        allocation_mode: `ExactCount` or `All`; empty means `ExactCount`. Any text can be read.
        count: How many, with `ExactCount`; 0 means 1.
        tolerations: Taints that it puts up with.
        capacity: Amounts that it wants of each device.
        derived_attributes: Attributes that it computes of each device.
    """

    name: str
    device_class_name: str
    selectors: tuple[DeviceSelector, ...] = wire.NIL
    allocation_mode: str = ""
    count: int = 0
    tolerations: tuple[DeviceToleration, ...] = wire.NIL
    capacity: CapacityRequirements | None = None
    derived_attributes: tuple[DeviceDerivedAttribute, ...] = wire.NIL

    def defaulted(self) -> DeviceSubRequest:
        """Fill in mode, count and operators, as the API server does."""
        return _defaulted(self)


@attrs.frozen
class DeviceRequest:
    """
    A request of a claim. A valid one has either `exactly` or `first_available`.

    Args:
        name: Unique in the claim.
        exactly: The wish.
        first_available: Wishes of which the first that can be met counts.

    >>> request = DeviceRequest("npu", ExactDeviceRequest("vfio-npu.rebellions.ai"))
    >>> request.defaulted().exactly.count
    1
    """

    name: str
    exactly: ExactDeviceRequest | None = None
    first_available: tuple[DeviceSubRequest, ...] = wire.NIL

    def defaulted(self) -> DeviceRequest:
        """Fill in what the API server does."""
        exactly = None if self.exactly is None else self.exactly.defaulted()
        return attrs.evolve(self, exactly=exactly, first_available=each(self.first_available, DeviceSubRequest.defaulted))


R = TypeVar("R", ExactDeviceRequest, DeviceSubRequest)
V = TypeVar("V")


def _defaulted(request: R) -> R:
    """Fill in mode, count and operators."""
    mode = request.allocation_mode or EXACT_COUNT
    count = 1 if mode == EXACT_COUNT and request.count == 0 else request.count
    return attrs.evolve(request, allocation_mode=mode, count=count, tolerations=each(request.tolerations, DeviceToleration.defaulted))


def each(items: tuple[V, ...], change: Callable[[V], V]) -> tuple[V, ...]:
    """Change each item; a list that is not there stays so."""
    return tuple(change(item) for item in items) if items else items


_WISH: Final = (
    wire.Field("deviceClassName", "device_class_name", wire.STRING, always=True),
    wire.Field("selectors", "selectors", wire.list_of(SELECTOR)),
    wire.Field("allocationMode", "allocation_mode", wire.STRING),
    wire.Field("count", "count", wire.INTEGER),
)
_ADMIN_ACCESS: Final = wire.Field("adminAccess", "admin_access", wire.optional(wire.BOOLEAN))
_LATER: Final = (
    wire.Field("tolerations", "tolerations", wire.list_of(TOLERATION)),
    wire.Field("capacity", "capacity", wire.optional(REQUIREMENTS)),
    wire.Field("derivedAttributes", "derived_attributes", wire.list_of(DERIVED), since=37),
)
_NAME: Final = wire.Field("name", "name", wire.STRING, always=True)

_EXACTLY: Final = wire.struct(
    ExactDeviceRequest,
    *_WISH,
    _ADMIN_ACCESS,
    *_LATER,
    expected='a wish such as {"deviceClassName": "vfio-npu.rebellions.ai"}',
)
_FIRST_AVAILABLE: Final = wire.Field(
    "firstAvailable",
    "first_available",
    wire.list_of(
        wire.struct(
            DeviceSubRequest,
            _NAME,
            *_WISH,
            *_LATER,
            expected='a subrequest such as {"name": "large", "deviceClassName": "vfio-npu.rebellions.ai"}',
        )
    ),
)
_REQUEST: Final = wire.struct(
    DeviceRequest,
    _NAME,
    wire.Field("exactly", "exactly", wire.optional(_EXACTLY)),
    _FIRST_AVAILABLE,
    expected='a request such as {"name": "npu", "exactly": {"deviceClassName": "vfio-npu.rebellions.ai"}}',
)
#: The requests of v1 and v1beta2; defaults are filled in.
REQUEST: Final = wire.converted(_REQUEST, read=DeviceRequest.defaulted, write=lambda request: request)


@attrs.frozen
class _FlatRequest:
    """A request of v1beta1, which has the fields of `exactly` itself."""

    name: str
    device_class_name: str = ""
    selectors: tuple[DeviceSelector, ...] = wire.NIL
    allocation_mode: str = ""
    count: int = 0
    admin_access: bool | None = None
    first_available: tuple[DeviceSubRequest, ...] = wire.NIL
    tolerations: tuple[DeviceToleration, ...] = wire.NIL
    capacity: CapacityRequirements | None = None
    derived_attributes: tuple[DeviceDerivedAttribute, ...] = wire.NIL


#: What a request of v1beta1 and `exactly` share.
_SHARED: Final = tuple(field.name for field in attrs.fields(ExactDeviceRequest))

_FLAT: Final = wire.struct(
    _FlatRequest,
    _NAME,
    *_WISH,
    _ADMIN_ACCESS,
    _FIRST_AVAILABLE,
    *_LATER,
    expected='a request such as {"name": "npu", "deviceClassName": "vfio-npu.rebellions.ai"}',
)


def _raised(flat: _FlatRequest) -> DeviceRequest:
    """Convert from v1beta1: any field of a wish makes one. Without a class v1beta1 fills in no mode and no count."""
    values = {name: getattr(flat, name) for name in _SHARED}
    exactly = ExactDeviceRequest(**values) if any(_given(value) for value in values.values()) else None
    request = DeviceRequest(flat.name, exactly, flat.first_available)
    defaulted = request.defaulted()
    if exactly is None or defaulted.exactly is None or flat.device_class_name:
        return defaulted
    return attrs.evolve(defaulted, exactly=attrs.evolve(exactly, tolerations=defaulted.exactly.tolerations))


def _given(value: object) -> bool:
    """Tell whether a field of v1beta1 is set: an empty list and a truth value of any kind are, an empty text and a zero are not."""
    return isinstance(value, bool) or bool(value) or (isinstance(value, tuple) and not isinstance(value, wire.Nil))


def _flattened(request: DeviceRequest) -> _FlatRequest:
    """Convert to v1beta1."""
    exactly = request.exactly
    values = {} if exactly is None else {name: getattr(exactly, name) for name in _SHARED}
    return _FlatRequest(request.name, first_available=request.first_available, **values)


#: The requests of v1beta1.
REQUEST_OF_V1BETA1: Final = wire.converted(_FLAT, read=_raised, write=_flattened)
