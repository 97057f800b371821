"""cel-go's lists: parts, order, ranges, without duplicates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel.interpreter import Outcome


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ("[1, 2, 3].slice(1, 2)", "1.37", (2,)),
        ("[1, 2, 3].slice(0, 3)", "1.37", (1, 2, 3)),
        ("[[1], [2, 3]].flatten()", "1.37", (1, 2, 3)),
        ("[[dyn(1), dyn([2])], [dyn([3])]].flatten(2)", "1.37", (1, 2, 3)),
        ("[[1]].flatten(0)", "1.37", ((1,),)),
        ("[[1]].flatten()", "1.36", (1,)),
        ("[3, 1, 2].sort()", "1.37", (1, 2, 3)),
        ('["b", "a"].sort()', "1.37", ("a", "b")),
        ("[].sort()", "1.37", ()),
        ("[dyn(1), dyn(2)].sort()", "1.37", (1, 2)),
        ("[true, false].sort()", "1.37", (False, True)),
        ("[0.0 / 0.0, 1.0].sort().size()", "1.37", 2),
        ('["bb", "a"].sortBy(x, x.size())', "1.37", ("a", "bb")),
        ("[1, 2, 3].sortBy(x, -x)", "1.37", (3, 2, 1)),
        ("[].sortBy(x, x)", "1.37", ()),
        ("lists.range(3)", "1.37", (0, 1, 2)),
        ("lists.range(0)", "1.37", ()),
        ("lists.range(-1)", "1.36", ()),
        ("lists.range(2)", "1.36", (0, 1)),
        ("[1, 2, 3].reverse()", "1.37", (3, 2, 1)),
        ("[].reverse()", "1.37", ()),
        ("[1, 2, 1].distinct()", "1.37", (1, 2)),
        ("[].distinct()", "1.37", ()),
        ('["b", "a", "b"].distinct()', "1.37", ("b", "a")),
        ('[dyn(1), dyn(1.0), dyn("1")].distinct()', "1.37", (1, "1")),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """A function of a list gives cel-go's value."""
    outcome = evaluate(expression, minor)
    assert (outcome.error, outcome.value) == (None, value)
    assert type(outcome.value) is type(value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ("dyn({}).flatten()", "1.37", "no such overload: map(dyn, dyn).flatten()"),
        ("dyn(optional.of(1)).flatten(1)", "1.37", "no such overload: optional_type(dyn).flatten(int)"),
        ("dyn(optional.of(1)).flatten(1)", "1.36", "no such overload: optional_type.flatten(int)"),
        ("[1].slice(-1, 1)", "1.37", "cannot slice(-1, 1), negative indexes not supported"),
        ("[1].slice(0, -1)", "1.37", "cannot slice(0, -1), negative indexes not supported"),
        ("[1, 2].slice(2, 1)", "1.37", "cannot slice(2, 1), start index must be less than or equal to end index"),
        ("[1].slice(0, 2)", "1.37", "cannot slice(0, 2), list is length 1"),
        ("[[1]].flatten(-1)", "1.37", "level must be non-negative"),
        ("[[1]].flatten(-1)", "1.36", "level must be non-negative"),
        ("[[1], [2]].flatten(-5)", "1.36", "level must be non-negative"),
        ('dyn("a").flatten()', "1.37", "no such overload: string.flatten()"),
        ('dyn("a").flatten(1)', "1.37", "no such overload: string.flatten(int)"),
        ('dyn(["a"]).flatten(dyn(1u))', "1.37", "internal error: interface conversion: ref.Val is types.Uint, not types.Int"),
        ("[[1]].flatten(1 / 0)", "1.37", "internal error: interface conversion: ref.Val is *types.Err, not types.Int"),
        ("[[1]].flatten(9223372036854775807)", "1.37", "operation cancelled: actual cost limit exceeded"),
        ('[dyn(1), dyn("a")].sort()', "1.37", "list elements must have the same type"),
        ("[dyn(null)].sort()", "1.37", "list elements must be comparable"),
        ("dyn(1).sort()", "1.37", "no such overload: sort"),
        ('dyn("a").sort()', "1.37", "no such overload"),
        ("[1 / 0].sort()", "1.37", "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add"),
        ('dyn({"a": 1}).sortBy(x, x)', "1.37", "no such overload: @sortByAssociatedKeys"),
        ('[1, 2].sortBy(x, [dyn(1), dyn("a")][x - 1])', "1.37", "list elements must have the same type"),
        ("lists.range(-1)", "1.37", "lists.range: size must be non-negative, got -1"),
        ("lists.range(1000001)", "1.37", "lists.range: size 1000001 exceeds maximum allowed (1000000)"),
        ("lists.range(9223372036854775807)", "1.37", "lists.range: size 9223372036854775807 exceeds maximum allowed (1000000)"),
        ("lists.range(9223372036854775807)", "1.36", "operation cancelled: actual cost limit exceeded"),
        ("dyn(1).distinct()", "1.37", "internal error: interface conversion: types.Int is not traits.Lister: missing method Contains"),
        ("dyn({}).distinct()", "1.37", "internal error: interface conversion: *types.baseMap is not traits.Lister: missing method Add"),
        ("[1 / 0].distinct()", "1.37", "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add"),
        ("lists.range(2000).distinct()", "1.37", "operation cancelled: actual cost limit exceeded"),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """A function of a list fails in cel-go's words."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ("[1, 2, 3].slice(1, 2)", "1.37", 12),
        ("[1].slice(0, -1)", "1.37", 12),
        ("[[1], [2, 3]].flatten()", "1.37", 13),
        ("[[1]].flatten(-1)", "1.37", 12),
        ('dyn("a").flatten()', "1.37", 12),
        ("[[1]].flatten(1 / 0)", "1.37", 1),
        ("[3, 1, 2].sort()", "1.37", 29),
        ("[dyn(1), dyn(2)].sort()", "1.37", 1),
        ("dyn(1).sort()", "1.37", 1),
        ("[1 / 0].sort()", "1.37", 11),
        ("[1, 2, 3].sortBy(x, -x)", "1.37", 74),
        ("[].sortBy(x, x)", "1.37", 14),
        ("lists.range(-1)", "1.37", 12),
        ("lists.range(9223372036854775807)", "1.37", 12),
        ("[1, 2, 3].reverse()", "1.37", 14),
        ("[].distinct()", "1.37", 11),
        ("dyn(1).distinct()", "1.37", 0),
        ("lists.range(2000).distinct()", "1.37", 8002022),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost
