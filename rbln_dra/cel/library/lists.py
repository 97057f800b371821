"""
Room: the rows of Kubernetes' own list library, and `includes`.

May touch: `types`, `rows`, `costs`.
"""

from __future__ import annotations

from ..ranges import Range
from ..types import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, UINT, Type, list_of, parameter
from .costs import dynamic_elementwise, elementwise, elementwise_cost
from .rows import Estimate, Function, Library, Operand, Overload, Since

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


def _functions(since: Since) -> tuple[Function, ...]:
    """Give the library's rows; where the library stands among others depends on minor and environment."""
    return (
        Function(
            "isSorted",
            tuple(Overload(f"list_{name}_is_sorted_bool", (list_of(type_),), BOOL, member=True) for name, type_ in COMPARABLE),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="Whether no element is greater than the next.",
        ),
        Function(
            "sum",
            tuple(Overload(f"list_{name}_sum_{name}", (list_of(type_),), type_, member=True) for name, type_ in SUMMABLE),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The sum of the elements, zero without any.",
        ),
        Function(
            "max",
            tuple(Overload(f"list_{name}_max_{name}", (list_of(type_),), type_, member=True) for name, type_ in COMPARABLE),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The greatest element; an error without any.",
        ),
        Function(
            "min",
            tuple(Overload(f"list_{name}_min_{name}", (list_of(type_),), type_, member=True) for name, type_ in COMPARABLE),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The least element; an error without any.",
        ),
        Function(
            "indexOf",
            (Overload("list_a_index_of_int", (list_of(_A), _A), INT, member=True),),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The first index of an element; -1 without one.",
        ),
        Function(
            "lastIndexOf",
            (Overload("list_a_last_index_of_int", (list_of(_A), _A), INT, member=True),),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The last index of an element; -1 without one.",
        ),
    )


def _estimate_limited(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
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
            (Overload("dra_includes_dyn_dyn", (DYN, DYN), BOOL, member=True, estimate=_estimate_limited),),
            since=Since(new=None, stored="1.36", gate="DRAListTypeAttributes", until="1.36"),
            summary=_INCLUDES,
        ),
        Function(
            "includes",
            (Overload("list_includes_dyn_dyn", (DYN, DYN), BOOL, member=True),),
            since=Since(new=None, stored="1.37", gate="DRAListTypeAttributes"),
            estimate=dynamic_elementwise,
            cost=elementwise_cost,
            summary=_INCLUDES,
        ),
    ),
)
