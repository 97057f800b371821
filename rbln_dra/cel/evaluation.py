"""
Room: the steps that a plan is made of, and what evaluating each of them means and costs. These are the rules; nothing else evaluates.

May touch: `values`, `texts`, `qualifiers`, `tracker`, `dispatch`, `messages`, `library.rows`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

from . import tracker as costs
from .dispatch import Target, written_out
from .texts import go_type, shown
from .tracker import Uncounted
from .values import (
    NO_SUCH_OVERLOAD,
    UINT_MAX,
    Abort,
    CELError,
    Concatenation,
    ListBuilder,
    Map,
    MapBuilder,
    Optional,
    Value,
    elements,
    equality,
    is_list,
    size_of,
)

if TYPE_CHECKING:
    from .library.rows import RuntimeCost
    from .messages import Message
    from .qualifiers import Attribute, Conditional
    from .tracker import Tracker


class Scope:
    """
    The variables that a step sees.

    Args:
        variables: The global variables.
        tracker: Counts the cost.
        unwraps_optionals: See `qualifiers.unwrapped`.
    """

    __slots__ = ("_variables", "outermost", "tracker", "unwraps_optionals")

    def __init__(self, variables: Mapping[str, Value], tracker: Tracker, *, unwraps_optionals: bool) -> None:
        """Begin with the global scope."""
        self._variables = variables
        self.tracker = tracker
        self.unwraps_optionals = unwraps_optionals
        self.outermost: Scope | None = None

    def globals(self) -> Scope:
        """Give the global scope as a name with a leading dot sees it from inside a loop: cel-go does not count there."""
        if self.outermost is None:
            self.outermost = Scope(self._variables, Uncounted(), unwraps_optionals=self.unwraps_optionals)
        return self.outermost

    def variable(self, name: str) -> Value:
        """Give a variable's value; `Optional.ABSENT` when there is no such variable."""
        return self._variables.get(name, Optional.ABSENT)


class Step(Protocol):
    """One step of a plan."""

    @property
    def id(self) -> int:
        """The node that it stands for."""
        ...

    def evaluate(self, scope: Scope) -> Value:
        """
        Give the value, or an error as a value.

        Raises:
            Abort: Evaluation ends.
        """


class Constant:
    """A literal, or what was computed when the program was made."""

    __slots__ = ("id", "value")

    def __init__(self, id_: int, value: Value) -> None:
        """Keep the value."""
        self.id, self.value = id_, value

    def evaluate(self, scope: Scope) -> Value:
        """Give the value, for free."""
        scope.tracker.push(self.id, self.value)
        return self.value


class Selection:
    """A variable or another value with the qualifiers after it."""

    __slots__ = ("attribute",)

    def __init__(self, attribute: Attribute) -> None:
        """Keep the attribute."""
        self.attribute = attribute

    @property
    def id(self) -> int:
        """The node of the last qualifier, else the variable's."""
        return self.attribute.id

    def evaluate(self, scope: Scope) -> Value:
        """Resolve; one unit beside those of the qualifiers."""
        value = self.attribute.resolve(scope)
        tracker = scope.tracker
        tracker.drop(self.attribute.id)
        tracker.cost += 1
        tracker.push(self.attribute.id, value)
        return value


class Presence(Selection):
    """`has(…)`."""

    __slots__ = ()

    def evaluate(self, scope: Scope) -> Value:
        """Resolve; no cost beside that of the qualifiers."""
        value = self.attribute.resolve(scope)
        if type(value) is Optional:
            value = value.present
        tracker = scope.tracker
        tracker.drop(self.attribute.id)
        tracker.push(self.attribute.id, value)
        return value


class Choice(Selection):
    """`condition ? yes : no`: only the branch taken is evaluated, and a branch that is a selection costs only its qualifiers."""

    __slots__ = ("attribute",)

    attribute: Conditional

    def evaluate(self, scope: Scope) -> Value:
        """Resolve, for free."""
        attribute = self.attribute
        value = attribute.resolve(scope)
        tracker = scope.tracker
        tracker.drop(attribute.no.id)
        tracker.drop(attribute.yes.id)
        tracker.drop(attribute.condition.id)
        tracker.push(attribute.id, value)
        return value


