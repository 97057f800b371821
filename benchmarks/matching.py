"""
Room: what one verdict costs, beside the same test written by hand, beside the scheduler's own code where Go is installed, and beside other engines.

May touch: `selectors`, `engines`, `go`, the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import attrs

from rbln_dra import cel
from rbln_dra.cel.binding import bind
from rbln_dra.cel.preparation import prepare
from rbln_dra.cel.program import PATIENCE

from . import go
from .engines import able
from .measure import Contest, Contestant, quick, slow
from .selectors import DEVICE, SELECTORS, by_hand, plain_values

_ROUNDS = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"


def _nested(names: str, macro: str, inner: str) -> str:
    for name in reversed(names):
        inner = f"{_ROUNDS}.{macro}({name}, {inner})"
    return inner


#: Selectors that cost more than the limit, by what they loop around.
RUNAWAYS = {
    "all": _nested("abcdef", "all", "f > 0"),
    "map": _nested("abcde", "map", "e") + " == []",
    "exists_one": _nested("abcdef", "exists_one", "f > 5"),
    "texts": _nested("abcdef", "all", "string(a) + string(b) != ''"),
    "quantities": _nested("abcdef", "all", "quantity(string(a)).isGreaterThan(quantity('0'))"),
    "format": _nested("abcdef", "all", "'%.3f'.format([1.5]) != ''"),
}


def _warm(program: cel.Program) -> None:
    """Evaluate until there is a function that counts."""
    for _ in range(PATIENCE):
        program.evaluate(DEVICE)


def contests() -> Iterator[Contest]:
    """Give one contest for each of the nine selectors, and those over devices that were not judged before."""
    values = plain_values()
    for number, (selector, plain) in enumerate(zip(SELECTORS, by_hand(), strict=True)):
        program = cel.compile(selector)
        if not (program.matches(DEVICE) and plain(values)):
            raise AssertionError(f"selector {number + 1} does not match its device: {selector}")
        _warm(program)
        contestants: dict[str, Contestant] = {
            "rbln_dra": quick(partial(program.matches, DEVICE)),
            "written by hand": quick(partial(plain, values)),
            **go.beside("match", number),
            **{engine.name: quick(job) for engine, job in able(selector)},
            "rbln_dra, with the cost": quick(partial(program.evaluate, DEVICE)),
        }
        yield Contest(f"match, selector {number + 1}", contestants, limit=2.5)
    yield from fresh_devices()
    yield from costs()


def costs() -> Iterator[Contest]:
    """Give the contests of evaluations with their cost: a verdict and an error, and selectors that use up the whole limit."""
    present, missing = (cel.compile(f'device.attributes["npu.rebellions.ai"].{id_} == "vfio"') for id_ in ("type", "missing"))
    _warm(present)
    _warm(missing)
    yield Contest(
        "evaluate, a missing attribute",
        {"an error": quick(partial(missing.evaluate, DEVICE)), "a verdict": quick(partial(present.evaluate, DEVICE))},
    )
    runaways = {name: partial(cel.compile(text).evaluate, DEVICE) for name, text in RUNAWAYS.items()}
    for name, evaluate in runaways.items():
        if evaluate().cost <= cel.COST_LIMIT:
            raise AssertionError(f"no runaway: {name}")
    yield Contest("evaluate, until the cost limit is used up", {name: slow(evaluate) for name, evaluate in runaways.items()})


def fresh_devices() -> Iterator[Contest]:
    """Give the contests over devices that were not judged before, and over many that were."""
    environment = cel.Environment()
    yield Contest(
        "prepare a device", {"once, for all programs": quick(partial(prepare, DEVICE)), "bind for one": quick(partial(bind, DEVICE, environment))}
    )
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
