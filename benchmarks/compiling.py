"""
Room: what compiling a selector costs, with type check and cost estimate and nothing from a cache; beside cel-python, which checks no types.

May touch: `selectors`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from .measure import Contest, Contestant, quick
from .selectors import SELECTORS, cel_python_compiler, compile_afresh


def contests() -> Iterator[Contest]:
    """Give one contest for each of the nine selectors."""
    for number, selector in enumerate(SELECTORS, 1):
        contestants: dict[str, Contestant] = {"rbln_dra": quick(partial(compile_afresh, selector))}
        if (foreign := cel_python_compiler(selector)) is not None:
            contestants["cel-python"] = quick(foreign)
        yield Contest(f"compile, selector {number}", contestants)
