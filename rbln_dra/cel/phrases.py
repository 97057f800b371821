"""
Room: phrases of generated Python: a piece of text, the kind of value that it gives, and how phrases are compared.

May touch: `ast` for `Uint`, `values`.
"""

from __future__ import annotations

from typing import Final

import attrs

from .ast import Uint
from .values import Value

# What the text of a phrase gives when it gives anything.
#: A Python bool.
BOOL: Final = "bool"
#: A Python int, as a CEL int.
INT: Final = "int"
#: A constant double that compares with every integer exactly.
DOUBLE: Final = "double"
#: A Python str.
TEXT: Final = "text"
#: A value of a device as `preparation` stores it.
STORED: Final = "stored"
#: The number of a quantity.
AMOUNT: Final = "amount"
#: The precedence of a version.
VERSION: Final = "version"
#: The order of two numbers or precedences: it has no text of its own until it is compared with something.
ORDER: Final = "order"

# How loosely a text binds; what binds more loosely than its place allows is put in brackets.
ATOM, SUM, COMPARISON, NOT, AND, OR, LOOSE = range(7)

#: No constant.
MISSING: Final = object()


class Inexpressible(Exception):
    """Something that generated code has no words for; the argument says what."""


@attrs.frozen(eq=False)
class Phrase:
    """
    A piece of Python.

    Args:
        kind: What it gives.
        text: The text.
        binds: How loosely it binds.
        depth: How deep its brackets nest.
        size: The most characters of what it gives.
        constant: The value that it always gives, as the interpreter has it.
        order: The texts of both sides of an `ORDER`.
    """

    kind: str
    text: str
    binds: int = ATOM
    depth: int = 0
    size: int = 1
    constant: Value = MISSING
    order: tuple[str, str] | None = None

    @property
    def simple(self) -> bool:
        """Whether it may be written twice: a constant, or one look-up."""
        return self.binds == ATOM and self.depth <= 1 and "(" not in self.text

    def within(self, most: int) -> str:
        """Give the text, in brackets if it binds more loosely than `most`."""
        return self.text if self.binds <= most else f"({self.text})"

    def deeper(self, most: int) -> int:
        """Give the depth of `within(most)`."""
        return self.depth + (self.binds > most)


def joined(kind: str, binds: int, operands: tuple[Phrase, ...], operator: str, *, most: int, size: int = 1) -> Phrase:
    """Put an operator between phrases."""
    text = f" {operator} ".join([operand.within(most) for operand in operands])
    return Phrase(kind, text, binds, max(operand.deeper(most) for operand in operands), size)


def called(kind: str, function: str, *arguments: Phrase, size: int = 1) -> Phrase:
    """Call a function of ours."""
    text = ", ".join([argument.within(OR) for argument in arguments])
    return Phrase(kind, f"{function}({text})", ATOM, 1 + max(argument.deeper(OR) for argument in arguments), size)


def looked_up(kind: str, mapping: str, key: Phrase) -> Phrase:
    """Look something up in a mapping of ours."""
    return Phrase(kind, f"{mapping}[{key.text}]", ATOM, 1 + key.depth)


def truth(phrase: Phrase) -> Phrase:
    """Give a phrase as a condition."""
    if phrase.kind == BOOL:
        return phrase
    if phrase.kind == STORED:
        return looked_up(BOOL, "TRUTHS", phrase)
    raise Inexpressible(f"{phrase.kind} as a condition")


def negation(phrase: Phrase) -> Phrase:
    """Negate a condition."""
    if phrase.kind == STORED:
        return looked_up(BOOL, "NEGATIONS", phrase)
    condition = truth(phrase)
    return Phrase(BOOL, f"not {condition.within(NOT)}", NOT, condition.deeper(NOT))


def number(phrase: Phrase) -> Phrase:
    """Give an order as the number -1, 0 or 1."""
    if phrase.order is None:
        return phrase
    left, right = phrase.order
    return Phrase(INT, f"({left} > {right}) - ({left} < {right})", SUM, phrase.depth + 1)


def stored(phrase: Phrase) -> Phrase:
    """Give a scalar in the form in which a device stores it."""
    phrase = number(phrase)
    if phrase.kind in (STORED, TEXT):
        return attrs.evolve(phrase, kind=STORED)
    if phrase.kind == INT and not isinstance(phrase.constant, Uint):
        return attrs.evolve(phrase, kind=STORED)
    if phrase.kind == BOOL:
        if phrase.constant is not MISSING:
            return Phrase(STORED, "TRUE" if phrase.constant else "FALSE")
        return Phrase(STORED, f"TRUE if {phrase.within(OR)} else FALSE", LOOSE, phrase.deeper(OR))
    raise Inexpressible(f"{phrase.kind} among values of a device")


