"""
Room: IP addresses, parsed as Go's net/netip does.

May touch: `types`, `ranges`, `rows`, `costs`.
"""

from __future__ import annotations

from ..ranges import STRING_TRAVERSAL
from ..types import BOOL, INT, IP as IP_TYPE, STRING, Type
from .costs import traversal, traversal_cost, unit, unit_cost
from .rows import Function, Library, Overload


def _accessor(name: str, id_: str, summary: str, *, result: Type = BOOL) -> Function:
    """Give the row of a fact of an address."""
    return Function(name, (Overload(id_, (IP_TYPE,), result, member=True),), estimate=unit, cost=unit_cost, summary=summary)


FUNCTIONS = (
    Function(
        "ip",
        (Overload("string_to_ip", (STRING,), IP_TYPE),),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="An IP address from its text.",
    ),
    _accessor("family", "ip_family", "4 or 6.", result=INT),
    Function(
        "ip.isCanonical",
        (Overload("ip_is_canonical", (STRING,), BOOL),),
        estimate=traversal(factor=2 * STRING_TRAVERSAL),
        cost=traversal_cost(times=2),
        summary="Whether the text of an address is the one that the address is written as.",
    ),
    _accessor("isUnspecified", "ip_is_unspecified", "Whether it is 0.0.0.0 or ::."),
    _accessor("isLoopback", "ip_is_loopback", "Whether it is a loopback address."),
    _accessor("isLinkLocalMulticast", "ip_is_link_local_multicast", "Whether it is a link-local multicast address."),
    _accessor("isLinkLocalUnicast", "ip_is_link_local_unicast", "Whether it is a link-local unicast address."),
    _accessor("isGlobalUnicast", "ip_is_global_unicast", "Whether it is a global unicast address."),
    Function(
        "isIP",
        (Overload("is_ip", (STRING,), BOOL),),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="Whether a text is an IP address.",
    ),
    Function("string", (Overload("ip_to_string", (IP_TYPE,), STRING),), summary="The text of an IP address."),
)
IPS = Library("ip", "Kubernetes IP", FUNCTIONS)
