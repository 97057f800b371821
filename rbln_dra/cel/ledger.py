"""
Room: the text of a Python function that counts what it does: lines, names, and charges.

A charge is noted where the interpreter would make it and written later, together with others: the sum is added and held to the limit at once. What
exceeds the limit is found at its place then, since the function knows what the sum consists of (`exceeded`). Whatever could end an evaluation in
another way, or takes long, has to be preceded by `settle`.

May touch: `phrases` for `Inexpressible`, `values`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import attrs

from .phrases import MISSING, Inexpressible
from .values import CELError, CostLimitExceeded, Value

#: Whether it consists of single units, and the amount: a number, or the name of a variable.
Charge: TypeAlias = "tuple[bool, int | str]"
#: How many lines a function may have: more cost more to compile than they spare.
MOST_LINES = 4_000
#: How deep blocks may nest: Python takes 100 indentations.
DEEPEST = 90
#: How deep loops may nest: Python takes 20 such blocks, and the whole is one.
MOST_LOOPS = 18


@attrs.frozen(eq=False)
class Atom:
    """
    A value that generated code has under a name.

    Args:
        text: The name.
        kind: The class of the value where that is certain; it is no error then.
        fallible: Whether it may be an error.
        constant: The value, where it is always the same.
    """

    text: str
    kind: type | None = None
    fallible: bool = True
    constant: Value = MISSING


class Ledger:
    """The lines of one function, with the charges that are not written yet."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.names: dict[str, Any] = {}
        #: Variables of the whole function, with the texts of their first values.
        self.beginnings: list[str] = []
        #: How many loops are around the line that is written.
        self.loops = 0
        #: What is known to be evaluated, for every block around the line that is written.
        self.known: list[set[object]] = [set()]
        self._depth = 0
        self._locals = 0
        self._charges: list[Charge] = []

    def line(self, text: str) -> None:
        """Write a line."""
        if len(self.lines) >= MOST_LINES:
            raise Inexpressible("too long a function")
        self.lines.append(" " * self._depth + text)

    def local(self) -> str:
        """Give the name of a new variable."""
        self._locals += 1
        return f"v{self._locals}"

    def constant(self, value: Any) -> str:
        """Give a name to a constant."""
        name = f"c{len(self.names)}"
        self.names[name] = value
        return name

    def value(self, text: str, kind: type | None = None, *, fallible: bool | None = None) -> Atom:
        """Write the computation of a value; one of a certain class is no error."""
        name = self.local()
        self.line(f"{name} = {text}")
        return Atom(name, kind, kind is None if fallible is None else fallible)

    def fixed(self, value: Value) -> Atom:
        """Give a constant that an expression has, or an error that it always gives."""
        if isinstance(value, CELError):
            return Atom(self.constant(value))
        text = str(value) if value is None or type(value) is bool else self.constant(value)
        return Atom(text, type(value), fallible=False, constant=value)

    # Charges.

    def unit(self, count: int | str = 1) -> None:
        """Charge a number of units, one after the other."""
        if count != 0:
            self._charges.append((True, count))

    def lump(self, amount: int | str) -> None:
        """Charge an amount at once."""
        if amount != 0:
            self._charges.append((False, amount))

    def taken(self) -> list[Charge]:
        """Take the charges that are not written yet, for the branches that follow."""
        charges, self._charges = self._charges, []
        return charges

    def settle(self) -> None:
        """Write the charges."""
        charges = self.taken()
        if not charges:
            return
        fixed = sum(amount for _, amount in charges if isinstance(amount, int))
        parts = [str(fixed)] if fixed else []
        parts += [amount for _, amount in charges if isinstance(amount, str)]
        self.line(f"cost += {' + '.join(parts)}")
        listed = "".join(f"({unit}, {amount}), " for unit, amount in _merged(charges))
        self.line("if cost > limit:")
        self.line(f" return exceeded(cost, limit, ({listed}))")

    # Blocks.

    @contextmanager
    def block(self, head: str, charges: list[Charge]) -> Generator[None]:
        """Write what stands in a block, which is something or costs something, with charges that come before it."""
        if self._depth >= DEEPEST:
            raise Inexpressible("nesting that Python does not take")
        self.line(head)
        self._depth += 1
        self._charges = list(charges)
        self.known.append(set())
        yield
        self.settle()
        self.known.pop()
        self._depth -= 1

    @contextmanager
    def loop(self, head: str) -> Generator[None]:
        """Write the body of a loop."""
        if self.loops >= MOST_LOOPS:
            raise Inexpressible("loops that nest too deep")
        self.settle()
        self.loops += 1
        with self.block(head, []):
            yield
        self.loops -= 1


def _merged(charges: list[Charge]) -> Iterator[Charge]:
    """Put neighbouring units together."""
    units = 0
    for unit, amount in charges:
        if unit and isinstance(amount, int):
            units += amount
            continue
        if units:
            yield True, units
            units = 0
        yield unit, amount
    if units:
        yield True, units


def exceeded(cost: int, limit: int, charges: tuple[tuple[bool, int], ...]) -> tuple[CostLimitExceeded, int]:
    """
    Give the error, and the cost with the first of some charges that exceeds the limit.

    Args:
        cost: The cost with all of them.
        limit: The limit, which was not exceeded without them.
        charges: They are.
    """
    cost -= sum(amount for _, amount in charges)
    spent = iter(charges)
    unit = False
    while cost <= limit:
        unit, amount = next(spent)
        cost += amount
    return CostLimitExceeded(), limit + 1 if unit else cost
