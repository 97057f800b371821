"""cel-python's trees, written back as texts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import celpy
import pytest

from rbln_dra.cel import transcript
from rbln_dra.cel.macros import MACROS
from rbln_dra.cel.syntax import parse
from rbln_dra.cel.transcript import NotAnExpression

#: Texts that come back as they are.
EXACT = [
    "a",
    ".a",
    "a.b.c",
    "a[0]",
    "a[b[1]].c",
    "f()",
    "f(1, 2u, -3, 0x1F, 1.5, .5e3, true, null)",
    ".f(x)",
    "a.f()",
    "a.f(b, c)",
    "a\n  .f(1)\n  .g(2)",
    "[]",
    "[ ]",
    "[1, [2, 3], {}]",
    "{}",
    '{"a": 1, b: {c: d}}',
    "T{}",
    "a.b.T{f: 1, g: [2]}",
    "(a)",
    "( (a) )",
    "a || b && c",
    "a||b&&c",
    "a ? b : c",
    "a?b:c",
    "a ? (b ? c : d) : e ? f : g",
    "a in b ? true : false",
    "a+b-c*d/e%f",
    "a + b - c * d / e % f",
    "a < b == (c >= d) != (e <= f) > g",
    "a in [1, 2]",
    "a in true",
    "true in a",
    "!a",
    "!!a",
    "-a",
    "- 1",
    "-(-1)",
    "1 - -1",
    r'"a\n\"" + r"\d" + b"\xff" + br"\d"',
    "'a' + '''b\nc''' +\n  d",
    "a.all(x, x.b == 'c' && has(x.d))",
    "   a  ==   b",
]


@pytest.mark.parametrize("text", EXACT)
def test_texts_come_back(text: str) -> None:
    """Every word and every sign stands where it stood."""
    assert transcript.text_of(celpy.Environment().compile(text)) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param("a // b\n+ c", "a     \n+ c", id="comment"),
        pytest.param("a  ||  b", "a ||   b", id="loose-or"),
        pytest.param("f( a ,b )", "f( a, b )", id="loose-comma"),
        pytest.param("a. b", "a .b", id="loose-dot"),
        pytest.param("a.\nb", "a\n.b", id="dot-at-the-end"),
        pytest.param("a ?b: c", "a ?b :c", id="narrow-choice"),
        pytest.param("a\n\n   &&\n   b", "a &&  \n\n\n   b", id="operator-on-a-line"),
    ],
)
def test_what_the_tree_does_not_say(text: str, written: str) -> None:
    """Where the tree does not say where a sign stands, the words around it keep their places as far as there is room."""
    assert transcript.text_of(celpy.Environment().compile(text)) == written
    assert parsed(written) == parsed(text)


def parsed(text: str) -> object:
    """Parse a text."""
    return parse(text, backticks=False, macros=MACROS)


def node(rule: str, *children: Any) -> Any:
    """Make a tree without places, as an application may."""
    return SimpleNamespace(data=rule, children=list(children))


ONE, A = node("literal", "1"), node("ident", "a")


@pytest.mark.parametrize(
    ("tree", "written"),
    [
        pytest.param(
            node("multiplication", node("multiplication_mul", node("addition", node("addition_add", A), ONE)), A), "(a + 1) * a", id="sum-in-product"
        ),
        pytest.param(node("addition", node("addition_sub", A), node("addition", node("addition_sub", A), ONE)), "a - (a - 1)", id="to-the-right"),
        pytest.param(node("relation", node("relation_in", A), A), "a in a", id="word"),
        pytest.param(node("unary", node("unary_not"), node("conditionalor", A, A)), "!(a || a)", id="unary"),
        pytest.param(node("member_dot", node("expr", A, A, ONE), "b"), "(a ? a : 1).b", id="choice"),
        pytest.param(node("member_dot_arg", A, "f", node("exprlist", ONE, node("expr", A, A, A))), "a.f(1, a ? a : a)", id="arguments"),
        pytest.param(node("conditionaland", A, node("conditionaland", A, A)), "a && (a && a)", id="chain"),
        pytest.param(node("map_lit", node("mapinits", A, ONE, ONE, A)), "{a: 1, 1: a}", id="map"),
        pytest.param(node("member_object", A, node("fieldinits", "f", ONE)), "a{f: 1}", id="message"),
        pytest.param(node("member_index", A, node("expr", A)), "a[a]", id="chain-of-one"),
        pytest.param(node("dot_ident_arg", "f"), ".f()", id="rooted"),
    ],
)
def test_changed_trees(tree: Any, written: str) -> None:
    """A tree that no parser made is written plainly, with the parentheses that its shape needs."""
    assert transcript.text_of(tree) == written


def test_moved_words() -> None:
    """Places that contradict each other do no harm."""
    tree = celpy.Environment().compile("alpha ==\n  beta")
    tree.children.append(celpy.Environment().compile("b"))
    tree.children.append(celpy.Environment().compile("c"))
    assert transcript.text_of(tree) == "alpha ==\n  beta ? b : c"


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        pytest.param(None, "None is no tree", id="nothing"),
        pytest.param(node("nonsense", A), "no rule is called 'nonsense'", id="rule"),
        pytest.param(node("expr", A, A), "expr has 2 parts of other kinds", id="parts"),
        pytest.param(node("relation", node("relation_like", A), A), "relation has 2 parts of other kinds", id="unknown-operator"),
        pytest.param(node("unary", node("sign"), A), "unary has 2 parts of other kinds", id="sign"),
        pytest.param(node("literal", 1), "1 is no word", id="word"),
        pytest.param(node("literal"), "literal has 0 parts of other kinds", id="empty"),
        pytest.param(node("ident_arg", "f", A, A), "ident_arg has 3 parts of other kinds", id="arguments"),
        pytest.param(node("mapinits", A), "mapinits has 1 parts of other kinds", id="entry"),
        pytest.param(node("relation", A, A), "relation has 2 parts of other kinds", id="no-operator"),
    ],
)
def test_what_is_no_tree(tree: Any, message: str) -> None:
    """What cel-python cannot have made is one error."""
    with pytest.raises(NotAnExpression, match=message):
        transcript.text_of(tree)