class ChoicePresence(Choice):
    """`has((condition ? yes : no).field)`: upstream takes off one unit that a choice was never charged; below zero that is above every limit."""

    __slots__ = ()

    def evaluate(self, scope: Scope) -> Value:
        """Resolve, for less than nothing."""
        attribute = self.attribute
        value = attribute.resolve(scope)
        if type(value) is Optional:
            value = value.present
        tracker = scope.tracker
        tracker.drop(attribute.no.id)
        tracker.drop(attribute.yes.id)
        tracker.drop(attribute.condition.id)
        tracker.cost = (tracker.cost - 1) & UINT_MAX
        tracker.push(attribute.id, value)
        return value


class Logical:
    """
    `&&` or `||`: one side decides whatever the other is, an error included.

    Args:
        id_: The node.
        terms: The two sides.
        decisive: What decides: false for `&&`, true for `||`.
    """

    __slots__ = ("decisive", "id", "terms")

    def __init__(self, id_: int, terms: Sequence[Step], *, decisive: bool) -> None:
        """Keep the terms."""
        self.id, self.terms, self.decisive = id_, terms, decisive

    def evaluate(self, scope: Scope) -> Value:
        """Evaluate from left to right until one decides; else the first error counts."""
        decisive = self.decisive
        failure: CELError | None = None
        result: Value = not decisive
        for term in self.terms:
            value = term.evaluate(scope)
            if value is decisive:
                result, failure = decisive, None
                break
            if failure is None and value is not True and value is not False:
                failure = value if isinstance(value, CELError) else CELError(NO_SUCH_OVERLOAD)
        if failure is not None:
            result = failure
        tracker = scope.tracker
        for term in self.terms:
            tracker.drop(term.id)
        tracker.push(self.id, result)
        return result


class Called:
    """What calls have in common: arguments, and a cost by their values."""

    __slots__ = ("arguments", "cost", "id")

    def __init__(self, id_: int, arguments: Sequence[Step], cost: RuntimeCost | None) -> None:
        """Keep the arguments; without `cost`, a unit."""
        self.id, self.arguments, self.cost = id_, arguments, cost

    def _note(self, scope: Scope, value: Value) -> Value:
        tracker = scope.tracker
        taken = tracker.take([argument.id for argument in self.arguments])
        if taken is not None:
            charged = None if self.cost is None else self.cost(taken, value)
            # Go's sum wraps, and one function charges nearly all of 64 bits for less than nothing.
            tracker.cost = tracker.cost + (1 if charged is None else charged) & UINT_MAX
        tracker.push(self.id, value)
        return value


class Equals(Called):
    """`==`."""

    __slots__ = ()

    def evaluate(self, scope: Scope) -> Value:
        """Evaluate both sides and compare them."""
        first, second = self.arguments
        left, right = first.evaluate(scope), second.evaluate(scope)
        if isinstance(left, CELError):
            return self._note(scope, left)
        return self._note(scope, right if isinstance(right, CELError) else equality(left, right))


class Differs(Called):
    """`!=`: true as well of what cannot be compared."""

    __slots__ = ()

    def evaluate(self, scope: Scope) -> Value:
        """Evaluate both sides and compare them."""
        first, second = self.arguments
        left, right = first.evaluate(scope), second.evaluate(scope)
        if isinstance(left, CELError):
            return self._note(scope, left)
        return self._note(scope, right if isinstance(right, CELError) else equality(left, right) is not True)


class Call(Called):
    """
    A call of a function.

    Args:
        id_: The node.
        arguments: The receiver first.
        cost: What it costs.
        function: Its name.
        target: What it runs.
        bound: What it costs at least.
    """

    __slots__ = ("function", "target")

    def __init__(
        self,
        id_: int,
        arguments: Sequence[Step],
        cost: RuntimeCost | None,
        function: str,
        target: Target,
    ) -> None:
        """Keep all that."""
        super().__init__(id_, arguments, cost)
        self.function, self.target = function, target

    def evaluate(self, scope: Scope) -> Value:
        """Evaluate the arguments and call."""
        target = self.target
        given: list[Value] = []
        failure: CELError | None = None
        for argument in self.arguments:
            value = argument.evaluate(scope)
            given.append(value)
            if target.strict and failure is None and isinstance(value, CELError):
                failure = value
                if not target.eager:
                    break
        return self._note(scope, failure if failure is not None else self.call(given))

    def call(self, given: list[Value]) -> Value:
        """Call with values."""
        target = self.target
        if target.implementation is None:
            return CELError(f"no such overload: {self.function}" if len(given) <= 2 else f"no such overload: {self.function} {self.id}")
        try:
            return target.implementation(*(given if target.views else written_out(given)))
        except Abort:
            raise
        except CELError as error:
            return error


