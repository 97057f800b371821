"""Which allocator decides."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import ALLOCATORS, Allocator
from rbln_dra.allocation.rules import FEATURES, rules_of
from rbln_dra.errors import InvalidValue


@pytest.mark.parametrize(
    ("minor", "gates", "expected"),
    [
        ("1.34", {}, "incubating"),
        ("1.34", {"DRAAdminAccess": False, "DRAPrioritizedList": False}, "stable"),
        ("1.34", {"DRAConsumableCapacity": True}, "experimental"),
        ("1.35", {"DRADeviceTaints": True}, "incubating"),
        ("1.35", {"DRADeviceBindingConditions": True}, "experimental"),
        ("1.36", {"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False}, "stable"),
        ("1.36", {}, "incubating"),
        ("1.36", {"DRAListTypeAttributes": True}, "experimental"),
        ("1.37", {}, "incubating"),
        ("1.37", {"DRAFractionalCapacityRange": True}, "incubating"),
        ("1.37", {"DRADeviceCompatibilityGroups": True}, "experimental"),
    ],
    ids=str,
)
def test_the_most_stable_that_does(minor: str, gates: dict[str, bool], expected: str) -> None:
    """The most stable allocator that supports all features that are on decides."""
    assert rules_of(Kubernetes(minor, gates=gates)).allocator.name == expected


def test_features_need_their_gates() -> None:
    """A feature is on when all its gates are; what a minor does not have is off."""
    assert rules_of(Kubernetes("1.34", gates={"DRAResourceClaimDeviceStatus": True})).features == {"AdminAccess", "PrioritizedList"}
    assert "DerivedAttributes" not in rules_of(Kubernetes("1.36")).features


def test_experimental_supports_everything() -> None:
    """The last allocator of a minor supports all that the minor has."""
    for minor, allocators in ALLOCATORS.items():
        gates = {gate: True for gate in Kubernetes(minor).gates if any(gate in needed for needed in FEATURES.values())}
        assert allocators[-1].supports >= rules_of(Kubernetes(minor, gates=gates)).features
        assert [each.name for each in allocators] == ["stable", "incubating", "experimental"]


def test_no_features() -> None:
    """What is no collection of features is refused."""
    features: Any = 3
    with pytest.raises(InvalidValue) as caught:
        Allocator("stable", features)
    assert (caught.value.value, caught.value.expected) == (3, "names of features")
