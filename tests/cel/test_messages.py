"""Message literals: what protobuf's well-known messages become."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rbln_dra.cel import types
from rbln_dra.cel.ast import Uint
from rbln_dra.cel.messages import Message, MessageValue, to_native
from rbln_dra.cel.values import INT_MAX, NONE, CELError, Duration, Map, Optional, Timestamp, equal
from rbln_dra.errors import Unsupported
from rbln_dra.quantity import Quantity
from rbln_dra.semver import Semver

SECOND = 10**9


def made(name: str, **fields: Any) -> Any:
    """Make a message."""
    return Message(f"google.protobuf.{name}").make(fields)


@pytest.mark.parametrize(
    ("name", "fields", "value"),
    [
        ("BoolValue", {}, False),
        ("BoolValue", {"value": True}, True),
        ("BytesValue", {"value": b"a"}, b"a"),
        ("BytesValue", {"value": ()}, ()),
        ("DoubleValue", {"value": 1.5}, 1.5),
        ("FloatValue", {"value": 0.5}, 0.5),
        ("FloatValue", {"value": 1e300}, math.inf),
        ("Int32Value", {"value": 5}, 5),
        ("Int64Value", {}, 0),
        ("StringValue", {"value": "a"}, "a"),
        ("StringValue", {"value": Quantity.parse("16Gi")}, "16Gi"),
        ("StringValue", {"value": Semver.parse("1.2.3")}, "1.2.3"),
        ("StringValue", {"value": Optional("a")}, "a"),
        ("UInt32Value", {"value": Uint(5)}, Uint(5)),
        ("UInt64Value", {}, Uint(0)),
        ("Duration", {"seconds": 5, "nanos": 3}, Duration(5 * SECOND + 3)),
        ("Duration", {"seconds": INT_MAX}, Duration(INT_MAX)),
        ("Timestamp", {"seconds": -5}, Timestamp(-5 * SECOND)),
        ("Struct", {}, Map()),
        ("Struct", {"fields": Map([("a", 1)])}, Map([("a", 1.0)])),
        ("ListValue", {"values": (1, "a", True, None, b"ab", 2**53)}, (1.0, "a", True, None, "YWI=", str(2**53))),
        (
            "ListValue",
            {"values": (Timestamp(0), Duration(SECOND), Uint(1), (1,), Map([("a", 1)]), Optional(2))},
            ("1970-01-01T00:00:00Z", "1s", 1.0, (1.0,), Map([("a", 1.0)]), 2.0),
        ),
        ("Value", {}, None),
        ("Value", {"null_value": None}, None),
        ("Value", {"null_value": 0}, None),
        ("Value", {"string_value": "a"}, "a"),
        ("Value", {"list_value": (1,)}, (1.0,)),
        ("Any", {"type_url": "type.googleapis.com/google.protobuf.StringValue"}, ""),
    ],
)
def test_values(name: str, fields: dict[str, Any], value: Any) -> None:
    """Most messages are plain values."""
    result = made(name, **fields)
    assert type(result) is type(value)
    assert equal(result, value)


@pytest.mark.parametrize(
    ("name", "fields", "text"),
    [
        ("Int32Value", {"value": 2**31}, "field type conversion error for google.protobuf.Int32Value.value value type: integer overflow"),
        (
            "UInt32Value",
            {"value": Uint(2**32)},
            "field type conversion error for google.protobuf.UInt32Value.value value type: unsigned integer overflow",
        ),
        (
            "Int64Value",
            {"value": "a"},
            "field type conversion error for google.protobuf.Int64Value.value value type: unsupported native conversion from string to 'int64'",
        ),
        (
            "StringValue",
            {"value": 1},
            "field type conversion error for google.protobuf.StringValue.value value type: unsupported type conversion from 'int' to string",
        ),
        (
            "StringValue",
            {"value": (1,)},
            "field type conversion error for google.protobuf.StringValue.value value type: type conversion error from list to 'string'",
        ),
        (
            "BytesValue",
            {"value": (1,)},
            "field type conversion error for google.protobuf.BytesValue.value value type: unsupported type conversion from 'int' to uint8",
        ),
        ("BoolValue", {"value": NONE}, "field type conversion error for google.protobuf.BoolValue.value value type: optional.none() dereference"),
        ("ListValue", {"values": 1}, "unsupported field type for google.protobuf.ListValue.values: int"),
        (
            "ListValue",
            {"values": (Semver.parse("1.2.3"),)},
            "field type conversion error for google.protobuf.ListValue.values value type: type conversion error from 'Semver' to '*structpb.Value'",
        ),
        (
            "ListValue",
            {"values": (types.INT,)},
            "field type conversion error for google.protobuf.ListValue.values value type: type conversion not supported for 'type'",
        ),
        (
            "Struct",
            {"fields": Map([(1, 1)])},
            "field type conversion error for google.protobuf.Struct.fields value type: unsupported type conversion from 'int' to string",
        ),
        ("Any", {}, "unsupported conversion to ref.Val: (*dynamicpb.Message)"),
        ("Any", {"type_url": "x"}, 'unsupported conversion to ref.Val: (*dynamicpb.Message)type_url:"x"'),
        ("Nothing", {}, "unknown type 'google.protobuf.Nothing'"),
    ],
)
def test_errors(name: str, fields: dict[str, Any], text: str) -> None:
    """A field that cannot take its value is an error in the words of cel-go."""
    with pytest.raises(CELError) as caught:
        made(name, **fields)
    assert caught.value.message == text


def test_what_stands_at_very_many_places() -> None:
    """A list that holds another at 2**60 places is taken in at once."""
    value: Any = (1,)
    for _ in range(60):
        value = (value, Map([("a", value)]))
    result = made("ListValue", values=value)
    for _ in range(60):
        assert result[1].find("a") is result[0]
        result = result[0]
    assert result == (1.0,)


def test_messages_that_stay() -> None:
    """A message without fields stays one, and equals its like."""
    empty, entry = made("Empty"), made("Struct.FieldsEntry")
    assert isinstance(empty, MessageValue)
    assert (equal(empty, made("Empty")), equal(empty, entry), equal(empty, 1)) == (True, False, False)


def test_a_packed_message_with_content() -> None:
    """Protobuf's wire form is not read."""
    with pytest.raises(Unsupported, match="packed protobuf message"):
        made("Any", type_url="x/google.protobuf.Int64Value", value=b"\x08\x05")


def test_native_numbers() -> None:
    """A value of the right Go type is taken as it is."""
    assert to_native(1, "int64") == 1
