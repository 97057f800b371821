"""
Room: the rows of cel-go's list library.

May touch: `types`, `ranges`, `rows`, `costs`, `lists`.
"""

from __future__ import annotations

from ..ranges import STRING_TRAVERSAL, UNBOUNDED, Range
from ..types import DYN, INT, Type, list_of, parameter
from .costs import LIST_ALLOCATION, ONE, size
from .lists import COMPARABLE
from .rows import Estimate, Estimator, Function, Library, Operand, Overload, RuntimeCost, Since, Value

_T = parameter("T")
_LIST = list_of(_T)
#: Added to the base environment of 1.34: so new expressions may use it from 1.35.
EARLIER = Since(new="1.35", stored="1.34", until="1.36")
LATER = Since(new="1.37", stored="1.37")
SINCE = Since(new="1.35", stored="1.34")


def _allocation(elements: Range, *, factor: float = 1.0) -> Estimate:
    """Estimate a call that visits so many elements and makes a list of them."""
    return Estimate(elements.scaled(factor) + ONE + Range.exactly(LIST_ALLOCATION), elements)


def _literal(operand: Operand, otherwise: int) -> int:
    """Give the value of an integer literal, 0 for a negative one."""
    value = operand.literal
    return max(value, 0) if type(value) is int else otherwise


def _estimate_slice(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate by the literal ends; the difference wraps, as upstream's does."""
    if target is None or len(args) != 2:
        return None
    start, end = _literal(args[0], 0), _literal(args[1], target.size.high)
    return _allocation(Range.exactly((end - start) & UNBOUNDED))


def _estimate_range(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate by the literal length."""
    if target is not None or len(args) != 1:
        return None
    return _allocation(Range.exactly(_literal(args[0], UNBOUNDED)))


def _estimate_reverse(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    return None if target is None or args else _allocation(target.size)


def _estimate_flatten(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate one visit of each element per level."""
    if target is None or len(args) > 1:
        return None
    depth = _literal(args[0], UNBOUNDED) if args else 1
    return _allocation(target.size, factor=float(depth))


def _estimate_distinct(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    return None if target is None or args else _allocation(target.size * target.size, factor=2.0)


def _estimate_sort(key: str, *, by: bool) -> Estimator:
    """Estimate a comparison of each element with each other."""
    factor = 2.0 + STRING_TRAVERSAL if key in {"string", "bytes"} else 2.0

    def estimate(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
        if target is None or len(args) != int(by):
            return None
        keys = args[0] if by else target
        return _allocation(keys.size * keys.size, factor=factor)

    return estimate


#: Types with an order, by the names that cel-go gives them in overload ids.
_KEYS: tuple[tuple[str, Type], ...] = tuple((type_.name, type_) for _, type_ in COMPARABLE)

FUNCTIONS = (
    Function(
        "slice",
        (Overload("list_slice", (_LIST, INT, INT), _LIST, member=True, estimate=_estimate_slice),),
        since=SINCE,
        summary="The elements from one index up to another.",
    ),
    *(
        Function(
            "flatten",
            (
                Overload("list_flatten", (list_of(_LIST),), _LIST, member=True, estimate=_estimate_flatten),
                Overload("list_flatten_int", (list_of(DYN), INT), list_of(DYN), member=True, estimate=_estimate_flatten),
            ),
            since=since,
            guarded=False,
            summary="The elements of the lists in a list, down to a level.",
        )
        for since in (EARLIER, LATER)
    ),
    Function(
        "sort",
        tuple(
            Overload(f"list_{name}_sort", (list_of(type_),), list_of(type_), member=True, estimate=_estimate_sort(name, by=False))
            for name, type_ in _KEYS
        ),
        since=SINCE,
        summary="The elements in order.",
    ),
    Function(
        "@sortByAssociatedKeys",
        tuple(
            Overload(f"list_{name}_sortByAssociatedKeys", (_LIST, list_of(type_)), _LIST, member=True, estimate=_estimate_sort(name, by=True))
            for name, type_ in _KEYS
        ),
        since=SINCE,
        summary="What the macro `sortBy` calls: the elements in the order of their keys.",
    ),
    *(
        Function(
            "lists.range",
            (Overload("lists_range", (INT,), list_of(INT), estimate=_estimate_range),),
            since=since,
            summary="The numbers from 0 up to one below another.",
        )
        for since in (EARLIER, LATER)
    ),
    Function(
        "reverse",
        (Overload("list_reverse", (_LIST,), _LIST, member=True, estimate=_estimate_reverse),),
        since=SINCE,
        summary="The elements from the last to the first.",
    ),
    Function(
        "distinct",
        (Overload("list_distinct", (_LIST,), _LIST, member=True, estimate=_estimate_distinct),),
        since=SINCE,
        summary="The elements without those that equal an earlier one.",
    ),
)
EXT_LISTS = Library("ext lists", "cel-go ext.Lists, version 3", FUNCTIONS)
