"""
Room: Kubernetes' own list library, and `includes`.

May touch: `types`, `ranges`, `values`, `ast`, `arithmetic`, `rows`, `costs`.
"""

from __future__ import annotations

from ..arithmetic import operator
from ..ast import Uint
from ..ranges import Range
from ..types import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, UINT, Type, list_of, parameter
from ..values import (
    NO_SUCH_OVERLOAD,
    CELError,
    Duration,
    Timestamp,
    Value,
    compare,
    elements,
    is_list,
    receiver_equality,
)
from .costs import dynamic_elementwise, elementwise, elementwise_cost
from .rows import Estimate, Function, Implementation, Library, Operand, Overload, Since, alike

_A = parameter("A")
#: Types with an order, as they are named in overload ids, in the order in which upstream declares them.
COMPARABLE: tuple[tuple[str, Type], ...] = (
    ("int", INT),
    ("uint", UINT),
    ("double", DOUBLE),
    ("bool", BOOL),
    ("duration", DURATION),
    ("timestamp", TIMESTAMP),
    ("string", STRING),
    ("bytes", BYTES),
)
SUMMABLE: tuple[tuple[str, Type], ...] = (("int", INT), ("uint", UINT), ("double", DOUBLE), ("duration", DURATION))
#: Most elements of a list that `includes` looks at in 1.36.
INCLUDES_LIMIT = 48


# What the functions do.

#: The classes of values with an order.
ORDERED = (int, Uint, float, bool, Duration, Timestamp, str, bytes)


def _order(left: Value, right: Value) -> int | None:
    """Compare two elements; `None` where they cannot be compared, which upstream takes for neither before nor after."""
    try:
        return compare(left, right)
    except CELError:
        return None


def _ordered(value: Value) -> Value:
    """Refuse an element of a type without an order."""
    if type(value) not in ORDERED:
        raise CELError(NO_SUCH_OVERLOAD)
    return value


def _is_sorted(values: Value) -> bool:
    previous = None
    for value in elements(values):
        _ordered(value)
        if previous is not None and _order(previous, value) == 1:
            return False
        previous = value
    return True


def _extreme(name: str, *, replaced_when: int) -> Implementation:
    """Find the element that is replaced by no other."""

    def extreme(values: Value) -> Value:
        found = None
        for value in elements(values):
            _ordered(value)
            if found is None or _order(found, value) == replaced_when:
                found = value
        if found is None:
            raise CELError(f"{name} called on empty list")
        return found

    return extreme


def _sum_from(zero: Value) -> Implementation:
    """Add up elements, beginning with a zero that says of which type they are."""

    def total(values: Value) -> Value:
        result = zero
        for value in elements(values):
            result = _plus(result, value)
        return result

    return total


def _index_of(values: Value, wanted: Value) -> int:
    for index, value in enumerate(elements(values)):
        if receiver_equality(value, wanted) is True:
            return index
    return -1


def _last_index_of(values: Value, wanted: Value) -> int:
    written = elements(values)
    for index in range(len(written) - 1, -1, -1):
        if receiver_equality(written[index], wanted) is True:
            return index
    return -1


def _includes(target: Value, wanted: Value) -> bool:
    held = elements(target) if is_list(target) else (target,)
    return any(receiver_equality(value, wanted) is True for value in held)


def _includes_within_limit(target: Value, wanted: Value) -> bool:
    """Look at the first elements only, and fail where there are more."""
    if not is_list(target):
        return _includes(target, wanted)
    written = elements(target)
    if _includes(written[:INCLUDES_LIMIT], wanted):
        return True
    if len(written) > INCLUDES_LIMIT:
        raise CELError(f"'includes' function cannot be applied to lists longer than {INCLUDES_LIMIT} values")
    return False


_plus = operator("_+_")
_ZEROS: dict[str, Value] = {"int": 0, "uint": Uint(0), "double": 0.0, "duration": Duration(0)}
_max = _extreme("max", replaced_when=-1)
_min = _extreme("min", replaced_when=1)


# The rows.


def _functions(since: Since) -> tuple[Function, ...]:
    """Give the library's rows; where the library stands among others depends on minor and environment."""
    return (
        Function(
            "isSorted",
            alike(
                _is_sorted,
                *(Overload(f"list_{name}_is_sorted_bool", (list_of(type_),), BOOL, member=True) for name, type_ in COMPARABLE),
            ),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="Whether no element is greater than the next.",
        ),
        Function(
            "sum",
            tuple(
                Overload(f"list_{name}_sum_{name}", (list_of(type_),), type_, member=True, implementation=_sum_from(_ZEROS[name]))
                for name, type_ in SUMMABLE
            ),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The sum of the elements, zero without any.",
        ),
        Function(
            "max",
            alike(
                _max,
                *(Overload(f"list_{name}_max_{name}", (list_of(type_),), type_, member=True) for name, type_ in COMPARABLE),
            ),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The greatest element; an error without any.",
        ),
        Function(
            "min",
            alike(
                _min,
                *(Overload(f"list_{name}_min_{name}", (list_of(type_),), type_, member=True) for name, type_ in COMPARABLE),
            ),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The least element; an error without any.",
        ),
        Function(
            "indexOf",
            (Overload("list_a_index_of_int", (list_of(_A), _A), INT, member=True, implementation=_index_of),),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The first index of an element; -1 without one.",
        ),
        Function(
            "lastIndexOf",
            (Overload("list_a_last_index_of_int", (list_of(_A), _A), INT, member=True, implementation=_last_index_of),),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The last index of an element; -1 without one.",
        ),
    )


def _estimate_limited(target: Operand | None, _args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate one unit for each value that a device may publish, whatever the receiver is."""
    return None if target is None else Estimate(Range(0, INCLUDES_LIMIT))


_INCLUDES = "Whether a list has an element, or a scalar is it."
#: Stored expressions of 1.34 to 1.36, and all new ones.
LISTS = Library(
    "lists",
    "Kubernetes lists, version 0",
    (*_functions(Since(until="1.36")), *_functions(Since(new="1.37", stored=None))),
)
#: Stored expressions of 1.37, where the library comes last.
LISTS_V1 = Library("lists", "Kubernetes lists, version 1", _functions(Since(new=None, stored="1.37")))
#: `includes` as the scheduler brings it in 1.36, and as the list library has it from 1.37.
INCLUDES = Library(
    "includes",
    "dynamic-resource-allocation cel, Kubernetes lists, version 1",
    (
        Function(
            "includes",
            (Overload("dra_includes_dyn_dyn", (DYN, DYN), BOOL, member=True, implementation=_includes_within_limit, estimate=_estimate_limited),),
            since=Since(new=None, stored="1.36", gate="DRAListTypeAttributes", until="1.36"),
            summary=_INCLUDES,
        ),
        Function(
            "includes",
            (Overload("list_includes_dyn_dyn", (DYN, DYN), BOOL, member=True, implementation=_includes),),
            since=Since(new=None, stored="1.37", gate="DRAListTypeAttributes"),
            estimate=dynamic_elementwise,
            cost=elementwise_cost,
            summary=_INCLUDES,
        ),
    ),
)
