"""
Room: conversions between types: what Go's `strconv` and cel-go's checked arithmetic read and refuse.

May touch: `ast`, `types`, `values`, `instants`.
"""

from __future__ import annotations

import math
import re

from . import types
from .ast import Uint
from .instants import read_duration, read_timestamp
from .values import INT_MAX, INT_MIN, UINT_MAX, CELError, Duration, Timestamp

INT_OVERFLOW, UINT_OVERFLOW = "integer overflow", "unsigned integer overflow"

_INT = re.compile(r"[+-]?[0-9]+")
_UINT = re.compile(r"[0-9]+")
# Go's floating-point literals: decimal, or hexadecimal with an exponent; `_` may stand between digits.
_DECIMAL = re.compile(r"[+-]? (?: [0-9]+ \.? [0-9]* | \. [0-9]+ ) (?: [eE] [+-]? [0-9]+ )?", re.VERBOSE)
_HEXADECIMAL = re.compile(r"[+-]? 0[xX] (?: [0-9a-fA-F]+ \.? [0-9a-fA-F]* | \. [0-9a-fA-F]+ ) [pP] [+-]? [0-9]+", re.VERBOSE)
_SEPARATOR = re.compile(r"(?<=[0-9])_(?=[0-9])")
_HEXADECIMAL_SEPARATOR = re.compile(r"(?<=[0-9a-fA-FxX])_(?=[0-9a-fA-F])")
_SPECIAL = re.compile(r"[+-]? inf (?: inity )? | nan", re.VERBOSE | re.IGNORECASE)
_TRUTHS: dict[str, bool] = {
    **dict.fromkeys(("1", "t", "T", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "F", "false", "FALSE", "False"), False),
}


def refused(source: types.Type, target: types.Type) -> CELError:
    """Give the error of a conversion that is not possible."""
    return CELError(f"type conversion error from '{source}' to '{target}'")


def _refused(target: types.Type) -> CELError:
    return refused(types.STRING, target)


def checked_int(number: int) -> int:
    """
    Give a signed 64-bit number.

    Raises:
        CELError: It is out of range.
    """
    if not INT_MIN <= number <= INT_MAX:
        raise CELError(INT_OVERFLOW)
    return number


def checked_uint(number: int) -> Uint:
    """
    Give an unsigned 64-bit number.

    Raises:
        CELError: It is out of range.
    """
    if not 0 <= number <= UINT_MAX:
        raise CELError(UINT_OVERFLOW)
    return Uint(number)


def int_from_double(number: float) -> int:
    """Truncate; the least int itself is out of range."""
    if not -(2.0**63) < number < 2.0**63:
        raise CELError(INT_OVERFLOW)
    return int(number)


def uint_from_double(number: float) -> Uint:
    """Truncate."""
    if not 0 <= number < 2.0**64:
        raise CELError(UINT_OVERFLOW)
    return Uint(number)


def int_from_string(text: str) -> int:
    """Read decimal digits after at most one sign."""
    number = int(text) if _INT.fullmatch(text) and len(text.lstrip("+-").lstrip("0")) <= 19 else None
    if number is None or not INT_MIN <= number <= INT_MAX:
        raise _refused(types.INT)
    return number


def uint_from_string(text: str) -> Uint:
    """Read decimal digits."""
    number = int(text) if _UINT.fullmatch(text) and len(text.lstrip("0")) <= 20 else None
    if number is None or number > UINT_MAX:
        raise _refused(types.UINT)
    return Uint(number)


def double_from_string(text: str) -> float:
    """Read a floating-point number as Go does: hexadecimal ones, `inf` and `nan` too, but nothing that is out of range."""
    if _SPECIAL.fullmatch(text):
        return float(text)
    separated = _HEXADECIMAL_SEPARATOR if "x" in text.lower() else _SEPARATOR
    plain = separated.sub("", text)
    number = math.inf
    if _DECIMAL.fullmatch(plain):
        number = float(plain)
    elif _HEXADECIMAL.fullmatch(plain):
        try:
            number = float.fromhex(plain)
        except OverflowError:
            number = math.inf
    if math.isinf(number):
        raise _refused(types.DOUBLE)
    return number


def bool_from_string(text: str) -> bool:
    """Read a truth value in one of Go's spellings."""
    truth = _TRUTHS.get(text)
    if truth is None:
        raise _refused(types.BOOL)
    return truth


def bytes_from_string(text: str) -> bytes:
    """Encode in UTF-8; a lone surrogate, which Go's strings cannot hold, as its replacement would be."""
    return text.encode("utf-8", "surrogatepass")


def string_from_bytes(data: bytes) -> str:
    """Decode UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise CELError("invalid UTF-8 in bytes, cannot convert to string") from None


def duration_from_string(text: str) -> Duration:
    """Read a Go duration."""
    duration = read_duration(text)
    if duration is None:
        raise _refused(types.DURATION)
    return duration


def timestamp_from_string(text: str) -> Timestamp:
    """Read RFC 3339."""
    timestamp = read_timestamp(text)
    if timestamp is None:
        raise _refused(types.TIMESTAMP)
    return timestamp
