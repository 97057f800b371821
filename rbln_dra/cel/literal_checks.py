"""
Room: what Kubernetes asks of literals after the types are right.

Constant durations, timestamps and patterns have to be valid, the elements of a list or map literal to have one type, and a format string to fit
its list.

May touch: `ast`, `types`, `unification`, `environment`, `values`, `library.formatting`, `errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from ..errors import CompileError
from .ast import Call, ListExpr, Literal, MapExpr, Node
from .library.formatting import literal_fault
from .types import Type
from .unification import exact, format_type
from .values import CELError, type_of

if TYPE_CHECKING:
    from .environment import Environment

#: In the order in which they are checked. Of the global `matches(text, pattern)`, it is the text that has to be a valid pattern: upstream's slip.
_FUNCTIONS = ("duration", "timestamp", "matches")


class Literals:
    """The literals of one expression that are to be checked, in the order in which the checker meets them."""

    __slots__ = ("_calls", "_exempt", "_formats", "_lists", "_maps")

    #: The functions whose constant first argument is checked.
    functions = frozenset(_FUNCTIONS)

    def __init__(self) -> None:
        """Begin without literals."""
        self._calls: list[tuple[str, Literal]] = []
        self._lists: list[ListExpr] = []
        self._maps: list[MapExpr] = []
        self._formats: list[Call] = []
        self._exempt = 0

    def call(self, function: str, args: tuple[Node, ...]) -> None:
        """Keep the first argument of a call if it is a constant."""
        if args and type(args[0]) is Literal:
            self._calls.append((function, args[0]))

    def list_literal(self, node: ListExpr) -> None:
        """Keep a list literal with elements."""
        if not self._exempt:
            self._lists.append(node)

    def map_literal(self, node: MapExpr) -> None:
        """Keep a map literal with entries."""
        if not self._exempt:
            self._maps.append(node)

    def format(self, node: Call) -> None:
        """Keep a call of `format`."""
        self._formats.append(node)

    def exempt(self, check: Callable[[], Node]) -> Node:
        """Check something whose lists and maps may hold several types."""
        self._exempt += 1
        try:
            return check()
        finally:
            self._exempt -= 1

    def complaints(self, types: Mapping[int, Type], environment: Environment) -> Iterator[tuple[int, str]]:
        """Check all literals of an expression that type-checks."""
        for list_ in self._lists:
            yield from _list_complaints(list_, types)
        for map_ in self._maps:
            yield from _map_complaints(map_, types)
        for function in _FUNCTIONS if self._calls else ():
            for name, literal in self._calls:
                if name == function and not _evaluates(function, literal, environment):
                    yield literal.offset, f"invalid {function} argument"
        for call in self._formats:
            fault = literal_fault(call, types)
            if fault is not None:
                yield _offset(fault[0], call), fault[1]


def _evaluates(function: str, literal: Literal, environment: Environment) -> bool:
    """Tell whether a function of a constant gives a value."""
    row = environment.functions[function]
    if not row.pure:
        return True
    arguments = ("", literal.value) if function == "matches" else (literal.value,)
    found = [type_of(argument) for argument in arguments]
    for overload in row.overloads:
        implementation = overload.implementation or row.implementation
        if implementation is not None and list(overload.parameters) == found:
            try:
                implementation(*arguments)
            except CELError:
                return False
            return True
    return False


def _offset(id_: int, call: Call) -> int:
    """Find where a node at or below the arguments of a call stands."""
    pending: list[Node] = list(call.args)
    while pending:
        node = pending.pop()
        if node.id == id_:
            return node.offset
        if isinstance(node, ListExpr):
            pending.extend(node.elements)
        elif isinstance(node, MapExpr):
            pending.extend(part for entry in node.entries for part in (entry.key, entry.value))
    return call.offset


def _list_complaints(node: ListExpr, types: Mapping[int, Type]) -> Iterator[tuple[int, str]]:
    """Find the first element that is not of the first one's type."""
    first: Type | None = None
    optional = frozenset(node.optional)
    for index, element in enumerate(node.elements):
        type_ = types[element.id]
        if index in optional:
            type_ = _held(type_)
        if first is None:
            first = type_
        elif not exact(first, type_):
            yield element.offset, _mismatch(first, type_)
            return


def _map_complaints(node: MapExpr, types: Mapping[int, Type]) -> Iterator[tuple[int, str]]:
    """Find every key and value that is not of the first one's type."""
    keys: Type | None = None
    values: Type | None = None
    for entry in node.entries:
        key, value = types[entry.key.id], types[entry.value.id]
        if entry.optional:
            value = _held(value)
        if keys is None or values is None:
            keys, values = key, value
            continue
        if not exact(keys, key):
            yield entry.key.offset, _mismatch(keys, key)
        if not exact(values, value):
            yield entry.value.offset, _mismatch(values, value)


def _held(type_: Type) -> Type:
    """Give what an optional element holds. Where its type is dynamic, Kubernetes panics."""
    if not type_.parameters:
        raise CompileError("runtime error: index out of range [0] with length 0")
    return type_.parameters[0]


def _mismatch(expected: Type, found: Type) -> str:
    return f"expected type '{format_type(expected)}' but found '{format_type(found)}'"
