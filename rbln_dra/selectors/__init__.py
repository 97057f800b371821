"""
Room: selectors: the verdict of an expression on a device, what it depends on, and what to do about an error.

May touch: `cel`, `devices` and the values below them.
"""

from __future__ import annotations

from .explanation import Explanation, Step
from .fleet import Fleet, matrix
from .hints import Hint
from .linting import RULES, Advice, Rule
from .selector import Selector
from .verdicts import Judgement, Verdict

__all__ = ["RULES", "Advice", "Explanation", "Fleet", "Hint", "Judgement", "Rule", "Selector", "Step", "Verdict", "matrix"]
