"""From a text to its tree: the shape, the numbers and the places that cel-go gives."""

from __future__ import annotations

import pytest

from rbln_dra.cel.ast import Call, Entry, FieldInit, Ident, ListExpr, Literal, MapExpr, Node, Select, StructExpr, Uint
from rbln_dra.cel.macros import MACROS
from rbln_dra.cel.nesting import children
from rbln_dra.cel.syntax import parse
from rbln_dra.errors import CompileError, Issue

A, B, C, D = Ident("a"), Ident("b"), Ident("c"), Ident("d")
ONE, TWO = Literal(1), Literal(2)


def tree(text: str, *, backticks: bool = True) -> Node:
    """Parse a text."""
    return parse(text, backticks=backticks, macros=MACROS)


def both(function: str, left: Node, right: Node) -> Call:
    """Make a binary operation."""
    return Call(function, (left, right))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", A),
        (".a", Ident(".a")),
        ("(a)", A),
        ("a // comment", A),
        ("\t\r\n\f a", A),
        ("true", Literal(True)),
        ("false", Literal(False)),
        ("null", Literal(None)),
        ("a.b", Select(A, "b")),
        ("a.for", Select(A, "for")),
        ("a.`b-c/d.e f`", Select(A, "b-c/d.e f")),
        ("a.?b", both("_?._", A, Literal("b"))),
        ("a[1]", both("_[_]", A, ONE)),
        ("a[?1]", both("_[?_]", A, ONE)),
        ("a()", Call("a", ())),
        (".a()", Call(".a", ())),
        ("a(1, 2)", Call("a", (ONE, TWO))),
        ("a.b()", Call("b", (), A)),
        ("a.b(1, 2).c", Select(Call("b", (ONE, TWO), A), "c")),
        ("[]", ListExpr(())),
        ("[,]", ListExpr(())),
        ("[1, ?a,]", ListExpr((ONE, A), (1,))),
        ("{}", MapExpr(())),
        ("{,}", MapExpr(())),
        ("{1: a, ?b: 2,}", MapExpr((Entry(ONE, A), Entry(B, TWO, True)))),
        ("{a ? b : c: d}", MapExpr((Entry(Call("_?_:_", (A, B, C)), D),))),
        ("a{}", StructExpr("a", ())),
        (".a.b{c: 1, ?for: 2,}", StructExpr(".a.b", (FieldInit("c", ONE), FieldInit("for", TWO, True)))),
        ("for.while{}", StructExpr("for.while", ())),
        ("a{`b-c`: 1}", StructExpr("a", (FieldInit("b-c", ONE),))),
        ("a{}.b", Select(StructExpr("a", ()), "b")),
        ("!a", Call("!_", (A,))),
        ("!!a", A),
        ("!!!a", Call("!_", (A,))),
        ("-a", Call("-_", (A,))),
        ("--a", A),
        ("-1", Literal(-1)),
        ("- 1", Literal(-1)),
        ("--1", ONE),
        ("---1", Call("-_", (ONE,))),
        ("-1.5", Literal(-1.5)),
        ("-1u", Call("-_", (Literal(Uint(1)),))),
        ("-(1)", Call("-_", (ONE,))),
        ("!-1", Call("!_", (Literal(-1),))),
        ("!!-1", Literal(-1)),
        ("-1.a", Select(Literal(-1), "a")),
        ("1.a", Select(ONE, "a")),
        ("a - 1", both("_-_", A, ONE)),
        ("a -1", both("_-_", A, ONE)),
        ("a + b * c - d", both("_-_", both("_+_", A, both("_*_", B, C)), D)),
        ("a / b % c", both("_%_", both("_/_", A, B), C)),
        ("(a + b) * c", both("_*_", both("_+_", A, B), C)),
        ("a < b == c", both("_==_", both("_<_", A, B), C)),
        ("a <= b", both("_<=_", A, B)),
        ("a > b", both("_>_", A, B)),
        ("a >= b", both("_>=_", A, B)),
        ("a != b", both("_!=_", A, B)),
        ("a in b + c", both("@in", A, both("_+_", B, C))),
        ("a && b", both("_&&_", A, B)),
        ("a && b && c", both("_&&_", both("_&&_", A, B), C)),
        ("a && b && c && d", both("_&&_", both("_&&_", A, B), both("_&&_", C, D))),
        ("a && (b && c)", both("_&&_", A, both("_&&_", B, C))),
        ("a || b && c || d", both("_||_", both("_||_", A, both("_&&_", B, C)), D)),
        ("a ? b : c", Call("_?_:_", (A, B, C))),
        ("a ? b : c ? d : a", Call("_?_:_", (A, B, Call("_?_:_", (C, D, A))))),
        ("a ? (b ? c : d) : a", Call("_?_:_", (A, Call("_?_:_", (B, C, D)), A))),
        ("a || b ? c : d", Call("_?_:_", (both("_||_", A, B), C, D))),
        ("[a ? b : c, d]", ListExpr((Call("_?_:_", (A, B, C)), D))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_trees(text: str, expected: Node) -> None:
    """Every form of the grammar has its tree."""
    assert tree(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "a b", "a.", "a.1", "a.true", "a.?b(c)", "a.`b`()", ".1a", ". 1", "a ? b", "a ? b ? c : d : a", "a : b", "a ? b : c : d"),
        *("a,", "(a, b)", "(a", "a)", "(a]", "[a)", "[a", "[a b]", "[1: 2]", "a[1, 2]", "a[", "a(b,)", "a(,)", "a(b"),
        *("{a}", "{a: }", "{a: b: c}", "{a: b c: d}", "{a: b, c}", "{a", "a{1: 2}", "a{b 1}", "a{b: 1", "a{b: c: d}", "(a){}", "a(){}", "a[1]{}", "a.?b{}"),
        *("!-a", "-!a", "!- 1u", "a !b", "a ! = b", "- -", "&&", "a &&", "a & b", "a = b", "a | b", "'a", "`a`", "a.``", "for", "for.a", "while(1)", "a.for{}.in"),
        *("99999999999999999999", "1e999", "18446744073709551616u", "'\\ud800'", "has(a)", "a.all(1, b)"),
    ],
)  # fmt: skip
def test_what_is_no_expression(text: str) -> None:
    """What the grammar does not have is refused."""
    with pytest.raises(CompileError):
        tree(text)


