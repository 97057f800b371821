"""
Room: from cel-python's tree back to the text that it was parsed from.

The tree keeps the words of the text and their places, and of the punctuation what its rules say. Every word is put where it stood, and the
punctuation between them, so that lines and columns of the text are those of the original. A tree that an application has changed has no such
places everywhere; its text is then as plain as it can be, with parentheses where the tree's shape needs them.

The nodes are taken as they come: anything with `data` and `children`. Nothing here imports cel-python or lark.

May touch: nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

_WORD = re.compile(r"\w")
# How tightly a rule's text holds together.
_CONDITIONAL, _OR, _AND, _RELATION, _SUM, _PRODUCT, _UNARY, _MEMBER = range(8)


class NotAnExpression(Exception):
    """A tree that is none of cel-python's; it never leaves `cel`."""


@attrs.frozen
class _Piece:
    """
    A word or a sign.

    Args:
        text: The text.
        place: Where it stands: offset from 0, line from 1, column from 1; `None` where the tree does not say.
        before: It likes a space before it.
        after: It likes a space after it.
    """

    text: str
    place: tuple[int, int, int] | None = None
    before: bool = False
    after: bool = False


@attrs.frozen
class _Part:
    """
    A tree that stands at a place that needs parentheses around whatever holds together less tightly.

    Args:
        tree: The tree.
        binds: How tightly it must hold together.
    """

    tree: Any
    binds: int


_Parts: TypeAlias = "list[_Piece | _Part]"


def text_of(tree: Any) -> str:
    """
    Write a tree of cel-python as a text.

    Raises:
        NotAnExpression: It is no such tree.
    """
    written = _Writing()
    waiting: _Parts = [_Part(tree, _CONDITIONAL)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, _Piece):
            written.add(part)
        else:
            waiting += reversed(_expanded(part))
    return written.finished()


def _expanded(part: _Part) -> _Parts:
    """Give what a tree consists of."""
    tree = part.tree
    while True:
        rule, children = getattr(tree, "data", None), getattr(tree, "children", None)
        if not isinstance(children, list):
            raise NotAnExpression(f"{tree!r:.80} is no tree")
        if rule not in _CHAINS or len(children) != 1:
            break
        tree = children[0]
    entry = _RULES.get(str(rule))
    if entry is None:
        raise NotAnExpression(f"no rule is called {rule!r:.80}")
    binds, write = entry
    try:
        parts = write(tree, children)
    except (KeyError, ValueError, AttributeError):
        raise NotAnExpression(f"{rule} has {len(children)} parts of other kinds") from None
    return [_Piece("("), *parts, _Piece(")")] if binds < part.binds else parts


