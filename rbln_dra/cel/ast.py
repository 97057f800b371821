"""
Room: the syntax tree that the parser builds and everything else reads.

Macros are expanded before the tree is handed on, as in cel-go, so that the nodes, and with them types, costs and positions, are those of cel-go.
Nodes are frozen. `id` (from 1, unique in one expression) and `offset` (code points from the start of the expression) take no part in equality:
two expressions are equal when they mean the same, wherever their parts stand.

May touch: nothing.
"""

from __future__ import annotations

import attrs


class Uint(int):
    """An unsigned 64-bit integer literal or value: `Uint(1)` is not the CEL value `1`."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Render as CEL does."""
        return f"{int(self)}u"


@attrs.frozen(slots=True)
class Node:
    """
    What all nodes have.

    Args:
        id: Number of the node, from 1.
        offset: Where cel-go reports the node to stand, in code points from 0.
    """

    id: int = attrs.field(eq=False, kw_only=True, default=0)
    offset: int = attrs.field(eq=False, kw_only=True, default=0)


@attrs.frozen(slots=True)
class Literal(Node):
    """
    A constant.

    Args:
        value: `None`, `bool`, `int`, `Uint`, `float`, `str` or `bytes`.
    """

    value: bool | int | float | str | bytes | None = attrs.field(eq=lambda value: (type(value).__name__, repr(value)))


@attrs.frozen(slots=True)
class Ident(Node):
    """A name, `device` or a variable of a macro; with a leading dot when it was written so (`.device`)."""

    name: str


@attrs.frozen(slots=True)
class Select(Node):
    """A field of an operand: `operand.field`, or `has(operand.field)` when `test_only`."""

    operand: Node
    field: str
    test_only: bool = False


@attrs.frozen(slots=True)
class Call(Node):
    """
    A function call: an operator, a global function, or a member function when `target` is set.

    Operators are `_==_`, `_&&_`, `_?_:_`, `_[_]`, `_?._`, `_[?_]`, `!_`, `-_`, `@in` and their like.

    A qualified global function (`sets.contains(x, y)`) is parsed as a member of an identifier; the checker resolves it, as in cel-go.
    """

    function: str
    args: tuple[Node, ...]
    target: Node | None = None


@attrs.frozen(slots=True)
class ListExpr(Node):
    """A list literal; `optional` holds the indices of the elements that were written `?element`."""

    elements: tuple[Node, ...]
    optional: tuple[int, ...] = ()


@attrs.frozen(slots=True)
class Entry(Node):
    """One entry of a map literal, `?key: value` when `optional`."""

    key: Node
    value: Node
    optional: bool = False


@attrs.frozen(slots=True)
class MapExpr(Node):
    """A map literal."""

    entries: tuple[Entry, ...]


@attrs.frozen(slots=True)
class FieldInit(Node):
    """One field of a message literal, `?field: value` when `optional`."""

    field: str
    value: Node
    optional: bool = False


@attrs.frozen(slots=True)
class StructExpr(Node):
    """A message literal, `type_name{field: value}`."""

    type_name: str
    fields: tuple[FieldInit, ...]


@attrs.frozen(slots=True)
class Comprehension(Node):
    """
    What the loop macros expand to.

    Args:
        iter_range: What is looped over.
        iter_var: The element's (or key's) variable.
        accu_var: The accumulator's variable: `@result` in cel-go.
        accu_init: Its first value.
        loop_condition: Go on while it is true.
        loop_step: The accumulator's next value.
        result: The value of the whole.
        iter_var2: The value's variable in the two-variable macros, where `iter_var` is the index or key; `None` otherwise.
    """

    iter_range: Node
    iter_var: str
    accu_var: str
    accu_init: Node
    loop_condition: Node
    loop_step: Node
    result: Node
    iter_var2: str | None = None
