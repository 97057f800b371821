"""The authorizer: functions that compile and never run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rbln_dra.cel.interpreter import Outcome


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ('dyn(1).path("x").check("x").allowed()', "1.37", "no such overload: path(int, string)"),
        ("dyn(1).allowed()", "1.37", "no such overload: allowed(int)"),
        ('dyn(1).fieldSelector("a=b").check("x").errored()', "1.37", "no such overload: fieldSelector(int, string)"),
        ('dyn("x").labelSelector("a").name("y").namespace("z").check("x").reason()', "1.37", "no such overload: labelSelector(string, string)"),
        (
            'dyn("x").serviceAccount("a", "b").group("c").resource("d").subresource("e").check("f").error()',
            "1.37",
            "no such overload: serviceAccount(string, string, string)",
        ),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """A call of the authorizer's functions fails, since no value has its types."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ('dyn(1).path("x").check("x").allowed()', "1.37", 350002),
        ('dyn("x").labelSelector("a").name("y").namespace("z").check("x").reason()', "1.37", 350064),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost
