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

from ..errors import AllocationError, SearchLimitExceeded
from .constraints import MATCH
from .pools import Candidate, DeviceID, Pool
from .wishes import Wish

if TYPE_CHECKING:
    from .search import Place, Search

#: How many states are remembered.
_MOST: Final = 500_000


class Memory:
    """
    States that failed.

    Args:
        search: The search whose states they are.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        self._failed: set[Hashable] = set()
        self._places: dict[DeviceID, int] = {}
        #: For each visited device which devices are equal to it, which can be tried in its place, and what is left from it on.
        self._equals: list[int] = []
        self._kinds: list[Hashable] = []
        self._rests: list[int] = []
        self._strict: list[Wish] = []
        features = search.setting.rules.features
        leaking = search.setting.rules.allocator.leaks and not features.isdisjoint({"PartitionableDevices", "ConsumableCapacity"})
        #: Whether a state is what is used, and nothing else: giving back must lead to the state before.
        self.usable = not leaking and all(constraint.regular for demand in search.demands for constraint in demand.constraints)

    def __contains__(self, key: Hashable) -> bool:
        """Tell whether a state failed."""
        return key in self._failed

    def add(self, key: Hashable) -> None:
        """Remember a state that failed."""
        if len(self._failed) < _MOST:
            self._failed.add(key)

    def key(self, place: Place) -> Hashable:
        """Give what tells the state apart from others."""
        if not self._rests:
            self._classify()
        search = self._search
        used: Counter[Hashable] = Counter()
        for id_, users in search.using.items():
            if users:
                used[self._entry(id_, place, frozenset(max(user, place.claim - 1) for user in users))] += 1
        for id_, amounts in search.sharing.items():
            used[self._entry(id_, place, frozenset(amounts.items()))] += 1
        states = search.constraints[place.claim]
        constraints = tuple(
            (bool(count), value if constraint.kind == MATCH else frozenset(value))
            for constraint, (count, value) in zip(search.demands[place.claim].constraints, states, strict=True)
        )
        left = (place.start, *self._first_used(place)) if self._strict else (self._rests[place.start],)
        return (*place[:-1], len(search.granted[place.claim]), left, frozenset(used.items()), constraints)

    def _first_used(self, place: Place) -> Iterator[int]:
        """
        Give, for each wish for all devices that a constraint concerns, the first of them that is in use.

        `All` goes through its devices in their order: it fails at one that is in use, and a constraint that forbids one before that is an error.
        """
        using = self._search.using
        for wish in self._strict:
            if wish.claim >= place.claim:
                found = (index for index, each in enumerate(wish.all_devices or ()) if _in_use(wish, using.get(each.id)))
                yield next(found, -1)

    def hopeless(self, place: Place) -> bool:
        """
        Tell whether nothing can be found from a place on, since a later request finds nothing even if the ones before it took nothing.

        That is the answer only where no error can come before it, so it is asked only where no selector has an error on any device.
        """
        if not self.usable or not self._without_errors():
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
        wishes = [wish for demand in search.demands for request in demand.requests for wish in request]
        if any(isinstance(each, Pool) for each in search.visited) or any(wish.all_devices is not None and wish.constraints for wish in wishes):
            return False
        candidates = [each for each in search.visited if isinstance(each, Candidate)]
        if search.capacities and any(has.request_policy is not None for each in candidates for has in each.device.capacity.values()):
            return False
        return all(_verdict(wish, candidate) is not None for wish in wishes for candidate in candidates)

    def kind(self, index: int) -> Hashable:
        """Give what a visited device shares with those that fail where it fails."""
        return self._kinds[index]

    def _entry(self, id_: DeviceID, place: Place, state: Hashable) -> Hashable:
        """Tell a used device by its kind, its state, and whether the current request has passed it."""
        index = self._places[id_]
        return self._equals[index], index >= place.start, state

    def _classify(self) -> None:
        """Find which devices are equal, and which are left from each on."""
        wishes = [wish for demand in self._search.demands for request in demand.requests for wish in request]
        self._strict = [wish for wish in wishes if wish.all_devices is not None and wish.constraints]
        ordered = {each.position for wish in self._strict for each in wish.all_devices or ()}
        numbers: dict[Hashable, int] = {}
        for index, each in enumerate(self._search.visited):
            number = numbers.setdefault(each if isinstance(each, Pool) else self._facts(each, wishes), len(numbers))
            self._equals.append(number)
            self._kinds.append(number)
            if isinstance(each, Candidate):
                self._places[each.id] = index
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
        concerned = {constraint for wish, use in zip(wishes, usable, strict=True) if use is not False for _, constraint in wish.constraints}
        constraints = [constraint for demand in search.demands for constraint in demand.constraints]
        allocated = search.setting.allocated
        return (
            tuple(usable),
            tuple(candidate in wish.all_devices for wish in wishes if wish.all_devices is not None),
            tuple(constraint.read(candidate) if constraint in concerned else None for constraint in constraints),
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
    """Ask for the verdict without learning from it; `None` for an error, which the search may never meet."""
    known = dict(wish.verdicts)
    try:
        return wish.matches(candidate)
    except AllocationError:
        return None
    finally:
        wish.verdicts = known
