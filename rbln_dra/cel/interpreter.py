"""
Room: the reference evaluator: a checked expression becomes a plan of steps, and a plan is evaluated.

Planning computes what cel-go computes when a program is made (literals of constants, conversions of constants, sets for `in`, regular expressions);
what fails there fails the program. The rules of evaluation stand in `evaluation` and `qualifiers`.

May touch: `ast`, `nesting`, `evaluation`, `qualifiers`, `dispatch`, `tracker`, `messages`, `values`, `texts`, `checker` for its result,
`library.rows`, `errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import attrs

from ..errors import CompileError
from . import evaluation as steps, qualifiers
from .ast import Call, Comprehension, Ident, ListExpr, Literal, MapExpr, Node, Select, StructExpr, Uint
from .dispatch import Target, resolve
from .messages import Message
from .nesting import depth, make_room
from .qualifiers import Attribute, Computed, Conditional, Presence, Relative, Variable
from .texts import go_type
from .tracker import Recorder, Tracker
from .values import UINT_MAX, Abort, CELError, Map, Panic, Value, elements, equality, is_list

if TYPE_CHECKING:
    from .checker import Checked, Reference
    from .evaluation import Step
    from .library.rows import Function, RuntimeCost

#: Functions that are computed when the program is made if their argument is a constant.
_CONVERSIONS = frozenset({"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"})
#: Python frames that one level of an expression takes at most while it is planned or evaluated.
_FRAMES = 8


@attrs.frozen
class Outcome:
    """
    What an evaluation came to.

    Args:
        value: The value; `None` beside an error, and CEL's null.
        error: The error; `None` when there is a value.
        cost: What it cost.
    """

    value: Value
    error: CELError | None
    cost: int


@attrs.frozen(eq=False)
class Plan:
    """
    An expression that is ready to be evaluated, any number of times and in any thread.

    Args:
        root: The step of the whole.
        depth: How deep the expression is nested.
        unwraps_optionals: See `qualifiers.unwrapped`.
    """

    root: Step
    depth: int
    unwraps_optionals: bool

    def evaluate(self, activation: Mapping[str, Value], cost_limit: int = UINT_MAX) -> Outcome:
        """
        Evaluate with some variables.

        Args:
            activation: The variables' values.
            cost_limit: The most that it may cost; above, it is an error.
        """
        return self._run(activation, Tracker(cost_limit))

    def trace(self, activation: Mapping[str, Value]) -> dict[int, Value]:
        """Give the last value of every node that was evaluated, an error as a `CELError`."""
        recorder = Recorder(UINT_MAX)
        self._run(activation, recorder)
        return recorder.seen

    def _run(self, activation: Mapping[str, Value], tracker: Tracker) -> Outcome:
        make_room(self.depth, frames=_FRAMES)
        scope = steps.Scope(activation, tracker, unwraps_optionals=self.unwraps_optionals)
        try:
            value = self.root.evaluate(scope)
        except Abort as error:
            return Outcome(None, error, tracker.cost + getattr(error, "cost", 0))
        if isinstance(value, CELError):
            return Outcome(None, value, tracker.cost)
        return Outcome(value, None, tracker.cost)


def plan(checked: Checked) -> Plan:
    """
    Make a plan of a checked expression.

    Raises:
        CompileError: A part that is computed here fails: `program instantiation failed: …`.
    """
    levels = depth(checked.expression)
    make_room(levels, frames=_FRAMES)
    try:
        root = _Planner(checked).step(checked.expression)
    except CELError as error:
        raise CompileError(f"program instantiation failed: {error.message}", (), checked.source) from None
    return Plan(root, levels, not checked.environment.local_names_first)


class _Planner:
    def __init__(self, checked: Checked) -> None:
        self._types = checked.types
        self._references = checked.references
        self._environment = checked.environment
        self._unwraps_optionals = not checked.environment.local_names_first

    def step(self, node: Node) -> Step:
        return _RULES[type(node)](self, node)

    def literal(self, node: Literal) -> Step:
        return steps.Constant(node.id, node.value)

    def ident(self, node: Ident) -> Step:
        reference: Reference = self._references[node.id]
        if reference.constant is not None:
            return steps.Constant(node.id, reference.constant)
        name = reference.name or node.name
        if self._types[node.id].kind == "type":
            value = self._environment.type_values.get(name.removeprefix("."))
            if value is None:
                raise CELError(f"reference to undefined type: {name}")
            return steps.Constant(node.id, value)
        return steps.Selection(Variable(node.id, name))

    def select(self, node: Select) -> Step:
        selection = self._selection(self.step(node.operand))
        if node.test_only:
            selection.attribute.add(Presence(node.id, node.field))
            if isinstance(selection.attribute, Conditional):
                return steps.ChoicePresence(selection.attribute)
            return steps.Presence(selection.attribute)
        selection.attribute.add(qualifiers.Constant(node.id, node.field, optional=False))
        return selection

    @staticmethod
    def _selection(operand: Step) -> steps.Selection:
        """Give what qualifiers can be added to: a selection as it is, since it has no other use."""
        return operand if isinstance(operand, steps.Selection) else steps.Selection(Relative(operand.id, operand))

    def call(self, node: Call) -> Step:
        nodes = node.args if node.target is None else (node.target, *node.args)
        arguments = tuple(map(self.step, nodes))
        special = _OPERATORS.get(node.function)
        return self._function(node, arguments) if special is None else special(self, node, arguments)

    def _function(self, node: Call, arguments: tuple[Step, ...]) -> Step:
        reference: Reference = self._references[node.id]
        overload = reference.overloads[0] if len(reference.overloads) == 1 else ""
        if len(arguments) == 2 and (node.function, overload) in _ALTERNATIVES:
            takes_value = node.function == "orValue"
            return steps.Alternative(node.id, *arguments, takes_value=takes_value, checks=not self._unwraps_optionals)
        function = self._environment.functions[node.function]
        target = resolve(function, overload, len(arguments))
        call = steps.Call(node.id, arguments, self._cost(function, reference), node.function, target)
        if overload == "in_list":
            return _membership(call, arguments)
        if node.function in _CONVERSIONS and function.pure and len(arguments) == 1 and isinstance(arguments[0], steps.Constant):
            return _converted(call, arguments[0].value)
        if function.precompile is not None and len(arguments) > 1:
            pattern = arguments[1]
            if isinstance(pattern, steps.Constant) and type(pattern.value) is str:
                call.target = Target(function.precompile(pattern.value), eager=False)
        return call

    def _cost(self, function: Function, reference: Reference) -> RuntimeCost | None:
        """Give what a call costs: by its overload if that is known, else by what its function says of all of them."""
        rows = [self._environment.overloads[overload] for overload in reference.overloads if overload in self._environment.overloads]
        if len(reference.overloads) != 1 or not rows:
            return next((row.cost for row, _ in rows if row.cost is not None), function.cost)
        row, overload = rows[0]
        first, second = (overload.cost, row.cost) if overload.overrides else (row.cost, overload.cost)
        if first is None or second is None:
            return first or second
        return _either(first, second)

    def conditional(self, node: Call, arguments: tuple[Step, ...]) -> Step:
        condition, yes, no = arguments
        return steps.Choice(Conditional(node.id, condition, _attribute(yes), _attribute(no)))

    def conjunction(self, node: Call, arguments: tuple[Step, ...]) -> Step:
        return steps.Logical(node.id, arguments, decisive=False)

    def disjunction(self, node: Call, arguments: tuple[Step, ...]) -> Step:
        return steps.Logical(node.id, arguments, decisive=True)

    def equals(self, node: Call, arguments: tuple[Step, ...]) -> Step:
        return steps.Equals(node.id, arguments, self._cost(self._environment.functions["_==_"], self._references[node.id]))

    def differs(self, node: Call, arguments: tuple[Step, ...]) -> Step:
        return steps.Differs(node.id, arguments, self._cost(self._environment.functions["_!=_"], self._references[node.id]))

    def index(self, node: Call, arguments: tuple[Step, ...]) -> Step:
        return self._indexed(node, arguments, optional=False)

    def optional_index(self, node: Call, arguments: tuple[Step, ...]) -> Step:
        return self._indexed(node, arguments, optional=True)

    def _indexed(self, node: Call, arguments: tuple[Step, ...], *, optional: bool) -> Step:
        operand, index = arguments
        selection = self._selection(operand)
        if isinstance(index, steps.Constant):
            if type(index.value) not in qualifiers.QUALIFYING:
                raise CELError(f"invalid qualifier type: {go_type(index.value)}")
            selection.attribute.add(qualifiers.Constant(node.id, index.value, optional=optional))
        elif isinstance(index, steps.Selection):
            selection.attribute.add(Computed(node.id, index.attribute, optional=optional, relative=False))
        else:
            selection.attribute.add(Computed(node.id, Relative(node.id, index), optional=optional, relative=True))
        return selection

    def list(self, node: ListExpr) -> Step:
        made = steps.MakeList(node.id, tuple(map(self.step, node.elements)), frozenset(node.optional))
        return _constant(made)

    def map(self, node: MapExpr) -> Step:
        parts = tuple(self.step(part) for entry in node.entries for part in (entry.key, entry.value))
        return _constant(steps.MakeMap(node.id, parts, frozenset(index for index, entry in enumerate(node.entries) if entry.optional)))

    def struct(self, node: StructExpr) -> Step:
        parts = tuple(self.step(field.value) for field in node.fields)
        names = tuple(field.field for field in node.fields)
        optional = frozenset(index for index, field in enumerate(node.fields) if field.optional)
        return steps.MakeMessage(node.id, Message(node.type_name), names, parts, optional)

    def comprehension(self, node: Comprehension) -> Step:
        accumulator = self.step(node.accu_init)
        parts = (self.step(node.iter_range), accumulator, self.step(node.loop_condition), self.step(node.loop_step), self.step(node.result))
        names = (node.iter_var,) if node.iter_var2 is None else (node.iter_var, node.iter_var2)
        return steps.Fold(node.id, node.accu_var, names, parts)


_RULES: dict[type, Callable[..., Step]] = {
    Literal: _Planner.literal,
    Ident: _Planner.ident,
    Select: _Planner.select,
    Call: _Planner.call,
    ListExpr: _Planner.list,
    MapExpr: _Planner.map,
    StructExpr: _Planner.struct,
    Comprehension: _Planner.comprehension,
}
_OPERATORS: dict[str, Callable[[_Planner, Call, tuple[Step, ...]], Step]] = {
    "_&&_": _Planner.conjunction,
    "_||_": _Planner.disjunction,
    "_?_:_": _Planner.conditional,
    "_==_": _Planner.equals,
    "_!=_": _Planner.differs,
    "_[_]": _Planner.index,
    "_[?_]": _Planner.optional_index,
    "_?._": _Planner.optional_index,
}
#: Calls that evaluate their argument only when they need it.
_ALTERNATIVES = frozenset({("or", ""), ("or", "optional_or_optional"), ("orValue", ""), ("orValue", "optional_orValue_value")})


def _attribute(step: Step) -> Attribute:
    """Give the attribute of a branch: a selection's own, which is then resolved without the cost of the selection."""
    return step.attribute if isinstance(step, steps.Selection) else Relative(step.id, step)


