"""
Room: states of a search in which nothing was found, so that it does not go through what is the same again.

Two states are the same when they differ only in which of several equal devices are used: equal to every request that is still to come (selectors,
taints, node), to its constraints, in capacity and in counters. What fails in one fails in the other. Where an allocator does not go back to the state
before when it gives back, the order in which devices are tried makes a difference too: then the free devices must be alike one after the other.

May touch: `capacity`, `constraints`, `counters`, `pools`, `wishes`, `devices`, `quantity`, `errors`, and the state of `search`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

import attrs

from ..devices import Device
from ..errors import AllocationError
from ..quantity import Quantity
from .capacity import NotRepresentable, shortage
from .constraints import MATCH, MISSING, State
from .counters import Consumed
from .pools import Candidate, DeviceID, Pool
from .wishes import MOST_DEVICES, Wish

if TYPE_CHECKING:
    from .search import Place, Search

#: How many states are remembered.
_MOST: Final = 500_000
#: Which part of the steps of a search it may take to find a dead end.
_SHARE: Final = 20


@attrs.frozen
class Residue:
    """
    What a search may find otherwise after it has given back what it took: some minors do not go back to the state before.

    Args:
        claim: The first claim that it is about; those before cannot be concerned.
        constraints: The states of its constraints, and of those of the later claims.
        counters: What is consumed of shared counters.
        groups: The compatibility groups that shared counters are taken for.
        using: The claims that use each device, where that may stay; else nothing.
        sharing: What is consumed of each shared device, where that may stay; else nothing.
    """

    claim: int
    constraints: tuple[tuple[State, ...], ...]
    counters: Consumed
    groups: Hashable
    using: tuple[tuple[int, frozenset[int]], ...] = ()
    sharing: tuple[tuple[DeviceID, frozenset[tuple[str, Quantity]]], ...] = ()


@attrs.frozen
class _Outlook:
    """
    How the visited devices look to the requests from one on: what those that came before used of them counts only as far as these could use it.

    Args:
        equals: Which devices are equal; `None` for those that none of the requests can use.
        kinds: Which can be tried in each other's place.
        rests: Which devices are left from each on.
        administrators: Whether one of the requests is for an administrator, to whom it matters who uses a device.
    """

    equals: list[int | None]
    kinds: list[Hashable]
    rests: list[int]
    administrators: bool


class Memory:
    """
    States that failed.

    Args:
        search: The search whose states they are.

    Attributes:
        effort: How many steps it counts as to look for a state.
        most: How many states are remembered.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        self.most = _MOST
        #: State → what is left behind when it has failed; `None` where nothing ever is.
        self._failed: dict[Hashable, Residue | None] = {}
        #: How many steps it may still take to see whether something alone is hopeless.
        self._spare = search.limit // _SHARE
        self._outlooks: dict[tuple[int, int], _Outlook] = {}
        allocator, features = search.setting.rules.allocator, search.setting.rules.features
        wishes = [wish for demand in search.demands for request in demand.requests for wish in request]
        candidates = [(index, each) for index, each in enumerate(search.visited) if isinstance(each, Candidate)]
        self._indices = {each.position: index for index, each in candidates}
        self._ids = {each.id: index for index, each in candidates}
        self._strict = [wish for wish in wishes if wish.all_devices is not None and wish.constraints]
        self._leaking = allocator.leaks and not features.isdisjoint({"PartitionableDevices", "ConsumableCapacity"})
        #: Whether giving back always leads to the state before.
        self._pure = not self._leaking and all(constraint.regular for demand in search.demands for constraint in demand.constraints)
        #: Whether taking may give something: amounts may be negative.
        amounts = chain(*(_amounts(each.device) for _, each in candidates), *((wish.amounts or {}).values() for wish in wishes))
        self._giving = any(amount.sign < 0 for amount in amounts)
        #: Whether what fails with many free devices fails with fewer of them.
        self._monotonic = not self._leaking and not allocator.lists_narrow_for_good and not self._giving
        #: Whether devices themselves may stay in use, so that no two of them are equal.
        self._exact = (
            self._leaking
            and search.capacities
            and (
                allocator.rechecks_by_number
                or any(wish.all_devices is not None for wish in wishes)
                or any(search.shared(each) and not each.device.capacity for _, each in candidates)
            )
        )
        #: How many steps it counts as to look for a state; that takes longer where more belongs to a state.
        self.effort = 2 if self._pure else 8 if self._exact else 3
        self._facts = {wish: [self._fact(wish, each) for each in search.visited] for wish in wishes}

    def recall(self, key: Hashable) -> bool:
        """Tell whether a state failed; leave behind then what that left behind."""
        if key not in self._failed:
            return False
        self.restore(self._failed[key])
        return True

    def add(self, key: Hashable, place: Place) -> None:
        """Remember a state that failed, and what that left behind."""
        if len(self._failed) < self.most:
            self._failed[key] = self.residue(place)

    def key(self, place: Place) -> Hashable:
        """Give what tells the state apart from others."""
        search, outlook = self._search, self._outlook(place)
        left = (place.start, *self._first_used(place)) if self._strict else outlook.rests[place.start]
        if self._pure:
            state: Hashable = (self._used(place), left, self._constrained(place), search.counters.consumed(), search.grouped)
        else:
            # The order of what is tried decides what is left behind.
            state = (self._sequence(place, 0, place.start), self._sequence(place, place.start, len(outlook.equals)), left, self.residue(place))
        return (*place[:-1], len(search.granted[place.claim]), state)

    def _used(self, place: Place) -> Hashable:
        """Count the used devices that are equal."""
        equals, used = self._outlook(place).equals, dict[Hashable, int]()
        for position in self._search.using:
            index = self._indices[position]
            if (state := self._state(place, index)) is not None:
                entry = equals[index], index >= place.start, state
                used[entry] = used.get(entry, 0) + 1
        for id_, amounts in self._search.sharing.items():
            index = self._ids[id_]
            if equals[index] is not None:
                shared = equals[index], index >= place.start, frozenset(amounts.items())
                used[shared] = used.get(shared, 0) + 1
        return frozenset(used.items())

    def _sequence(self, place: Place, start: int, end: int) -> Hashable:
        """Give the devices that can still be tried, in the order in which they are, each by what it is equal to."""
        outlook, search = self._outlook(place), self._search
        found: list[Hashable] = []
        for index in range(start, end):
            number, state = outlook.equals[index], self._state(place, index)
            candidate = search.visited[index]
            if number is None or (state is not None and not outlook.administrators):
                continue
            shared = search.sharing.get(candidate.id) if isinstance(candidate, Candidate) else None
            found.append((number, state, None if shared is None else frozenset(shared.items())))
        return tuple(found)

    def _state(self, place: Place, index: int) -> Hashable:
        """Say who uses a visited device as far as that matters from a place on; `None` for nobody, or where it makes no difference at all."""
        outlook, candidate = self._outlook(place), self._search.visited[index]
        users = self._search.using.get(candidate.position) if isinstance(candidate, Candidate) else None
        if not users or outlook.equals[index] is None:
            return None
        return frozenset(max(user, place.claim - 1) for user in users) if outlook.administrators else True

    def _constrained(self, place: Place) -> Hashable:
        """Give what matters of the constraints where giving back leads to the state before: those of later claims are new then."""
        states = zip(self._search.demands[place.claim].constraints, self._search.constraints[place.claim], strict=True)
        return tuple((bool(count), value if constraint.kind == MATCH else frozenset(value)) for constraint, (count, value) in states)

    def residue(self, place: Place) -> Residue | None:
        """Give what may be otherwise after giving back what is taken from a place on; `None` where nothing is."""
        if self._pure:
            return None
        search = self._search
        claim = place.claim
        constraints = tuple(map(tuple, search.constraints[claim:]))
        if not self._exact:
            return Residue(claim, constraints, search.counters.consumed(), search.grouped)
        using = tuple((position, frozenset(users)) for position, users in sorted(search.using.items()))
        sharing = tuple((id_, frozenset(amounts.items())) for id_, amounts in sorted(search.sharing.items()))
        return Residue(claim, constraints, search.counters.consumed(), search.grouped, using, sharing)

    def restore(self, residue: Residue | None) -> None:
        """Leave behind what a search left behind that need not be made again. Compatibility groups are always given back."""
        if residue is None:
            return
        search = self._search
        for states, left in zip(search.constraints[residue.claim :], residue.constraints, strict=True):
            states[:] = left
        search.counters.restore(residue.counters)
        if self._exact:
            for position, users in residue.using:
                search.using[position].clear()
                search.using[position].update(users)
            search.sharing.clear()
            search.sharing.update((id_, dict(amounts)) for id_, amounts in residue.sharing)

    def trial(self, place: Place, index: int) -> Hashable:
        """
        Give what trying a visited device has in common with those that fail when it does; `None` where each may end in its own way.

        An administrator's request takes a free device from others, and one that an earlier claim has from nobody.
        """
        return (self._outlook(place).kinds[index], self._state(place, index)) if self._pure else None

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

    def dead_end(self) -> tuple[int, int] | None:
        """
        Find a claim and its request from which on nothing is found, whatever was taken before, and no error either; `None` when there is none.

        That is a request which finds nothing with those after it even if the ones before it took nothing, and those right before it that may fail,
        but not with an error. Where distinctAttribute forgets values that are given back, more free devices only make it forget more, and it starts
        anew with each claim. Where a claim may want too many devices, the way back is another one: then all that come before it must be safe.
        """
        if not self._monotonic:
            return None
        demands = self._search.demands
        places = [(claim, request) for claim, demand in enumerate(demands) for request in range(len(demand.requests))]
        overflowing = any(sum(max(wish.count for wish in wishes) for wishes in demand.requests) > MOST_DEVICES for demand in demands)
        for number in range(len(places) - 1, 0, -1):
            claim, request = places[number]
            # Within a claim, what its constraints have seen before makes more devices of `All` an error.
            strict = any(wish in self._strict for wishes in demands[claim].requests[request:] for wish in wishes)
            if (request and (strict or not self._pure)) or not self._fails_alone(claim, request):
                continue
            safe = [all(map(self._without_errors, demands[claim].requests[request])) for claim, request in places[:number]]
            first = max((index for index, each in enumerate(safe, start=1) if not each), default=0)
            return None if overflowing and first else places[first]
        return None

    def _fails_alone(self, claim: int, request: int) -> bool:
        """Tell whether a request and those after it find nothing when nothing is taken. An error, or too long a search, leaves it open."""
        alone = self._search.alone(self._spare)
        try:
            found = alone.run(claim, request)
        except AllocationError:
            return False
        finally:
            self._spare = max(self._spare - alone.steps, 0)
        # Where a claim would have too many devices, the search leaves out what it would find in another order.
        return not found and alone.overflows == 0

    def _without_errors(self, wish: Wish) -> bool:
        """Tell whether asking a wish of any device is no error."""
        if wish in self._strict:
            return False
        return all(isinstance(each, Candidate) and self._usable(wish, each) is not None for each in self._search.visited)

    def _outlook(self, place: Place) -> _Outlook:
        """Give how the devices look from a place on."""
        found = self._outlooks.get(place[:2])
        if found is None:
            found = self._outlooks[place[:2]] = self._looked_at(place)
        return found

    def _looked_at(self, place: Place) -> _Outlook:
        """Find which devices are equal from a place on, and which are left from each on."""
        search = self._search
        demands = [(claim, request, wishes) for claim, demand in enumerate(search.demands) for request, wishes in enumerate(demand.requests)]
        wishes = [wish for claim, request, each in demands if (claim, request) >= place[:2] for wish in each]
        ordered = {each.position for wish in self._strict if wish in wishes for each in wish.all_devices or ()}
        numbers: dict[Hashable, int] = {}
        equals: list[int | None] = []
        kinds: list[Hashable] = []
        for index, each in enumerate(search.visited):
            facts = index if self._exact or isinstance(each, Pool) else self._common(each, [self._facts[wish][index] for wish in wishes])
            number = None if facts is None else numbers.setdefault(facts, len(numbers))
            equals.append(number)
            kinds.append((index,) if isinstance(each, Candidate) and each.position in ordered else number)
        rests: dict[Hashable, int] = {}
        left: Counter[int] = Counter()
        found = [rests.setdefault(frozenset[object](), 0)]
        for number in reversed(equals):
            if number is not None:
                left[number] += 1
            found.append(rests.setdefault(frozenset(left.items()), len(rests)))
        return _Outlook(equals, kinds, found[::-1], any(wish.admin for wish in wishes))

    def _common(self, candidate: Candidate, facts: Sequence[Hashable]) -> Hashable:
        """Give everything of a device that can make a difference to some wishes; `None` when it can make none."""
        if not any(fact is not False for fact in facts):
            return None
        device, allocated = candidate.device, self._search.setting.allocated
        shared = self._search.shared(candidate)
        return (
            tuple(facts),
            (candidate.pool.id, candidate.slice.metadata.name, device.consumes_counters) if device.consumes_counters else None,
            (frozenset(device.capacity.items()), candidate.id in allocated.shared) if shared else None,
            frozenset(allocated.capacity.get(candidate.id, {}).items()) if shared else None,
        )

    def _fact(self, wish: Wish, candidate: Candidate | Pool) -> Hashable:
        """Give everything of a device that can make a difference to a wish; `False` when it can make none."""
        if isinstance(candidate, Pool):
            return False
        usable = self._usable(wish, candidate)
        meant = wish.all_devices is not None and candidate in wish.all_devices
        return (usable, meant, *(each.read(candidate) for _, each in wish.constraints)) if usable is not False or meant else False

    def _usable(self, wish: Wish, candidate: Candidate) -> Hashable:
        """Tell whether a wish could get a device, whatever else is used; `None` when asking is an error."""
        search = self._search
        if candidate.id in search.setting.allocated.devices and not wish.admin:
            return False
        usable = _verdict(wish, candidate) and search.operable(candidate) and (not search.capacities or self._exact or self._roomy(wish, candidate))
        if not usable:
            return usable
        refused = search.tainted(wish, candidate) or any(each.read(candidate) is MISSING for _, each in wish.constraints)
        # Trying what is refused may leave traces.
        return not refused or (self._leaking and "refused")

    def _roomy(self, wish: Wish, candidate: Candidate) -> bool | None:
        """Tell whether a device has the amounts that a wish names when no search has taken of it; `None` when asking is an error."""
        setting = self._search.setting
        taken = setting.allocated.capacity.get(candidate.id, {})
        try:
            found = shortage(wish.amounts, candidate.device.capacity, taken=taken, rules=setting.rules)
        except NotRepresentable:
            return None
        return found is None or (self._giving and self._search.shared(candidate))


def _amounts(device: Device) -> Iterator[Quantity]:
    """Give all amounts from which what a device gives or takes is computed."""
    for consumption in device.consumes_counters:
        yield from consumption.counters.values()
    for has in device.capacity.values():
        policy = has.request_policy
        yield has.value
        if policy is not None:
            allowed = policy.valid_range
            given = (policy.default, *(policy.valid_values or ()), *(() if allowed is None else (allowed.min, allowed.max, allowed.step)))
            yield from (amount for amount in given if amount is not None)


def _in_use(wish: Wish, users: set[int] | None) -> bool:
    """Tell whether a wish for all devices fails at one that some claims use."""
    return bool(users) and (not wish.admin or wish.claim in (users or ()))


def _verdict(wish: Wish, candidate: Candidate) -> bool | None:
    """Ask for the verdict; `None` for an error, which the search may never meet."""
    try:
        return wish.settled(candidate)
    except AllocationError:
        return None
