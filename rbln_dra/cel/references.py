"""
Room: what of a device a program can read, so that devices that are alike in that need one evaluation only.

May touch: `ast`, `checker`, `nesting`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import attrs

from .ast import Call, Comprehension, Ident, ListExpr, Literal, MapExpr, Node, Select, StructExpr
from .checker import Checked
from .nesting import recursing

#: Domain and id; `None` in place of either means: any, since it is computed, looped over or counted.
Key: TypeAlias = tuple[str | None, str | None]


@attrs.frozen
class References:
    """
    What a program can read of a device.

    A pair is a domain and an id. `("npu.rebellions.ai", None)` means: everything of that domain; `(None, None)`: everything. A name that a device
    publishes without a domain is in its driver's, so which values a pair means depends on the driver, too. An attribute that cannot be read at all
    (no value, a version that is none) is an error for every program, whatever it reads.

    Args:
        attributes: The attributes that can make a difference.
        capacities: The capacities that can.
        driver: Whether `device.driver` can.
        allow_multiple_allocations: Whether `device.allowMultipleAllocations` can.

    >>> from rbln_dra import cel
    >>> sorted(cel.compile('device.attributes["a.example"].x == 1 && "b.example" in device.attributes').references.attributes, key=str)
    [('a.example', 'x'), ('b.example', None)]
    """

    attributes: frozenset[Key] = frozenset()
    capacities: frozenset[Key] = frozenset()
    driver: bool = False
    allow_multiple_allocations: bool = False


#: A place below `device`: the names that lead there.
_Path: TypeAlias = tuple[str | None, ...]


def references(checked: Checked) -> References:
    """Find what an expression can read."""
    found = recursing(lambda: set(_Reader().read(checked.expression)), checked.expression)
    whole = () in found
    return References(
        attributes=_keys(found, "attributes", whole=whole),
        capacities=_keys(found, "capacity", whole=whole),
        driver=whole or ("driver",) in found,
        allow_multiple_allocations=whole or ("allowMultipleAllocations",) in found,
    )


def _keys(found: set[_Path], field: str, *, whole: bool) -> frozenset[Key]:
    """Give the pairs below a field, without those that a wider one covers."""
    keys: set[Key] = {(None, None)} if whole else set()
    for path in found:
        if path[:1] == (field,):
            _, domain, id_ = (*path, None, None)[:3]
            keys.add((None, None) if domain is None else (domain, id_))
    if (None, None) in keys:
        return frozenset({(None, None)})
    return frozenset((domain, id_) for domain, id_ in keys if id_ is None or (domain, None) not in keys)


class _Reader:
    """Follows names, fields and indices from `device` to what is read in the end."""

    def __init__(self) -> None:
        self._bound: list[dict[str, _Path | None]] = []

    def read(self, node: Node) -> Iterator[_Path]:
        """Give what a node's value can depend on."""
        path = self._path(node)
        if path is not None:
            yield path
            yield from self._keys_read(node)
            return
        yield from _PARTS[type(node)](self, node)

    def _path(self, node: Node) -> _Path | None:
        """Give the place that a node names; `None` when it names none."""
        if isinstance(node, Ident):
            for scope in reversed(self._bound) if not node.name.startswith(".") else ():
                if node.name in scope:
                    return scope[node.name]
            return () if node.name in ("device", ".device") else None
        if isinstance(node, Select):
            return self._below(node.operand, node.field)
        if isinstance(node, Call) and node.function in _STEPS and node.target is None:
            key = node.args[1]
            return self._below(node.args[0], key.value if isinstance(key, Literal) and isinstance(key.value, str) else None)
        if isinstance(node, Call) and node.function == "@in":
            key = node.args[0]
            return self._below(node.args[1], key.value if isinstance(key, Literal) and isinstance(key.value, str) else None)
        return None

    def _below(self, node: Node, name: str | None) -> _Path | None:
        path = self._path(node)
        return None if path is None else (*path, name)

    def _keys_read(self, node: Node) -> Iterator[_Path]:
        """Give what the keys on the way to a place depend on."""
        if isinstance(node, Select):
            yield from self._keys_read(node.operand)
        elif isinstance(node, Call):
            operand, key = node.args if node.function != "@in" else reversed(node.args)
            yield from self.read(key)
            yield from self._keys_read(operand)

    def loop(self, node: Comprehension) -> Iterator[_Path]:
        yield from self.read(node.iter_range)
        first = self._path(node.accu_init)
        binds = isinstance(node.iter_range, ListExpr) and not node.iter_range.elements and first is not None
        if not binds:
            yield from self.read(node.accu_init)
        self._bound.append({node.accu_var: first if binds else None})
        if not binds:
            elements = self._path(node.iter_range)
            keyed = elements is not None and len(elements) < 3
            value = (*elements, None) if elements is not None and keyed else None
            names: dict[str, _Path | None] = {node.iter_var: None}
            if node.iter_var2 is not None:
                names[node.iter_var2] = value
            self._bound.append(names)
            yield from self.read(node.loop_condition)
            yield from self.read(node.loop_step)
            self._bound.pop()
        yield from self.read(node.result)
        self._bound.pop()

    def call(self, node: Call) -> Iterator[_Path]:
        if node.target is not None:
            yield from self.read(node.target)
        for argument in node.args:
            yield from self.read(argument)

    def select(self, node: Select) -> Iterator[_Path]:
        yield from self.read(node.operand)

    def list(self, node: ListExpr) -> Iterator[_Path]:
        for element in node.elements:
            yield from self.read(element)

    def map(self, node: MapExpr) -> Iterator[_Path]:
        for entry in node.entries:
            yield from self.read(entry.key)
            yield from self.read(entry.value)

    def struct(self, node: StructExpr) -> Iterator[_Path]:
        for field in node.fields:
            yield from self.read(field.value)

    def nothing(self, _: Node) -> Iterator[_Path]:
        return iter(())


_STEPS = frozenset(("_[_]", "_?._", "_[?_]"))
_PARTS: Mapping[type, Callable[[_Reader, Node], Iterator[_Path]]] = {
    Literal: _Reader.nothing,
    Ident: _Reader.nothing,
    Select: _Reader.select,  # type: ignore[dict-item]
    Call: _Reader.call,  # type: ignore[dict-item]
    ListExpr: _Reader.list,  # type: ignore[dict-item]
    MapExpr: _Reader.map,  # type: ignore[dict-item]
    StructExpr: _Reader.struct,  # type: ignore[dict-item]
    Comprehension: _Reader.loop,  # type: ignore[dict-item]
}
