"""
Room: addresses of network interfaces: an IP address with the length of its prefix, as Kubernetes reads and writes it.

It reads more than `ipaddress` does: the numbers of both kinds of address may have any zeros before them. It then asks for the one canonical form.

May touch: nothing.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Final

_IPV4: Final = re.compile(r"[0-9]+(?:\.[0-9]+){3}")
_GROUP: Final = re.compile(r"[0-9A-Fa-f]+")
_LENGTH: Final = re.compile(r"[0-9]+")
#: The longest prefix of each kind, in bits.
_IPV4_BITS: Final = 32
_IPV6_BITS: Final = 128
_GROUPS: Final = 8
_MAPPED: Final = 0xFFFF << _IPV4_BITS
#: More than any number in an address, with room for the zeros before it.
_DIGITS: Final = 1000


def canonical(text: str) -> str | None:
    """
    Give the canonical form of an address with its prefix; `None` when it is none.

    >>> canonical("010.9.8.7/24"), canonical("2001:DB8:0::1/64"), canonical("::ffff:10.0.0.1/120"), canonical("10.0.0.1")
    ('10.9.8.7/24', '2001:db8::1/64', '10.0.0.1/24', None)
    """
    address, slash, length = text.partition("/")
    if not slash or len(text) > _DIGITS or not _LENGTH.fullmatch(length):
        return None
    number, bits = _ipv4(address), int(length)
    if number is not None:
        return f"{ipaddress.IPv4Address(number)}/{bits}" if bits <= _IPV4_BITS else None
    number = _ipv6(address)
    if number is None or bits > _IPV6_BITS:
        return None
    if number >> _IPV4_BITS == _MAPPED >> _IPV4_BITS:
        shown = bits - (_IPV6_BITS - _IPV4_BITS) if bits > _IPV4_BITS else bits
        return f"{ipaddress.IPv4Address(number & (2**_IPV4_BITS - 1))}/{shown}"
    return f"{ipaddress.IPv6Address(number).compressed}/{bits}"


def _ipv4(text: str) -> int | None:
    """Read four numbers up to 255; `None` when they are none."""
    parts = [int(part) for part in text.split(".")] if _IPV4.fullmatch(text) else [256]
    return int.from_bytes(parts) if max(parts) < 256 else None


def _ipv6(text: str) -> int | None:
    """Read up to eight groups, of which the last two may be an IPv4 address and some left out; `None` when they are none."""
    head, gap, tail = text.partition("::")
    before, after = _groups(head, last=not gap), _groups(tail, last=True)
    if before is None or after is None:
        return None
    missing = _GROUPS - len(before) - len(after)
    # Go takes a gap for nothing when all groups are there.
    if missing < 0 or (missing > 0) != bool(gap):
        return None
    number = 0
    for group in (*before, *[0] * missing, *after):
        number = number << 16 | group
    return number


def _groups(text: str, *, last: bool) -> list[int] | None:
    """Read groups of hexadecimal digits, at the end maybe an IPv4 address; `None` when one is none."""
    parts = text.split(":") if text else []
    groups: list[int] = []
    for index, part in enumerate(parts):
        embedded = _ipv4(part) if last and index == len(parts) - 1 else None
        if embedded is not None:
            groups += [embedded >> 16, embedded & 0xFFFF]
        elif _GROUP.fullmatch(part) and int(part, 16) <= 0xFFFF:
            groups.append(int(part, 16))
        else:
            return None
    return groups
