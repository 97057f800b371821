"""
Room: the string library.

Positions count code points. Nothing here depends on a locale.

May touch: `types`, `ranges`, `values`, `texts`, `rows`, `costs`, `formatting`.
"""

from __future__ import annotations

import math

from ..ranges import STRING_TRAVERSAL, UNBOUNDED, Range
from ..texts import shown
from ..types import DYN, INT, STRING, list_of
from ..values import CELError, CostLimitExceeded, elements, size_of
from .costs import afford, afford_text, ceil_scaled, elementwise, elementwise_cost, member_traversal, size, traversal_cost
from .formatting import formatted
from .rows import Estimate, Function, Implementation, Library, Operand, Overload, Since, Value, alike

#: cel-go 0.26, in Kubernetes 1.34 to 1.36.
EARLIER = Since(until="1.36")
#: cel-go 0.29, in Kubernetes 1.37.
LATER = Since(new="1.37", stored="1.37")


def _estimate_format(target: Operand | None, _args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate a traversal of the format string; nothing bounds the result."""
    return None if target is None else Estimate(target.size.scaled(STRING_TRAVERSAL))


def _estimate_quote(_target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate a traversal, and a result of which every character may be escaped; the addition wraps, as upstream's does."""
    if not args:
        return None
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


# What the functions do.

#: White space as Unicode and Go define it.
_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_UPPER = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_QUOTED = str.maketrans({"\a": r"\a", "\b": r"\b", "\f": r"\f", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\v": r"\v", "\\": r"\\", '"': r"\""})
#: The most elements that a text is split into: what costs no more than the limit, and half of it where each is an object of its own.
_MOST_PARTS = 1_000_000


def _out_of_range(index: int) -> CELError:
    return CELError(f"index out of range: {index}")


def _char_at(text: str, index: int) -> str:
    if not 0 <= index <= len(text):
        raise _out_of_range(index)
    return text[index : index + 1]


def _index_of(text: str, part: str, offset: int = 0) -> int:
    if offset < 0:
        raise _out_of_range(offset)
    return text.find(part, offset) if part else min(offset, len(text))


def _index_of_earlier(text: str, part: str, offset: int = 0) -> int:
    """The empty text is found at any offset, even outside."""
    return _index_of(text, part, offset) if part else offset


def _last_index_of(text: str, part: str, offset: int | None = None) -> int:
    if offset is None:
        return text.rfind(part)
    if offset < 0:
        raise _out_of_range(offset)
    if not part:
        return min(offset, len(text))
    return text.rfind(part, 0, offset + len(part)) if offset < len(text) else -1


def _last_index_of_earlier(text: str, part: str, offset: int | None = None) -> int:
    """The empty text is found at any offset, even outside."""
    return offset if offset is not None and not part else _last_index_of(text, part, offset)


def _lower_ascii(text: str) -> str:
    return text.translate(_LOWER)


def _upper_ascii(text: str) -> str:
    return text.translate(_UPPER)


def _replace(text: str, old: str, new: str, limit: int = -1) -> str:
    afford(ceil_scaled(len(text) * 2, STRING_TRAVERSAL))
    if len(new) > len(old):
        count = text.count(old)
        afford_text(len(text) + (count if limit < 0 else min(count, limit)) * (len(new) - len(old)))
    return text.replace(old, new, limit)


def _split(text: str, separator: str, limit: int = -1) -> tuple[str, ...]:
    afford(ceil_scaled(len(text) * 2, STRING_TRAVERSAL))
    if limit == 0:
        return ()
    most = (text.count(separator) if separator else len(text)) + 1
    if limit < 0 or limit > most:
        limit = most
    if limit * (1 if text.isascii() else 2) > _MOST_PARTS:
        raise CostLimitExceeded(limit)
    if separator:
        return tuple(text.split(separator, limit - 1))
    if limit > len(text):
        return tuple(text)
    return (*text[: limit - 1], text[limit - 1 :])


def _substring(text: str, start: int, end: int | None = None) -> str:
    if end is not None and start > end:
        raise CELError(f"invalid substring range. start: {start}, end: {end}")
    if not 0 <= start <= len(text):
        raise _out_of_range(start)
    if end is not None and not 0 <= end <= len(text):
        raise _out_of_range(end)
    return text[start:end]


def _trim(text: str) -> str:
    return text.strip(_SPACE)


def _quote(text: str) -> str:
    return f'"{text.translate(_QUOTED)}"'


def _join(parts: Value, separator: str = "") -> str:
    afford_text(max(size_of(parts) - 1, 0) * len(separator))
    written = elements(parts)
    length = 0
    for number, part in enumerate(written):
        if not isinstance(part, str):
            raise CELError(f"join: invalid input: {shown(part)}")
        length += len(part) + (len(separator) if number else 0)
    afford(ceil_scaled(length * 2, STRING_TRAVERSAL))
    return separator.join(written)


def _search(name: str, overload: str, *, earlier: Implementation, later: Implementation, summary: str) -> tuple[Function, ...]:
    """Give the rows of a search, with or without an offset, in its two forms."""
    return tuple(
        Function(
            name,
            alike(
                implementation,
                Overload(overload, (STRING, STRING), INT, member=True),
                Overload(f"{overload}_int", (STRING, STRING, INT), INT, member=True),
            ),
            since=since,
            estimate=elementwise,
            cost=elementwise_cost,
            summary=summary,
        )
        for since, implementation in ((EARLIER, earlier), (LATER, later))
    )


FUNCTIONS = (
    Function(
        "charAt",
        alike(
            _char_at,
            Overload("string_char_at_int", (STRING, INT), STRING, member=True),
        ),
        summary="The character at a position; empty just after the last.",
    ),
    *_search(
        "indexOf",
        "string_index_of_string",
        earlier=_index_of_earlier,
        later=_index_of,
        summary="The first position of a text in another, from a position on; -1 without one.",
    ),
    *_search(
        "lastIndexOf",
        "string_last_index_of_string",
        earlier=_last_index_of_earlier,
        later=_last_index_of,
        summary="The last position of a text in another, up to a position; -1 without one.",
    ),
    Function(
        "lowerAscii",
        alike(
            _lower_ascii,
            Overload("string_lower_ascii", (STRING,), STRING, member=True),
        ),
        estimate=member_traversal,
        cost=traversal_cost(),
        summary="The text with A to Z in lower case.",
    ),
    Function(
        "replace",
        alike(
            _replace,
            Overload("string_replace_string_string", (STRING, STRING, STRING), STRING, member=True),
            Overload("string_replace_string_string_int", (STRING, STRING, STRING, INT), STRING, member=True),
        ),
        estimate=_estimate_replace,
        cost=traversal_cost(times=2),
        summary="The text with every occurrence of another, or the first few, replaced.",
    ),
    Function(
        "split",
        alike(
            _split,
            Overload("string_split_string", (STRING, STRING), list_of(STRING), member=True),
            Overload("string_split_string_int", (STRING, STRING, INT), list_of(STRING), member=True),
        ),
        estimate=_estimate_split,
        cost=traversal_cost(times=2),
        summary="The parts of the text between separators, at most so many.",
    ),
    Function(
        "substring",
        alike(
            _substring,
            Overload("string_substring_int", (STRING, INT), STRING, member=True),
            Overload("string_substring_int_int", (STRING, INT, INT), STRING, member=True),
        ),
        estimate=member_traversal,
        cost=traversal_cost(),
        summary="The text from a position on, up to another.",
    ),
    Function(
        "trim",
        alike(
            _trim,
            Overload("string_trim", (STRING,), STRING, member=True),
        ),
        estimate=member_traversal,
        cost=traversal_cost(),
        summary="The text without white space at its ends.",
    ),
    Function(
        "upperAscii",
        alike(
            _upper_ascii,
            Overload("string_upper_ascii", (STRING,), STRING, member=True),
        ),
        estimate=member_traversal,
        cost=traversal_cost(),
        summary="The text with a to z in upper case.",
    ),
    Function(
        "format",
        alike(
            formatted,
            Overload(
                "string_format",
                (STRING, list_of(DYN)),
                STRING,
                member=True,
                eager=False,
                estimate=_estimate_format,
                cost=traversal_cost(),
            ),
        ),
        summary="The text with values of a list in place of its clauses (%s, %d, %.2f, …).",
    ),
    Function(
        "strings.quote",
        alike(
            _quote,
            Overload("strings_quote", (STRING,), STRING, estimate=_estimate_quote, cost=traversal_cost()),
        ),
        summary="The text in quotes, with control characters escaped.",
    ),
    Function(
        "join",
        alike(
            _join,
            Overload("list_join", (list_of(STRING),), STRING, member=True),
            Overload("list_join_string", (list_of(STRING), STRING), STRING, member=True),
        ),
        estimate=_estimate_join,
        cost=_join_cost,
        summary="The texts of a list, one after the other, with a separator between them.",
    ),
)
STRINGS = Library("strings", "cel-go ext.Strings, version 2", FUNCTIONS)
