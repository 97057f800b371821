"""
Room: what must hold between the devices of a claim: the same value of an attribute, or different ones.

A constraint is a function of states: `add` gives the state with one more device, or `None` when the device may not be added; `remove` gives the state
when that device is given back, which in some minors is not the one before.

May touch: `pools`, `rules`, `attributes`, `devices`, `errors`, `resources`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

import attrs

from ..attributes import DeviceAttribute
from ..devices import Device
from ..errors import AllocationError
from ..resources import DeviceConstraint
from .pools import Candidate
from .rules import Rules

#: Which kind of value, and the value or the values.
Value: TypeAlias = tuple[str, Any]
Values: TypeAlias = tuple[str, frozenset[Any]]
#: How many devices, and what is remembered of them.
State: TypeAlias = tuple[int, Any]

EMPTY: Final[State] = (0, ())
MATCH: Final = "matchAttribute"
DISTINCT: Final = "distinctAttribute"
#: In place of what is read of an attribute that a device does not have.
MISSING: Final = object()
_UNKNOWN: Final = object()

_SCALARS: Final = ("string_value", "int_value", "bool_value", "version_value")
_LISTS: Final = (("int_values", "int_value"), ("bool_values", "bool_value"), ("string_values", "string_value"), ("version_values", "version_value"))


def lookup(device: Device, name: str) -> DeviceAttribute | None:
    """
    Find an attribute by its fully qualified name: as it is, or without the domain when that is the device's driver; `None` when it has none.

    >>> device = Device.from_dict({"name": "npu", "attributes": {"type": {"string": "vfio"}}}, driver="npu.rebellions.ai")
    >>> lookup(device, "npu.rebellions.ai/type").string_value, lookup(device, "example.com/type")
    ('vfio', None)
    """
    found = device.attributes.get(name)
    if found is not None:
        return found
    domain, slash, id_ = name.partition("/")
    return device.attributes.get(id_) if slash and domain == device.driver else None


def scalar(attribute: DeviceAttribute) -> Value | None:
    """Give the value of an attribute that is no list, versions as text; `None` when it has none."""
    return next(((kind, value) for kind in _SCALARS if (value := getattr(attribute, kind)) is not None), None)


def values(attribute: DeviceAttribute) -> Values | None:
    """Give the values of an attribute, a list or not; `None` when it has none."""
    for field, kind in _LISTS:
        if listed := getattr(attribute, field):
            return kind, frozenset(listed)
    single = next(((kind, value) for _, kind in _LISTS if (value := getattr(attribute, kind)) is not None), None)
    return None if single is None else (single[0], frozenset((single[1],)))


def _common(first: Values, second: Values) -> Values | None:
    """Give what two attributes have in common; `None` when that is nothing."""
    both = first[1] & second[1] if first[0] == second[0] else frozenset[Any]()
    return (first[0], both) if both else None


# --- Adding: state, what was read of the device's attribute, the request's name ---------------------------------------------------------------


def _same(state: State, found: Value | None, request: str) -> State | None:  # noqa: ARG001 - one signature
    """Add where all must have one value. The first may have any, even one that nothing equals."""
    if state[0] == 0:
        return 1, found
    return (state[0] + 1, state[1]) if found is not None and found == state[1] else None


def _overlapping(state: State, found: Values | None, request: str) -> State | None:  # noqa: ARG001 - one signature
    """Add where all lists must have something in common."""
    if found is None:
        return None
    common = found if state[0] == 0 else _common(state[1], found)
    return None if common is None else (state[0] + 1, common)


def _all_distinct(state: State, found: Value | None, request: str) -> State | None:  # noqa: ARG001 - one signature
    """Add where every device must have a value of its own."""
    return (state[0] + 1, (*state[1], found)) if _differs(state[1], found) else None


def _all_disjoint(state: State, found: Values | None, request: str) -> State | None:  # noqa: ARG001 - one signature
    """Add where no list may share anything with another."""
    return (state[0] + 1, (*state[1], found)) if _disjoint(state[1], found) else None


def _by_request(distinct: Callable[[tuple[Any, ...], Any], bool]) -> Callable[[State, Any, str], State | None]:
    """Make the adding of a constraint that remembers one value a request: the last one. The first device may have any."""

    def add(state: State, found: Any, request: str) -> State | None:
        if state[0] and not distinct(tuple(held for _, held in state[1]), found):
            return None
        return state[0] + 1, (*(entry for entry in state[1] if entry[0] != request), (request, found))

    return add


def _differs(remembered: tuple[Value | None, ...], found: Value | None) -> bool:
    """Tell whether a value is none of those that are there."""
    return found not in remembered if found is not None else not remembered


def _disjoint(remembered: tuple[Values | None, ...], found: Values | None) -> bool:
    """Tell whether a list shares nothing with those that are there."""
    return found is not None and all(other is None or _common(found, other) is None for other in remembered)


@attrs.frozen(eq=False)
class _Held:
    """An attribute where it is held; equal to itself only."""

    attribute: DeviceAttribute

    def __str__(self) -> str:
        """Show its value."""
        found = scalar(self.attribute)
        return "" if found is None else str(found[1])


def _held_elsewhere(remembered: tuple[_Held, ...], found: _Held) -> bool:
    """Tell whether no device is the same: 1.34 compares where values are held, not what they are."""
    return not remembered or (scalar(found.attribute) is not None and found not in remembered)


# --- Giving back: state, the state before, the request's name -----------------------------------------------------------------------------------


def _before(state: State, before: State, request: str) -> State:  # noqa: ARG001 - one signature
    """Go back."""
    return before


def _narrowed(state: State, before: State, request: str) -> State:  # noqa: ARG001 - one signature
    """Count one less, and keep what was common to all: 1.36 does not widen it again, 1.34 and 1.35 may have refused devices among the counted."""
    return state[0] - 1, state[1]


def _forgotten(state: State, before: State, request: str) -> State:  # noqa: ARG001 - one signature
    """Count one less, and forget the request's value, whichever it is."""
    return state[0] - 1, tuple(entry for entry in state[1] if entry[0] != request)


