"""Values of literals."""

from __future__ import annotations

import pytest

from rbln_dra.cel.ast import Uint
from rbln_dra.cel.literals import LiteralError, bytes_value, double_value, int_value, string_value, uint_value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("-0", 0),
        ("007", 7),
        ("0x1F", 31),
        ("-0x10", -16),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("0" * 10_000 + "1", 1),
    ],
    ids=lambda value: str(value)[:20],
)
def test_ints(text: str, expected: int) -> None:
    """Integers are decimal or hexadecimal, with any number of zeros before them."""
    assert int_value(text) == expected


@pytest.mark.parametrize("text", ["9223372036854775808", "-9223372036854775809", "0x8000000000000000", "9" * 10_000, "-" + "9" * 10_000])
def test_ints_out_of_range(text: str) -> None:
    """An integer has 64 bits."""
    with pytest.raises(LiteralError, match=r"^invalid int literal$"):
        int_value(text)


@pytest.mark.parametrize(("text", "expected"), [("0u", 0), ("1U", 1), ("0xffu", 255), ("18446744073709551615u", 2**64 - 1)])
def test_uints(text: str, expected: int) -> None:
    """Unsigned integers end in u."""
    value = uint_value(text)
    assert isinstance(value, Uint)
    assert value == expected


@pytest.mark.parametrize("text", ["18446744073709551616u", "0x10000000000000000u", "9" * 10_000 + "u"])
def test_uints_out_of_range(text: str) -> None:
    """An unsigned integer has 64 bits."""
    with pytest.raises(LiteralError, match=r"^invalid uint literal$"):
        uint_value(text)


@pytest.mark.parametrize(("text", "expected"), [("1.5", 1.5), ("-1e3", -1000.0), (".5", 0.5), ("1e-999", 0.0), ("4.9e-324", 5e-324)])
def test_doubles(text: str, expected: float) -> None:
    """Doubles are rounded as in IEEE 754."""
    assert double_value(text) == expected


@pytest.mark.parametrize("text", ["1e309", "-1e309", "9" * 400 + ".0"])
def test_doubles_out_of_range(text: str) -> None:
    """What is too large for a double is no infinity."""
    with pytest.raises(LiteralError, match=r"^invalid double literal$"):
        double_value(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("''", ""),
        ("'a'", "a"),
        ('"a"', "a"),
        ("'''a'b'''", "a'b"),
        ('"""a"b"""', 'a"b'),
        ("''''''", ""),
        ("'''a\r\nb\rc'''", "a\nb\nc"),
        (r"r'\n'", r"\n"),
        (r'R"""\"""', "\\"),
        (r"'\a\b\f\n\r\t\v\\\'\"\`\?'", "\a\b\f\n\r\t\v\\'\"`?"),
        (r"'\x41\X42\u0043\U00000044\105'", "ABCDE"),
        (r"'\xff\377'", "ÿÿ"),
        (r"'\U0010ffff'", "\U0010ffff"),
    ],
)
def test_strings(text: str, expected: str) -> None:
    """Escapes of strings are characters."""
    assert string_value(text) == expected


@pytest.mark.parametrize("text", [r"'\ud800'", r"'\uDFFF'", r"'\U00110000'", r"'\UFFFFFFFF'"])
def test_strings_with_no_characters(text: str) -> None:
    """Not every number is a character."""
    with pytest.raises(LiteralError, match=r"^invalid unicode code point$"):
        string_value(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("b''", b""),
        ("B'é'", b"\xc3\xa9"),
        (r"b'\xff\377\n'", b"\xff\xff\n"),
        (r"b'é\x00é'", b"\xc3\xa9\x00\xc3\xa9"),
        (r"br'\xff'", rb"\xff"),
        ("b'''\r\n'''", b"\n"),
    ],
)
def test_bytes(text: str, expected: bytes) -> None:
    """Escapes of bytes are bytes, and characters are UTF-8."""
    assert bytes_value(text) == expected


@pytest.mark.parametrize("text", [r"b'\u0041'", r"b'\U00000041'"])
def test_bytes_with_characters(text: str) -> None:
    """Bytes have no escapes of characters."""
    with pytest.raises(LiteralError, match=r"^unable to unescape string$"):
        bytes_value(text)
