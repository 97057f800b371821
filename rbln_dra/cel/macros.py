"""
Room: the macros of the scheduler's CEL dialect: calls that the parser replaces by other expressions.

The expansions are cel-go's, node by node: their order of making gives the same ids, and each made node stands where the call's parenthesis
opens, since costs, types and error positions are computed from the expansion and not from what was written.

May touch: `ast`, `errors`, `steps`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import attrs

from ..errors import Unsupported
from .ast import Call, Comprehension, Entry, FieldInit, Ident, ListExpr, Literal, MapExpr, Node, Select, StructExpr
from .steps import Steps, each, run

#: Accumulator of the loops; no source text can name it.
ACCUMULATOR = "@result"
#: Accumulator of older cel-go releases, still refused as a loop variable.
OLD_ACCUMULATOR = "__result__"
#: Loop variable of a comprehension that does not loop.
UNUSED = "#unused"
MAP_INSERT = "cel.@mapInsert"
#: More nodes than this no expression may have.
MOST_NODES = 200_000
#: The name of the list that `sortBy` sorts.
SORTED = "@__sortBy_input__"


class MacroError(Exception):
    """A macro call with wrong arguments; never leaves the parser."""

    def __init__(self, offset: int, message: str) -> None:
        """Keep the place and cel-go's text."""
        super().__init__(offset, message)
        self.offset = offset
        self.message = message


class Expansion:
    """
    Makes the nodes of one expansion.

    Args:
        offset: Where the made nodes stand.
        next_id: The first free id; read it back afterwards.
    """

    __slots__ = ("next_id", "offset")

    def __init__(self, offset: int, next_id: int) -> None:
        """Begin an expansion."""
        self.offset = offset
        self.next_id = next_id

    def take(self) -> int:
        """Take the next id."""
        taken = self.next_id
        self.next_id = taken + 1
        return taken

    def literal(self, value: bool | int) -> Literal:  # noqa: FBT001 - the value is the point, not a switch
        """Make a constant."""
        return Literal(value, id=self.take(), offset=self.offset)

    def ident(self, name: str) -> Ident:
        """Make a name."""
        return Ident(name, id=self.take(), offset=self.offset)

    def accumulator(self) -> Ident:
        """Make the accumulator's name."""
        return Ident(ACCUMULATOR, id=self.take(), offset=self.offset)

    def call(self, function: str, *args: Node, target: Node | None = None) -> Call:
        """Make a call."""
        return Call(function, args, target, id=self.take(), offset=self.offset)

    def list(self, *elements: Node) -> ListExpr:
        """Make a list."""
        return ListExpr(elements, id=self.take(), offset=self.offset)

    def map(self) -> MapExpr:
        """Make an empty map."""
        return MapExpr((), id=self.take(), offset=self.offset)

    def select(self, operand: Node, field: str) -> Select:
        """Make a presence test."""
        return Select(operand, field, True, id=self.take(), offset=self.offset)

    def loop(self, iter_range: Node, variables: tuple[str, str | None], accumulator: str, parts: tuple[Node, Node, Node, Node]) -> Comprehension:
        """Make a comprehension from its range, variables, accumulator and (first value, condition, step, result)."""
        first, condition, step, result = parts
        variable, second = variables
        return Comprehension(iter_range, variable, accumulator, first, condition, step, result, second, id=self.take(), offset=self.offset)

    def copy(self, node: Node) -> Node:
        """
        Copy an expression with fresh ids, each node where it stood; parents are numbered before their children.

        Raises:
            Unsupported: The expression grows too large: cel-go would go on until the memory is full.
        """
        copied: Node = run(self._copy(node))
        return copied

    def _copy(self, node: Node) -> Steps:
        """Copy a node."""
        number = self.take()
        if number > MOST_NODES:
            raise Unsupported(f"an expression whose macros expand to more than {MOST_NODES:,} nodes")
        fresh: dict[str, object] = {}
        # In a call, the arguments come first, as in cel-go.
        for name in _PARTS.get(type(node), ()):
            part = getattr(node, name)
            if isinstance(part, tuple):
                fresh[name] = yield each(self._copy_entry(one) if isinstance(one, Entry | FieldInit) else self._copy(one) for one in part)
            elif part is not None:
                fresh[name] = yield self._copy(part)
        return attrs.evolve(node, id=number, **fresh)  # type: ignore[arg-type]

    def _copy_entry(self, entry: Entry | FieldInit) -> Steps:
        """Copy an entry or a field, which will stand where the expansion stands."""
        fresh: dict[str, object] = {"id": self.take(), "offset": self.offset}
        for name in _PARTS[type(entry)]:
            fresh[name] = yield self._copy(getattr(entry, name))
        return attrs.evolve(entry, **fresh)  # type: ignore[arg-type]


