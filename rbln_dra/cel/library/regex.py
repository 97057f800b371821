"""
Room: regular expressions, in RE2's syntax. The only module that touches google-re2, and only at call time.

May touch: `types`, `ranges`, `rows`, `costs`, google-re2.
"""

from __future__ import annotations

from ..ranges import Range
from ..types import INT, STRING, list_of
from .costs import search, search_cost, size
from .rows import Estimate, Function, Library, Operand, Overload, Value


def _estimate(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate one search; at worst every character is a match of its own."""
    if target is None or not args:
        return None
    return Estimate(search(target.size, args[0].size), Range(0, target.size.high))


def _cost(args: tuple[Value, ...], result: Value) -> int | None:
    return search_cost(size(args[0]), size(args[1])) if len(args) >= 2 else None


FUNCTIONS = (
    Function(
        "find",
        (Overload("string_find_string", (STRING, STRING), STRING, member=True),),
        estimate=_estimate,
        cost=_cost,
        summary="The first match of a regular expression, empty without one.",
    ),
    Function(
        "findAll",
        (
            Overload("string_find_all_string", (STRING, STRING), list_of(STRING), member=True),
            Overload("string_find_all_string_int", (STRING, STRING, INT), list_of(STRING), member=True),
        ),
        estimate=_estimate,
        cost=_cost,
        summary="All matches of a regular expression, at most so many.",
    ),
)
REGEX = Library("regex", "Kubernetes regex", FUNCTIONS)
