"""
Room: IP addresses and networks as Go's net/netip reads and writes them, with its error texts.

May touch: `values`, `quoting`.
"""

from __future__ import annotations

import attrs

from ...quoting import quoted
from ..values import CELError

_HEX = frozenset("0123456789abcdefABCDEF")
_DIGITS = frozenset("0123456789")


@attrs.frozen
class Address:
    """
    An IPv4 or IPv6 address.

    Args:
        number: The address as a number.
        bits: 32 or 128.
        zone: The zone of an IPv6 address; empty without one.
    """

    number: int
    bits: int
    zone: str = ""

    @property
    def mapped(self) -> bool:
        """Whether it is an IPv4 address inside IPv6."""
        return self.bits == 128 and self.number >> 32 == 0xFFFF

    def masked(self, length: int) -> Address:
        """Give the address with zeros after a prefix."""
        rest = self.bits - length
        return Address(self.number >> rest << rest, self.bits)

    def __str__(self) -> str:
        """Write the address: the longest, first run of two zero groups or more is left out."""
        if self.bits == 32:
            return ".".join(str(self.number >> shift & 0xFF) for shift in (24, 16, 8, 0))
        groups = [self.number >> shift & 0xFFFF for shift in range(112, -1, -16)]
        start, length = _zeros(groups)
        texts = [f"{group:x}" for group in groups]
        if length < 2:
            return ":".join(texts)
        return f"{':'.join(texts[:start])}::{':'.join(texts[start + length :])}"


def _zeros(groups: list[int]) -> tuple[int, int]:
    """Find the longest run of zero groups, the first of several."""
    best = (0, 0)
    start = None
    for index, group in enumerate([*groups, 1]):
        if group:
            if start is not None and index - start > best[1]:
                best = (start, index - start)
            start = None
        elif start is None:
            start = index
    return best


def parse_address(text: str) -> Address:
    """
    Read an address.

    Raises:
        CELError: It is none.
    """
    first = next((character for character in text if character in ".:%"), None)
    if first == ".":
        return Address(_octets(text, text), 32)
    if first == ":":
        return _groups(text)
    raise _refusal(text, "unable to parse IP" if first is None else "missing IPv6 address")


def _refusal(text: str, reason: str, rest: str = "") -> CELError:
    place = f" (at {quoted(rest)})" if rest else ""
    return CELError(f"ParseAddr({quoted(text)}): {reason}{place}")


def _octets(text: str, part: str) -> int:
    """Read the four numbers of an IPv4 address, which is a part of a text."""
    fields: list[int] = []
    value, digits = 0, 0
    for index, character in enumerate(part):
        if character in _DIGITS:
            if digits == 1 and value == 0:
                raise _refusal(text, "IPv4 field has octet with leading zero")
            value, digits = value * 10 + int(character), digits + 1
            if value > 255:
                raise _refusal(text, "IPv4 field has value >255")
        elif character == ".":
            if index in {0, len(part) - 1} or part[index - 1] == ".":
                raise _refusal(text, "IPv4 field must have at least one digit", part[index:])
            if len(fields) == 3:
                raise _refusal(text, "IPv4 address too long")
            fields.append(value)
            value, digits = 0, 0
        else:
            raise _refusal(text, "unexpected character", part[index:])
    if len(fields) < 3:
        raise _refusal(text, "IPv4 address too short")
    return int.from_bytes(bytes([*fields, value]))


def _groups(text: str) -> Address:
    """Read the groups of an IPv6 address."""
    part, percent, zone = text.partition("%")
    if percent and not zone:
        raise _refusal(text, "zone must be a non-empty string")
    head: list[int] = []
    tail: list[int] | None = None
    rest = part
    if rest.startswith("::"):
        tail, rest = [], rest[2:]
        if not rest:
            return Address(0, 128, zone)
    count = 0
    while count < 8:
        found, rest, ended = _group(text, rest, count, elided=tail is not None)
        (head if tail is None else tail).extend(found)
        count += len(found)
        if ended:
            break
        if rest[0] == ":":
            if tail is not None:
                raise _refusal(text, "multiple :: in address", rest)
            tail, rest = [], rest[1:]
            if not rest:
                break
    return Address(_assembled(text, rest, head, tail), 128, zone)


def _group(text: str, rest: str, count: int, *, elided: bool) -> tuple[list[int], str, bool]:
    """Read one group with the colon after it, or the embedded IPv4 address: the groups, what is left, and whether that was the end."""
    length = 0
    while length < len(rest) and rest[length] in _HEX:
        length += 1
        if length > 4:
            raise _refusal(text, "each group must have 4 or less digits", rest)
    if not length:
        raise _refusal(text, "each colon-separated field must have at least one digit", rest)
    if rest.startswith(".", length):
        if not elided and count != 6:
            raise _refusal(text, "embedded IPv4 address must replace the final 2 fields of the address", rest)
        if count > 6:
            raise _refusal(text, "too many hex fields to fit an embedded IPv4 at the end of the address", rest)
        number = _octets(text, rest)
        return [number >> 16, number & 0xFFFF], "", True
    group, rest = [int(rest[:length], 16)], rest[length:]
    if not rest:
        return group, rest, True
    if rest[0] != ":":
        raise _refusal(text, "unexpected character, want colon", rest)
    if len(rest) == 1:
        raise _refusal(text, "colon must be followed by more characters", rest)
    return group, rest[1:], False


def _assembled(text: str, rest: str, head: list[int], tail: list[int] | None) -> int:
    """Put the groups before and after a `::` together."""
    if rest:
        raise _refusal(text, "trailing garbage after address", rest)
    count = len(head) + len(tail or ())
    if tail is None and count < 8:
        raise _refusal(text, "address string too short")
    if tail is not None and count == 8:
        raise _refusal(text, "the :: must expand to at least one field of zeros")
    groups = [*head, *[0] * (8 - count), *(tail or ())]
    return int.from_bytes(b"".join(group.to_bytes(2) for group in groups))


def parse_network(text: str) -> tuple[Address, int]:
    """
    Read a network in CIDR notation: its address as written, and the length of the prefix.

    Raises:
        CELError: It is none.
    """
    before, slash, length = text.rpartition("/")
    if not slash:
        raise _network_refusal(text, "no '/'")
    try:
        address = parse_address(before)
    except CELError as error:
        raise _network_refusal(text, error.message) from None
    if address.zone:
        raise _network_refusal(text, "IPv6 zones cannot be present in a prefix")
    if not length or not _DIGITS.issuperset(length) or len(length) > 19 or (len(length) > 1 and length[0] == "0") or int(length) > 2**63 - 1:
        raise _network_refusal(text, f"bad bits after slash: {quoted(length)}")
    if int(length) > address.bits:
        raise _network_refusal(text, "prefix length out of range")
    return address, int(length)


def _network_refusal(text: str, reason: str) -> CELError:
    return CELError(f"netip.ParsePrefix({quoted(text)}): {reason}")
