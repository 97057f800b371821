"""
Room: how calls of functions are written as Python, one rule for each function that generated code knows.

A rule gives a phrase and adds to the writer's bound what the call can cost. Where it calls what the interpreter calls, that refuses stored values of
an unexpected type by an error, and the interpreter decides.

May touch: `ast`, `evaluation`, `phrases`, `preparation`, `values`, `semver`, `library.lists` for a limit, and `writer`, which calls its rules.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from ..semver import Semver
from . import evaluation as steps
from .ast import Uint
from .library.lists import INCLUDES_LIMIT
from .phrases import (
    AMOUNT,
    ATOM,
    BOOL,
    COMPARISON,
    DOUBLE,
    INT,
    MISSING,
    STORED,
    SUM,
    TEXT,
    VERSION,
    Inexpressible,
    Phrase,
    Place,
    called,
    compared,
    joined,
    looked_up,
    number,
    ordered,
    stored,
)
from .preparation import LONGEST, Listing, Slow, amount
from .values import CELError

if TYPE_CHECKING:
    from .writer import Variables, Writer

#: How many texts a function remembers its results for.
MOST_REMEMBERED = 1024
#: Writes a call.
Rule: TypeAlias = "Callable[[Writer, steps.Call, Variables], Phrase]"


class Memo(dict[str, Any]):
    """What a function gives for texts, remembered for the last of them."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[str], Any]) -> None:
        super().__init__()
        self.function = function

    def __missing__(self, text: str) -> Any:
        if type(text) is not str:
            raise Slow
        value = self.function(text)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[text] = value
        return value


def includes(target: Any, wanted: Any) -> bool:
    """Do `includes`, as far as all minors agree."""
    if target.__class__ is not Listing:
        return bool(target == wanted)
    if len(target.items) > INCLUDES_LIMIT:
        raise Slow
    return wanted in target.items


def tenth(size: int) -> int:
    """Give the cost of one pass over a text."""
    return math.ceil(size / 10)


def _result(value: Any) -> Any:
    """Refuse an error."""
    if isinstance(value, CELError):
        raise Slow
    return value


def _precedence(version: Semver) -> tuple[object, ...]:
    return version.precedence


def _run(step: steps.Call) -> Callable[..., Any]:
    """Give what a call of a function below runs, all of which are bound: it takes values that are no lists, and raises its errors."""
    return step.target.implementation  # type: ignore[return-value]


def computed(writer: Writer, step: steps.Call, arguments: list[Phrase]) -> Phrase:
    """Write a call by its result, when all arguments are constants."""
    given = [argument.constant for argument in arguments]
    if any(value is MISSING for value in given):
        raise Inexpressible(f"the function {step.function}")
    value = step.call(given)
    if isinstance(value, CELError):
        raise Inexpressible(f"a call of {step.function} that fails")
    charged = None if step.cost is None else step.cost(tuple(given), value)
    writer.cost += 1 if charged is None else charged
    return writer.of_value(value)


