r"""
Room: the values of CEL's literals, from their text.

The texts come from the tokenizer, so their form is right; what can still be wrong is their value.

May touch: `ast` (for `Uint`).
"""

from __future__ import annotations

import re
from typing import TypeAlias

from .ast import Uint

#: What a literal can stand for.
LiteralValue: TypeAlias = "bool | int | float | str | bytes | None"

_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", "'": "'", '"': '"', "`": "`", "?": "?"}
_ESCAPE = re.compile(r"\\(?:(?P<simple>[abfnrtv\\'\"`?])|[xX](?P<hex>..)|(?P<unicode>u....|U........)|(?P<octal>[0-3]..))", re.DOTALL)
#: Digits of the largest 64-bit number and a sign: more digits need no look at their value, which Python would refuse or be slow to give.
_MOST_DIGITS = 21


class LiteralError(Exception):
    """A literal without a value; the text is cel-go's. Never leaves the parser."""


def int_value(text: str) -> int:
    """
    Give the value of an integer literal with or without its sign, decimal or `0x`.

    >>> int_value("-0x10")
    -16
    """
    value = _number(text)
    if not -(2**63) <= value < 2**63:
        raise LiteralError("invalid int literal")
    return value


def uint_value(text: str) -> Uint:
    """Give the value of an unsigned literal, which ends in `u` or `U`."""
    value = _number(text[:-1])
    if value >= 2**64:
        raise LiteralError("invalid uint literal")
    return Uint(value)


def double_value(text: str) -> float:
    """Give the value of a floating-point literal with or without its sign."""
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise LiteralError("invalid double literal")
    return value


def string_value(text: str) -> str:
    r"""
    Give the value of a string literal with its quotes and prefix.

    >>> string_value(r'"\u00e9\x41\101"')
    'éAA'
    """
    raw, body = _body(text)
    if raw or "\\" not in body:
        return body
    return _ESCAPE.sub(_character, body)


def bytes_value(text: str) -> bytes:
    r"""
    Give the value of a bytes literal with its quotes and prefix.

    >>> bytes_value(r"b'é\xff'")
    b'\xc3\xa9\xff'
    """
    raw, body = _body(text[1:])
    if raw or "\\" not in body:
        return body.encode()
    value = bytearray()
    end = 0
    for match in _ESCAPE.finditer(body):
        value += body[end : match.start()].encode()
        value.append(_byte(match))
        end = match.end()
    return bytes(value + body[end:].encode())


def _number(text: str) -> int:
    """Give an integer of any sign and base; one that is far too large as something too large."""
    digits = text.removeprefix("-")
    value = _magnitude(digits[2:], 16) if digits.startswith("0x") else _magnitude(digits, 10)
    return value if digits is text or digits == text else -value


def _magnitude(digits: str, base: int) -> int:
    """Give a number from its digits."""
    digits = digits.lstrip("0")
    if len(digits) > _MOST_DIGITS:
        return 2**64
    return int(digits or "0", base)


def _body(text: str) -> tuple[bool, str]:
    """Take the prefix and quotes off, with line ends as one line feed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    raw = text[0] in "rR"
    text = text[raw:]
    return raw, text[3:-3] if text.startswith(('"""', "'''")) and len(text) >= 6 else text[1:-1]


def _character(match: re.Match[str]) -> str:
    """Give the character that an escape stands for."""
    if (simple := match["simple"]) is not None:
        return _SIMPLE[simple]
    if (octal := match["octal"]) is not None:
        return chr(int(octal, 8))
    code = int(match["hex"] or match["unicode"][1:], 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise LiteralError("invalid unicode code point")
    return chr(code)


def _byte(match: re.Match[str]) -> int:
    """Give the byte that an escape stands for."""
    if match["unicode"] is not None:
        raise LiteralError("unable to unescape string")
    if (hexadecimal := match["hex"]) is not None:
        return int(hexadecimal, 16)
    return ord(_character(match))
