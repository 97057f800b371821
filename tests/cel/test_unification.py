"""When a type fits another, and what type variables then stand for."""

from __future__ import annotations

import pytest

from rbln_dra.cel.environment import Signature
from rbln_dra.cel.types import (
    ANY,
    BOOL,
    DEVICE,
    DURATION,
    DYN,
    ERROR,
    INT,
    IP,
    NULL,
    STRING,
    TYPE,
    UINT,
    Type,
    list_of,
    map_of,
    optional_of,
    parameter,
    type_of,
    wrapper_of,
)
from rbln_dra.cel.unification import Substitution, exact, format_type

A, B = parameter("A"), parameter("B")


@pytest.mark.parametrize(
    ("left", "right", "fits"),
    [
        (INT, INT, True),
        (INT, UINT, False),
        (INT, DYN, True),
        (ANY, INT, True),
        (ERROR, INT, True),
        (NULL, DEVICE, True),
        (DURATION, NULL, True),
        (NULL, INT, False),
        (INT, NULL, False),
        (NULL, NULL, True),
        (wrapper_of(INT), NULL, True),
        (wrapper_of(INT), INT, True),
        (INT, wrapper_of(INT), True),
        (INT, wrapper_of(UINT), False),
        (list_of(INT), list_of(INT), True),
        (list_of(INT), list_of(STRING), False),
        (list_of(INT), map_of(INT, INT), False),
        (map_of(INT, DYN), map_of(INT, STRING), True),
        (optional_of(INT), optional_of(INT), True),
        (optional_of(INT), Type("optional_type", (), "optional"), False),
        (IP, IP, True),
        (IP, DEVICE, False),
        (type_of(INT), TYPE, True),
        (TYPE, INT, False),
        (list_of(NULL), list_of(NULL), True),
        (Type("function", kind="function"), INT, False),
    ],
    ids=str,
)
def test_ground_types_fit_or_do_not(left: Type, right: Type, fits: bool) -> None:
    """Without variables nothing is bound."""
    assert Substitution().assign(left, right) is fits


def test_a_variable_takes_the_most_general_type_it_meets() -> None:
    """It is bound at first, and widened later."""
    found = Substitution()
    assert found.assign(A, INT)
    assert found.substitute(A) == INT
    assert found.assign(A, INT)
    assert found.assign(DYN, A)
    assert found.substitute(A) == DYN
    assert found.substitute(list_of(B)) == list_of(B)
    assert found.substitute(list_of(B), to_dyn=True) == list_of(DYN)


def test_variables_may_stand_for_each_other() -> None:
    """What one is bound to, the other is, too."""
    found = Substitution()
    assert found.assign(A, B)
    assert found.assign(B, STRING)
    assert found.substitute(A) == STRING
    assert found.assign(A, A)
    assert not found.assign(A, INT)


def test_a_variable_never_stands_within_itself() -> None:
    """Such a binding would have no end."""
    found = Substitution()
    assert not found.assign(A, list_of(A))
    assert not found.assign(list_of(A), A)
    assert found.substitute(A) == A
    assert found.assign(A, B)
    assert not found.assign(B, list_of(A))
    assert found.assign(DYN, A)
    assert found.assign(A, list_of(A))


def test_a_variable_keeps_what_it_stands_for_where_the_more_general_type_holds_it() -> None:
    """`list(A)` is more general than `list(dyn)`, and cannot be what `A` stands for."""
    found = Substitution()
    assert found.assign(A, list_of(DYN))
    assert found.assign(list_of(A), A)
    assert found.substitute(A) == DYN


def test_failing_attempts_leave_no_trace() -> None:
    """Bindings that an attempt made or changed are taken back."""
    found = Substitution()
    assert not found.assign(map_of(A, INT), map_of(INT, STRING))
    assert found.substitute(A) == A
    assert found.assign(A, INT)
    assert not found.assign(map_of(A, INT), map_of(DYN, STRING))
    assert found.substitute(A) == INT


@pytest.mark.parametrize(
    ("left", "right", "general"),
    [
        (list_of(DYN), list_of(INT), list_of(DYN)),
        (list_of(INT), list_of(DYN), list_of(DYN)),
        (INT, A, A),
        (INT, STRING, STRING),
        (map_of(INT, DYN), map_of(INT, INT), map_of(INT, DYN)),
        (optional_of(INT), list_of(INT), list_of(INT)),
        (type_of(INT), type_of(STRING), type_of(INT)),
        (wrapper_of(INT), INT, wrapper_of(INT)),
        (IP, DEVICE, DEVICE),
    ],
    ids=str,
)
def test_the_more_general_of_two_types_is_kept(left: Type, right: Type, general: Type) -> None:
    """The first one when both say the same."""
    assert Substitution().more_general(left, right) == general


def test_all_overloads_that_fit_are_found() -> None:
    """Results that differ make the result dynamic; the arity has to fit."""
    signatures = (
        Signature("one", (A,), A, ("A",)),
        Signature("two", (INT, INT), INT, ()),
        Signature("other", (DYN,), STRING, ()),
        Signature("same", (INT,), STRING, ()),
    )
    found = Substitution()
    assert found.resolve(signatures, [INT]) == (("one", "other", "same"), DYN)
    assert found.fresh == 1
    assert found.resolve(signatures[2:], [INT]) == (("other", "same"), STRING)
    assert found.resolve(signatures[1:2], [INT]) == ((), None)


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (ANY, "any"),
        (NULL, "null"),
        (ERROR, "!error!"),
        (DURATION, "duration"),
        (map_of(STRING, list_of(ANY)), "map(string, list(any))"),
        (A, "A"),
        (wrapper_of(INT), "wrapper(int)"),
    ],
)
def test_types_are_named_as_in_error_texts(type_: Type, text: str) -> None:
    """These names differ from those of results."""
    assert format_type(type_) == text


def test_a_wrapper_is_the_same_type_as_what_it_wraps() -> None:
    """Only what may be assigned to it differs."""
    assert exact(wrapper_of(BOOL), BOOL)
    assert exact(list_of(wrapper_of(INT)), list_of(INT))
    assert not exact(list_of(INT), list_of(STRING))
    assert not exact(optional_of(INT), Type("optional_type", (), "optional"))
