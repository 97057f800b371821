"""Print the table of agreement when the replay has run."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

#: (file, environment) → aspect → (agreeing, compared).
AGREEMENT: dict[tuple[str, str], dict[str, tuple[int, int]]] = {}
#: Where and why a text differs, and how often.
KNOWN: Counter[str] = Counter()


@pytest.fixture
def agreement() -> dict[tuple[str, str], dict[str, tuple[int, int]]]:
    """Collect the counts of the table."""
    return AGREEMENT


@pytest.fixture
def known() -> Counter[str]:
    """Collect the reasons of the texts that differ."""
    return KNOWN


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Print one line a file and environment: agreeing of compared, and in percent; then why what differs does."""
    if not AGREEMENT:
        return
    terminalreporter.section("agreement with the recorded verdicts of Kubernetes")
    heads: tuple[str, ...] = ()
    for (name, when), counts in sorted(AGREEMENT.items()):
        if tuple(counts) != heads:
            heads = tuple(counts)
            terminalreporter.write_line(f"{'file':20}{'environment':18}" + "".join(f"{aspect:>23}" for aspect in heads))
        cells = (f"{agreeing}/{compared} {100 * agreeing / max(compared, 1):.3f} %" for agreeing, compared in counts.values())
        terminalreporter.write_line(f"{name:20}{when:18}" + "".join(f"{cell:>23}" for cell in cells))
    for why, count in sorted(KNOWN.items()):
        terminalreporter.write_line(f"{count} texts of {why}")
