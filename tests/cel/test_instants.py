"""Timestamps, durations and zones, as Go reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rbln_dra.cel.instants import SECOND, Calendar, of_seconds, read_duration, read_timestamp, zone_offset
from rbln_dra.cel.values import TIMESTAMP_MAX, TIMESTAMP_MIN, CELError, Duration, Timestamp


@pytest.mark.parametrize(
    ("text", "seconds", "rest", "offset"),
    [
        ("1970-01-01T00:00:00Z", 0, 0, 0),
        ("1970-01-01T1:00:00Z", 3600, 0, 0),
        ("1970-01-01T00:00:00.5Z", 0, 500_000_000, 0),
        ("1970-01-01T00:00:00,5Z", 0, 500_000_000, 0),
        ("1970-01-01T00:00:00.1234567891Z", 0, 123_456_789, 0),
        ("1970-01-01T09:00:00+09:00", 0, 0, 32_400),
        ("1969-12-31T23:30:00-00:30", 0, 0, -1_800),
        ("1970-01-02T00:00:00+24:00", 0, 0, 86_400),
        ("1970-01-01T01:00:00+00:60", 0, 0, 3_600),
        ("0001-01-01T00:00:00Z", TIMESTAMP_MIN, 0, 0),
        ("9999-12-31T23:59:59.999999999Z", TIMESTAMP_MAX, 999_999_999, 0),
        ("0000-12-31T23:00:00-02:00", TIMESTAMP_MIN + 3_600, 0, -7_200),
    ],
)
def test_timestamps(text: str, seconds: int, rest: int, offset: int) -> None:
    """RFC 3339, with Go's liberties: an hour of one digit, a comma, offsets of 24 hours and 60 minutes."""
    timestamp = read_timestamp(text)
    assert timestamp is not None
    assert (timestamp.nanoseconds, timestamp.offset) == (seconds * SECOND + rest, offset)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1970-01-01",
        "1970-01-01T00:00:00",
        "1970-01-01t00:00:00Z",
        "1970-13-01T00:00:00Z",
        "1971-02-29T00:00:00Z",
        "1970-01-01T24:00:00Z",
        "1970-01-01T00:00:60Z",
        "1970-01-01T00:00:00.Z",
        "1970-01-01T00:00:00+0900",
        "1970-01-01T00:00:00+25:00",
        "1970-01-01T00:00:00+00:61",
        "١٩٧٠-01-01T00:00:00Z",
        " 1970-01-01T00:00:00Z",
    ],
)
def test_no_timestamps(text: str) -> None:
    """What Go does not read is none."""
    assert read_timestamp(text) is None


@pytest.mark.parametrize("text", ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-00:01"])
def test_timestamps_out_of_range(text: str) -> None:
    """A timestamp stands in the years 1 to 9999 of UTC."""
    with pytest.raises(CELError, match="timestamp overflow"):
        read_timestamp(text)


def test_seconds() -> None:
    """Seconds since 1970 are as limited."""
    assert of_seconds(1) == Timestamp(SECOND)
    for seconds in (TIMESTAMP_MIN - 1, TIMESTAMP_MAX + 1):
        with pytest.raises(CELError, match="timestamp overflow"):
            of_seconds(seconds)


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [
        ("1h", 3600 * SECOND),
        ("1h1h", 7200 * SECOND),
        ("-1.5s", -1_500_000_000),
        ("+1s", SECOND),
        (".5s", 500_000_000),
        ("5.s", 5 * SECOND),
        ("0", 0),
        ("-0", 0),
        ("1us", 1000),
        ("1µs", 1000),
        ("1μs", 1000),
        ("2ms3ns", 2_000_003),
        ("9223372036854775807ns", 2**63 - 1),
        ("-9223372036854775808ns", -(2**63)),
        ("1.0000000000000000000000001s", SECOND),
        ("0.9999999999999999999s", SECOND),
    ],
)
def test_durations(text: str, nanoseconds: int) -> None:
    """Go's durations are numbers with units."""
    assert read_duration(text) == Duration(nanoseconds)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "+",
        "1",
        ".",
        ".s",
        "1d",
        "1 s",
        "1h-1m",
        "9223372036854775808ns",
        "-9223372036854775809ns",
        "99999999999999999999h",
        "2562048h",
        "1e3s",
        "1,5s",
    ],
)
def test_no_durations(text: str) -> None:
    """What has no unit, another unit, or no room in 64 bits, is none."""
    assert read_duration(text) is None


