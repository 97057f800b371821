"""Quantities: reading, comparing, adding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel.interpreter import Outcome


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ('quantity("1.5Gi").compareTo(quantity("1536Mi"))', "1.37", 0),
        ('quantity("1k").isGreaterThan(quantity("1000"))', "1.37", False),
        ('quantity("1k").isLessThan(quantity("1Ki"))', "1.37", True),
        ('isQuantity("1Gi")', "1.37", True),
        ('isQuantity("1gi")', "1.37", False),
        ('sign(quantity("-1"))', "1.37", -1),
        ('quantity("1k").asInteger()', "1.37", 1000),
        ('quantity("1k").isInteger()', "1.37", True),
        ('quantity("100Ti").isInteger()', "1.37", False),
        ('quantity("1500m").asApproximateFloat()', "1.37", 1.5),
        ('quantity("1").add(quantity("1k")).asInteger()', "1.37", 1001),
        ('quantity("1").sub(5).asInteger()', "1.37", -4),
        ('quantity("1").add(1) == quantity("2")', "1.37", True),
        ('[quantity("2")] == [quantity("1").add(1)]', "1.37", True),
        ('quantity("1").add(quantity("1").add(1)).compareTo(quantity("3"))', "1.37", 0),
        ('quantity("1.5Gi").add(1).isGreaterThan(quantity("1"))', "1.37", True),
        ('quantity("1.5Gi").add(1).isGreaterThan(quantity("1"))', "1.36", True),
        ('type(quantity("1").add(1)) == type(quantity("1"))', "1.37", True),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """A function of a quantity gives Kubernetes' value."""
    outcome = evaluate(expression, minor)
    assert (outcome.error, outcome.value) == (None, value)
    assert type(outcome.value) is type(value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ('[dyn(""), dyn(quantity("1Gi").add(1))].join()', "1.37", "join: invalid input: 1073741825"),
        ('quantity("x")', "1.37", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
        ('quantity("1Zi")', "1.37", "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
        ('quantity("1K")', "1.37", "unable to parse quantity's suffix"),
        ('quantity("1.5").asInteger()', "1.37", "cannot convert value to integer"),
        ('quantity("2") == quantity("1").add(1)', "1.37", "no such overload"),
        ('dyn(quantity("1").add(1)) == dyn(1)', "1.37", "no such overload"),
        ('quantity("1").compareTo(dyn(1))', "1.37", "no such overload: compareTo(kubernetes.Quantity, int)"),
        ('quantity("1e999999").add(quantity("1"))', "1.37", "they are more than ten thousand digits apart"),
        ('quantity("1").sub(quantity("1e999999"))', "1.37", "they are more than ten thousand digits apart"),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """A function of a quantity fails in Kubernetes' words."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ('quantity("1.5Gi").compareTo(quantity("1536Mi"))', "1.37", 3),
        ('isQuantity("1Gi")', "1.37", 1),
        ('quantity("1k").asInteger()', "1.37", 2),
        ('quantity("1500m").asApproximateFloat()', "1.37", 2),
        ('quantity("1").add(1) == quantity("2")', "1.37", 4),
        ('[dyn(""), dyn(quantity("1Gi").add(1))].join()', "1.37", 14),
        ('type(quantity("1").add(1)) == type(quantity("1"))', "1.37", 6),
        ('quantity("1K")', "1.37", 1),
        ('dyn(quantity("1").add(1)) == dyn(1)', "1.37", 4),
        ('quantity("1").sub(quantity("1e999999"))', "1.37", 3),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost
