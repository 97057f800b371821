"""
Room: the rows of cel-go's standard library: operators, conversions, tests of strings, parts of timestamps and durations.

`&&`, `||`, `?:`, `==`, `!=`, indexing and the optional forms of it have evaluation rules of their own, in `evaluation`; their rows say types and
costs.

May touch: `rows`, `types`, `ranges`, `arithmetic`, `conversions`, `instants`, `texts`, `values`, `regex` for the matcher.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from .. import arithmetic, conversions, instants, texts
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
    type_of as type_type,
)
from ..values import NO_SUCH_OVERLOAD, CELError, Duration, Timestamp, Value, size_of, type_of
from .rows import ALWAYS, Estimate, Function, Implementation, Library, Operand, Overload, RuntimeCost, Since

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


# Runtime costs, as cel-go's tracker counts them for overload ids.


def _scaled(count: int, factor: float) -> int:
    return math.ceil(float(count) * factor)


def _cost_of_argument(index: int) -> RuntimeCost:
    """Cost of one pass over an argument."""

    def cost(args: tuple[Value, ...], _: Value) -> int:
        return _scaled(size_of(args[index]), STRING_TRAVERSAL)

    return cost


def _cost_in_list(args: tuple[Value, ...], _: Value) -> int:
    return size_of(args[1])


def _cost_comparison(args: tuple[Value, ...], _: Value) -> int:
    return _scaled(min(size_of(args[0]), size_of(args[1])), STRING_TRAVERSAL)


def _cost_concatenation(args: tuple[Value, ...], _: Value) -> int:
    return _scaled(size_of(args[0]) + size_of(args[1]), STRING_TRAVERSAL)


def _cost_matches(args: tuple[Value, ...], _: Value) -> int:
    return math.ceil((1.0 + float(size_of(args[0]))) * STRING_TRAVERSAL) * _scaled(size_of(args[1]), REGEX_LENGTH)


def _cost_contains(args: tuple[Value, ...], _: Value) -> int:
    return _scaled(size_of(args[0]), STRING_TRAVERSAL) * _scaled(size_of(args[1]), STRING_TRAVERSAL)


def _cost_kubernetes_equality(args: tuple[Value, ...], _: Value) -> int | None:
    """One unit where the left operand is of one of Kubernetes' own types."""
    return 1 if not isinstance(args[0], CELError) and type_of(args[0]).name in _KUBERNETES else None


_KUBERNETES = frozenset({type_.name for type_ in (QUANTITY, SEMVER, URL, IP, CIDR, FORMAT)})


# What conversions and the like do.

_CONVERSIONS_DONE: dict[str, Implementation] = {
    "string_to_bool": conversions.bool_from_string,
    "string_to_bytes": conversions.bytes_from_string,
    "int64_to_double": float,
    "uint64_to_double": float,
    "string_to_double": conversions.double_from_string,
    "string_to_duration": conversions.duration_from_string,
    "double_to_int64": conversions.int_from_double,
    "duration_to_int64": lambda duration: duration.nanoseconds,
    "string_to_int64": conversions.int_from_string,
    "timestamp_to_int64": lambda timestamp: timestamp.nanoseconds // instants.SECOND,
    "uint64_to_int64": lambda number: conversions.checked_int(int(number)),
    "bool_to_string": lambda truth: "true" if truth else "false",
    "bytes_to_string": conversions.string_from_bytes,
    "double_to_string": texts.general,
    "duration_to_string": texts.duration_seconds,
    "int64_to_string": str,
    "timestamp_to_string": texts.timestamp_text,
    "uint64_to_string": lambda number: str(int(number)),
    "int64_to_timestamp": instants.of_seconds,
    "string_to_timestamp": conversions.timestamp_from_string,
    "double_to_uint64": conversions.uint_from_double,
    "int64_to_uint64": conversions.checked_uint,
    "string_to_uint64": conversions.uint_from_string,
}


def _identity(value: Value) -> Value:
    return value


