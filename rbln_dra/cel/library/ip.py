"""
Room: IP addresses in expressions.

May touch: `types`, `ranges`, `values`, `rows`, `costs`, `addresses`, `quoting`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import attrs

from ...quoting import quoted
from ..ranges import STRING_TRAVERSAL
from ..types import BOOL, INT, IP as IP_TYPE, STRING, Type
from ..values import NO_SUCH_OVERLOAD, CELError
from .addresses import Address, parse_address
from .costs import traversal, traversal_cost, unit, unit_cost
from .rows import Function, Library, Overload, Value


@attrs.frozen
class IP:
    """An IP address as a value: no zone, no IPv4 address inside IPv6."""

    cel_type: ClassVar[Type] = IP_TYPE

    address: Address

    @property
    def cel_size(self) -> int:
        """Number of bytes."""
        return self.address.bits // 8

    @property
    def cel_key(self) -> Address:
        """What stands for it as the key of a map."""
        return self.address

    def cel_equal(self, other: Value) -> bool:
        """
        Compare with another address.

        Raises:
            CELError: The other is none.
        """
        if not isinstance(other, IP):
            raise CELError(NO_SUCH_OVERLOAD)
        return self == other

    def __str__(self) -> str:
        """Render the canonical text."""
        return str(self.address)


def parse_ip(text: str) -> IP:
    """
    Read an address as Kubernetes takes it.

    Raises:
        CELError: It is none, has a zone, or is an IPv4 address inside IPv6.
    """
    try:
        address = parse_address(text)
    except CELError as error:
        raise CELError(f"IP Address {quoted(text)} parse error during conversion from string: {error.message}") from None
    if address.zone:
        raise CELError(f"IP address {quoted(text)} with zone value is not allowed")
    if address.mapped:
        raise CELError(f"IPv4-mapped IPv6 address {quoted(text)} is not allowed")
    return IP(address)


def _is_ip(text: str) -> bool:
    try:
        parse_ip(text)
    except CELError:
        return False
    return True


def _is_canonical(text: str) -> bool:
    return str(parse_ip(text)) == text


def _within(address: Address, *, v4: tuple[int, int], v6: tuple[int, int]) -> bool:
    """Tell whether an address has one of two prefixes, each a number and the length of it."""
    prefix, length = v4 if address.bits == 32 else v6
    return address.number >> (address.bits - length) == prefix


def _unspecified(address: Address) -> bool:
    return address.number == 0


def _loopback(address: Address) -> bool:
    return _within(address, v4=(127, 8), v6=(1, 128))


def _link_local_unicast(address: Address) -> bool:
    return _within(address, v4=(169 << 8 | 254, 16), v6=(0xFE80 >> 6, 10))


def _link_local_multicast(address: Address) -> bool:
    if address.bits == 32:
        return address.number >> 8 == 224 << 16
    return (address.number >> 112) & 0xFF0F == 0xFF02


def _global_unicast(address: Address) -> bool:
    broadcast = address.bits == 32 and address.number == 0xFFFFFFFF
    multicast = _within(address, v4=(0xE, 4), v6=(0xFF, 8))
    return not (broadcast or multicast or _unspecified(address) or _loopback(address) or _link_local_unicast(address))


def _family(address: Address) -> int:
    return 4 if address.bits == 32 else 6


def _accessor(name: str, id_: str, fact: Callable[[Address], Value], summary: str, *, result: Type = BOOL) -> Function:
    """Give the row of a fact of an address."""

    def implementation(ip: IP) -> Value:
        return fact(ip.address)

    overload = Overload(id_, (IP_TYPE,), result, member=True, implementation=implementation)
    return Function(name, (overload,), estimate=unit, cost=unit_cost, summary=summary)


FUNCTIONS = (
    Function(
        "ip",
        (Overload("string_to_ip", (STRING,), IP_TYPE, implementation=parse_ip),),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="An IP address from its text.",
    ),
    _accessor("family", "ip_family", _family, "4 or 6.", result=INT),
    Function(
        "ip.isCanonical",
        (Overload("ip_is_canonical", (STRING,), BOOL, implementation=_is_canonical),),
        estimate=traversal(factor=2 * STRING_TRAVERSAL),
        cost=traversal_cost(times=2),
        summary="Whether the text of an address is the one that the address is written as.",
    ),
    _accessor("isUnspecified", "ip_is_unspecified", _unspecified, "Whether it is 0.0.0.0 or ::."),
    _accessor("isLoopback", "ip_is_loopback", _loopback, "Whether it is a loopback address."),
    _accessor(
        "isLinkLocalMulticast",
        "ip_is_link_local_multicast",
        _link_local_multicast,
        "Whether it is a link-local multicast address.",
    ),
    _accessor("isLinkLocalUnicast", "ip_is_link_local_unicast", _link_local_unicast, "Whether it is a link-local unicast address."),
    _accessor("isGlobalUnicast", "ip_is_global_unicast", _global_unicast, "Whether it is a global unicast address."),
    Function(
        "isIP",
        (Overload("is_ip", (STRING,), BOOL, implementation=_is_ip),),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="Whether a text is an IP address.",
    ),
    Function("string", (Overload("ip_to_string", (IP_TYPE,), STRING, implementation=str),), summary="The text of an IP address."),
)
IPS = Library("ip", "Kubernetes IP", FUNCTIONS)
