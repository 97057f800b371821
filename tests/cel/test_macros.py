"""Macros: calls that are replaced."""

from __future__ import annotations

import pytest

from rbln_dra.cel.ast import Call, Comprehension, Entry, FieldInit, Ident, ListExpr, Literal, MapExpr, Node, Select, StructExpr
from rbln_dra.cel.macros import MACROS
from rbln_dra.cel.syntax import parse
from rbln_dra.errors import CompileError, Unsupported

R, K, V, P, F = Ident("r"), Ident("k"), Ident("v"), Ident("p"), Ident("f")
ACCU = Ident("@result")
TRUE, FALSE = Literal(True), Literal(False)
GO_ON = Call("@not_strictly_false", (ACCU,))
NOT_YET = Call("@not_strictly_false", (Call("!_", (ACCU,)),))
COUNT = Call("_?_:_", (P, Call("_+_", (ACCU, Literal(1))), ACCU))
IS_ONE = Call("_==_", (ACCU, Literal(1)))
EMPTY = ListExpr(())


NAME = Ident("@__sortBy_input__")
KEYS = Comprehension(NAME, "v", "@result", EMPTY, TRUE, Call("_+_", (ACCU, ListExpr((F,)))), ACCU)
SORTED = Comprehension(EMPTY, "#unused", NAME.name, R, FALSE, NAME, Call("@sortByAssociatedKeys", (KEYS,), NAME))


def tree(text: str) -> Node:
    """Parse a text with all macros."""
    return parse(text, backticks=False, macros=MACROS)


def appended(node: Node) -> Call:
    """Make the step that appends."""
    return Call("_+_", (ACCU, ListExpr((node,))))


def inserted(*nodes: Node) -> Call:
    """Make the step that inserts."""
    return Call("cel.@mapInsert", (ACCU, *nodes))


def filtered(node: Node) -> Call:
    """Make the step that keeps some."""
    return Call("_?_:_", (P, node, ACCU))


def let(value: Node, result: Node) -> Comprehension:
    """Make the loop that binds a variable."""
    return Comprehension(EMPTY, "#unused", "v", value, FALSE, V, result)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("has(r.f)", Select(R, "f", True)),
        ("has(has(r.f))", Select(R, "f", True)),
        ("r.all(v, p)", Comprehension(R, "v", "@result", TRUE, GO_ON, Call("_&&_", (ACCU, P)), ACCU)),
        ("r.exists(v, p)", Comprehension(R, "v", "@result", FALSE, NOT_YET, Call("_||_", (ACCU, P)), ACCU)),
        ("r.exists_one(v, p)", Comprehension(R, "v", "@result", Literal(0), TRUE, COUNT, IS_ONE)),
        ("r.existsOne(v, p)", Comprehension(R, "v", "@result", Literal(0), TRUE, COUNT, IS_ONE)),
        ("r.map(v, f)", Comprehension(R, "v", "@result", EMPTY, TRUE, appended(F), ACCU)),
        ("r.map(v, p, f)", Comprehension(R, "v", "@result", EMPTY, TRUE, filtered(appended(F)), ACCU)),
        ("r.filter(v, p)", Comprehension(R, "v", "@result", EMPTY, TRUE, filtered(appended(V)), ACCU)),
        ("r.all(k, v, p)", Comprehension(R, "k", "@result", TRUE, GO_ON, Call("_&&_", (ACCU, P)), ACCU, "v")),
        ("r.exists(k, v, p)", Comprehension(R, "k", "@result", FALSE, NOT_YET, Call("_||_", (ACCU, P)), ACCU, "v")),
        ("r.exists_one(k, v, p)", Comprehension(R, "k", "@result", Literal(0), TRUE, COUNT, IS_ONE, "v")),
        ("r.existsOne(k, v, p)", Comprehension(R, "k", "@result", Literal(0), TRUE, COUNT, IS_ONE, "v")),
        ("r.transformList(k, v, f)", Comprehension(R, "k", "@result", EMPTY, TRUE, appended(F), ACCU, "v")),
        ("r.transformList(k, v, p, f)", Comprehension(R, "k", "@result", EMPTY, TRUE, filtered(appended(F)), ACCU, "v")),
        ("r.transformMap(k, v, f)", Comprehension(R, "k", "@result", MapExpr(()), TRUE, inserted(K, F), ACCU, "v")),
        ("r.transformMap(k, v, p, f)", Comprehension(R, "k", "@result", MapExpr(()), TRUE, filtered(inserted(K, F)), ACCU, "v")),
        ("r.transformMapEntry(k, v, f)", Comprehension(R, "k", "@result", MapExpr(()), TRUE, inserted(F), ACCU, "v")),
        ("r.transformMapEntry(k, v, p, f)", Comprehension(R, "k", "@result", MapExpr(()), TRUE, filtered(inserted(F)), ACCU, "v")),
        ("cel.bind(v, p, f)", let(P, F)),
        (
            "r.optMap(v, f)",
            Call("_?_:_", (Call("hasValue", (), R), Call("optional.of", (let(Call("value", (), R), F),)), Call("optional.none", ()))),
        ),
        ("r.optFlatMap(v, f)", Call("_?_:_", (Call("hasValue", (), R), let(Call("value", (), R), F), Call("optional.none", ())))),
        ("r.sortBy(v, f)", SORTED),
        ("r.all(.v, p)", Comprehension(R, ".v", "@result", TRUE, GO_ON, Call("_&&_", (ACCU, P)), ACCU)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_expansions(text: str, expected: Node) -> None:
    """Every macro expands as in cel-go."""
    assert tree(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".has(r.f)", Call(".has", (Select(R, "f"),))),
        ("has(r, f)", Call("has", (R, F))),
        ("r.has(f)", Call("has", (F,), R)),
        ("r.all(v)", Call("all", (V,), R)),
        ("all(v, p)", Call("all", (V, P))),
        ("r.bind(k, v, p)", Call("bind", (K, V, P), R)),
        (".cel.bind(k, v, p)", Call("bind", (K, V, P), Ident(".cel"))),
    ],
)
def test_what_is_no_macro(text: str, expected: Node) -> None:
    """A call that only looks like a macro stays a call."""
    assert tree(text) == expected


