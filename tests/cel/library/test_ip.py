"""IP addresses: what is one, and of which kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel.interpreter import Outcome
from rbln_dra.cel.library.ip import parse_ip


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ('string(ip("1.2.3.4"))', "1.37", "1.2.3.4"),
        ('string(ip("2001:DB8:0:0:1:0:0:1"))', "1.37", "2001:db8::1:0:0:1"),
        ('string(ip("::"))', "1.37", "::"),
        ('string(ip("1::"))', "1.37", "1::"),
        ('string(ip("1:2:3:4:5:6:7:8"))', "1.37", "1:2:3:4:5:6:7:8"),
        ('string(ip("1:0:3:4:5:6:7:8"))', "1.37", "1:0:3:4:5:6:7:8"),
        ('string(ip("::1.2.3.4"))', "1.37", "::102:304"),
        ('string(ip("1:2:3:4:5:6:1.2.3.4"))', "1.37", "1:2:3:4:5:6:102:304"),
        ('string(ip("0:0:0:1:0:0:0:0"))', "1.37", "0:0:0:1::"),
        ('ip("1.2.3.4").family()', "1.37", 4),
        ('ip("::1").family()', "1.37", 6),
        ('ip.isCanonical("::1")', "1.37", True),
        ('ip.isCanonical("::0001")', "1.37", False),
        ('isIP("1.2.3.4")', "1.37", True),
        ('isIP("1.2.3")', "1.37", False),
        ('ip("0.0.0.0").isUnspecified()', "1.37", True),
        ('ip("::1").isUnspecified()', "1.37", False),
        ('ip("127.1.2.3").isLoopback()', "1.37", True),
        ('ip("::1").isLoopback()', "1.37", True),
        ('ip("128.0.0.1").isLoopback()', "1.37", False),
        ('ip("224.0.0.7").isLinkLocalMulticast()', "1.37", True),
        ('ip("224.0.1.7").isLinkLocalMulticast()', "1.37", False),
        ('ip("ff32::1").isLinkLocalMulticast()', "1.37", True),
        ('ip("ff03::1").isLinkLocalMulticast()', "1.37", False),
        ('ip("169.254.0.1").isLinkLocalUnicast()', "1.37", True),
        ('ip("febf::1").isLinkLocalUnicast()', "1.37", True),
        ('ip("fec0::1").isLinkLocalUnicast()', "1.37", False),
        ('ip("10.0.0.1").isGlobalUnicast()', "1.37", True),
        ('ip("255.255.255.255").isGlobalUnicast()', "1.37", False),
        ('ip("239.0.0.1").isGlobalUnicast()', "1.37", False),
        ('ip("ff00::1").isGlobalUnicast()', "1.37", False),
        ('ip("fd00::1").isGlobalUnicast()', "1.37", True),
        ('ip("::").isGlobalUnicast()', "1.37", False),
        ('ip("::1").isGlobalUnicast()', "1.37", False),
        ('ip("fe80::1").isGlobalUnicast()', "1.37", False),
        ('ip("::1") == ip("0::1")', "1.37", True),
        ('ip("::1") in {ip("::1"): 1}', "1.37", True),
        ('{ip("::1"): 5}.size()', "1.37", 1),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """The facts of an address are Go's."""
    outcome = evaluate(expression, minor)
    assert (outcome.error, outcome.value) == (None, value)
    assert type(outcome.value) is type(value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ('dyn(ip("::1")) == dyn("::1")', "1.37", "no such overload"),
        ('ip("")', "1.37", 'IP Address "" parse error during conversion from string: ParseAddr(""): unable to parse IP'),
        ('ip("x")', "1.37", 'IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP'),
        ('ip("%")', "1.37", 'IP Address "%" parse error during conversion from string: ParseAddr("%"): missing IPv6 address'),
        ('ip("1.2.3")', "1.37", 'IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short'),
        (
            'ip("1.2.3.4.5")',
            "1.37",
            'IP Address "1.2.3.4.5" parse error during conversion from string: ParseAddr("1.2.3.4.5"): IPv4 address too long',
        ),
        (
            'ip("1..3.4")',
            "1.37",
            'IP Address "1..3.4" parse error during conversion from string: ParseAddr("1..3.4"): IPv4 field must have at least one digit (at ".3.4")',
        ),
        (
            'ip("1.2.3.")',
            "1.37",
            'IP Address "1.2.3." parse error during conversion from string: ParseAddr("1.2.3."): IPv4 field must have at least one digit (at ".")',
        ),
        (
            'ip("01.2.3.4")',
            "1.37",
            'IP Address "01.2.3.4" parse error during conversion from string: ParseAddr("01.2.3.4"): IPv4 field has octet with leading zero',
        ),
        (
            'ip("1.2.3.256")',
            "1.37",
            'IP Address "1.2.3.256" parse error during conversion from string: ParseAddr("1.2.3.256"): IPv4 field has value >255',
        ),
        (
            'ip("1.2.3.x")',
            "1.37",
            'IP Address "1.2.3.x" parse error during conversion from string: ParseAddr("1.2.3.x"): unexpected character (at "x")',
        ),
        ('ip("fe80::1%eth0")', "1.37", 'IP address "fe80::1%eth0" with zone value is not allowed'),
        (
            'ip("fe80::1%")',
            "1.37",
            'IP Address "fe80::1%" parse error during conversion from string: ParseAddr("fe80::1%"): zone must be a non-empty string',
        ),
        ('ip("::ffff:1.2.3.4")', "1.37", 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'),
        (
            'ip("12345::")',
            "1.37",
            'IP Address "12345::" parse error during conversion from string: ParseAddr("12345::"): each group must have 4 or less digits (at "12345::")',
        ),
        (
            'ip(":1")',
            "1.37",
            'IP Address ":1" parse error during conversion from string: ParseAddr(":1"): each colon-separated field must have at least one digit (at ":1")',
        ),
        ('ip("1:2")', "1.37", 'IP Address "1:2" parse error during conversion from string: ParseAddr("1:2"): address string too short'),
        (
            'ip("1:")',
            "1.37",
            'IP Address "1:" parse error during conversion from string: ParseAddr("1:"): colon must be followed by more characters (at ":")',
        ),
        (
            'ip("1:2:3:4:5:6:7:8:9")',
            "1.37",
            'IP Address "1:2:3:4:5:6:7:8:9" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7:8:9"): trailing garbage after address (at "9")',
        ),
        (
            'ip("1::2::3")',
            "1.37",
            'IP Address "1::2::3" parse error during conversion from string: ParseAddr("1::2::3"): multiple :: in address (at ":3")',
        ),
        (
            'ip("1:2:3:4:5:6:7::8")',
            "1.37",
            'IP Address "1:2:3:4:5:6:7::8" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7::8"): the :: must expand to at least one field of zeros',
        ),
        (
            'ip("1:2:3:4:5:6:7:8::")',
            "1.37",
            'IP Address "1:2:3:4:5:6:7:8::" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7:8::"): the :: must expand to at least one field of zeros',
        ),
        ('ip("1.2::")', "1.37", 'IP Address "1.2::" parse error during conversion from string: ParseAddr("1.2::"): unexpected character (at "::")'),
        (
            'ip("1:1.2.3.4")',
            "1.37",
            'IP Address "1:1.2.3.4" parse error during conversion from string: ParseAddr("1:1.2.3.4"): embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")',
        ),
        (
            'ip("1:2:3:4:5:6:7:1.2.3.4")',
            "1.37",
            'IP Address "1:2:3:4:5:6:7:1.2.3.4" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7:1.2.3.4"): embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")',
        ),
        (
            'ip("::1:2:3:4:5:6:7:1.2.3.4")',
            "1.37",
            'IP Address "::1:2:3:4:5:6:7:1.2.3.4" parse error during conversion from string: ParseAddr("::1:2:3:4:5:6:7:1.2.3.4"): too many hex fields to fit an embedded IPv4 at the end of the address (at "1.2.3.4")',
        ),
        (
            'ip("1g::")',
            "1.37",
            'IP Address "1g::" parse error during conversion from string: ParseAddr("1g::"): unexpected character, want colon (at "g::")',
        ),
        ('ip("::%x")', "1.37", 'IP address "::%x" with zone value is not allowed'),
        ('ip.isCanonical("x")', "1.37", 'IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP'),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """What is no address is refused in Go's words."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(("text", "size"), [("1.2.3.4", 4), ("::1", 16)])
def test_size(text: str, size: int) -> None:
    """The size of an address is its bytes."""
    assert parse_ip(text).cel_size == size


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ('string(ip("1.2.3.4"))', "1.37", 2),
        ('string(ip("1::"))', "1.37", 2),
        ('string(ip("::1.2.3.4"))', "1.37", 2),
        ('ip("1.2.3.4").family()', "1.37", 2),
        ('ip.isCanonical("::0001")', "1.37", 2),
        ('ip("0.0.0.0").isUnspecified()', "1.37", 2),
        ('ip("::1").isLoopback()', "1.37", 2),
        ('ip("224.0.1.7").isLinkLocalMulticast()', "1.37", 2),
        ('ip("169.254.0.1").isLinkLocalUnicast()', "1.37", 3),
        ('ip("10.0.0.1").isGlobalUnicast()', "1.37", 2),
        ('ip("ff00::1").isGlobalUnicast()', "1.37", 2),
        ('ip("::1").isGlobalUnicast()', "1.37", 2),
        ('dyn(ip("::1")) == dyn("::1")', "1.37", 3),
        ('ip("")', "1.37", 0),
        ('ip("1.2.3")', "1.37", 1),
        ('ip("1.2.3.")', "1.37", 1),
        ('ip("1.2.3.x")', "1.37", 1),
        ('ip("::ffff:1.2.3.4")', "1.37", 2),
        ('ip("1:2")', "1.37", 1),
        ('ip("1::2::3")', "1.37", 1),
        ('ip("1.2::")', "1.37", 1),
        ('ip("::1:2:3:4:5:6:7:1.2.3.4")', "1.37", 3),
        ('ip.isCanonical("x")', "1.37", 1),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost
