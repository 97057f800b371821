"""
Room: states of a search in which nothing was found, so that it does not go through what is the same again.

Two states are the same when they differ only in which of several equal devices are used: equal to every request (selectors, taints, node), to every
constraint, in capacity and in counters. What fails in one fails in the other.

May touch: `constraints`, `pools`, `wishes`, and the state of the search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import attrs

from ..errors import AllocationError, SearchLimitExceeded
from ..quantity import Quantity
from .constraints import MATCH, State
from .counters import Consumed
from .pools import Candidate, DeviceID, Pool
from .wishes import Wish

if TYPE_CHECKING:
    from .search import Place, Search

#: How many states are remembered.
_MOST: Final = 500_000


@attrs.frozen
class Residue:
    """
    What a search may find otherwise after it has given back what it took: some minors do not go back to the state before.

    Args:
        constraints: The states of all constraints, by claim.
        counters: What is consumed of shared counters.
        using: The claims that use each device, where that may stay; else nothing.
        sharing: What is consumed of each shared device, where that may stay; else nothing.
    """

    constraints: tuple[tuple[State, ...], ...]
    counters: Consumed
    using: tuple[tuple[int, frozenset[int]], ...] = ()
    sharing: tuple[tuple[DeviceID, frozenset[tuple[str, Quantity]]], ...] = ()


class Memory:
    """
    States that failed.

    Args:
        search: The search whose states they are.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        #: State → what is left behind when it has failed; `None` where nothing ever is.
        self._failed: dict[Hashable, Residue | None] = {}
        #: For each visited device which devices are equal to it, which can be tried in its place, and what is left from it on.
        self._equals: list[int] = []
        self._kinds: list[Hashable] = []
        self._rests: list[int] = []
        self._indices: dict[int, int] = {}
        self._ids: dict[DeviceID, int] = {}
        allocator, features = search.setting.rules.allocator, search.setting.rules.features
        leaking = allocator.leaks and not features.isdisjoint({"PartitionableDevices", "ConsumableCapacity"})
        wishes = [wish for demand in search.demands for request in demand.requests for wish in request]
        self._wishes = wishes
        self._strict = [wish for wish in wishes if wish.all_devices is not None and wish.constraints]
        #: Whether giving back always leads to the state before.
        self._pure = not leaking and all(constraint.regular for demand in search.demands for constraint in demand.constraints)
        #: Whether devices themselves may stay in use, so that no two of them are equal.
        self._exact = (
            leaking
            and search.capacities
            and (
                allocator.rechecks_by_number
                or any(wish.all_devices is not None for wish in wishes)
                or any(isinstance(each, Candidate) and search.shared(each) and not each.device.capacity for each in search.visited)
            )
        )
        self._classify()

    def recall(self, key: Hashable) -> bool:
        """Tell whether a state failed; leave behind then what that left behind."""
        if key not in self._failed:
            return False
        self.restore(self._failed[key])
        return True

    def add(self, key: Hashable) -> None:
        """Remember a state that failed, and what that left behind."""
        if len(self._failed) < _MOST:
            self._failed[key] = self.residue()

    def key(self, place: Place) -> Hashable:
        """Give what tells the state apart from others."""
        search = self._search
        used: Counter[Hashable] = Counter()
        for position, users in search.using.items():
            if users:
                used[self._entry(self._indices[position], place, frozenset(max(user, place.claim - 1) for user in users))] += 1
        for id_, amounts in search.sharing.items():
            used[self._entry(self._ids[id_], place, frozenset(amounts.items()))] += 1
        left = (place.start, *self._first_used(place)) if self._strict else (self._rests[place.start],)
        state = self._constrained(place) if self._pure else self.residue()
        return (*place[:-1], len(search.granted[place.claim]), left, frozenset(used.items()), state)

    def _constrained(self, place: Place) -> Hashable:
        """Give what matters of the constraints where giving back leads to the state before: those of later claims are new then."""
        states = zip(self._search.demands[place.claim].constraints, self._search.constraints[place.claim], strict=True)
        return tuple((bool(count), value if constraint.kind == MATCH else frozenset(value)) for constraint, (count, value) in states)

    def residue(self) -> Residue | None:
        """Give what may be otherwise after giving back; `None` where nothing is."""
        if self._pure:
            return None
        search = self._search
        constraints = tuple(map(tuple, search.constraints))
        if not self._exact:
            return Residue(constraints, search.counters.consumed())
        using = tuple((position, frozenset(users)) for position, users in sorted(search.using.items()))
        sharing = tuple((id_, frozenset(amounts.items())) for id_, amounts in sorted(search.sharing.items()))
        return Residue(constraints, search.counters.consumed(), using, sharing)

    def restore(self, residue: Residue | None) -> None:
        """Leave behind what a search left behind that need not be made again."""
        if residue is None:
            return
        search = self._search
        for states, left in zip(search.constraints, residue.constraints, strict=True):
            states[:] = left
        search.counters.restore(residue.counters)
        for position, users in residue.using:
            current = search.using.setdefault(position, set())
            current.clear()
            current.update(users)
        if self._exact:
            search.sharing.clear()
            search.sharing.update((id_, dict(amounts)) for id_, amounts in residue.sharing)

    def trial(self, index: int) -> Hashable:
        """Give what trying a visited device has in common with the trials that end as it does."""
        return self._kinds[index], self.residue()

    def _first_used(self, place: Place) -> Iterator[int]:
        """
        Give, for each wish for all devices that a constraint concerns, the first of them that is in use.

        `All` goes through its devices in their order: it fails at one that is in use, and a constraint that forbids one before that is an error.
        """
        using = self._search.using
        for wish in self._strict:
            if wish.claim >= place.claim:
                found = (index for index, each in enumerate(wish.all_devices or ()) if _in_use(wish, using.get(each.position)))
                yield next(found, -1)

    def hopeless(self, place: Place) -> bool:
        """
        Tell whether nothing can be found from a place on, since a later request finds nothing even if the ones before it took nothing.

        That is the answer only where no error can come before it, so it is asked only where no selector has an error on any device.
        """
        if not self._pure or not self._without_errors():
            return False
        search = self._search
        later = [(claim, request) for claim, demand in enumerate(search.demands) for request in range(len(demand.requests))]
        for claim, request in reversed([each for each in later if each > (place.claim, place.request)]):
            alone = search.alone()
            try:
                found = alone.run(place._replace(claim=claim, request=request, sub=0, device=0, chosen=False, start=0))
            except SearchLimitExceeded:
                return False
            if not found:
                # Where a claim would have too many devices, the search leaves out what it would find in another order.
                return alone.overflows == 0
        return False

    def _without_errors(self) -> bool:
        """Tell whether asking anything of any device is no error."""
        search = self._search
        wishes = self._wishes
        if any(isinstance(each, Pool) for each in search.visited) or any(wish.all_devices is not None and wish.constraints for wish in wishes):
            return False
        candidates = [each for each in search.visited if isinstance(each, Candidate)]
        if search.capacities and any(has.request_policy is not None for each in candidates for has in each.device.capacity.values()):
            return False
        return all(_verdict(wish, candidate) is not None for wish in wishes for candidate in candidates)

    def _entry(self, index: int, place: Place, state: Hashable) -> Hashable:
        """Tell a used device by its kind, its state, and whether the current request has passed it."""
        return self._equals[index], index >= place.start, state

    def _classify(self) -> None:
        """Find which devices are equal, and which are left from each on."""
        ordered = {each.position for wish in self._strict for each in wish.all_devices or ()}
        numbers: dict[Hashable, int] = {}
        for index, each in enumerate(self._search.visited):
            facts = each if self._exact or isinstance(each, Pool) else self._facts(each, self._wishes)
            number = numbers.setdefault(facts, len(numbers))
            self._equals.append(number)
            self._kinds.append(number)
            if isinstance(each, Candidate):
                self._indices[each.position] = self._ids[each.id] = index
                if each.position in ordered:
                    self._kinds[index] = (each.position,)
        rests: dict[Hashable, int] = {}
        left: Counter[int] = Counter()
        found = [rests.setdefault(frozenset[object](), 0)]
        for kind in reversed(self._equals):
            left[kind] += 1
            found.append(rests.setdefault(frozenset(left.items()), len(rests)))
        self._rests = found[::-1]

    def _facts(self, candidate: Candidate, wishes: Sequence[Wish]) -> Hashable:
        """Give everything of a device that can make a difference."""
        search = self._search
        device = candidate.device
        usable = [self._usable(wish, candidate) for wish in wishes]
        # Each as it applies to the wish, which may compute the attribute; a device to which the same wishes have the same answers has the same ones.
        concerned = dict.fromkeys(each for wish, use in zip(wishes, usable, strict=True) if use is not False for _, each in wish.constraints)
        allocated = search.setting.allocated
        return (
            tuple(usable),
            tuple(candidate in wish.all_devices for wish in wishes if wish.all_devices is not None),
            tuple(constraint.read(candidate) for constraint in concerned),
            candidate.id in allocated.devices,
            candidate.id in allocated.shared,
            frozenset(allocated.capacity.get(candidate.id, {}).items()),
            frozenset(device.capacity.items()) if search.capacities else None,
            search.shared(candidate),
            (candidate.pool.id, candidate.slice.metadata.name, device.consumes_counters) if device.consumes_counters else None,
        )

    def _usable(self, wish: Wish, candidate: Candidate) -> bool | None:
        """Tell whether a wish could get a device, whatever else is used; `None` when asking is an error."""
        search = self._search
        if candidate.id in search.setting.allocated.devices and not wish.admin:
            return False
        verdict = _verdict(wish, candidate)
        return verdict and not search.tainted(wish, candidate) and search.operable(candidate)


def _in_use(wish: Wish, users: set[int] | None) -> bool:
    """Tell whether a wish for all devices fails at one that some claims use."""
    return bool(users) and (not wish.admin or wish.claim in (users or ()))


def _verdict(wish: Wish, candidate: Candidate) -> bool | None:
    """Ask for the verdict; `None` for an error, which the search may never meet."""
    try:
        return wish.settled(candidate)
    except AllocationError:
        return None
