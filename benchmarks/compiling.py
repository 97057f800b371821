"""
Room: what compiling a selector costs: parsing, type check and estimate, nothing from a cache; with `--go` beside the API server's own code.

May touch: `selectors`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rbln_dra import cel

from .measure import Contest, Contestant, quick
from .selectors import SELECTORS, cel_python_compiled, go_times


def contests(*, go: tuple[str, ...] = ()) -> Iterator[Contest]:
    """Give one contest for each of the nine selectors; `go` names the minors whose Go code takes part."""
    for number, selector in enumerate(SELECTORS):

        def ours(selector: str = selector) -> object:
            cel.compile.cache_clear()
            return cel.compile(selector).max_cost

        contestants: dict[str, Contestant] = {"rbln_dra": quick(ours)}
        if (foreign := cel_python_compiled(selector)) is not None:
            contestants["cel-python, no types"] = quick(foreign)
        for minor in go:
            contestants[f"API server {minor}"] = lambda seconds=go_times(minor)[number]["compile"]: seconds
        yield Contest(f"compile, selector {number + 1}", contestants)
