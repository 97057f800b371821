"""
Room: the rows of cel-go's standard library: operators, conversions, tests of strings, parts of timestamps and durations.

`&&`, `||`, `?:`, `==`, `!=`, indexing and the optional forms of it have evaluation rules of their own, in `interpreter`; their rows say types and costs.

May touch: `rows`, `types`, `ranges`.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..ranges import REGEX_LENGTH, STRING_TRAVERSAL, UNBOUNDED, Range
from ..types import (
    BOOL,
    BYTES,
    CIDR,
    DOUBLE,
    DURATION,
    DYN,
    FORMAT,
    INT,
    IP,
    QUANTITY,
    SEMVER,
    STRING,
    TIMESTAMP,
    UINT,
    URL,
    Type,
    list_of,
    map_of,
    parameter,
    type_of,
)
from .rows import ALWAYS, Estimate, Function, Library, Operand, Overload, Since

A, B = parameter("A"), parameter("B")
LIST, MAP = list_of(A), map_of(A, B)
#: cel-go's short names of types, as they stand in overload ids.
_NAMES = {
    BOOL: "bool",
    INT: "int64",
    UINT: "uint64",
    DOUBLE: "double",
    STRING: "string",
    BYTES: "bytes",
    TIMESTAMP: "timestamp",
    DURATION: "duration",
    LIST: "list",
}
#: Up to the minors with cel-go 0.26, and from those with cel-go 0.29.
_BEFORE_1_37 = Since(until="1.36")
_FROM_1_37 = Since(new="1.37", stored="1.37")


# Static estimates, as cel-go's coster makes them for overload ids.


def _traversed(operand: Operand) -> Range:
    """Cost of one pass over an operand."""
    return operand.size.scaled(STRING_TRAVERSAL)


def _estimate_first_argument(_: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Cost of one pass over the only argument, which is the needle of `startsWith`."""
    return Estimate(_traversed(args[0])) if len(args) == 1 else None


def _estimate_bytes(_: Operand | None, args: tuple[Operand, ...]) -> Estimate:
    """Each character becomes up to four bytes; cel-go lets the product wrap."""
    size = args[0].size
    return Estimate(_traversed(args[0]), Range(size.low, size.high * 4 & UNBOUNDED))


