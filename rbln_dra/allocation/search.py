"""
Room: the search: one device after the other, the first that goes, and back when it leads nowhere.

It visits devices in the scheduler's order and stops at the first solution. A state in which nothing was found is remembered, so that the search
does not go through what is the same again (`memory`); that changes no answer.

May touch: everything in `allocation` but the results.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

import attrs

from ..errors import AllocationError, SearchLimitExceeded
from ..quantity import Quantity
from .capacity import NotRepresentable, consumption, shortage
from .constraints import EMPTY, State
from .counters import Counters, Groups
from .memory import Memory
from .pools import Candidate, DeviceID, Pool
from .taints import keeps_away
from .wishes import MOST_DEVICES, Demand, Setting, Wish, kobj

#: How many steps a search may take.
STEPS: Final = 250_000
#: After how many devices that led nowhere it remembers. A search that goes straight on has nothing to remember.
_REMEMBERING: Final = 100
_OPERATIONS: Final = "OptionalNodeOperations"


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


_Visit: TypeAlias = Generator[Place, Outcome, Outcome]


class Search:
    """
    One search for devices.

    Args:
        setting: What it is about.
        demands: What the claims want.
        steps: How many steps it may take.

    Attributes:
        granted: For each claim the devices that it has.
        selected: The subrequest that was chosen, by claim and request.
        constraints: The state of each constraint, by claim.
        using: Device → the claims that use it.
        sharing: Shared device → what is consumed of it.
        capacities: Whether capacities count.
        visited: The devices in the order in which they are visited, with the pools where visiting them is an error.
    """

    def __init__(self, setting: Setting, demands: tuple[Demand, ...], *, steps: int = STEPS) -> None:
        self.setting = setting
        self.demands = demands
        self.granted: list[list[Grant]] = [[] for _ in demands]
        self.selected: dict[tuple[int, int], int] = {}
        self.constraints: list[list[State]] = [[EMPTY] * len(demand.constraints) for demand in demands]
        self.using: dict[DeviceID, set[int]] = {}
        self.sharing: dict[DeviceID, dict[str, Quantity]] = {}
        self.steps = 0
        self.overflows = 0
        self._limit = steps
        self._allocator = setting.rules.allocator
        features = setting.rules.features
        self.capacities = "ConsumableCapacity" in features
        self._partitions = "PartitionableDevices" in features
        self._taints = "DeviceTaints" in features
        # Only the allocator that knows the feature looks, and then the node must have it, too.
        declared = _OPERATIONS in features and f"DRA{_OPERATIONS}" in setting.node.declared_features
        self._operations = declared or _OPERATIONS not in self._allocator.supports
        self.counters = Counters(setting.rules, self._consumes)
        self._groups = Groups(self._consumes) if "CompatibilityGroups" in features else None
        self.visited: list[Candidate | Pool] = self._order()
        self._memory = Memory(self)
        self._weighed = False
        self._returned = 0

    def _order(self) -> list[Candidate | Pool]:
        """Give the devices in the order in which they are visited, with the pools where visiting them is an error."""
        order: list[Candidate | Pool] = []
        for pool in self.setting.pools:
            if self._allocator.invalid_aborts and pool.invalid is not None:
                order.append(pool)
            elif pool.invalid is None and (self._allocator.invalid_aborts or not pool.incomplete):
                order += pool.candidates
        return order

    def run(self, place: Place = Place()) -> bool:  # noqa: B008 - it cannot change
        """
        Search.

        Args:
            place: From where on.

        Returns:
            Whether everything was found; it is then in `granted`.

        Raises:
            AllocationError: The scheduler gives up with an error.
            SearchLimitExceeded: It takes too long.
        """
        # A stack of its own: claims may want more devices than Python has room for calls.
        stack: list[_Visit] = [self._visit(place)]
        outcome: Outcome | None = None
        while stack:
            if self._returned > _REMEMBERING and not self._weighed:
                self._weighed = True
                if self._memory.hopeless(place):
                    return False
            try:
                place = next(stack[-1]) if outcome is None else stack[-1].send(outcome)
            except StopIteration as end:
                outcome = end.value
                stack.pop()
            else:
                outcome = None
                stack.append(self._visit(place))
        return outcome is Outcome.FOUND

    def alone(self) -> Search:
        """Give a search of the same that has taken nothing, and takes no more steps than this one has left."""
        fresh = Search(self.setting, self.demands, steps=max(self._limit - self.steps, 0))
        # What comes before its place does not matter to it, and what comes behind has been looked at.
        fresh._weighed = True
        return fresh

    def _visit(self, place: Place) -> _Visit:
        """Allocate what is wanted from a place on; yields the places that must be allocated first."""
        self.steps += 1
        if self.steps > self._limit:
            text = f"filter operation aborted: the search took more than {self._limit:,} steps"
            raise SearchLimitExceeded(text, steps=self._limit)
        if place.claim >= len(self.demands):
            return Outcome.FOUND
        demand = self.demands[place.claim]
        if place.request >= len(demand.requests):
            outcome = yield Place(place.claim + 1)
            return Outcome.FAILED if outcome is Outcome.TOO_MANY else outcome
        if demand.alternatives[place.request] and not place.chosen:
            return (yield from self._alternatives(place))
        wish = demand.requests[place.request][place.sub]
        if wish.all_devices is not None and not wish.all_devices:
            return Outcome.FAILED
        if place.device >= wish.count:
            return (yield Place(place.claim, place.request + 1))
        return (yield from self._devices(place, wish))

    def _devices(self, place: Place, wish: Wish) -> _Visit:
        """Allocate the devices that a request still needs."""
        if wish.count - place.device > MOST_DEVICES - len(self.granted[place.claim]):
            if not self._allocator.steps_over_limit:
                return Outcome.FAILED
            self.overflows += 1
            return Outcome.TOO_MANY
        if wish.all_devices is not None:
            return (yield from self._next_of_all(place, wish, wish.all_devices))
        if self._returned <= _REMEMBERING or not self._memory.usable:
            return (yield from self._any(place, wish, None))
        key = self._memory.key(place)
        if key in self._memory:
            return Outcome.FAILED
        overflows = self.overflows
        outcome = yield from self._any(place, wish, self._memory)
        if outcome is Outcome.FAILED and overflows == self.overflows:
            self._memory.add(key)
        return outcome

    def _alternatives(self, place: Place) -> _Visit:
        """Allocate the first subrequest that lets everything after it succeed."""
        only_overflows = True
        for sub in range(len(self.demands[place.claim].requests[place.request])):
            outcome = yield place._replace(sub=sub, chosen=True, start=0)
            if outcome is Outcome.TOO_MANY:
                continue
            only_overflows = False
            if outcome is Outcome.FOUND:
                self.selected[place.claim, place.request] = sub
                return outcome
        return Outcome.TOO_MANY if only_overflows and self._allocator.steps_over_limit else Outcome.FAILED

    def _next_of_all(self, place: Place, wish: Wish, devices: list[Candidate]) -> _Visit:
        """Allocate the next of all devices; there is no other choice."""
        undo = self.take(wish, devices[place.device], place.device, must=True)
        if undo is None:
            return Outcome.FAILED
        sub = 0 if self._allocator.forgets_subrequest else place.sub
        outcome = yield Place(place.claim, place.request, sub, place.device + 1, place.chosen)
        if outcome is not Outcome.FOUND:
            undo()
        return outcome

    def _any(self, place: Place, wish: Wish, memory: Memory | None) -> _Visit:
        """Allocate any device that goes, the first that lets everything after it succeed."""
        ordered = self._allocator.ordered
        visited = self.visited
        following = (place.claim, place.request, place.sub, place.device + 1, place.chosen)
        # Of equal devices only the first is tried: what fails with it fails with the next, which leaves no more to choose from.
        failed: set[Hashable] = set()
        for index in range(place.start, len(visited)):
            candidate = visited[index]
            if isinstance(candidate, Pool):
                raise AllocationError(f"pool {candidate.id[1]} is invalid: {candidate.invalid}")
            if failed and memory is not None and memory.kind(index) in failed:
                continue
            if self.occupied(wish, candidate) or not wish.matches(candidate):
                continue
            if self.capacities and self.lacking(wish, candidate, "checking") is not None:
                continue
            undo = self.take(wish, candidate, place.device, must=False)
            if undo is None:
                continue
            overflows = self.overflows
            outcome = yield Place(*following, index + 1 if ordered else 0)
            if outcome is Outcome.FOUND:
                return outcome
            undo()
            self._returned += 1
            if outcome is Outcome.TOO_MANY:
                return outcome
            if memory is not None and overflows == self.overflows and not self.shared(candidate):
                failed.add(memory.kind(index))
        return Outcome.FAILED

    # --- One device ---------------------------------------------------------------------------------------------------------------------

    def _consumes(self, id_: DeviceID) -> bool:
        """Tell whether a device is allocated already and takes from counters."""
        allocated = self.setting.allocated
        return id_ in allocated.devices or (self._allocator.allocated_shares and (id_ in allocated.shared or id_ in allocated.capacity))

    def occupied(self, wish: Wish, candidate: Candidate) -> bool:
        """Tell whether a device is in use, for an administrator by the same claim."""
        users = self.using.get(candidate.id)
        if wish.admin:
            return users is not None and wish.claim in users
        return bool(users) or candidate.id in self.setting.allocated.devices

    def lacking(self, wish: Wish, candidate: Candidate, doing: str) -> str | None:
        """
        Say which capacity a device lacks; `None` when it has all.

        Raises:
            AllocationError: An amount cannot be computed with.
        """
        device = candidate.device
        taken = self.taken(candidate.id)
        try:
            found = shortage(wish.amounts, device.capacity, taken=taken, rules=self.setting.rules)
        except NotRepresentable as error:
            place = f"claim {kobj(self.setting.claims[wish.claim])}, request {wish.name}"
            raise AllocationError(f"{place}: {doing} capacity for device {candidate.text}: {error}") from None
        return None if found is None else f"{found.name}: {found.reason}"

    def taken(self, id_: DeviceID) -> dict[str, Quantity]:
        """Give what is consumed of a shared device."""
        taken = dict(self.setting.allocated.capacity.get(id_, {}))
        for name, amount in self.sharing.get(id_, {}).items():
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
        return self._taints and keeps_away(candidate.device.taints, wish.given.tolerations, every=self._allocator.every_taint)

    def take(self, wish: Wish, candidate: Candidate, number: int, *, must: bool) -> Callable[[], None] | None:
        """
        Take a device that matches.

        Args:
            wish: What it is for.
            candidate: The device.
            number: How many devices the request has already.
            must: Whether nothing else will do, so that a constraint that forbids it is an error.

        Returns:
            What gives it back; `None` when it cannot be taken.

        Raises:
            AllocationError: A constraint forbids what must be, or an amount cannot be computed with.
        """
        shared = self.shared(candidate)
        counting = bool(candidate.device.consumes_counters)
        if (not (shared and wish.admin) and self.occupied(wish, candidate)) or not self.operable(candidate) or (counting and not self._partitions):
            return None
        undo: list[Callable[[], object]] = []
        leaks = self._allocator.leaks
        if (counting and not (shared and self._share_counted(candidate.id)) and not self._counted(candidate, undo)) or self.tainted(wish, candidate):
            _undo(undo)
            return None
        if not self._constrained(wish, candidate, undo):
            _undo(undo)
            if must:
                place = f"claim {kobj(self.setting.claims[wish.claim])}, request {wish.name}"
                raise AllocationError(f"{place}: cannot add device {candidate.text} because a claim constraint would not be satisfied")
            return None
        if leaks and counting and not shared:
            undo.append(lambda: self.counters.give_back(candidate))
        if not shared:
            users = self.using.setdefault(candidate.id, set())
            users.add(wish.claim)
            undo.append(lambda: users.discard(wish.claim))
        if self.capacities and self.lacking(wish, self._rechecked(candidate, number), "rechecking") is not None:
            if not leaks:
                _undo(undo)
            return None
        consumed = consumption(wish.amounts, candidate.device.capacity, self.setting.rules) if shared else None
        if consumed is not None:
            self._share(candidate.id, consumed, undo)
        own = self.granted[wish.claim]
        own.append(Grant(wish, candidate, consumed))
        undo.append(own.pop)
        return lambda: _undo(undo)

    def _rechecked(self, candidate: Candidate, number: int) -> Candidate:
        """Give the device whose capacity is looked at again: the same, but in 1.34 the one of the slice that has the request's number."""
        devices = candidate.slice.spec.devices
        if not self._allocator.rechecks_by_number or number >= len(devices):
            return candidate
        return attrs.evolve(candidate, id=(*candidate.pool.id, devices[number].name), device=devices[number])

    def _counted(self, candidate: Candidate, undo: list[Callable[[], object]]) -> bool:
        """Take what a device consumes of shared counters; tell whether there is enough, and whether it goes with the others."""
        if self._groups is not None:
            restore = self._groups.add(candidate)
            if restore is None:
                return False
            undo.append(restore)
        if self.counters.lacking(candidate) is not None:
            return False
        self.counters.take(candidate)
        if not self._allocator.leaks:
            undo.append(lambda: self.counters.give_back(candidate))
        return True

    def _share_counted(self, id_: DeviceID) -> bool:
        """Tell whether the counters of a shared device are taken already, by another share."""
        allocated = self.setting.allocated
        if not self._allocator.shares_counted_once:
            return False
        return id_ in allocated.capacity or (self._allocator.idle_shares_counted and id_ in allocated.shared) or id_ in self.sharing

    def _constrained(self, wish: Wish, candidate: Candidate, undo: list[Callable[[], object]]) -> bool:
        """Add a device to the constraints of its claim; tell whether all let it."""
        states = self.constraints[wish.claim]
        for index, constraint in wish.constraints:
            before = states[index]
            after = constraint.add(before, candidate, wish.base)
            if after is None:
                return False
            states[index] = after

            def give_back(index: int = index, before: State = before, remove: Callable[..., State] = constraint.remove) -> None:
                states[index] = remove(states[index], before, wish.base)

            undo.append(give_back)
        return True

    def _share(self, id_: DeviceID, consumed: dict[str, Quantity], undo: list[Callable[[], object]]) -> None:
        """Consume of a shared device."""
        before = self.sharing.get(id_)
        amounts = dict(before or {})
        for name, amount in consumed.items():
            amounts[name] = amount if name not in amounts else amounts[name].add(amount)
        self.sharing[id_] = amounts

        def give_back() -> None:
            if before is not None:
                self.sharing[id_] = before
            elif consumed or not self._allocator.leaks:
                del self.sharing[id_]

        undo.append(give_back)


def _undo(undo: list[Callable[[], object]]) -> None:
    """Undo what was done, the last first."""
    while undo:
        undo.pop()()
