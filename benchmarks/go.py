"""
Room: matching and compiling beside the real scheduler's and API server's code on this machine; runs when it is named, since it needs Go.

Go's own benchmark gives one number a selector, so these rounds are not interleaved.

May touch: `selectors`, the oracle of the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from rbln_dra import cel
from tests.oracle.judge import Judge

from .measure import Contest, Contestant, known, quick
from .selectors import DEVICE, SELECTORS, compile_afresh, question

MINORS = ("1.35", "1.37")


def ask(minor: str) -> tuple[Mapping[str, int], ...]:
    """Give the nanoseconds of each selector as the Go program of a minor measures them."""
    return tuple(Judge.of(minor).ask(map(question, SELECTORS), program="bench"))


def contests() -> Iterator[Contest]:
    """Give two contests for each of the nine selectors."""
    answers = {minor: ask(minor) for minor in MINORS}

    def beside(kind: str, number: int) -> Iterator[tuple[str, Contestant]]:
        for minor, answer in answers.items():
            yield f"Go {minor}", known(answer[number][f"{kind}Nanoseconds"] / 1e9)

    for number, selector in enumerate(SELECTORS):
        matches = partial(cel.compile(selector).matches, DEVICE)
        yield Contest(f"match, selector {number + 1}", {"rbln_dra": quick(matches), **dict(beside("match", number))})
    for number, selector in enumerate(SELECTORS):
        compiling = quick(partial(compile_afresh, selector))
        yield Contest(f"compile, selector {number + 1}", {"rbln_dra": compiling, **dict(beside("compile", number))})
