"""How runtime values are written."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra.cel.ast import Uint
from rbln_dra.cel.values import NONE, CELError, Duration, ListBuilder, Map, Optional
from rbln_dra.quantity import Quantity
from rbln_dra.selectors.texts import LONGEST, shown
from rbln_dra.semver import Semver

BUILT = ListBuilder()
BUILT.extend((1, 2))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (None, "null"),
        (1, "1"),
        (1.5, "1.5"),
        (Uint(3), "3u"),
        ('a"b', '"a\\"b"'),
        ("한글", '"한글"'),
        (b"ab", 'b"ab"'),
        ((), "[]"),
        ((1, "a", (True,)), '[1, "a", [true]]'),
        (BUILT, "[1, 2]"),
        (Map([("a", 1), (2, "b")]), '{"a": 1, 2: "b"}'),
        (Map([(index, index) for index in range(100)]), "{0: 0, 1: 1"),
        (Quantity.parse("1024Mi"), 'quantity("1Gi")'),
        (Semver.parse("1.2.3"), 'semver("1.2.3")'),
        (Optional(1), "optional.of(1)"),
        (NONE, "optional.none()"),
        (CELError("no such key: x"), "ERROR no such key: x"),
        ("x" * 1000, '"xxx'),
        (tuple(range(1000)), "[0, 1, 2"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_shown(value: Any, text: str) -> None:
    """A value is written in CEL, on one line, shortened where it is long."""
    written = shown(value)
    assert written.startswith(text) if len(written) == LONGEST else written == text
    assert len(written) <= LONGEST


def test_shown_of_another_value() -> None:
    """A value of a library is written as it writes itself."""
    assert shown(Duration(5)) == str(Duration(5))
