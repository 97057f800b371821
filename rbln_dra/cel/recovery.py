"""
Room: what exactly is wrong with a text that is no expression, in cel-go's words.

May touch: `ast`, `listing`, `literals`, `macros`.
"""

from __future__ import annotations

from collections.abc import Mapping

from .listing import Complaints
from .macros import Expander, MacroKey


def complaints(text: str, *, backticks: bool, macros: Mapping[MacroKey, Expander]) -> Complaints:
    """Give all complaints about a text."""
    if len(text) > 100_000:
        return [(None, f"expression code point size exceeds limit: size: {len(text)}, limit 100000")]
    return [(0, "Syntax error: not told yet")]
