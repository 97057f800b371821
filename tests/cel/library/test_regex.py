"""Regular expressions: matches, and what is no expression."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel.interpreter import Outcome
from rbln_dra.cel.library.regex import compiled
from rbln_dra.cel.values import CELError, CostLimitExceeded
from rbln_dra.errors import MissingPackage, Unsupported


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ('"abc".find("b+")', "1.37", "b"),
        ('"abc".find("x")', "1.37", ""),
        ('"héllo".find("é.")', "1.37", "él"),
        ('"abc".find("b" + "c")', "1.37", "bc"),
        ('"aXbXc".findAll("X")', "1.37", ("X", "X")),
        ('"abc".findAll("")', "1.37", ("", "", "", "")),
        ('"éa".findAll("")', "1.37", ("", "", "")),
        ('"baaac".findAll("a*|c")', "1.37", ("", "aaa", "")),
        ('"aab".findAll("a", 1)', "1.37", ("a",)),
        ('"aab".findAll("a", 0)', "1.37", ()),
        ('"aab".findAll("a" + "", 5)', "1.37", ("a", "a")),
        ('"aab".findAll("a" + "")', "1.37", ("a", "a")),
        ('"a1".matches("^[a-z][0-9]$")', "1.37", True),
        ('matches("abc", "b")', "1.37", True),
        ('"abc".matches("B")', "1.37", False),
        ('"abc".matches("\\\\p{letter}+$")', "1.37", True),
        ('"Ω".find("\\\\p{^Latin}")', "1.37", "Ω"),
        ('"a".find("\\\\pl")', "1.37", "a"),
        ('"abc".find("\\\\Qb\\\\E")', "1.37", "b"),
        ('dyn(int).find("n")', "1.37", "n"),
        ('dyn(optional.of("abc")).find("b")', "1.37", "b"),
        ('"abc".findAll("b", dyn(optional.of(1)))', "1.37", ("b",)),
        ('"".findAll("x*")', "1.37", ("",)),
        ('"a\\nb".find("(?s)a.b")', "1.37", "a\nb"),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """A search finds what Go finds."""
    outcome = evaluate(expression, minor)
    assert (outcome.error, outcome.value) == (None, value)
    assert type(outcome.value) is type(value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ('"a".find("[" + "")', "1.37", "Illegal regex: error parsing regexp: missing closing ]: `[`"),
        ('"a".find("(" + "")', "1.37", "Illegal regex: error parsing regexp: missing closing ): `(`"),
        ('"a".find(")" + "")', "1.37", "Illegal regex: error parsing regexp: unexpected ): `)`"),
        ('"a".find("a**" + "")', "1.37", "Illegal regex: error parsing regexp: invalid nested repetition operator: `**`"),
        ('"a".find("*" + "")', "1.37", "Illegal regex: error parsing regexp: missing argument to repetition operator: `*`"),
        ('"a".find("a{1001}" + "")', "1.37", "Illegal regex: error parsing regexp: invalid repeat count: `{1001}`"),
        ('"a".find("\\\\" + "")', "1.37", "Illegal regex: error parsing regexp: trailing backslash at end of expression: ``"),
        ('"a".find("\\\\C" + "")', "1.37", "Illegal regex: error parsing regexp: invalid escape sequence: `\\C`"),
        ('"a".find("[z-a]" + "")', "1.37", "Illegal regex: error parsing regexp: invalid character class range: `z-a`"),
        ('"a".find("[[:foo:]]" + "")', "1.37", "Illegal regex: error parsing regexp: invalid character class range: `[:foo:]`"),
        ('"a".find("(?=a)" + "")', "1.37", "Illegal regex: error parsing regexp: invalid or unsupported Perl syntax: `(?=`"),
        ('"a".find("\\\\8" + "")', "1.37", "Illegal regex: error parsing regexp: invalid escape sequence: `\\8`"),
        ('"a".find("\\\\p{Foo}" + "")', "1.37", "Illegal regex: error parsing regexp: invalid character class range: `\\p{Foo}`"),
        ('"a".find("\\\\x{" + "")', "1.37", "Illegal regex: error parsing regexp: invalid escape sequence: `\\x{`"),
        ('"a".find("(?P<n" + "")', "1.37", "Illegal regex: error parsing regexp: invalid named capture: `(?P<n`"),
        ('"a".find("(?<n>x)(?P<é>y)" + "")', "1.37", "Illegal regex: error parsing regexp: invalid named capture: `(?P<é>`"),
        ('"a".find("(?<é>x)(?P<ü>y)" + "")', "1.37", "Illegal regex: error parsing regexp: invalid named capture: `(?<é>`"),
        ('"a".find("\\\\p{greek}(" + "")', "1.37", "Illegal regex: error parsing regexp: missing closing ): `\\p{greek}(`"),
        ('"a".findAll("[" + "")', "1.37", "Illegal regex: error parsing regexp: missing closing ]: `[`"),
        ('"a".matches("[" + "")', "1.37", "error parsing regexp: missing closing ]: `[`"),
        ('dyn(1).find("a")', "1.37", "no such overload"),
        ('dyn(b"a").find("a")', "1.37", "no such overload"),
        ('dyn(1).find("a" + "")', "1.37", "no such overload: find(int, string)"),
        ('"a".findAll("a", dyn(1u))', "1.37", "no such overload"),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """A pattern is refused in Go's words."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ('"abc".find("b+")', "1.37", 1),
        ('"abc".find("b" + "c")', "1.37", 2),
        ('"éa".findAll("")', "1.37", 0),
        ('"aab".findAll("a", 0)', "1.37", 1),
        ('"a1".matches("^[a-z][0-9]$")', "1.37", 3),
        ('"abc".matches("\\\\p{letter}+$")', "1.37", 3),
        ('"abc".find("\\\\Qb\\\\E")', "1.37", 2),
        ('"abc".findAll("b", dyn(optional.of(1)))', "1.37", 3),
        ('"a".find("[" + "")', "1.37", 2),
        ('"a".find("a**" + "")', "1.37", 2),
        ('"a".find("\\\\" + "")', "1.37", 2),
        ('"a".find("[[:foo:]]" + "")', "1.37", 4),
        ('"a".find("\\\\p{Foo}" + "")', "1.37", 3),
        ('"a".find("\\\\p{greek}(" + "")', "1.37", 4),
        ('dyn(1).find("a")', "1.37", 1),
        ('"a".findAll("a", dyn(1u))', "1.37", 1),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without google-re2 the functions say what to install."""
    compiled.cache_clear()
    monkeypatch.setitem(sys.modules, "re2", None)
    with pytest.raises(MissingPackage) as caught:
        compiled("a")
    assert caught.value.package == "google-re2"


@pytest.mark.parametrize("name", ["LC", "Cn", "Assigned", "Cased_Letter", "ascii"])
def test_missing_classes(name: str) -> None:
    """A class that RE2 has not is refused, not taken for another."""
    with pytest.raises(Unsupported):
        compiled(f"\\p{{{name}}}")


def test_many_matches() -> None:
    """More matches than fit are not written out."""
    with pytest.raises(CostLimitExceeded):
        compiled("").find_all("a" * 600_000, -1)


@pytest.mark.parametrize("pattern", ["()" * 2000, "(é)?" * 2000, "(?P<n>)(?P<n>)", "[(?P<é>]?"])
def test_groups(pattern: str) -> None:
    """Groups, very many and of one name, mean nothing."""
    assert compiled(pattern).search("a") == (0, 0)


def test_too_large() -> None:
    """A pattern that fills the memory is refused."""
    with pytest.raises(CELError, match="error parsing regexp: expression too large"):
        compiled("(" + "abcdefghij" * 300 + "){1000}")


@pytest.mark.parametrize("text", ["\ud800", "a\udc80"], ids=ascii)
def test_lone_surrogates(text: str) -> None:
    """A text that is no Unicode is searched all the same."""
    assert compiled("x").find(text) == ""
    assert compiled(text).find_all(text, -1) != ()
