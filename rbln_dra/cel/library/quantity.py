"""
Room: Kubernetes quantities in expressions.

May touch: `types`, `rows`, `costs`.
"""

from __future__ import annotations

from ..types import BOOL, DOUBLE, INT, QUANTITY, STRING, Type
from .costs import traversal, traversal_cost, unit, unit_cost
from .rows import Function, Library, Overload


def _accessor(name: str, id_: str, result: Type, summary: str, *, member: bool = True) -> Function:
    """Give the row of a fact of a quantity."""
    return Function(name, (Overload(id_, (QUANTITY,), result, member=member),), estimate=unit, cost=unit_cost, summary=summary)


def _comparison(name: str, id_: str, result: Type, summary: str) -> Function:
    """Give the row of a comparison of two quantities."""
    return Function(name, (Overload(id_, (QUANTITY, QUANTITY), result, member=True),), estimate=unit, cost=unit_cost, summary=summary)


def _arithmetic(name: str, summary: str) -> Function:
    """Give the row of the sum or the difference with a quantity or an integer."""
    return Function(
        name,
        (
            Overload(f"quantity_{name}", (QUANTITY, QUANTITY), QUANTITY, member=True),
            Overload(f"quantity_{name}_int", (QUANTITY, INT), QUANTITY, member=True),
        ),
        estimate=unit,
        cost=unit_cost,
        summary=summary,
    )


FUNCTIONS = (
    Function(
        "quantity",
        (Overload("string_to_quantity", (STRING,), QUANTITY),),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="A quantity from its text.",
    ),
    Function(
        "isQuantity",
        (Overload("is_quantity_string", (STRING,), BOOL),),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="Whether a text is a quantity.",
    ),
    _accessor("sign", "quantity_sign", INT, "-1, 0 or 1: a global function.", member=False),
    _comparison("isGreaterThan", "quantity_is_greater_than", BOOL, "Whether a quantity is greater than another."),
    _comparison("isLessThan", "quantity_is_less_than", BOOL, "Whether a quantity is less than another."),
    _comparison("compareTo", "quantity_compare_to", INT, "-1, 0 or 1, as a quantity is less than, equal to or greater than another."),
    _accessor("asApproximateFloat", "quantity_get_float", DOUBLE, "The quantity as a double."),
    _accessor("asInteger", "quantity_get_int", INT, "The quantity as an integer; an error where `isInteger` is false."),
    _accessor("isInteger", "quantity_is_integer", BOOL, "Whether the quantity is kept as a 64-bit integer."),
    _arithmetic("add", "The sum with a quantity or an integer."),
    _arithmetic("sub", "The difference with a quantity or an integer."),
)
QUANTITIES = Library("quantity", "Kubernetes quantity", FUNCTIONS)
