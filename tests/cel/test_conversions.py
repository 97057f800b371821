"""Conversions: what Go reads as a number, and what is out of range."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel import conversions, types
from rbln_dra.cel.ast import Uint
from rbln_dra.cel.values import CELError, Duration, Timestamp


@pytest.mark.parametrize(
    ("convert", "given", "value"),
    [
        (conversions.int_from_string, "-9223372036854775808", -(2**63)),
        (conversions.int_from_string, "+1", 1),
        (conversions.int_from_string, "0" * 50 + "1", 1),
        (conversions.uint_from_string, "18446744073709551615", Uint(2**64 - 1)),
        (conversions.int_from_double, -1.9, -1),
        (conversions.uint_from_double, 1.9, Uint(1)),
        (conversions.checked_uint, 5, Uint(5)),
        (conversions.checked_int, 5, 5),
        (conversions.double_from_string, "1.5", 1.5),
        (conversions.double_from_string, "+Infinity", math.inf),
        (conversions.double_from_string, "-inf", -math.inf),
        (conversions.double_from_string, "0x1.8p1", 3.0),
        (conversions.double_from_string, "0x_1p0", 1.0),
        (conversions.double_from_string, "1_000.5", 1000.5),
        (conversions.double_from_string, "1e-400", 0.0),
        (conversions.bool_from_string, "T", True),
        (conversions.bool_from_string, "0", False),
        (conversions.bytes_from_string, "é", b"\xc3\xa9"),
        (conversions.bytes_from_string, "\ud800", b"\xed\xa0\x80"),
        (conversions.string_from_bytes, b"\xc3\xa9", "é"),
        (conversions.duration_from_string, "1s", Duration(10**9)),
        (conversions.timestamp_from_string, "1970-01-01T00:00:01Z", Timestamp(10**9)),
    ],
)
def test_conversions(convert: Callable[[Any], Any], given: Any, value: Any) -> None:
    """Everything that Go reads is read."""
    result = convert(given)
    assert result == value
    assert type(result) is type(value)


def test_not_a_number() -> None:
    """A NaN is read in any case."""
    assert math.isnan(conversions.double_from_string("NaN"))


@pytest.mark.parametrize(
    ("convert", "given", "text"),
    [
        (conversions.int_from_string, "9223372036854775808", "type conversion error from 'string' to 'int'"),
        (conversions.int_from_string, "0x10", "type conversion error from 'string' to 'int'"),
        (conversions.int_from_string, "1_0", "type conversion error from 'string' to 'int'"),
        (conversions.int_from_string, "١", "type conversion error from 'string' to 'int'"),
        (conversions.int_from_string, "9" * 10_000, "type conversion error from 'string' to 'int'"),
        (conversions.uint_from_string, "+1", "type conversion error from 'string' to 'uint'"),
        (conversions.uint_from_string, "18446744073709551616", "type conversion error from 'string' to 'uint'"),
        (conversions.double_from_string, "1e400", "type conversion error from 'string' to 'double'"),
        (conversions.double_from_string, "0x1p9999", "type conversion error from 'string' to 'double'"),
        (conversions.double_from_string, "0x1", "type conversion error from 'string' to 'double'"),
        (conversions.double_from_string, "1__0", "type conversion error from 'string' to 'double'"),
        (conversions.double_from_string, "+nan", "type conversion error from 'string' to 'double'"),
        (conversions.double_from_string, " 1", "type conversion error from 'string' to 'double'"),
        (conversions.bool_from_string, "tRUE", "type conversion error from 'string' to 'bool'"),
        (conversions.string_from_bytes, b"\xff", "invalid UTF-8 in bytes, cannot convert to string"),
        (conversions.duration_from_string, "1", "type conversion error from 'string' to 'google.protobuf.Duration'"),
        (conversions.timestamp_from_string, "1970", "type conversion error from 'string' to 'google.protobuf.Timestamp'"),
        (conversions.int_from_double, 2.0**63, "integer overflow"),
        (conversions.int_from_double, -(2.0**63), "integer overflow"),
        (conversions.int_from_double, math.nan, "integer overflow"),
        (conversions.uint_from_double, -0.5, "unsigned integer overflow"),
        (conversions.uint_from_double, math.inf, "unsigned integer overflow"),
        (conversions.checked_int, 2**63, "integer overflow"),
        (conversions.checked_uint, -1, "unsigned integer overflow"),
    ],
)
def test_refusals(convert: Callable[[Any], Any], given: Any, text: str) -> None:
    """What Go does not read, or what is out of range, is an error in cel-go's words."""
    with pytest.raises(CELError) as caught:
        convert(given)
    assert caught.value.message == text


def test_a_conversion_that_is_none() -> None:
    """Two types between which there is no conversion stand in the text."""
    assert conversions.refused(types.INT, types.DURATION).message == "type conversion error from 'int' to 'google.protobuf.Duration'"
