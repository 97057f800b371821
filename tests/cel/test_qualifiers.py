"""Selections and indexing on values of every kind."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra.cel import types
from rbln_dra.cel.ast import Uint
from rbln_dra.cel.evaluation import Constant as Step, Scope
from rbln_dra.cel.library.ip import parse_ip
from rbln_dra.cel.messages import Message
from rbln_dra.cel.qualifiers import Computed, Conditional, Constant, Presence, Relative, Variable, index_of, look_up, unwrapped
from rbln_dra.cel.tracker import Tracker
from rbln_dra.cel.values import INT_MAX, NONE, CELError, Concatenation, Map, NativeMap, Optional
from rbln_dra.quantity import Quantity
from rbln_dra.semver import Semver


def scope(**variables: Any) -> Scope:
    """Give a scope that counts."""
    return Scope(variables, Tracker(1000), unwraps_optionals=True)


def told(value: Any) -> Any:
    """Give a value, or the text of an error."""
    return value.message if isinstance(value, CELError) else value


@pytest.mark.parametrize(
    ("holder", "key", "value"),
    [
        (Map([("a", 1)]), "a", 1),
        (Map([(1, "a")]), 1.0, "a"),
        ((1, 2), 1, 2),
        ((1, 2), Uint(1), 2),
        ((1, 2), 1.0, 2),
        (Concatenation((1,), (2,)), 1, 2),
        (Map(), "a", "no such key: a"),
        ((1,), 7, "index out of bounds: 7"),
        ((1,), -1, "index out of bounds: -1"),
        ((1,), 0.5, "unsupported index value 0.5 in list"),
        ((1,), Uint(INT_MAX + 1), "unsupported index value 9223372036854775808 in list"),
        ((1,), "a", "unsupported index type 'string' in list"),
        (5, "a", "no such key: a"),
        (CELError("lost"), "a", "lost"),
        (Message("google.protobuf.Empty").make({}), "a", "no such field 'a'"),
    ],
)
def test_looking_up(holder: Any, key: Any, value: Any) -> None:
    """A key is looked up in a map, an index in a list; nothing else has any."""
    assert told(look_up(holder, key, testing=False)) == value


@pytest.mark.parametrize(
    ("holder", "key", "value"),
    [
        (Map(), "a", Optional.ABSENT),
        ((1,), 7, Optional.ABSENT),
        (5, "a", Optional.ABSENT),
        ((1,), "a", "unsupported index type 'string' in list"),
        ((1,), 0, 1),
    ],
)
def test_testing(holder: Any, key: Any, value: Any) -> None:
    """Only an index that is none is an error when presence is tested."""
    assert told(look_up(holder, key, testing=True)) == value


def test_indices() -> None:
    """An index is a whole number of any type."""
    assert [index_of(index) for index in (3, Uint(3), 3.0)] == [3, 3, 3]


@pytest.mark.parametrize(
    ("value", "left"),
    [
        (1, 1),
        (types.INT, "int"),
        (NONE, None),
        (Optional(Optional(2)), 2),
        (Concatenation((1,), (types.INT,)), (1, "int")),
        (Quantity.parse("16Gi"), "unsupported conversion to ref.Val: (*resource.Quantity)16Gi"),
        (Semver.parse("1.2.3"), "unsupported conversion to ref.Val: (semver.Version)1.2.3"),
        (parse_ip("::1"), "unsupported conversion to ref.Val: (netip.Addr)::1"),
        (CELError("lost"), "unsupported conversion to ref.Val: (*errors.errorString)lost"),
    ],
)
def test_unwrapping(value: Any, left: Any) -> None:
    """Up to 1.36, what an optional holds goes through its Go value."""
    assert told(unwrapped(value)) == left


def test_unwrapping_a_map() -> None:
    """A map loses its default on the way."""
    held = unwrapped(NativeMap({"a": 1}, default=NativeMap({})))
    assert (held.find("a"), held.find("b")) == (1, Optional.ABSENT)


@pytest.mark.parametrize(
    "later", [Constant(3, "b", optional=False), Presence(3, "b"), Computed(3, Relative(3, Step(3, "b")), optional=False, relative=True)]
)
def test_everything_after_an_optional_qualifier_is_optional(later: Constant | Presence | Computed) -> None:
    """What is there is held by an optional value and costs; what is not costs nothing."""
    variable = Variable(1, "x")
    variable.add(Constant(2, "a", optional=True))
    variable.add(later)
    for value, cost, present in ((Map([("a", Map([("b", 1)]))]), 2, True), (Map([("a", Map())]), 1, False), (Map(), 0, False)):
        where = scope(x=value)
        found = variable.resolve(where)
        assert (found.present, where.tracker.cost) == (present, cost)
    assert variable.id == 3


def test_optional_values_in_variables() -> None:
    """An optional value without a value ends the way; one with a value goes on."""
    variable = Variable(1, "x")
    assert variable.resolve(scope(x=NONE)) is NONE
    variable.add(Constant(2, "a", optional=False))
    assert variable.resolve(scope(x=NONE)) is NONE
    assert variable.resolve(scope(x=Optional(Map([("a", 1)])))).value == 1


@pytest.mark.parametrize(
    ("index", "text"),
    [
        (Step(4, None), "invalid qualifier type: types.Null"),
        (Step(4, NONE), "invalid qualifier type: *types.Optional"),
        (Step(4, CELError("lost")), "lost"),
    ],
)
def test_an_index_that_is_none(index: Step, text: str) -> None:
    """An index that cannot be one, or that failed, is an error, with or without a value to fall back on."""
    for optional in (False, True):
        relative = Relative(1, Step(1, Map()))
        relative.add(Computed(2, Relative(4, index), optional=optional, relative=True))
        assert told(relative.resolve(scope())) == text


def test_a_condition() -> None:
    """The qualifiers after a condition go to both branches."""
    yes, no = Relative(2, Step(2, Map([("a", 1)]))), Relative(3, Step(3, Map([("a", 2)])))
    conditional = Conditional(9, Step(1, value=True), yes, no)
    assert conditional.id == 9
    conditional.add(Constant(4, "a", optional=False))
    assert (conditional.id, conditional.resolve(scope())) == (4, 1)
    assert Conditional(9, Step(1, value=False), yes, no).resolve(scope()) == 2
    assert told(Conditional(9, Step(1, 5), yes, no).resolve(scope())) == "no such overload"
    assert told(Conditional(9, Step(1, CELError("lost")), yes, no).resolve(scope())) == "lost"


def test_presence_of_an_index_error() -> None:
    """A test of presence hands an error on, and costs."""
    variable = Variable(1, "x")
    variable.add(Presence(2, "a"))
    where = scope(x=(1,))
    assert told(variable.resolve(where)) == "unsupported index type 'string' in list"
    assert where.tracker.cost == 1