def _either(first: RuntimeCost, second: RuntimeCost) -> RuntimeCost:
    def cost(arguments: tuple[Value, ...], result: Value) -> int | None:
        charged = first(arguments, result)
        return second(arguments, result) if charged is None else charged

    return cost


def _constant(made: steps.MakeList | steps.MakeMap) -> Step:
    """Make a literal of constants now."""
    given: list[Value] = []
    for part in made.parts:
        if not isinstance(part, steps.Constant):
            return made
        given.append(part.value)
    return steps.Constant(made.id, made.make(iter(given)))


def _converted(call: steps.Call, value: Value) -> Step:
    """Convert a constant now; what fails, fails the program."""
    result = value if isinstance(value, CELError) else call.call([value])
    if isinstance(result, CELError):
        raise result
    return steps.Constant(call.id, result)


def _membership(call: steps.Call, arguments: tuple[Step, ...]) -> Step:
    """Make a set of a constant list of scalars, to which the equal numbers of other types are added as far as they exist."""
    member, holder = arguments
    if not isinstance(holder, steps.Constant) or not is_list(holder.value):
        return call
    if not holder.value:
        return steps.Constant(call.id, value=False)
    held = Map()
    for element in elements(holder.value):
        if type(element) not in (bool, int, Uint, float, str):
            return call
        for key in (element, *_conversions(element)):
            held.put(key, value=True)
    return steps.Membership(call.id, member, held)


def _conversions(number: Value) -> list[Value]:
    kind = type(number)
    if kind is int:
        return [float(number), *([Uint(number)] if number >= 0 else [])]
    if kind is Uint:
        return [float(number), *([int(number)] if number < 2**63 else [])]
    if kind is not float or number != number:  # noqa: PLR0124 - a NaN
        return []
    whole: list[Value] = []
    if -(2.0**63) < number < 2.0**63:
        whole.append(int(number))
    if 0 <= number < 2.0**64:
        whole.append(Uint(number))
    return [key for key in whole if equality(key, number) is True]


__all__ = ["Outcome", "Panic", "Plan", "plan"]
