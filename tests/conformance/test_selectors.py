"""Every recorded verdict of the scheduler's evaluator, in every minor and environment."""

from __future__ import annotations

from collections import Counter

import pytest

from .known import reason
from .selectors import ASPECTS, FILES, environment_of, load, replay

#: How much of the recorded texts must be ours to the letter; verdict, type, estimate and cost must be, all of them.
TEXTS = 0.995


def cases() -> list[tuple[str, str]]:
    """Give every file with every environment that it was recorded in."""
    return [(name, when) for name in FILES for when in sorted(load(name).vectors)]


@pytest.mark.parametrize(("name", "when"), cases())
def test_recorded_selectors(name: str, when: str, agreement: dict[tuple[str, str], dict[str, tuple[int, int]]], known: Counter[str]) -> None:
    """Our engine says what the real evaluator said; a text that differs has a reason."""
    compared, differences = replay(name, when)
    by_aspect = {aspect: [difference for difference in differences if difference.aspect == aspect] for aspect in ASPECTS}
    agreement[name, when] = {aspect: (compared[aspect] - len(by_aspect[aspect]), compared[aspect]) for aspect in ASPECTS}
    assert [difference for aspect in ASPECTS[:-1] for difference in by_aspect[aspect]][:10] == []
    devices, environment = load(name).devices, environment_of(when)
    reasons = [(difference, reason(difference, devices[difference.vector.device], environment)) for difference in by_aspect["text"]]
    assert [difference for difference, why in reasons if why is None][:10] == []
    known.update(f"{name} {when}: {why}" for _, why in reasons)
    assert len(by_aspect["text"]) <= (1 - TEXTS) * compared["text"]