def test_macros_that_do_not_exist_are_calls() -> None:
    """Without the macro, the call stays."""
    assert parse("has(r)", backticks=False, macros={}) == Call("has", (R,))


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("has(r)", 5, "invalid argument to has() macro"),
        ("has(r.?f)", 6, "invalid argument to has() macro"),
        ("r.all(1, p)", 7, "argument must be a simple name"),
        ("r.exists(r.v, p)", 11, "argument must be a simple name"),
        ("r.map(1, p)", 7, "argument is not an identifier"),
        ("r.filter(1, p)", 10, "argument is not an identifier"),
        ("r.filter(__result__, p)", 10, "iteration variable overwrites accumulator variable"),
        ("r.all(k, 1, p)", 10, "argument must be a simple name"),
        ("r.all(k, k, p)", 10, "duplicate variable name: k"),
        ("r.all(__result__, k, p)", 7, "iteration variable overwrites accumulator variable"),
        ("r.all(k, __result__, p)", 10, "iteration variable overwrites accumulator variable"),
        ("r.transformMap(1, v, p)", 16, "argument must be a simple name"),
        ("cel.bind(1, p, f)", 10, "cel.bind() variable names must be simple identifiers"),
        ("(1).sortBy(v, f)", 2, "sortBy can only be applied to a list, identifier, comprehension, call or select expression"),
        ("r.sortBy(1, f)", 10, "argument is not an identifier"),
        ("r.optMap(1, f)", 10, "optMap() variable name must be a simple identifier"),
        ("r.optFlatMap(1, f)", 14, "optFlatMap() variable name must be a simple identifier"),
    ],
)
def test_wrong_arguments(text: str, column: int, message: str) -> None:
    """Wrong arguments are told with their place."""
    with pytest.raises(CompileError) as caught:
        tree(text)
    assert [(issue.column, issue.message) for issue in caught.value.issues] == [(column, message)]


def test_what_is_made_stands_at_the_parenthesis() -> None:
    """The nodes of an expansion stand where the call's parenthesis opens, and have numbers of their own."""
    node = tree("r.all(v, p)")
    assert isinstance(node, Comprehension)
    assert (node.id, node.offset) == (11, 5)
    assert (node.accu_init.id, node.accu_init.offset) == (5, 5)
    assert isinstance(node.loop_step, Call)
    assert (node.loop_step.args[1].id, node.loop_step.args[1].offset) == (4, 9)


def test_copies_have_fresh_numbers_and_old_places() -> None:
    """`optMap` reads its receiver twice: the second time it is a copy."""
    text = "{f: [k.v, r.f(p)], ?p: T{f: 1}}.map(v, v).optMap(v, f)"
    node = tree(text)
    assert isinstance(node, Call)
    present, value = node.args[:2]
    assert isinstance(present, Call)
    assert isinstance(value, Call)
    bound = value.args[0]
    assert isinstance(bound, Comprehension)
    assert isinstance(bound.accu_init, Call)
    original, copy = present.target, bound.accu_init.target
    assert isinstance(original, Comprehension)
    assert isinstance(copy, Comprehension)
    assert copy == original
    assert copy.id > original.id
    assert copy.offset == original.offset
    entries = original.iter_range, copy.iter_range
    for first, second in zip(*(list(_parts(entry)) for entry in entries), strict=True):
        assert first.id != second.id
        assert second.offset == (first.offset if not isinstance(first, Entry | FieldInit) else text.index("(v, f)"))


def _parts(node: Node) -> list[Node]:
    """Give a node and all below it."""
    below: dict[type, tuple[str, ...]] = {
        MapExpr: ("entries",),
        Entry: ("key", "value"),
        ListExpr: ("elements",),
        StructExpr: ("fields",),
        FieldInit: ("value",),
        Select: ("operand",),
        Call: ("args", "target"),
    }
    found = [node]
    for name in below.get(type(node), ()):
        part = getattr(node, name)
        several: tuple[Node, ...] = part if isinstance(part, tuple) else () if part is None else (part,)
        for one in several:
            found += _parts(one)
    return found


def test_expansions_that_explode_are_refused() -> None:
    """Receivers that are copied again and again would fill the memory; cel-go lets them."""
    with pytest.raises(Unsupported, match="200,000 nodes"):
        tree("a" + ".optMap(v, v)" * 60)