def _parsed(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write `semver(x)` and `quantity(x)`."""
    text = writer.phrase(step.arguments[0], variables)
    if text.constant is not MISSING:
        return computed(writer, step, [text])
    _texts_only(text)
    writer.cost += 1 + tenth(text.size)
    kind, convert = (VERSION, _precedence) if step.function == "semver" else (AMOUNT, amount)
    return looked_up(kind, writer.memo(lambda given: convert(_result(step.call([given])))), text)


def _order(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write the comparison of two quantities or versions."""
    writer.cost += 1
    left, right = [writer.phrase(argument, variables) for argument in step.arguments]
    found = ordered(left, right)
    operator = _ORDERS.get(step.function)
    return found if operator is None else compared(found, writer.of_value(0), operator)


def _affix(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write `startsWith` and `endsWith`."""
    text, part = [writer.phrase(argument, variables) for argument in step.arguments]
    _texts_only(text, part)
    writer.cost += 1 + tenth(max(text.size, part.size))
    call = called(BOOL, f"{text.within(ATOM)}.{step.function.lower()}", part)
    return attrs.evolve(call, depth=max(call.depth, text.deeper(ATOM)))


def _contains(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write `contains`."""
    text, part = [writer.phrase(argument, variables) for argument in step.arguments]
    _texts_only(text, part)
    writer.cost += (1 + tenth(text.size)) * (1 + tenth(part.size))
    return joined(BOOL, COMPARISON, (part, text), "in", most=SUM)


def _pattern(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write `matches`: what a pattern says of a text is remembered."""
    text, pattern = [writer.phrase(argument, variables) for argument in step.arguments]
    _texts_only(text)
    expression = pattern.constant
    if type(expression) is not str:
        raise Inexpressible("a regular expression that is no constant")
    writer.cost += tenth(text.size + 1) * math.ceil(len(expression) / 4)
    search = _run(step)
    return looked_up(BOOL, writer.memo(lambda given: search(given, expression)), text)


def _size(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write `size`."""
    text = writer.phrase(step.arguments[0], variables)
    _texts_only(text)
    writer.cost += 1
    return called(INT, "length", text)


def _included(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write `includes`."""
    target, wanted = [writer.phrase(argument, variables) for argument in step.arguments]
    if wanted.constant is MISSING or wanted.kind == DOUBLE:
        raise Inexpressible("a search for something that is no constant")
    writer.cost += 1 + LONGEST + LONGEST * LONGEST // 10
    return called(BOOL, "includes", stored(target), stored(wanted))


def _present(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write `hasValue`."""
    writer.cost += 1
    return writer.contained(writer.key(writer.optional_place(step.arguments[0], variables)))


def _held(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write `value`."""
    writer.cost += 1
    place = writer.optional_place(step.arguments[0], variables)
    return writer.value(Place(place.path))


def _same(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write `dyn`."""
    writer.cost += 1
    return writer.phrase(step.arguments[0], variables)


def _arithmetic(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write a sum and the like as a call of what the interpreter calls: it looks at its arguments itself."""
    operands = [number(writer.phrase(argument, variables)) for argument in step.arguments]
    kinds = {operand.kind for operand in operands}
    if all(operand.constant is not MISSING for operand in operands):
        return computed(writer, step, operands)
    if not (kinds <= {INT, STORED} or kinds <= {TEXT, STORED}) or any(type(operand.constant) is Uint for operand in operands):
        raise Inexpressible(f"the function {step.function} of such operands")
    size = sum(operand.size for operand in operands)
    writer.cost += 1 + tenth(size)
    kind = (kinds - {STORED}).pop() if kinds != {STORED} else STORED
    return called(kind, writer.named(_run(step)), *operands, size=size)


def _text_function(writer: Writer, step: steps.Call, variables: Variables) -> Phrase:
    """Write a function of texts as a call of what the interpreter calls, which refuses values of other types."""
    arguments = [number(writer.phrase(argument, variables)) for argument in step.arguments]
    if all(argument.constant is not MISSING for argument in arguments):
        return computed(writer, step, arguments)
    text, *others = arguments
    _texts_only(text)
    if any(other.kind not in (TEXT, INT, STORED) or type(other.constant) is Uint for other in others):
        raise Inexpressible(f"the function {step.function} of such arguments")
    writer.cost += 2 + 2 * tenth(sum(argument.size for argument in arguments)) ** min(2, len(arguments))
    return called(TEXT_FUNCTIONS[step.function], writer.named(_run(step)), *arguments, size=max(text.size, _LONGEST_NUMBER))


def _texts_only(*phrases: Phrase) -> None:
    """Refuse what is certainly no text."""
    if not all(phrase.kind in (TEXT, STORED) for phrase in phrases):
        raise Inexpressible("a text function of something else")


#: Characters of the longest integer.
_LONGEST_NUMBER = 20
_ORDERS = {"isGreaterThan": ">", "isLessThan": "<"}
#: Functions whose first argument is a text, with the kind of their result.
TEXT_FUNCTIONS = {
    "charAt": TEXT,
    "indexOf": INT,
    "int": INT,
    "lastIndexOf": INT,
    "lowerAscii": TEXT,
    "string": TEXT,
    "substring": TEXT,
    "trim": TEXT,
    "upperAscii": TEXT,
}
#: By name and number of arguments, the receiver among them.
FUNCTIONS: Mapping[tuple[str, int], Rule] = {
    **{(name, 2): _arithmetic for name in ("_+_", "_-_", "_*_", "_/_", "_%_")},
    ("-_", 1): _arithmetic,
    ("size", 1): _size,
    ("dyn", 1): _same,
    ("contains", 2): _contains,
    ("startsWith", 2): _affix,
    ("endsWith", 2): _affix,
    ("matches", 2): _pattern,
    ("semver", 1): _parsed,
    ("quantity", 1): _parsed,
    **{(name, 2): _order for name in ("compareTo", "isGreaterThan", "isLessThan")},
    ("includes", 2): _included,
    ("hasValue", 1): _present,
    ("value", 1): _held,
    **{(name, count): _text_function for name in TEXT_FUNCTIONS for count in (1, 2, 3)},
}
