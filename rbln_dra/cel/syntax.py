r"""
Room: from the text of an expression to its tree, for cel-go's whole grammar.

One regular expression cuts the text into tokens, and one loop with a stack of its own builds the tree, so that no nesting of the text meets a
limit of Python. The loop only tells right from wrong: what exactly is wrong with a text, in cel-go's words, is found by `diagnosis`.

Grammar (cel-go `parser/gen/CEL.g4`)::

    expr        = or ["?" or ":" expr]
    or          = and {"||" and}
    and         = relation {"&&" relation}
    relation    = calc | relation ("<" | "<=" | ">=" | ">" | "==" | "!=" | "in") relation
    calc        = unary | calc ("*" | "/" | "%") calc | calc ("+" | "-") calc
    unary       = member | "!" {"!"} member | "-" {"-"} member
    member      = primary | member "." ["?"] field | member "." ID "(" [exprs] ")" | member "[" ["?"] expr "]"
    primary     = ["."] ID ["(" [exprs] ")"] | "(" expr ")" | "[" [elements] [","] "]" | "{" [entries] [","] "}"
                | ["."] ID {"." ID} "{" [fields] [","] "}" | literal

May touch: `ast`, `errors`, `lexis`, `listing`, `literals`, `macros`, `diagnosis` (which it imports when a text is wrong).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from ..errors import CompileError
from . import listing
from .ast import Call, Entry, FieldInit, Ident, ListExpr, Literal, MapExpr, Node, Select, StructExpr, Uint
from .lexis import HIDDEN_TOKEN, RESERVED
from .literals import LiteralError, LiteralValue, bytes_value, double_value, int_value, string_value, uint_value
from .macros import Expander, Expansion, MacroError, MacroKey

#: The longest expression that is parsed at all, in code points.
LONGEST = 100_000
#: How deep the rules of the grammar, and the tree, may nest.
DEEPEST = 250

_STRING, _NAME, _NUMBER, _FIELD, _END = (HIDDEN_TOKEN.groupindex[name] for name in ("string", "name", "number", "field", "end"))
_OPERATOR = HIDDEN_TOKEN.groupindex["operator"]
#: Kinds of tokens that are not named by their own text.
_KINDS = {_STRING: "string", _NAME: "name", _NUMBER: "number", _FIELD: "field", _END: "end"}
_WORDS = frozenset(("in", "true", "false", "null"))
_CONSTANTS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}

#: Kind, text, offset.
_Token = tuple[str, str, int]

# How tightly a frame on the stack binds; brackets, and the branch between `?` and `:`, are walls.
_WALL, _TERNARY, _OR, _AND, _RELATION, _SUM, _PRODUCT, _UNARY = range(8)
_BINARY: Mapping[str, tuple[int, str]] = {
    **{text: (_RELATION, f"_{text}_") for text in ("<", "<=", ">=", ">", "==", "!=")},
    "in": (_RELATION, "@in"),
    "+": (_SUM, "_+_"),
    "-": (_SUM, "_-_"),
    "*": (_PRODUCT, "_*_"),
    "/": (_PRODUCT, "_/_"),
    "%": (_PRODUCT, "_%_"),
}
_LOGIC: Mapping[str, tuple[int, str]] = {"||": (_OR, "_||_"), "&&": (_AND, "_&&_")}


class _Wrong(Exception):
    """The text is no valid expression."""


def parse(source: str, *, backticks: bool, macros: Mapping[MacroKey, Expander]) -> Node:
    """
    Parse an expression and expand its macros.

    Args:
        source: The text; lone surrogates count as U+FFFD.
        backticks: Whether fields may be written as `` `any/field` `` (Kubernetes 1.37).
        macros: The macros that exist; a call that is not among them stays a call.

    Returns:
        The tree. Its nodes are numbered and placed as cel-go does.

    Raises:
        CompileError: The text is no expression; all of cel-go's complaints are in it.

    >>> from rbln_dra.cel.macros import MACROS
    >>> parse("device.driver", backticks=False, macros=MACROS)
    Select(id=2, offset=6, operand=Ident(id=1, offset=0, name='device'), field='driver', test_only=False)
    """
    text = source
    if len(source) <= LONGEST:
        text = listing.readable(source)
        try:
            return _Parser(_tokens(text), backticks, macros).parse()
        except (_Wrong, LiteralError, MacroError):
            pass
    from . import diagnosis

    raise failure(diagnosis.complaints(text, backticks=backticks, macros=macros), source)


def failure(issues: listing.Complaints, source: str) -> CompileError:
    """Make the error for complaints about an expression: its message is the one that Kubernetes gives."""
    return CompileError("compilation failed: " + render(issues, source), listing.issues(issues, source), source)


render = listing.render


def _tokens(text: str) -> list[_Token]:
    """Cut a text into tokens."""
    tokens: list[_Token] = []
    append = tokens.append
    match = None
    for match in iter(HIDDEN_TOKEN.scanner(text).match, None):  # type: ignore[attr-defined]
        group = match.lastindex
        word = match.group(group)
        kind = word if group == _OPERATOR or word in _WORDS else _KINDS[group]
        append((kind, word, match.start(group)))
    if match is None or match.lastindex != _END:
        raise _Wrong
    return tokens


class _Frame:
    """
    Something that is open while its last part is read.

    Args:
        binds: How tightly it holds what stands before the next operator.
        kind: What it is: `binary`, `logic`, `then`, `else`, `unary`, or a bracket (a key of `_CLOSING`).
        name: Function or message type.
        id: Number of its node.
        offset: Place of its node.
        node: Its left operand, condition, receiver, or key.
        height: How deep cel-go's visitor goes into its parts so far.
    """

    __slots__ = ("binds", "height", "id", "items", "kind", "marks", "name", "node", "offset", "part")

    def __init__(self, binds: int, kind: str, name: str, id: int, offset: int, node: Node | None = None, height: int = 0) -> None:
        """Open a frame."""
        self.binds = binds
        self.kind = kind
        self.name = name
        self.id = id
        self.offset = offset
        self.node = node
        self.height = height
        #: Finished parts: arguments, elements, terms, entries, fields.
        self.items: list[Any] = []
        #: Of brackets, the indices of the optional parts; of logic, the numbers and places of the finished operators.
        self.marks: list[Any] = []
        #: Number, place and name of the entry or field that is being read.
        self.part: tuple[int, int, str] = (0, 0, "")


class _Parser:
    """One parse: `_node` is the operand that was read last, `_height` how deep cel-go's visitor goes into it."""

    __slots__ = (
        "_backticks", "_brackets", "_elses", "_height", "_macros", "_next", "_node", "_path", "_position", "_products", "_relations", "_stack",
        "_tokens",
    )  # fmt: skip

    def __init__(self, tokens: list[_Token], backticks: bool, macros: Mapping[MacroKey, Expander]) -> None:  # noqa: FBT001 - as `parse` has it
        """Begin a parse."""
        self._tokens = tokens
        self._backticks = backticks
        self._macros = macros
        self._position = 0
        self._next = 1
        self._stack = [_Frame(_WALL, "end", "", 0, 0)]
        self._node: Node = Literal(None)
        self._height = 0
        #: Index of the token where a path of plain names began, which may turn out to be a message type; -1 when the operand is anything else.
        self._path = -1
        self._brackets = self._elses = self._relations = self._products = 0

    def parse(self) -> Node:
        """Read everything."""
        tokens, stack = self._tokens, self._stack
        wanted = True
        while stack:
            kind, text, offset = tokens[self._position]
            self._position += 1
            rule = (_PREFIXES if wanted else _INFIXES).get(kind)
            if rule is None:
                raise _Wrong
            wanted = rule(self, text, offset)
        return self._node

    # What begins an operand. Every rule says whether an operand is wanted next.

    def name(self, text: str, offset: int) -> bool:
        """`ID` or `ID(…)`."""
        self._path = self._position - 1
        return self._ident(text, text, offset)

    def rooted(self, _text: str, _offset: int) -> bool:
        """`.ID` or `.ID(…)`."""
        self._path = self._position - 1
        kind, text, offset = self._tokens[self._position]
        if kind != "name":
            raise _Wrong
        self._position += 1
        return self._ident(text, "." + text, offset)

    def _ident(self, text: str, name: str, offset: int) -> bool:
        """Finish a name or begin a call."""
        if text in RESERVED and not self._names_message():
            raise _Wrong
        kind, _, place = self._tokens[self._position]
        if kind == "(":
            return self._call(name, place, None)
        self._node = Ident(name, id=self._next, offset=offset)
        self._next += 1
        self._height = 0
        return False

    def _names_message(self) -> bool:
        """Tell whether a path of names that was just begun is the type of a message, where reserved names are allowed."""
        tokens, position = self._tokens, self._position
        while tokens[position][0] == "." and tokens[position + 1][0] == "name":
            position += 2
        return tokens[position][0] == "{"

    def string(self, text: str, offset: int) -> bool:
        """A string or bytes literal."""
        return self._literal(_quoted_value(text), offset)

    def number(self, text: str, offset: int) -> bool:
        """A number."""
        return self._literal(_number_value(text), offset)

    def constant(self, text: str, offset: int) -> bool:
        """`true`, `false` or `null`."""
        return self._literal(_CONSTANTS[text], offset)

    def _literal(self, value: LiteralValue, offset: int) -> bool:
        """Finish a literal."""
        self._node = Literal(value, id=self._next, offset=offset)
        self._next += 1
        self._height = 0
        self._path = -1
        return False

    def minus(self, _text: str, offset: int) -> bool:
        """A single `-` before a number that can have a sign belongs to it."""
        count = self._run("-")
        if count == 1 and self._signed_number():
            return self.number("-" + self._tokens[self._position - 1][1], offset)
        return self._unary("-_", count, offset, ("-", "!"))

    def exclamation(self, _text: str, offset: int) -> bool:
        """After `!`, a `-` can only be the sign of a number."""
        count = self._run("!")
        kind, _, place = self._tokens[self._position]
        if kind != "-":
            return self._unary("!_", count, offset, ("!",))
        self._position += 1
        if not self._signed_number():
            raise _Wrong
        self._unary("!_", count, offset, ())
        return self.number("-" + self._tokens[self._position - 1][1], place)

    def _run(self, kind: str) -> int:
        """Go behind a run of one operator, of which the first is read, and count it."""
        begin = self._position - 1
        while self._tokens[self._position][0] == kind:
            self._position += 1
        return self._position - begin

    def _signed_number(self) -> bool:
        """Go behind a number that can have a sign, if one is next."""
        kind, text, _ = self._tokens[self._position]
        found = kind == "number" and text[-1] not in "uU"
        self._position += found
        return found

    def _unary(self, function: str, count: int, offset: int, refused: tuple[str, ...]) -> bool:
        """Open a unary operator; an even run of it is nothing."""
        if self._tokens[self._position][0] in refused:
            raise _Wrong
        if count % 2:
            self._stack.append(_Frame(_UNARY, "unary", function, self._next, offset))
            self._next += 1
        return True

    def parenthesis(self, _text: str, offset: int) -> bool:
        """`(`."""
        return self._open(_Frame(_WALL, "paren", "", 0, offset))

    def list(self, _text: str, offset: int) -> bool:
        """`[`."""
        return self._begin("list", "", offset)

    def map(self, _text: str, offset: int) -> bool:
        """`{`."""
        return self._begin("map", "", offset)

    # What may follow an operand.

    def member(self, _text: str, offset: int) -> bool:
        """`.field`, `.?field` or `.ID(…)`."""
        kind, text, place = self._advance()
        optional = kind == "?"
        if optional:
            kind, text, place = self._advance()
        if kind == "field" and self._backticks:
            text = text[1:-1]
            self._path = -1
        elif kind != "name":
            raise _Wrong
        elif not optional and self._tokens[self._position][0] == "(":
            return self._call(text, self._tokens[self._position][2], self._node)
        if optional:
            field = Literal(text, id=self._next, offset=place)
            self._node = Call("_?._", (self._node, field), id=self._next + 1, offset=offset)
            self._next += 2
            self._path = -1
        else:
            self._node = Select(self._node, text, id=self._next, offset=offset)
            self._next += 1
        return self._rise(self._height)

    def index(self, _text: str, offset: int) -> bool:
        """`[index]` or `[?index]`."""
        optional = self._tokens[self._position][0] == "?"
        self._position += optional
        frame = _Frame(_WALL, "index", "_[?_]" if optional else "_[_]", self._next, offset, self._node, self._height)
        self._next += 1
        return self._open(frame)

    def message(self, _text: str, offset: int) -> bool:
        """`{` after a path of plain names, which were no nodes then: the numbers that they took are given back."""
        if self._path < 0:
            raise _Wrong
        path = self._tokens[self._path : self._position - 1]
        self._next -= sum(kind == "name" for kind, _, _ in path)
        return self._begin("message", "".join(text for _, text, _ in path), offset)

    def binary(self, text: str, offset: int) -> bool:
        """An operator that groups to the left."""
        binds, function = _BINARY[text]
        self._reduce(binds)
        self._stack.append(_Frame(binds, "binary", function, self._next, offset, self._node, self._height))
        self._next += 1
        if binds == _RELATION:
            self._relations += 1
        else:
            self._products += 1
        return self._descend()

    def logic(self, text: str, offset: int) -> bool:
        """`&&` or `||`: the terms of a chain are collected first."""
        binds, function = _LOGIC[text]
        self._reduce(binds + 1)
        frame = self._stack[-1]
        if frame.binds == binds:
            self._term(frame)
            frame.offset = offset
        else:
            frame = _Frame(binds, "logic", function, 0, offset, None, self._height)
            frame.items.append(self._node)
            self._stack.append(frame)
        return True

    def question(self, _text: str, offset: int) -> bool:
        """`?` after a condition; not between another `?` and its `:`."""
        self._reduce(_OR)
        if self._stack[-1].kind == "then":
            raise _Wrong
        self._stack.append(_Frame(_WALL, "then", "_?_:_", self._next, offset, self._node, self._height))
        self._next += 1
        return True

    def colon(self, _text: str, offset: int) -> bool:
        """`:` of a conditional, or behind the key of a map's entry."""
        self._reduce(_OR)
        frame = self._stack[-1]
        if frame.kind == "then":
            frame.kind, frame.binds = "else", _TERNARY
            frame.items.append(self._node)
            frame.height = max(frame.height, self._height)
            self._elses += 1
            return self._descend()
        self._reduce(_TERNARY)
        frame = self._stack[-1]
        if frame.kind != "map" or frame.node is not None:
            raise _Wrong
        frame.node = self._node
        frame.height = max(frame.height, self._height)
        frame.part = (frame.part[0], offset, "")
        return True

    def comma(self, _text: str, _offset: int) -> bool:
        """`,` between the parts of a bracket, or behind the last of them."""
        self._reduce(_TERNARY)
        frame = self._stack[-1]
        if frame.kind not in _MANY:
            raise _Wrong
        self._part(frame)
        if frame.kind == "call":
            return True
        if self._tokens[self._position][0] == _CLOSING[frame.kind]:
            self._position += 1
            self._stack.pop()
            self._brackets -= 1
            return self._finish(frame)
        return self._enter(frame)

    def closing(self, text: str, _offset: int) -> bool:
        """A closing bracket, or the end of the text."""
        self._reduce(_TERNARY)
        frame = self._stack.pop()
        if _CLOSING.get(frame.kind) != text:
            raise _Wrong
        self._brackets -= 1
        self._path = -1
        if frame.kind in _MANY:
            self._part(frame)
            return self._finish(frame)
        if frame.node is not None:
            self._node = Call(frame.name, (frame.node, self._node), id=frame.id, offset=frame.offset)
            return self._rise(max(frame.height, self._height))
        return False

    # Brackets.

    def _advance(self) -> _Token:
        """Take the next token."""
        token = self._tokens[self._position]
        self._position += 1
        return token

    def _call(self, name: str, offset: int, target: Node | None) -> bool:
        """Begin a call, at its parenthesis."""
        self._position += 1
        frame = _Frame(_WALL, "call", name, self._next, offset, target, self._height if target else 0)
        self._next += 1
        if self._tokens[self._position][0] == ")":
            self._position += 1
            return self._finish(frame)
        return self._open(frame)

    def _begin(self, kind: str, name: str, offset: int) -> bool:
        """Begin a list, map or message, which may be empty or hold nothing but a comma."""
        frame = _Frame(_WALL, kind, name, self._next, offset)
        self._next += 1
        comma = self._tokens[self._position][0] == ","
        if self._tokens[self._position + comma][0] == _CLOSING[kind]:
            self._position += 1 + comma
            return self._finish(frame)
        self._open(frame)
        return self._enter(frame)

    def _open(self, frame: _Frame) -> bool:
        """Go into a bracket."""
        self._stack.append(frame)
        self._brackets += 1
        return self._descend()

    def _enter(self, frame: _Frame) -> bool:
        """Begin an element, entry or field."""
        kind = self._tokens[self._position][0]
        if kind == "?":
            self._position += 1
            frame.marks.append(len(frame.items))
        if frame.kind == "map":
            frame.part = (self._next, 0, "")
            self._next += 1
        elif frame.kind == "message":
            kind, text, _ = self._advance()
            if kind == "field" and self._backticks:
                text = text[1:-1]
            elif kind != "name":
                raise _Wrong
            kind, _, offset = self._advance()
            if kind != ":":
                raise _Wrong
            frame.part = (self._next, offset, text)
            self._next += 1
        return True

    def _part(self, frame: _Frame) -> None:
        """Finish an argument, element, entry or field."""
        part: Node = self._node
        frame.height = max(frame.height, self._height)
        if frame.kind in ("map", "message"):
            number, offset, name = frame.part
            optional = frame.marks[-1:] == [len(frame.items)]
            if frame.kind == "message":
                part = FieldInit(name, part, optional, id=number, offset=offset)
            elif frame.node is None:
                raise _Wrong
            else:
                part = Entry(frame.node, part, optional, id=number, offset=offset)
                frame.node = None
        frame.items.append(part)

    def _finish(self, frame: _Frame) -> bool:
        """Make the node of a call, list, map or message."""
        self._path = -1
        self._height = frame.height
        parts = tuple(frame.items)
        if frame.kind == "call":
            self._node = self._expanded(frame, parts)
            return self._rise(frame.height) if frame.node is not None else False
        if frame.kind == "list":
            self._node = ListExpr(parts, tuple(frame.marks), id=frame.id, offset=frame.offset)
        elif frame.kind == "map":
            self._node = MapExpr(parts, id=frame.id, offset=frame.offset)
        else:
            self._node = StructExpr(frame.name, parts, id=frame.id, offset=frame.offset)
        return False

    def _expanded(self, frame: _Frame, args: tuple[Node, ...]) -> Node:
        """Give the expansion of a call, or the call."""
        expander = self._macros.get((frame.name, len(args), frame.node is not None))
        if expander is not None:
            made = Expansion(frame.offset, self._next)
            expansion = expander(made, frame.node, args)
            self._next = made.next_id
            if expansion is not None:
                return expansion
        return Call(frame.name, args, frame.node, id=frame.id, offset=frame.offset)

    # Operators.

    def _reduce(self, binds: int) -> None:
        """Finish all operators on top of the stack that bind at least so tightly."""
        stack = self._stack
        while stack[-1].binds >= binds:
            frame = stack.pop()
            kind = frame.kind
            if kind == "unary":
                self._node = Call(frame.name, (self._node,), id=frame.id, offset=frame.offset)
            elif kind == "binary":
                self._node = Call(frame.name, (cast("Node", frame.node), self._node), id=frame.id, offset=frame.offset)
                self._rise(max(frame.height, self._height))
                if frame.binds == _RELATION:
                    self._relations -= 1
                else:
                    self._products -= 1
            elif kind == "logic":
                self._term(frame)
                self._node = _balanced(frame.name, frame.items, frame.marks)
                self._height = frame.height
            else:
                self._elses -= 1
                self._node = Call(frame.name, (cast("Node", frame.node), frame.items[0], self._node), id=frame.id, offset=frame.offset)
                self._rise(max(frame.height, self._height))

    def _term(self, frame: _Frame) -> None:
        """Finish a term of a chain; its operator is numbered after it."""
        frame.items.append(self._node)
        frame.marks.append((self._next, frame.offset))
        self._next += 1
        frame.height = max(frame.height, self._height)

    def _descend(self) -> bool:
        """Refuse to nest too deep in what will now be read: expressions, relations and sums each have their own count in cel-go."""
        if self._brackets + max(self._elses, self._relations, self._products) >= DEEPEST:
            raise _Wrong
        return True

    def _rise(self, height: int) -> bool:
        """Count a node that cel-go's visitor counts."""
        self._height = height + 1
        if height >= DEEPEST:
            raise _Wrong
        return False


