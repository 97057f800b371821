"""
Room: what compiling a selector costs, with type check and nothing from a cache.

Beside Kubernetes' own compiler where Go is installed, which estimates the cost with it, and beside other engines, most of which check no types.

May touch: `selectors`, `engines`, `go`, the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rbln_dra import cel

from . import go
from .engines import able
from .measure import Contest, Contestant, quick
from .selectors import SELECTORS, compile_afresh, compile_and_estimate


def contests() -> Iterator[Contest]:
    """Give one contest for each of the nine selectors, and one for the cache."""
    for number, selector in enumerate(SELECTORS):
        contestants: dict[str, Contestant] = {
            "rbln_dra": quick(partial(compile_afresh, selector)),
            **go.beside("compile", number),
            "rbln_dra, with the estimate": quick(partial(compile_and_estimate, selector)),
            **{engine.name: quick(engine.compiler(selector)) for engine, _ in able(selector)},
        }
        yield Contest(f"compile, selector {number + 1}", contestants, limit=2)
    cel.compile(SELECTORS[1])
    yield Contest(
        "compile, from the cache", {"cel.compile": quick(partial(cel.compile, SELECTORS[1])), "afresh": quick(partial(compile_afresh, SELECTORS[1]))}
    )
