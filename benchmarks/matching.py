"""
Room: what one verdict costs, beside the same test written by hand and beside cel-python.

May touch: `selectors`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rbln_dra import cel

from .measure import Contest, Contestant, quick
from .selectors import DEVICE, SELECTORS, by_hand, cel_python, plain_values


def contests() -> Iterator[Contest]:
    """Give one contest for each of the nine selectors."""
    values = plain_values()
    for number, (selector, plain) in enumerate(zip(SELECTORS, by_hand(), strict=True), 1):
        program = cel.compile(selector)
        if not (program.matches(DEVICE) and plain(values)):
            raise AssertionError(f"selector {number} does not match its device: {selector}")
        contestants: dict[str, Contestant] = {
            "rbln_dra": quick(partial(program.matches, DEVICE)),
            "written by hand": quick(partial(plain, values)),
        }
        if (foreign := cel_python(selector)) is not None:
            contestants["cel-python"] = quick(foreign)
        yield Contest(f"match, selector {number}", contestants)
