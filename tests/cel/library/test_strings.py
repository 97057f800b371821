"""Strings: positions, replacement, splitting, joining, quoting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel.interpreter import Outcome


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ('"héllo".charAt(1)', "1.37", "é"),
        ('"ab".charAt(2)', "1.37", ""),
        ('"abcb".indexOf("b")', "1.37", 1),
        ('"abcb".indexOf("b", 2)', "1.37", 3),
        ('"abcb".indexOf("x")', "1.37", -1),
        ('"abc".indexOf("a", 7)', "1.37", -1),
        ('"abc".indexOf("", 7)', "1.37", 3),
        ('"abc".indexOf("", 7)', "1.36", 7),
        ('"abc".indexOf("", -1)', "1.36", -1),
        ('"abc".indexOf("b")', "1.36", 1),
        ('"abcb".lastIndexOf("b")', "1.37", 3),
        ('"abcb".lastIndexOf("b", 2)', "1.37", 1),
        ('"abcb".lastIndexOf("b", 9)', "1.37", -1),
        ('"abcb".lastIndexOf("bb", 3)', "1.37", -1),
        ('"".lastIndexOf("b")', "1.37", -1),
        ('"abc".lastIndexOf("")', "1.37", 3),
        ('"abc".lastIndexOf("", 7)', "1.37", 3),
        ('"abc".lastIndexOf("", 7)', "1.36", 7),
        ('"abc".lastIndexOf("c", 2)', "1.36", 2),
        ('"ABCÄé".lowerAscii()', "1.37", "abcÄé"),
        ('"abcäÉ".upperAscii()', "1.37", "ABCäÉ"),
        ('"banana".replace("an", "x")', "1.37", "bxxa"),
        ('"banana".replace("a", "oo", 2)', "1.37", "boonoona"),
        ('"ab".replace("", "-")', "1.37", "-a-b-"),
        ('"ab".replace("", "-", 2)', "1.37", "-a-b"),
        ('"ab".replace("a", "x", 0)', "1.37", "ab"),
        ('"ab".replace("a", "x", -5)', "1.37", "xb"),
        ('"a,b,c".split(",")', "1.37", ("a", "b", "c")),
        ('"a,b,c".split(",", 2)', "1.37", ("a", "b,c")),
        ('"a,b".split(",", 0)', "1.37", ()),
        ('"a,b".split(",", 9)', "1.37", ("a", "b")),
        ('"héy".split("")', "1.37", ("h", "é", "y")),
        ('"hey".split("", 2)', "1.37", ("h", "ey")),
        ('"hey".split("", 3)', "1.37", ("h", "e", "y")),
        ('"".split("")', "1.37", ()),
        ('"".split(",")', "1.37", ("",)),
        ('"abc".split("", -1)', "1.37", ("a", "b", "c")),
        ('"abc".substring(1)', "1.37", "bc"),
        ('"abc".substring(1, 2)', "1.37", "b"),
        ('"abc".substring(3)', "1.37", ""),
        ('" \\t\\u00a0\\u3000a\\u200b\\n".trim()', "1.37", "a\u200b"),
        ('"\\u001ca".trim()', "1.37", "\x1ca"),
        ('strings.quote("a\\"\\\\\\n\\t\\a\\b\\f\\r\\vé")', "1.37", '"a\\"\\\\\\n\\t\\a\\b\\f\\r\\vé"'),
        ('["a", "b"].join()', "1.37", "ab"),
        ('["a", "b"].join(", ")', "1.37", "a, b"),
        ('[].join(",")', "1.37", ""),
        ('["a", "", "b"].join("-")', "1.37", "a--b"),
        ('dyn(["a", "b"]).join("+")', "1.37", "a+b"),
        ('dyn("abc").indexOf("c")', "1.37", 2),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """A function of a text gives Kubernetes' value."""
    outcome = evaluate(expression, minor)
    assert (outcome.error, outcome.value) == (None, value)
    assert type(outcome.value) is type(value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ('"ab".charAt(3)', "1.37", "index out of range: 3"),
        ('"ab".charAt(-1)', "1.37", "index out of range: -1"),
        ('"abc".indexOf("a", -1)', "1.37", "index out of range: -1"),
        ('"abc".indexOf("", -1)', "1.37", "index out of range: -1"),
        ('"abcb".lastIndexOf("b", -1)', "1.37", "index out of range: -1"),
        ('"abc".substring(4)', "1.37", "index out of range: 4"),
        ('"abc".substring(-1)', "1.37", "index out of range: -1"),
        ('"abc".substring(2, 1)', "1.37", "invalid substring range. start: 2, end: 1"),
        ('"abc".substring(0, 4)', "1.37", "index out of range: 4"),
        ('"abc".substring(-1, 2)', "1.37", "index out of range: -1"),
        ('"abc".substring(-2, -1)', "1.37", "index out of range: -2"),
        ('[dyn("a"), dyn(1)].join(",")', "1.37", "join: invalid input: 1"),
        ('[dyn("a"), dyn([1.5])].join()', "1.37", "join: invalid input: [1.5]"),
        ('dyn(1).indexOf("c")', "1.37", "no such overload: indexOf(int, string)"),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """A function of a text fails in Kubernetes' words."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ('"héllo".charAt(1)', "1.37", 1),
        ('"ab".charAt(-1)', "1.37", 1),
        ('"abcb".indexOf("x")', "1.37", 0),
        ('"abc".indexOf("", 7)', "1.37", 0),
        ('"abc".indexOf("", -1)', "1.37", 0),
        ('"abcb".lastIndexOf("b", 2)', "1.37", 0),
        ('"abcb".lastIndexOf("b", -1)', "1.37", 0),
        ('"abc".lastIndexOf("", 7)', "1.37", 0),
        ('"ABCÄé".lowerAscii()', "1.37", 1),
        ('"banana".replace("a", "oo", 2)', "1.37", 2),
        ('"ab".replace("a", "x", 0)', "1.37", 1),
        ('"a,b,c".split(",", 2)', "1.37", 1),
        ('"héy".split("")', "1.37", 1),
        ('"".split("")', "1.37", 0),
        ('"abc".substring(1)', "1.37", 1),
        ('"abc".substring(4)', "1.37", 1),
        ('"abc".substring(0, 4)', "1.37", 1),
        ('" \\t\\u00a0\\u3000a\\u200b\\n".trim()', "1.37", 1),
        ('["a", "b"].join()', "1.37", 1),
        ('["a", "", "b"].join("-")', "1.37", 1),
        ('dyn(["a", "b"]).join("+")', "1.37", 1),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost
