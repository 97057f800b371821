"""Allocations with random gates, and with attributes that requests compute, as the real allocators answered them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, allocate, explain

VECTORS = Path(__file__).parents[1] / "vectors"
RECORDED = [*(("allocation-gates", minor) for minor in ("1.34", "1.35", "1.36", "1.37")), ("allocation-derived", "1.37")]


def entries(file: str, minor: str) -> list[dict[str, Any]]:
    """Read what was recorded of a minor."""
    with gzip.open(VECTORS / f"{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [entry for entry in map(json.loads, lines) if entry["kubernetes"].startswith(minor)]


def given(entry: dict[str, Any]) -> dict[str, Any]:
    """Give the arguments of a recorded allocation."""
    in_use = [(driver, pool, device) for driver, pool, device in entry["inUse"]]
    release = Kubernetes.parse(entry["kubernetes"])
    return {"classes": entry["classes"], "slices": entry["slices"], "node": entry["node"], "in_use": in_use, "kubernetes": release}


def answer(entry: dict[str, Any]) -> dict[str, Any]:
    """Ask our allocator."""
    try:
        found = allocate(entry["claims"], **given(entry))
    except AllocationError as error:
        return {"result": None, "error": error.message}
    written = [each.to_dict() for each in found or ()]
    for allocation in written:
        for result in allocation["devices"].get("results", ()):
            result.pop("shareID", None)
    return {"result": None if found is None else written}


@pytest.mark.parametrize(("file", "minor"), RECORDED)
def test_recorded(file: str, minor: str) -> None:
    """Ours is what the allocator of the minor, with these gates, answered."""
    found = [(entry["kubernetes"], answer(entry), entry["answer"]) for entry in entries(file, minor)]
    assert len(found) > 100
    assert [each for each in found if each[1] != each[2]] == []


@pytest.mark.parametrize(("file", "minor"), RECORDED)
def test_explained(file: str, minor: str) -> None:
    """The explanation comes to the same as the allocation, and what does not fit has a reason."""
    for entry in entries(file, minor)[::3]:
        explanation = explain(entry["claims"], **given(entry))
        assert (explanation.fits, explanation.error) == (entry["answer"]["result"] is not None, entry["answer"].get("error"))
        assert explanation.fits or explanation.error or explanation.advice, str(explanation)
