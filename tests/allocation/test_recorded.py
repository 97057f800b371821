"""Allocations with random gates, of shared devices, with attributes that requests compute, and with long searches, as the real allocators answered them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import explain
from tests.oracle.allocations import Question

VECTORS = Path(__file__).parents[1] / "vectors"
MINORS = ("1.34", "1.35", "1.36", "1.37")
#: The files, what the releases in them begin with, and how many allocations there are at least.
RECORDED = [
    *(("allocation-gates", minor, 100) for minor in MINORS),
    *(("allocation-sharing", minor, 50) for minor in MINORS[:3]),
    ("allocation-derived", "1.37", 100),
    ("allocation-hard", "1.3", 40),
]


def entries(file: str, minor: str) -> list[dict[str, Any]]:
    """Read what was recorded of a minor."""
    with gzip.open(VECTORS / f"{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [entry for entry in map(json.loads, lines) if entry["kubernetes"].startswith(minor)]


def question(entry: dict[str, Any]) -> Question:
    """Give what was asked."""
    return Question(Kubernetes.parse(entry["kubernetes"]), entry)


@pytest.mark.parametrize(("file", "minor", "least"), RECORDED)
def test_recorded(file: str, minor: str, least: int) -> None:
    """Ours is what the allocator of the minor, with these gates, answered."""
    found = [(entry["kubernetes"], question(entry).ours(), entry["answer"]) for entry in entries(file, minor)]
    assert len(found) > least
    assert [each for each in found if each[1] != each[2]] == []


@pytest.mark.parametrize(("file", "minor", "least"), RECORDED)
def test_explained(file: str, minor: str, least: int) -> None:
    """The explanation comes to the same as the allocation, and what does not fit has a reason."""
    some = entries(file, minor)[::3]
    assert len(some) > least / 3
    for entry in some:
        explanation = explain(entry["claims"], **question(entry).arguments())
        assert (explanation.fits, explanation.error) == (entry["answer"]["result"] is not None, entry["answer"].get("error"))
        assert explanation.fits or explanation.error or explanation.advice, str(explanation)
