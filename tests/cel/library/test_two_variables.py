"""Maps that macros build."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rbln_dra.cel.interpreter import Outcome


@pytest.mark.parametrize(
    "expression",
    [
        '{"a": 1}.transformMap(k, v, v + 1) == {"a": 2}',
        '{"a": 1, "b": 2}.transformMap(k, v, v > 1, v) == {"b": 2}',
        "[1, 2].transformMapEntry(i, v, {v: i}) == {1: 0, 2: 1}",
        "[1, 2].transformMapEntry(i, v, v > 1, {v: i}) == {2: 1}",
        "[1, 2].transformMapEntry(i, v, {v: i, v + 10: i}) == {1: 0, 11: 0, 2: 1, 12: 1}",
        "[1].transformMapEntry(i, v, {}) == {}",
    ],
)
def test_maps(evaluate: Callable[..., Outcome], expression: str) -> None:
    """A macro inserts one entry after the other."""
    outcome = evaluate(expression)
    assert (outcome.error, outcome.value) == (None, True)


def test_key_twice(evaluate: Callable[..., Outcome]) -> None:
    """A key is inserted once."""
    error = evaluate("[1, 1].transformMapEntry(i, v, {v: i})").error
    assert error is not None
    assert error.message == "insert failed: key 1 already exists"
