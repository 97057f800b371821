"""Every recorded object, in every minor: what the API server has against it, field by field and word by word."""

from __future__ import annotations

from collections import Counter

import pytest

from rbln_dra import FieldError, validate

from .objects import Vector, load, release

WHENS = sorted(load())


def ours(vector: Vector, when: str) -> Counter[FieldError]:
    """Give what we say of an object."""
    return Counter(validate(vector.object, kubernetes=release(when), old=vector.old, admin_access=vector.admin, namespace="ns"))


def recorded(vector: Vector) -> Counter[FieldError]:
    """Give what the API server said; the recording is sorted, so order says nothing."""
    return Counter(FieldError(each["reason"], each["field"], each["message"]) for each in vector.recorded["errors"])


@pytest.mark.parametrize("when", WHENS)
def test_recorded_errors(when: str) -> None:
    """Field, reason and message of every error are those of the API server, as often as it says them."""
    read = [vector for vector in load()[when] if "decode" not in vector.recorded]
    assert [(vector.object, vector.old, ours(vector, when), recorded(vector)) for vector in read if ours(vector, when) != recorded(vector)] == []
    assert len(read) > 3600
    assert sum(bool(vector.recorded["errors"]) for vector in read) > 1000
