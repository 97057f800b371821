"""The generations of the NPU DRA driver."""

from __future__ import annotations

import pytest

from rbln_dra.attributes import ATTRIBUTES
from rbln_dra.devices import DOCUMENTED, PROFILES
from rbln_dra.devices.profiles import find
from rbln_dra.errors import UnknownProfile


@pytest.mark.parametrize(
    ("profile", "name"),
    [
        (None, "documented"),
        (DOCUMENTED, "documented"),
        ("documented", "documented"),
        ("4051b26", "4051b26"),
        ("0d204dd", "5397ed8"),
        ("dd9af1b", "744f5ba"),
        ("744f5ba", "744f5ba"),
        ("0.1.0", "744f5ba"),
        ("v0.1.3", "744f5ba"),
        ("0.2.1", "documented"),
        ("0.3.0rc1", "documented"),
    ],
    ids=lambda value: value if isinstance(value, str) else "default",
)
def test_find(profile: str, name: str) -> None:
    """A generation is found by its name, by its last commit, and by a release that is known to belong to it."""
    assert find(profile).name == name


@pytest.mark.parametrize(
    ("profile", "hint"),
    [
        ("document", "did you mean documented?"),
        ("4051b62", "did you mean 4051b26?"),
        ("0.2.0", None),
        ("0.0.1", None),
        ("", None),
        ("newest", None),
        ("a.b", None),
    ],
    ids=str,
)
def test_unknown(profile: str, hint: str | None) -> None:
    """An unknown generation is refused, with the known ones and the one that was probably meant."""
    with pytest.raises(UnknownProfile) as caught:
        find(profile)
    assert caught.value.value == profile
    assert caught.value.hint == hint
    assert "documented" in str(caught.value)


def test_schema_names_generations() -> None:
    """Whatever the attribute schema says of a driver generation is a generation."""
    assert {row.since for row in ATTRIBUTES} <= {profile.name for profile in PROFILES}
