"""
Room: a plan written as one Python expression: names and places of the device, operators, loops over constants.

May touch: `ast`, `evaluation`, `qualifiers`, `phrases`, `vocabulary`, `preparation`, `quantity`, `semver`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from ..quantity import Quantity
from ..semver import Semver
from . import evaluation as steps, qualifiers
from .ast import Uint
from .phrases import (
    AMOUNT,
    AND,
    ATOM,
    BOOL,
    COMPARISON,
    LOOSE,
    MISSING,
    OR,
    STORED,
    SUM,
    TEXT,
    VERSION,
    Inexpressible,
    Phrase,
    Place,
    chosen,
    compared,
    constant,
    joined,
    negation,
    number,
    stored,
    truth,
)
from .preparation import FALSE, LONGEST, TRUE, amount, attribute_key, capacity_key, domain_key
from .qualifiers import Attribute, Conditional, Relative, Variable
from .vocabulary import FUNCTIONS, Memo, Rule, computed, tenth

if TYPE_CHECKING:
    from .evaluation import Step

#: How many elements of a constant list, over all loops around it, are written out.
MOST_ROUNDS = 256
#: The variables that a step sees.
Variables: TypeAlias = Mapping[str, "Phrase | Place"]


class Writer:
    """One pass over one plan."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        #: The most that an evaluation can cost.
        self.cost = 0
        self._texts: dict[tuple[type, Any], str] = {}
        self._locals = 0
        self._rounds = 1

    def phrase(self, step: Step, variables: Variables) -> Phrase:
        """Write a step."""
        rule = _RULES.get(type(step))
        if rule is None:
            raise Inexpressible(f"the step {type(step).__name__}")
        return rule(self, step, variables)

    def name(self, value: Any) -> str:
        """Give the name of a constant."""
        known = (type(value), value)
        text = self._texts.get(known)
        if text is None:
            text = self._texts[known] = self.named(value)
        return text

    def named(self, value: Any) -> str:
        """Give a new name to a constant."""
        text = f"c{len(self.names)}"
        self.names[text] = value
        return text

    def memo(self, function: Callable[[str], Any]) -> str:
        """Give the name of a function's memory."""
        return self.named(Memo(function))

    # Names and places.

    def constant(self, step: steps.Constant, _: Variables) -> Phrase:
        """Write a constant step."""
        return self.of_value(step.value)

    def of_value(self, value: Any) -> Phrase:
        """Write a constant."""
        kind = type(value)
        if kind is bool:
            return Phrase(BOOL, "True" if value else "False", constant=value)
        if kind is Quantity:
            return Phrase(AMOUNT, self.name(amount(value)))
        if kind is Semver:
            return Phrase(VERSION, self.name(value.precedence))
        return constant(value, self.name(int(value) if kind is Uint else value))

    def selection(self, step: steps.Selection, variables: Variables) -> Phrase:
        """Write a name with what is selected from it."""
        self.cost += 1
        return self.attribute(step.attribute, variables)

    def attribute(self, attribute: Attribute, variables: Variables) -> Phrase:
        """Write a name with what is selected from it, or a conditional."""
        if isinstance(attribute, Conditional):
            condition = self.phrase(attribute.condition, variables)
            return chosen(condition, self.attribute(attribute.yes, variables), self.attribute(attribute.no, variables))
        if isinstance(attribute, Relative):
            if attribute.qualifiers:
                raise Inexpressible("a selection from a computed value")
            return self.phrase(attribute.step, variables)
        found = self.place(attribute, variables)
        return found if isinstance(found, Phrase) else self.value(found)

    def place(self, variable: Attribute, variables: Variables) -> Phrase | Place:
        """Find the place that a name with its qualifiers leads to."""
        if not isinstance(variable, Variable):
            raise Inexpressible("a selection from a computed value")
        self.cost += len(variable.qualifiers)
        start = None if variable.outermost else variables.get(variable.name)
        if start is None:
            if variable.name != "device":
                raise Inexpressible("a name that is not bound")
            start = Place()
        if not variable.qualifiers:
            return start
        if isinstance(start, Phrase):
            raise Inexpressible("a selection from a computed value")
        path, optional = list(start.path), start.optional
        for qualifier in variable.qualifiers:
            if isinstance(qualifier, qualifiers.Computed) or type(qualifier.key) is not str:
                raise Inexpressible("an index that is no constant text")
            path.append(qualifier.key)
            optional = optional or qualifier.optional
        return Place(tuple(path), optional)

    def key(self, place: Place) -> str:
        """Give the name of the key of an attribute or a capacity."""
        match place.path:
            case ("attributes", domain, id_):
                return self.name(attribute_key(domain, id_))
            case ("capacity", domain, id_):
                return self.name(capacity_key(domain, id_))
            case _:
                raise Inexpressible("a whole map of the device, or something inside of a value")

    def value(self, place: Place) -> Phrase:
        """Look a place up."""
        if place.optional:
            raise Inexpressible("an optional value")
        if place.path == ("driver",):
            return Phrase(TEXT, 'values["driver"]', ATOM, 1, LONGEST)
        if place.path == ("allowMultipleAllocations",):
            return Phrase(BOOL, 'values["shared"]', ATOM, 1)
        key = self.key(place)
        return Phrase(self.kind(place), f"values[{key}]", ATOM, 1, LONGEST)

    @staticmethod
    def kind(place: Place) -> str:
        """Give the kind of what stands at a place."""
        return STORED if place.path[0] == "attributes" else AMOUNT

    def presence(self, step: steps.Presence, variables: Variables) -> Phrase:
        """Write `has`."""
        place = self.place(step.attribute, variables)
        if isinstance(place, Phrase) or place.optional:
            raise Inexpressible("a presence test of a computed value")
        if len(place.path) < 3:
            # The fields of the device are always there, and every domain is found.
            return Phrase(BOOL, "True", constant=True)
        return self.contained(self.key(place))

    @staticmethod
    def contained(key: str) -> Phrase:
        """Tell whether something stands at a place."""
        return Phrase(BOOL, f"{key} in values", COMPARISON)

    def optional_place(self, step: Step, variables: Variables) -> Place:
        """Find the place of an optional attribute or capacity."""
        if type(step) is steps.Selection:
            self.cost += 1
            place = self.place(step.attribute, variables)
            if isinstance(place, Place) and place.optional:
                return place
        raise Inexpressible("an optional value")

    # Operators.

    def logic(self, step: steps.Logical, variables: Variables) -> Phrase:
        """Write `&&` or `||`."""
        terms = tuple(truth(self.phrase(term, variables)) for term in step.terms)
        binds, operator = (OR, "or") if step.decisive else (AND, "and")
        return joined(BOOL, binds, terms, operator, most=binds)

    def equals(self, step: steps.Equals, variables: Variables) -> Phrase:
        """Write `==`."""
        return self._compared(step, variables, "==")

    def differs(self, step: steps.Differs, variables: Variables) -> Phrase:
        """Write `!=`."""
        return self._compared(step, variables, "!=")

    def relation(self, step: steps.Call, variables: Variables) -> Phrase:
        """Write `<` and the like."""
        return self._compared(step, variables, step.function.strip("_"))

    def _compared(self, step: steps.Called, variables: Variables, operator: str) -> Phrase:
        left, right = [self.phrase(argument, variables) for argument in step.arguments]
        self.cost += 1 + tenth(min(left.size, right.size))
        return compared(left, right, operator)

    def negate(self, step: steps.Call, variables: Variables) -> Phrase:
        """Write `!`."""
        self.cost += 1
        return negation(self.phrase(step.arguments[0], variables))

    def membership(self, step: steps.Membership, variables: Variables) -> Phrase:
        """Write `in` of a constant list."""
        member = stored(self.phrase(step.member, variables))
        # Devices have neither doubles nor unsigned integers.
        held = frozenset((TRUE if key else FALSE) if type(key) is bool else key for key in step.held if type(key) in (bool, int, str))
        return Phrase(BOOL, f"{member.within(SUM)} in {self.name(held)}", COMPARISON, member.deeper(SUM))

    def contains_key(self, step: steps.Call, variables: Variables) -> Phrase:
        """Write `"name" in device.attributes` and the same of a domain."""
        member, holder = step.arguments
        self.cost += 2
        if not isinstance(member, steps.Constant) or type(member.value) is not str or type(holder) is not steps.Selection:
            raise Inexpressible("a search in a list or a computed map")
        place = self.place(holder.attribute, variables)
        if isinstance(place, Phrase) or place.optional:
            raise Inexpressible("a search in a list or a computed map")
        if place.path in (("attributes",), ("capacity",)):
            return self.contained(self.name(domain_key(place.path[0], member.value)))
        return self.contained(self.key(Place((*place.path, member.value))))

    def choice(self, step: steps.Choice, variables: Variables) -> Phrase:
        """Write `?:`."""
        return self.attribute(step.attribute, variables)

    def alternative(self, step: steps.Alternative, variables: Variables) -> Phrase:
        """Write `device.attributes["d"].?x.orValue(y)`."""
        if not step.takes_value:
            raise Inexpressible("an optional value")
        place = self.optional_place(step.first, variables)
        key, kind = self.key(place), self.kind(place)
        second = self.phrase(step.second, variables)
        if kind == STORED:
            second = stored(second)
        elif second.kind != AMOUNT:
            raise Inexpressible(f"{second.kind} in place of a quantity")
        size = max(LONGEST, second.size)
        if second.text.isidentifier():
            return Phrase(kind, f"values.get({key}, {second.text})", ATOM, 1, size)
        return Phrase(kind, f"values[{key}] if {key} in values else {second.within(LOOSE)}", LOOSE, max(1, second.deeper(LOOSE)), size)

    # Functions.

    def call(self, step: steps.Call, variables: Variables) -> Phrase:
        """Write a call."""
        rule = _CALLS.get((step.function, len(step.arguments)))
        if rule is not None:
            return rule(self, step, variables)
        return computed(self, step, [self.phrase(argument, variables) for argument in step.arguments])

    # Loops.

    def loop(self, step: steps.Fold, variables: Variables) -> Phrase:
        """Write a macro over a constant list."""
        if not isinstance(step.range, steps.Constant) or type(step.range.value) is not tuple:
            raise Inexpressible("a loop over something that is no constant list")
        elements = step.range.value
        self.cost += 2
        if not elements:
            return self.bound(step, variables)
        quantifier = _quantifier(step)
        if quantifier is None:
            raise Inexpressible("a loop that makes a list or counts")
        found = self._searched(step, quantifier, variables)
        if found is not None:
            return found
        self._rounds *= len(elements)
        if self._rounds > MOST_ROUNDS:
            raise Inexpressible("too long a loop")
        rounds = [self._round(step.names, quantifier.terms[1], (index, element), variables) for index, element in enumerate(elements)]
        self._rounds //= len(elements)
        binds, operator = (OR, "or") if quantifier.decisive else (AND, "and")
        return joined(BOOL, binds, tuple(rounds), operator, most=binds)

    def _searched(self, step: steps.Fold, quantifier: steps.Logical, variables: Variables) -> Phrase | None:
        """Write `[constants].exists(x, x == y)` as `y in constants`; `None` for any other loop."""
        elements, predicate = step.range.value, quantifier.terms[1]  # type: ignore[attr-defined]
        if not quantifier.decisive or not isinstance(predicate, steps.Equals) or len(step.names) != 1 or step.names == ("device",):
            return None
        if {type(element) for element in elements} not in ({str}, {int}):
            return None
        (name,) = step.names
        others = [side for side in predicate.arguments if not _names(side, name)]
        if len(others) != 1:
            return None
        before = self.cost
        try:
            wanted = stored(self.phrase(others[0], {key: value for key, value in variables.items() if key != name}))
        except Inexpressible:
            self.cost = before
            return None
        self.cost = before + len(elements) * (self.cost - before + 8 + tenth(wanted.size))
        return joined(BOOL, COMPARISON, (wanted, Phrase(STORED, self.name(frozenset(elements)))), "in", most=SUM)

    def _round(self, names: tuple[str, ...], predicate: Step, values: tuple[int, Any], variables: Variables) -> Phrase:
        """Write one round of `exists` or `all`, for an index and an element."""
        self.cost += 6
        within = {**variables, **{name: self.of_value(value) for name, value in zip(names, values[-len(names) :], strict=True)}}
        return truth(self.phrase(predicate, within))

    def bound(self, step: steps.Fold, variables: Variables) -> Phrase:
        """Write `cel.bind`: a name for a place, or for a value that is kept where it is used more than once."""
        initial = step.initial
        variable = _read(initial)
        if variable is not None:
            self.cost += 1
            start = self.place(variable, variables)
            if isinstance(start, Place) and not start.optional:
                return self.phrase(step.result, {**variables, step.accumulator: start})
        value = number(self.phrase(initial, variables))
        if value.simple:
            return self.phrase(step.result, {**variables, step.accumulator: value})
        name = f"local{self._locals}"
        self._locals += 1
        kept = attrs.evolve(value, text=name, binds=ATOM, depth=0)
        result = number(self.phrase(step.result, {**variables, step.accumulator: kept}))
        text = f"({name} := {value.text}, {result.text})[1]"
        return attrs.evolve(result, text=text, binds=ATOM, depth=1 + max(value.depth, result.depth), constant=MISSING)


