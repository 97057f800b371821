"""Networks: what is one, and what it contains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel.interpreter import Outcome


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ('string(cidr("10.0.0.1/8"))', "1.37", "10.0.0.1/8"),
        ('string(cidr("10.0.0.1/8").masked())', "1.37", "10.0.0.0/8"),
        ('string(cidr("2001:db8::1/32").masked())', "1.37", "2001:db8::/32"),
        ('cidr("10.0.0.1/8").prefixLength()', "1.37", 8),
        ('string(cidr("10.0.0.1/8").ip())', "1.37", "10.0.0.1"),
        ('isCIDR("10.0.0.0/8")', "1.37", True),
        ('isCIDR("10.0.0.0")', "1.37", False),
        ('cidr("10.0.0.0/8").containsIP(ip("10.1.2.3"))', "1.37", True),
        ('cidr("10.0.0.0/8").containsIP("11.0.0.0")', "1.37", False),
        ('cidr("10.0.0.0/8").containsIP("::1")', "1.37", False),
        ('cidr("0.0.0.0/0").containsIP("1.2.3.4")', "1.37", True),
        ('cidr("10.0.0.0/8").containsCIDR(cidr("10.1.0.0/16"))', "1.37", True),
        ('cidr("10.1.0.0/16").containsCIDR("10.0.0.0/8")', "1.37", False),
        ('cidr("::/0").containsCIDR("10.0.0.0/8")', "1.37", False),
        ('cidr("10.0.0.0/8").containsIP(dyn("10.0.0.1"))', "1.37", True),
        ('cidr("10.0.0.1/8") == cidr("10.0.0.0/8")', "1.37", False),
        ('cidr("10.0.0.0/8") == cidr("10.0.0.0/8")', "1.37", True),
        ('cidr("10.0.0.0/8") in {cidr("10.0.0.0/8"): 1}', "1.37", True),
        ('cidr("::/64").containsIP(dyn("::1"))', "1.37", True),
        ('cidr("::/64").containsCIDR(cidr("::1/128"))', "1.37", True),
        ('cidr("::/64").containsCIDR("::1/128")', "1.37", True),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """The facts of a network are Go's."""
    outcome = evaluate(expression, minor)
    assert (outcome.error, outcome.value) == (None, value)
    assert type(outcome.value) is type(value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ('dyn(cidr("10.0.0.0/8")) == dyn(1)', "1.37", "no such overload"),
        (
            'cidr("10.0.0.0")',
            "1.37",
            "network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix(\"10.0.0.0\"): no '/'",
        ),
        (
            'cidr("10.0.0/8")',
            "1.37",
            'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0/8"): ParseAddr("10.0.0"): IPv4 address too short',
        ),
        (
            'cidr("10.0.0.0/33")',
            "1.37",
            'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/33"): prefix length out of range',
        ),
        (
            'cidr("::/129")',
            "1.37",
            'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("::/129"): prefix length out of range',
        ),
        (
            'cidr("10.0.0.0/08")',
            "1.37",
            'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"',
        ),
        (
            'cidr("10.0.0.0/+8")',
            "1.37",
            'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/+8"): bad bits after slash: "+8"',
        ),
        (
            'cidr("10.0.0.0/")',
            "1.37",
            'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/"): bad bits after slash: ""',
        ),
        (
            'cidr("10.0.0.0/99999999999999999999")',
            "1.37",
            'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/99999999999999999999"): bad bits after slash: "99999999999999999999"',
        ),
        (
            'cidr("10.0.0.0/9999999999999999999")',
            "1.37",
            'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/9999999999999999999"): bad bits after slash: "9999999999999999999"',
        ),
        (
            'cidr("fe80::1%x/64")',
            "1.37",
            'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("fe80::1%x/64"): IPv6 zones cannot be present in a prefix',
        ),
        (
            'cidr("::ffff:1.2.3.4/100")',
            "1.37",
            'network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:1.2.3.4/100" is not allowed',
        ),
        ('cidr("10.0.0.0/8").containsIP("x")', "1.37", "no such overload"),
        (
            'cidr("10.0.0.0/8").containsCIDR("x")',
            "1.37",
            "network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix(\"x\"): no '/'",
        ),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """What is no network is refused in Go's words."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ('string(cidr("10.0.0.1/8"))', "1.37", 2),
        ('cidr("10.0.0.1/8").prefixLength()', "1.37", 2),
        ('isCIDR("10.0.0.0")', "1.37", 1),
        ('cidr("10.0.0.0/8").containsIP("::1")', "1.37", 3),
        ('cidr("10.1.0.0/16").containsCIDR("10.0.0.0/8")', "1.37", 6),
        ('cidr("10.0.0.1/8") == cidr("10.0.0.0/8")', "1.37", 3),
        ('dyn(cidr("10.0.0.0/8")) == dyn(1)', "1.37", 3),
        ('cidr("10.0.0.0/33")', "1.37", 2),
        ('cidr("10.0.0.0/+8")', "1.37", 2),
        ('cidr("10.0.0.0/9999999999999999999")', "1.37", 3),
        ('cidr("10.0.0.0/8").containsIP("x")', "1.37", 3),
        ('cidr("::/64").containsCIDR(cidr("::1/128"))', "1.37", 6),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost
