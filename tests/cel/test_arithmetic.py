"""Operators on values of every type, as cel-go's singletons take them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rbln_dra.cel import arithmetic
from rbln_dra.cel.ast import Uint
from rbln_dra.cel.values import (
    INT_MAX,
    INT_MIN,
    TIMESTAMP_MAX,
    UINT_MAX,
    CELError,
    Concatenation,
    CostLimitExceeded,
    Duration,
    ListBuilder,
    Map,
    Timestamp,
    elements,
    is_list,
)

SECOND = 10**9


@pytest.mark.parametrize(
    ("operator", "left", "right", "value"),
    [
        ("_+_", 1, 2, 3),
        ("_+_", Uint(1), Uint(2), Uint(3)),
        ("_+_", 1.5, 2.0, 3.5),
        ("_+_", "a", "b", "ab"),
        ("_+_", b"a", b"b", b"ab"),
        ("_+_", (1,), (2,), (1, 2)),
        ("_+_", (), (2,), (2,)),
        ("_+_", (1,), (), (1,)),
        ("_+_", ListBuilder(), (2,), (2,)),
        ("_+_", Concatenation((1,), (2,)), (3,), (1, 2, 3)),
        ("_+_", Duration(1), Duration(2), Duration(3)),
        ("_+_", Duration(1), Timestamp(2), Timestamp(3)),
        ("_+_", Timestamp(2, 60), Duration(1), Timestamp(3, 60)),
        ("_-_", 1, 2, -1),
        ("_-_", Uint(2), Uint(1), Uint(1)),
        ("_-_", 1.5, 0.5, 1.0),
        ("_-_", Duration(1), Duration(2), Duration(-1)),
        ("_-_", Timestamp(3), Duration(1), Timestamp(2)),
        ("_-_", Timestamp(3), Timestamp(1), Duration(2)),
        ("_*_", -2, 3, -6),
        ("_*_", Uint(2), Uint(3), Uint(6)),
        ("_*_", 0.5, 4.0, 2.0),
        ("_/_", -7, 2, -3),
        ("_/_", 7, -2, -3),
        ("_/_", -7, -2, 3),
        ("_/_", Uint(7), Uint(2), Uint(3)),
        ("_/_", 1.0, 4.0, 0.25),
        ("_/_", 1.0, 0.0, math.inf),
        ("_/_", 1.0, -0.0, -math.inf),
        ("_/_", -1.0, 0.0, -math.inf),
        ("_%_", -7, 2, -1),
        ("_%_", 7, -2, 1),
        ("_%_", Uint(7), Uint(4), Uint(3)),
    ],
)
def test_operators(operator: str, left: Any, right: Any, value: Any) -> None:
    """Every operator gives a value of the operands' type."""
    result = arithmetic.operator(operator)(left, right)
    assert (elements(result) if is_list(result) else result) == value
    assert is_list(result) or type(result) is type(value)
    assert getattr(result, "offset", 0) == getattr(value, "offset", 0)


@pytest.mark.parametrize(("left", "right"), [(0.0, 0.0), (math.nan, 0.0), (math.nan, 1.0), (1.0, math.nan)])
def test_double_division_without_value(left: float, right: float) -> None:
    """Zero by zero is no number."""
    assert math.isnan(arithmetic.operator("_/_")(left, right))


