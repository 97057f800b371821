"""Every recorded object, in every minor: whether it can be read, and in which form it is stored."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import ResourceSlice
from rbln_dra.errors import DecodeError
from rbln_dra.resources import stored

from .objects import Vector, comparable, load, release

WHENS = sorted(load())


def readable(vector: Vector, when: str) -> bool:
    """Tell whether we can read an object."""
    try:
        vector.read(release(when))
    except DecodeError:
        return False
    return True


@pytest.mark.parametrize("when", WHENS)
def test_recorded_reading(when: str) -> None:
    """We read what the API server reads, and nothing else."""
    different = [vector for vector in load()[when] if readable(vector, when) == ("decode" in vector.recorded)]
    assert different == []
    assert len(load()[when]) == 4000


@pytest.mark.parametrize("when", WHENS)
def test_recorded_storing(when: str) -> None:
    """What the API server admits it would store as we say: converted, with defaults, without what is off."""
    differences: list[tuple[dict[str, Any], dict[str, Any]]] = []
    admitted = [vector for vector in load()[when] if "object" in vector.recorded]
    for vector in admitted:
        made, old = vector.read(release(when))
        kept: Any = stored(made, kubernetes=release(when), old=old, namespace="ns")
        version = vector.object["apiVersion"]
        written = kept.to_dict(version, kubernetes=release(when)) if isinstance(kept, ResourceSlice) else kept.to_dict(version)
        if comparable(written) != comparable(vector.recorded["object"]):
            differences.append((comparable(written), comparable(vector.recorded["object"])))
    assert differences == []
    assert len(admitted) > 1000
