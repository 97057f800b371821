"""
Room: lists compared as sets.

May touch: `types`, `values`, `rows`, `costs`.
"""

from __future__ import annotations

from ..types import BOOL, list_of, parameter
from ..values import receiver_equality
from .costs import ONE, afford, size
from .rows import Estimate, Estimator, Function, Library, Operand, Overload, RuntimeCost, Value

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


FUNCTIONS = (
    Function(
        "sets.contains",
        (
            Overload(
                "list_sets_contains_list",
                (_LIST, _LIST),
                BOOL,
                implementation=_contains,
                estimate=_estimate(factor=1.0),
                cost=_cost(factor=1),
            ),
        ),
        summary="Whether a list has every element of another.",
    ),
    Function(
        "sets.equivalent",
        (
            Overload(
                "list_sets_equivalent_list",
                (_LIST, _LIST),
                BOOL,
                implementation=_equivalent,
                estimate=_estimate(factor=2.0),
                cost=_cost(factor=2),
            ),
        ),
        summary="Whether two lists have the same elements.",
    ),
    Function(
        "sets.intersects",
        (
            Overload(
                "list_sets_intersects_list",
                (_LIST, _LIST),
                BOOL,
                implementation=_intersects,
                estimate=_estimate(factor=1.0),
                cost=_cost(factor=1),
            ),
        ),
        summary="Whether two lists have an element in common.",
    ),
)
SETS = Library("sets", "cel-go ext.Sets", FUNCTIONS)
