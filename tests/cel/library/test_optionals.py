"""Optional values: what holds a value, and what counts as empty."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra.cel.ast import Uint
from rbln_dra.cel.library.optionals import LIBRARY
from rbln_dra.cel.messages import Message
from rbln_dra.cel.values import NONE, TIMESTAMP_MIN, CELError, Concatenation, Duration, Map, NativeMap, Optional, Timestamp
from rbln_dra.quantity import Quantity

from ..conftest import Evaluate

OVERLOADS = {overload.id: overload for function in LIBRARY.functions for overload in function.overloads}


@pytest.mark.parametrize(
    ("value", "present"),
    [
        (None, False),
        (False, False),
        (True, True),
        (0, False),
        (Uint(0), False),
        (Uint(1), True),
        (-0.0, False),
        ("", False),
        ("a", True),
        (b"", False),
        ((), False),
        ((0,), True),
        (Concatenation((1,), (2,)), True),
        (Map(), False),
        (Map([("a", 1)]), True),
        (NativeMap({}), False),
        (NativeMap({}, default=NativeMap({})), True),
        (Duration(0), False),
        (Timestamp(0), True),
        (Timestamp(TIMESTAMP_MIN * 10**9), False),
        (Quantity.parse("0"), True),
        (NONE, True),
        (Message("google.protobuf.Empty").make({}), False),
    ],
)
def test_non_zero(value: Any, present: bool) -> None:
    """Empty values are not held; 1970 is not empty, nor is a device's outer map."""
    implementation = OVERLOADS["optional_ofNonZeroValue"].implementation
    assert implementation is not None
    found = implementation(value)
    assert found.present is present
    assert not present or found.value is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("optional.of(1).value()", 1),
        ("optional.of(null).hasValue()", True),
        ("optional.none().hasValue()", False),
        ("optional.ofNonZeroValue(0).hasValue()", False),
        ("[1, 2].first().value() + [1, 2].last().value()", 3),
        ("[].first().hasValue() || [].last().hasValue()", False),
        ("([1] + [2]).last().value()", 2),
        ("optional.unwrap([optional.of(1), optional.none()]) == [1]", True),
        ("[optional.of(1), optional.of(2)].unwrapOpt() == [1, 2]", True),
        ("optional.of([1, 2])[0].value()", 1),
        ("optional.of([1, 2])[?7].hasValue()", False),
        ("optional.of({'a': 1}).a.value()", 1),
        ("optional.of({'a': 1}).?b.hasValue()", False),
        ("has(optional.of({'a': 1}).a)", True),
        ("has(optional.of({'a': 1}).b)", False),
        ("has({'a': {}}.?a.b)", False),
        ("optional.of(1) == optional.of(1.0)", True),
        ("optional.of({'a': 1}).optFlatMap(m, m[?'a']).value()", 1),
    ],
)
def test_functions(evaluate: Evaluate, text: str, value: Any) -> None:
    """Optional values hand on what they hold."""
    for kubernetes in ("1.36", "1.37"):
        found = evaluate(text.replace("1.0", "dyn(1.0)").replace("optional.of(1) ==", "optional.of(dyn(1)) =="), kubernetes)
        assert found.error is None
        assert found.value == value


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("optional.none().value()", "optional.none() dereference"),
        ("optional.unwrap(dyn([1]))", "no such overload: optional.unwrap(list)"),
        ("optional.unwrap(dyn([dyn(optional.of(1)), dyn('a')]))", "value a is not optional"),
    ],
)
def test_errors(evaluate: Evaluate, text: str, error: str) -> None:
    """What holds nothing, or is no optional value, is an error."""
    found = evaluate(text)
    assert found.error is not None
    assert found.error.message == error


def test_an_error_that_is_held() -> None:
    """An optional value may hold an error, which shows when it is taken out."""
    implementation = OVERLOADS["optional_value"].implementation
    assert implementation is not None
    with pytest.raises(CELError, match="lost"):
        implementation(Optional(CELError("lost")))
