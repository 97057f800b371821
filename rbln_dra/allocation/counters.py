"""
Room: shared counters: what the devices of a pool take from them, what is left, and which devices go together.

May touch: `pools`, `rules`, `devices`, `quantity`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import TypeAlias

from ..devices import Device
from ..quantity import Quantity
from .pools import Candidate, DeviceID
from .rules import Rules

#: Where counters hold; counter set and counter.
Scope: TypeAlias = tuple[str, ...]
Counter: TypeAlias = tuple[str, str]
#: What is consumed, as a value.
Consumed: TypeAlias = frozenset[tuple[Scope, frozenset[tuple[Counter, Quantity]]]]


class Counters:
    """
    What is left of shared counters while devices are taken and given back.

    Args:
        rules: How the release allocates.
        allocated: Tells whether a device is allocated already.
    """

    def __init__(self, rules: Rules, allocated: Callable[[DeviceID], bool]) -> None:
        self._scope = rules.allocator.counters
        self._allocated = allocated
        self._available: dict[Scope, dict[Counter, Quantity]] = {}
        self._consumed: dict[Scope, dict[Counter, Quantity]] = {}

    def lacking(self, candidate: Candidate) -> str | None:
        """Name a counter of which too little is left for a device, with the amounts; `None` when there is enough."""
        scope = self._scope_of(candidate)
        consumed = self._with(scope, candidate.device)
        for counter, available in self._available_in(scope, candidate).items():
            amount = consumed.get(counter)
            if (amount is None and available.sign < 0) or (amount is not None and available < amount):
                return f"counter {counter[1]} of {counter[0]}: {amount or 0} would be taken, {available} is there"
        return None

    def take(self, candidate: Candidate) -> None:
        """Take what a device consumes."""
        scope = self._scope_of(candidate)
        self._consumed[scope] = self._with(scope, candidate.device)

    def give_back(self, candidate: Candidate) -> None:
        """Give back what a device consumes."""
        consumed = self._consumed[self._scope_of(candidate)]
        for counter, amount in _amounts(candidate.device):
            consumed[counter] = consumed[counter].sub(amount)

    def consumed(self) -> Consumed:
        """Give what is consumed, as a value."""
        return frozenset((scope, frozenset(amounts.items())) for scope, amounts in self._consumed.items())

    def restore(self, consumed: Consumed) -> None:
        """Go back, or on, to what was consumed once."""
        self._consumed = {scope: dict(amounts) for scope, amounts in consumed}

    def _scope_of(self, candidate: Candidate) -> Scope:
        """Say where the counters of a device hold."""
        return {"slice": (candidate.slice.metadata.name,), "name": (candidate.pool.id[1],), "pool": candidate.pool.id}[self._scope]

    def _with(self, scope: Scope, device: Device) -> dict[Counter, Quantity]:
        """Add what a device consumes to what is consumed."""
        consumed = dict(self._consumed.get(scope, {}))
        for counter, amount in _amounts(device):
            consumed[counter] = amount if counter not in consumed else consumed[counter].add(amount)
        return consumed

    def _available_in(self, scope: Scope, candidate: Candidate) -> Mapping[Counter, Quantity]:
        """Give what counters have without the devices that are allocated already."""
        available = self._available.get(scope)
        if available is None:
            if self._scope == "slice":
                sets: Mapping[str, Mapping[str, Quantity]] = {each.name: each.counters for each in candidate.slice.spec.shared_counters}
                devices: Iterable[Device] = candidate.slice.spec.devices
            else:
                sets = candidate.pool.counter_sets
                devices = chain.from_iterable(each.spec.devices for each in (*candidate.pool.slices, *candidate.pool.elsewhere))
            available = {(name, counter): amount for name, counters in sets.items() for counter, amount in counters.items()}
            for device in devices:
                if self._allocated((*candidate.pool.id, device.name)):
                    for counter, amount in _amounts(device):
                        if counter in available:
                            available[counter] = available[counter].sub(amount)
            self._available[scope] = available
        return available


def _amounts(device: Device) -> Iterable[tuple[Counter, Quantity]]:
    """Give what a device consumes of each counter."""
    return (((each.counter_set, name), amount) for each in device.consumes_counters for name, amount in each.counters.items())


class Groups:
    """
    Which devices may take from a counter set together, by their compatibility groups: those without go with those without, the others must share one.

    Args:
        allocated: Tells whether a device is allocated already.
    """

    def __init__(self, allocated: Callable[[DeviceID], bool]) -> None:
        self._allocated = allocated
        self._common: dict[tuple[str, ...], frozenset[str] | None] = {}
        self._allocated_common: dict[tuple[str, ...], frozenset[str] | None] = {}
        self._known: set[tuple[str, str]] = set()

    @property
    def common(self) -> frozenset[tuple[tuple[str, ...], frozenset[str] | None]]:
        """What the devices of each counter set have in common, as a value."""
        return frozenset(self._common.items())

    def add(self, candidate: Candidate) -> Callable[[], None] | None:
        """Add a device, and give what takes it away again; `None` when it does not go with the others."""
        self._learn(candidate)
        before = self._common
        for key, groups in _groups(candidate):
            common = self._common.get(key, self._allocated_common.get(key, groups))
            both = groups if common is None or groups is None else common & groups
            if (common is None) is not (groups is None) or (both is not None and not both):
                self._common = before
                return None
            self._common = {**self._common, key: both}

        def restore() -> None:
            self._common = before

        return restore

    def _learn(self, candidate: Candidate) -> None:
        """Add what is allocated already in a pool that is new."""
        pool = candidate.pool
        if pool.id in self._known:
            return
        self._known.add(pool.id)
        for slice_ in (*pool.slices, *pool.elsewhere):
            for device in slice_.spec.devices:
                if self._allocated((*pool.id, device.name)):
                    for each in device.consumes_counters:
                        key = (*pool.id, each.counter_set)
                        groups = frozenset(each.compatibility_groups) or None
                        common = self._allocated_common.get(key, groups)
                        self._allocated_common[key] = common if common is None or groups is None else common & groups


def _groups(candidate: Candidate) -> Iterable[tuple[tuple[str, ...], frozenset[str] | None]]:
    """Give the groups of a device by counter set; `None` for none."""
    return (((*candidate.pool.id, each.counter_set), frozenset(each.compatibility_groups) or None) for each in candidate.device.consumes_counters)
