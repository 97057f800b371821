"""
Room: timestamps and durations as Go reads them, and the calendar in a time zone.

May touch: `values`, `quoting`.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from ..quoting import quoted
from .values import INT_MAX, TIMESTAMP_MAX, TIMESTAMP_MIN, CELError, Duration, Timestamp

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

SECOND = 10**9
_DAY = 86_400
TIMESTAMP_OVERFLOW = "timestamp overflow"

# Go's layout 2006-01-02T15:04:05Z07:00: the hour may have one digit, a fraction may follow the seconds after a point or a comma.
_RFC3339 = re.compile(
    r"""
    (?P<year> [0-9]{4} ) - (?P<month> [0-9]{2} ) - (?P<day> [0-9]{2} )
    T (?P<hour> [0-9]{1,2} ) : (?P<minute> [0-9]{2} ) : (?P<second> [0-9]{2} )
    (?: [.,] (?P<fraction> [0-9]+ ) )?
    (?: Z | (?P<sign> [+-] ) (?P<zone_hours> [0-9]{2} ) : (?P<zone_minutes> [0-9]{2} ) )
    """,
    re.VERBOSE,
)
_UNITS = {"ns": 1, "us": 10**3, "µs": 10**3, "μs": 10**3, "ms": 10**6, "s": SECOND, "m": 60 * SECOND, "h": 3600 * SECOND}
# Go's time.ParseDuration: numbers, each with a unit, after one sign.
_DURATION_PART = re.compile(r"(?P<whole> [0-9]* ) (?: \. (?P<fraction> [0-9]* ) )? (?P<unit> [^0-9.]+ )", re.VERBOSE)


@attrs.frozen
class Calendar:
    """
    A moment in a zone.

    Args:
        year: In the proleptic Gregorian calendar; a zone may put it out of 1…9999.
        month: From 1.
        day: From 1.
        hour: From 0.
        minute: From 0.
        second: From 0.
        nanosecond: From 0.
        day_of_year: From 0.
        weekday: From 0 for Sunday.
    """

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: int
    nanosecond: int
    day_of_year: int
    weekday: int

    @classmethod
    def of(cls, timestamp: Timestamp, offset: int) -> Calendar:
        """Give the calendar time so many seconds east of UTC."""
        seconds, nanosecond = divmod(timestamp.nanoseconds, SECOND)
        days, clock = divmod(seconds + offset, _DAY)
        # Python's calendar has the years 1…9999, of which 400 repeat.
        cycles, within = divmod(days - _CYCLE_START, _CYCLE_DAYS)
        date = datetime(2000, 1, 1, tzinfo=UTC) + timedelta(days=within)
        return cls(
            date.year + 400 * cycles,
            date.month,
            date.day,
            clock // 3600,
            clock // 60 % 60,
            clock % 60,
            nanosecond,
            date.timetuple().tm_yday - 1,
            (days + 4) % 7,
        )


#: Days from 1970 to 2000, and days of four hundred years.
_CYCLE_START, _CYCLE_DAYS = 10_957, 146_097


def read_timestamp(text: str) -> Timestamp | None:
    """
    Read RFC 3339 as Go's `time.Parse` does; `None` says that it does not.

    Raises:
        CELError: The moment is out of the years 1…9999.
    """
    match = _RFC3339.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(match[name]) for name in ("year", "month", "day", "hour", "minute", "second"))
    offset = 0
    if match["sign"]:
        hours, minutes = int(match["zone_hours"]), int(match["zone_minutes"])
        if hours > 24 or minutes > 60:
            return None
        offset = (hours * 60 + minutes) * 60 * (-1 if match["sign"] == "-" else 1)
    try:
        # The year 0 is read as well: as 400, which has the same days.
        date = datetime(year or 400, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
    seconds = int((date - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) - offset
    if not year:
        seconds -= _CYCLE_DAYS * _DAY
    if not TIMESTAMP_MIN <= seconds <= TIMESTAMP_MAX:
        raise CELError(TIMESTAMP_OVERFLOW)
    return Timestamp(seconds * SECOND + int((match["fraction"] or "0")[:9].ljust(9, "0")), offset)


def of_seconds(seconds: int) -> Timestamp:
    """
    Give the timestamp so many seconds after 1970.

    Raises:
        CELError: It is out of the years 1…9999.
    """
    if not TIMESTAMP_MIN <= seconds <= TIMESTAMP_MAX:
        raise CELError(TIMESTAMP_OVERFLOW)
    return Timestamp(seconds * SECOND)


def read_duration(text: str) -> Duration | None:
    """
    Read a duration as Go's `time.ParseDuration` does; `None` says that it does not.

    >>> read_duration("-1h0.5s"), read_duration("1")
    (Duration(nanoseconds=-3600500000000), None)
    """
    sign, rest = (text[0], text[1:]) if text[:1] in ("+", "-") else ("+", text)
    if rest == "0":
        return Duration(0)
    total = position = 0
    while position < len(rest):
        match = _DURATION_PART.match(rest, position)
        size = None if match is None or not (match["whole"] or match["fraction"]) else _UNITS.get(match["unit"])
        if match is None or size is None or len(match["whole"].lstrip("0")) > 19:
            return None
        total += int(match["whole"] or "0") * size + _fraction_of(match["fraction"] or "", size)
        if total > 2**63:
            return None
        position = match.end()
    if not position or (total > INT_MAX and sign == "+"):
        return None
    return Duration(-total if sign == "-" else total)


def _fraction_of(digits: str, size: int) -> int:
    """Give a part of a unit: the digits that fit 63 bits, in double precision, truncated."""
    number, scale = 0, 1.0
    for digit in digits:
        larger = number * 10 + int(digit)
        if number > INT_MAX // 10 or larger > 2**63:
            break
        number, scale = larger, scale * 10
    return int(float(number) * (float(size) / scale)) if number else 0


def zone_offset(timestamp: Timestamp, zone: str) -> int:
    """
    Give how many seconds east of UTC a zone is at a moment: an IANA name, or `±hh:mm`.

    Raises:
        CELError: It is no zone.
    """
    hours, colon, minutes = zone.partition(":")
    if not colon:
        return _named_offset(timestamp, zone)
    whole, rest = _integer(hours), _integer(minutes)
    offset = whole * 60 - rest if zone[0] == "-" else whole * 60 + rest
    # Go multiplies into a 64-bit number of nanoseconds.
    nanoseconds = (offset * 60 * SECOND + 2**63) % 2**64 - 2**63
    return int(nanoseconds / SECOND) if abs(nanoseconds) < 2**53 else (abs(nanoseconds) // SECOND) * (1 if nanoseconds > 0 else -1)


def _integer(text: str) -> int:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()):
        raise CELError(f"strconv.Atoi: parsing {quoted(text)}: invalid syntax")
    number = -int(digits[:30]) if text[0] == "-" else int(digits[:30])
    if not -(2**63) <= number <= INT_MAX:
        raise CELError(f"strconv.Atoi: parsing {quoted(text)}: value out of range")
    return number


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo | str:
    """Find a zone in the time zone database of the system, or say in Go's words why there is none."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except IsADirectoryError:
        return "is a directory"
    except (OSError, ValueError, KeyError):  # `ZoneInfoNotFoundError` is a KeyError
        return f"unknown time zone {name}"


def _named_offset(timestamp: Timestamp, name: str) -> int:
    if name in ("", "UTC", "Local"):
        return 0
    if ".." in name or name[0] in "/\\":
        raise CELError("time: invalid location name")
    zone = _zone(name)
    if isinstance(zone, str):
        raise CELError(zone)
    seconds = timestamp.nanoseconds // SECOND
    # A day from either end, Python's calendar has no room for the offset; zones do not change there.
    seconds = min(max(seconds, TIMESTAMP_MIN + 2 * _DAY), TIMESTAMP_MAX - 2 * _DAY)
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    offset = moment.astimezone(zone).utcoffset()
    return 0 if offset is None else int(offset.total_seconds())
