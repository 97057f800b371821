"""
Room: lists compared as sets.

May touch: `types`, `values`, `rows`, `costs`.
"""

from __future__ import annotations

from ..types import BOOL, list_of, parameter
from ..values import receiver_equality
from .costs import ONE, afford, size
from .rows import Estimate, Estimator, Function, Implementation, Library, Operand, Overload, RuntimeCost, Value

_LIST = list_of(parameter("T"))


def _estimate(*, factor: float) -> Estimator:
    """Estimate a comparison of each element of one list with each of the other."""

    def estimate(_target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
        if len(args) != 2:
            return None
        return Estimate((args[0].size * args[1].size).scaled(factor) + ONE)

    return estimate


def _cost(*, factor: int) -> RuntimeCost:
    """Charge a comparison of each element of one list with each of the other."""

    def cost(args: tuple[Value, ...], _result: Value) -> int:
        return 1 + size(args[0]) * size(args[1]) * factor

    return cost


def _holds(values: tuple[Value, ...], wanted: Value) -> bool:
    return any(receiver_equality(wanted, value) is True for value in values)


def _contains(values: tuple[Value, ...], wanted: tuple[Value, ...]) -> bool:
    afford(len(values) * len(wanted))
    return all(_holds(values, value) for value in wanted)


def _equivalent(left: tuple[Value, ...], right: tuple[Value, ...]) -> bool:
    return _contains(left, right) and _contains(right, left)


def _intersects(left: tuple[Value, ...], right: tuple[Value, ...]) -> bool:
    afford(len(left) * len(right))
    return any(_holds(right, value) for value in left)


def _comparison(name: str, overload: str, implementation: Implementation, summary: str, *, times: int = 1) -> Function:
    """Give the row of a function that compares each element of one list with each of the other, so many times."""
    return Function(
        name,
        (
            Overload(
                overload,
                (_LIST, _LIST),
                BOOL,
                implementation=implementation,
                estimate=_estimate(factor=float(times)),
                cost=_cost(factor=times),
            ),
        ),
        summary=summary,
    )


FUNCTIONS = (
    _comparison("sets.contains", "list_sets_contains_list", _contains, "Whether a list has every element of another."),
    _comparison("sets.equivalent", "list_sets_equivalent_list", _equivalent, "Whether two lists have the same elements.", times=2),
    _comparison("sets.intersects", "list_sets_intersects_list", _intersects, "Whether two lists have an element in common."),
)
SETS = Library("sets", "cel-go ext.Sets", FUNCTIONS)
