"""
Room: message literals: what a protobuf message becomes as a value of CEL.

The messages that an expression can name are protobuf's well-known ones; nearly all of them turn into plain values at once.

May touch: `ast`, `values`, `types`, `conversions`, `instants`, `texts`, `quantity`, `semver`, `errors`.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import attrs

from ..errors import Unsupported
from ..quantity import Quantity
from ..semver import Semver
from . import types
from .ast import Uint
from .conversions import INT_OVERFLOW, UINT_OVERFLOW
from .instants import SECOND
from .texts import duration_seconds, timestamp_text
from .values import INT_MAX, Abort, CELError, Duration, Map, Optional, Timestamp, Value, elements, is_list, type_of

if TYPE_CHECKING:
    from .types import Type

_MOST_JSON = 2**53 - 1
_PREFIX = "google.protobuf."
_JSON_VALUE = "*structpb.Value"


@attrs.frozen(eq=False)
class MessageValue:
    """
    A message that stays one: `google.protobuf.Empty{}`.

    Args:
        cel_type: Its type.
    """

    cel_type: Type
    #: It has no field, so it is the empty one.
    cel_empty = True

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
            Unsupported: It is a packed message with content.
        """
        short = self.name.removeprefix(_PREFIX)
        rule = _RULES.get(short)
        if rule is None:
            raise CELError(f"unknown type '{self.name}'")
        natives = {name: self._native(name, value, _FIELDS.get((short, name), _FIELDS.get(name, ""))) for name, value in fields.items()}
        return rule(natives)

    def _native(self, name: str, value: Value, native: str) -> Value:
        """Take a value into a field of a Go type."""
        if native.startswith("[]") and native != "[]uint8" and not is_list(value):
            raise CELError(f"unsupported field type for {self.name}.{name}: {type_of(value).name}")
        try:
            return to_native(value, native)
        except Abort:
            raise
        except CELError as error:
            raise CELError(f"field type conversion error for {self.name}.{name} value type: {error.message}") from None


#: The Go types of fields; those of the wrappers are named with their message.
_FIELDS: dict[object, str] = {
    ("BoolValue", "value"): "bool",
    ("BytesValue", "value"): "[]uint8",
    ("DoubleValue", "value"): "float64",
    ("FloatValue", "value"): "float32",
    ("Int32Value", "value"): "int32",
    ("Int64Value", "value"): "int64",
    ("StringValue", "value"): "string",
    ("UInt32Value", "value"): "uint32",
    ("UInt64Value", "value"): "uint64",
    ("Any", "type_url"): "string",
    ("Any", "value"): "[]uint8",
    ("Struct.FieldsEntry", "key"): "string",
    "value": _JSON_VALUE,
    "seconds": "int64",
    "nanos": "int32",
    "fields": "map",
    "values": f"[]{_JSON_VALUE}",
    "null_value": "null",
    "number_value": "float64",
    "string_value": "string",
    "bool_value": "bool",
    "struct_value": "map",
    "list_value": f"[]{_JSON_VALUE}",
}


def _int32(value: int) -> int:
    if not -(2**31) <= value < 2**31:
        raise CELError(INT_OVERFLOW)
    return value


def _uint32(value: int) -> Uint:
    if value >= 2**32:
        raise CELError(UINT_OVERFLOW)
    return Uint(value)


def _float32(value: float) -> float:
    # In the machine's own format, what is too large becomes infinite.
    return float(struct.unpack("f", struct.pack("f", value))[0])


def _same(value: Value) -> Value:
    return value


_Convert: TypeAlias = Callable[[Value], Value]
#: What converts between a value and a Go type.
_NATIVE: dict[tuple[type, str], _Convert] = {
    (bool, "bool"): _same,
    (str, "string"): _same,
    (bytes, "[]uint8"): _same,
    (int, "int64"): _same,
    (int, "int32"): _int32,
    (Uint, "uint64"): _same,
    (Uint, "uint32"): _uint32,
    (float, "float64"): _same,
    (float, "float32"): _float32,
    (type(None), "null"): _same,
    (int, "null"): _int32,
    (Quantity, "string"): str,
    (Semver, "string"): str,
}
#: How cel-go refuses a conversion of a value; `T` is the Go type.
_REFUSALS: dict[str, str] = {
    "string": "unsupported native conversion from string to 'T'",
    "int": "unsupported type conversion from 'int' to T",
    "uint": "unsupported type conversion from 'uint' to T",
    "double": "type conversion error from Double to 'T'",
    "bool": "type conversion error from bool to 'T'",
    "bytes": "type conversion error from Bytes to 'T'",
    "null_type": "type conversion error from 'null_type' to 'T'",
    "list": "type conversion error from list to 'T'",
    "map": "type conversion error from map to 'T'",
    "type": "type conversion not supported for 'type'",
}