class Membership:
    """`x in [constants]`, made a set."""

    __slots__ = ("held", "id", "member")

    def __init__(self, id_: int, member: Step, held: Map) -> None:
        """Keep the set, as the keys of a map."""
        self.id, self.member, self.held = id_, member, held

    def evaluate(self, scope: Scope) -> Value:
        """Look the value up, for free and by Go's equality of keys."""
        value = self.member.evaluate(scope)
        if not isinstance(value, CELError):
            value = self.held.contains_exactly(value)
        scope.tracker.push(self.id, value)
        return value


class Alternative:
    """`a.or(b)` or `a.orValue(b)`: the second is evaluated only when the first holds nothing."""

    __slots__ = ("checks", "first", "id", "second", "takes_value")

    def __init__(self, id_: int, first: Step, second: Step, *, takes_value: bool, checks: bool) -> None:
        """Keep both; `checks` says that a first that is not optional is an error."""
        self.id, self.first, self.second, self.takes_value, self.checks = id_, first, second, takes_value, checks

    def evaluate(self, scope: Scope) -> Value:
        """Give the first if it holds a value, else the second; for free."""
        value = self.first.evaluate(scope)
        if type(value) is Optional:
            if not value.present:
                value = self.second.evaluate(scope)
            elif self.takes_value:
                value = value.value
        elif self.checks and not isinstance(value, CELError):
            value = CELError(NO_SUCH_OVERLOAD)
        scope.tracker.push(self.id, value)
        return value


class Made(ABC):
    """
    A literal of parts that are evaluated up to the first error.

    Args:
        id_: The node.
        parts: The elements, the values of the fields, or keys and values in turn.
        optional: Which of the elements, fields or entries are optional.
    """

    __slots__ = ("id", "optional", "parts")

    price: ClassVar[int]

    def __init__(self, id_: int, parts: Sequence[Step], optional: frozenset[int]) -> None:
        """Keep all that."""
        self.id, self.parts, self.optional = id_, parts, optional

    def evaluate(self, scope: Scope) -> Value:
        """Evaluate the parts and make the value of them."""
        value = self.make(part.evaluate(scope) for part in self.parts)
        tracker = scope.tracker
        tracker.take([part.id for part in self.parts])
        tracker.cost += self.price
        tracker.push(self.id, value)
        return value

    @abstractmethod
    def make(self, given: Iterator[Value]) -> Value:
        """Make the value of the values of its parts."""


class MakeList(Made):
    """A list literal."""

    __slots__ = ()

    price = costs.LIST

    def make(self, given: Iterator[Value]) -> Value:
        """Make the list of its elements' values."""
        made: list[Value] = []
        for index, value in enumerate(given):
            if isinstance(value, CELError):
                return value
            if index in self.optional:
                if type(value) is not Optional:
                    return CELError(f"cannot initialize optional list element from non-optional value {shown(value)}")
                if value.present:
                    made.append(value.value)
            else:
                made.append(value)
        return tuple(made)


class MakeMap(Made):
    """A map literal; `parts` are keys and values in turn."""

    __slots__ = ()

    price = costs.MAP

    def make(self, given: Iterator[Value]) -> Value:
        """Make the map of its keys' and values' values."""
        made = Map()
        for index, key in enumerate(given):
            if isinstance(key, CELError):
                return key
            value = next(given)
            if isinstance(value, CELError):
                return value
            if index in self.optional:
                if type(value) is not Optional:
                    return CELError(f"cannot initialize optional entry '{shown(key)}' from non-optional value {shown(value)}")
                if not value.present:
                    made.remove(key)
                    continue
                value = value.value
            made.put(key, value)
        return made