@attrs.frozen
class _Kind:
    """
    How a constraint works.

    Args:
        read: What it needs of an attribute.
        add: How a device is added.
        remove: How it is given back.
    """

    read: Callable[[DeviceAttribute], Any]
    add: Callable[[State, Any, str], State | None]
    remove: Callable[[State, State, str], State]


_MATCH: Final = _Kind(scalar, _same, _before)
#: For 1.34 and 1.35, where a device that is refused at the second look at its capacity stays counted.
_MATCH_COUNTED: Final = _Kind(scalar, _same, _narrowed)
_MATCH_LISTS: Final = _Kind(values, _overlapping, _before)
_MATCH_LISTS_FOR_GOOD: Final = _Kind(values, _overlapping, _narrowed)
#: How distinctAttribute remembers, and whether lists are on → how it works.
_DISTINCT: Final[Mapping[tuple[str, bool], _Kind]] = {
    ("all", False): _Kind(scalar, _all_distinct, _before),
    ("all", True): _Kind(values, _all_disjoint, _before),
    ("request", False): _Kind(scalar, _by_request(_differs), _forgotten),
    ("request", True): _Kind(values, _by_request(_disjoint), _forgotten),
    ("identity", False): _Kind(_Held, _by_request(_held_elsewhere), _forgotten),
}


class Constraint:
    """
    One constraint of a claim.

    Args:
        attribute: The attribute's fully qualified name.
        kind: `matchAttribute` or `distinctAttribute`.
        requests: The requests that it is for; none means all.
        how: How it works.

    Attributes:
        regular: Whether giving a device back leads to the state before.
    """

    def __init__(self, attribute: str, kind: str, requests: Iterable[str], how: _Kind) -> None:
        self.attribute = attribute
        self.kind = kind
        self.requests = frozenset(requests)
        self.regular = how.remove is _before
        self.remove = how.remove
        self.how = how
        self._known: dict[int, Any] = {}

    def concerns(self, request: str, subrequest: str) -> bool:
        """Tell whether it is for a request, or for a subrequest of it when that is named."""
        return not self.requests or request in self.requests or (bool(subrequest) and f"{request}/{subrequest}" in self.requests)

    def add(self, state: State, candidate: Candidate, request: str) -> State | None:
        """Add a device of a request that the constraint is for; `None` when it may not be added."""
        found = self.read(candidate)
        return None if found is MISSING else self.how.add(state, found, request)

    def read(self, candidate: Candidate) -> Any:
        """Give what it compares of a device; `MISSING` when the device has no such attribute."""
        found = self._known.get(candidate.position, _UNKNOWN)
        if found is _UNKNOWN:
            attribute = lookup(candidate.device, self.attribute)
            found = self._known[candidate.position] = MISSING if attribute is None else self.how.read(attribute)
        return found


def constraint_of(given: DeviceConstraint, rules: Rules, *, claim: str, index: int) -> Constraint:
    """
    Read a constraint as an allocator does.

    Raises:
        AllocationError: The allocator knows no such constraint.
    """
    lists = "ListTypeAttributes" in rules.features
    if given.match_attribute is not None:
        scalars = _MATCH_COUNTED if rules.allocator.leaks and "ConsumableCapacity" in rules.features else _MATCH
        how = scalars if not lists else _MATCH_LISTS_FOR_GOOD if rules.allocator.lists_narrow_for_good else _MATCH_LISTS
        return Constraint(given.match_attribute, MATCH, given.requests, how)
    if given.distinct_attribute is not None and rules.allocator.sharing:
        return Constraint(given.distinct_attribute, DISTINCT, given.requests, _DISTINCT[rules.allocator.distinct, lists])
    raise AllocationError(f"claim {claim}, constraint #{index}: empty constraint (unsupported constraint type?)")
