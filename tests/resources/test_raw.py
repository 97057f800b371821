"""
Room: JSON that belongs to others.

May touch: `resources.raw`.
"""

from __future__ import annotations

from types import MappingProxyType

import pytest

from rbln_dra.errors import DecodeError
from rbln_dra.resources import RawJSON


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (MappingProxyType({"b": (1, "ü"), "a": 1.5}), '{"b":[1,"ü"],"a":1.5}'),
        (10**30, "1000000000000000000000000000000"),
        ([], "[]"),
    ],
    ids=["null", "a mapping", "a large number", "a list"],
)
def test_json_is_kept(value: object, text: str) -> None:
    """The text is compact and has the keys in their order; the value is a plain copy."""
    raw = RawJSON.of(value)
    assert raw.text == text
    assert RawJSON.of(raw.value) == raw


def deep() -> object:
    """Nest a list deeper than is read."""
    value: object = 1
    for _ in range(102):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (b"x", "expected a value that JSON has"),
        (float("inf"), "expected a value that JSON has"),
        ({1: 2}, "expected a string as key"),
        (deep(), "expected at most 100 levels"),
        (10**5000, "expected numbers of at most 4,300 digits"),
    ],
    ids=["bytes", "infinity", "a key that is a number", "deep", "thousands of digits"],
)
def test_what_json_has_not_is_refused(value: object, message: str) -> None:
    """Anything else is one error."""
    with pytest.raises(DecodeError, match=message):
        RawJSON.of(value)
