"""Objects of every kind with gates on and off, against what the API server said of them: `python -m tests.oracle compare-objects` makes such ones."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from rbln_dra import Kubernetes, validate
from rbln_dra.errors import DecodeError
from rbln_dra.kubernetes import MINORS

VECTORS = Path(__file__).parents[1] / "vectors" / "objects-gates.jsonl.gz"

Errors = list[tuple[str, ...]]


def vectors(minor: str) -> list[dict[str, Any]]:
    """Read what was recorded of a minor."""
    with gzip.open(VECTORS, "rt", encoding="utf-8") as lines:
        return [vector for vector in map(json.loads, lines) if vector["minor"] == minor]


def ours(vector: dict[str, Any]) -> Errors | None:
    """Give what we say, sorted; `None` of what cannot be read."""
    release = Kubernetes(vector["minor"], gates=vector["gates"])
    try:
        found = validate(vector["object"], kubernetes=release, old=vector.get("old"), admin_access=vector["admin"], namespace="ns")
    except DecodeError:
        return None
    return sorted((each.field, each.reason, each.message) for each in found)


def comparable(errors: Errors | None) -> Errors | None:
    """Leave out the values that Kubernetes shows in the words of Go, which tell an empty list from none where its wire form does not."""
    return None if errors is None else [tuple(error[:2]) if error[2].startswith("Invalid value: {") else tuple(error) for error in errors]


@pytest.mark.parametrize("minor", MINORS)
def test_recorded(minor: str) -> None:
    """Field, reason and message are those of the API server, whatever gates are on."""
    recorded = vectors(minor)
    different = [
        (vector, comparable(ours(vector)))
        for vector in recorded
        if comparable(ours(vector)) != comparable(vector["errors"] if vector["readable"] else None)
    ]
    assert different == []
    assert len(recorded) > 1000