def _int_to_duration(_: int) -> Value:
    # Declared until 1.36, never possible.
    raise conversions.refused(INT, DURATION)


_CONVERSIONS_DONE["int64_to_duration"] = _int_to_duration


def _of_texts(test: Callable[[str, str], bool]) -> Implementation:
    """Take two texts only."""

    def checked(text: Value, part: Value) -> bool:
        if type(text) is not str or type(part) is not str:
            raise CELError(NO_SUCH_OVERLOAD)
        return test(text, part)

    return checked


def _match(text: Value, pattern: Value) -> Value:
    if type(text) is not str:
        raise arithmetic.lacking("matches", text)
    if type(pattern) is not str:
        raise CELError(NO_SUCH_OVERLOAD)
    return _matcher(pattern)(text, pattern)


def _matcher(pattern: str) -> Implementation:
    """
    Compile a pattern.

    Raises:
        CELError: RE2 does not read it.
    """
    from .regex import compiled

    search = compiled(pattern).search

    def match(text: Value, _: Value) -> bool:
        if isinstance(text, Type):
            # Go takes the plain value of a type, which is its name.
            text = text.name
        if type(text) is not str:
            raise CELError(NO_SUCH_OVERLOAD)
        return search(text) is not None

    return match


_IN_ZONE: dict[str, Callable[[instants.Calendar], int]] = {
    "year": lambda at: at.year,
    "month": lambda at: at.month - 1,
    "day_of_year": lambda at: at.day_of_year,
    "day_of_month": lambda at: at.day - 1,
    "day_of_month_1_based": lambda at: at.day,
    "day_of_week": lambda at: at.weekday,
    "hours": lambda at: at.hour,
    "minutes": lambda at: at.minute,
    "seconds": lambda at: at.second,
    "milliseconds": lambda at: at.nanosecond // 10**6,
}


def _part_of(suffix: str) -> Implementation:
    read = _IN_ZONE[suffix]

    def part(timestamp: Timestamp, zone: str = "UTC") -> int:
        return read(instants.Calendar.of(timestamp, instants.zone_offset(timestamp, zone)))

    return part


def _whole_of(nanoseconds: int) -> Implementation:
    """Give a duration in a unit, in Go's double precision, truncated."""

    def whole(duration: Duration) -> int:
        count, rest = divmod(abs(duration.nanoseconds), nanoseconds)
        number = int(float(count) + float(rest) / float(nanoseconds)) if nanoseconds != 10**6 else count
        return -number if duration.nanoseconds < 0 else number

    return whole


_UNITS = {"hours": 3600 * instants.SECOND, "minutes": 60 * instants.SECOND, "seconds": instants.SECOND, "milliseconds": 10**6}


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
            Overload(f"{verb}_{suffix}", (left, right), BOOL, estimate=_estimate_comparison, cost=_cost_comparison)
            if left in (STRING, BYTES)
            else Overload(f"{verb}_{suffix}", (left, right), BOOL)
            for left, right, suffix in _RELATIONS
        ),
        implementation=arithmetic.relation(name),
        views=True,
        summary=summary,
    )


def _operator(name: str, overloads: tuple[Overload, ...], summary: str) -> Function:
    """Give the row of an arithmetic operator."""
    return Function(name, overloads, implementation=arithmetic.operator(name), views=True, summary=summary)


def _conversion(target: Type, name: str, sources: Iterable[Type], *, since: Since = ALWAYS, summary: str) -> Function:
    """Give the row of a conversion: one overload from each source, the first from the type itself."""
    estimates = {"string_to_bytes": _estimate_bytes, "bytes_to_string": _estimate_decoded}
    overloads = []
    for source in sources:
        id_ = f"{_NAMES[source]}_to_{_NAMES[target]}"
        done = _identity if source is target else _CONVERSIONS_DONE[id_]
        estimate = estimates.get(id_)
        overloads.append(Overload(id_, (source,), target, implementation=done, estimate=estimate, cost=_cost_of_argument(0) if estimate else None))
    return Function(name, tuple(overloads), since=since, summary=summary)


