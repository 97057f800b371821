"""
Room: the scheduler's CEL dialect: compile a selector as one Kubernetes minor does, and judge devices with it.

Verdict, type, cost and text are those of the real code. `program` is the way in; `syntax`, `checker`, `cost` and `interpreter` are its stages, and
`library` has one row per function.

May touch: `devices` for what a device is, and the values below it.
"""

from __future__ import annotations

from ..errors import CompileError, EvaluationError
from .admission import Admission, Support, admit, support
from .cache import CacheInfo
from .environment import Environment
from .program import COST_LIMIT, Evaluation, Program, cache_clear, cache_info, compile
from .references import References

__all__ = [
    "COST_LIMIT",
    "Admission",
    "CacheInfo",
    "CompileError",
    "Environment",
    "Evaluation",
    "EvaluationError",
    "Program",
    "References",
    "Support",
    "admit",
    "cache_clear",
    "cache_info",
    "compile",
    "support",
]
