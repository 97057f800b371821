"""
Room: how Go writes values into error messages, and how it writes numbers, timestamps and durations.

May touch: `ast`, `types`, `values`, `instants`, `quantity`, `semver`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..quantity import Quantity
from ..semver import Semver
from . import types, values
from .ast import Uint
from .instants import Calendar

if TYPE_CHECKING:
    from collections.abc import Callable

    from .values import Duration, Timestamp, Value

_SECOND = 10**9


def digits(number: float) -> tuple[str, int]:
    """Give the shortest digits that stand for a finite positive number, and the place of the point after the first."""
    mantissa, _, exponent = f"{number!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    text = whole + (fraction if fraction != "0" else "")
    point = len(whole) + int(exponent or 0)
    stripped = text.lstrip("0")
    point -= len(text) - len(stripped)
    return stripped.rstrip("0") or "0", point if stripped else 1


def _special(number: float) -> str | None:
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "+Inf" if number > 0 else "-Inf"
    return None


def general(number: float) -> str:
    """
    Write a double as Go's `%g` does, with the fewest digits that read back as the same number.

    >>> general(1e6), general(123456.0), general(0.0001), general(float("inf"))
    ('1e+06', '123456', '0.0001', '+Inf')
    """
    special = _special(number)
    if special is not None:
        return special
    sign = "-" if math.copysign(1.0, number) < 0 else ""
    text, point = digits(abs(number))
    exponent = point - 1
    if -4 <= exponent < 6:
        return sign + _positional(text, point)
    mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
    return f"{sign}{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def positional(number: float) -> str:
    """
    Write a double as Go's `%f` does with the fewest digits.

    >>> positional(1e21), positional(0.25)
    ('1000000000000000000000', '0.25')
    """
    special = _special(number)
    if special is not None:
        return special
    sign = "-" if math.copysign(1.0, number) < 0 else ""
    return sign + _positional(*digits(abs(number)))


def _positional(text: str, point: int) -> str:
    if point <= 0:
        return "0." + "0" * -point + text
    if len(text) <= point:
        return text + "0" * (point - len(text))
    return f"{text[:point]}.{text[point:]}"


def seconds(duration: Duration) -> float:
    """Give a duration in seconds, with Go's two roundings."""
    whole, rest = divmod(abs(duration.nanoseconds), _SECOND)
    return math.copysign(whole + rest / 1e9, duration.nanoseconds) if duration.nanoseconds else 0.0


def duration_seconds(duration: Duration) -> str:
    """
    Write a duration as CEL does.

    >>> duration_seconds(values.Duration(5_400_500_000_000))
    '5400.5s'
    """
    return positional(seconds(duration)) + "s"


def duration_text(duration: Duration) -> str:
    """
    Write a duration as Go does.

    >>> duration_text(values.Duration(5_400_500_000_000)), duration_text(values.Duration(1_500))
    ('1h30m0.5s', '1.5µs')
    """
    number = abs(duration.nanoseconds)
    sign = "-" if duration.nanoseconds < 0 else ""
    if number == 0:
        return "0s"
    for unit, size in (("ns", 1), ("µs", 10**3), ("ms", 10**6)):
        if number < size * 1000:
            return f"{sign}{_fraction(number, size)}{unit}"
    minutes, rest = divmod(number, 60 * _SECOND)
    hours, minutes = divmod(minutes, 60)
    text = f"{_fraction(rest, _SECOND)}s"
    if hours or minutes:
        text = f"{minutes}m{text}"
    if hours:
        text = f"{hours}h{text}"
    return sign + text


def _fraction(number: int, size: int) -> str:
    whole, rest = divmod(number, size)
    places = len(str(size)) - 1
    return f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".") if rest else str(whole)


def timestamp_text(timestamp: Timestamp) -> str:
    """
    Write a timestamp in RFC 3339, in the zone that it was written in.

    >>> timestamp_text(values.Timestamp(500_000_000, 3600))
    '1970-01-01T01:00:00.5+01:00'
    """
    offset = timestamp.offset
    date, rest = _dated(timestamp, offset)
    return f"{date[0]}T{date[1]}{_nanoseconds(rest)}{_zone(offset)}"


