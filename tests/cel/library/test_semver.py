"""Semantic versions: reading, comparing, numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel.interpreter import Outcome


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ('semver("1.2.3").compareTo(semver("1.2.3+x"))', "1.37", 0),
        ('semver("1.2.3-a").isLessThan(semver("1.2.3"))', "1.37", True),
        ('semver("1.2.4").isGreaterThan(semver("1.2.3"))', "1.37", True),
        ('isSemver("1.2.3")', "1.37", True),
        ('isSemver("v1.2")', "1.37", False),
        ('isSemver("v1.2", true)', "1.37", True),
        ('isSemver("v1.2", false)', "1.37", False),
        ('semver("v01.2", true).major()', "1.37", 1),
        ('semver("1.2.3").minor()', "1.37", 2),
        ('semver("1.2.3").patch()', "1.37", 3),
        ('semver("18446744073709551615.0.0").major()', "1.37", -1),
        ('semver("1.2.3") == semver("1.2.3+x")', "1.37", True),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """A function of a version gives Kubernetes' value."""
    outcome = evaluate(expression, minor)
    assert (outcome.error, outcome.value) == (None, value)
    assert type(outcome.value) is type(value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ('[dyn(""), dyn(semver("v1", true))].join()', "1.37", "join: invalid input: 1.0.0"),
        ('semver("1.2")', "1.37", "No Major.Minor.Patch elements found"),
        ('semver("v1.2.3")', "1.37", 'Invalid character(s) found in major number "v1"'),
        ('semver("1.02.3")', "1.37", 'Minor number must not contain leading zeroes "02"'),
        ('semver("1-a", true)', "1.37", "short version cannot contain PreRelease/Build meta data"),
        ('semver("x", true)', "1.37", 'Invalid character(s) found in major number "x"'),
        ('semver("1.2.3").compareTo(dyn("1.2.3"))', "1.37", "no such overload: compareTo(kubernetes.Semver, string)"),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """What is no version is refused in Kubernetes' words."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ('semver("1.2.3").compareTo(semver("1.2.3+x"))', "1.37", 3),
        ('isSemver("1.2.3")', "1.37", 1),
        ('isSemver("v1.2", false)', "1.37", 1),
        ('semver("1.2.3").patch()', "1.37", 2),
        ('[dyn(""), dyn(semver("v1", true))].join()', "1.37", 13),
        ('semver("1.02.3")', "1.37", 1),
        ('semver("1.2.3").compareTo(dyn("1.2.3"))', "1.37", 2),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost
