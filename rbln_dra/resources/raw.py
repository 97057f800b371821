"""
Room: JSON that belongs to others and is kept as it came: opaque parameters, a driver's status data, managed fields.

May touch: `documents`, `errors`, `wire`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

import attrs

from .. import wire
from ..documents import DEEPEST, Written, pairs
from ..errors import DecodeError


@attrs.frozen
class RawJSON:
    """
    A JSON value in its compact text, with the order of its keys.

    Args:
        text: The text, without blanks: `{"apiVersion":"example.com/v1"}`.

    >>> RawJSON.of({"b": 1, "a": [None, "ü"]})
    RawJSON(text='{"b":1,"a":[null,"ü"]}')
    >>> RawJSON.of({"b": 1}).value
    {'b': 1}
    """

    text: str

    @classmethod
    def of(cls, value: object) -> RawJSON:
        """
        Take a value as `json.loads` gives it; mappings and sequences of any class pass.

        Raises:
            DecodeError: JSON has no such value, or it nests deeper than 100 levels.
        """
        return RAW.from_json(value) or cls("null")

    @property
    def value(self) -> Any:
        """The value as `json.loads` gives it, a new one each time."""
        return json.loads(self.text)


def _text(value: object, depth: int = 0) -> str:
    """
    Write a value: keys in their order, one that stands several times too, and numbers as they came.

    Raises:
        DecodeError: It holds what JSON has not.
    """
    if depth > DEEPEST:
        wire.refuse("…", f"at most {DEEPEST} levels")
    if isinstance(value, Mapping):
        entries = cast("Iterable[tuple[object, object]]", pairs(cast("Mapping[str, object]", value)))
        return f"{{{','.join(f'{_key(key)}:{_text(item, depth + 1)}' for key, item in entries)}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join(_text(item, depth + 1) for item in cast('list[object]', value))}]"
    if isinstance(value, Written):
        return value.text
    if value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and value - value == 0):
        return json.dumps(value, ensure_ascii=False)
    return wire.refuse(value, "a value that JSON has")


def _key(key: object) -> str:
    """Write a key."""
    return json.dumps(key, ensure_ascii=False) if isinstance(key, str) else wire.refuse(key, "a string as key")


def _read(value: object, reading: wire.Reading) -> RawJSON:  # noqa: ARG001 - the form of `wire.Codec.read`
    """Read any JSON."""
    try:
        return RawJSON(_text(value))
    except ValueError as error:  # an integer of more digits than Python writes
        if isinstance(error, DecodeError):
            raise
        return wire.refuse(value, "numbers of at most 4,300 digits")


def _write(raw: RawJSON | None) -> Any:
    """Give the value."""
    return None if raw is None else raw.value


#: Any JSON; `None` for `null`.
RAW: Final[wire.Codec[RawJSON | None]] = wire.Codec(None, _read, _write)
