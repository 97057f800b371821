"""
Room: a plan written as a Python function that gives the value and the exact cost: what each step becomes.

The interpreter keeps the values of steps on a stack, since a call is charged by them. Here each value has a variable instead, and a step is charged
where the interpreter would find its arguments on the stack: always, but for a call whose evaluation ended at an error before its last argument.
That is free, and inside a loop it can leave values that the next round finds: there the function gives up (`Irregular`), and the interpreter judges.

May touch: `ast`, `evaluation`, `qualifiers`, `patterns`, `sources`, `phrases` for `Inexpressible`, `ledger`, `inline`, `runtime`, `tracker`,
`values`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from . import evaluation as steps, inline, patterns, qualifiers, runtime
from .ast import Uint
from .ledger import Atom, Ledger
from .phrases import MISSING, Inexpressible
from .qualifiers import Attribute, Conditional, Relative, Variable
from .sources import Prepared, WholeMap
from .tracker import LIST
from .values import CELError, Map, NativeMap, Optional

#: The variables that a step sees.
Variables: TypeAlias = Mapping[str, "Atom | Later"]
#: A rule writes a step.
Rule: TypeAlias = "Callable[[Counting, Any, Variables], Atom]"
#: The class of a value that needs no care: it is no list, no map, and no error.
_SCALARS = frozenset({bool, int, Uint, float, str, bytes, type(None)})


@attrs.frozen(eq=False)
class Later:
    """
    The variable of `cel.bind`, whose value is computed where it is first used.

    Args:
        text: Its name.
        builds: The name of what says that it began as an empty list or map.
        step: Gives the value.
        variables: What the step sees.
        home: What is known in the block where the variable exists.
        place: The qualifiers that lead to the map of a prepared device that it is; `None` of anything else.
    """

    text: str
    builds: str
    step: steps.Step
    variables: Variables
    home: set[object]
    place: tuple[Any, ...] | None = None


class Counting:
    """
    One pass over one plan.

    Args:
        whole: Whether the device's maps are looked up as such; otherwise values are read from a prepared device.
        unwraps_optionals: See `qualifiers.unwrapped`.
    """

    def __init__(self, *, whole: bool, unwraps_optionals: bool) -> None:
        self.ledger = Ledger()
        self._whole = whole
        self._unwraps_optionals = unwraps_optionals
        self._prepared = Prepared(self.ledger)

    def step(self, step: steps.Step, variables: Variables) -> Atom:
        """Write a step."""
        rule = _RULES.get(type(step))
        if rule is None:
            raise Inexpressible(f"the step {type(step).__name__}")
        return rule(self, step, variables)

    def constant(self, step: steps.Constant, _: Variables) -> Atom:
        """Write a constant."""
        return self.ledger.fixed(step.value)

    # Names and what is selected from them.

    def selection(self, step: steps.Selection, variables: Variables) -> Atom:
        """Write a name with what is selected from it."""
        value = self.attribute(step.attribute, variables)
        self.ledger.unit()
        return value

    def presence(self, step: steps.Presence, variables: Variables) -> Atom:
        """Write `has`."""
        value = self.attribute(step.attribute, variables)
        return value if value.kind is bool else self.ledger.value(f"there({value.text})")

    def attribute(self, attribute: Attribute, variables: Variables) -> Atom:
        """Write what an attribute resolves to."""
        if isinstance(attribute, Conditional):
            return self._conditional(attribute, variables)
        if isinstance(attribute, Relative):
            return self._qualified(self.step(attribute.step, variables), attribute.qualifiers, variables)
        if not isinstance(attribute, Variable) or attribute.outermost:  # a loop of a name with a dot does not count
            raise Inexpressible("a name with a leading dot")
        named = variables.get(attribute.name)
        if isinstance(named, Later):
            if named.place is not None and attribute.qualifiers:
                self._read(named)
                return self._of_device((*named.place, *attribute.qualifiers), variables, paid=len(named.place))
            if named.place is not None:
                raise WholeMap("a whole map of the device")
            return self._qualified(self._read(named), attribute.qualifiers, variables)
        if named is not None:
            return self._qualified(named, attribute.qualifiers, variables)
        # The only name that is not bound.
        if self._whole:
            return self._qualified(Atom("source", NativeMap, fallible=False), attribute.qualifiers, variables)
        return self._of_device(attribute.qualifiers, variables)

    def _of_device(self, chain: Sequence[Any], variables: Variables, *, paid: int = 0) -> Atom:
        """Read a value of a prepared device; the first qualifiers may have been charged before."""
        value, rest = self._prepared.read(chain, paid)
        return self._qualified(value, rest, variables, begins=False)

    def _conditional(self, attribute: Conditional, variables: Variables) -> Atom:
        condition = self.step(attribute.condition, variables)
        ledger, result = self.ledger, self.ledger.local()
        charges = ledger.taken()
        branches: list[Atom] = []
        for head, branch in ((f"if {condition.text} is True:", attribute.yes), (f"elif {condition.text} is False:", attribute.no)):
            with ledger.block("else:" if condition.kind is bool and branches else head, charges):
                value = self.attribute(branch, variables)
                ledger.line(f"{result} = {value.text}")
            branches.append(value)
        if condition.kind is not bool:
            with ledger.block("else:", charges):
                ledger.line(f"{result} = failing({condition.text})")
            return Atom(result)
        return _either(result, *branches)

    def _read(self, later: Later) -> Atom:
        """Write the use of a variable of `cel.bind`."""
        ledger = self.ledger
        if any(later in known for known in ledger.known):
            return Atom(later.text)
        if ledger.known[-1] is later.home:
            atom = self._begin(later)
        else:
            ledger.settle()
            with ledger.block(f"if {later.text} is ABSENT:", []):
                self._begin(later)
            atom = Atom(later.text)
        ledger.known[-1].add(later)
        return atom

    def _begin(self, later: Later) -> Atom:
        if later.place is not None:
            # The map itself is never looked at.
            self.ledger.unit(len(later.place) + 1)
            self.ledger.line(f"{later.text} = None")
            return Atom(later.text)
        value = self.step(later.step, later.variables)
        if value.kind in _SCALARS:
            self.ledger.line(f"{later.text} = {value.text}")
            return attrs.evolve(value, text=later.text, constant=MISSING)
        self.ledger.line(f"{later.text}, {later.builds} = begun({value.text})")
        return Atom(later.text)

    # Qualifiers.

    def _qualified(self, value: Atom, chain: Sequence[Any], variables: Variables, *, begins: bool = True) -> Atom:
        """Write qualifiers one after the other; `begins` says that a value that is optional makes all of them so."""
        if not chain:
            return value
        ledger = self.ledger
        plain = next((index for index, qualifier in enumerate(chain) if isinstance(qualifier, qualifiers.Computed)), len(chain))
        if plain < len(chain) and any(qualifier.optional for qualifier in chain):
            raise Inexpressible("a computed index among optional ones")
        if plain < len(chain) and begins and value.kind in (None, Optional):
            ledger.line(f"if {value.text}.__class__ is Optional: raise Irregular")
        if plain:
            walk = ledger.constant(runtime.walker(chain[:plain], begins=begins, unwraps_optionals=self._unwraps_optionals))
            name, units = ledger.local(), ledger.local()
            ledger.settle()
            ledger.line(f"{name}, {units} = {walk}({value.text})")
            ledger.unit(units)
            return self._qualified(Atom(name), chain[plain:], variables, begins=False)
        if not value.fallible:
            return self._indexed(value, chain, variables)
        result = ledger.local()
        charges = ledger.taken()
        with ledger.block(f"if {value.text}.__class__ is CELError:", charges):
            ledger.line(f"{result} = {value.text}")
        with ledger.block("else:", charges):
            found = self._indexed(value, chain, variables)
            ledger.line(f"{result} = {found.text}")
        return Atom(result)

    def _indexed(self, value: Atom, chain: Sequence[Any], variables: Variables) -> Atom:
        """Write a computed index, and what comes after it."""
        key = self.attribute(chain[0].attribute, variables)
        self.ledger.settle()
        found = self.ledger.value(f"indexed({value.text}, {key.text})")
        self.ledger.unit()
        return self._qualified(found, chain[1:], variables, begins=False)

    # Operators.

    def logic(self, step: steps.Logical, variables: Variables) -> Atom:
        """Write `&&` or `||`."""
        first, second = step.terms
        ledger, decisive = self.ledger, step.decisive
        left = self.step(first, variables)
        result = ledger.local()
        charges = ledger.taken()
        with ledger.block(f"if {left.text} is not {decisive}:", charges):
            right = self.step(second, variables)
            if left.kind is right.kind is bool:
                ledger.line(f"{result} = {right.text}")
            elif left.kind is bool:
                ledger.line(f"{result} = truth({right.text})")
            else:
                ledger.line(f"{result} = {decisive} if {right.text} is {decisive} else both({left.text}, {right.text})")
        with ledger.block("else:", charges):
            ledger.line(f"{result} = {decisive}")
        return Atom(result, bool, fallible=False) if left.kind is right.kind is bool else Atom(result)

    def choice(self, step: steps.Choice, variables: Variables) -> Atom:
        """Write `?:`."""
        return self.attribute(step.attribute, variables)

    def alternative(self, step: steps.Alternative, variables: Variables) -> Atom:
        """Write `or` and `orValue`."""
        ledger = self.ledger
        first = self.step(step.first, variables)
        result = ledger.local()
        charges = ledger.taken()
        head = "if"
        if first.kind is not Optional:
            head = "elif"
            with ledger.block(f"if {first.text}.__class__ is not Optional:", charges):
                ledger.line(f"{result} = failing({first.text})" if step.checks else f"{result} = {first.text}")
        with ledger.block(f"{head} {first.text}.value is ABSENT:", charges):
            second = self.step(step.second, variables)
            ledger.line(f"{result} = {second.text}")
        with ledger.block("else:", charges):
            ledger.line(f"{result} = {first.text}.value" if step.takes_value else f"{result} = {first.text}")
        return Atom(result)

    def membership(self, step: steps.Membership, variables: Variables) -> Atom:
        """Write `in` of a constant list."""
        return inline.membership(self.ledger, step, self.step(step.member, variables))

    def equals(self, step: steps.Equals, variables: Variables) -> Atom:
        """Write `==`."""
        return inline.equality(self.ledger, step, self._all(step.arguments, variables), same=True)

    def differs(self, step: steps.Differs, variables: Variables) -> Atom:
        """Write `!=`."""
        return inline.equality(self.ledger, step, self._all(step.arguments, variables), same=False)

    def _all(self, arguments: Sequence[steps.Step], variables: Variables) -> list[Atom]:
        return [self.step(argument, variables) for argument in arguments]

    # Functions.

    def call(self, step: steps.Call, variables: Variables) -> Atom:
        """Write a call."""
        if step.function == "_+_" and len(step.arguments) == 2 and patterns.single(step.arguments[1]):
            return self._appended(step, variables)
        if step.target.strict and not step.target.eager and len(step.arguments) > 1:
            return self._until_error(step.arguments, variables, lambda atoms: inline.call(self.ledger, step, atoms))
        return inline.call(self.ledger, step, self._all(step.arguments, variables))

    def _until_error(self, parts: Sequence[steps.Step], variables: Variables, make: Callable[[list[Atom]], Atom], price: int = 0) -> Atom:
        """Write the evaluation of some steps, which ends at the first error, for a price; else something of all of them."""
        ledger, result = self.ledger, self.ledger.local()
        failed = False

        def go_on(atoms: list[Atom]) -> None:
            nonlocal failed
            if len(atoms) == len(parts):
                ledger.line(f"{result} = {make(atoms).text}")
                return
            atom = self.step(parts[len(atoms)], variables)
            if not atom.fallible or (not price and len(atoms) + 1 == len(parts)):
                go_on([*atoms, atom])
                return
            failed = True
            charges = ledger.taken()
            with ledger.block(f"if {atom.text}.__class__ is CELError:", charges):
                if ledger.loops and atoms and len(atoms) + 1 < len(parts):
                    ledger.line("raise Irregular")
                ledger.line(f"{result} = {atom.text}")
                ledger.lump(price)
            with ledger.block("else:", charges):
                go_on([*atoms, atom])

        go_on([])
        return Atom(result, fallible=failed or not price)

    def _appended(self, step: steps.Call, variables: Variables) -> Atom:
        """Write the sum of something and a list of one element: mostly that of a macro's list and its next element."""
        ledger = self.ledger
        first, second = step.arguments
        left, element = self.step(first, variables), self.step(second.parts[0], variables)  # type: ignore[attr-defined]
        ledger.lump(LIST)
        made = f"({element.text},)"
        if element.fallible:
            made = f"{element.text} if {element.text}.__class__ is CELError else {made}"
        right = ledger.value(made, None if element.fallible else tuple)
        ledger.settle()
        if step.cost is not None or left.kind is not None or not step.target.eager:
            return inline.call(ledger, step, [left, right])
        result = ledger.local()
        test = f"if {left.text}.__class__ is ListBuilder"
        with ledger.block(f"{test} and {right.text}.__class__ is tuple:" if element.fallible else f"{test}:", []):
            ledger.line(f"{result} = {left.text}.extend({right.text})")
            ledger.unit()
        with ledger.block("else:", []):
            ledger.line(f"{result} = {inline.call(ledger, step, [left, right]).text}")
        return Atom(result)

    # Literals.

    def listing(self, step: steps.MakeList, variables: Variables) -> Atom:
        """Write a list literal."""
        return self._made(step, variables, lambda atoms: f"({''.join(f'{atom.text}, ' for atom in atoms)})", tuple)

    def mapping(self, step: steps.MakeMap, variables: Variables) -> Atom:
        """Write a map literal, whose keys are constants."""
        if any(not isinstance(key, steps.Constant) or type(key.value) not in (bool, int, str) for key in step.parts[::2]):
            raise Inexpressible("a map with computed keys")
        make = self.ledger.constant(step.make)
        return self._made(step, variables, lambda atoms: f"{make}(iter(({''.join(f'{atom.text}, ' for atom in atoms)})))", Map)

    def message(self, step: steps.MakeMessage, variables: Variables) -> Atom:
        """Write a message literal."""
        make = self.ledger.constant(step.make)
        return self._made(step, variables, lambda atoms: f"{make}(iter(({''.join(f'{atom.text}, ' for atom in atoms)})))", None)

    def _made(self, step: steps.Made, variables: Variables, text: Callable[[Sequence[Atom]], str], kind: type | None) -> Atom:
        if step.optional:
            raise Inexpressible("a literal with optional parts")

        def make(atoms: Sequence[Atom]) -> Atom:
            if kind is None:
                self.ledger.settle()
            made = self.ledger.value(text(atoms), kind)
            self.ledger.lump(step.price)
            return made

        if not step.parts:
            return make(())
        made = self._until_error(step.parts, variables, make, step.price)
        return Atom(made.text, None if made.fallible else kind, made.fallible or kind is None)

    # Loops.

    def fold(self, step: steps.Fold, variables: Variables) -> Atom:
        """Write a loop."""
        ledger = self.ledger
        held = self.step(step.range, variables)
        if held.constant is not MISSING:
            rounds = runtime.entries(held.constant, len(step.names))
            if isinstance(rounds, CELError):
                return self.ledger.fixed(rounds)
            return self._loop(step, variables, attrs.evolve(held, constant=tuple(rounds)))
        result = ledger.local()
        charges = ledger.taken()
        with ledger.block(f"if {held.text}.__class__ is CELError:", charges):
            ledger.line(f"{result} = {held.text}")
        with ledger.block("else:", charges):
            ledger.settle()
            entries = ledger.value(f"entries({held.text}, {len(step.names)})")
            with ledger.block(f"if {entries.text}.__class__ is CELError:", []):
                ledger.line(f"{result} = {entries.text}")
            with ledger.block("else:", []):
                ledger.line(f"{result} = {self._loop(step, variables, entries).text}")
        return Atom(result)

    def _loop(self, step: steps.Fold, variables: Variables, entries: Atom) -> Atom:
        """Write a loop over what is certainly a range."""
        ledger = self.ledger
        accumulator = ledger.local()
        constant = isinstance(step.initial, steps.Constant)
        later: Atom | Later
        if constant:
            first, builds = runtime.begun(step.initial.value)  # type: ignore[attr-defined]
            ledger.line(f"{accumulator} = {f'{type(first).__name__}()' if builds else self.ledger.fixed(first).text}")
            later = Atom(accumulator, fallible=True)
        else:
            builds = False
            place = None if self._whole or "device" in variables else patterns.place(step.initial)
            later = Later(accumulator, ledger.local(), step.initial, variables, ledger.known[-1], place)
            ledger.line(f"{accumulator} = ABSENT")
            ledger.line(f"{later.builds} = False")
        if entries.constant != ():
            later = self._looped(step, variables, later, entries)
        elif constant and not builds:
            later = attrs.evolve(self.ledger.fixed(step.initial.value), text=accumulator, constant=MISSING)  # type: ignore[attr-defined]
        result = self.step(step.result, {**variables, step.accumulator: later})
        if constant and not builds:
            return result
        if result.kind in _SCALARS:
            return result
        if constant:
            return ledger.value(f"built({result.text})")
        return ledger.value(f"built({result.text}) if {later.builds} else {result.text}")  # type: ignore[union-attr]

    def _looped(self, step: steps.Fold, variables: Variables, accumulator: Atom | Later, entries: Atom) -> Atom:
        """Write the rounds of a loop, and give its accumulator as it is afterwards."""
        goes_on = step.condition
        if isinstance(accumulator, Later) or (isinstance(goes_on, steps.Constant) and goes_on.value is not True):
            raise Inexpressible("a loop that no macro writes")
        names, atoms, text = self._entries(step, entries)
        within = {**variables, **dict(reversed(list(zip(step.names, atoms, strict=True)))), step.accumulator: accumulator}
        quantifier = patterns.quantifier(step)
        head = f"for {names} in {text}:"
        if quantifier is None:
            if not isinstance(goes_on, steps.Constant):
                raise Inexpressible("a loop that no macro writes")
            self._rounds(step, within, accumulator, head)
            return accumulator
        return self._quantified(quantifier, within, accumulator.text, head)

    def _entries(self, step: steps.Fold, entries: Atom) -> tuple[str, list[Atom], str]:
        """Give the names of a loop's variables, the variables, and what is looped over."""
        ledger, constant = self.ledger, entries.constant
        if constant is MISSING:
            atoms = [Atom(ledger.local(), fallible=False) for _ in step.names]
            return ", ".join(atom.text for atom in atoms), atoms, entries.text
        columns = list(zip(*constant, strict=True)) if len(step.names) == 2 else [constant]
        atoms = [Atom(ledger.local(), patterns.common(column), fallible=False) for column in columns]
        return ", ".join(atom.text for atom in atoms), atoms, ledger.constant(constant)

    def _rounds(self, step: steps.Fold, within: Variables, accumulator: Atom, head: str) -> None:
        """Write the rounds of any loop."""
        ledger = self.ledger
        with ledger.loop(head):
            value = self.step(step.step, within)
            ledger.line(f"{accumulator.text} = {value.text}")

    def _quantified(self, quantifier: steps.Logical, within: Variables, text: str, head: str) -> Atom:
        """Write the rounds of `exists` or `all`."""
        ledger, decisive = self.ledger, quantifier.decisive
        # The accumulator, `!` for `exists`, and what tells whether to go on.
        units = 3 if decisive else 2
        with ledger.loop(head):
            with ledger.block(f"if {text} is {decisive}:", []):
                ledger.unit(units)
                ledger.settle()
                ledger.line("break")
            ledger.unit(units + 1)
            value = self.step(quantifier.terms[1], within)
            ledger.line(f"if {value.text} is {decisive}: {text} = {decisive}")
            if value.kind is not bool:
                ledger.line(f"elif {value.text} is not {not decisive} and {text} is {not decisive}: {text} = failing({value.text})")
        return Atom(text, bool, fallible=False) if value.kind is bool else Atom(text)


def _either(text: str, one: Atom, other: Atom) -> Atom:
    """Give what is one of two values."""
    return Atom(text, one.kind if one.kind is other.kind else None, one.fallible or other.fallible)


_RULES: Mapping[type, Rule] = {
    steps.Alternative: Counting.alternative,
    steps.Call: Counting.call,
    steps.Choice: Counting.choice,
    steps.Constant: Counting.constant,
    steps.Differs: Counting.differs,
    steps.Equals: Counting.equals,
    steps.Fold: Counting.fold,
    steps.Logical: Counting.logic,
    steps.MakeList: Counting.listing,
    steps.MakeMap: Counting.mapping,
    steps.MakeMessage: Counting.message,
    steps.Membership: Counting.membership,
    steps.Presence: Counting.presence,
    steps.Selection: Counting.selection,
}
