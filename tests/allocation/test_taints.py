"""Taints, and what tolerates them."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import allocate, explain
from tests.allocation.objects import CLASS, claim, device, published, request

TAINTS = {minor: Kubernetes(minor, gates={"DRADeviceTaints": True}) for minor in ("1.34", "1.35", "1.36", "1.37")}


def taint(effect: str = "NoSchedule", key: str = "broken", value: str = "fan") -> dict[str, Any]:
    """Make a taint."""
    return {"key": key, "value": value, "effect": effect}


@pytest.mark.parametrize("minor", TAINTS)
@pytest.mark.parametrize(
    ("tolerations", "fits"),
    [
        ([], False),
        ([{"operator": "Exists"}], True),
        ([{"key": "broken", "operator": "Exists"}], True),
        ([{"key": "other", "operator": "Exists"}], False),
        ([{"key": "broken", "operator": "Equal", "value": "fan"}], True),
        ([{"key": "broken", "value": "fan"}], True),
        ([{"key": "broken", "operator": "Equal", "value": "other"}], False),
        ([{"key": "broken", "operator": "Exists", "effect": "NoSchedule"}], True),
        ([{"key": "broken", "operator": "Exists", "effect": "NoExecute"}], False),
        ([{"key": "broken", "operator": "Like", "value": "fan"}], False),
        ([{"key": "other", "operator": "Exists"}, {"key": "broken", "operator": "Exists"}], True),
    ],
    ids=["none", "all", "key", "other key", "value", "no operator", "other value", "effect", "other effect", "unknown operator", "the second"],
)
def test_tolerations(minor: str, tolerations: list[dict[str, Any]], fits: bool) -> None:
    """An empty key or effect covers all; the operator compares the value."""
    wanted = claim(request(tolerations=tolerations))
    found = allocate(wanted, classes=CLASS, slices=published(device("a", taints=[taint()])), node="n1", kubernetes=TAINTS[minor])
    assert (found is not None) is fits


def test_all_taints_must_be_tolerated() -> None:
    """A toleration of one taint does not help against another, which the reason names."""
    slices = published(device("a", taints=[taint(), taint("NoExecute", "hot", "")]))
    wanted = claim(request(tolerations=[{"key": "broken", "operator": "Exists"}]))
    found = explain(wanted, classes=CLASS, slices=slices, node="n1", kubernetes="1.36")
    assert str(found.requests[0].rulings[0]) == "npu.rebellions.ai/n1/a: taint: hot=:NoExecute is not tolerated"
    assert found.advice == ("request r: 1 device is tainted: tolerate the taint, or remove it",)


def test_taints_that_only_inform() -> None:
    """From the incubating allocator of 1.35 on, taints without an effect on claims do not count; before, they do."""
    slices = published(device("a", taints=[taint("None")]))
    fits = {
        minor: allocate(claim(request()), classes=CLASS, slices=slices, node="n1", kubernetes=release) is not None
        for minor, release in TAINTS.items()
    }
    assert fits == {"1.34": False, "1.35": True, "1.36": True, "1.37": True}


def test_taints_without_their_gate() -> None:
    """While the gate is off, taints do not count."""
    slices = published(device("a", taints=[taint()]))
    assert allocate(claim(request()), classes=CLASS, slices=slices, node="n1", kubernetes="1.35") is not None
