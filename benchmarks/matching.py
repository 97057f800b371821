"""
Room: what one verdict costs, beside the same test written by hand and beside cel-python.

May touch: `selectors`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import attrs

from rbln_dra import cel

from .measure import Contest, Contestant, quick, slow
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
    yield from fresh_devices()


def fresh_devices() -> Iterator[Contest]:
    """Give the contests over devices that were not judged before, and over many that were."""
    program, plain = cel.compile(SELECTORS[1]), by_hand()[1]
    copy = partial(attrs.evolve, DEVICE)
    yield Contest(
        "match, a device never seen before",
        {"copy and match": quick(lambda: program.matches(copy())), "copy alone": quick(copy)},
    )
    devices = [copy() for _ in range(1000)]
    plains = [plain_values() for _ in devices]
    yield Contest(
        "match, 1,000 devices in turn",
        {"rbln_dra": slow(lambda: [program.matches(each) for each in devices]), "written by hand": slow(lambda: [plain(each) for each in plains])},
    )
