"""
Room: the ResourceSlice: devices of one pool, as a driver publishes them.

May touch: `conditions`, `metadata`, `versions`, `devices`, `quantity`, `kubernetes`, `wire`, `errors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import attrs
from packaging.version import Version

from .. import wire
from ..devices import Device, NodeSelector
from ..devices.capacity import COUNTER
from ..devices.device import BASIC, DEVICE
from ..devices.placement import NODE_SELECTOR
from ..errors import InvalidValue
from ..kubernetes import Kubernetes
from ..quantity import Quantity
from .conditions import frozen_quantities
from .metadata import METADATA, ObjectMeta
from .versions import Kind


@attrs.frozen
class ResourcePool:
    """
    The pool that a slice is part of.

    Args:
        name: Its name, for the NPU driver the node's.
        generation: Counts its versions; slices of older ones do not count.
        resource_slice_count: How many slices it has.
    """

    name: str = ""
    generation: int = 0
    resource_slice_count: int = 0


@attrs.frozen
class CounterSet:
    """
    Amounts that several devices of a pool take from.

    Args:
        name: Unique in the pool.
        counters: The amount by the counter's name.
    """

    name: str
    counters: Mapping[str, Quantity] = attrs.field(factory=wire.FrozenMap[Quantity], converter=frozen_quantities)


@attrs.frozen
class ResourceSliceSpec:
    """
    What a slice publishes.

    Args:
        driver: The driver that publishes it.
        pool: The pool that it is part of.
        node_name: The node that has all its devices.
        node_selector: The nodes that can reach all its devices.
        all_nodes: Whether all nodes can.
        devices: The devices. They get the driver and the pool of the slice, whatever they had.
        per_device_node_selection: Whether each device says which nodes can reach it.
        shared_counters: Amounts that the devices of the pool take from.
        partition_type_attribute: The attribute that tells which kind of partition a device is, from 1.37.
        skip_node_operations: What the node's plugin need not do for its devices, from 1.37.
    """

    driver: str = ""
    pool: ResourcePool = attrs.field(factory=ResourcePool)
    node_name: str | None = None
    node_selector: NodeSelector | None = None
    all_nodes: bool | None = None
    devices: tuple[Device, ...] = wire.NIL
    per_device_node_selection: bool | None = None
    shared_counters: tuple[CounterSet, ...] = wire.NIL
    partition_type_attribute: str | None = None
    skip_node_operations: tuple[str, ...] = wire.NIL

    def __attrs_post_init__(self) -> None:
        """Give the devices the driver and the pool."""
        try:
            owner = (self.driver, self.pool.name)
            others = any((device.driver, device.pool) != owner for device in self.devices)
        except (AttributeError, TypeError):
            raise InvalidValue((self.pool, self.devices), "a pool and a tuple of devices") from None
        if others:
            devices = tuple(attrs.evolve(device, driver=self.driver, pool=self.pool.name) for device in self.devices)
            object.__setattr__(self, "devices", devices)


@attrs.frozen
class ResourceSlice:
    """
    A slice of a pool of devices.

    Args:
        metadata: Its name and more.
        spec: What it publishes.

    Source: `ResourceSlice` of `k8s.io/api/resource`, v1, v1beta2 and v1beta1, v0.34 to v0.37.

    >>> published = ResourceSlice.from_dict({
    ...     "apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceSlice", "metadata": {"name": "node-a-x7"}, "spec": {
    ...         "driver": "npu.rebellions.ai", "nodeName": "node-a", "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1},
    ...         "devices": [{"name": "vfio-0000-27-00-0", "basic": {"attributes": {"type": {"string": "vfio"}}}}]}})
    >>> published.spec.devices[0].id
    ('npu.rebellions.ai', 'node-a', 'vfio-0000-27-00-0')
    >>> published.to_dict()["spec"]["devices"]
    [{'name': 'vfio-0000-27-00-0', 'attributes': {'type': {'string': 'vfio'}}}]
    """

    metadata: ObjectMeta = attrs.field(factory=ObjectMeta)
    spec: ResourceSliceSpec = attrs.field(factory=ResourceSliceSpec)

    @classmethod
    def from_dict(
        cls,
        obj: object,
        *,
        strict: bool = False,
        kubernetes: str | Version | Kubernetes | None = None,
        now: datetime | None = None,
    ) -> ResourceSlice:
        """
        Read a slice of any version, as the API server does: converted, and with its defaults.

        Args:
            obj: A mapping, as `json.loads` gives it.
            strict: Whether an unknown key is an error; the API server drops it.
            kubernetes: The minor that reads it: fields that it does not know are dropped. `None` knows all fields of all minors.
            now: When it is read: taints without a time get this one. `None` leaves them without.

        Raises:
            DecodeError: The API server could not read it.
            UnknownKubernetes: The minor is not known.
        """
        return SLICE.read(obj, strict=strict, kubernetes=kubernetes).defaulted(now=now)

    def to_dict(self, version: str = "v1", *, kubernetes: str | Version | Kubernetes | None = None) -> dict[str, Any]:
        """
        Give the form that it has in a version: `v1`, `v1beta2` or `v1beta1`.

        Args:
            version: The version.
            kubernetes: The minor that writes it: 1.34 writes `devices` of a slice that has none too.

        Raises:
            InvalidValue: There is no such version.
            UnknownKubernetes: The minor is not known.
        """
        written = SLICE.write(self, version)
        if not self.spec.devices and kubernetes is not None and Kubernetes.of(kubernetes).minor.minor == 34:
            written["spec"]["devices"] = None if isinstance(self.spec.devices, wire.Nil) else []
        return written

    def defaulted(self, *, now: datetime | None = None) -> ResourceSlice:
        """Fill in what the API server does: the time of taints, when one is given, and the multipliers that 1.36 had."""
        devices = tuple(_defaulted(device, now) for device in self.spec.devices)
        return self if devices == self.spec.devices else attrs.evolve(self, spec=attrs.evolve(self.spec, devices=devices))


_ONE: Final = Quantity.parse("1")


def _defaulted(device: Device, now: datetime | None) -> Device:
    """Fill in a device's defaults."""
    mappings = device.node_allocatable_resource_mappings
    if any(mapping.allocation_multiplier is None for mapping in mappings.values()):
        filled = {name: attrs.evolve(item, allocation_multiplier=item.allocation_multiplier or _ONE) for name, item in mappings.items()}
        device = attrs.evolve(device, node_allocatable_resource_mappings=filled)
    if now is not None and any(taint.time_added is None for taint in device.taints):
        moment = now.replace(microsecond=0)
        taints = tuple(attrs.evolve(taint, time_added=taint.time_added or moment) for taint in device.taints)
        device = attrs.evolve(device, taints=taints)
    return device