def _estimate_decoded(_: Operand | None, args: tuple[Operand, ...]) -> Estimate:
    """Up to four bytes become one character."""
    size = args[0].size
    return Estimate(_traversed(args[0]), Range(size.low // 4, size.high))


def _estimate_in_list(_: Operand | None, args: tuple[Operand, ...]) -> Estimate:
    """The length of the list, even where the list is constant."""
    return Estimate(args[1].size.scaled(1))


def _estimate_regex(text: Operand, pattern: Operand) -> Estimate:
    """The length of the text, which counts one more than it has, times the length of the pattern."""
    return Estimate((text.size + Range(1, 1)).scaled(STRING_TRAVERSAL) * pattern.size.scaled(REGEX_LENGTH))


def _estimate_member_matches(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    return _estimate_regex(target, args[0]) if target is not None and len(args) == 1 else None


def _estimate_global_matches(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    return _estimate_regex(args[0], args[1]) if target is None and len(args) == 2 else None


def _estimate_contains(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    return Estimate(_traversed(target) * _traversed(args[0])) if target is not None and len(args) == 1 else None


def _estimate_concatenation(_: Operand | None, args: tuple[Operand, ...]) -> Estimate:
    size = args[0].size + args[1].size
    return Estimate(size.scaled(STRING_TRAVERSAL), size)


def _estimate_list_concatenation(_: Operand | None, args: tuple[Operand, ...]) -> Estimate:
    return Estimate(Range(1, 1), args[0].size + args[1].size)


def _estimate_comparison(_: Operand | None, args: tuple[Operand, ...]) -> Estimate:
    """One pass over the shorter operand."""
    most = min(args[0].size.high, args[1].size.high)
    return Estimate(Range(min(1, most), most).scaled(STRING_TRAVERSAL))


#: Kubernetes' types that compare at a fixed cost.
_CONSTANT_EQUALITY = frozenset({IP, CIDR, QUANTITY, SEMVER})


def _estimate_kubernetes_equality(_: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """What Kubernetes says of two operands of one of its own types."""
    if len(args) != 2 or args[0].type != args[1].type:
        return None
    if args[0].type in _CONSTANT_EQUALITY:
        return Estimate(Range(1, 1))
    if args[0].type == FORMAT:
        return Estimate(Range(1, 64).scaled(STRING_TRAVERSAL))
    if args[0].type == URL:
        # Upstream asks the right operand twice.
        size = args[1].computed_size
        return Estimate(Range(1, 1 if size is None else size.high).scaled(STRING_TRAVERSAL))
    return None


# The rows.


def _pairs(verb: str, types: Iterable[Type]) -> tuple[Overload, ...]:
    """Give overloads of two operands and a result of one type."""
    return tuple(Overload(f"{verb}_{_NAMES[type_]}", (type_, type_), type_) for type_ in types)


_RELATIONS: tuple[tuple[Type, Type, str], ...] = (
    (BOOL, BOOL, "bool"),
    (INT, INT, "int64"),
    (INT, DOUBLE, "int64_double"),
    (INT, UINT, "int64_uint64"),
    (UINT, UINT, "uint64"),
    (UINT, DOUBLE, "uint64_double"),
    (UINT, INT, "uint64_int64"),
    (DOUBLE, DOUBLE, "double"),
    (DOUBLE, INT, "double_int64"),
    (DOUBLE, UINT, "double_uint64"),
    (STRING, STRING, "string"),
    (BYTES, BYTES, "bytes"),
    (TIMESTAMP, TIMESTAMP, "timestamp"),
    (DURATION, DURATION, "duration"),
)


def _relation(name: str, verb: str, summary: str) -> Function:
    """Give the row of `<` or one of its kin."""
    return Function(
        name,
        tuple(
            Overload(f"{verb}_{suffix}", (left, right), BOOL, estimate=_estimate_comparison if left in (STRING, BYTES) else None)
            for left, right, suffix in _RELATIONS
        ),
        summary=summary,
    )


def _conversion(target: Type, name: str, sources: Iterable[Type], *, since: Since = ALWAYS, summary: str) -> Function:
    """Give the row of a conversion: one overload from each source, the first from the type itself."""
    estimates = {"string_to_bytes": _estimate_bytes, "bytes_to_string": _estimate_decoded}
    overloads = []
    for source in sources:
        id_ = f"{_NAMES[source]}_to_{_NAMES[target]}"
        overloads.append(Overload(id_, (source,), target, estimate=estimates.get(id_)))
    return Function(name, tuple(overloads), since=since, summary=summary)


def _part(name: str, suffix: str, summary: str, *, of_duration: bool = False, zone: str = "with_tz") -> Function:
    """Give the row of a part of a timestamp (in UTC, or in a zone), and of a duration."""
    overloads = [
        Overload(f"timestamp_to_{suffix}", (TIMESTAMP,), INT, member=True),
        Overload(f"timestamp_to_{suffix}_{zone}", (TIMESTAMP, STRING), INT, member=True),
    ]
    if of_duration:
        overloads.append(Overload(f"duration_to_{suffix}", (DURATION,), INT, member=True))
    return Function(name, tuple(overloads), summary=summary)


def _matches(*, since: Since, with_global: bool) -> Function:
    """Give the row of `matches`; whether the global form is estimated by its operands depends on the minor."""
    return Function(
        "matches",
        (
            Overload("matches", (STRING, STRING), BOOL, estimate=_estimate_global_matches if with_global else None),
            Overload("matches_string", (STRING, STRING), BOOL, member=True, estimate=_estimate_member_matches),
        ),
        since=since,
        summary="Whether a regular expression (RE2) matches somewhere in the text.",
    )


_TIMED = (DURATION, TIMESTAMP)
_SUBTRACT = (
    *_pairs("subtract", (DOUBLE,)),
    Overload("subtract_duration_duration", (DURATION, DURATION), DURATION),
    *_pairs("subtract", (INT,)),
    Overload("subtract_timestamp_duration", (TIMESTAMP, DURATION), TIMESTAMP),
    Overload("subtract_timestamp_timestamp", (TIMESTAMP, TIMESTAMP), DURATION),
    *_pairs("subtract", (UINT,)),
)
_ADD = (
    Overload("add_bytes", (BYTES, BYTES), BYTES, estimate=_estimate_concatenation),
    *_pairs("add", (DOUBLE,)),
    Overload("add_duration_duration", (DURATION, DURATION), DURATION),
    Overload("add_duration_timestamp", (DURATION, TIMESTAMP), TIMESTAMP),
    Overload("add_timestamp_duration", (TIMESTAMP, DURATION), TIMESTAMP),
    *_pairs("add", (INT,)),
    Overload("add_list", (LIST, LIST), LIST, estimate=_estimate_list_concatenation),
    Overload("add_string", (STRING, STRING), STRING, estimate=_estimate_concatenation),
    *_pairs("add", (UINT,)),
)
_SIZE = tuple(
    overload
    for type_, name in ((BYTES, "bytes"), (LIST, "list"), (MAP, "map"), (STRING, "string"))
    for overload in (Overload(f"size_{name}", (type_,), INT), Overload(f"{name}_size", (type_,), INT, member=True))
)

_OPERATORS = (
    Function("_?_:_", (Overload("conditional", (BOOL, A, A), A, strict=False),), summary="One of two values, by a condition."),
    Function("_&&_", (Overload("logical_and", (BOOL, BOOL), BOOL, strict=False),), summary="Whether both are true; false wins over an error."),
    Function("_||_", (Overload("logical_or", (BOOL, BOOL), BOOL, strict=False),), summary="Whether one is true; true wins over an error."),
    Function("!_", (Overload("logical_not", (BOOL,), BOOL),), summary="Negation."),
    Function("@not_strictly_false", (Overload("not_strictly_false", (BOOL,), BOOL, strict=False),), summary="What `all` goes on by."),
    Function(
        "_==_",
        (Overload("equals", (A, A), BOOL, estimate=_estimate_comparison),),
        estimate=_estimate_kubernetes_equality,
        summary="Equality; numbers of different types compare by value.",
    ),
    Function("_!=_", (Overload("not_equals", (A, A), BOOL, estimate=_estimate_comparison),), summary="Inequality."),
    Function("_+_", _ADD, summary="Sum, or concatenation."),
    Function("_/_", _pairs("divide", (DOUBLE, INT, UINT)), summary="Quotient; integers truncate toward zero."),
    Function("_%_", _pairs("modulo", (INT, UINT)), summary="Remainder, with the sign of the dividend."),
    Function("_*_", _pairs("multiply", (DOUBLE, INT, UINT)), summary="Product."),
    Function("-_", (Overload("negate_double", (DOUBLE,), DOUBLE), Overload("negate_int64", (INT,), INT)), summary="Negation."),
    Function("_-_", _SUBTRACT, summary="Difference."),
    _relation("_<_", "less", "Less than."),
    _relation("_<=_", "less_equals", "Less than or equal."),
    _relation("_>_", "greater", "Greater than."),
    _relation("_>=_", "greater_equals", "Greater than or equal."),
    Function(
        "_[_]",
        (Overload("index_list", (LIST, INT), A), Overload("index_map", (MAP, A), B)),
        summary="The element at an index, or the value of a key.",
    ),
    Function(
        "@in",
        (Overload("in_list", (A, LIST), BOOL, estimate=_estimate_in_list), Overload("in_map", (A, MAP), BOOL)),
        summary="Whether a list has an element, or a map a key.",
    ),
    Function("size", _SIZE, summary="Number of characters, bytes, elements or entries."),
)
_CONVERSIONS = (
    Function("type", (Overload("type", (A,), type_of(A)),), summary="The type of a value."),
    _conversion(BOOL, "bool", (BOOL, STRING), summary="A truth value from its text."),
    _conversion(BYTES, "bytes", (BYTES, STRING), summary="The UTF-8 form of a text."),
    _conversion(DOUBLE, "double", (DOUBLE, INT, STRING, UINT), summary="A floating-point number."),
    _conversion(DURATION, "duration", (DURATION, INT, STRING), since=_BEFORE_1_37, summary="A duration from its text (`1h30m`)."),
    _conversion(DURATION, "duration", (DURATION, STRING), since=_FROM_1_37, summary="A duration from its text (`1h30m`)."),
    Function("dyn", (Overload("to_dyn", (A,), DYN),), summary="The value itself, without its static type."),
    _conversion(INT, "int", (INT, DOUBLE, DURATION, STRING, TIMESTAMP, UINT), summary="A signed 64-bit number."),
    _conversion(STRING, "string", (STRING, BOOL, BYTES, DOUBLE, DURATION, INT, TIMESTAMP, UINT), summary="The text of a value."),
    _conversion(TIMESTAMP, "timestamp", (TIMESTAMP, INT, STRING), summary="A timestamp from RFC 3339, or seconds since 1970."),
    _conversion(UINT, "uint", (UINT, DOUBLE, INT, STRING), summary="An unsigned 64-bit number."),
)
_STRINGS = (
    Function(
        "contains",
        (Overload("contains_string", (STRING, STRING), BOOL, member=True, estimate=_estimate_contains),),
        guarded=False,
        summary="Whether a text contains another.",
    ),
    Function(
        "endsWith",
        (Overload("ends_with_string", (STRING, STRING), BOOL, member=True, estimate=_estimate_first_argument),),
        guarded=False,
        summary="Whether a text ends with another.",
    ),
    Function(
        "startsWith",
        (Overload("starts_with_string", (STRING, STRING), BOOL, member=True, estimate=_estimate_first_argument),),
        guarded=False,
        summary="Whether a text starts with another.",
    ),
    _matches(since=_BEFORE_1_37, with_global=False),
    _matches(since=_FROM_1_37, with_global=True),
)
_PARTS = (
    _part("getFullYear", "year", "The year."),
    _part("getMonth", "month", "The month, from 0."),
    _part("getDayOfYear", "day_of_year", "The day of the year, from 0."),
    _part("getDayOfMonth", "day_of_month", "The day of the month, from 0."),
    _part("getDate", "day_of_month_1_based", "The day of the month, from 1."),
    _part("getDayOfWeek", "day_of_week", "The day of the week, from 0 for Sunday."),
    _part("getHours", "hours", "The hour; of a duration, all of it in hours.", of_duration=True),
    _part("getMinutes", "minutes", "The minute; of a duration, all of it in minutes.", of_duration=True),
    _part("getSeconds", "seconds", "The second; of a duration, all of it in seconds.", of_duration=True, zone="tz"),
    _part("getMilliseconds", "milliseconds", "The milliseconds of the second; of a duration, all of it.", of_duration=True),
)

LIBRARY = Library("standard", "cel-go common/stdlib", (*_OPERATORS, *_CONVERSIONS, *_STRINGS, *_PARTS))
