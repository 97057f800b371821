"""
Room: from the devices of a node to the ResourceSlices that publish them.

May touch: `slices`, `gates`, `metadata`, `requests`, `devices`, `kubernetes`, `names`, `wire`, `errors`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import attrs
from packaging.version import Version

from .. import wire
from ..devices import Device
from ..errors import InvalidValue
from ..kubernetes import DEFAULT, Kubernetes
from ..names import DRIVER_NAME, DeviceName, DriverName, Name, PoolName
from .gates import drop_disabled
from .metadata import ObjectMeta, OwnerReference
from .requests import each
from .slices import ResourcePool, ResourceSlice, ResourceSliceSpec

T = TypeVar("T")

#: How many devices a slice may have.
MOST_DEVICES: Final = 128
#: How many when one of them uses what came later: see `most_devices`.
MOST_ADVANCED_DEVICES: Final = 64
#: How long a name that is made may be: room stays for what tells the slices apart.
_LONGEST_BASE: Final = 247


def most_devices(devices: Iterable[Device], *, kubernetes: str | Version | Kubernetes = DEFAULT) -> int:
    """
    Give how many devices a slice may have: 128, and 64 when one has taints or takes from counters (from 1.35), or has a list (from 1.36).

    Raises:
        UnknownKubernetes: The minor is not known.

    >>> most_devices([Device("vfio-0000-27-00-0", "npu.rebellions.ai")])
    128
    """
    minor = Kubernetes.of(kubernetes).minor.minor
    wanted = _devices(devices)
    advanced = minor >= 35 and any(
        device.taints or device.consumes_counters or (minor >= 36 and any(_listed(item.value) for item in device.attributes.values()))
        for device in wanted
    )
    return MOST_ADVANCED_DEVICES if advanced else MOST_DEVICES


def _devices(given: Iterable[Device]) -> tuple[Device, ...]:
    """
    Take devices.

    Raises:
        InvalidValue: These are none.
    """
    return _each(given, Device, "devices of an inventory")


def _each(given: Iterable[T], kind: type[T], expected: str) -> tuple[T, ...]:
    """Take objects of one class."""
    InvalidValue.unless(given, Iterable, expected)
    found = tuple(given)
    for item in found:
        InvalidValue.unless(item, kind, expected)
    return found


def _listed(value: object) -> bool:
    """Tell a list from a scalar."""
    return isinstance(value, tuple)


def pool_slices(
    devices: Iterable[Device],
    *,
    node: str,
    driver: str = DRIVER_NAME,
    pool: str | None = None,
    previous: Sequence[ResourceSlice] = (),
    owner: OwnerReference | None = None,
    kubernetes: str | Version | Kubernetes = DEFAULT,
) -> tuple[ResourceSlice, ...]:
    """
    Make the slices of a node's pool: as few as possible, all of one generation, with their number; one empty slice when there is no device.

    When slices of the pool exist already and say the same, those of the newest generation are given back as they are. Otherwise the new ones have
    the next generation and, one by one, the metadata of the existing ones, so that they can be updated in place; those beyond them are to be
    deleted. The time that the API server gave a taint is no difference.

    Args:
        devices: The devices, in the order in which they are published.
        node: The node that has them.
        driver: The driver that publishes them.
        pool: The name of the pool; `None` means the node's name, as the NPU driver has it.
        previous: The slices that exist; of those of other pools and drivers none counts.
        owner: What the slices are deleted with, usually the node.
        kubernetes: The minor, with its feature gates: what it would drop is left out.

    Raises:
        InvalidName: The node, the driver, the pool or a device has a name that the API server refuses.
        InvalidValue: Two devices have one name.
        UnknownKubernetes: The minor is not known.

    >>> first, second = pool_slices([Device(f"vfio-0000-{bus:02x}-00-0", "npu.rebellions.ai") for bus in range(130)], node="node-a")
    >>> first.metadata.name, len(first.spec.devices), second.metadata.name, len(second.spec.devices)
    ('node-a-npu.rebellions.ai-0', 128, 'node-a-npu.rebellions.ai-1', 2)
    >>> pool_slices([], node="node-a", previous=[first, second])[0].spec.pool
    ResourcePool(name='node-a', generation=2, resource_slice_count=1)
    """
    release = Kubernetes.of(kubernetes)
    name = node if pool is None else pool
    Name.parse(node)
    DriverName.parse(driver)
    PoolName.parse(name)
    wanted = _devices(devices)
    _check(wanted)
    existing = [each for each in _each(previous, ResourceSlice, "the slices that exist") if (each.spec.driver, each.spec.pool.name) == (driver, name)]
    existing.sort(key=lambda each: each.spec.pool.generation, reverse=True)
    newest = existing[0].spec.pool.generation if existing else 0
    whole = ResourceSlice(spec=ResourceSliceSpec(driver, ResourcePool(name), node, devices=wanted))
    made = drop_disabled(whole, kubernetes=release).defaulted().spec.devices
    most = most_devices(made, kubernetes=release)
    chunks = [made[start : start + most] for start in range(0, len(made), most)] or [()]
    specs = [ResourceSliceSpec(driver, ResourcePool(name, newest, len(chunks)), node, devices=chunk or wire.NIL) for chunk in chunks]
    current = [each for each in existing if each.spec.pool.generation == newest]
    found = _found(specs, current)
    if found is not None:
        return found
    metadata = _metadata(len(specs), existing, f"{node}-{driver}-".lower(), owner)
    return tuple(
        ResourceSlice(meta, attrs.evolve(spec, pool=attrs.evolve(spec.pool, generation=newest + 1)))
        for meta, spec in zip(metadata, specs, strict=True)
    )


def _check(devices: tuple[Device, ...]) -> None:
    """
    Refuse names that the API server refuses.

    Raises:
        InvalidName: A name is none.
        InvalidValue: A name stands twice.
    """
    for name, times in Counter(device.name for device in devices).items():
        DeviceName.parse(name)
        if times > 1:
            raise InvalidValue(name, "device names that are unique in their pool", f"{times} devices have it")


def _found(specs: list[ResourceSliceSpec], current: list[ResourceSlice]) -> tuple[ResourceSlice, ...] | None:
    """Find the slices that say what specs say; `None` when they say anything else."""
    left = list(current)
    found: list[ResourceSlice] = []
    for spec in specs:
        same = next((each for each in left if _timed(spec, each.spec) == each.spec), None)
        if same is None:
            return None
        left.remove(same)
        found.append(same)
    return None if left else tuple(found)


def _timed(spec: ResourceSliceSpec, other: ResourceSliceSpec) -> ResourceSliceSpec:
    """Give the taints that have no time those of the other spec, where the API server put them."""
    times = {(device.name, taint.key, taint.value, taint.effect): taint.time_added for device in other.devices for taint in device.taints}

    def timed(device: Device) -> Device:
        taints = tuple(
            attrs.evolve(taint, time_added=taint.time_added or times.get((device.name, taint.key, taint.value, taint.effect)))
            for taint in device.taints
        )
        return attrs.evolve(device, taints=taints)

    return attrs.evolve(spec, devices=each(spec.devices, timed)) if times else spec


def _metadata(count: int, existing: list[ResourceSlice], prefix: str, owner: OwnerReference | None) -> list[ObjectMeta]:
    """Take the metadata of slices that exist, and make what is missing, under names that none has."""
    taken = {each.metadata.name for each in existing}
    kept = [each.metadata for each in existing[:count]]
    names = (f"{prefix[:_LONGEST_BASE]}{number}" for number in range(count + len(taken)))
    free = [name for name in names if name not in taken]
    owners = wire.NIL if owner is None else (owner,)
    return [*kept, *(ObjectMeta(name, owner_references=owners) for name in free[: count - len(kept)])]
