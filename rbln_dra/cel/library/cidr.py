"""
Room: networks in CIDR notation in expressions.

May touch: `types`, `ranges`, `values`, `rows`, `costs`, `addresses`, `quoting`, `ip`.
"""

from __future__ import annotations

from typing import ClassVar

import attrs

from ...quoting import quoted
from ..ranges import STRING_TRAVERSAL, Range
from ..types import BOOL, CIDR as CIDR_TYPE, INT, IP as IP_TYPE, STRING, Type
from ..values import NO_SUCH_OVERLOAD, CELError
from .addresses import Address, parse_network
from .costs import ONE, ceil_scaled, size, traversal, traversal_cost, unit, unit_cost
from .ip import IP, parse_ip
from .rows import Estimate, Estimator, Function, Library, Operand, Overload, RuntimeCost, Value


@attrs.frozen
class CIDR:
    """
    A network as a value.

    Args:
        address: The address as it was written, with or without zeros after the prefix.
        length: The length of the prefix in bits.
    """

    cel_type: ClassVar[Type] = CIDR_TYPE

    address: Address
    length: int

    @property
    def cel_size(self) -> int:
        """Number of bytes that the prefix touches."""
        return -(-self.length // 8)

    @property
    def cel_key(self) -> tuple[Address, int]:
        """What stands for it as the key of a map."""
        return (self.address, self.length)

    def cel_equal(self, other: Value) -> bool:
        """
        Compare with another network; `10.0.0.1/8` is not `10.0.0.0/8`.

        Raises:
            CELError: The other is none.
        """
        if not isinstance(other, CIDR):
            raise CELError(NO_SUCH_OVERLOAD)
        return self == other

    def __str__(self) -> str:
        """Render the notation."""
        return f"{self.address}/{self.length}"


def _parse(text: str) -> CIDR:
    context = "network address parse error during conversion from string: "
    try:
        address, length = parse_network(text)
    except CELError as error:
        # Upstream says it twice.
        raise CELError(f"{context}{context}{error.message}") from None
    if address.mapped:
        raise CELError(f"{context}IPv4-mapped IPv6 address {quoted(text)} is not allowed")
    return CIDR(address, length)


def _is_cidr(text: str) -> bool:
    try:
        _parse(text)
    except CELError:
        return False
    return True


def _contains_ip(network: CIDR, ip: IP) -> bool:
    return network.address.bits == ip.address.bits and network.address.masked(network.length) == ip.address.masked(network.length)


def _contains_ip_text(network: CIDR, text: str) -> bool:
    try:
        ip = parse_ip(text)
    except CELError:
        # Upstream looks for the error in the wrong argument.
        raise CELError(NO_SUCH_OVERLOAD) from None
    return _contains_ip(network, ip)


def _contains_cidr(network: CIDR, other: CIDR) -> bool:
    return network.length <= other.length and _contains_ip(network, IP(other.address))


def _contains_cidr_text(network: CIDR, text: str) -> bool:
    return _contains_cidr(network, _parse(text))


def _ip(network: CIDR) -> IP:
    return IP(network.address)


def _length(network: CIDR) -> int:
    return network.length


def _masked(network: CIDR) -> CIDR:
    return CIDR(network.address.masked(network.length), network.length)


#: An IPv4 or an IPv6 address, in bytes.
_ADDRESS = Range(4, 16)


def _estimate_contains(*, network: bool, text: bool) -> Estimator:
    """Estimate the comparison of two addresses; of a network it is masked first, and a text is parsed."""

    def estimate(_target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
        if not args:
            return None
        cost = (_ADDRESS + _ADDRESS).scaled(STRING_TRAVERSAL)
        if network:
            cost = cost + _ADDRESS.scaled(STRING_TRAVERSAL) + ONE
        if text:
            cost = cost + args[0].size.scaled(STRING_TRAVERSAL)
        return Estimate(cost)

    return estimate


def _contains_cost(*, network: bool, text: bool) -> RuntimeCost:
    """Charge the comparison of two addresses; of a network it is masked first, and a text is parsed."""

    def cost(args: tuple[Value, ...], _result: Value) -> int:
        prefix = size(args[0])
        total = ceil_scaled(prefix + prefix, STRING_TRAVERSAL)
        if network:
            total += ceil_scaled(prefix, STRING_TRAVERSAL) + 1
        if text:
            total += ceil_scaled(size(args[1]), STRING_TRAVERSAL)
        return total

    return cost


FUNCTIONS = (
    Function(
        "cidr",
        (Overload("string_to_cidr", (STRING,), CIDR_TYPE, implementation=_parse),),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="A network from its CIDR notation.",
    ),
    Function(
        "containsIP",
        (
            Overload(
                "cidr_contains_ip_string",
                (CIDR_TYPE, STRING),
                BOOL,
                member=True,
                implementation=_contains_ip_text,
                estimate=_estimate_contains(network=False, text=True),
                cost=_contains_cost(network=False, text=True),
                overrides=True,
            ),
            Overload("cidr_contains_ip_ip", (CIDR_TYPE, IP_TYPE), BOOL, member=True, implementation=_contains_ip),
        ),
        estimate=_estimate_contains(network=False, text=False),
        cost=_contains_cost(network=False, text=False),
        summary="Whether a network has an address.",
    ),
    Function(
        "containsCIDR",
        (
            Overload(
                "cidr_contains_cidr_string",
                (CIDR_TYPE, STRING),
                BOOL,
                member=True,
                implementation=_contains_cidr_text,
                estimate=_estimate_contains(network=True, text=True),
                cost=_contains_cost(network=True, text=True),
                overrides=True,
            ),
            Overload("cidr_contains_cidr", (CIDR_TYPE, CIDR_TYPE), BOOL, member=True, implementation=_contains_cidr),
        ),
        estimate=_estimate_contains(network=True, text=False),
        cost=_contains_cost(network=True, text=False),
        summary="Whether a network has all of another.",
    ),
    Function(
        "ip",
        (
            Overload(
                "cidr_ip",
                (CIDR_TYPE,),
                IP_TYPE,
                member=True,
                implementation=_ip,
                estimate=unit,
                cost=unit_cost,
            ),
        ),
        summary="The address of a network, as it was written.",
    ),
    Function(
        "prefixLength",
        (Overload("cidr_prefix_length", (CIDR_TYPE,), INT, member=True, implementation=_length),),
        estimate=unit,
        cost=unit_cost,
        summary="The length of a network's prefix in bits.",
    ),
    Function(
        "masked",
        (Overload("cidr_masked", (CIDR_TYPE,), CIDR_TYPE, member=True, implementation=_masked),),
        estimate=unit,
        cost=unit_cost,
        summary="The network with zeros after its prefix.",
    ),
    Function(
        "isCIDR",
        (Overload("is_cidr", (STRING,), BOOL, implementation=_is_cidr),),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="Whether a text is a network in CIDR notation.",
    ),
    Function("string", (Overload("cidr_to_string", (CIDR_TYPE,), STRING, implementation=str),), summary="The text of a network."),
)
CIDRS = Library("cidr", "Kubernetes CIDR", FUNCTIONS)