def _refusal(value: Value, native: str) -> CELError:
    name = type_of(value).name
    own = name.rpartition(".")[2].removeprefix("Named")
    return CELError(_REFUSALS.get(name, f"type conversion error from '{own}' to 'T'").replace("T", native))


#: What became of lists and maps, by their identities and Go types: one may stand at very many places of another.
_Made: TypeAlias = "dict[tuple[int, str], Value]"


def to_native(value: Value, native: str, made: _Made | None = None) -> Value:
    """
    Convert a value to a Go type, as cel-go's values do it.

    Args:
        value: The value.
        native: The Go type.
        made: What is converted already of the value that this one stands in.

    Raises:
        CELError: It cannot be.
    """
    if type(value) is Optional:
        held = value.get()
        if isinstance(held, CELError):
            raise held
        return to_native(held, native, made)
    if not (is_list(value) or isinstance(value, Map)):
        rule = _JSON.get(type(value)) if native == _JSON_VALUE else _NATIVE.get((type(value), native))
        if rule is None:
            raise _refusal(value, native)
        return rule(value)
    made = {} if made is None else made
    known = made.get((id(value), native))
    if known is None:
        known = made[id(value), native] = _holder(value, native, made)
    return known


def _holder(value: Value, native: str, made: _Made) -> Value:
    """Convert a list or a map."""
    if isinstance(value, Map) and native in ("map", _JSON_VALUE):
        return Map([(to_native(key, "string", made), to_native(held, _JSON_VALUE, made)) for key, held in value.items()])
    if is_list(value) and (native.startswith("[]") or native == _JSON_VALUE):
        inner = native.removeprefix("[]")
        return tuple([to_native(element, inner, made) for element in elements(value)])
    raise _refusal(value, native)


def _json_int(value: int) -> Value:
    return float(value) if abs(value) <= _MOST_JSON else str(int(value))


_JSON: dict[type, _Convert] = {
    type(None): _same,
    bool: _same,
    int: _json_int,
    Uint: _json_int,
    float: _same,
    str: _same,
    bytes: lambda value: base64.b64encode(value).decode(),
    Timestamp: timestamp_text,
    Duration: duration_seconds,
}


_Rule: TypeAlias = Callable[[Mapping[str, Value]], Value]


def _holding(name: str, default: Value) -> _Rule:
    """Give the rule of a message that is what one of its fields holds."""

    def rule(fields: Mapping[str, Value]) -> Value:
        return fields.get(name, default)

    return rule


def _duration(fields: Mapping[str, Value]) -> Duration:
    nanoseconds = fields.get("seconds", 0) * SECOND + fields.get("nanos", 0)
    return Duration(min(max(nanoseconds, -(2**63)), INT_MAX))


def _timestamp(fields: Mapping[str, Value]) -> Timestamp:
    return Timestamp(fields.get("seconds", 0) * SECOND + fields.get("nanos", 0))


def _value(fields: Mapping[str, Value]) -> Value:
    for name in ("number_value", "string_value", "bool_value", "struct_value", "list_value"):
        if name in fields:
            return fields[name]
    return None


def _shown_url(url: str) -> str:
    return f'type_url:"{url}"' if url else ""


def _any(fields: Mapping[str, Value]) -> Value:
    """Unpack a message, as far as it has no content."""
    url, content = fields.get("type_url", ""), fields.get("value", b"")
    _, slash, name = url.rpartition("/")
    rule = _RULES.get(name.removeprefix(_PREFIX)) if slash and name.startswith(_PREFIX) else None
    if rule is None:
        raise CELError(f"unsupported conversion to ref.Val: (*dynamicpb.Message){_shown_url(url)}")
    if content:
        raise Unsupported("a packed protobuf message with content")
    return rule({})


def _empty(name: str) -> _Rule:
    message = MessageValue(types.Type(_PREFIX + name, kind="object"))
    return lambda _: message


_RULES: dict[str, _Rule] = {
    "BoolValue": _holding("value", default=False),
    "BytesValue": _holding("value", b""),
    "DoubleValue": _holding("value", 0.0),
    "FloatValue": _holding("value", 0.0),
    "Int32Value": _holding("value", 0),
    "Int64Value": _holding("value", 0),
    "StringValue": _holding("value", ""),
    "UInt32Value": _holding("value", Uint(0)),
    "UInt64Value": _holding("value", Uint(0)),
    "Duration": _duration,
    "Timestamp": _timestamp,
    "Struct": _holding("fields", Map()),
    "ListValue": _holding("values", ()),
    "Value": _value,
    "Any": _any,
    "Empty": _empty("Empty"),
    "Struct.FieldsEntry": _empty("Struct.FieldsEntry"),
}
