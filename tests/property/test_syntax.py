"""Texts and trees: whatever is written can be read, and whatever is read ends."""

from __future__ import annotations

from hypothesis import given, strategies as st

from rbln_dra.cel.ast import Node
from rbln_dra.cel.diagnosis import complaints
from rbln_dra.cel.macros import MACROS
from rbln_dra.cel.syntax import parse
from rbln_dra.cel.unparse import unparse
from rbln_dra.errors import CompileError

NAMES = st.sampled_from(["a", "b", "device", "x", "y", "optional"])
ATOMS = st.one_of(
    NAMES,
    st.sampled_from(["null", "true", "false", ".a", "'é'", 'b"\\xff"', "r'\\'", "0x1f", "1u", "1.5", ".5e3", "[]", "{}", "a.b{}"]),
    st.integers(0, 2**63 - 1).map(str),
)


def bigger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Make larger expressions."""
    operators = st.sampled_from(["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "in", "&&", "||"])
    loops = st.sampled_from(["all(x, {})", "exists(x, {})", "exists_one(x, {})", "map(x, {})", "filter(x, {})", "optMap(x, {})", "optFlatMap(x, {})"])
    two = st.sampled_from(["all(k, v, {})", "exists(k, v, {})", "existsOne(k, v, {})", "transformList(k, v, {})", "transformMap(k, v, {}, x)"])
    return st.one_of(
        st.tuples(inner, operators, inner).map(" ".join),
        st.tuples(inner, operators, inner).map(lambda parts: f"({' '.join(parts)})"),
        st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} ? {parts[1]} : {parts[2]})"),
        st.tuples(st.sampled_from(["!", "-", "!!", "---"]), inner).map(lambda parts: f"{parts[0]}({parts[1]})"),
        st.tuples(inner, NAMES).map(lambda parts: f"({parts[0]}).{parts[1]}"),
        st.tuples(inner, NAMES).map(lambda parts: f"({parts[0]}).?{parts[1]}"),
        st.tuples(inner, inner).map(lambda parts: f"({parts[0]})[{parts[1]}]"),
        st.tuples(inner, inner).map(lambda parts: f"({parts[0]})[?{parts[1]}]"),
        st.tuples(NAMES, st.lists(inner, max_size=3)).map(lambda parts: f"{parts[0]}({', '.join(parts[1])})"),
        st.tuples(inner, NAMES, st.lists(inner, max_size=3)).map(lambda parts: f"({parts[0]}).{parts[1]}({', '.join(parts[2])})"),
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"[?{', '.join(parts)},]"),
        st.tuples(inner, inner).map(lambda parts: f"{{{parts[0]}: {parts[1]}, ?{parts[1]}: {parts[0]}}}"),
        st.tuples(NAMES, inner).map(lambda parts: f"T.U{{{parts[0]}: {parts[1]}, ?`x-y`: {parts[1]}}}"),
        st.tuples(inner, st.one_of(loops, two), inner).map(lambda parts: f"({parts[0]}).{parts[1].format(parts[2])}"),
        st.tuples(inner, inner).map(lambda parts: f"cel.bind(x, {parts[0]}, {parts[1]})"),
        inner.map(lambda part: f"has(({part}).b)"),
    )


EXPRESSIONS = st.recursive(ATOMS, bigger, max_leaves=12)
PIECES = st.sampled_from(
    [*"abc1.,:?()[]{}+-*/%!<>=&|'\"`\\#\n\t é", "==", "&&", "||", " in ", "true", "for", "'''", "0x", "1u", "1.5", "has(", "a.all(x,", "//", "\ud800"]
)
TEXTS = st.one_of(st.text(max_size=30), st.lists(PIECES, max_size=20).map("".join))


@given(EXPRESSIONS)
def test_what_is_written_reads_the_same(text: str) -> None:
    """A tree that is written and read again is the same tree."""
    node = parse(text, backticks=True, macros=MACROS)
    assert parse(unparse(node), backticks=True, macros=MACROS) == node


@given(EXPRESSIONS)
def test_expressions_have_no_complaints(text: str) -> None:
    """ANTLR's account of the grammar takes what ours takes."""
    assert complaints(text, backticks=True, macros=MACROS) == []


def read(text: str, *, backticks: bool) -> Node | CompileError:
    """Give the tree of a text, or what is wrong with it."""
    try:
        return parse(text, backticks=backticks, macros=MACROS)
    except CompileError as error:
        return error


@given(TEXTS, st.booleans())
def test_noise_is_one_error_or_an_expression(text: str, backticks: bool) -> None:
    """No text makes anything but a tree or one typed error with places inside the text."""
    result = read(text, backticks=backticks)
    if isinstance(result, Node):
        assert parse(unparse(result), backticks=True, macros=MACROS) == result
    else:
        assert result.issues
        assert result.message.startswith("compilation failed: ERROR: <input>:")
        assert all(issue.line <= text.count("\n") + 1 for issue in result.issues)


@given(EXPRESSIONS, st.data())
def test_broken_expressions(text: str, data: st.DataObject) -> None:
    """An expression with a piece cut out or put in is an expression or one error."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    result = read(text[:start] + data.draw(PIECES) + text[end:], backticks=True)
    assert isinstance(result, Node) or result.issues
