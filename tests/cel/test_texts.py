"""Texts: how Go writes values."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rbln_dra.cel import texts, types
from rbln_dra.cel.ast import Uint
from rbln_dra.cel.library.ip import parse_ip
from rbln_dra.cel.values import NONE, CELError, Duration, ListBuilder, Map, NativeMap, Optional, Timestamp
from rbln_dra.quantity import Quantity
from rbln_dra.semver import Semver


@pytest.mark.parametrize(
    ("number", "general", "positional"),
    [
        (0.0, "0", "0"),
        (-0.0, "-0", "-0"),
        (1.5, "1.5", "1.5"),
        (123456.0, "123456", "123456"),
        (1234567.0, "1.234567e+06", "1234567"),
        (1e21, "1e+21", "1000000000000000000000"),
        (0.0001, "0.0001", "0.0001"),
        (1e-5, "1e-05", "0.00001"),
        (5e-324, "5e-324", "0." + "0" * 323 + "5"),
        (-1.25e100, "-1.25e+100", "-125" + "0" * 98),
        (math.nan, "NaN", "NaN"),
        (math.inf, "+Inf", "+Inf"),
        (-math.inf, "-Inf", "-Inf"),
    ],
)
def test_doubles(number: float, general: str, positional: str) -> None:
    """A double has the fewest digits that read back; an exponent from a million on."""
    assert (texts.general(number), texts.positional(number)) == (general, positional)


@pytest.mark.parametrize(
    ("nanoseconds", "cel", "go"),
    [
        (0, "0s", "0s"),
        (1, "0.000000001s", "1ns"),
        (1_500, "0.0000015s", "1.5µs"),
        (2_000_000, "0.002s", "2ms"),
        (-1_500_000_000, "-1.5s", "-1.5s"),
        (90_000_000_000, "90s", "1m30s"),
        (5_400_000_000_000, "5400s", "1h30m0s"),
        (2**63 - 1, "9223372036.854776s", "2562047h47m16.854775807s"),
    ],
)
def test_durations(nanoseconds: int, cel: str, go: str) -> None:
    """CEL writes seconds, Go writes hours, minutes and the finest unit that is needed."""
    assert (texts.duration_seconds(Duration(nanoseconds)), texts.duration_text(Duration(nanoseconds))) == (cel, go)


@pytest.mark.parametrize(
    ("timestamp", "cel", "go"),
    [
        (Timestamp(0), "1970-01-01T00:00:00Z", "1970-01-01 00:00:00 +0000 UTC"),
        (Timestamp(1, 3600), "1970-01-01T01:00:00.000000001+01:00", "1970-01-01 01:00:00.000000001 +0100 +0100"),
        (Timestamp(-1, -5400), "1969-12-31T22:29:59.999999999-01:30", "1969-12-31 22:29:59.999999999 -0130 -0130"),
    ],
)
def test_timestamps(timestamp: Timestamp, cel: str, go: str) -> None:
    """A timestamp is written in the zone that it was written in."""
    assert (texts.timestamp_text(timestamp), texts.shown(timestamp)) == (cel, go)


@pytest.mark.parametrize(
    ("value", "shown", "go_type"),
    [
        (None, "0", "types.Null"),
        (True, "true", "types.Bool"),
        (False, "false", "types.Bool"),
        (-1, "-1", "types.Int"),
        (Uint(1), "1", "types.Uint"),
        (1.0, "1", "types.Double"),
        ("a", "a", "types.String"),
        (b"ab", "[97 98]", "types.Bytes"),
        ((1, "a"), "[1, a]", "*types.baseList"),
        (ListBuilder().extend((1,)), "[1]", "*types.mutableList"),
        (Map([("a", 1), (Uint(2), None)]), "{a: 1, 2: 0}", "*types.baseMap"),
        (NativeMap({"a": 1}), "{a: 1}", "*types.baseMap"),
        (NativeMap({}, default=NativeMap({})), "{}", "cel.mapper"),
        (Optional(1), "optional(1)", "*types.Optional"),
        (NONE, "optional.none()", "*types.Optional"),
        (Duration(10**9), "1s", "types.Duration"),
        (types.list_of(types.INT), "list(int)", "*types.Type"),
        (Quantity.parse("16Gi"), "16Gi", "cel.Quantity"),
        (Semver.parse("1.2.3"), "1.2.3", "cel.Semver"),
        (parse_ip("::1"), "::1", "cel.IP"),
    ],
)
def test_values(value: Any, shown: str, go_type: str) -> None:
    """An error shows a value as Go's %v does, and names its Go type."""
    assert (texts.shown(value), texts.go_type(value)) == (shown, go_type)


def test_an_error_is_shown_by_its_text() -> None:
    """An error that an optional holds shows its text."""
    assert texts.shown(Optional(CELError("division by zero"))) == "optional(division by zero)"
