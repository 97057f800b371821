"""
Room: what steps of a plan look like that can be written in a shorter way.

May touch: `evaluation`, `qualifiers`, `values`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import evaluation as steps, qualifiers
from .qualifiers import Variable
from .values import Value


def common(values: Sequence[Value]) -> type | None:
    """Give the class that some values have in common."""
    kinds = {type(value) for value in values}
    return kinds.pop() if len(kinds) == 1 else None


def single(step: steps.Step) -> bool:
    """Tell whether a step makes a list of one element."""
    return type(step) is steps.MakeList and len(step.parts) == 1 and not step.optional


def named(step: steps.Step, name: str) -> bool:
    """Tell whether a step is a name and nothing else."""
    if not isinstance(step, steps.Selection) or type(step) is not steps.Selection or not isinstance(step.attribute, Variable):
        return False
    return step.attribute.name == name and not step.attribute.outermost and not step.attribute.qualifiers


def place(step: steps.Step) -> tuple[Any, ...] | None:
    """Give the qualifiers of a step that is a map below a variable `device`: all attributes or capacities, or those of a domain."""
    if not isinstance(step, steps.Selection) or type(step) is not steps.Selection or not isinstance(step.attribute, Variable):
        return None
    variable = step.attribute
    chain: tuple[Any, ...] = tuple(variable.qualifiers)
    if variable.name != "device" or variable.outermost or not 1 <= len(chain) <= 2:
        return None
    if any(type(qualifier) is not qualifiers.Constant or type(qualifier.key) is not str or qualifier.optional for qualifier in chain):
        return None
    return chain if chain[0].key in ("attributes", "capacity") else None


def quantifier(step: steps.Fold) -> steps.Logical | None:
    """Give the operator of a loop that is `exists` or `all` as the macros write it."""
    again, first, goes_on = step.step, step.initial, step.condition
    if type(again) is not steps.Logical or not isinstance(first, steps.Constant) or first.value is not (not again.decisive):
        return None
    asked: steps.Step = goes_on
    for function in ("@not_strictly_false", "!_")[: 1 + again.decisive]:
        if type(asked) is not steps.Call or asked.function != function or asked.cost is not None:
            return None
        asked = asked.arguments[0]
    return again if named(asked, step.accumulator) and named(again.terms[0], step.accumulator) else None