#: The fields of a node that hold nodes, in the order in which copies are numbered.
_PARTS: Mapping[type, tuple[str, ...]] = {
    Select: ("operand",),
    Call: ("args", "target"),
    ListExpr: ("elements",),
    MapExpr: ("entries",),
    Entry: ("key", "value"),
    StructExpr: ("fields",),
    FieldInit: ("value",),
    Comprehension: ("iter_range", "accu_init", "loop_condition", "loop_step", "result"),
}
#: What a macro does: the expansion to work with, the receiver (`None` for a global call) and the arguments in; the expression out, or `None`
#: when this call is no macro after all; raises `MacroError`.
Expander: TypeAlias = Callable[[Expansion, "Node | None", tuple[Node, ...]], "Node | None"]
#: Name, number of arguments, and whether it is called on a receiver.
MacroKey: TypeAlias = tuple[str, int, bool]


def _variable(node: Node, complaint: str) -> str:
    """Give the name of a loop variable."""
    if not isinstance(node, Ident):
        raise MacroError(node.offset, complaint)
    return node.name


def _free(node: Node, name: str) -> None:
    """Refuse a loop variable that hides the accumulator."""
    if name in (ACCUMULATOR, OLD_ACCUMULATOR):
        raise MacroError(node.offset, "iteration variable overwrites accumulator variable")


def _one(args: tuple[Node, ...], complaint: str) -> tuple[str, None]:
    """Give the variable of a one-variable loop."""
    name = _variable(args[0], complaint)
    _free(args[0], name)
    return name, None


def _two(args: tuple[Node, ...]) -> tuple[str, str]:
    """Give the variables of a two-variable loop."""
    first, second = (_variable(node, "argument must be a simple name") for node in args[:2])
    if first == second:
        raise MacroError(args[1].offset, f"duplicate variable name: {first}")
    _free(args[0], first)
    _free(args[1], second)
    return first, second


def _target(target: Node | None) -> Node:
    """Give the receiver, which a receiver macro always has."""
    assert target is not None  # noqa: S101 - the registry's key says so
    return target


def _has(made: Expansion, _: Node | None, args: tuple[Node, ...]) -> Node:
    """`has(e.f)`: a presence test."""
    operand = args[0]
    if not isinstance(operand, Select):
        raise MacroError(operand.offset, "invalid argument to has() macro")
    return made.select(operand.operand, operand.field)


def _all_parts(made: Expansion, predicate: Node) -> tuple[Node, Node, Node, Node]:
    """Every element: go on while nothing is false."""
    first = made.literal(True)
    condition = made.call("@not_strictly_false", made.accumulator())
    step = made.call("_&&_", made.accumulator(), predicate)
    return first, condition, step, made.accumulator()


def _exists_parts(made: Expansion, predicate: Node) -> tuple[Node, Node, Node, Node]:
    """Some element: go on while nothing is true."""
    first = made.literal(False)
    condition = made.call("@not_strictly_false", made.call("!_", made.accumulator()))
    step = made.call("_||_", made.accumulator(), predicate)
    return first, condition, step, made.accumulator()


