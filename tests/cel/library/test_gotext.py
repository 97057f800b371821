"""Texts as Go encodes and decodes them."""

from __future__ import annotations

from rbln_dra.cel.library.gotext import decoded, encoded


def test_code() -> None:
    """What is no Unicode, or no UTF-8, becomes the replacement character."""
    assert encoded("a\ud800").decode() == "a\ufffd"
    assert decoded(b"\xffa\xe2\x82") == "\ufffda\ufffd\ufffd"