def _part(name: str, suffix: str, summary: str, *, zone: str = "with_tz") -> Function:
    """Give the row of a part of a timestamp (in UTC, or in a zone), and of a duration."""
    overloads = [
        Overload(f"timestamp_to_{suffix}", (TIMESTAMP,), INT, member=True, implementation=_part_of(suffix)),
        Overload(f"timestamp_to_{suffix}_{zone}", (TIMESTAMP, STRING), INT, member=True, implementation=_part_of(suffix)),
    ]
    if suffix in _UNITS:
        overloads.append(Overload(f"duration_to_{suffix}", (DURATION,), INT, member=True, implementation=_whole_of(_UNITS[suffix])))
    return Function(name, tuple(overloads), summary=summary)


def _affix(name: str, id_: str, test: Callable[[str, str], bool], since: Since, charged: int) -> Function:
    """Give the row of `startsWith` or `endsWith`; whose length is charged depends on the minor."""
    overload = Overload(
        id_,
        (STRING, STRING),
        BOOL,
        member=True,
        implementation=_of_texts(test),
        estimate=_estimate_first_argument,
        cost=_cost_of_argument(charged),
    )
    return Function(name, (overload,), since=since, guarded=False, summary=f"Whether a text {name.removesuffix('With')} with another.")


def _matches(*, since: Since, with_global: bool) -> Function:
    """Give the row of `matches`; whether the global form is estimated by its operands depends on the minor."""
    return Function(
        "matches",
        (
            Overload(
                "matches",
                (STRING, STRING),
                BOOL,
                estimate=_estimate_global_matches if with_global else None,
                cost=_cost_matches if with_global else None,
            ),
            Overload("matches_string", (STRING, STRING), BOOL, member=True, estimate=_estimate_member_matches, cost=_cost_matches),
        ),
        since=since,
        implementation=_match,
        precompile=_matcher,
        summary="Whether a regular expression (RE2) matches somewhere in the text.",
    )


