"""
Room: the pools of devices that a node can reach, made from slices: newest generation, complete or not, valid or not, in the order of the search.

May touch: `nodes`, `rules`, `devices`, `resources`, `quantity`, `errors`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from heapq import merge
from itertools import chain
from typing import TypeAlias

import attrs

from ..devices import Device
from ..errors import AllocationError
from ..quantity import Quantity
from ..resources import ResourceSlice
from .nodes import Node, matches, reaches
from .rules import Rules

#: Driver and name.
PoolID: TypeAlias = tuple[str, str]
#: Driver, pool and name.
DeviceID: TypeAlias = tuple[str, str, str]


@attrs.frozen(eq=False)
class Candidate:
    """
    A device that the node may be able to use.

    Args:
        id: Driver, pool and name.
        device: The device.
        slice: The slice that publishes it.
        pool: Its pool.
        position: Its place in the order of the search.
    """

    id: DeviceID
    device: Device
    slice: ResourceSlice
    pool: Pool
    position: int

    @property
    def text(self) -> str:
        """Driver, pool and name as Kubernetes writes them."""
        return "/".join(self.id)


@attrs.define(eq=False)
class Pool:
    """
    The devices of one pool that the node can reach.

    Args:
        id: Driver and name.
        incomplete: Whether slices are missing; nothing else is then known.
        invalid: Why it cannot be used; `None` when it can.
        slices: The slices with devices for the node.
        elsewhere: Slices of the pool for other nodes, whose devices take from the same counters.
        counter_sets: Counter set → counter → amount.
        candidates: The devices of `slices`.
    """

    id: PoolID
    incomplete: bool = False
    invalid: str | None = None
    slices: tuple[ResourceSlice, ...] = ()
    elsewhere: tuple[ResourceSlice, ...] = ()
    counter_sets: Mapping[str, Mapping[str, Quantity]] = attrs.field(factory=dict[str, Mapping[str, Quantity]])
    candidates: tuple[Candidate, ...] = ()

    @property
    def text(self) -> str:
        """Driver and name as Kubernetes writes them."""
        return "/".join(self.id)


class Published:
    """
    The slices that there are, to be found by node and by pool.

    Args:
        slices: The slices, in the order in which they are published.
    """

    def __init__(self, slices: Sequence[ResourceSlice]) -> None:
        self._slices = slices
        self._anywhere: list[int] = []
        self._at: dict[str, list[int]] = {}
        self._pools: dict[PoolID, list[ResourceSlice]] = {}
        for index, each in enumerate(slices):
            spec = each.spec
            # Shared counters are there for every node.
            (self._at.setdefault(spec.node_name, []) if spec.node_name and not spec.shared_counters else self._anywhere).append(index)
            self._pools.setdefault((spec.driver, spec.pool.name), []).append(each)

    def near(self, node: str) -> list[ResourceSlice]:
        """Give the slices that may have to do with a node: all but those of other nodes."""
        return [self._slices[index] for index in merge(self._anywhere, self._at.get(node, ()))]

    def of_pool(self, id_: PoolID) -> list[ResourceSlice]:
        """Give all slices of a pool."""
        return self._pools[id_]


def gather(published: Published, node: Node, rules: Rules) -> tuple[Pool, ...]:
    """
    Make the pools that a node can reach.

    Raises:
        AllocationError: A node selector cannot be read.
    """
    relevant = [each for each in published.near(node.name) if _considered(each, rules) and _relevant(each, node, rules)]
    if rules.allocator.ordered:
        # Of slices that do not agree on how many there are, the first counts.
        relevant.sort(key=lambda each: not each.spec.node_name or (rules.allocator.counters_relevant and bool(each.spec.shared_counters)))
    if rules.allocator.binding_slices_last:
        relevant.sort(key=_binding)
    pools = [pool for id_, own in _newest(relevant).items() if (pool := _pool(id_, own, published, rules)) is not None]
    if rules.allocator.ordered:
        pools.sort(key=lambda pool: pool.id)
    if rules.allocator.sharing:
        pools.sort(key=lambda pool: any(_binding(each) for each in pool.slices))
    position = 0
    for pool in pools:
        found: list[Candidate] = []
        for slice_ in pool.slices:
            for device in slice_.spec.devices:
                found.append(Candidate((*pool.id, device.name), device, slice_, pool, position))
                position += 1
        pool.candidates = tuple(found)
    return tuple(pools)


def _considered(slice_: ResourceSlice, rules: Rules) -> bool:
    """Tell whether a slice needs no feature that is off. One that does is left out, and its pool is incomplete without it."""
    spec = slice_.spec
    partitioned = spec.per_device_node_selection is not None or (bool(spec.shared_counters) and rules.allocator.counters != "slice")
    if partitioned and "PartitionableDevices" not in rules.features:
        return False
    return not _hidden(slice_, rules)


def _hidden(slice_: ResourceSlice, rules: Rules) -> bool:
    """Tell whether a slice is left out since it has compatibility groups."""
    return (
        rules.allocator.hides_groups
        and "CompatibilityGroups" not in rules.features
        and any(consumption.compatibility_groups for device in slice_.spec.devices for consumption in device.consumes_counters)
    )


def _relevant(slice_: ResourceSlice, node: Node, rules: Rules) -> bool:
    """Tell whether a slice has to do with a node."""
    spec = slice_.spec
    if spec.shared_counters and rules.allocator.counters_relevant:
        return True
    if spec.node_name or spec.all_nodes:
        return reaches(node, node_name=spec.node_name, all_nodes=spec.all_nodes, selector=None)
    if spec.node_selector is not None:
        with _naming(f"failed to perform node selection for slice {slice_.metadata.name}"):
            return matches(spec.node_selector, node)
    if not spec.per_device_node_selection:
        return False
    return any(_device_relevant(device, slice_, node) for device in spec.devices)


def _device_relevant(device: Device, slice_: ResourceSlice, node: Node) -> bool:
    """Tell whether a device that says itself which nodes reach it means this one."""
    with _naming(f"failed to perform node selection for device {device.name} in slice {slice_.metadata.name}"):
        return reaches(node, node_name=device.node_name, all_nodes=device.all_nodes, selector=device.node_selector)


@contextmanager
def _naming(place: str) -> Generator[None]:
    """Say in an error where it happened."""
    try:
        yield
    except AllocationError as error:
        raise AllocationError(f"gather pool information: {place}: {error.message}") from None


def _newest(slices: Iterable[ResourceSlice]) -> dict[PoolID, list[ResourceSlice]]:
    """Give the slices of each pool that are of its newest generation."""
    pools: dict[PoolID, list[ResourceSlice]] = {}
    for each in slices:
        id_ = (each.spec.driver, each.spec.pool.name)
        own = pools.setdefault(id_, [])
        if own and each.spec.pool.generation > own[0].spec.pool.generation:
            own.clear()
        if not own or each.spec.pool.generation == own[0].spec.pool.generation:
            own.append(each)
    return pools


def _pool(id_: PoolID, own: list[ResourceSlice], published: Published, rules: Rules) -> Pool | None:
    """Make a pool of its slices for the node; `None` when a newer generation of it exists elsewhere."""
    expected = own[0].spec.pool.resource_slice_count
    whole: list[ResourceSlice] = []
    complete = len(own) == expected
    if not complete and rules.allocator.whole_pools:
        generation = own[0].spec.pool.generation
        of_pool = published.of_pool(id_)
        if any(each.spec.pool.generation > generation for each in of_pool):
            return None
        whole = [each for each in of_pool if each.spec.pool.generation == generation and not _hidden(each, rules)]
        complete = len(whole) == expected
    if not complete and rules.allocator.counters != "slice":
        return Pool(id_, incomplete=True)
    pool = _built(id_, own, whole, rules)
    pool.incomplete = not complete
    return pool


def _built(id_: PoolID, own: list[ResourceSlice], whole: list[ResourceSlice], rules: Rules) -> Pool:
    """Make a pool of its slices for the node and of all its slices."""
    if rules.allocator.ordered:
        own.sort(key=lambda each: each.metadata.name)
    if rules.allocator.counters == "slice":
        return Pool(id_, invalid=_duplicate(own), slices=tuple(own))
    if "PartitionableDevices" not in rules.features:
        return Pool(id_, invalid=_duplicate(own), slices=() if _duplicate(own) else tuple(own))
    names = {each.metadata.name for each in own}
    others = [each for each in whole if each.metadata.name not in names] if len(own) < len(whole) else []
    devices = [each for each in own if not each.spec.shared_counters]
    holders = [each for each in own if each.spec.shared_counters]
    checked = own
    if rules.allocator.counters_elsewhere:
        holders += [each for each in others if each.spec.shared_counters]
        others = [each for each in others if not each.spec.shared_counters]
        checked = devices
    sets = list(chain.from_iterable(each.spec.shared_counters for each in holders))
    counters = {each.name: each.counters for each in sets}
    invalid = _duplicate(devices) or _twice(each.name for each in sets) or _unknown_counter(counters, (*checked, *others))
    if invalid is not None:
        return Pool(id_, invalid=invalid)
    return Pool(id_, slices=tuple(devices), elsewhere=tuple(others), counter_sets=counters)


def _duplicate(slices: Iterable[ResourceSlice]) -> str | None:
    """Name the first device name that occurs twice, as Kubernetes says it."""
    seen: set[str] = set()
    for each in slices:
        for device in each.spec.devices:
            if device.name in seen:
                return f"duplicate device name {device.name}"
            seen.add(device.name)
    return None


def _twice(names: Iterable[str]) -> str | None:
    """Name the first counter set that occurs twice, as Kubernetes says it."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return f"duplicate counter set name {name}"
        seen.add(name)
    return None


def _unknown_counter(sets: Mapping[str, Mapping[str, Quantity]], slices: Iterable[ResourceSlice]) -> str | None:
    """Name the first counter that a device takes from and that is not there, as Kubernetes says it."""
    for each in slices:
        for device in each.spec.devices:
            for consumption in device.consumes_counters:
                counters = sets.get(consumption.counter_set)
                if counters is None:
                    return f"counter set {consumption.counter_set} not found"
                for name in consumption.counters:
                    if name not in counters:
                        return f"counter {name} not found in counter set {consumption.counter_set}"
    return None


def _binding(slice_: ResourceSlice) -> bool:
    """Tell whether a slice has a device with binding conditions."""
    return any(device.binding_conditions for device in slice_.spec.devices)
