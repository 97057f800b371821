"""
Room: calls in generated code that counts: operators of plain values in place, anything else as a call of what the interpreter calls.

May touch: `evaluation`, `ledger`, `phrases` for what is no constant, `preparation` and `arithmetic` for limits, `values`, `quantity`, `library.rows`,
`library.costs` for the price of one unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ..quantity import Quantity
from . import evaluation as steps, values
from .arithmetic import MOST_CHARACTERS
from .ledger import Atom, Ledger
from .library.costs import unit_cost
from .library.rows import RuntimeCost
from .phrases import MISSING
from .preparation import LONGEST
from .values import INT_MAX, INT_MIN, PLAIN, Abort, CELError, Value, copied

#: Writes a call in place; `None` where there is no shorter way.
Rule: TypeAlias = "Callable[[Ledger, steps.Call, Sequence[Atom]], Atom | None]"


def scaled(size: int) -> int:
    """Give the cost of one pass over a text, in Go's double precision."""
    return math.ceil(float(size) * 0.1)


def call(ledger: Ledger, step: steps.Call, atoms: Sequence[Atom]) -> Atom:
    """Write a call with values that are there."""
    rule = _RULES.get((step.function, len(atoms)))
    found = _folded(ledger, step, atoms) if step.function in _FOLDED else None
    if found is None and rule is not None:
        found = rule(ledger, step, atoms)
    return _called(ledger, _function(step), step.cost, atoms, known=step.function in _KNOWN) if found is None else found


def _folded(ledger: Ledger, step: steps.Call, atoms: Sequence[Atom]) -> Atom | None:
    """Call a function of constants now; what it costs is charged where the call stands."""
    given = tuple(atom.constant for atom in atoms)
    if MISSING in given:
        return None
    try:
        value, charged = _charging(_function(step), step.cost or unit_cost)(*given)
    except Abort:
        return None
    if type(value) is Quantity:
        # Some functions change theirs.
        atom = ledger.value(f"copied({ledger.constant(value)})", Quantity)
    else:
        atom = ledger.fixed(value)
    ledger.lump(charged)
    return atom


def _called(ledger: Ledger, function: Callable[..., Value], cost: RuntimeCost | None, atoms: Sequence[Atom], *, known: bool = False) -> Atom:
    """Write a call of something that the interpreter calls; `known` says that it gives the same for the same text and constants."""
    given = ", ".join(atom.text for atom in atoms)
    ledger.settle()
    constants = tuple(atom.constant for atom in atoms[1:])
    if cost is None or cost is unit_cost:
        result = ledger.value(f"{ledger.constant(function)}({given})")
        ledger.unit()
        return result
    charging = _charging(function, cost)
    call = f"{ledger.constant(charging)}({given})"
    if known and MISSING not in constants:
        memory = ledger.constant(_Memory(charging, constants))
        call = f"{memory}[{atoms[0].text}] if {atoms[0].text}.__class__ is str else {call}"
    value, charged = ledger.local(), ledger.local()
    ledger.line(f"{value}, {charged} = {call}")
    ledger.line(f"cost = cost + {charged} & {values.UINT_MAX}")
    ledger.line("if cost > limit:")
    ledger.line(f" return exceeded(cost, limit, ((False, {charged}), ))")
    return Atom(value)


def _charging(function: Callable[..., Value], cost: RuntimeCost) -> Callable[..., tuple[Value, int]]:
    """Give a function with what a call of it costs."""

    def charging(*given: Value) -> tuple[Value, int]:
        value = function(*given)
        charged = cost(given, value)
        return value, 1 if charged is None else charged

    return charging


class _Memory(dict[str, "tuple[Value, int]"]):
    """What a function gives for texts and some constants, and what that costs, remembered for the last of them."""

    __slots__ = ("charging", "constants")

    def __init__(self, charging: Callable[..., tuple[Value, int]], constants: tuple[Value, ...]) -> None:
        super().__init__()
        self.charging, self.constants = charging, constants

    def __missing__(self, text: str) -> tuple[Value, int]:
        found = self.charging(text, *self.constants)
        if len(text) <= LONGEST:
            if len(self) >= _MOST_REMEMBERED:
                self.clear()
            self[text] = found
        return found


def _function(step: steps.Call) -> Callable[..., Value]:
    """Give what the step does with values, errors among them."""
    implementation = step.target.implementation

    def carefully(*given: Value) -> Value:
        for value in given:
            if value.__class__ is CELError and step.target.strict:
                return value
        return step.call(list(given))

    def unary(value: Value) -> Value:
        if value.__class__ not in PLAIN:
            return carefully(value)
        try:
            return implementation(value)  # type: ignore[misc]
        except CELError as error:
            return _kept(error)

    def binary(left: Value, right: Value) -> Value:
        if left.__class__ not in PLAIN or right.__class__ not in PLAIN:
            return carefully(left, right)
        try:
            return implementation(left, right)  # type: ignore[misc]
        except CELError as error:
            return _kept(error)

    if implementation is None or not step.target.strict or not 1 <= len(step.arguments) <= 2:
        return carefully
    return unary if len(step.arguments) == 1 else binary