@pytest.mark.parametrize(
    ("zone", "offset"),
    [
        ("", 0),
        ("UTC", 0),
        ("Local", 0),
        ("Asia/Seoul", 32_400),
        ("America/Los_Angeles", -28_800),
        ("-08:30", -30_600),
        ("+09:00", 32_400),
        ("09:00", 32_400),
        ("-00:30", -1_800),
        ("1:2", 3_720),
    ],
)
def test_zones(zone: str, offset: int) -> None:
    """A zone has a name, or is hours and minutes."""
    assert zone_offset(Timestamp(0), zone) == offset


def test_an_offset_wraps() -> None:
    """Go counts an offset in nanoseconds of 64 bits."""
    assert zone_offset(Timestamp(0), "2562048:00") == -9223371273
    assert zone_offset(Timestamp(0), "-2562048:00") == 9223371273


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("nowhere", "unknown time zone nowhere"),
        ("../x", "time: invalid location name"),
        ("/etc/localtime", "time: invalid location name"),
        ("\\x", "time: invalid location name"),
        ("x:1", 'strconv.Atoi: parsing "x": invalid syntax'),
        ("1:x", 'strconv.Atoi: parsing "x": invalid syntax'),
        (":30", 'strconv.Atoi: parsing "": invalid syntax'),
        ("99999999999999999999:0", 'strconv.Atoi: parsing "99999999999999999999": value out of range'),
        ("zone\0", "unknown time zone zone\0"),
    ],
)
def test_no_zones(zone: str, text: str) -> None:
    """What is no zone is an error in Go's words."""
    with pytest.raises(CELError) as caught:
        zone_offset(Timestamp(0), zone)
    assert caught.value.message == text


def test_a_folder_of_zones() -> None:
    """A folder of the database is what the system says of it."""
    if Path("/usr/share/zoneinfo/Asia").is_dir():
        with pytest.raises(CELError, match="is a directory"):
            zone_offset(Timestamp(0), "Asia")


@pytest.mark.parametrize(
    ("seconds", "offset", "parts"),
    [
        (0, 0, (1970, 1, 1, 0, 0, 0, 0, 4)),
        (-1, 0, (1969, 12, 31, 23, 59, 59, 364, 3)),
        (TIMESTAMP_MIN, -3600, (0, 12, 31, 23, 0, 0, 365, 0)),
        (TIMESTAMP_MAX, 1, (10_000, 1, 1, 0, 0, 0, 0, 6)),
        (951_782_400, 0, (2000, 2, 29, 0, 0, 0, 59, 2)),
    ],
)
def test_calendar(seconds: int, offset: int, parts: tuple[int, ...]) -> None:
    """A zone may put a moment out of the years that a timestamp has."""
    at = Calendar.of(Timestamp(seconds * SECOND + 7), offset)
    assert (at.year, at.month, at.day, at.hour, at.minute, at.second, at.day_of_year, at.weekday) == parts
    assert at.nanosecond == 7


def test_zones_at_the_ends_of_time() -> None:
    """The first and the last second have an offset in a named zone, too."""
    assert zone_offset(Timestamp(TIMESTAMP_MAX * SECOND), "Asia/Seoul") == 32_400
    assert zone_offset(Timestamp(TIMESTAMP_MIN * SECOND), "Asia/Seoul") == 30_472
