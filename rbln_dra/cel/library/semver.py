"""
Room: semantic versions in expressions.

May touch: `types`, `rows`, `costs`.
"""

from __future__ import annotations

from ..types import BOOL, INT, SEMVER, STRING, Type
from .costs import traversal, traversal_cost, unit, unit_cost
from .rows import Function, Library, Overload


def _number(name: str, summary: str) -> Function:
    """Give the row of one of the three numbers."""
    return Function(name, (Overload(f"semver_{name}", (SEMVER,), INT, member=True),), estimate=unit, cost=unit_cost, summary=summary)


def _comparison(name: str, id_: str, result: Type, summary: str) -> Function:
    """Give the row of a comparison of two versions."""
    return Function(name, (Overload(id_, (SEMVER, SEMVER), result, member=True),), estimate=unit, cost=unit_cost, summary=summary)


FUNCTIONS = (
    Function(
        "semver",
        (
            Overload("string_to_semver", (STRING,), SEMVER),
            Overload("string_bool_to_semver", (STRING, BOOL), SEMVER),
        ),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="A version from its text; with `true`, a `v`, leading zeros and missing numbers are tolerated.",
    ),
    Function(
        "isSemver",
        (
            Overload("is_semver_string", (STRING,), BOOL),
            Overload("is_semver_string_bool", (STRING, BOOL), BOOL),
        ),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="Whether a text is a version.",
    ),
    _comparison("isGreaterThan", "semver_is_greater_than", BOOL, "Whether a version comes after another."),
    _comparison("isLessThan", "semver_is_less_than", BOOL, "Whether a version comes before another."),
    _comparison("compareTo", "semver_compare_to", INT, "-1, 0 or 1, as a version comes before, with or after another."),
    _number("major", "The first number."),
    _number("minor", "The second number."),
    _number("patch", "The third number."),
)
SEMVERS = Library("semver", "Kubernetes semver, version 1", FUNCTIONS)
