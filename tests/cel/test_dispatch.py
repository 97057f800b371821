"""Dispatch: which overload takes a call at run time."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra.cel import types
from rbln_dra.cel.dispatch import assignable, no_such_overload, resolve, takes, written_out
from rbln_dra.cel.library.rows import Function, Overload
from rbln_dra.cel.values import CELError, Concatenation, ListBuilder, Map

LIST_OF_INT, MAP_OF_INT = types.list_of(types.INT), types.map_of(types.STRING, types.INT)


@pytest.mark.parametrize(
    ("type_", "value", "taken"),
    [
        (types.DYN, None, True),
        (types.ANY, 1, True),
        (types.parameter("A"), "a", True),
        (types.INT, 1, True),
        (types.INT, True, False),
        (types.wrapper_of(types.INT), None, True),
        (types.wrapper_of(types.INT), 1, True),
        (types.wrapper_of(types.INT), "a", False),
        (LIST_OF_INT, (), True),
        (LIST_OF_INT, (1, "a"), True),
        (LIST_OF_INT, ("a", 1), False),
        (LIST_OF_INT, ListBuilder().extend((1,)), True),
        (LIST_OF_INT, 1, False),
        (MAP_OF_INT, Map(), True),
        (MAP_OF_INT, Map([("a", 1)]), True),
        (MAP_OF_INT, Map([(1, 1)]), False),
        (MAP_OF_INT, Map([("a", "b")]), False),
    ],
)
def test_assignable(type_: types.Type, value: Any, taken: bool) -> None:
    """Types are erased at run time, but for the first element and the first entry."""
    assert assignable(type_, value) is taken


TWO = Function(
    "f",
    (
        Overload("f_int", (types.INT,), types.INT, implementation=lambda value: f"int {value}"),
        Overload("f_string", (types.STRING,), types.INT, implementation=lambda value: f"string {value}"),
    ),
)


def test_dispatch() -> None:
    """The overload that the checker found takes its type only; without one, the first that takes the value does."""
    chosen, searched = resolve(TWO, "f_int", 1), resolve(TWO, "", 1)
    assert chosen.implementation is not None
    assert searched.implementation is not None
    assert (chosen.eager, searched.eager) == (True, False)
    assert chosen.implementation(1) == "int 1"
    assert searched.implementation("a") == "string a"
    for target in (chosen, searched):
        assert target.implementation is not None
        with pytest.raises(CELError, match=r"no such overload: f\(double\)"):
            target.implementation(1.0)


def test_one_implementation_for_all() -> None:
    """A function's own implementation judges its arguments itself; a function may have none at all."""
    overloads = (Overload("f_int", (types.INT,), types.INT),)
    assert resolve(Function("f", overloads, implementation=abs), "f_int", 1).implementation is abs
    assert resolve(Function("f", overloads), "f_int", 3).implementation is None


def test_strictness() -> None:
    """An overload that is not strict takes errors; one without guards takes every type, and never another number of arguments."""
    lenient = Overload("f", (types.INT,), types.INT, strict=False)
    strict = Overload("f", (types.INT,), types.INT)
    assert takes(lenient, [CELError("x")], guarded=True)
    assert not takes(strict, [CELError("x")], guarded=True)
    assert takes(strict, ["a"], guarded=False)
    assert not takes(strict, [], guarded=False)
    assert no_such_overload("f", [1, CELError("x")]).message == "x"


def test_written_out() -> None:
    """Implementations that take tuples are given tuples."""
    assert written_out([Concatenation((1,), (2,)), "a"]) == [(1, 2), "a"]