def _dated(timestamp: Timestamp, offset: int) -> tuple[tuple[str, str], int]:
    at = Calendar.of(timestamp, offset)
    return (f"{at.year:04d}-{at.month:02d}-{at.day:02d}", f"{at.hour:02d}:{at.minute:02d}:{at.second:02d}"), at.nanosecond


def _nanoseconds(rest: int) -> str:
    return f".{rest:09d}".rstrip("0") if rest else ""


def _zone(offset: int) -> str:
    if not offset:
        return "Z"
    minutes = abs(offset) // 60
    return f"{'-' if offset < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}"


def _timestamp_shown(timestamp: Timestamp) -> str:
    date, rest = _dated(timestamp, timestamp.offset)
    offset = timestamp.offset
    minutes = abs(offset) // 60
    numeric = f"{'-' if offset < 0 else '+'}{minutes // 60:02d}{minutes % 60:02d}"
    return f"{date[0]} {date[1]}{_nanoseconds(rest)} {numeric} {numeric if offset else 'UTC'}"


def _optional_shown(optional: values.Optional) -> str:
    return f"optional({shown(optional.value)})" if optional.present else "optional.none()"


def _bytes_shown(value: bytes) -> str:
    return "[" + " ".join(map(str, value)) + "]"


_SHOWN: dict[type, Callable[[Value], str]] = {
    type(None): lambda _: "0",
    bool: lambda value: "true" if value else "false",
    int: str,
    Uint: lambda value: str(int(value)),
    float: general,
    str: str,
    bytes: _bytes_shown,
    values.Optional: _optional_shown,
    values.Timestamp: _timestamp_shown,
    values.Duration: duration_text,
    types.Type: str,
    Quantity: str,
    Semver: str,
    values.CELError: lambda value: value.message,
}


def shown(value: Value) -> str:
    """
    Write a value as Go's `%v` does.

    >>> shown((1, "a", None)), shown(values.Map([("k", Uint(1))]))
    ('[1, a, 0]', '{k: 1}')
    """
    rule = _SHOWN.get(type(value))
    if rule is not None:
        return rule(value)
    if values.is_list(value):
        return "[" + ", ".join(map(shown, values.elements(value))) + "]"
    if isinstance(value, values.Map):
        return "{" + ", ".join(f"{shown(key)}: {shown(held)}" for key, held in value.items()) + "}"
    return str(value)


_GO_TYPES: dict[type, str] = {
    type(None): "types.Null",
    bool: "types.Bool",
    int: "types.Int",
    Uint: "types.Uint",
    float: "types.Double",
    str: "types.String",
    bytes: "types.Bytes",
    tuple: "*types.baseList",
    values.Concatenation: "*types.concatList",
    values.ListBuilder: "*types.mutableList",
    values.Map: "*types.baseMap",
    values.NativeMap: "*types.baseMap",
    values.MapBuilder: "*types.mutableMap",
    values.Optional: "*types.Optional",
    values.Timestamp: "types.Timestamp",
    values.Duration: "types.Duration",
    types.Type: "*types.Type",
    Quantity: "cel.Quantity",
    Semver: "cel.Semver",
}
#: Go's names of library values' types.
_GO_LIBRARY_TYPES = {
    "kubernetes.URL": "cel.URL",
    "net.IP": "cel.IP",
    "net.CIDR": "cel.CIDR",
    "kubernetes.NamedFormat": "cel.Format",
    # Only a computed quantity is no `Quantity`.
    "kubernetes.Quantity": "*cel.Quantity",
}


def go_type(value: Value) -> str:
    """Give the name of the Go type that stands for a value in cel-go, as `%T` writes it."""
    if type(value) is values.NativeMap and value.default is not None:
        return "cel.mapper"
    found = _GO_TYPES.get(type(value))
    return _GO_LIBRARY_TYPES[values.type_of(value).name] if found is None else found
