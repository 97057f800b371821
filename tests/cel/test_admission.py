"""What the API server says of a new selector."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import cel
from rbln_dra.cel.admission import LONGEST
from rbln_dra.errors import InvalidValue, UnknownKubernetes
from rbln_dra.kubernetes import Kubernetes


@pytest.mark.parametrize(
    ("text", "reason", "message"),
    [
        ("true" + " " * (LONGEST - 4), None, ""),
        ("true" + " " * (LONGEST - 3), "FieldValueTooLong", "Too long: may not be more than 10240 bytes"),
        ("'" + "é" * (LONGEST // 2) + "' == ''", "FieldValueTooLong", "Too long: may not be more than 10240 bytes"),
        ("1", "FieldValueInvalid", 'Invalid value: "1": must evaluate to bool or the unknown type, not int'),
        (
            '"a" == 1',
            "FieldValueInvalid",
            (
                'Invalid value: "\\"a\\" == 1": compilation failed: ERROR: <input>:1:5: found no matching overload for \'_==_\' applied to'
                " '(string, int)'\n | \"a\" == 1\n | ....^"
            ),
        ),
        ('["a", "b"].join(",") == ""', "FieldValueForbidden", "Forbidden: too complex, exceeds cost limit"),
        ('int("x") == 1', "InternalError", "Internal error: program instantiation failed: type conversion error from 'string' to 'int'"),
    ],
    ids=["longest", "too long", "too long in bytes", "no verdict", "ill-typed", "too complex", "constant that fails"],
)
def test_the_answer_is_that_of_the_api_server(text: str, reason: str | None, message: str) -> None:
    """Reason and text are those of its field errors."""
    found = cel.admit(text)
    assert (found.reason, found.admitted) == (reason, reason is None)
    assert found.message == message or (reason == "InternalError" and found.message.startswith("Internal error: program instantiation failed: "))


def test_the_estimate_is_told_even_when_it_is_too_high() -> None:
    """So that one sees by how much."""
    found = cel.admit('["a", "b"].join(",") == ""', Kubernetes("1.36"))
    assert found.max_cost is not None
    assert found.max_cost > cel.COST_LIMIT
    assert cel.admit("true").max_cost == 0
    assert cel.admit("nosuch").max_cost is None


def test_what_does_not_compile_says_why() -> None:
    """The error of the compiler is kept."""
    error = cel.admit("nosuch").error
    assert error is not None
    assert error.issues[0].column == 1


def test_a_selector_can_be_compared_over_minors() -> None:
    """Evaluated by a scheduler is not the same as admitted by its API server."""
    found = cel.support("[3, 1].sort() == [1, 3]")
    assert [(minor, answer.admission.admitted, answer.stored is None, answer.rollback_safe) for minor, answer in found.items()] == [
        ("1.34", False, True, False),
        ("1.35", True, True, True),
        ("1.36", True, True, True),
        ("1.37", True, True, True),
    ]
    lists = cel.support("[1].includes(1)", gates={"1.36": {"DRAListTypeAttributes": True}})
    assert [answer.rollback_safe for answer in lists.values()] == [False, False, True, False]


def test_unknown_minors_are_refused() -> None:
    """As everywhere."""
    with pytest.raises(UnknownKubernetes):
        cel.admit("true", "1.9")


@pytest.mark.parametrize("text", [None, 5, b"true"])
def test_what_is_no_text(text: Any) -> None:
    """What is no text is named in an error of this tree."""
    with pytest.raises(InvalidValue, match="a selector in CEL"):
        cel.admit(text)