def precedence(phrase: Phrase) -> Phrase:
    """Give what orders a version among others."""
    if phrase.kind == VERSION:
        return phrase
    if phrase.kind == STORED:
        return Phrase(VERSION, f"{phrase.within(ATOM)}.precedence", ATOM, phrase.deeper(ATOM))
    raise Inexpressible(f"{phrase.kind} as a version")


_PLAIN = frozenset({STORED, TEXT, INT})
_NUMBERS = frozenset({STORED, INT, DOUBLE})
_TEXTS = frozenset({STORED, TEXT})
_TRUTH = frozenset({BOOL})
_AMOUNTS = frozenset({AMOUNT})
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def compared(left: Phrase, right: Phrase, operator: str) -> Phrase:
    """
    Compare two phrases by `==`, `!=`, `<`, `<=`, `>` or `>=`.

    Where Python and CEL could disagree, the stored forms of values raise.
    """
    # The order of two versions or quantities, compared with zero, is their own comparison.
    if left.order is not None and _zero(right):
        return _between(*left.order, operator, left.depth)
    if right.order is not None and _zero(left):
        return _between(*right.order, _FLIPPED[operator], right.depth)
    left, right = number(left), number(right)
    kinds = frozenset({left.kind, right.kind})
    equality = operator in ("==", "!=")
    if VERSION in kinds and equality:
        left, right = precedence(left), precedence(right)
    elif BOOL in kinds and kinds != _TRUTH:
        left, right = stored(left), stored(right)
        kinds = frozenset({STORED})
    if not _comparable(kinds, equality=equality):
        raise Inexpressible(f"a comparison of {left.kind} with {right.kind}")
    return joined(BOOL, COMPARISON, (left, right), operator, most=SUM)


def _zero(phrase: Phrase) -> bool:
    return phrase.kind == INT and phrase.constant == 0


def _between(left: str, right: str, operator: str, depth: int) -> Phrase:
    return Phrase(BOOL, f"{left} {operator} {right}", COMPARISON, depth)


def _comparable(kinds: frozenset[str], *, equality: bool) -> bool:
    """Tell whether values of two kinds compare in Python as in CEL, or raise."""
    if kinds <= _NUMBERS or kinds <= _TEXTS or kinds == _TRUTH:
        return True
    return equality and (kinds <= _PLAIN or kinds == _AMOUNTS or VERSION in kinds)


def ordered(left: Phrase, right: Phrase) -> Phrase:
    """Give the order of two quantities or versions."""
    if AMOUNT not in (left.kind, right.kind):
        left, right = precedence(left), precedence(right)
    elif left.kind != right.kind:
        raise Inexpressible(f"the order of {left.kind} and {right.kind}")
    depth = max(left.deeper(SUM), right.deeper(SUM))
    return Phrase(ORDER, "", ATOM, depth, order=(left.within(SUM), right.within(SUM)))


def chosen(condition: Phrase, yes: Phrase, no: Phrase) -> Phrase:
    """Choose one of two phrases by a condition."""
    yes, no = number(yes), number(no)
    if yes.kind != no.kind:
        yes, no = stored(yes), stored(no)
    test = truth(condition)
    text = f"{yes.within(OR)} if {test.within(OR)} else {no.within(LOOSE)}"
    depth = max(yes.deeper(OR), test.deeper(OR), no.deeper(LOOSE))
    return Phrase(yes.kind, text, LOOSE, depth, max(yes.size, no.size))


def constant(value: Value, text: str) -> Phrase:
    """
    Give the phrase of a constant whose value stands under a name.

    Raises:
        Inexpressible: It is none that generated code works with.
    """
    kind = _CONSTANTS.get(type(value))
    if kind is None or (kind == DOUBLE and not abs(value) < 2.0**53):
        raise Inexpressible(f"a constant of Python type {type(value).__name__}")
    return Phrase(kind, text, size=len(value) if kind == TEXT else 1, constant=value)


_CONSTANTS: dict[type, str] = {int: INT, Uint: INT, float: DOUBLE, str: TEXT}


@attrs.frozen
class Place:
    """
    A place below `device`, not looked up yet.

    Args:
        path: The names that lead there.
        optional: An optional step was among them.
    """

    path: tuple[str, ...] = ()
    optional: bool = False