def test_backticks_need_a_release_that_has_them() -> None:
    """Fields in backticks are refused where they do not exist."""
    with pytest.raises(CompileError, match="unsupported syntax: '`'"):
        tree("a.`b`", backticks=False)
    with pytest.raises(CompileError, match="unsupported syntax: '`'"):
        tree("a{`b`: 1}", backticks=False)


def walk(node: Node) -> list[Node]:
    """Give a node and all below it, entries and fields included."""
    parts: tuple[Node, ...] = (node.entries if isinstance(node, MapExpr) else ()) or (node.fields if isinstance(node, StructExpr) else ())
    parts = parts or ((node.key, node.value) if isinstance(node, Entry) else (node.value,) if isinstance(node, FieldInit) else tuple(children(node)))
    return [node, *(found for part in parts for found in walk(part))]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("a.b", {1: 0, 2: 1}),
        ("a.?b", {1: 0, 2: 3, 3: 1}),
        ("a[b]", {1: 0, 2: 1, 3: 2}),
        ("f(a, b)", {1: 1, 2: 2, 3: 5}),
        ("a.f(b)", {1: 0, 2: 3, 3: 4}),
        ("a && b && c", {1: 0, 2: 5, 3: 2, 4: 10, 5: 7}),
        ("a ? b : c", {1: 0, 2: 2, 3: 4, 4: 8}),
        ("{a: b}", {1: 0, 2: 2, 3: 1, 4: 4}),
        ("t.u{a: b}", {1: 3, 2: 5, 3: 7}),
        ("!!!a", {1: 0, 2: 3}),
        ("- 1", {1: 0}),
        (".a", {1: 1}),
        ("é + a", {1: 0, 2: 2, 3: 4}),
    ],
)
def test_numbers_and_places(text: str, places: dict[int, int]) -> None:
    """Nodes are numbered in the order of cel-go's visitor, and stand where it puts them."""
    text = text.replace("é", "'é'")
    if "'" in text:
        places = {1: 0, 2: 4, 3: 6}
    assert {node.id: node.offset for node in walk(tree(text))} == places