def _number_value(text: str) -> int | Uint | float:
    """Give the value of a number with or without its sign."""
    if text[-1] in "uU":
        return uint_value(text)
    if text.startswith(("0x", "-0x")) or not _DOUBLE.search(text):
        return int_value(text)
    return double_value(text)


def _quoted_value(text: str) -> str | bytes:
    """Give the value of a string or bytes literal."""
    return bytes_value(text) if text[0] in "bB" else string_value(text)


def _balanced(function: str, terms: list[Node], operators: list[tuple[int, int]]) -> Node:
    """Make a tree of least height from a chain, as cel-go does: `a && b && c && d` becomes `(a && b) && (c && d)`."""
    if not operators:
        return terms[0]
    middle = len(operators) // 2
    number, offset = operators[middle]
    left = _balanced(function, terms[: middle + 1], operators[:middle])
    right = _balanced(function, terms[middle + 1 :], operators[middle + 1 :])
    return Call(function, (left, right), id=number, offset=offset)


_DOUBLE = re.compile("[.eE]")
_CLOSING = {"end": "", "paren": ")", "call": ")", "list": "]", "index": "]", "map": "}", "message": "}"}
#: Brackets with any number of parts.
_MANY = frozenset(("call", "list", "map", "message"))
_Rule = Callable[[_Parser, str, int], bool]
_PREFIXES: Mapping[str, _Rule] = {
    "name": _Parser.name,
    ".": _Parser.rooted,
    "string": _Parser.string,
    "number": _Parser.number,
    **dict.fromkeys(_CONSTANTS, _Parser.constant),
    "-": _Parser.minus,
    "!": _Parser.exclamation,
    "(": _Parser.parenthesis,
    "[": _Parser.list,
    "{": _Parser.map,
}
_INFIXES: Mapping[str, _Rule] = {
    ".": _Parser.member,
    "[": _Parser.index,
    "{": _Parser.message,
    **dict.fromkeys(_BINARY, _Parser.binary),
    **dict.fromkeys(_LOGIC, _Parser.logic),
    "?": _Parser.question,
    ":": _Parser.colon,
    ",": _Parser.comma,
    **dict.fromkeys((")", "]", "}", "end"), _Parser.closing),
}
