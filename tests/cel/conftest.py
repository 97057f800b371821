"""What the engine's tests share: an expression, evaluated by the reference evaluator."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from rbln_dra.cel import checker, interpreter, syntax
from rbln_dra.cel.environment import Environment
from rbln_dra.cel.interpreter import Outcome
from rbln_dra.cel.values import NativeMap

Evaluate: TypeAlias = Callable[..., Outcome]
#: Runs something, and gives how many calls it took, of Python's functions and of others, and the most bytes that it held.
Spend: TypeAlias = Callable[[Callable[[], object]], tuple[int, int]]

#: A device as it is bound, without the care of `binding`.
DEVICE = NativeMap(
    {
        "driver": "npu.rebellions.ai",
        "allowMultipleAllocations": False,
        "attributes": NativeMap({"d": NativeMap({"type": "vfio", "i": 42, "list": (1, 2, 3)})}, default=NativeMap({})),
        "capacity": NativeMap({}, default=NativeMap({})),
    }
)


def outcome(text: str, kubernetes: str = "1.37", *, cost_limit: int = 1_000_000, **variables: Any) -> Outcome:
    """Parse, check, plan and evaluate an expression; its result may be of any type."""
    environment = Environment(kubernetes, expressions="stored")
    expression = syntax.parse(text, backticks=environment.backticks, macros=environment.macros)
    plan = interpreter.plan(checker.check(expression, text, environment))
    return plan.evaluate({"device": DEVICE, **variables}, cost_limit)


@pytest.fixture
def evaluate() -> Evaluate:
    """Give the function that evaluates a text."""
    return outcome


def _spend(work: Callable[[], object]) -> tuple[int, int]:
    steps = 0

    def count(_frame: object, _event: str, _argument: object) -> None:
        nonlocal steps
        steps += 1

    before = sys.getprofile()
    tracemalloc.start()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return steps, peak


@pytest.fixture
def spend() -> Spend:
    """Give what measures work without a clock: the same on every machine."""
    return _spend