class _Writing:
    """A text that is being written."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._offset, self._line = 0, 1
        #: Pieces of which only what comes next says how much room they have.
        self._pending: list[_Piece] = []

    def add(self, piece: _Piece) -> None:
        """Add a piece."""
        if piece.place is None:
            self._pending.append(piece)
        else:
            self._flush(piece.place)
            self._put(piece.text)

    def finished(self) -> str:
        """Give the text."""
        self._flush(None)
        return "".join(self._texts)

    def _put(self, text: str) -> None:
        if self._texts and _WORD.match(text) and _WORD.match(self._texts[-1][-1:]):
            text = " " + text
        self._texts.append(text)
        self._offset += len(text)
        self._line += text.count("\n")

    def _flush(self, place: tuple[int, int, int] | None) -> None:
        """Write what was kept back, with as many of the spaces that it likes as there is room for, and go to the place of what comes next."""
        room = sum(piece.before + piece.after for piece in self._pending)
        if place is not None and place[0] >= self._offset:
            offset, line, column = place
            indent = line - self._line + column - 1 if line > self._line else 0
            room = min(room, offset - indent - self._offset - sum(len(piece.text) for piece in self._pending))
        for piece in self._pending:
            for wish, text in ((piece.before, " "), (True, piece.text), (piece.after, " ")):
                if text != " " or (wish and room > 0):
                    self._put(text)
                    room -= text == " "
        self._pending.clear()
        if place is not None:
            self._go(place)

    def _go(self, place: tuple[int, int, int]) -> None:
        """Go to a place, over as many lines as there are; if it is behind, only keep apart from what is there."""
        offset, line, column = place
        distance, lines = offset - self._offset, line - self._line
        if distance < 0 or lines < 0 or (lines and distance < lines + column - 1):
            self._put("" if self._texts[-1].endswith(" ") else " ")
        elif lines:
            self._put(" " * (distance - lines - column + 1) + "\n" * lines + " " * (column - 1))
        else:
            self._put(" " * distance)


# Places.


def _word(token: Any) -> _Piece:
    """Give a word as it was written."""
    if not isinstance(token, str):
        raise NotAnExpression(f"{token!r:.80} is no word")
    place = getattr(token, "start_pos", None), getattr(token, "line", None), getattr(token, "column", None)
    return _Piece(str(token), _whole(place))


def _dotted(token: Any) -> _Piece:
    """Give a name with the dot before it, which most likely stands right there."""
    word = _word(token)
    if word.place is None:
        return _Piece(f".{word.text}")
    offset, line, column = word.place
    return _Piece(f".{word.text}", (offset - 1, line, max(1, column - 1)))


def _at_start(tree: Any, text: str) -> _Piece:
    """Give a sign that begins a tree."""
    meta = getattr(tree, "meta", None)
    return _Piece(text, _whole(tuple(getattr(meta, name, None) for name in ("start_pos", "line", "column"))))


def _at_end(tree: Any, text: str) -> _Piece:
    """Give a sign that ends a tree."""
    meta = getattr(tree, "meta", None)
    place = _whole(tuple(getattr(meta, name, None) for name in ("end_pos", "end_line", "end_column")))
    return _Piece(text, place and (place[0] - len(text), place[1], place[2] - len(text)))


def _whole(place: tuple[Any, ...]) -> tuple[int, int, int] | None:
    """Take a place only if all of it is known."""
    offset, line, column = place
    return (offset, line, column) if all(type(number) is int for number in place) else None


# Rules: a tree and its children in, its pieces and parts out.


def _between(sign: str) -> _Piece:
    """Give an operator of which the tree does not say where it stands."""
    return _Piece(sign, before=True, after=True)


def _conditional(_: Any, children: Sequence[Any]) -> _Parts:
    condition, yes, no = children
    return [_Part(condition, _OR), _between("?"), _Part(yes, _OR), _between(":"), _Part(no, _CONDITIONAL)]


def _chain(sign: str, binds: int) -> Callable[[Any, Sequence[Any]], _Parts]:
    """Give the rule of `||` or `&&`, of which the tree does not say where it stands."""

    def write(_: Any, children: Sequence[Any]) -> _Parts:
        left, right = children
        return [_Part(left, binds), _between(sign), _Part(right, binds + 1)]

    return write


def _binary(binds: int) -> Callable[[Any, Sequence[Any]], _Parts]:
    """Give the rule of other operators: the left side and the sign are a tree of their own."""

    def write(_: Any, children: Sequence[Any]) -> _Parts:
        head, right = children
        (left,) = head.children
        sign = _SIGNS[str(head.data)]
        return [_Part(left, binds), attrs.evolve(_at_end(head, sign), before=True, after=True), _Part(right, binds + 1)]

    return write


def _unary(_: Any, children: Sequence[Any]) -> _Parts:
    sign, operand = children
    return [_at_start(sign, _SIGNS[str(sign.data)]), _Part(operand, _UNARY)]


def _field(_: Any, children: Sequence[Any]) -> _Parts:
    operand, name = children
    return [_Part(operand, _MEMBER), _dotted(name)]


def _listed(parts: Sequence[_Part | _Piece]) -> _Parts:
    """Put commas between."""
    listed: _Parts = []
    for part in parts:
        listed += [_Piece(",", after=True), part] if listed else [part]
    return listed


def _arguments(tree: Any, lists: Sequence[Any], brackets: str) -> _Parts:
    """Write what may be between brackets, the last of which ends the tree."""
    (*inner,) = (_Part(one, _CONDITIONAL) for one in lists)
    if len(inner) > 1:
        raise ValueError
    return [_Piece(brackets[0]), *inner, _at_end(tree, brackets[1])]


def _method(tree: Any, children: Sequence[Any]) -> _Parts:
    operand, name, *lists = children
    return [_Part(operand, _MEMBER), _dotted(name), *_arguments(tree, lists, "()")]


def _index(tree: Any, children: Sequence[Any]) -> _Parts:
    operand, *lists = children
    return [_Part(operand, _MEMBER), *_arguments(tree, lists, "[]")]


def _message(tree: Any, children: Sequence[Any]) -> _Parts:
    operand, *lists = children
    return [_Part(operand, _MEMBER), *_arguments(tree, lists, "{}")]


def _call(tree: Any, children: Sequence[Any]) -> _Parts:
    name, *lists = children
    return [_word(name), *_arguments(tree, lists, "()")]


def _rooted_call(tree: Any, children: Sequence[Any]) -> _Parts:
    return [_at_start(tree, "."), *_call(tree, children)]


def _name(_: Any, children: Sequence[Any]) -> _Parts:
    (name,) = children
    return [_word(name)]


def _rooted(tree: Any, children: Sequence[Any]) -> _Parts:
    return [_at_start(tree, "."), *_name(tree, children)]


def _bracketed(brackets: str) -> Callable[[Any, Sequence[Any]], _Parts]:
    """Give the rule of what stands between brackets."""

    def write(tree: Any, children: Sequence[Any]) -> _Parts:
        opening, *rest = _arguments(tree, children, brackets)
        assert isinstance(opening, _Piece)  # noqa: S101 - it is the bracket
        return [_at_start(tree, opening.text), *rest]

    return write


def _expressions(_: Any, children: Sequence[Any]) -> _Parts:
    return _listed([_Part(child, _CONDITIONAL) for child in children])


def _fields(_: Any, children: Sequence[Any]) -> _Parts:
    return _pairs([(_word(name), _Part(value, _CONDITIONAL)) for name, value in zip(children[::2], children[1::2], strict=True)])


def _entries(_: Any, children: Sequence[Any]) -> _Parts:
    return _pairs([(_Part(key, _CONDITIONAL), _Part(value, _CONDITIONAL)) for key, value in zip(children[::2], children[1::2], strict=True)])


def _pairs(pairs: Sequence[tuple[_Piece | _Part, _Part]]) -> _Parts:
    """Write keys and values."""
    written: _Parts = []
    for key, value in pairs:
        written += [*([_Piece(",", after=True)] if written else []), key, _Piece(":", after=True), value]
    return written


_SIGNS: Mapping[str, str] = {
    "relation_lt": "<",
    "relation_le": "<=",
    "relation_gt": ">",
    "relation_ge": ">=",
    "relation_eq": "==",
    "relation_ne": "!=",
    "relation_in": "in",
    "addition_add": "+",
    "addition_sub": "-",
    "multiplication_mul": "*",
    "multiplication_div": "/",
    "multiplication_mod": "%",
    "unary_not": "!",
    "unary_neg": "-",
}
#: Rules that with one part only stand for that.
_CHAINS = frozenset(("expr", "conditionalor", "conditionaland", "relation", "addition", "multiplication", "unary", "member", "primary"))
_RULES: Mapping[str, tuple[int, Callable[[Any, Sequence[Any]], _Parts]]] = {
    "expr": (_CONDITIONAL, _conditional),
    "conditionalor": (_OR, _chain("||", _OR)),
    "conditionaland": (_AND, _chain("&&", _AND)),
    "relation": (_RELATION, _binary(_RELATION)),
    "addition": (_SUM, _binary(_SUM)),
    "multiplication": (_PRODUCT, _binary(_PRODUCT)),
    "unary": (_UNARY, _unary),
    "member_dot": (_MEMBER, _field),
    "member_dot_arg": (_MEMBER, _method),
    "member_index": (_MEMBER, _index),
    "member_object": (_MEMBER, _message),
    "literal": (_MEMBER, _name),
    "ident": (_MEMBER, _name),
    "ident_arg": (_MEMBER, _call),
    "dot_ident": (_MEMBER, _rooted),
    "dot_ident_arg": (_MEMBER, _rooted_call),
    "paren_expr": (_MEMBER, _bracketed("()")),
    "list_lit": (_MEMBER, _bracketed("[]")),
    "map_lit": (_MEMBER, _bracketed("{}")),
    "exprlist": (_MEMBER, _expressions),
    "fieldinits": (_MEMBER, _fields),
    "mapinits": (_MEMBER, _entries),
}