def test_lone_surrogates_are_no_characters() -> None:
    """Half a surrogate pair reads as the replacement character, as Go reads it."""
    assert tree("'\ud800'") == Literal("\ufffd")
    with pytest.raises(CompileError) as caught:
        tree("a \udfff")
    assert "\ufffd" in caught.value.message


def test_the_error_has_all_issues() -> None:
    """The error knows every complaint, the text of Kubernetes, and the expression."""
    with pytest.raises(CompileError) as caught:
        tree("a &\n for")
    assert caught.value.expression == "a &\n for"
    assert caught.value.issues == (
        Issue(1, 3, "Syntax error: token recognition error at: '&\n'"),
        Issue(2, 2, "Syntax error: extraneous input 'for' expecting <EOF>"),
    )
    assert str(caught.value).startswith("compilation failed: ERROR: <input>:1:3: ")


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        pytest.param("(" * 249 + "a" + ")" * 249, 1, id="parentheses"),
        pytest.param("[" * 249 + "]" * 249, 249, id="lists"),
        pytest.param("{1:" * 249 + "1" + "}" * 249, 499, id="maps"),
        pytest.param("f(" * 249 + ")" * 249, 249, id="calls"),
        pytest.param("a" + ".b" * 250, 251, id="fields"),
        pytest.param("1" + "+1" * 250, 501, id="sum"),
        pytest.param("a ? b : " * 249 + "c", 748, id="conditionals"),
        pytest.param("1 < (" * 124 + "1" + ")" * 124, 249, id="relations"),
        pytest.param("1 + 1 * (" * 83 + "1" + ")" * 83, 333, id="products"),
        pytest.param("!" * 10_000 + "a", 1, id="not"),
        pytest.param("a" + " && a" * 10_000, 20_001, id="and"),
    ],
)
def test_deepest(text: str, nodes: int) -> None:
    """Everything may nest as deep as cel-go allows."""
    waiting, seen = [tree(text)], 0
    while waiting:
        seen += 1
        waiting.extend(children(waiting.pop()))
    assert seen == nodes


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(" * 250 + "a" + ")" * 250, id="parentheses"),
        pytest.param("[" * 251 + "]" * 251, id="lists"),
        pytest.param("{1:" * 250 + "1" + "}" * 250, id="maps"),
        pytest.param("f(" * 251 + ")" * 251, id="calls"),
        pytest.param("a" + ".b" * 251, id="fields"),
        pytest.param("1" + "+1" * 251, id="sum"),
        pytest.param("a ? b : " * 250 + "c", id="conditionals"),
        pytest.param("1 < (" * 125 + "1" + ")" * 125, id="relations"),
        pytest.param("1 + 1 * (" * 84 + "1" + ")" * 84, id="products"),
    ],
)
def test_too_deep(text: str) -> None:
    """One deeper is refused, without a limit of Python being met."""
    with pytest.raises(CompileError, match=r"recursion (limit|depth) exceeded"):
        tree(text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(" * 10_000, id="open"),
        pytest.param("[" * 10_000 + "]" * 10_000, id="lists"),
        pytest.param("a" * 1_000_000, id="a megabyte"),
        pytest.param("[" + "1," * 100_000 + "]", id="elements"),
        pytest.param("'''" * 33_333, id="quotes"),
        pytest.param("\x00" * 99_999, id="zeros"),
    ],
)
def test_large_texts(text: str) -> None:
    """Whatever is too large is one error."""
    with pytest.raises(CompileError):
        tree(text)


def test_a_long_list() -> None:
    """A list may be as long as an expression may be."""
    node = tree("[" + "1," * 49_999 + "]")
    assert isinstance(node, ListExpr)
    assert len(node.elements) == 49_999
