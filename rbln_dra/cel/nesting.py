"""
Room: how deep an expression is nested, and room for Python to recurse so deep.

The stages of compiling recurse into an expression. The parser lets 250 levels through, and macros add some: more frames than Python's limit of 1000
lets a function take.

May touch: `ast`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import TypeVar

from .ast import Call, Comprehension, ListExpr, MapExpr, Node, Select, StructExpr

T = TypeVar("T")
#: Python frames that a stage takes at most for one level.
_FRAMES = 12


def recursing(stage: Callable[[], T], root: Node) -> T:
    """Run a stage of compiling, with more frames if it needs them. Python's limit is only ever raised."""
    try:
        return stage()
    except RecursionError:
        make_room(depth(root), frames=_FRAMES, free=0)
        return stage()


def make_room(levels: int, *, frames: int, free: int = 200) -> None:
    """Let Python recurse into so many levels, of so many frames each, if that is more than are free anyway. Its limit is only ever raised."""
    needed = levels * frames
    if needed > free:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _frames() + needed))


def depth(root: Node) -> int:
    """
    Give the number of levels of an expression, without recursing.

    >>> from rbln_dra.cel.ast import Ident, Select
    >>> depth(Select(Select(Ident("a"), "b"), "c"))
    3
    """
    deepest, waiting = 0, [(root, 1)]
    while waiting:
        node, level = waiting.pop()
        deepest = max(deepest, level)
        waiting.extend((child, level + 1) for child in children(node))
    return deepest


def children(node: Node) -> Sequence[Node]:
    """Give the expressions directly below one, in the order in which cel-go visits them."""
    if isinstance(node, Select):
        return (node.operand,)
    if isinstance(node, Call):
        return node.args if node.target is None else (node.target, *node.args)
    if isinstance(node, ListExpr):
        return node.elements
    if isinstance(node, MapExpr):
        return [part for entry in node.entries for part in (entry.key, entry.value)]
    if isinstance(node, StructExpr):
        return [field.value for field in node.fields]
    if isinstance(node, Comprehension):
        return (node.iter_range, node.accu_init, node.loop_condition, node.loop_step, node.result)
    return ()


def _frames() -> int:
    """Count the frames that are taken now."""
    count = 0
    frame: FrameType | None = sys._getframe()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - the only way to count them
    while frame is not None:
        count, frame = count + 1, frame.f_back
    return count
