"""
Room: everything that cel-go says of a text that is no expression.

After ANTLR's complaints come those of cel-go's own visitor, which walks through whatever tree ANTLR could make: reserved names, literals without a
value, macros with wrong arguments, too deep a tree.

May touch: `ast`, `lexis`, `listing`, `literals`, `macros`, `recovery`, `steps`, `tokens`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from .ast import Call, Ident, ListExpr, Literal, MapExpr, Node, Select, StructExpr
from .lexis import RESERVED
from .listing import Complaints
from .literals import LiteralError, LiteralValue, bytes_value, double_value, int_value, string_value, uint_value
from .macros import Expander, Expansion, MacroError, MacroKey
from .recovery import Parser, Stopped, Tree
from .steps import Steps, each, run
from .tokens import Token, TokenStream, TooMany

#: The longest expression that is looked at, in code points.
LONGEST = 100_000
#: How deep the visitor goes.
DEEPEST = 250
#: Where cel-go puts nodes that have no place: not the same as no place.
NOWHERE = -1


def complaints(text: str, *, backticks: bool, macros: Mapping[MacroKey, Expander]) -> Complaints:
    """
    Give all complaints about a text, in the order in which they are found; none for an expression.

    >>> complaints("a b", backticks=False, macros={})
    [(2, "Syntax error: extraneous input 'b' expecting <EOF>")]
    """
    if len(text) > LONGEST:
        return [(None, f"expression code point size exceeds limit: size: {len(text)}, limit {LONGEST}")]
    stream = TokenStream(text)
    with suppress(Stopped, TooMany):
        run(_Visitor(stream, backticks=backticks, macros=macros).visit(Parser(stream).parse()))
    return stream.complaints


class _Visitor:
    """Walks through ANTLR's tree as cel-go's visitor does."""

    def __init__(self, stream: TokenStream, *, backticks: bool, macros: Mapping[MacroKey, Expander]) -> None:
        """Begin a walk that adds to the stream's complaints."""
        self._stream = stream
        self._backticks = backticks
        self._macros = macros
        self._depth = 0

    def visit(self, tree: Tree | None) -> Steps:
        """Visit a node, past those that only pass on."""
        tree = _passed(tree)
        rule = _VISITS.get(tree.kind) if tree is not None else None
        if tree is None or rule is None:
            # ANTLR has complained about what is missing here.
            return Node(offset=NOWHERE)
        if tree.kind not in _COUNTED:
            return (yield rule(self, tree))
        self._depth += 1
        if self._depth > DEEPEST:
            self._stream.complain(None, "max recursion depth exceeded")
            raise Stopped
        node = yield rule(self, tree)
        self._depth -= 1
        return node

    def _complain(self, offset: int | None, message: str) -> Node:
        """Complain, and give the node that stands for what is wrong."""
        self._stream.complain(offset, message)
        return Node(offset=NOWHERE if offset is None else offset)

    def _all(self, trees: Sequence[Tree | None]) -> Steps:
        """Visit several."""
        return (yield each(self.visit(tree) for tree in trees))

    def start(self, tree: Tree) -> Steps:
        """`expr`."""
        return (yield self.visit(tree.child("expr")))

    def conditional(self, tree: Tree) -> Steps:
        """`condition ? yes : no`."""
        args = yield self._all([tree.labels.get(label) for label in ("e", "e1", "e2")])
        return Call("_?_:_", args, offset=tree.labels["op"].offset)

    def logic(self, tree: Tree) -> Steps:
        """A chain of `&&` or `||`; the tree that is made of it has its middle operator at the top."""
        terms = yield self._all([tree.labels["e"], *tree.labels["e1"]])
        operators = tree.labels["ops"]
        return Call("_&&_", terms, offset=operators[len(operators) // 2].offset)

    def binary(self, tree: Tree) -> Steps:
        """A relation or calculation."""
        args = yield self._all(tree.children)
        return Call("_+_", args, offset=tree.labels["op"].offset)

    def unary(self, tree: Tree) -> Steps:
        """A run of `!` or `-`."""
        operand = yield self.visit(tree.child("member"))
        operators = tree.labels["ops"]
        return Call("!_", (operand,), offset=operators[0].offset) if len(operators) % 2 else operand

    def no_unary(self, tree: Tree) -> Steps:
        """What could not be told."""
        yield from ()
        return Literal("<<error>>", offset=tree.start.offset)

    def select(self, tree: Tree) -> Steps:
        """`operand.field`."""
        operand = yield self.visit(tree.children[0])
        ident: Tree = tree.labels["id"]
        name, wrong = self._field(ident)
        if wrong is not None:
            self._complain(ident.start.offset, wrong)
        offset = tree.labels["op"].offset
        if "opt" in tree.labels:
            return Call("_?._", (operand, Literal(name, offset=ident.start.offset)), offset=offset)
        return Select(operand, name, offset=offset)

    def _field(self, tree: Tree | None) -> tuple[str, str | None]:
        """Give the name of a field, and what is wrong with it."""
        kind = None if tree is None else tree.kind
        if tree is not None and kind == "SimpleIdentifier":
            return tree.labels["id"].text, None
        if tree is not None and kind == "EscapedIdentifier":
            return (tree.labels["id"].text[1:-1], None) if self._backticks else ("", "unsupported syntax: '`'")
        return "", "unsupported ident kind"

    def member_call(self, tree: Tree) -> Steps:
        """`receiver.name(…)`."""
        target = yield self.visit(tree.children[0])
        args = yield self._args(tree)
        return self._call(tree.labels["open"], tree.labels["id"].text, target, args)

    def _args(self, tree: Tree) -> Steps:
        """Visit arguments."""
        args: Tree | None = tree.labels.get("args")
        return (yield self._all([] if args is None else args.labels.get("e", [])))

    def _call(self, place: Token, name: str, target: Node | None, args: tuple[Node, ...]) -> Node:
        """Expand a macro, or make a call."""
        expander = self._macros.get((name, len(args), target is not None))
        if expander is not None:
            try:
                expansion = expander(Expansion(place.offset, 1), target, args)
            except MacroError as error:
                return self._complain(error.offset, error.message)
            if expansion is not None:
                return expansion
        return Call(name, args, target, offset=place.offset)

    def index(self, tree: Tree) -> Steps:
        """`operand[index]`."""
        operand = yield self.visit(tree.children[0])
        index = yield self.visit(tree.labels.get("index"))
        return Call("_[_]", (operand, index), offset=tree.labels["op"].offset)

    def ident(self, tree: Tree) -> Steps:
        """A name."""
        yield from ()
        ident: Token = tree.labels["id"]
        if ident.text in RESERVED:
            return self._complain(tree.start.offset, f"reserved identifier: {ident.text}")
        return Ident(_dotted(tree) + ident.text, offset=ident.offset)

    def global_call(self, tree: Tree) -> Steps:
        """`name(…)`."""
        ident: Token = tree.labels["id"]
        if ident.text in RESERVED:
            return self._complain(tree.start.offset, f"reserved identifier: {ident.text}")
        args = yield self._args(tree)
        return self._call(tree.labels["op"], _dotted(tree) + ident.text, None, args)

    def list(self, tree: Tree) -> Steps:
        """`[…]`."""
        elements: Tree | None = tree.labels.get("elems")
        items: list[Tree] = [] if elements is None else elements.labels.get("elems", [])
        nodes = yield self._all([item.labels.get("e") for item in items])
        return ListExpr(nodes, offset=tree.labels["op"].offset)

    def map(self, tree: Tree) -> Steps:
        """`{…}`."""
        entries: Tree | None = tree.labels.get("entries")
        labels: dict[str, Any] = {} if entries is None else entries.labels
        keys, values = labels.get("keys", []), labels.get("values", [])
        for key, value in zip(keys, values, strict=False):
            yield self.visit(key.labels.get("e"))
            yield self.visit(value)
        return MapExpr((), offset=tree.labels["op"].offset)

    def message(self, tree: Tree) -> Steps:
        """`type{…}`."""
        entries: Tree | None = tree.labels.get("entries")
        labels: dict[str, Any] = {} if entries is None else entries.labels
        values = labels.get("values", [])
        for number, field in enumerate(labels.get("fields", [])):
            if entries is None or number >= min(len(labels.get("cols", [])), len(values)):
                break
            _, wrong = self._field(field.child("escapeIdent"))
            if wrong is not None:
                self._complain(entries.start.offset, wrong)
                continue
            yield self.visit(values[number])
        offset = tree.labels["op"].offset if "op" in tree.labels else NOWHERE
        return StructExpr("", (), offset=offset)

    def literal(self, tree: Tree) -> Steps:
        """A literal with its sign."""
        yield from ()
        offset = tree.start.offset
        sign: Token | None = tree.labels.get("sign")
        text = ("" if sign is None else sign.text) + tree.labels["tok"].text
        try:
            return Literal(_VALUES[tree.kind](text), offset=offset)
        except LiteralError as error:
            return self._complain(offset, str(error))


def _dotted(tree: Tree) -> str:
    """Give the leading dot of a name."""
    return "." if "leadingDot" in tree.labels else ""


def _passed(tree: Tree | None) -> Tree | None:
    """Go down past nodes that have but one part."""
    while tree is not None:
        kind = tree.kind
        if (kind in _CHAINS and "ops" not in tree.labels) or (kind == "expr" and "op" not in tree.labels) or kind == "Nested":
            tree = tree.labels.get("e")
        elif kind in _PASSED:
            tree = tree.child(_PASSED[kind])
        else:
            return tree
    return None


_CHAINS = frozenset(("conditionalOr", "conditionalAnd"))
_PASSED = {
    "relation": "calc",
    "calc": "unary",
    "MemberExpr": "member",
    "member": "primary",
    "ConstantLiteral": "literal",
}
_COUNTED = frozenset(("expr", "Relation", "Calc", "Select", "MemberCall", "Index"))
_VISITS: Mapping[str, Callable[[_Visitor, Tree], Steps]] = {
    "start": _Visitor.start,
    "expr": _Visitor.conditional,
    **dict.fromkeys(_CHAINS, _Visitor.logic),
    **dict.fromkeys(("Relation", "Calc"), _Visitor.binary),
    **dict.fromkeys(("LogicalNot", "Negate"), _Visitor.unary),
    "unary": _Visitor.no_unary,
    "Select": _Visitor.select,
    "MemberCall": _Visitor.member_call,
    "Index": _Visitor.index,
    "Ident": _Visitor.ident,
    "GlobalCall": _Visitor.global_call,
    "CreateList": _Visitor.list,
    "CreateStruct": _Visitor.map,
    "CreateMessage": _Visitor.message,
    **dict.fromkeys(("Int", "Uint", "Double", "String", "Bytes", "BoolTrue", "BoolFalse", "Null"), _Visitor.literal),
}
_VALUES: Mapping[str, Callable[[str], LiteralValue]] = {
    "Int": int_value,
    "Uint": uint_value,
    "Double": double_value,
    "String": string_value,
    "Bytes": bytes_value,
    "BoolTrue": lambda _: True,
    "BoolFalse": lambda _: False,
    "Null": lambda _: None,
}
