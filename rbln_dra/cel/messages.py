"""
Room: message literals: what a protobuf message becomes as a value of CEL.

The messages that an expression can name are protobuf's well-known ones; nearly all of them turn into plain values at once.

May touch: `values`, `types`, `conversions`.
"""

from __future__ import annotations

import base64
import math
import struct
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import attrs

from . import types
from .ast import Uint
from .conversions import INT_OVERFLOW, UINT_OVERFLOW
from .instants import SECOND
from .texts import duration_seconds, timestamp_text
from .values import INT_MAX, CELError, Duration, Map, Timestamp, Value, elements, is_list, type_of

if TYPE_CHECKING:
    from .types import Type

_MOST_JSON = 2**53 - 1
_PREFIX = "google.protobuf."


@attrs.frozen(eq=False)
class MessageValue:
    """
    A message that stays one: `google.protobuf.Empty{}`.

    Args:
        cel_type: Its type.
    """

    cel_type: Type

    def cel_equal(self, other: Value) -> bool:
        """Messages without fields are equal by type."""
        return isinstance(other, MessageValue) and self.cel_type == other.cel_type


@attrs.frozen
class Message:
    """
    A kind of message.

    Args:
        name: Its full name.
    """

    name: str

    def make(self, fields: Mapping[str, Value]) -> Value:
        """
        Make a message and give the value that it becomes.

        Raises:
            CELError: A field cannot take its value, or there is no such message.
        """
        rule = _RULES.get(self.name.removeprefix(_PREFIX))
        if rule is None:
            raise CELError(f"unknown type '{self.name}'")
        return rule(fields)


def _set(fields: Mapping[str, Value], name: str, default: Value) -> Value:
    value = fields.get(name)
    return default if value is None else value


def _int32(value: Value) -> int:
    if not -(2**31) <= value < 2**31:
        raise CELError(INT_OVERFLOW)
    return int(value)


def _uint32(value: Value) -> Uint:
    if value >= 2**32:
        raise CELError(UINT_OVERFLOW)
    return Uint(value)


def _float32(value: Value) -> float:
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _wrapper(default: Value, convert: Callable[[Value], Value] = lambda value: value) -> Callable[[Mapping[str, Value]], Value]:
    """Give the rule of a message that wraps one scalar."""

    def rule(fields: Mapping[str, Value]) -> Value:
        return convert(_set(fields, "value", default))

    return rule


def _duration(fields: Mapping[str, Value]) -> Duration:
    nanoseconds = _set(fields, "seconds", 0) * SECOND + _int32(_set(fields, "nanos", 0))
    return Duration(min(max(nanoseconds, -(2**63)), INT_MAX))


def _timestamp(fields: Mapping[str, Value]) -> Timestamp:
    return Timestamp(_set(fields, "seconds", 0) * SECOND + _int32(_set(fields, "nanos", 0)))


def _json(value: Value) -> Value:
    """Give what is left of a value in a JSON value."""
    rule = _JSON.get(type(value))
    if rule is not None:
        return rule(value)
    if is_list(value):
        return tuple(map(_json, elements(value)))
    if isinstance(value, Map):
        return Map([(_json_key(key), _json(held)) for key, held in value.items()])
    raise CELError(f"type conversion error from '{type_of(value)}' to '*structpb.Value'")


def _json_key(key: Value) -> str:
    if type(key) is not str:
        raise CELError(f"unsupported type conversion from '{type_of(key)}' to string")
    return key


def _json_int(value: int) -> Value:
    return float(value) if abs(value) <= _MOST_JSON else str(int(value))


_JSON: dict[type, Callable[[Value], Value]] = {
    type(None): lambda value: value,
    bool: lambda value: value,
    int: _json_int,
    Uint: _json_int,
    float: lambda value: value,
    str: lambda value: value,
    bytes: lambda value: base64.b64encode(value).decode(),
    Timestamp: timestamp_text,
    Duration: duration_seconds,
}


def _struct(fields: Mapping[str, Value]) -> Value:
    return _json(_set(fields, "fields", Map()))


def _list_value(fields: Mapping[str, Value]) -> Value:
    return _json(_set(fields, "values", ()))


def _value(fields: Mapping[str, Value]) -> Value:
    if "null_value" in fields:
        return None
    for name in ("number_value", "string_value", "bool_value", "struct_value", "list_value"):
        if name in fields:
            return _json(fields[name])
    return None


def _any(fields: Mapping[str, Value]) -> Value:
    raise CELError("unsupported conversion to ref.Val: (*anypb.Any)" + ('type_url:"' + _set(fields, "type_url", "") + '"' if fields else ""))


_RULES: dict[str, Callable[[Mapping[str, Value]], Value]] = {
    "BoolValue": _wrapper(default=False),
    "BytesValue": _wrapper(b""),
    "DoubleValue": _wrapper(0.0),
    "FloatValue": _wrapper(0.0, _float32),
    "Int32Value": _wrapper(0, _int32),
    "Int64Value": _wrapper(0),
    "StringValue": _wrapper(""),
    "UInt32Value": _wrapper(Uint(0), _uint32),
    "UInt64Value": _wrapper(Uint(0)),
    "Duration": _duration,
    "Timestamp": _timestamp,
    "Struct": _struct,
    "ListValue": _list_value,
    "Value": _value,
    "Any": _any,
    "Empty": lambda _: MessageValue(types.Type("google.protobuf.Empty", kind="object")),
    "Struct.FieldsEntry": lambda _: MessageValue(types.Type("google.protobuf.Struct.FieldsEntry", kind="object")),
}
