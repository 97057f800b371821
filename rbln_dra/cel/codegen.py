"""
Room: a plan as a Python function of a device, for the selectors that people write: the fast path of `Program.matches`.

The function has the interpreter's meaning wherever it gives an answer. Everything else raises one of `FALLBACK` and is left to `Program.evaluate`:
missing attributes, values of an unexpected type, versions and lists where CEL compares them by rules of its own. So errors, and what `&&` and `||`
absorb, need no code here. What `writer` has no words for is left to it as a whole program, and `Generated.reason` says why.

No text of a selector becomes Python text: names and constants are handed over in the function's globals, under names of ours.

The runtime cost is bounded from above while the code is written. A program whose bound is within the limit needs no counting, since a device with
longer texts than the bound assumes is not prepared for generated code at all; any other program is left to the
function that counts: see `accounting`.

May touch: `interpreter` for its plan, `writer`, `vocabulary`, `phrases`, `preparation`, `values`, `devices`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import attrs

from .phrases import Inexpressible, truth
from .preparation import FALSE, NEGATIONS, TRUE, TRUTHS, Slow, prepare
from .values import CELError
from .vocabulary import includes
from .writer import Writer

if TYPE_CHECKING:
    from ..devices import Device
    from .interpreter import Plan

#: What generated code raises where it has no answer.
FALLBACK = (Slow, KeyError, AttributeError, TypeError, CELError)
#: How deep a generated expression may nest its brackets; CPython's own limit is 200.
DEEPEST = 80


@attrs.frozen(eq=False)
class Generated:
    """
    What became of a plan.

    Args:
        matches: The function; `None` where there is none.
        reason: Why there is none, as a noun phrase; `None` when there is one.
        cost: The most that an evaluation costs, of a device that is prepared; 0 where there is none.
    """

    matches: Callable[[Device], bool] | None
    reason: str | None = None
    cost: int = 0


def generate(plan: Plan, *, lists: bool, cost_limit: int, undecided: Callable[[Device], bool]) -> Generated:
    """
    Write a plan as a function.

    Args:
        plan: The plan.
        lists: Whether attributes may hold lists.
        cost_limit: What an evaluation may cost.
        undecided: Judges the devices that the function cannot judge.
    """
    writer = Writer()
    try:
        verdict = truth(writer.phrase(plan.root, {}))
    except Inexpressible as reason:
        return Generated(None, str(reason))
    if verdict.depth > DEEPEST:
        return Generated(None, "nesting that Python does not take")
    if writer.cost > cost_limit:
        return Generated(None, "a cost that may exceed the limit")
    slot = "prepared_with_lists" if lists else "prepared"
    code = _code(verdict.text, slot)

    def judge(device: Device) -> bool:
        """Prepare a device that is not, else leave it to what can judge every device."""
        if not hasattr(device, slot) and prepare(device) and hasattr(device, slot):
            return matches(device)
        return undecided(device)

    names = {**_NAMES, **writer.names, "undecided": judge}
    # A copy for each function: CPython keeps in the code what it learned of its names.
    matches: Callable[[Device], bool] = FunctionType(code.replace(), names, "matches")
    return Generated(matches, cost=writer.cost)


@lru_cache(maxsize=256)
def _code(verdict: str, slot: str) -> CodeType:
    """Compile the function around an expression; selectors that differ in names and constants only have one text."""
    source = f"""\
def matches(device):
    try:
        values = device.{slot}
        return {verdict}
    except FALLBACK:
        pass
    return undecided(device)
"""
    return next(part for part in compile(source, "<selector>", "exec").co_consts if isinstance(part, CodeType))


#: What generated code calls, and has besides its own constants.
_NAMES: Mapping[str, Any] = {
    "__builtins__": {},
    "FALLBACK": FALLBACK,
    "FALSE": FALSE,
    "NEGATIONS": NEGATIONS,
    "TRUE": TRUE,
    "TRUTHS": TRUTHS,
    "includes": includes,
    "length": len,
}
