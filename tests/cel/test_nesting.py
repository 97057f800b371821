"""Deep expressions: whatever parses can be compiled, wherever it is called from."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from rbln_dra import cel
from rbln_dra.cel.ast import Call, Comprehension, Entry, FieldInit, Ident, ListExpr, Literal, MapExpr, Node, Select, StructExpr
from rbln_dra.cel.nesting import children, depth, make_room, recursing
from rbln_dra.errors import CompileError


@pytest.fixture(autouse=True)
def _limit() -> Iterator[None]:
    """Put Python's limit back."""
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)


A = Ident("a")


@pytest.mark.parametrize(
    ("node", "count"),
    [
        (A, 0),
        (Literal(1), 0),
        (Select(A, "b"), 1),
        (Call("f", (A, A)), 2),
        (Call("f", (A,), A), 2),
        (ListExpr((A, A, A)), 3),
        (MapExpr((Entry(A, A),)), 2),
        (StructExpr("t", (FieldInit("f", A),)), 1),
        (Comprehension(A, "x", "y", A, A, A, A), 5),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_node_knows_what_stands_below_it(node: Node, count: int) -> None:
    """Depth is counted through every kind of node."""
    assert list(children(node)) == [A] * count
    assert depth(node) == (2 if count else 1)


def test_a_stage_gets_the_frames_that_it_needs() -> None:
    """Python's limit is raised once, and the stage run again."""
    tree: Node = A
    for _ in range(2000):
        tree = Select(tree, "b")

    def stage() -> int:
        return recurse(2000)

    def recurse(levels: int) -> int:
        return 0 if levels == 0 else 1 + recurse(levels - 1)

    assert recursing(stage, tree) == 2000


def test_the_recursion_limit_is_only_raised() -> None:
    """What surely fits leaves Python's limit alone; what is deep raises it."""
    limit = sys.getrecursionlimit()
    make_room(1, frames=8)
    assert sys.getrecursionlimit() == limit
    make_room(limit, frames=8)
    raised = sys.getrecursionlimit()
    assert raised > limit
    make_room(limit // 2, frames=8)
    assert sys.getrecursionlimit() == raised


#: What stands before, in, and behind the nested part; the outer two are repeated.
NESTED = [
    ("[", "", "]", " == []"),
    ("{'a': ", "1", "}", " == {}"),
    ("", "1", " + 1", " == 3"),
    ("dyn(", "1", ")", " == 1"),
    ("[1].map(x, ", "1", ")", " == []"),
    ("cel.bind(x, ", "1", ", x)", " == 1"),
    ("optional.of(", "1", ")", ".hasValue()"),
    ("'%s'.format([", "1", "])", " == ''"),
    ("(true ? ", "true", " : false)", ""),
    ("!(", "true", ")", ""),
]


@pytest.mark.parametrize(("before", "inner", "behind", "rest"), NESTED)
@pytest.mark.parametrize("levels", [10, 100, 200, 245, 5_000])
def test_deep_expressions_compile_or_are_refused(before: str, inner: str, behind: str, rest: str, levels: int) -> None:
    """No depth ends in anything but a program or a `CompileError`."""
    text = before * levels + inner + behind * levels + rest
    try:
        program = cel.compile(text, cel.Environment("1.37"))
    except CompileError as error:
        assert "limit" in error.message or "recursion" in error.message
    else:
        assert program.max_cost >= 0
        assert program.references == cel.References()
