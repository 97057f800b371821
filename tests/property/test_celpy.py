"""The runner of cel-python: its trees mean what their texts mean, its values come back, and its errors are the only ones."""

from __future__ import annotations

import datetime as dt
from typing import Any

import celpy
from celpy import celtypes
from celpy.celparser import CELParseError
from celpy.evaluation import CELEvalError
from hypothesis import given, strategies as st

from rbln_dra.cel.ast import Node
from rbln_dra.cel.celpy import runner_class
from rbln_dra.cel.macros import MACROS
from rbln_dra.cel.syntax import parse
from rbln_dra.cel.transcript import text_of
from rbln_dra.errors import CompileError
from tests.property.test_syntax import EXPRESSIONS, TEXTS

#: Made once, since cel-python changes Python's recursion limit when it makes one, which hypothesis minds inside a test.
ENVIRONMENT: Any = celpy.Environment(runner_class=runner_class())
NAMES = st.sampled_from(["a", "b", "device", "x", "y"])
ATOMS = st.one_of(
    NAMES, st.sampled_from(["null", "true", "false", ".a", "'é'", 'b"\\xff"', "0x1f", "1u", "1.5", "[]", "{}"]), st.integers(0, 2**63 - 1).map(str)
)


def bigger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Make larger expressions of cel-python's grammar, with odd spaces."""
    operators = st.sampled_from(["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", " in ", "&&", "||"])
    space = st.sampled_from(["", " ", "\n", "  // what\n "])
    return st.one_of(
        st.tuples(inner, space, operators, space, inner).map("".join),
        st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} ? {parts[1]}: {parts[2]})"),
        st.tuples(st.sampled_from(["!", "-", "!!"]), space, inner).map(lambda parts: f"{parts[0]}{parts[1]}({parts[2]})"),
        st.tuples(inner, space, NAMES).map(lambda parts: f"({parts[0]}){parts[1]}.{parts[2]}"),
        st.tuples(inner, inner).map(lambda parts: f"({parts[0]})[{parts[1]}]"),
        st.tuples(NAMES, st.lists(inner, max_size=3), space).map(lambda parts: f"{parts[0]}({(',' + parts[2]).join(parts[1])})"),
        st.tuples(inner, NAMES, st.lists(inner, max_size=2)).map(lambda parts: f"({parts[0]}).{parts[1]}( {', '.join(parts[2])} )"),
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
        st.tuples(inner, inner).map(lambda parts: f"{{{parts[0]}: {parts[1]}, {parts[1]} :{parts[0]}}}"),
        st.tuples(inner, st.sampled_from(["all", "exists", "map", "filter"]), inner).map(lambda parts: f"({parts[0]}).{parts[1]}(x, {parts[2]})"),
        inner.map(lambda part: f"has(({part}).b)"),
    )


def read(text: str) -> Node | None:
    """Give the tree of a text, if it has one."""
    try:
        return parse(text, backticks=False, macros=MACROS)
    except CompileError:
        return None


@given(st.one_of(st.recursive(ATOMS, bigger, max_leaves=10), EXPRESSIONS, TEXTS))
def test_a_tree_means_what_its_text_means(text: str) -> None:
    """Whatever cel-python parses is written back as a text of the same tree, which is as long."""
    try:
        tree = ENVIRONMENT.compile(text)
    except CELParseError:
        return
    written = text_of(tree)
    assert read(written) == read(text)
    assert text_of(ENVIRONMENT.compile(written)) == written


SCALARS = st.one_of(
    st.none(),
    st.booleans().map(celtypes.BoolType),
    st.integers(-(2**63), 2**63 - 1).map(celtypes.IntType),
    st.integers(0, 2**64 - 1).map(celtypes.UintType),
    st.floats(allow_nan=False).map(celtypes.DoubleType),
    st.text().map(celtypes.StringType),
    st.binary().map(celtypes.BytesType),
    st.datetimes(timezones=st.just(dt.UTC)).map(celtypes.TimestampType),
    st.timedeltas(dt.timedelta(days=-100_000), dt.timedelta(days=100_000)).map(celtypes.DurationType),
)
KEYS = st.one_of(st.text().map(celtypes.StringType), st.integers(-(2**63), 2**63 - 1).map(celtypes.IntType))
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(celtypes.ListType),
        st.dictionaries(st.text().map(celtypes.StringType), inner, max_size=4).map(celtypes.MapType),
        st.dictionaries(KEYS, inner, max_size=1).map(celtypes.MapType),
    ),
    max_leaves=10,
)
SAME = ENVIRONMENT.program(ENVIRONMENT.compile("[x][0]"))


@given(VALUES)
def test_values_come_back(value: Any) -> None:
    """A value that goes through an expression is what it was, class by class."""
    result = SAME.evaluate({"x": value})
    assert repr(result) == repr(value)


@given(st.one_of(EXPRESSIONS, TEXTS), st.dictionaries(st.sampled_from(["a", "b", "x", "y", "device", "a.b"]), VALUES), st.booleans())
def test_no_other_errors(text: str, context: Any, direct: bool) -> None:
    """Any text over any context has a value of cel-python's, or one of its two errors."""
    try:
        ENVIRONMENT.program(text if direct else ENVIRONMENT.compile(text)).evaluate(context)
    except (CELParseError, CELEvalError) as error:
        assert error.args