def _kept(error: CELError) -> CELError:
    """Give an error as a value, unless it ends the evaluation."""
    if isinstance(error, Abort):
        raise error
    return error


# Equality and membership.


def _compare(*given: Value) -> Value:
    left, right = given
    if left.__class__ is CELError:
        return left
    return right if right.__class__ is CELError else values.equality(left, right)


def _differ(*given: Value) -> Value:
    left, right = given
    if left.__class__ is CELError:
        return left
    return right if right.__class__ is CELError else values.equality(left, right) is not True


def equality(ledger: Ledger, step: steps.Called, atoms: Sequence[Atom], *, same: bool) -> Atom:
    """Write `==`, or `!=`."""
    operator, function = ("==", _compare) if same else ("!=", _differ)
    cost = step.cost
    if cost is None:  # pragma: no cover - both operators have one
        return _called(ledger, function, cost, atoms)
    return _plain(ledger, operator, atoms, (str, int, bool), lambda: _called(ledger, function, cost, atoms))


def _plain(ledger: Ledger, operator: str, atoms: Sequence[Atom], kinds: Sequence[type], otherwise: Callable[[], Atom]) -> Atom:
    """Write an operator that compares two values of one of some plain classes, one of which is certain; a pass over the shorter text is charged."""
    left, right = atoms
    kind = left.kind if left.kind in kinds else right.kind
    if kind is None:
        # Of two unknown values, hope for the first.
        kind = kinds[0]
    if kind not in kinds or {left.kind, right.kind} - {kind, None}:
        return otherwise()
    text = f"{left.text} {operator} {right.text}"
    unsure = [atom for atom in atoms if atom.kind is None]
    if not unsure:
        result = ledger.value(text, bool)
        _charge(ledger, kind, left, right)
        return result
    result = Atom(ledger.local())
    charges = ledger.taken()
    test = " is ".join(f"{atom.text}.__class__" for atom in unsure)
    with ledger.block(f"if {test} is {kind.__name__}:", charges):
        ledger.line(f"{result.text} = {text}")
        _charge(ledger, kind, left, right)
    if len(unsure) == 1 and (kind is not str or any(atom.constant is not MISSING and atom.constant for atom in atoms)):
        # An error counts as of size one.
        with ledger.block(f"elif {unsure[0].text}.__class__ is CELError:", charges):
            ledger.line(f"{result.text} = {unsure[0].text}")
            ledger.unit()
    with ledger.block("else:", charges):
        ledger.line(f"{result.text} = {otherwise().text}")
    return result


def _charge(ledger: Ledger, kind: type, left: Atom, right: Atom) -> None:
    """Charge a pass over the shorter of two texts; a unit for anything else."""
    if kind is not str:
        ledger.unit()
        return
    known = [len(atom.constant) for atom in (left, right) if atom.constant is not MISSING]
    most = min(known, default=None)
    if len(known) == 2:
        ledger.lump(scaled(min(known)))
        return
    charged = ledger.local()
    sizes = [f"length({atom.text})" for atom in (left, right) if atom.constant is MISSING]
    if most is None:
        ledger.line(f"{charged} = scaled(smaller({', '.join(sizes)}))")
    elif most <= 10:
        text = next(atom.text for atom in (left, right) if atom.constant is MISSING)
        ledger.line(f"{charged} = 1 if {text} else 0" if most else f"{charged} = 0")
    else:
        ledger.line(f"{charged} = scaled(smaller({sizes[0]}, {most}))")
    ledger.lump(charged)


def membership(ledger: Ledger, step: steps.Membership, member: Atom) -> Atom:
    """Write `in` of a constant list."""
    held = step.held
    texts, numbers = [frozenset(key for key in held if type(key) is kind) for kind in (str, int)]
    known = {str: texts, int: numbers}
    if member.kind in known:
        return ledger.value(f"{member.text} in {ledger.constant(known[member.kind])}", bool)
    kind = str if texts else int

    def contains(value: Value) -> Value:
        return value if value.__class__ is CELError else held.contains_exactly(value)

    result = ledger.local()
    charges = ledger.taken()
    with ledger.block(f"if {member.text}.__class__ is {kind.__name__}:", charges):
        ledger.line(f"{result} = {member.text} in {ledger.constant(known[kind])}")
    with ledger.block("else:", charges):
        ledger.settle()
        ledger.line(f"{result} = {ledger.constant(contains)}({member.text})")
    return Atom(result)


# Functions.