def _quantifier(step: steps.Fold) -> steps.Logical | None:
    """Give the operator of a loop that is `exists` or `all`; its second operand is the predicate."""
    again, first = step.step, step.initial
    if type(again) is not steps.Logical or not isinstance(first, steps.Constant) or first.value is not (not again.decisive):
        return None
    return again if _names(again.terms[0], step.accumulator) and _names(step.result, step.accumulator) else None


def _names(step: Step, name: str) -> bool:
    """Tell whether a step is a name and nothing else."""
    variable = _read(step)
    return variable is not None and variable.name == name and not variable.outermost and not variable.qualifiers


def _read(step: Step) -> Variable | None:
    """Give the variable that a step reads; `None` for any other step, `has` and `?:` among them."""
    if isinstance(step, steps.Selection) and type(step) is steps.Selection and isinstance(step.attribute, Variable):
        return step.attribute
    return None


_RULES: Mapping[type, Callable[[Writer, Any, Variables], Phrase]] = {
    steps.Alternative: Writer.alternative,
    steps.Call: Writer.call,
    steps.Choice: Writer.choice,
    steps.Constant: Writer.constant,
    steps.Differs: Writer.differs,
    steps.Equals: Writer.equals,
    steps.Fold: Writer.loop,
    steps.Logical: Writer.logic,
    steps.Membership: Writer.membership,
    steps.Presence: Writer.presence,
    steps.Selection: Writer.selection,
}
_CALLS: Mapping[tuple[str, int], Rule] = {
    **FUNCTIONS,
    ("!_", 1): Writer.negate,
    **{(name, 2): Writer.relation for name in ("_<_", "_<=_", "_>_", "_>=_")},
    ("@in", 2): Writer.contains_key,
}
