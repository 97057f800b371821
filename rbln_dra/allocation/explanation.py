"""
Room: why a node does not serve claims: for each request the first reason that rules out each device, and what would make it fit.

May touch: everything in `allocation`, `errors`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, cast

import attrs

from ..errors import AllocationError, SearchLimitExceeded
from .constraints import DISTINCT, MATCH, MISSING, Constraint
from .derived import Failure
from .pools import Candidate, DeviceID, Pool
from .results import ClaimAllocation, conclude
from .search import Search
from .taints import untolerated
from .wishes import Setting, Wish, demands, kobj


class Reason(Enum):
    """What rules a device out for a request; the values are for people."""

    POOL = "pool"
    IN_USE = "in use"
    BINDING = "binding conditions"
    SELECTOR = "selector"
    ERROR = "ERROR"
    NODE = "other node"
    CAPACITY = "capacity"
    OPERATIONS = "node operations"
    COUNTERS = "counters"
    TAINT = "taint"
    ATTRIBUTE = "missing attribute"
    CONSTRAINT = "constraint"
    NONE = "usable"


@attrs.frozen
class Ruling:
    """
    What one request says of one device.

    Args:
        device: Driver, pool and name.
        reason: The first reason that rules it out, in the order in which the scheduler asks; `NONE` when it alone could be taken.
        detail: The reason in full, in one line.
        message: Kubernetes' text where the reason is an error; `None` otherwise.
    """

    device: DeviceID
    reason: Reason
    detail: str
    message: str | None = None

    def __str__(self) -> str:
        """Render one line."""
        return f"{'/'.join(self.device)}: {self.reason.value}" + (f": {self.detail}" if self.detail else "")


@attrs.frozen
class RequestExplanation:
    """
    What one request, or one subrequest, finds.

    Args:
        claim: The claim as `namespace/name`.
        request: The request, a subrequest as `request/subrequest`.
        wanted: How many devices it wants.
        rulings: What it says of each device, in the order of the search.
    """

    claim: str
    request: str
    wanted: int
    rulings: tuple[Ruling, ...]

    @property
    def usable(self) -> int:
        """How many devices it could take when nothing else were wanted."""
        return sum(ruling.reason is Reason.NONE for ruling in self.rulings)

    @property
    def reasons(self) -> dict[Reason, int]:
        """How often each reason rules a device out, the most frequent first."""
        return dict(Counter(ruling.reason for ruling in self.rulings if ruling.reason is not Reason.NONE).most_common())

    def __str__(self) -> str:
        """Render one line."""
        reasons = ", ".join(f"{number} {reason.value}" for reason, number in self.reasons.items())
        return f"claim {self.claim}, request {self.request}: wants {self.wanted}, could take {self.usable}" + (f" ({reasons})" if reasons else "")


@attrs.frozen
class AllocationExplanation:
    """
    What an allocation comes to, and why.

    Args:
        allocations: What each claim gets; `None` when they do not fit.
        error: Kubernetes' text when the scheduler gives up with an error; `None` otherwise.
        requests: What each request finds, in the order of the search.
        pools: What is wrong with pools: incomplete, invalid.
        advice: What would make it fit, the likeliest first.
    """

    allocations: tuple[ClaimAllocation, ...] | None
    error: str | None
    requests: tuple[RequestExplanation, ...]
    pools: tuple[str, ...]
    advice: tuple[str, ...]

    @property
    def fits(self) -> bool:
        """Whether the claims get what they want."""
        return self.allocations is not None

    def __str__(self) -> str:
        """Render one line for each thing that matters."""
        head = "fits" if self.fits else f"error: {self.error}" if self.error is not None else "does not fit"
        return "\n".join((head, *self.pools, *map(str, self.requests), *(f"hint: {each}" for each in self.advice)))


def explained(setting_of: Callable[[], Setting], *, steps: int) -> AllocationExplanation:
    """
    Explain an allocation.

    Args:
        setting_of: Puts together what it is about.
        steps: How many steps the search may take.

    Raises:
        DecodeError: An object could not be read.
    """
    try:
        setting = setting_of()
    except AllocationError as error:
        return AllocationExplanation(None, error.message, (), (), ())
    pools = tuple(_pool(pool) for pool in setting.pools if pool.incomplete or pool.invalid is not None)
    try:
        wanted = demands(setting)
    except AllocationError as error:
        return AllocationExplanation(None, error.message, (), pools, tuple(_pool_advice(setting)))
    search = Search(setting, wanted, steps=steps)
    gave_up: tuple[str, ...] = ()
    try:
        found, error_text = conclude(search), None
    except AllocationError as error:
        found, error_text = None, error.message
        if isinstance(error, SearchLimitExceeded):
            pools = (*pools, f"search: gave up after {error.steps:,} steps")
            gave_up = (f"the search gave up: allow it more than {error.steps:,} steps",)
    fresh = Search(setting, demands(setting))
    wishes = [wish for demand in fresh.demands for request in demand.requests for wish in request]
    requests = tuple(_explained(fresh, wish) for wish in wishes)
    advice = gave_up if gave_up or found is not None else tuple(dict.fromkeys((*_pool_advice(setting), *_advice(fresh, wishes, requests))))
    return AllocationExplanation(found, error_text, requests, pools, advice)


def _pool(pool: Pool) -> str:
    """Say what is wrong with a pool."""
    return f"pool {pool.text}: {'incomplete: its slices are not as many as they say' if pool.incomplete else f'invalid: {pool.invalid}'}"


def _pool_advice(setting: Setting) -> Iterator[str]:
    """Say what to do about pools."""
    for pool in setting.pools:
        if pool.incomplete:
            yield f"pool {pool.text}: wait for its driver, or give all its slices and no others"
        elif pool.invalid is not None:
            yield f"pool {pool.text}: its driver must publish it anew: {pool.invalid}"


def _explained(search: Search, wish: Wish) -> RequestExplanation:
    """Say what one wish finds."""
    rulings = [_unusable_pool(pool, candidate) or _ruling(search, wish, candidate) for pool in search.setting.pools for candidate in pool.candidates]
    ruled = _constrained(search, wish, rulings)
    return RequestExplanation(kobj(search.setting.claims[wish.claim]), wish.full_name, wish.count, tuple(ruled))


def _unusable_pool(pool: Pool, candidate: Candidate) -> Ruling | None:
    """Rule out a device of a pool that cannot be used."""
    return None if pool.invalid is None else Ruling(candidate.id, Reason.POOL, pool.invalid)


def _ruling(search: Search, wish: Wish, candidate: Candidate) -> Ruling:
    """Find the first reason that rules a device out, in the order in which the scheduler asks."""
    if search.occupied(wish, candidate):
        return Ruling(candidate.id, Reason.IN_USE, "another claim has it")
    try:
        found = _mismatch(search, wish, candidate) or _lack(search, wish, candidate)
    except AllocationError as error:
        return Ruling(candidate.id, Reason.ERROR, error.message, error.message)
    return Ruling(candidate.id, *found) if found is not None else Ruling(candidate.id, Reason.NONE, "")


def _mismatch(search: Search, wish: Wish, candidate: Candidate) -> tuple[Reason, str] | None:
    """Say why a device is none of those that are wanted."""
    if candidate.device.binding_conditions and "DeviceBindingAndStatus" not in search.setting.rules.features:
        return Reason.BINDING, "it has binding conditions, and DRADeviceBindingConditions is off"
    for condition in wish.conditions:
        if not condition.holds(candidate):
            return Reason.SELECTOR, f"{condition.place} is false: {condition.expression}"
    return None if wish.reachable(candidate) else (Reason.NODE, f"node {search.setting.node.name} cannot reach it")


def _lack(search: Search, wish: Wish, candidate: Candidate) -> tuple[Reason, str] | None:
    """Say what a device that matches lacks."""
    if search.capacities and (lacking := search.lacking(wish, candidate, "checking")) is not None:
        return Reason.CAPACITY, lacking
    if not search.operable(candidate):
        return Reason.OPERATIONS, "its slice skips node operations, which the node does not declare"
    if candidate.device.consumes_counters:
        if "PartitionableDevices" not in search.setting.rules.features:
            return Reason.COUNTERS, "it consumes counters, and DRAPartitionableDevices is off"
        if (short := search.counters.lacking(candidate)) is not None:
            return Reason.COUNTERS, short
    if search.tainted(wish, candidate):
        taint = untolerated(candidate.device.taints, wish.given.tolerations, every=search.setting.rules.allocator.every_taint)
        return None if taint is None else (Reason.TAINT, f"{taint.key}={taint.value}:{taint.effect} is not tolerated")
    for _, constraint in wish.constraints:
        found = constraint.read(candidate)
        if isinstance(found, Failure):
            raise AllocationError(found.message)
        if found is MISSING:
            return Reason.ATTRIBUTE, f"{constraint.attribute} is not set on {candidate.text}, and {constraint.kind} needs it"
    return None


def _constrained(search: Search, wish: Wish, rulings: list[Ruling]) -> list[Ruling]:
    """Rule out what does not go together: devices whose value of an attribute too few others share, or which repeat one."""
    found = list(rulings)
    candidates = {each.id: each for pool in search.setting.pools for each in pool.candidates}
    for _, constraint in wish.constraints:
        usable = [index for index, ruling in enumerate(found) if ruling.reason is Reason.NONE]
        shown = {index: _shown(constraint, candidates[found[index].device]) for index in usable}
        counts = Counter(shown.values())
        for index in usable:
            detail = _conflict(constraint, shown[index], counts, wish.count)
            if detail is not None:
                found[index] = Ruling(found[index].device, Reason.CONSTRAINT, detail)
    return found


def _shown(constraint: Constraint, candidate: Candidate) -> str:
    """Write the value that a constraint compares."""
    found = constraint.read(candidate)
    value: Any = cast("tuple[str, Any]", found)[1] if isinstance(found, tuple) else found
    return ", ".join(sorted(map(str, cast("frozenset[object]", value)))) if isinstance(value, frozenset) else str(value)


def _conflict(constraint: Constraint, value: str, counts: Counter[str], wanted: int) -> str | None:
    """Say that a value is shared by too few, or too few values are there."""
    others = ", ".join(f"{other} ({number})" for other, number in counts.most_common())
    if constraint.kind == MATCH and counts[value] < wanted and not any(value in other.split(", ") for other in counts if other != value):
        return f"matchAttribute {constraint.attribute}: {value} is on {counts[value]} of the {wanted} devices that are wanted; there is {others}"
    if constraint.kind == DISTINCT and len(counts) < wanted:
        return f"distinctAttribute {constraint.attribute}: {wanted} different values are wanted; there is {others}"
    return None


def _advice(search: Search, wishes: list[Wish], requests: tuple[RequestExplanation, ...]) -> Iterator[str]:
    """Say what would make it fit: for each request what rules out most of what it needs; when each finds enough, that they are too many together."""
    short = [(wish, found) for wish, found in zip(wishes, requests, strict=True) if found.usable < max(wish.count, 1)]
    for wish, found in short:
        missing = max(wish.count, 1) - found.usable
        place = f"request {found.request}"
        if not found.rulings and not any(pool.incomplete or pool.invalid is not None for pool in search.setting.pools):
            yield f"{place}: no device is published for node {search.setting.node.name}"
        for reason, number in found.reasons.items():
            yield f"{place}: {_remedy(reason, number, missing=missing)}"
        if found.rulings and len(found.rulings) < wish.count:
            yield f"{place}: {wish.count} devices are wanted, {len(found.rulings)} are published for node {search.setting.node.name}: ask for fewer"
    if not short and wishes:
        yield "each request finds enough devices for itself, but not all together: ask for fewer, relax the constraints, or free devices"


def _remedy(reason: Reason, number: int, *, missing: int) -> str:
    """Say what to do about devices that are ruled out."""
    verbs = {f"{verb}s": f"{verb}s" if number == 1 else verb for verb in ("need", "find", "lack")}
    one = {"number": "1 device", "is": "is", "matches": "matches"}
    several = {"number": f"{number} devices", "is": "are", "matches": "match"}
    return _REMEDIES[reason].format(missing=missing, **verbs, **(one if number == 1 else several))


#: Reason → what to say of it. Devices that could be had come first in the reader's mind, so these say what they lack.
_REMEDIES = {
    Reason.POOL: "{number} in a pool that is invalid",
    Reason.IN_USE: "{number} that {matches} {is} in use",
    Reason.BINDING: "{number} with binding conditions {needs} the gate DRADeviceBindingConditions",
    Reason.SELECTOR: "{number} {is} not selected; {missing} more must match the selectors of class and request",
    Reason.ERROR: "{number} on which an expression has no answer: guard it with has() or .?…orValue(), or test device.driver first",
    Reason.NODE: "{number} {is} for other nodes",
    Reason.CAPACITY: "{number} with too little capacity: ask for less, or free what others consume",
    Reason.OPERATIONS: "{number} {needs} a node that declares DRAOptionalNodeOperations",
    Reason.COUNTERS: "{number} {finds} too little left in shared counters: free devices of the same pool",
    Reason.TAINT: "{number} {is} tainted: tolerate the taint, or remove it",
    Reason.ATTRIBUTE: "{number} {lacks} an attribute that a constraint needs: publish it, or name the attribute that is published",
    Reason.CONSTRAINT: "{number} cannot go together under a constraint: relax it, or ask for fewer",
}