@pytest.mark.parametrize(
    ("operator", "left", "right", "text"),
    [
        ("_+_", INT_MAX, 1, "integer overflow"),
        ("_-_", INT_MIN, 1, "integer overflow"),
        ("_*_", INT_MIN, -1, "integer overflow"),
        ("_/_", INT_MIN, -1, "integer overflow"),
        ("_%_", INT_MIN, -1, "integer overflow"),
        ("_+_", Uint(UINT_MAX), Uint(1), "unsigned integer overflow"),
        ("_-_", Uint(0), Uint(1), "unsigned integer overflow"),
        ("_*_", Uint(UINT_MAX), Uint(2), "unsigned integer overflow"),
        ("_/_", 1, 0, "division by zero"),
        ("_/_", Uint(1), Uint(0), "division by zero"),
        ("_%_", 1, 0, "modulus by zero"),
        ("_%_", Uint(1), Uint(0), "modulus by zero"),
        ("_+_", Duration(INT_MAX), Duration(1), "integer overflow"),
        ("_+_", Timestamp(TIMESTAMP_MAX * SECOND), Duration(SECOND), "timestamp overflow"),
        ("_-_", Timestamp(0), Duration(INT_MIN), "integer overflow"),
        ("_-_", Timestamp(TIMESTAMP_MAX * SECOND), Timestamp(0), "integer overflow"),
        ("_+_", 1, 1.0, "no such overload"),
        ("_+_", 1, Uint(1), "no such overload"),
        ("_+_", (1,), 1, "no such overload"),
        ("_+_", Duration(1), 1, "no such overload"),
        ("_+_", Timestamp(1), Timestamp(1), "no such overload"),
        ("_-_", Timestamp(1), 1, "no such overload"),
        ("_+_", None, 1, "no such overload: _+_"),
        ("_+_", Map(), Map(), "no such overload: _+_"),
        ("_-_", "a", "a", "no such overload"),
        ("_*_", Duration(1), 2, "no such overload"),
        ("_*_", (1,), 2, "no such overload: _*_"),
        ("_%_", 1.0, 1.0, "no such overload: _%_"),
    ],
)
def test_errors(operator: str, left: Any, right: Any, text: str) -> None:
    """What overflows or does not exist is an error in the words of cel-go."""
    with pytest.raises(CELError) as caught:
        arithmetic.operator(operator)(left, right)
    assert caught.value.message == text


def test_texts_that_become_too_long() -> None:
    """A text that nothing could look at within a limit is not made."""
    half = "x" * (arithmetic.MOST_CHARACTERS // 2 + 1)
    with pytest.raises(CostLimitExceeded) as caught:
        arithmetic.operator("_+_")(half, half)
    assert caught.value.cost == 1_000_001


@pytest.mark.parametrize(
    ("name", "outcomes"),
    [("_<_", (True, False, False)), ("_<=_", (True, True, False)), ("_>_", (False, False, True)), ("_>=_", (False, True, True))],
)
def test_relations(name: str, outcomes: tuple[bool, ...]) -> None:
    """A relation holds by the order of its operands."""
    relation = arithmetic.relation(name)
    assert (relation(1, 2.0), relation("a", "a"), relation(Duration(2), Duration(1))) == outcomes
    for operand, text in ((None, f"no such overload: {name}"), ((1,), f"no such overload: {name}"), ("a", "no such overload")):
        with pytest.raises(CELError) as caught:
            relation(operand, 1)
        assert caught.value.message == text


def test_negation() -> None:
    """Signed numbers and durations have a negative; the least does not."""
    assert [arithmetic.negate(value) for value in (1, 1.5, Duration(1))] == [-1, -1.5, Duration(-1)]
    for operand, text in (
        (INT_MIN, "integer overflow"),
        (Duration(INT_MIN), "integer overflow"),
        (True, "no such overload"),
        (Uint(1), "no such overload: -_"),
        ("a", "no such overload"),
    ):
        with pytest.raises(CELError) as caught:
            arithmetic.negate(operand)
        assert caught.value.message == text


def test_truths() -> None:
    """Only a truth value can be inverted; a loop goes on after anything else."""
    assert (arithmetic.invert(True), arithmetic.not_strictly_false(False), arithmetic.not_strictly_false(CELError("x"))) == (False, False, True)
    with pytest.raises(CELError, match="no such overload"):
        arithmetic.invert(0)


def test_membership() -> None:
    """A list has what equals an element, whatever cannot be compared; a map has its keys."""
    assert arithmetic.contains(1.0, (None, "a", 1))
    assert arithmetic.contains(None, (None,))
    assert not arithmetic.contains("b", ("a",))
    assert arithmetic.contains(1, Map([(Uint(1), "a")]))
    with pytest.raises(CELError, match="no such overload"):
        arithmetic.contains("a", "abc")


def test_size() -> None:
    """Texts, bytes, lists and maps have a size."""
    assert [arithmetic.size(value) for value in ("😀", b"ab", (1,), Map())] == [1, 2, 1, 0]
    for operand in (1, None):
        with pytest.raises(CELError, match="no such overload: size"):
            arithmetic.size(operand)
    with pytest.raises(CELError, match=r"no such overload$"):
        arithmetic.size(Duration(1))