def _relation(ledger: Ledger, step: steps.Call, atoms: Sequence[Atom]) -> Atom | None:
    """Write `<` and the like for integers, and for texts where they are charged."""
    kinds = (int,) if step.cost is None else (int, str)
    return _plain(ledger, step.function.strip("_"), atoms, kinds, lambda: _called(ledger, _function(step), step.cost, atoms))


def _sum(ledger: Ledger, step: steps.Call, atoms: Sequence[Atom]) -> Atom | None:
    """Write a sum, difference or product of integers, and a sum of texts."""
    left, right = atoms
    kinds = {left.kind, right.kind}
    if kinds <= {int, None} and (step.cost is None or step.cost((1, 1), 1) == 1):
        return _of_integers(ledger, step, left, right)
    if step.function == "_+_" and kinds <= {str, None} and kinds != {None} and step.cost is not None:
        return _of_texts(ledger, step, left, right)
    return None


def _of_integers(ledger: Ledger, step: steps.Call, left: Atom, right: Atom) -> Atom:
    """Write an operation of integers, which may be too large for one."""
    result = ledger.local()
    tests = [f"{atom.text}.__class__ is int and" for atom in (left, right) if atom.kind is not int]
    text = f"{left.text} {step.function.strip('_')} {right.text}"
    charges = ledger.taken()
    with ledger.block(f"if {' '.join(tests)} {INT_MIN} <= ({result} := {text}) <= {INT_MAX}:", charges):
        ledger.unit()
    with ledger.block("else:", charges):
        ledger.line(f"{result} = {_called(ledger, _function(step), step.cost, (left, right)).text}")
    return Atom(result)


def _of_texts(ledger: Ledger, step: steps.Call, left: Atom, right: Atom) -> Atom:
    """Write a sum of texts, which may be too long for one."""
    result, size, charged = ledger.local(), ledger.local(), ledger.local()
    tests = [f"{atom.text}.__class__ is str and" for atom in (left, right) if atom.kind is not str]
    charges = ledger.taken()
    with ledger.block(f"if {' '.join(tests)} ({size} := length({left.text}) + length({right.text})) <= {MOST_CHARACTERS}:", charges):
        ledger.line(f"{charged} = scaled({size})")
        ledger.lump(charged)
        ledger.settle()
        ledger.line(f"{result} = {left.text} + {right.text}")
    with ledger.block("else:", charges):
        ledger.line(f"{result} = {_called(ledger, _function(step), step.cost, (left, right)).text}")
    return Atom(result)


def _string(ledger: Ledger, step: steps.Call, atoms: Sequence[Atom]) -> Atom | None:
    """Write `string` of an integer."""
    (operand,) = atoms
    if step.cost is not None or operand.kind not in (int, None):
        return None
    if operand.kind is int:
        ledger.unit()
        return ledger.value(f"str({operand.text})", str)
    result = Atom(ledger.local())
    charges = ledger.taken()
    with ledger.block(f"if {operand.text}.__class__ is int:", charges):
        ledger.line(f"{result.text} = str({operand.text})")
        ledger.unit()
    with ledger.block("else:", charges):
        ledger.line(f"{result.text} = {_called(ledger, _function(step), step.cost, atoms).text}")
    return result


def _not(ledger: Ledger, step: steps.Call, atoms: Sequence[Atom]) -> Atom | None:
    """Write `!`."""
    (operand,) = atoms
    if operand.kind is bool:
        value = ledger.value(f"not {operand.text}", bool)
    else:
        value = ledger.value(
            f"not {operand.text} if {operand.text} is True or {operand.text} is False else {ledger.constant(_function(step))}({operand.text})"
        )
    ledger.unit()
    return value


#: How many texts a call remembers its results for.
_MOST_REMEMBERED = 1024
#: Functions of a text and constants whose results do not change.
_KNOWN = frozenset(
    {
        "charAt",
        "cidr",
        "contains",
        "endsWith",
        "find",
        "indexOf",
        "ip",
        "ip.isCanonical",
        "isCIDR",
        "isIP",
        "isQuantity",
        "isSemver",
        "isURL",
        "lastIndexOf",
        "lowerAscii",
        "matches",
        "replace",
        "semver",
        "split",
        "startsWith",
        "substring",
        "trim",
        "upperAscii",
    }
)
#: Functions that are called while the function is written, if their arguments are constants.
_FOLDED = _KNOWN | {"quantity"}
_RULES: Mapping[tuple[str, int], Rule] = {
    **{(name, 2): _relation for name in ("_<_", "_<=_", "_>_", "_>=_")},
    **{(name, 2): _sum for name in ("_+_", "_-_", "_*_")},
    ("!_", 1): _not,
    ("string", 1): _string,
}

#: The names of what is written in place.
NAMES: Mapping[str, Any] = {
    "bool": bool,
    "copied": copied,
    "int": int,
    "iter": iter,
    "length": len,
    "scaled": scaled,
    "smaller": min,
    "str": str,
    "tuple": tuple,
}
