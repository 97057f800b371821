"""Texts as Go quotes, encodes and decodes them."""

from __future__ import annotations

import pytest

from rbln_dra.cel.library.gotext import decoded, encoded, quoted


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("é😀", '"é😀"'),
        ('"\\\n\x01\x7f', r'"\"\\\n\x01\x7f"'),
        ("\u0085\u200b\ue000", r'"\u0085\u200b\ue000"'),
        ("\U000e0001", r'"\U000e0001"'),
        ("\ud800", r'"\ufffd"'),
        ("\udcff", r'"\xff"'),
    ],
    ids=ascii,
)
def test_quoted(text: str, expected: str) -> None:
    """What cannot be printed is escaped."""
    assert quoted(text) == expected


def test_code() -> None:
    """What is no Unicode, or no UTF-8, becomes the replacement character."""
    assert encoded("a\ud800").decode() == "a\ufffd"
    assert decoded(b"\xffa\xe2\x82") == "\ufffda\ufffd\ufffd"
