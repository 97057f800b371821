"""
Room: the search: one device after the other, the first that goes, and back when it leads nowhere.

It visits devices in the scheduler's order and stops at the first solution. A state in which nothing was found is remembered, so that the search
does not go through what is the same again (`memory`); that changes no answer.

May touch: `capacity`, `constraints`, `counters`, `growth`, `memory`, `pools`, `taints`, `wishes`, `quantity`, `errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias

import attrs

from ..errors import AllocationError, InvalidValue, SearchLimitExceeded
from ..quantity import Quantity
from .capacity import NotRepresentable, consumption, shortage
from .constraints import EMPTY, Constraint, State
from .counters import Counters, Groups
from .growth import Amounts, possible
from .memory import Memory
from .pools import Candidate, DeviceID, Pool
from .taints import keeps_away
from .wishes import MOST_DEVICES, Demand, Setting, Wish, kobj

#: How many steps a search may take; it is then a matter of two or three seconds.
STEPS: Final = 200_000
#: After how many devices that led nowhere it remembers. A search that goes straight on has nothing to remember.
PATIENCE: Final = 100
#: How many devices that are passed over, and how many that are refused, take as long as a step.
_LOOKED_AT: Final = 64
_REFUSED: Final = 8
#: How many requests times devices there may be where it remembers.
_SURVEYED: Final = 500_000
_OPERATIONS: Final = "OptionalNodeOperations"
_NOTHING: Final[Mapping[str, Quantity]] = {}
#: In place of a shortage that was not looked for yet.
_UNKNOWN: Final = "?"


class Outcome(Enum):
    """What became of a part of the search."""

    FOUND = "found"
    FAILED = "failed"
    #: The claim would have more devices than it may.
    TOO_MANY = "too many"


@attrs.frozen(eq=False)
class Grant:
    """
    A device for a request.

    Args:
        wish: What it is for.
        candidate: The device.
        consumed: What it consumes of a shared device; `None` when it has the device as a whole.
    """

    wish: Wish
    candidate: Candidate
    consumed: dict[str, Quantity] | None


class Place(NamedTuple):
    """
    Where a search is.

    Args:
        claim: The claim.
        request: The request of the claim.
        sub: The subrequest of the request.
        device: How many devices it has already.
        chosen: Whether the subrequest is chosen.
        start: The first device that may be next.
    """

    claim: int = 0
    request: int = 0
    sub: int = 0
    device: int = 0
    chosen: bool = False
    start: int = 0


#: A choice: it gives the place that must be allocated first, is told what became of that, gives the next, and ends with what became of itself.
_Choice: TypeAlias = Generator[Place, Outcome, Outcome]


class Search:
    """
    One search for devices.

    Args:
        setting: What it is about.
        demands: What the claims want.
        steps: How many steps it may take.
        patience: After how many devices that led nowhere it remembers.

    Attributes:
        granted: For each claim the devices that it has.
        selected: The subrequest that was chosen, by claim and request.
        constraints: The state of each constraint, by claim.
        using: Position of a device → the claims that use it.
        sharing: Shared device → what is consumed of it.
        capacities: Whether capacities count.
        counters: What is left of shared counters.
        visited: The devices in the order in which they are visited, with the pools where visiting them is an error.
        overflows: How often a claim would have had too many devices.
        limit: How many steps it may take.
        steps: How many it has taken.
    """

    def __init__(self, setting: Setting, demands: tuple[Demand, ...], *, steps: int = STEPS, patience: int = PATIENCE) -> None:
        InvalidValue.unless(steps, int, f"a number of steps such as {STEPS}")
        if steps < 0 or isinstance(steps, bool):
            raise InvalidValue(steps, f"a number of steps such as {STEPS}")
        self.setting = setting
        self.demands = demands
        self.granted: list[list[Grant]] = [[] for _ in demands]
        self.selected: dict[tuple[int, int], int] = {}
        self.constraints: list[list[State]] = [[EMPTY] * len(demand.constraints) for demand in demands]
        self.using: dict[int, set[int]] = {}
        self.sharing: dict[DeviceID, dict[str, Quantity]] = {}
        self.overflows = 0
        self.steps = 0
        self.limit = steps
        wishes = [wish for demand in demands for request in demand.requests for wish in request]
        allocator = self._allocator = setting.rules.allocator
        features = setting.rules.features
        self.capacities = "ConsumableCapacity" in features
        self._partitions = "PartitionableDevices" in features
        self._taints = "DeviceTaints" in features
        # Only the allocator that knows the feature looks, and then the node must have it, too.
        declared = _OPERATIONS in features and f"DRA{_OPERATIONS}" in setting.node.declared_features
        self._operations = declared or _OPERATIONS not in allocator.supports
        self.counters = Counters(setting.rules, self._consumes)
        self._groups = Groups(self._consumes) if "CompatibilityGroups" in features else None
        self.visited: list[Candidate | Pool] = self._order()
        #: The amounts of each wish by its identity, where they can grow. What failed once may then go later, so there is nothing to remember.
        self._amounts: dict[int, Amounts] | None = None
        if self.capacities and allocator.amounts_grow and possible(wishes, (each for each in self.visited if isinstance(each, Candidate))):
            self._amounts = {id(wish): Amounts(wish) for wish in wishes if wish.amounts is not None}
        # To remember, it must look at every device for every request.
        self._patience = patience if len(wishes) * len(self.visited) <= _SURVEYED and self._amounts is None else steps
        #: What gives back what was taken, the last last.
        self._trail: list[tuple[Callable[..., object], tuple[Any, ...]]] = []
        self._memory: Memory | None = None
        self._returned = 0
        self._alone = False
        #: The claim and the request from which on there is nothing to be found.
        self._dead_end: tuple[int, int] | None = None

    def _order(self) -> list[Candidate | Pool]:
        """Give the devices in the order in which they are visited, with the pools where visiting them is an error."""
        order: list[Candidate | Pool] = []
        for pool in self.setting.pools:
            if self._allocator.invalid_aborts and pool.invalid is not None:
                order.append(pool)
            elif pool.invalid is None and (self._allocator.invalid_aborts or not pool.incomplete):
                order += pool.candidates
        return order

    def run(self, claim: int = 0, request: int = 0) -> bool:
        """
        Search.

        Args:
            claim: From which claim on.
            request: From which of its requests on.

        Returns:
            Whether everything was found; it is then in `granted`.

        Raises:
            AllocationError: The scheduler gives up with an error.
            SearchLimitExceeded: It takes too long.
        """
        # A stack of its own, each choice with its claim: claims may want more devices than Python has room for calls.
        choices: list[tuple[int, _Choice]] = []
        place = Place(claim, request)
        while True:
            if self._returned > self._patience and self._memory is None:
                self._memory = Memory(self)
                self._dead_end = None if self._alone else self._memory.dead_end()
                if self._dead_end == (0, 0):
                    return False
            there = self._back(*self._descend(place, choices), choices)
            if there is Outcome.TOO_MANY:
                # Only a claim before this one would have taken that for a failure.
                raise AllocationError("allocation max size exceeded")
            if isinstance(there, Outcome):
                return there is Outcome.FOUND
            place = there

    def _back(self, claim: int, outcome: Outcome, choices: list[tuple[int, _Choice]]) -> Place | Outcome:
        """Tell the choices what became of what they chose, the last first, up to one that has another way; give that, or the outcome of all."""
        while choices:
            above, choice = choices[-1]
            if outcome is Outcome.TOO_MANY and above != claim:
                outcome = Outcome.FAILED
            claim = above
            try:
                return choice.send(outcome)
            except StopIteration as end:
                outcome = end.value
                choices.pop()
        return Outcome.FAILED if outcome is Outcome.TOO_MANY and claim else outcome

    @property
    def grouped(self) -> Hashable:
        """The compatibility groups that shared counters are taken for."""
        return None if self._groups is None else self._groups.common

    def alone(self, steps: int) -> Search:
        """Give a search of the same that has taken nothing."""
        fresh = Search(self.setting, self.demands, steps=steps, patience=self._patience)
        fresh._alone = True
        return fresh

    def _descend(self, place: Place, choices: list[tuple[int, _Choice]]) -> tuple[int, Outcome]:
        """Go on from a place, through each choice by its first way, to an outcome; give the claim where that is, and the outcome."""
        while True:
            claim, choice = self._next(place)
            if isinstance(choice, Outcome):
                return claim, choice
            try:
                place = next(choice)
            except StopIteration as end:
                return claim, end.value
            choices.append((claim, choice))

    def _next(self, place: Place) -> tuple[int, _Choice | Outcome]:
        """Find the next choice from a place on, or the outcome where there is none; give its claim, too."""
        demands = self.demands
        claim, request, sub, device, chosen, start = place
        while True:
            self.steps += 1
            if self.steps > self.limit:
                text = f"filter operation aborted: the search took more than {self.limit:,} steps"
                raise SearchLimitExceeded(text, steps=self.limit)
            if self._dead_end is not None and (claim, request) >= self._dead_end:
                return claim, Outcome.FAILED
            if claim >= len(demands):
                return claim, Outcome.FOUND
            demand = demands[claim]
            if request >= len(demand.requests):
                claim, request, sub, device, chosen, start = claim + 1, 0, 0, 0, False, 0
                continue
            here = Place(claim, request, sub, device, chosen, start)
            if demand.alternatives[request] and not chosen:
                return claim, self._alternatives(here)
            wish = demand.requests[request][sub]
            if wish.all_devices is not None and not wish.all_devices:
                return claim, Outcome.FAILED
            if device < wish.count:
                return claim, self._devices(here, wish)
            request, sub, device, chosen, start = request + 1, 0, 0, False, 0

    def _devices(self, place: Place, wish: Wish) -> _Choice | Outcome:
        """Choose the devices that a request still needs."""
        if wish.count - place.device > MOST_DEVICES - len(self.granted[place.claim]):
            self.overflows += 1
            return Outcome.TOO_MANY
        if wish.all_devices is not None:
            return self._next_of_all(place, wish, wish.all_devices)
        return self._any(place, wish) if self._memory is None else self._remembered(place, wish, self._memory)

    def _remembered(self, place: Place, wish: Wish, memory: Memory) -> _Choice:
        """Choose any device that goes, unless that led nowhere in the same state before."""
        self.steps += memory.effort
        key = memory.key(place)
        if memory.recall(key):
            return Outcome.FAILED
        overflows = self.overflows
        outcome = yield from self._any(place, wish)
        if outcome is Outcome.FAILED and overflows == self.overflows:
            memory.add(key, place)
        return outcome

    def _alternatives(self, place: Place) -> _Choice:
        """Choose the first subrequest that lets everything after it succeed."""
        only_overflows = True
        for sub in range(len(self.demands[place.claim].requests[place.request])):
            outcome = yield place._replace(sub=sub, chosen=True, start=0)
            if outcome is Outcome.TOO_MANY:
                continue
            only_overflows = False
            if outcome is Outcome.FOUND:
                self.selected[place.claim, place.request] = sub
                return outcome
        return Outcome.TOO_MANY if only_overflows else Outcome.FAILED

    def _next_of_all(self, place: Place, wish: Wish, devices: list[Candidate]) -> _Choice:
        """Take the next of all devices; there is no other."""
        mark = len(self._trail)
        if not self._take(wish, devices[place.device], place.device, must=True):
            return Outcome.FAILED
        sub = 0 if self._allocator.forgets_subrequest else place.sub
        outcome = yield Place(place.claim, place.request, sub, place.device + 1, place.chosen)
        if outcome is not Outcome.FOUND:
            self._give_back(mark)
        return outcome

    def _any(self, place: Place, wish: Wish) -> _Choice:
        """Choose any device that goes, the first that lets everything after it succeed."""
        claim, request, sub, number, chosen, start = place
        ordered, visited, mark = self._allocator.ordered, self.visited, len(self._trail)
        # Of equal devices only the first is tried: what fails with it fails with the next, which leaves no more to choose from.
        failed: set[Hashable] = set()
        looked_at, refused = start, 0
        for index in range(start, len(visited)):
            candidate = visited[index]
            if isinstance(candidate, Pool):
                raise AllocationError(f"pool {candidate.id[1]} is invalid: {candidate.invalid}")
            verdict = wish.verdicts.get(candidate.position)
            if verdict is False or self.occupied(wish, candidate) or not (verdict or wish.matches(candidate)):
                continue
            memory = self._memory
            trial = None if memory is None else memory.trial(place, index)
            if trial in failed:
                continue
            if (self.capacities and self.lacking(wish, candidate, "checking") is not None) or not self._take(wish, candidate, number, must=False):
                refused += 1
                continue
            self.steps += (index - looked_at) // _LOOKED_AT + refused // _REFUSED
            looked_at, refused = index, 0
            overflows = self.overflows
            outcome = yield Place(claim, request, sub, number + 1, chosen, index + 1 if ordered else 0)
            if outcome is Outcome.FOUND:
                return outcome
            self._give_back(mark)
            self._returned += 1
            if outcome is Outcome.TOO_MANY:
                return outcome
            if trial is not None and overflows == self.overflows and not self.shared(candidate):
                failed.add(trial)
        self.steps += (len(visited) - looked_at) // _LOOKED_AT + refused // _REFUSED
        return Outcome.FAILED

    # --- One device ---------------------------------------------------------------------------------------------------------------------

    def _consumes(self, id_: DeviceID) -> bool:
        """Tell whether a device is allocated already and takes from counters."""
        allocated = self.setting.allocated
        return id_ in allocated.devices or (self._allocator.allocated_shares and (id_ in allocated.shared or id_ in allocated.capacity))

    def occupied(self, wish: Wish, candidate: Candidate) -> bool:
        """Tell whether a device is in use, for an administrator by the same claim."""
        users = self.using.get(candidate.position)
        if wish.admin:
            return users is not None and wish.claim in users
        return bool(users) or candidate.id in self.setting.allocated.devices

    def lacking(self, wish: Wish, candidate: Candidate, doing: str) -> str | None:
        """
        Say which capacity a device lacks; `None` when it has all.

        Raises:
            AllocationError: An amount cannot be computed with.
        """
        id_, taken, growing = candidate.id, self.taken(candidate.id), self._amounts is not None
        known = wish.shortages.get(id(candidate.device), _UNKNOWN)
        if known is not _UNKNOWN and not taken and not growing:
            return known
        # What is allocated already is a number of its own, to which the amount is added, not the other way round.
        given = self.sharing.get(id_, _NOTHING).keys() - self.setting.allocated.capacity.get(id_, _NOTHING) if growing else ()
        try:
            found = shortage(self._wanted(wish), candidate.device.capacity, taken=taken, rules=self.setting.rules, growing=given)
        except NotRepresentable as error:
            place = f"claim {kobj(self.setting.claims[wish.claim])}, request {wish.name}"
            raise AllocationError(f"{place}: {doing} capacity for device {candidate.text}: {error}") from None
        text = None if found is None else f"{found.name}: {found.reason}"
        if not taken and not growing:
            wish.shortages[id(candidate.device)] = text
        return text

    def _wanted(self, wish: Wish) -> Mapping[str, Quantity] | None:
        """Give the amounts that a wish names by now."""
        return wish.amounts if self._amounts is None else self._amounts.get(id(wish))

    def taken(self, id_: DeviceID) -> Mapping[str, Quantity]:
        """Give what is consumed of a shared device."""
        allocated, sharing = self.setting.allocated.capacity, self.sharing
        if not allocated and not sharing:
            return _NOTHING
        taken = dict(allocated.get(id_, _NOTHING))
        for name, amount in sharing.get(id_, _NOTHING).items():
            taken[name] = amount if name not in taken else taken[name].add(amount)
        return taken

    def shared(self, candidate: Candidate) -> bool:
        """Tell whether several may use a device."""
        return self.capacities and candidate.device.allow_multiple_allocations is True

    def operable(self, candidate: Candidate) -> bool:
        """Tell whether the node can do without the operations that a device's slice leaves out."""
        return self._operations or not candidate.slice.spec.skip_node_operations

    def tainted(self, wish: Wish, candidate: Candidate) -> bool:
        """Tell whether a taint keeps a wish away from a device."""
        taints = candidate.device.taints
        return bool(taints) and self._taints and keeps_away(taints, wish.given.tolerations, every=self._allocator.every_taint)

    def _take(self, wish: Wish, candidate: Candidate, number: int, *, must: bool) -> bool:
        """
        Take a device that matches, unless something forbids it. What was taken is on the trail.

        Args:
            wish: What it is for.
            candidate: The device.
            number: How many devices the request has already.
            must: Whether nothing else will do, so that a constraint that forbids it is an error.

        Returns:
            Whether it is taken.

        Raises:
            AllocationError: A constraint forbids what must be, or an amount cannot be computed with.
        """
        device = candidate.device
        shared = self.capacities and device.allow_multiple_allocations is True
        counting = bool(device.consumes_counters)
        # Who had a choice has looked at it before.
        if must and not (shared and wish.admin) and self.occupied(wish, candidate):
            return False
        if not self.operable(candidate) or (counting and not self._partitions):
            return False
        trail, mark = self._trail, len(self._trail)
        counted = not counting or (shared and self._share_counted(candidate.id)) or self._counted(candidate)
        if not counted or self.tainted(wish, candidate):
            self._give_back(mark)
            return False
        if wish.constraints and not self._constrained(wish, candidate):
            self._give_back(mark)
            if must:
                place = f"claim {kobj(self.setting.claims[wish.claim])}, request {wish.name}"
                raise AllocationError(f"{place}: cannot add device {candidate.text} because a claim constraint would not be satisfied")
            return False
        leaks = self._allocator.leaks
        if leaks and counting and not shared:
            trail.append((self.counters.give_back, (candidate,)))
        if not shared:
            users = self.using.setdefault(candidate.position, set())
            users.add(wish.claim)
            trail.append((users.discard, (wish.claim,)))
        rechecked = self.capacities and (must or self._allocator.rechecks_by_number or self._amounts is not None)
        if rechecked and self.lacking(wish, self._rechecked(candidate, number), "rechecking") is not None:
            if leaks:
                # What is not on the trail is never given back.
                del trail[mark:]
            self._give_back(mark)
            return False
        consumed = consumption(self._wanted(wish), device.capacity, self.setting.rules) if shared else None
        if consumed is not None:
            self._share(wish, candidate, consumed)
        own = self.granted[wish.claim]
        own.append(Grant(wish, candidate, consumed))
        trail.append((own.pop, ()))
        return True

    def _give_back(self, mark: int) -> None:
        """Give back what was taken since the trail was that long, the last first."""
        trail = self._trail
        while len(trail) > mark:
            give_back, arguments = trail.pop()
            give_back(*arguments)

    def _rechecked(self, candidate: Candidate, number: int) -> Candidate:
        """
        Give the device whose capacity is looked at again: the same, but in 1.34 the one of the slice that has the request's number.

        Raises:
            AllocationError: The slice has none of that number, which crashes the scheduler.
        """
        if not self._allocator.rechecks_by_number:
            return candidate
        devices = candidate.slice.spec.devices
        if number >= len(devices):
            raise AllocationError(f"panic: runtime error: index out of range [{number}] with length {len(devices)}")
        return attrs.evolve(candidate, id=(*candidate.pool.id, devices[number].name), device=devices[number])

    def _counted(self, candidate: Candidate) -> bool:
        """Take what a device consumes of shared counters; tell whether there is enough, and whether it goes with the others."""
        if self._groups is not None:
            restore = self._groups.add(candidate)
            if restore is None:
                return False
            self._trail.append((restore, ()))
        if self.counters.lacking(candidate) is not None:
            return False
        self.counters.take(candidate)
        if not self._allocator.leaks:
            self._trail.append((self.counters.give_back, (candidate,)))
        return True

    def _share_counted(self, id_: DeviceID) -> bool:
        """Tell whether the counters of a shared device are taken already, by another share."""
        allocated = self.setting.allocated
        if not self._allocator.shares_counted_once:
            return False
        return id_ in allocated.capacity or (self._allocator.idle_shares_counted and id_ in allocated.shared) or id_ in self.sharing

    def _constrained(self, wish: Wish, candidate: Candidate) -> bool:
        """Add a device to the constraints of its claim; tell whether all let it."""
        states = self.constraints[wish.claim]
        for index, constraint in wish.constraints:
            before = states[index]
            after = constraint.add(before, candidate, wish.base)
            if after is None:
                return False
            states[index] = after
            self._trail.append((_remove, (states, index, constraint, before, wish.base)))
        return True

    def _share(self, wish: Wish, candidate: Candidate, consumed: dict[str, Quantity]) -> None:
        """Consume of a shared device."""
        id_ = candidate.id
        before = self.sharing.get(id_)
        amounts = dict(before or {})
        for name, amount in consumed.items():
            amounts[name] = amount if name not in amounts else amounts[name].add(amount)
        self.sharing[id_] = amounts
        if self._amounts is not None:
            if (own := self._amounts.get(id(wish))) is not None:
                self._trail.append((own.lend(candidate, consumed), ()))
            if consumed or not self._allocator.leaks:
                self._trail.append((self._unshare, (id_, consumed, before is not None)))
        elif before is not None:
            self._trail.append((self.sharing.__setitem__, (id_, before)))
        elif consumed or not self._allocator.leaks:
            self._trail.append((self.sharing.pop, (id_,)))

    def _unshare(self, id_: DeviceID, consumed: Mapping[str, Quantity], existed: bool) -> None:  # noqa: FBT001 - on the trail
        """Give back what is consumed of a shared device by now, which may be more than was taken."""
        left = {name: amount.sub(consumed[name]) if name in consumed else amount for name, amount in self.sharing.pop(id_, _NOTHING).items()}
        if any(amount.number for amount in left.values()):
            self.sharing[id_] = left
        elif existed and not self._allocator.leaks:
            self.sharing[id_] = {}


def _remove(states: list[State], index: int, constraint: Constraint, before: State, request: str) -> None:
    """Give a device back to a constraint."""
    states[index] = constraint.remove(states[index], before, request)
