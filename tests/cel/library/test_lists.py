"""Kubernetes' lists: order, sums, search, membership."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel.ast import Uint
from rbln_dra.cel.interpreter import Outcome
from rbln_dra.cel.values import Duration, Timestamp


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ("[1, 2, 2].isSorted()", "1.37", True),
        ("[2, 1].isSorted()", "1.37", False),
        ("[].isSorted()", "1.37", True),
        ('[dyn(1), dyn("a")].isSorted()', "1.37", True),
        ('["a", "b"].isSorted()', "1.37", True),
        ("[1, 2, 3].sum()", "1.37", 6),
        ("[1u, 2u].sum()", "1.37", Uint(3)),
        ("[1.5, 2.0].sum()", "1.37", 3.5),
        ('[duration("1h"), duration("30m")].sum()', "1.37", Duration(5400000000000)),
        ('[dyn(duration("1s")), dyn(timestamp("1970-01-01T00:00:00Z"))].sum()', "1.37", Timestamp(1000000000)),
        ("[].sum()", "1.37", 0),
        ("dyn([1u]).sum()", "1.37", Uint(1)),
        ("[3, 1, 2].max()", "1.37", 3),
        ("[3, 1, 2].min()", "1.37", 1),
        ('["b", "a"].max()', "1.37", "b"),
        ("[true, false].min()", "1.37", False),
        ('[dyn(1), dyn("a")].max()', "1.37", 1),
        ("[dyn(0.0), dyn(0.0 / 0.0)].max()", "1.37", 0.0),
        ('[timestamp("1970-01-01T00:00:01Z"), timestamp("1970-01-01T00:00:00Z")].min()', "1.37", Timestamp(0)),
        ("[1, 2, 1].indexOf(1)", "1.37", 0),
        ("[1, 2, 1].lastIndexOf(1)", "1.37", 2),
        ("[1].indexOf(2)", "1.37", -1),
        ("[1].lastIndexOf(2)", "1.37", -1),
        ("dyn([1, 2]).indexOf(2.0)", "1.37", 1),
        ('[dyn(semver("1.2.3"))].indexOf(dyn("x"))', "1.37", -1),
        ('["a", "b"].indexOf("b")', "1.37", 1),
        ("[1, 2].includes(2)", "1.37", True),
        ("[1, 2].includes(3.0)", "1.37", False),
        ('"a".includes("a")', "1.37", True),
        ("null.includes(null)", "1.37", True),
        ("lists.range(100).includes(99)", "1.37", True),
        ('semver("1.2.3").includes("1.2.3")', "1.37", False),
        ('{"a": 1}.includes({"a": 1})', "1.37", True),
        ("[1, 2].includes(2)", "1.36", True),
        ("lists.range(100).includes(47)", "1.36", True),
        ("lists.range(48).includes(50)", "1.36", False),
        ("1.includes(1.0)", "1.36", True),
        ('"a".includes("b")', "1.36", False),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """A function of a list gives Kubernetes' value."""
    outcome = evaluate(expression, minor)
    assert (outcome.error, outcome.value) == (None, value)
    assert type(outcome.value) is type(value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ("[dyn(1), dyn(null)].isSorted()", "1.37", "no such overload"),
        ('dyn("abc").isSorted()', "1.37", "no such overload: isSorted(string)"),
        ("[9223372036854775807, 1].sum()", "1.37", "integer overflow"),
        ("[18446744073709551615u, 1u].sum()", "1.37", "unsigned integer overflow"),
        ('[duration("9223372036s"), duration("9223372036s")].sum()', "1.37", "integer overflow"),
        ('[dyn(1), dyn("a")].sum()', "1.37", "no such overload"),
        ('dyn(["a"]).sum()', "1.37", "no such overload: sum(list)"),
        ("[].max()", "1.37", "max called on empty list"),
        ("[].min()", "1.37", "min called on empty list"),
        ("[dyn(1), dyn(null)].min()", "1.37", "no such overload"),
        ("lists.range(49).includes(48)", "1.36", "'includes' function cannot be applied to lists longer than 48 values"),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """A function of a list fails in Kubernetes' words."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ('[b"abcdefghijklmnopqrstu", b"a"].indexOf(b"b")', "1.37", 2),
        ('dyn({"abcdefghijklmnopqrstu": 1}).includes(2)', "1.37", 3),
        ("[1, 2, 2].isSorted()", "1.37", 3),
        ('[dyn(1), dyn("a")].isSorted()', "1.37", 1),
        ('dyn("abc").isSorted()', "1.37", 0),
        ("[1.5, 2.0].sum()", "1.37", 2),
        ("[].sum()", "1.37", 0),
        ("[18446744073709551615u, 1u].sum()", "1.37", 2),
        ('dyn(["a"]).sum()', "1.37", 0),
        ('["b", "a"].max()', "1.37", 0),
        ("[dyn(0.0), dyn(0.0 / 0.0)].max()", "1.37", 14),
        ("[dyn(1), dyn(null)].min()", "1.37", 2),
        ("[1, 2, 1].lastIndexOf(1)", "1.37", 3),
        ("dyn([1, 2]).indexOf(2.0)", "1.37", 2),
        ("[1, 2].includes(2)", "1.37", 2),
        ("null.includes(null)", "1.37", 1),
        ('{"a": 1}.includes({"a": 1})', "1.37", 1),
        ("lists.range(48).includes(50)", "1.36", 60),
        ('"a".includes("b")', "1.36", 1),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost
