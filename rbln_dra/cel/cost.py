"""
Room: the static estimate of what an expression costs at most, which admission compares with its limit.

cel-go's estimate with Kubernetes' options: a presence test is free, and sizes below `device` come from its declaration. What a function costs is
said by its row; here is what the structure of the expression costs, and how large its parts can be.

May touch: `ast`, `types`, `ranges`, `environment`, `checker`, `nesting`, `unification`, and `library.rows`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from .ast import Call, Comprehension, Ident, ListExpr, Literal, MapExpr, Node, Select, StructExpr
from .checker import Checked
from .environment import Declaration
from .library.rows import Estimate, Value
from .nesting import recursing
from .ranges import UNBOUNDED, UNKNOWN, Range
from .types import Type
from .unification import primitive_of

_NOTHING, _ONE = Range(0, 0), Range(1, 1)
_LIST, _MAP, _STRUCT = Range(10, 10), Range(30, 30), Range(40, 40)
#: The union of no ranges.
_EMPTY = Range(UNBOUNDED, 0)
_ACCUMULATORS = frozenset(("@result", "__result__"))
_SIZED_ONE = frozenset(("bool", "int", "uint", "double"))
_SELECTED = frozenset(("map", "object", "param"))


def estimate(checked: Checked) -> Range:
    """
    Estimate the cost of an expression.

    Returns:
        The range of its cost; an end of `UNBOUNDED` means: no bound.
    """
    return recursing(lambda: _Estimator(checked).cost(checked.expression), checked.expression)


class _Path:
    """
    Where a value stands below a variable, as names from the variable on.

    It grows as Go's slices do: extending it writes behind its end when there is room, also under the feet of a longer path that shares its room.
    The estimate of an expression with several paths from one variable of a macro depends on that.
    """

    __slots__ = ("_length", "_room")

    def __init__(self, room: list[str | None], length: int) -> None:
        self._room = room
        self._length = length

    def extended(self, name: str) -> _Path:
        """Give the path one name longer."""
        room, length = self._room, self._length
        if length == len(room):
            room = [*room, *([None] * max(length, 1))]
        room[length] = name
        return _Path(room, length + 1)

    def names(self) -> list[str | None]:
        """Give the names as they are now."""
        return self._room[: self._length]


_NO_PATH = _Path([], 0)


@attrs.frozen(eq=False)
class _Entries:
    """The sizes of what a list or map holds."""

    container: str
    key: Range
    value: Range

    def union(self, other: _Entries | None) -> _Entries | None:
        """Join with what another expression holds; `None` when that is unknown."""
        return None if other is None else _Entries(self.container, self.key.union(other.key), self.value.union(other.value))


@attrs.frozen(eq=False)
class _Variable:
    """A variable of a macro."""

    path: _Path
    size: Range | None
    entries: _Entries | None


@attrs.frozen(eq=False)
class _Operand:
    """An argument of a call, or the elements of one, as rows see it; see `rows.Operand`."""

    estimator: _Estimator
    node: Node | None
    type: Type
    path: list[str | None]
    computed_size: Range | None

    @property
    def size(self) -> Range:
        """The size as far as anything is known of it. That of elements is what is declared, whatever the expression says."""
        size = self.computed_size if self.node is not None else self.estimator.declared_size(self.path)
        return UNKNOWN if size is None else size

    @property
    def literal(self) -> Value | None:
        """The value of a literal."""
        return self.node.value if isinstance(self.node, Literal) else None

    def element(self) -> _Operand | None:
        """The elements of a list; of a map, as in Kubernetes, something that is as large as its elements and has the type of its keys."""
        if not self.type.parameters or self.type.kind == "wrapper":
            return None
        return _Operand(self.estimator, None, self.type.parameters[0], [*self.path, "@items"], None)


class _Estimator:
    """One pass over one expression."""

    def __init__(self, checked: Checked) -> None:
        self.types = checked.types
        self.references = checked.references
        self.overloads = checked.environment.overloads
        self.device = checked.environment.device
        self.attribute_type = checked.environment.attribute_type
        self.paths: dict[int, _Path] = {}
        self.sizes: dict[int, Range] = {}
        self.entries: dict[int, _Entries] = {}
        self.variables: dict[str, list[_Variable]] = {}

    # Costs.

    def cost(self, node: Node) -> Range:
        """Estimate a node and everything below it."""
        return _COSTS[type(node)](self, node)

    def literal(self, _: Literal) -> Range:
        return _NOTHING

    def ident(self, node: Ident) -> Range:
        variable = self._variable(node.name)
        self.paths[node.id] = _Path([node.name], 1) if variable is None else variable.path
        return _ONE

    def select(self, node: Select) -> Range:
        cost = self.cost(node.operand)
        if node.test_only:
            return cost
        if self.types[node.operand.id].kind in _SELECTED:
            cost += _ONE
        self.paths[node.id] = self._path(node.operand).extended(node.field)
        return cost

    def list_literal(self, node: ListExpr) -> Range:
        cost = _LIST
        size = _EMPTY if node.elements else _NOTHING
        for element in node.elements:
            cost += self.cost(element)
            size = size.union(self._known_size(element))
        self.entries[node.id] = _Entries("list", _ONE, size)
        return cost

    def map_literal(self, node: MapExpr) -> Range:
        cost = _MAP
        keys = values = _EMPTY if node.entries else _NOTHING
        for entry in node.entries:
            cost = cost + self.cost(entry.key) + self.cost(entry.value)
            keys = keys.union(self._known_size(entry.key))
            values = values.union(self._known_size(entry.value))
        self.entries[node.id] = _Entries("map", keys, values)
        return cost

    def struct(self, node: StructExpr) -> Range:
        cost = _STRUCT
        for field in node.fields:
            cost += self.cost(field.value)
        return cost

    def comprehension(self, node: Comprehension) -> Range:
        cost = self.cost(node.iter_range) + self.cost(node.accu_init)
        self._push(node.accu_var, _Variable(self._path(node.accu_init), self.size(node.accu_init), self._entries(node.accu_init)))
        if _binds(node):
            cost += self.cost(node.result)
            self._pop(node.accu_var)
            self._copy_sizes(node, node.result)
            return cost
        if node.iter_var2 is None:
            keys = self._container(node.iter_range) != "list"
            self._push_loop_variable(node.iter_var, node.iter_range, keys=keys)
        else:
            self._push_loop_variable(node.iter_var, node.iter_range, keys=True)
            self._push_loop_variable(node.iter_var2, node.iter_range, keys=False)
        once = self.cost(node.loop_condition)
        once = self.cost(node.loop_step) + once
        self._pop(node.iter_var)
        if node.iter_var2 is not None:
            self._pop(node.iter_var2)
        cost += self.cost(node.result)
        self._pop(node.accu_var)
        count = self._known_size(node.iter_range)
        if isinstance(node.accu_init, Literal):
            self._set_size(node, self.size(node.accu_init))
        elif isinstance(node.accu_init, (ListExpr, MapExpr)):
            self.sizes[node.id] = count
            held = self._entries(node.loop_step)
            if held is not None:
                self.entries[node.id] = held
        return cost + count * once

    def call(self, node: Call) -> Range:
        args = node.args
        if node.function == "dyn" and args:
            cost = self.cost(args[0])
            self._copy_sizes(node, args[0])
            return cost + _ONE
        costs: list[Range] = []
        operands: list[_Operand] = []
        for argument in args:
            costs.append(self.cost(argument))
            operands.append(self._operand(argument))
        overloads = self.references[node.id].overloads
        cost = _NOTHING
        target = None
        if node.target is not None:
            cost = self.cost(node.target)
            target = self._operand(node.target)
        own = _EMPTY
        size: Range | None = None
        for overload in overloads:
            found, found_size = self._call_cost(node, overload, target, tuple(operands), costs)
            own = own.union(found)
            if found_size is not None:
                size = found_size if size is None else size.union(found_size)
            step = _INDEXING.get(overload)
            if step is not None:
                held = self._entries(args[0])
                size = None if held is None else held.value
                self.paths[node.id] = self._path(args[0]).extended(step)
            if size is None:
                size = self.size(node)
        self._set_size(node, size)
        return cost + own

    def _call_cost(
        self, node: Call, overload: str, target: _Operand | None, args: tuple[_Operand, ...], costs: list[Range]
    ) -> tuple[Range, Range | None]:
        """Estimate one overload of a call with its arguments: its cost, and the size of its result as far as the overload tells it."""
        special = _SPECIAL.get(overload)
        if special is not None:
            return special(self, node, args, costs)
        estimated = self._row_estimate(overload, target, args)
        if overload in _CONCATENATIONS:
            held = self._entries(node.args[0])
            held = None if held is None else held.union(self._entries(node.args[1]))
            if held is not None:
                self.entries[node.id] = held
        cost, size = (_ONE, None) if estimated is None else (estimated.cost, estimated.size)
        for one in costs:
            cost += one
        return cost, size

    def _row_estimate(self, overload: str, target: _Operand | None, args: tuple[_Operand, ...]) -> Estimate | None:
        """Ask the rows."""
        row, signature = self.overloads[overload]
        estimators = (signature.estimate, row.estimate) if signature.overrides else (row.estimate, signature.estimate)
        for estimator in estimators:
            found = None if estimator is None else estimator(target, args)
            if found is not None:
                return found
        return None

    def logic(self, _: Call, __: tuple[_Operand, ...], costs: list[Range]) -> tuple[Range, None]:
        """Estimate `&&` and `||`: at least the left operand is evaluated."""
        return Range(costs[0].low, (costs[0] + costs[1]).high), None

    def conditional(self, node: Call, args: tuple[_Operand, ...], costs: list[Range]) -> tuple[Range, Range]:
        """Estimate `?:`: one of two."""
        held = self._entries(node.args[1])
        held = None if held is None else held.union(self._entries(node.args[2]))
        if held is not None:
            self.entries[node.id] = held
        return costs[0] + costs[1].union(costs[2]), args[1].size.union(args[2].size)

    # Sizes.

    def size(self, node: Node) -> Range | None:
        """Give the size of a node's value; `None` when nothing is known."""
        known = self.sizes.get(node.id)
        if known is not None:
            return known
        if isinstance(node, Literal):
            return Range.exactly(len(node.value)) if isinstance(node.value, (str, bytes)) else _ONE
        if isinstance(node, ListExpr):
            return Range.exactly(len(node.elements))
        if isinstance(node, MapExpr):
            return Range.exactly(len(node.entries))
        declared = self.declared_size(self._path(node).names())
        if declared is not None:
            self.sizes[node.id] = declared
            return declared
        if _scalar(self.types[node.id]):
            return _ONE
        if isinstance(node, Ident):
            variable = self._variable(node.name)
            return None if variable is None else variable.size
        return None

    def declared_size(self, names: list[str | None]) -> Range | None:
        """Give the size that the declaration of `device` says of a path."""
        if not names or names[0] != "device":
            return None
        current: Declaration | None = self.device
        for name in names[1:]:
            if current is None or name is None:
                return None
            if name in ("@items", "@values"):
                current = current.element
            elif name == "@keys":
                current = current.key
            elif name in current.fields:
                current = current.fields[name]
            else:
                # Any name below an attribute map is an attribute. A capacity is found by index only.
                current = current.element if current.element is not None and current.element.type == self.attribute_type else None
        return None if current is None else Range(0, current.size)

    def _known_size(self, node: Node) -> Range:
        size = self.size(node)
        return UNKNOWN if size is None else size

    def _set_size(self, node: Node, size: Range | None) -> None:
        if size is not None:
            self.sizes[node.id] = size

    def _copy_sizes(self, to: Node, source: Node) -> None:
        self._set_size(to, self.size(source))
        held = self._entries(source)
        if held is not None:
            self.entries[to.id] = held

    def _entries(self, node: Node) -> _Entries | None:
        """Give the sizes of what a node's value holds."""
        held = self.entries.get(node.id)
        if held is None and isinstance(node, Ident):
            variable = self._variable(node.name)
            return None if variable is None else variable.entries
        return held

    def _operand(self, node: Node) -> _Operand:
        path = self._path(node).names()
        if path and path[0] in _ACCUMULATORS:
            path = []
        return _Operand(self, node, self.types[node.id], path, self.size(node))

    # Variables of macros.

    def _variable(self, name: str) -> _Variable | None:
        found = self.variables.get(name)
        return found[-1] if found else None

    def _push(self, name: str, variable: _Variable) -> None:
        self.variables.setdefault(name, []).append(variable)

    def _pop(self, name: str) -> None:
        self.variables[name].pop()

    def _container(self, node: Node) -> str:
        held = self._entries(node)
        return self.types[node.id].kind if held is None else held.container

    def _push_loop_variable(self, name: str, iter_range: Node, *, keys: bool) -> None:
        """Push the variable that runs over keys or indices, or over values or elements."""
        held = self._entries(iter_range)
        size = None if held is None else held.key if keys else held.value
        listed = self._container(iter_range) == "list"
        step = ("@indices" if listed else "@keys") if keys else ("@items" if listed else "@values")
        self._push(name, _Variable(self._path(iter_range).extended(step), size, None))

    def _path(self, node: Node) -> _Path:
        if isinstance(node, Ident):
            variable = self._variable(node.name)
            if variable is not None:
                return variable.path
        return self.paths.get(node.id, _NO_PATH)


