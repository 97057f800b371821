"""Objects with gates on and off, and updates of claims' status, against what the API server said of them: see `tests.oracle.objects.record`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from rbln_dra import Kubernetes, ResourceClaim, validate
from rbln_dra.documents import documents
from rbln_dra.errors import DecodeError
from rbln_dra.kubernetes import MINORS
from rbln_dra.resources import from_dict, stored, stored_status

VECTORS = Path(__file__).parents[1] / "vectors"

Errors = list[tuple[str, ...]]


def vectors(name: str, minor: str) -> list[dict[str, Any]]:
    """Read what was recorded of a minor."""
    with gzip.open(VECTORS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [vector for vector in map(json.loads, lines) if vector["minor"] == minor]


def ours(vector: dict[str, Any]) -> Errors | None:
    """Give what we say, sorted; `None` of what cannot be read."""
    release = Kubernetes(vector["minor"], gates=vector["gates"])
    try:
        found = validate(
            vector["object"],
            kubernetes=release,
            old=vector.get("old"),
            admin_access=vector["admin"],
            namespace="ns",
            subresource=vector.get("subresource", ""),
        )
    except DecodeError:
        return None
    return sorted((each.field, each.reason, each.message) for each in found)


def comparable(errors: Errors | None) -> Errors | None:
    """Leave out the values that Kubernetes shows in the words of Go, which tell an empty list from none where its wire form does not."""
    return None if errors is None else [tuple(error[:2]) if error[2].startswith("Invalid value: {") else tuple(error) for error in errors]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(("name", "least"), [("objects-gates", 1000), ("objects-status", 300)])
def test_recorded(name: str, least: int, minor: str) -> None:
    """Field, reason and message are those of the API server, whatever gates are on."""
    recorded = vectors(name, minor)
    different = [
        (vector, comparable(ours(vector)))
        for vector in recorded
        if comparable(ours(vector)) != comparable(vector["errors"] if vector["readable"] else None)
    ]
    assert different == []
    assert len(recorded) > least


@pytest.mark.parametrize("minor", MINORS)
def test_stored_status(minor: str) -> None:
    """What an admitted update leaves of a status is what the API server stores."""
    recorded = [vector for vector in vectors("objects-status", minor) if "status" in vector]
    different: list[tuple[Any, Any]] = []
    for vector in recorded:
        release = Kubernetes(minor, gates=vector["gates"])
        new, old = (ResourceClaim.from_dict(vector[part], kubernetes=release) for part in ("object", "old"))
        kept = stored_status(new, old=old, kubernetes=release).to_dict().get("status", {})
        if kept != vector["status"]:
            different.append((vector, kept))
    assert different == []
    assert len(recorded) > 20


#: What the API server makes up.
MADE_UP = {"timeAdded", "uid", "creationTimestamp"}


def given(value: Any) -> Any:
    """Leave out what the API server makes up, and empty lists, which may be written as `null`."""
    if isinstance(value, dict):
        return {key: given(item) for key, item in value.items() if key not in MADE_UP and item not in (None, [])}
    return [given(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("minor", MINORS)
def test_repeated_keys(minor: str) -> None:
    """What stands under one key several times is put together as Go does it: fields into fields, items into items, `null` where it resets."""
    recorded = vectors("objects-repeated", minor)
    different: list[tuple[Any, Any]] = []
    for vector in recorded:
        release = Kubernetes(minor, gates=vector["gates"])
        (made,) = documents(vector["text"])
        try:
            found = validate(made, kubernetes=release, admin_access=True, namespace="ns")
        except DecodeError:
            if vector["readable"]:
                different.append((vector, None))
            continue
        errors = sorted({(each.field, each.reason) for each in found})
        if not vector["readable"] or errors != [tuple(error) for error in vector["errors"]]:
            different.append((vector, errors))
        elif not errors:
            kept: Any = stored(from_dict(made, kubernetes=release), kubernetes=release, namespace="ns").to_dict()
            if given({key: kept[key] for key in ("metadata", "spec")}) != given(vector["stored"]):
                different.append((vector, kept))
    assert different == []
    assert len(recorded) > 200
