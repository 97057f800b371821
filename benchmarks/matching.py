"""
Room: what one verdict costs, beside the same test written by hand, cel-python, and with `--go` the scheduler's own code.

May touch: `selectors`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rbln_dra import cel

from .measure import Contest, Contestant, quick
from .selectors import DEVICE, SELECTORS, by_hand, cel_python, go_times, plain_values


def contests(*, go: tuple[str, ...] = ()) -> Iterator[Contest]:
    """Give one contest for each of the nine selectors; `go` names the minors whose Go code takes part."""
    values = plain_values()
    for number, (selector, plain) in enumerate(zip(SELECTORS, by_hand(), strict=True)):
        program = cel.compile(selector)
        if not (program.matches(DEVICE) and plain(values)):
            raise AssertionError(f"selector {number + 1} does not match its device: {selector}")
        contestants: dict[str, Contestant] = {
            "rbln_dra": quick(lambda program=program: program.matches(DEVICE)),
            "written by hand": quick(lambda plain=plain: plain(values)),
        }
        if (foreign := cel_python(selector)) is not None:
            contestants["cel-python"] = quick(foreign)
        for minor in go:
            contestants[f"kube-scheduler {minor}"] = lambda seconds=go_times(minor)[number]["match"]: seconds
        yield Contest(f"match, selector {number + 1}", contestants)