_COSTS: Mapping[type, Callable[[_Estimator, Node], Range]] = {
    Literal: _Estimator.literal,  # type: ignore[dict-item]
    Ident: _Estimator.ident,  # type: ignore[dict-item]
    Select: _Estimator.select,  # type: ignore[dict-item]
    Call: _Estimator.call,  # type: ignore[dict-item]
    ListExpr: _Estimator.list_literal,  # type: ignore[dict-item]
    MapExpr: _Estimator.map_literal,  # type: ignore[dict-item]
    StructExpr: _Estimator.struct,  # type: ignore[dict-item]
    Comprehension: _Estimator.comprehension,  # type: ignore[dict-item]
}
_INDEXING: Mapping[str, str] = {"index_list": "@items", "index_map": "@values"}
_CONCATENATIONS = frozenset(("add_string", "add_bytes", "add_list"))
_SPECIAL: Mapping[str, Callable[[_Estimator, Call, tuple[_Operand, ...], list[Range]], tuple[Range, Range | None]]] = {
    "logical_and": _Estimator.logic,
    "logical_or": _Estimator.logic,
    "conditional": _Estimator.conditional,
}


def _binds(node: Comprehension) -> bool:
    """Tell whether a comprehension only names a value: `cel.bind`, `optMap`."""
    return (
        isinstance(node.iter_range, ListExpr)
        and not node.iter_range.elements
        and isinstance(node.loop_condition, Literal)
        and node.loop_condition.value is False
        and node.accu_var != "__result__"
    )


def _scalar(type_: Type) -> bool:
    """Tell whether values of a type have the size 1."""
    if type_.kind == "optional":
        return bool(type_.parameters) and _scalar(type_.parameters[0])
    type_ = primitive_of(type_)
    return type_.kind in ("duration", "timestamp") or type_.name in _SIZED_ONE
