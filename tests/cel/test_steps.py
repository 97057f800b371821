"""Steps that invoke each other."""

from __future__ import annotations

import sys

from rbln_dra.cel.steps import Steps, each, run


def count(number: int) -> Steps:
    """Count down in steps."""
    return 0 if number == 0 else 1 + (yield count(number - 1))


def test_steps_nest_deeper_than_calls() -> None:
    """Steps know no limit of Python."""
    depth = sys.getrecursionlimit() * 10
    assert run(count(depth)) == depth


def test_each() -> None:
    """Several steps give several values."""
    assert run(each(count(number) for number in range(3))) == (0, 1, 2)
