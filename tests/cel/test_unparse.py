"""From a tree back to a text."""

from __future__ import annotations

import pytest

from rbln_dra.cel.ast import Call, Comprehension, Ident, ListExpr, Literal, Node
from rbln_dra.cel.macros import MACROS
from rbln_dra.cel.syntax import parse
from rbln_dra.cel.unparse import unparse
from rbln_dra.errors import Unsupported

A = Ident("a")


@pytest.mark.parametrize(
    "text",
    [
        *("a", ".a", "null", "true", "false", "-1", "1u", "1.5", "1e+16", '"a\\n\\r\\"\\\\é"', 'b"\\x00\\xff"'),
        *("a.b", "a.`b-c`", "a.`in`", "a.?b", "a.?`b c`", "a[1]", "a[?1]", "a(b, c)", "a.b(c)", "[]", "[1, ?a]", "{}", "{1: a, ?b: 2}", ".a.b{}", "a{b: 1, ?`c-d`: 2}"),
        *("!a", "!(!a)", "-a", "-(1)", "-(-1)", "-(-a)", "-(1.a)", "!-1", "-(.a)", "!(a && b)", "(a + b).c", "-1.a", "(a ? b : c)[1]"),
        *("a + b - c", "a + (b - c)", "a * b + c", "(a + b) * c", "a < b == c", "a < (b == c)", "a in b", "a == b % c"),
        *("a && b", "a && b && c", "a && b && c && d", "(a && b && c) && d", "a && (b && c)", "a || b && c", "(a || b) && c"),
        *("a ? b : c", "a ? b : c ? d : e", "(a ? b : c) ? d : e", "a ? (b ? c : d) : e", "a || b ? c : d"),
        *("has(a.b)", "a.all(x, p)", "a.exists(x, p)", "a.exists_one(x, p)", "a.map(x, f)", "a.map(x, p, f)"),
        *("a.all(k, v, p)", "a.exists(k, v, p)", "a.exists_one(k, v, p)", "a.transformList(k, v, f)", "a.transformList(k, v, p, f)"),
        *("a.transformMap(k, v, f)", "a.transformMap(k, v, p, f)", "a.transformMapEntry(k, v, {k: v})", "a.transformMapEntry(k, v, p, {k: v})"),
        *("cel.bind(v, a, v + v)", "a.optMap(v, v.b)", "a.sortBy(x, x.b)", "[1].sortBy(x, -x)", "a.optFlatMap(v, v.?b)", "(a + b).optMap(v, v)", "(a ? b : c).all(x, p)"),
        *("a.hasValue() ? optional.of(cel.bind(v, a.value(), v)) : optional.none()", "a.hasValue() ? b : c"),
    ],
)  # fmt: skip
def test_texts_that_come_back(text: str) -> None:
    """A text without needless parentheses and blanks comes back as it is."""
    assert unparse(parse(text, backticks=True, macros=MACROS)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("((a))", "a"),
        ("--a", "a"),
        ("0x10", "16"),
        ("'a'", '"a"'),
        ("r'\\a'", '"\\\\a"'),
        ("a.filter(x, p)", "a.map(x, p, x)"),
        ("a.existsOne(x, p)", "a.exists_one(x, p)"),
        ("[,]", "[]"),
        ("a//b", "a"),
        (".5", "0.5"),
    ],
)
def test_other_ways_to_write(text: str, expected: str) -> None:
    """What can be written in several ways is written in one."""
    node = parse(text, backticks=True, macros=MACROS)
    assert unparse(node) == expected
    assert parse(expected, backticks=True, macros=MACROS) == node


@pytest.mark.parametrize(
    "node",
    [
        pytest.param(Node(), id="nothing"),
        pytest.param(Comprehension(A, "x", "y", A, A, A, A), id="no macro's loop"),
        pytest.param(Comprehension(A, "x", "@result", ListExpr(()), A, Call("_+_", (A, A)), A), id="no macro's step"),
        pytest.param(Comprehension(A, "x", "@result", ListExpr(()), A, Call("_?_:_", (A, A, A)), A), id="no macro's condition"),
        pytest.param(Comprehension(A, "x", "@result", ListExpr(()), A, A, A), id="no step at all"),
    ],
)
def test_trees_that_no_text_has(node: Node) -> None:
    """A tree that no parser makes is refused."""
    with pytest.raises(Unsupported):
        unparse(node)


@pytest.mark.parametrize(
    "node",
    [
        pytest.param(Call("_?_:_", (A, Literal(1), Call("optional.none", ()))), id="no receiver"),
        pytest.param(Call("_?_:_", (Call("hasValue", (), A), A, Call("optional.none", ()))), id="no variable"),
    ],
)
def test_conditionals_that_are_no_macros(node: Node) -> None:
    """A conditional that only looks like `optMap` is written as a conditional."""
    assert " ? " in unparse(node)


def test_deep_trees() -> None:
    """However deep the parser goes, the text can be written."""
    text = "f(!" * 249 + "a" + ")" * 249
    assert unparse(parse(text, backticks=True, macros=MACROS)) == text
