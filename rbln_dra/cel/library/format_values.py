"""
Room: how `string.format` writes values: plainly, and as they would stand in an expression, inside lists and maps.

May touch: `values`, `texts`, `quoting`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from ...quoting import quoted
from .. import texts
from ..values import CELError, CostLimitExceeded, Duration, Map, Timestamp, Value, elements, type_of

#: What `%s` says of a value that it does not take.
NO_TEXT = "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given {}"
#: The longest text of a list or map.
_LONGEST = 1_000_000
#: The texts of lists and maps by their identities: one may stand at very many places of another.
_Written: TypeAlias = "dict[int, str]"


def _nested(value: Value, written: _Written) -> str:
    """Write what stands in a list or map."""
    name = type_of(value).name
    if name in ("list", "map"):
        text = written.get(id(value))
        if text is None:
            text = written[id(value)] = _mapped(value, written) if isinstance(value, Map) else _listed(value, written)
        return text
    if isinstance(value, float):
        return _nested_double(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bytes):
        return "b" + quoted(plain(value))
    if isinstance(value, Timestamp):
        return f"timestamp({quoted(plain(value))})"
    if isinstance(value, Duration):
        return f"duration({quoted(plain(value))})"
    if name not in _PLAIN:
        raise CELError(f"no formatting function for {name}")
    return plain(value)


def _nested_double(value: float) -> str:
    special = {"nan": '"NaN"', "inf": '"+Inf"', "-inf": '"-Inf"'}.get(f"{value}")
    return f"{value:.6f}" if special is None else special


def _listed(value: Value, written: _Written | None = None) -> str:
    known = {} if written is None else written
    return f"[{', '.join(_bounded(_nested(element, known) for element in elements(value)))}]"


def _mapped(value: Map, written: _Written | None = None) -> str:
    known = {} if written is None else written
    pairs = ((_key(key), _nested(item, known)) for key, item in value.items())
    return "{" + ", ".join(_bounded(f"{key}:{item}" for key, item in sorted(pairs, key=lambda pair: pair[0]))) + "}"


def _bounded(parts: Iterable[str]) -> Iterator[str]:
    """Hand on texts until they are too long together: a list may hold another list many times over."""
    length = 0
    for part in parts:
        length += len(part)
        if length > _LONGEST:
            raise CostLimitExceeded(length)
        yield part


def _key(key: Value) -> str:
    name = type_of(key).name
    if name not in {"string", "bool", "int", "uint"}:
        raise CELError(f"no formatting function for map key of type {name}")
    return quoted(key) if isinstance(key, str) else plain(key)


def _plain_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise CELError('could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string') from None


#: The text of a value by the name of its type, for the types that `%s` takes.
_PLAIN: Mapping[str, Callable[[Value], str]] = {
    "list": _listed,
    "map": _mapped,
    "int": lambda value: str(int(value)),
    "uint": lambda value: str(int(value)),
    "double": texts.general,
    "bool": lambda value: "true" if value else "false",
    "string": str,
    "google.protobuf.Timestamp": texts.timestamp_text,
    "bytes": _plain_bytes,
    "google.protobuf.Duration": texts.duration_seconds,
    "type": lambda value: value.name,
    "null_type": lambda _: "null",
}


def plain(value: Value) -> str:
    """
    Write a value as `%s` does.

    Raises:
        CELError: It has no text.
    """
    name = type_of(value).name
    write = _PLAIN.get(name)
    if write is None:
        raise CELError(NO_TEXT.format(name))
    return write(value)
