"""
Room: reading a checked expression as a person does: its parts, and what they ask of the device.

May touch: `cel`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from ..cel import nesting
from ..cel.ast import Call, Comprehension, Ident, ListExpr, Literal, Node, Select

#: What stands for the value of a node that was not evaluated.
UNSEEN: Final = object()

#: Names that a field can have without quotes.
_FIELD: Final = re.compile(r"(?!(?:true|false|null|in)\Z)[A-Za-z_][A-Za-z0-9_]*")

#: Calls that go one step down from their first argument.
_STEPS: Final = frozenset({"_[_]", "_[?_]", "_?._"})


@attrs.frozen
class Place:
    """
    A place below `device` that an expression names.

    Args:
        node: The node that names it.
        root: The id under which the evaluator notes its value: that of the name at its beginning.
        path: Fields and keys from `device` down: `("attributes", "npu.rebellions.ai", "type")`.
    """

    node: Node
    root: int
    path: tuple[str, ...]

    def named(self, driver: str) -> str:
        """
        Name an attribute or a capacity as it is published by a driver, and anything else by its path.

        >>> Place(Ident("device"), 1, ("attributes", "npu.rebellions.ai", "type")).named("npu.rebellions.ai")
        'type'
        """
        if not self.leaf:
            return self.expression
        _, domain, id_, *rest = self.path
        return ".".join((id_ if domain == driver else f"{domain}/{id_}", *rest))

    @property
    def leaf(self) -> bool:
        """Whether it is one attribute or capacity, or a part of one."""
        return len(self.path) >= 3 and self.path[0] in {"attributes", "capacity"}

    @property
    def expression(self) -> str:
        """
        Write it with `device` at the beginning, whatever name `cel.bind` has given it.

        >>> Place(Ident("device"), 1, ("attributes", "npu.rebellions.ai", "type")).expression
        'device.attributes["npu.rebellions.ai"].type'
        """
        return "device" + "".join(f".{key}" if _FIELD.fullmatch(key) else f"[{json.dumps(key, ensure_ascii=False)}]" for key in self.path)

    def value(self, seen: Mapping[int, Any]) -> Any:
        """Give its value; `UNSEEN` when it was not evaluated."""
        return seen[self.root] if self.root in seen else seen.get(self.node.id, UNSEEN)


@attrs.frozen
class Scope:
    """
    What the names of an expression stand for.

    Args:
        bound: The places that `cel.bind` has given names.
    """

    bound: Mapping[str, tuple[str, ...] | None] = attrs.field(factory=dict[str, "tuple[str, ...] | None"])

    def place(self, node: Node) -> Place | None:
        """Give the place below `device` that a node names; `None` when it names none."""
        keys: list[str] = []
        at = node
        while not isinstance(at, Ident):
            if isinstance(at, Select):
                keys.append(at.field)
                at = at.operand
            elif isinstance(at, Call) and at.function in _STEPS and isinstance(at.args[1], Literal) and isinstance(at.args[1].value, str):
                keys.append(at.args[1].value)
                at = at.args[0]
            else:
                return None
        start = self.bound.get(at.name) if at.name in self.bound else () if at.name in {"device", ".device"} else None
        return None if start is None else Place(node, at.id, (*start, *reversed(keys)))

    def below(self, node: Comprehension) -> Scope:
        """Give the scope inside a macro."""
        names: dict[str, tuple[str, ...] | None] = dict.fromkeys((node.iter_var, node.accu_var, *([node.iter_var2] if node.iter_var2 else [])))
        if binding(node):
            place = self.place(node.accu_init)
            names[node.accu_var] = None if place is None else place.path
        return Scope({**self.bound, **names})


def source_of(node: Node) -> str:
    """Write a node in CEL again."""
    from ..cel.unparse import unparse  # a verdict alone needs none

    return unparse(node)


def binding(node: Node) -> bool:
    """Tell whether a node is `cel.bind`, which is expanded to a loop that never runs."""
    return isinstance(node, Comprehension) and isinstance(node.iter_range, ListExpr) and not node.iter_range.elements


def children(node: Node) -> Sequence[Node]:
    """Give the parts of a node that have one value each: of a macro that loops, only what it loops over."""
    if isinstance(node, Comprehension):
        return (node.accu_init, node.result) if binding(node) else (node.iter_range,)
    return nesting.children(node)


def parts(node: Node, scope: Scope) -> Iterator[tuple[Node, Scope]]:
    """Give the parts of a node, each with what its names stand for."""
    inner = scope.below(node) if isinstance(node, Comprehension) else scope
    for index, child in enumerate(children(node)):
        yield child, scope if index == 0 else inner


def places(node: Node, scope: Scope) -> Iterator[Place]:
    """Give the places that an expression names, outermost nodes only, in their order."""
    place = scope.place(node)
    if place is not None:
        yield place
        return
    for part, inner in parts(node, scope):
        yield from places(part, inner)