_OPTIONAL_STRING: Final = wire.optional(wire.STRING)
_OPTIONAL_BOOLEAN: Final = wire.optional(wire.BOOLEAN)

_POOL: Final = wire.struct(
    ResourcePool,
    wire.Field("name", "name", wire.STRING, always=True),
    wire.Field("generation", "generation", wire.INTEGER, always=True),
    wire.Field("resourceSliceCount", "resource_slice_count", wire.INTEGER, always=True),
    expected='a pool such as {"name": "node-atom", "generation": 1, "resourceSliceCount": 1}',
)
_COUNTERS: Final = wire.struct(
    CounterSet,
    wire.Field("name", "name", wire.STRING, always=True),
    wire.Field("counters", "counters", wire.map_of(COUNTER)),
    expected='a counter set such as {"name": "card", "counters": {"slots": {"value": "4"}}}',
)


@attrs.frozen
class _BoxedDevice:
    """A device of v1beta1, which has everything but its name under `basic`."""

    name: str
    basic: Device | None = None

    def unboxed(self) -> Device:
        """Convert to v1."""
        return Device(self.name, "") if self.basic is None else attrs.evolve(self.basic, name=self.name)


_BOXED: Final = wire.converted(
    wire.struct(
        _BoxedDevice,
        wire.Field("name", "name", wire.STRING, always=True),
        wire.Field("basic", "basic", wire.optional(BASIC)),
        expected='a device such as {"name": "vfio-0000-27-00-0", "basic": {}}',
    ),
    read=_BoxedDevice.unboxed,
    write=lambda device: _BoxedDevice(device.name, device),
)


def _spec(
    device: wire.Codec[Device],
    text: wire.Codec[str | None] = _OPTIONAL_STRING,
    truth: wire.Codec[bool | None] = _OPTIONAL_BOOLEAN,
) -> wire.Codec[ResourceSliceSpec]:
    """Make the codec of a spec from those of its devices, of the node's name, and of whether all nodes reach the devices."""
    return wire.struct(
        ResourceSliceSpec,
        wire.Field("driver", "driver", wire.STRING, always=True),
        wire.Field("pool", "pool", _POOL, always=True),
        wire.Field("nodeName", "node_name", text),
        wire.Field("nodeSelector", "node_selector", wire.optional(NODE_SELECTOR)),
        wire.Field("allNodes", "all_nodes", truth),
        wire.Field("devices", "devices", wire.list_of(device)),
        wire.Field("perDeviceNodeSelection", "per_device_node_selection", _OPTIONAL_BOOLEAN),
        wire.Field("sharedCounters", "shared_counters", wire.list_of(_COUNTERS)),
        wire.Field("partitionTypeAttribute", "partition_type_attribute", _OPTIONAL_STRING, since=37),
        wire.Field("skipNodeOperations", "skip_node_operations", wire.list_of(wire.STRING), since=37),
        expected='a spec such as {"driver": "npu.rebellions.ai", "pool": {…}, "devices": […]}',
    )


def _without_zeros(spec: ResourceSliceSpec) -> ResourceSliceSpec:
    """Drop what v1beta1 cannot tell from what is not there: an empty node name, and that not all nodes reach the devices."""
    return attrs.evolve(spec, node_name=spec.node_name or None, all_nodes=spec.all_nodes or None)


def _slice(spec: wire.Codec[ResourceSliceSpec]) -> wire.Codec[ResourceSlice]:
    """Make the codec of a slice from that of its spec."""
    return wire.struct(
        ResourceSlice,
        wire.Field("metadata", "metadata", METADATA, always=True),
        wire.Field("spec", "spec", spec, always=True),
        expected="a ResourceSlice",
    )


_OLD_SPEC: Final = _spec(_BOXED, wire.lasting(_OPTIONAL_STRING), wire.lasting(_OPTIONAL_BOOLEAN))
_SLICE: Final = _slice(_spec(DEVICE))
SLICE: Final = Kind(
    "ResourceSlice",
    {"v1": _SLICE, "v1beta2": _SLICE, "v1beta1": _slice(wire.converted(_OLD_SPEC, read=_without_zeros, write=_without_zeros))},
)