def _exists_one_parts(made: Expansion, predicate: Node) -> tuple[Node, Node, Node, Node]:
    """Exactly one element: count, and compare the count."""
    first = made.literal(0)
    condition = made.literal(True)
    count = made.call("_+_", made.accumulator(), made.literal(1))
    step = made.call("_?_:_", predicate, count, made.accumulator())
    return first, condition, step, made.call("_==_", made.accumulator(), made.literal(1))


_Parts: TypeAlias = Callable[[Expansion, Node], tuple[Node, Node, Node, Node]]


def _quantifier(parts: _Parts) -> Expander:
    """Give the one-variable form of a quantifier."""

    def expand(made: Expansion, target: Node | None, args: tuple[Node, ...]) -> Node:
        variables = _one(args, "argument must be a simple name")
        return made.loop(_target(target), variables, ACCUMULATOR, parts(made, args[1]))

    return expand


def _quantifier2(parts: _Parts) -> Expander:
    """Give the two-variable form of a quantifier."""

    def expand(made: Expansion, target: Node | None, args: tuple[Node, ...]) -> Node:
        variables = _two(args)
        return made.loop(_target(target), variables, ACCUMULATOR, parts(made, args[2]))

    return expand


def _map(made: Expansion, target: Node | None, args: tuple[Node, ...]) -> Node:
    """`list.map(x, f)` and `list.map(x, p, f)`."""
    variables = _one(args, "argument is not an identifier")
    first = made.list()
    condition = made.literal(True)
    step: Node = made.call("_+_", made.accumulator(), made.list(args[-1]))
    if len(args) == 3:
        step = made.call("_?_:_", args[1], step, made.accumulator())
    return made.loop(_target(target), variables, ACCUMULATOR, (first, condition, step, made.accumulator()))


def _filter(made: Expansion, target: Node | None, args: tuple[Node, ...]) -> Node:
    """`list.filter(x, p)`."""
    variables = _one(args, "argument is not an identifier")
    first = made.list()
    condition = made.literal(True)
    step = made.call("_+_", made.accumulator(), made.list(args[0]))
    step = made.call("_?_:_", args[1], step, made.accumulator())
    return made.loop(_target(target), variables, ACCUMULATOR, (first, condition, step, made.accumulator()))


def _transform(made: Expansion, target: Node | None, args: tuple[Node, ...], step: Node, empty: Callable[[], Node]) -> Node:
    """Finish a two-variable transformation: its filter, then the loop."""
    if len(args) == 4:
        step = made.call("_?_:_", args[2], step, made.accumulator())
    names = tuple(node.name for node in args[:2] if isinstance(node, Ident))
    first = empty()
    condition = made.literal(True)
    return made.loop(_target(target), (names[0], names[1]), ACCUMULATOR, (first, condition, step, made.accumulator()))


def _transform_list(made: Expansion, target: Node | None, args: tuple[Node, ...]) -> Node:
    """`e.transformList(i, v, f)` and `e.transformList(i, v, p, f)`."""
    _two(args)
    step = made.call("_+_", made.accumulator(), made.list(args[-1]))
    return _transform(made, target, args, step, made.list)


def _transform_map(made: Expansion, target: Node | None, args: tuple[Node, ...]) -> Node:
    """`e.transformMap(k, v, f)` and `e.transformMap(k, v, p, f)`."""
    key, _ = _two(args)
    step = made.call(MAP_INSERT, made.accumulator(), made.ident(key), args[-1])
    return _transform(made, target, args, step, made.map)


def _transform_map_entry(made: Expansion, target: Node | None, args: tuple[Node, ...]) -> Node:
    """`e.transformMapEntry(k, v, {…})` and `e.transformMapEntry(k, v, p, {…})`."""
    _two(args)
    step = made.call(MAP_INSERT, made.accumulator(), args[-1])
    return _transform(made, target, args, step, made.map)


