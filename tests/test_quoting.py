"""Texts as Go quotes them."""

from __future__ import annotations

import pytest

from rbln_dra.quoting import quoted


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