_SUBTRACT = (
    *_pairs("subtract", (DOUBLE,)),
    Overload("subtract_duration_duration", (DURATION, DURATION), DURATION),
    *_pairs("subtract", (INT,)),
    Overload("subtract_timestamp_duration", (TIMESTAMP, DURATION), TIMESTAMP),
    Overload("subtract_timestamp_timestamp", (TIMESTAMP, TIMESTAMP), DURATION),
    *_pairs("subtract", (UINT,)),
)
_ADD = (
    Overload("add_bytes", (BYTES, BYTES), BYTES, estimate=_estimate_concatenation, cost=_cost_concatenation),
    *_pairs("add", (DOUBLE,)),
    Overload("add_duration_duration", (DURATION, DURATION), DURATION),
    Overload("add_duration_timestamp", (DURATION, TIMESTAMP), TIMESTAMP),
    Overload("add_timestamp_duration", (TIMESTAMP, DURATION), TIMESTAMP),
    *_pairs("add", (INT,)),
    Overload("add_list", (LIST, LIST), LIST, estimate=_estimate_list_concatenation),
    Overload("add_string", (STRING, STRING), STRING, estimate=_estimate_concatenation, cost=_cost_concatenation),
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
    Function("!_", (Overload("logical_not", (BOOL,), BOOL),), implementation=arithmetic.invert, views=True, summary="Negation."),
    Function(
        "@not_strictly_false",
        (Overload("not_strictly_false", (BOOL,), BOOL, strict=False, implementation=arithmetic.not_strictly_false),),
        summary="What `all` goes on by.",
    ),
    Function(
        "_==_",
        (Overload("equals", (A, A), BOOL, estimate=_estimate_comparison, cost=_cost_comparison),),
        estimate=_estimate_kubernetes_equality,
        cost=_cost_kubernetes_equality,
        summary="Equality; numbers of different types compare by value.",
    ),
    Function(
        "_!=_",
        (Overload("not_equals", (A, A), BOOL, estimate=_estimate_comparison, cost=_cost_comparison),),
        summary="Inequality.",
    ),
    _operator("_+_", _ADD, "Sum, or concatenation."),
    _operator("_/_", _pairs("divide", (DOUBLE, INT, UINT)), "Quotient; integers truncate toward zero."),
    _operator("_%_", _pairs("modulo", (INT, UINT)), "Remainder, with the sign of the dividend."),
    _operator("_*_", _pairs("multiply", (DOUBLE, INT, UINT)), "Product."),
    Function(
        "-_",
        (Overload("negate_double", (DOUBLE,), DOUBLE), Overload("negate_int64", (INT,), INT)),
        implementation=arithmetic.negate,
        views=True,
        summary="Negation.",
    ),
    _operator("_-_", _SUBTRACT, "Difference."),
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
        (Overload("in_list", (A, LIST), BOOL, estimate=_estimate_in_list, cost=_cost_in_list), Overload("in_map", (A, MAP), BOOL)),
        implementation=arithmetic.contains,
        views=True,
        summary="Whether a list has an element, or a map a key.",
    ),
    Function("size", _SIZE, implementation=arithmetic.size, views=True, summary="Number of characters, bytes, elements or entries."),
)
_CONVERSIONS = (
    Function("type", (Overload("type", (A,), type_type(A)),), implementation=type_of, views=True, summary="The type of a value."),
    _conversion(BOOL, "bool", (BOOL, STRING), summary="A truth value from its text."),
    _conversion(BYTES, "bytes", (BYTES, STRING), summary="The UTF-8 form of a text."),
    _conversion(DOUBLE, "double", (DOUBLE, INT, STRING, UINT), summary="A floating-point number."),
    _conversion(DURATION, "duration", (DURATION, INT, STRING), since=_BEFORE_1_37, summary="A duration from its text (`1h30m`)."),
    _conversion(DURATION, "duration", (DURATION, STRING), since=_FROM_1_37, summary="A duration from its text (`1h30m`)."),
    Function("dyn", (Overload("to_dyn", (A,), DYN),), implementation=_identity, views=True, summary="The value itself, without its static type."),
    _conversion(INT, "int", (INT, DOUBLE, DURATION, STRING, TIMESTAMP, UINT), summary="A signed 64-bit number."),
    _conversion(STRING, "string", (STRING, BOOL, BYTES, DOUBLE, DURATION, INT, TIMESTAMP, UINT), summary="The text of a value."),
    _conversion(TIMESTAMP, "timestamp", (TIMESTAMP, INT, STRING), summary="A timestamp from RFC 3339, or seconds since 1970."),
    _conversion(UINT, "uint", (UINT, DOUBLE, INT, STRING), summary="An unsigned 64-bit number."),
)
_STRINGS = (
    Function(
        "contains",
        (
            Overload(
                "contains_string",
                (STRING, STRING),
                BOOL,
                member=True,
                implementation=_of_texts(lambda text, part: part in text),
                estimate=_estimate_contains,
                cost=_cost_contains,
            ),
        ),
        guarded=False,
        summary="Whether a text contains another.",
    ),
    *(
        _affix(name, id_, test, since, charged)
        for name, id_, test in (("endsWith", "ends_with_string", str.endswith), ("startsWith", "starts_with_string", str.startswith))
        for since, charged in ((_BEFORE_1_37, 0), (_FROM_1_37, 1))
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
    _part("getHours", "hours", "The hour; of a duration, all of it in hours."),
    _part("getMinutes", "minutes", "The minute; of a duration, all of it in minutes."),
    _part("getSeconds", "seconds", "The second; of a duration, all of it in seconds.", zone="tz"),
    _part("getMilliseconds", "milliseconds", "The milliseconds of the second; of a duration, all of it."),
)

LIBRARY = Library("standard", "cel-go common/stdlib", (*_OPERATORS, *_CONVERSIONS, *_STRINGS, *_PARTS))
