"""
Room: the scheduler's and the API server's own code on this machine, where Go is installed.

Go's benchmark gives one number a selector, measured right before the contests of a run: these rounds are not interleaved.

May touch: `selectors`, the oracle of the tests.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from functools import cache

from tests.oracle.judge import Judge

from .measure import Contestant, known
from .selectors import SELECTORS, question

#: The default minor first.
MINORS = ("1.35", "1.34", "1.36", "1.37")


@cache
def answers() -> Mapping[str, tuple[Mapping[str, int], ...]]:
    """Give the nanoseconds of each selector as the Go program of a minor measures them; nothing for what cannot be built here."""
    found: dict[str, tuple[Mapping[str, int], ...]] = {}
    for minor in MINORS:
        try:
            found[minor] = tuple(Judge.of(minor).ask(map(question, SELECTORS), program="bench"))
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            print(f"not measured: Go, Kubernetes {minor}: {error}")
    return found


def beside(kind: str, number: int) -> dict[str, Contestant]:
    """Give each minor's time of one of the nine selectors, to `match` or to `compile`."""
    return {f"Go, Kubernetes {minor}": known(answer[number][f"{kind}Nanoseconds"] / 1e9) for minor, answer in answers().items()}
