"""
Room: a plan as a Python function that gives the value and the exact cost: the fast path of `Program.evaluate`.

What `counting` writes is compiled here. What it has no words for is interpreted, and `Account.reason` says why.

May touch: `interpreter` for its plan, `counting`, `sources`, `inline`, `runtime`, `phrases` for `Inexpressible`, `values`, `devices`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from . import inline, runtime
from .counting import Counting
from .phrases import Inexpressible
from .sources import WholeMap
from .values import Value

if TYPE_CHECKING:
    from ..devices import Device
    from .interpreter import Plan

#: What a device is read from, the device, and the limit in; the value or the error, and the cost out.
Judge: TypeAlias = "Callable[[Any, Device, int], tuple[Value, int]]"


@attrs.frozen(eq=False)
class Account:
    """
    What became of a plan.

    Args:
        judge: The function; `None` when the program is interpreted. It raises `runtime.Irregular` where it does not know the cost.
        whole: Whether it reads the map of the variable `device`; otherwise a prepared device.
        slot: The attribute of a prepared device that it reads.
        reason: Why the program is interpreted; `None` when it is not.
    """

    judge: Judge | None
    whole: bool
    slot: str = ""
    reason: str | None = None


def account(plan: Plan, *, lists: bool, whole: bool = False) -> Account:
    """
    Write a plan as a function.

    Args:
        plan: The plan.
        lists: Whether attributes may hold lists.
        whole: Whether it shall read the map of the variable `device` in any case.
    """
    counting = Counting(whole=whole, unwraps_optionals=plan.unwraps_optionals)
    try:
        result = counting.step(plan.root, {})
        counting.ledger.settle()
    except WholeMap:
        return account(plan, lists=lists, whole=True)
    except Inexpressible as reason:
        return Account(None, whole, reason=str(reason))
    ledger = counting.ledger
    source = "\n".join(
        [
            "def judge(source, device, limit):",
            " cost = 0",
            *(f" {line}" for line in ledger.beginnings),
            " try:",
            *(f"  {line}" for line in ledger.lines),
            f"  return {result.text}, cost",
            " except Abort as error:",
            "  return stopped(error, cost)",
        ]
    )
    code = next(part for part in compile(source, "<selector>", "exec").co_consts if isinstance(part, CodeType))
    judge: Judge = FunctionType(code, {**runtime.NAMES, **inline.NAMES, **ledger.names}, "judge")
    # A device has no slot of no name.
    return Account(judge, whole, "" if whole else "prepared_with_lists" if lists else "prepared")