def _let(made: Expansion, name: str, value: Callable[[], Node], result: Node) -> Node:
    """A variable for one expression: a loop over nothing whose accumulator is the variable."""
    nothing = made.list()
    parts = (value(), made.literal(False), made.ident(name), result)
    return made.loop(nothing, (UNUSED, None), name, parts)


def _bind(made: Expansion, target: Node | None, args: tuple[Node, ...]) -> Node | None:
    """`cel.bind(x, value, result)`; a `bind` on anything else is a plain call."""
    if not (isinstance(target, Ident) and target.name == "cel"):
        return None
    name = _variable(args[0], "cel.bind() variable names must be simple identifiers")
    return _let(made, name, lambda: args[1], args[2])


def _opt_map(made: Expansion, target: Node | None, args: tuple[Node, ...]) -> Node:
    """`optional.optMap(x, f)`."""
    name = _variable(args[0], "optMap() variable name must be a simple identifier")
    receiver = _target(target)
    present = made.call("hasValue", target=receiver)
    value = _let(made, name, lambda: _value_of(made, receiver), args[1])
    wrapped = made.call("optional.of", value)
    return made.call("_?_:_", present, wrapped, made.call("optional.none"))


def _opt_flat_map(made: Expansion, target: Node | None, args: tuple[Node, ...]) -> Node:
    """`optional.optFlatMap(x, f)`."""
    name = _variable(args[0], "optFlatMap() variable name must be a simple identifier")
    receiver = _target(target)
    present = made.call("hasValue", target=receiver)
    value = _let(made, name, lambda: _value_of(made, receiver), args[1])
    return made.call("_?_:_", present, value, made.call("optional.none"))


def _value_of(made: Expansion, receiver: Node) -> Node:
    """Read an optional, of which the presence test already holds the original."""
    copied = made.copy(receiver)
    return made.call("value", target=copied)


def _sort_by(made: Expansion, target: Node | None, args: tuple[Node, ...]) -> Node:
    """`list.sortBy(x, key)`: the list under a name, sorted by the keys that are mapped from it."""
    step = made.ident(SORTED)
    receiver = _target(target)
    if not isinstance(receiver, (ListExpr, Select, Ident, Comprehension, Call)):
        raise MacroError(receiver.offset, "sortBy can only be applied to a list, identifier, comprehension, call or select expression")
    keys = _map(made, made.copy(step), args)
    result = made.call("@sortByAssociatedKeys", keys, target=made.copy(step))
    nothing = made.list()
    return made.loop(nothing, (UNUSED, None), SORTED, (receiver, made.literal(False), step, result))


#: Every macro that Kubernetes 1.34 to 1.37 enable, in both environments.
MACROS: Mapping[MacroKey, Expander] = MappingProxyType(
    {
        ("has", 1, False): _has,
        ("all", 2, True): _quantifier(_all_parts),
        ("exists", 2, True): _quantifier(_exists_parts),
        ("exists_one", 2, True): _quantifier(_exists_one_parts),
        ("existsOne", 2, True): _quantifier(_exists_one_parts),
        ("map", 2, True): _map,
        ("map", 3, True): _map,
        ("filter", 2, True): _filter,
        ("bind", 3, True): _bind,
        ("sortBy", 2, True): _sort_by,
        ("optMap", 2, True): _opt_map,
        ("optFlatMap", 2, True): _opt_flat_map,
        ("all", 3, True): _quantifier2(_all_parts),
        ("exists", 3, True): _quantifier2(_exists_parts),
        ("existsOne", 3, True): _quantifier2(_exists_one_parts),
        ("exists_one", 3, True): _quantifier2(_exists_one_parts),
        ("transformList", 3, True): _transform_list,
        ("transformList", 4, True): _transform_list,
        ("transformMap", 3, True): _transform_map,
        ("transformMap", 4, True): _transform_map,
        ("transformMapEntry", 3, True): _transform_map_entry,
        ("transformMapEntry", 4, True): _transform_map_entry,
    }
)
