"""Lists compared as sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel.interpreter import Outcome


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ("sets.contains([1, 2], [2, 1, 1])", "1.37", True),
        ("sets.contains([1], [2])", "1.37", False),
        ("sets.contains([], [])", "1.37", True),
        ("sets.contains([dyn(1)], [dyn(1.0)])", "1.37", True),
        ('sets.contains([dyn("a")], [dyn(semver("1.2.3"))])', "1.37", False),
        ("sets.equivalent([1, 2], [2, 1, 2])", "1.37", True),
        ("sets.equivalent([1, 2], [1])", "1.37", False),
        ("sets.equivalent([1], [1, 2])", "1.37", False),
        ("sets.intersects([1, 2], [2, 3])", "1.37", True),
        ("sets.intersects([1], [2])", "1.37", False),
        ("sets.intersects([], [1])", "1.37", False),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """Sets are compared by Kubernetes' equality."""
    outcome = evaluate(expression, minor)
    assert (outcome.error, outcome.value) == (None, value)
    assert type(outcome.value) is type(value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ("sets.contains(dyn(1), [1])", "1.37", "no such overload: sets.contains(int, list)"),
        ("sets.contains(lists.range(2000), lists.range(2000))", "1.37", "operation cancelled: actual cost limit exceeded"),
        ("sets.intersects(lists.range(2000), lists.range(2000))", "1.37", "operation cancelled: actual cost limit exceeded"),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """What is no list is refused."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ("sets.contains([1, 2], [2, 1, 1])", "1.37", 7),
        ("sets.contains([dyn(1)], [dyn(1.0)])", "1.37", 2),
        ("sets.equivalent([1, 2], [1])", "1.37", 5),
        ("sets.intersects([1], [2])", "1.37", 2),
        ("sets.contains(lists.range(2000), lists.range(2000))", "1.37", 4004022),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost
