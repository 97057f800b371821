"""Steps that no expression leads to, since the checker refuses it, but a plan may be made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rbln_dra.cel import evaluation as steps
from rbln_dra.cel.dispatch import Target
from rbln_dra.cel.evaluation import Constant, MakeList, MakeMap, Scope
from rbln_dra.cel.messages import Message
from rbln_dra.cel.tracker import Tracker
from rbln_dra.cel.values import CELError, Concatenation, CostLimitExceeded, Panic


def evaluated(step: Any, limit: int = 1000, variables: Mapping[str, Any] | None = None) -> Any:
    """Evaluate a step on its own."""
    return step.evaluate(Scope(variables or {}, Tracker(limit), unwraps_optionals=False))


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (MakeList(9, [Constant(1, 5)], frozenset({0})), "cannot initialize optional list element from non-optional value 5"),
        (MakeMap(9, [Constant(1, "a"), Constant(2, 5)], frozenset({0})), "cannot initialize optional entry 'a' from non-optional value 5"),
        (MakeMap(9, [Constant(1, CELError("key")), Constant(2, 5)], frozenset()), "key"),
        (MakeMap(9, [Constant(1, "a"), Constant(2, CELError("value"))], frozenset()), "value"),
        (steps.Call(9, [Constant(1, 5)], None, "f", Target(None, eager=True)), "no such overload: f"),
        (steps.Call(9, [Constant(1, 5)] * 3, None, "f", Target(None, eager=False)), "no such overload: f 9"),
        (steps.Alternative(9, Constant(1, 5), Constant(2, 6), takes_value=True, checks=True), "no such overload"),
        (steps.Alternative(9, Constant(1, CELError("first")), Constant(2, 6), takes_value=True, checks=True), "first"),
        (steps.MakeMessage(9, Message("kubernetes.DRADevice"), (), (), frozenset()), "unknown type 'kubernetes.DRADevice'"),
    ],
)
def test_errors(step: Any, text: str) -> None:
    """An error is the value of its step."""
    value = evaluated(step)
    assert isinstance(value, CELError)
    assert value.message == text


def panicking(*arguments: Any) -> Any:
    """Do what ends an evaluation."""
    raise Panic("boom")


def test_a_panic_is_not_a_value() -> None:
    """What panics in Go ends the evaluation."""
    long = Concatenation((1,), (2,))
    for _ in range(30):
        long = Concatenation(long, long)
    with pytest.raises(CostLimitExceeded):
        evaluated(steps.MakeMessage(9, Message("google.protobuf.ListValue"), ("values",), [Constant(1, long)], frozenset()))
    with pytest.raises(Panic, match="internal error: boom"):
        evaluated(steps.Call(9, [Constant(1, 5)], None, "f", Target(panicking, eager=True)))


def test_arguments_after_an_error() -> None:
    """Calls of up to two arguments evaluate both; longer ones end at the first error, and are then free."""
    failing, other = Constant(1, CELError("first")), Constant(2, 5)
    for eager, cost in ((True, 1), (False, 0)):
        tracker = Tracker(10)
        value = steps.Call(9, [failing, other], None, "f", Target(abs, eager=eager)).evaluate(Scope({}, tracker, unwraps_optionals=False))
        assert (value.message, tracker.cost) == ("first", cost)


def test_the_globals_of_a_loop() -> None:
    """The global scope of all loops is one, and it counts nothing."""
    scope = Scope({"x": 1}, Tracker(10), unwraps_optionals=False)
    assert scope.globals() is scope.globals()
    assert scope.globals().variable("x") == 1
