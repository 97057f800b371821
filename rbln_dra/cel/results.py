"""
Room: from the value of an expression to a match: only a bool is one, or an optional that holds one.

May touch: `values`, `types`.
"""

from __future__ import annotations

from collections.abc import Mapping

from .types import Type
from .values import CELError, Map, Optional, Value, is_list, type_of

#: What cel-go says of a value that is no bool, by the name of its type.
_TEXTS: Mapping[str, str] = {
    "string": "unsupported native conversion from string to 'bool'",
    "int": "unsupported type conversion from 'int' to bool",
    "uint": "unsupported type conversion from 'uint' to bool",
    "double": "type conversion error from Double to 'bool'",
    "bytes": "type conversion error from Bytes to 'bool'",
    "google.protobuf.Duration": "type conversion error from 'Duration' to 'bool'",
    "google.protobuf.Timestamp": "type conversion error from 'Timestamp' to 'bool'",
    "null_type": "type conversion error from 'null_type' to 'bool'",
    "kubernetes.Quantity": "type conversion error from 'Quantity' to 'bool'",
    "kubernetes.Semver": "type conversion error from 'Semver' to 'bool'",
    "kubernetes.URL": "type conversion error from 'URL' to 'bool'",
    "kubernetes.NamedFormat": "type conversion error from 'Format' to 'bool'",
    "net.IP": "type conversion error from 'IP' to 'bool'",
    "net.CIDR": "type conversion error from 'CIDR' to 'bool'",
}


#: The Go type of a message without a Go type of its own.
_MESSAGE = "'*dynamicpb.Message'"


def match_of(value: Value) -> bool:
    """
    Give the verdict that a value stands for.

    Raises:
        CELError: It stands for none.

    >>> match_of(True)
    True
    >>> match_of("true")
    Traceback (most recent call last):
    rbln_dra.cel.values.CELError: CEL result of type string could not be converted to bool: unsupported native conversion from string to 'bool'
    """
    held = value
    while isinstance(held, Optional) and held.present:
        held = held.value
    if isinstance(held, bool):
        return held
    raise CELError(f"CEL result of type {_name(value)} could not be converted to bool: {_complaint(held)}")


def _name(value: Value) -> str:
    """Name a value's type."""
    if is_list(value):
        return "list"
    return "map" if isinstance(value, Map) else type_of(value).name


def _complaint(value: Value) -> str:
    """Say why a value is no bool."""
    if isinstance(value, Optional):
        return "optional.none() dereference"
    if isinstance(value, CELError):
        return value.message
    if isinstance(value, Type):
        return "type conversion not supported for 'type'"
    name = _name(value)
    # What is left are lists and maps, and the messages that stand for no CEL value.
    return _TEXTS.get(name, f"type conversion error from {name if name in ('list', 'map') else _MESSAGE} to 'bool'")
