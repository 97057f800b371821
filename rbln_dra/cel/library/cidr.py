"""
Room: networks in CIDR notation, parsed as Go's net/netip does.

May touch: `types`, `ranges`, `rows`, `costs`, `ip`.
"""

from __future__ import annotations

from ..ranges import STRING_TRAVERSAL, Range
from ..types import BOOL, CIDR as CIDR_TYPE, INT, IP as IP_TYPE, STRING
from .costs import ONE, ceil_scaled, size, traversal, traversal_cost, unit, unit_cost
from .rows import Estimate, Estimator, Function, Library, Operand, Overload, RuntimeCost, Value

#: An IPv4 or an IPv6 address, in bytes.
_ADDRESS = Range(4, 16)


def _estimate_contains(*, network: bool, text: bool) -> Estimator:
    """Estimate the comparison of two addresses; of a network it is masked first, and a text is parsed."""

    def estimate(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
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

    def cost(args: tuple[Value, ...], result: Value) -> int | None:
        if len(args) < 2:
            return None
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
        (Overload("string_to_cidr", (STRING,), CIDR_TYPE),),
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
                estimate=_estimate_contains(network=False, text=True),
                cost=_contains_cost(network=False, text=True),
                overrides=True,
            ),
            Overload("cidr_contains_ip_ip", (CIDR_TYPE, IP_TYPE), BOOL, member=True),
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
                estimate=_estimate_contains(network=True, text=True),
                cost=_contains_cost(network=True, text=True),
                overrides=True,
            ),
            Overload("cidr_contains_cidr", (CIDR_TYPE, CIDR_TYPE), BOOL, member=True),
        ),
        estimate=_estimate_contains(network=True, text=False),
        cost=_contains_cost(network=True, text=False),
        summary="Whether a network has all of another.",
    ),
    Function(
        "ip",
        (Overload("cidr_ip", (CIDR_TYPE,), IP_TYPE, member=True, estimate=unit, cost=unit_cost, overrides=True),),
        summary="The address of a network, as it was written.",
    ),
    Function(
        "prefixLength",
        (Overload("cidr_prefix_length", (CIDR_TYPE,), INT, member=True),),
        estimate=unit,
        cost=unit_cost,
        summary="The length of a network's prefix in bits.",
    ),
    Function(
        "masked",
        (Overload("cidr_masked", (CIDR_TYPE,), CIDR_TYPE, member=True),),
        estimate=unit,
        cost=unit_cost,
        summary="The network with zeros after its prefix.",
    ),
    Function(
        "isCIDR",
        (Overload("is_cidr", (STRING,), BOOL),),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="Whether a text is a network in CIDR notation.",
    ),
    Function("string", (Overload("cidr_to_string", (CIDR_TYPE,), STRING),), summary="The text of a network."),
)
CIDRS = Library("cidr", "Kubernetes CIDR", FUNCTIONS)
