"""
Room: the rows of the string library.

Positions count code points. Nothing here depends on a locale.

May touch: `types`, `ranges`, `rows`, `costs`.
"""

from __future__ import annotations

import math

from ..ranges import STRING_TRAVERSAL, UNBOUNDED, Range
from ..types import DYN, INT, STRING, list_of
from .costs import ceil_scaled, elementwise, elementwise_cost, member_traversal, size, traversal_cost
from .rows import Estimate, Function, Library, Operand, Overload, Since, Value

#: cel-go 0.26, in Kubernetes 1.34 to 1.36.
EARLIER = Since(until="1.36")
#: cel-go 0.29, in Kubernetes 1.37.
LATER = Since(new="1.37", stored="1.37")


def _estimate_format(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate a traversal of the format string; nothing bounds the result."""
    return None if target is None else Estimate(target.size.scaled(STRING_TRAVERSAL))


def _estimate_quote(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate a traversal, and a result of which every character may be escaped; the addition wraps, as upstream's does."""
    length = args[0].size
    return Estimate(length.scaled(STRING_TRAVERSAL), Range((length.low + 2) & UNBOUNDED, (length.high * 2 + 2) & UNBOUNDED))


def _estimate_replace(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate a traversal and a copy, and the largest and smallest result that the lengths allow."""
    if target is None or len(args) < 2:
        return None
    text, old, new = target.size, args[0].size, args[1].size
    most, kept_of_longest = _replaced(text.high, old.low, shrinks=new.high <= old.low)
    least, kept_of_shortest = _replaced(text.low, old.high, shrinks=old.high <= new.low)
    result = Range(least, most) * new + Range(kept_of_shortest, kept_of_longest)
    return Estimate(text.scaled(2 * STRING_TRAVERSAL), result)


def _replaced(text: int, old: int, *, shrinks: bool) -> tuple[int, int]:
    """Give how often something of length `old` is replaced in a text at an extreme, and how much of the text is then counted as kept."""
    if old == 0:
        return min(text + 1, UNBOUNDED), text
    if shrinks:
        return 0, text
    return math.ceil(float(text) / float(old)), 0


def _estimate_split(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate a traversal and a copy, and a result of one element per character, or as many as a literal says."""
    if target is None:
        return None
    most = target.size.high
    limit = args[1].literal if len(args) > 1 else None
    if type(limit) is int:
        most = limit & UNBOUNDED
    return Estimate(target.size.scaled(2 * STRING_TRAVERSAL), Range(0, most))


def _estimate_join(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate a traversal of the result: all elements and separators."""
    if target is None:
        return None
    elements = target.size
    element = target.element()
    length = Range(0, 0) if element is None else elements * element.size
    if args:
        separators = Range(max(elements.low - 1, 0), max(elements.high - 1, 0))
        length = length + args[0].size * separators
    return Estimate(length.scaled(STRING_TRAVERSAL), length)


def _join_cost(args: tuple[Value, ...], result: Value) -> int | None:
    return ceil_scaled(size(result) * 2, STRING_TRAVERSAL) if args else None


FUNCTIONS = (
    Function(
        "charAt",
        (Overload("string_char_at_int", (STRING, INT), STRING, member=True),),
        summary="The character at a position; empty just after the last.",
    ),
    *(
        Function(
            "indexOf",
            (
                Overload("string_index_of_string", (STRING, STRING), INT, member=True),
                Overload("string_index_of_string_int", (STRING, STRING, INT), INT, member=True),
            ),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The first position of a text in another, from a position on; -1 without one.",
        )
        for since in (EARLIER, LATER)
    ),
    *(
        Function(
            "lastIndexOf",
            (
                Overload("string_last_index_of_string", (STRING, STRING), INT, member=True),
                Overload("string_last_index_of_string_int", (STRING, STRING, INT), INT, member=True),
            ),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary="The last position of a text in another, up to a position; -1 without one.",
        )
        for since in (EARLIER, LATER)
    ),
    Function(
        "lowerAscii",
        (Overload("string_lower_ascii", (STRING,), STRING, member=True),),
        estimate=member_traversal,
        cost=traversal_cost(),
        summary="The text with A to Z in lower case.",
    ),
    Function(
        "replace",
        (
            Overload("string_replace_string_string", (STRING, STRING, STRING), STRING, member=True),
            Overload("string_replace_string_string_int", (STRING, STRING, STRING, INT), STRING, member=True),
        ),
        estimate=_estimate_replace,
        cost=traversal_cost(times=2),
        summary="The text with every occurrence of another, or the first few, replaced.",
    ),
    Function(
        "split",
        (
            Overload("string_split_string", (STRING, STRING), list_of(STRING), member=True),
            Overload("string_split_string_int", (STRING, STRING, INT), list_of(STRING), member=True),
        ),
        estimate=_estimate_split,
        cost=traversal_cost(times=2),
        summary="The parts of the text between separators, at most so many.",
    ),
    Function(
        "substring",
        (
            Overload("string_substring_int", (STRING, INT), STRING, member=True),
            Overload("string_substring_int_int", (STRING, INT, INT), STRING, member=True),
        ),
        estimate=member_traversal,
        cost=traversal_cost(),
        summary="The text from a position on, up to another.",
    ),
    Function(
        "trim",
        (Overload("string_trim", (STRING,), STRING, member=True),),
        estimate=member_traversal,
        cost=traversal_cost(),
        summary="The text without white space at its ends.",
    ),
    Function(
        "upperAscii",
        (Overload("string_upper_ascii", (STRING,), STRING, member=True),),
        estimate=member_traversal,
        cost=traversal_cost(),
        summary="The text with a to z in upper case.",
    ),
    Function(
        "format",
        (
            Overload(
                "string_format",
                (STRING, list_of(DYN)),
                STRING,
                member=True,
                estimate=_estimate_format,
                cost=traversal_cost(),
            ),
        ),
        summary="The text with values of a list in place of its clauses (%s, %d, %.2f, …).",
    ),
    Function(
        "strings.quote",
        (Overload("strings_quote", (STRING,), STRING, estimate=_estimate_quote, cost=traversal_cost()),),
        summary="The text in quotes, with control characters escaped.",
    ),
    Function(
        "join",
        (
            Overload("list_join", (list_of(STRING),), STRING, member=True),
            Overload("list_join_string", (list_of(STRING), STRING), STRING, member=True),
        ),
        estimate=_estimate_join,
        cost=_join_cost,
        summary="The texts of a list, one after the other, with a separator between them.",
    ),
)
STRINGS = Library("strings", "cel-go ext.Strings, version 2", FUNCTIONS)