class MakeMessage(Made):
    """A message literal."""

    __slots__ = ("fields", "message")

    price = costs.STRUCT

    def __init__(self, id_: int, message: Message, fields: Sequence[str], parts: Sequence[Step], optional: frozenset[int]) -> None:
        """Keep the message and its fields, too."""
        super().__init__(id_, parts, optional)
        self.message, self.fields = message, fields

    def make(self, given: Iterator[Value]) -> Value:
        """Make the message of its fields' values."""
        made: dict[str, Value] = {}
        for index, field in enumerate(self.fields):
            value = next(given)
            if isinstance(value, CELError):
                return value
            if index in self.optional:
                if type(value) is not Optional:
                    return CELError(f"cannot initialize optional entry '{field}' from non-optional value {shown(value)}")
                if not value.present:
                    made.pop(field, None)
                    continue
                value = value.value
            made[field] = value
        try:
            return self.message.make(made)
        except Abort:
            raise
        except CELError as error:
            return error


class Fold:
    """
    What the loop macros become: an accumulator that goes over a list, the keys of a map, or both sides of either.

    Args:
        id_: The node.
        accumulator: The accumulator's name.
        names: The names of the loop's variables, one or two.
        parts: Range, first value of the accumulator, condition, step, and result.
    """

    __slots__ = ("accumulator", "condition", "id", "initial", "names", "range", "result", "step")

    def __init__(self, id_: int, accumulator: str, names: tuple[str, ...], parts: tuple[Step, Step, Step, Step, Step]) -> None:
        """Keep all that."""
        self.id, self.accumulator, self.names = id_, accumulator, names
        self.range, self.initial, self.condition, self.step, self.result = parts

    def evaluate(self, scope: Scope) -> Value:
        """Go over the range as long as the condition is not false, then give the result."""
        held = self.range.evaluate(scope)
        value = held if isinstance(held, CELError) else self._fold(scope, held)
        tracker = scope.tracker
        tracker.drop(self.range.id)
        tracker.push(self.id, value)
        return value

    def _fold(self, scope: Scope, held: Value) -> Value:
        loop = _Loop(self, scope)
        if not isinstance(held, Map) and not is_list(held):
            if len(self.names) == 1:
                return CELError(f"got '{go_type(held)}', expected iterable type")
            return CELError(f"unsupported comprehension range type: {go_type(held)}")
        for loop.current in self._entries(held):
            if self.condition.evaluate(loop) is False:
                break
            loop.accumulate(self.step.evaluate(loop))
        return loop.finished()

    def _entries(self, held: Value) -> Iterable[tuple[Value, ...]]:
        if isinstance(held, Map):
            return list(held.items()) if len(self.names) == 2 else [(key,) for key in held]
        values = held if type(held) is Concatenation else elements(held)
        return enumerate(values) if len(self.names) == 2 else ((value,) for value in values)


class _Loop(Scope):
    """The scope of a loop; the accumulator's first value is evaluated when it is first asked for."""

    __slots__ = ("_accumulated", "_builds", "_done", "_fold", "_parent", "current")

    def __init__(self, fold: Fold, parent: Scope) -> None:
        self._fold, self._parent = fold, parent
        self.tracker = parent.tracker
        self.unwraps_optionals = parent.unwraps_optionals
        self.current: tuple[Value, ...] = ()
        self._accumulated: Value = Optional.ABSENT
        self._builds = self._done = False

    def globals(self) -> Scope:
        return self._parent.globals()

    def variable(self, name: str) -> Value:
        fold = self._fold
        if name == fold.accumulator:
            if self._accumulated is Optional.ABSENT:
                self._accumulated = self._first()
            return self._accumulated
        if not self._done and name in fold.names:
            return self.current[fold.names.index(name)]
        return self._parent.variable(name)

    def _first(self) -> Value:
        value = self._fold.initial.evaluate(self._parent)
        if is_list(value) and not size_of(value):
            self._builds = True
            return ListBuilder()
        if isinstance(value, Map) and not value.cel_size:
            self._builds = True
            return MapBuilder()
        return value

    def accumulate(self, value: Value) -> None:
        """Take the accumulator's next value."""
        self._accumulated = value

    def finished(self) -> Value:
        """Give the result, where the loop's variables are gone."""
        self._done = True
        value = self._fold.result.evaluate(self)
        if self._builds:
            if type(value) is ListBuilder:
                return value.elements()
            if type(value) is MapBuilder:
                return value.built()
        return value
