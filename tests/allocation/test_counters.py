"""Shared counters, and which devices take from them together."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, allocate, explain
from tests.allocation.objects import CLASS, NPU, claim, device, published, request

MINORS = ("1.34", "1.35", "1.36", "1.37")
PARTITIONS = {minor: Kubernetes(minor, gates={"DRAPartitionableDevices": True}) for minor in MINORS}
GROUPS = Kubernetes("1.37", gates={"DRAPartitionableDevices": True, "DRADeviceCompatibilityGroups": True})
#: What stands in another slice of the pool from 1.35 on, and beside the devices in 1.34.
SET = {"name": "card", "counters": {"slots": {"value": "3"}}}


def part(name: str, slots: str, *groups: str, counter: str = "slots", **fields: Any) -> dict[str, Any]:
    """Make a device that takes slots of the card."""
    taken = {"counterSet": "card", "counters": {counter: {"value": slots}}, **({"compatibilityGroups": list(groups)} if groups else {})}
    return device(name, consumesCounters=[taken], **fields)


def pool(*devices: dict[str, Any], minor: str, counters: dict[str, Any] = SET, name: str = "n1", slice_: str = "s") -> list[dict[str, Any]]:
    """Make a pool of devices that share counters, as the minor wants it."""
    if minor == "1.34":
        return [published(*devices, sharedCounters=[counters], pool=name, name=slice_)]
    return [
        published(*devices, count=2, pool=name, name=slice_),
        published(name=f"{slice_}-counters", count=2, sharedCounters=[counters], pool=name),
    ]


def names(claims: Any, slices: list[dict[str, Any]], release: Kubernetes, *used: str) -> list[str] | None:
    """Give the names of the allocated devices; `None` when nothing fits."""
    in_use = [(NPU, "n1", each) for each in used]
    found = allocate(claims, classes=CLASS, slices=slices, node="n1", in_use=in_use, kubernetes=release)
    return None if found is None else [row[3] for each in found for row in each.results]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("devices", "used", "wanted", "expected"),
    [
        ([part("a", "2"), part("b", "2"), part("c", "1")], (), 2, ["a", "c"]),
        ([part("a", "2"), part("b", "2"), part("c", "1")], ("b",), 1, ["c"]),
        ([part("a", "2"), part("b", "2"), part("c", "1")], ("b", "c"), 1, None),
        ([part("a", "2"), device("b"), device("c")], ("b",), 2, ["a", "c"]),
        ([part("a", "1"), part("b", "5")], ("b",), 1, None),
    ],
    ids=["two at once", "beside what is allocated", "nothing left", "no counters", "less than nothing left"],
)
def test_counters(minor: str, devices: list[dict[str, Any]], used: tuple[str, ...], wanted: int, expected: list[str] | None) -> None:
    """Devices take from the counters of their pool, those that are allocated already too."""
    assert names(claim(request(count=wanted)), pool(*devices, minor=minor), PARTITIONS[minor], *used) == expected


def test_a_counter_that_nobody_has() -> None:
    """In 1.34 only what the slice has counts; from 1.35 on, a device that takes from what is not there makes its pool invalid."""
    devices = [part("a", "9", counter="other"), part("b", "2")]
    for used in ((), ("a",)):
        assert names(claim(request()), pool(*devices, minor="1.34"), PARTITIONS["1.34"], *used) == (["b"] if used else ["a"])
    with pytest.raises(AllocationError, match="invalid resource pools were encountered"):
        names(claim(request()), pool(*devices, minor="1.36"), PARTITIONS["1.36"])
    refused = explain(claim(request()), classes=CLASS, slices=pool(*devices, minor="1.36"), node="n1", kubernetes=PARTITIONS["1.36"])
    assert refused.pools == ("pool npu.rebellions.ai/n1: invalid: counter other not found in counter set card",)


def test_why_too_little_is_left() -> None:
    """The reason names the counter and the amounts."""
    slices = pool(part("a", "2"), part("b", "2"), minor="1.36")
    refused = explain(claim(request()), classes=CLASS, slices=slices, node="n1", in_use=[(NPU, "n1", "a")], kubernetes=PARTITIONS["1.36"])
    assert [str(each) for each in refused.requests[0].rulings] == [
        "npu.rebellions.ai/n1/a: in use: another claim has it",
        "npu.rebellions.ai/n1/b: counters: counter slots of card: 2 would be taken, 1 is there",
    ]


@pytest.mark.parametrize(
    ("devices", "used", "wanted", "expected"),
    [
        ([part("a", "1", "x"), part("b", "1", "y"), part("c", "1", "x", "y")], (), 2, ["a", "c"]),
        ([part("a", "1"), part("b", "1", "x"), part("c", "1")], (), 2, ["a", "c"]),
        ([part("a", "1", "x"), part("b", "1", "y"), part("c", "1", "x", "y")], ("b",), 1, ["c"]),
        ([part("a", "1", "x", "y"), part("b", "1", "y", "z"), part("c", "1", "x"), part("d", "1", "y")], ("a", "b"), 1, ["d"]),
        ([part("a", "1"), part("b", "1", "x"), part("c", "1")], ("a",), 1, ["c"]),
        ([part("a", "1"), part("b", "1", "x"), part("c", "1", "x"), part("d", "0")], ("a", "b"), 1, ["d"]),
        ([part("a", "1", "x"), part("b", "1"), part("c", "1", "x"), part("d", "0")], ("a", "b"), 1, ["c"]),
        ([part("a", "1", "x"), device("b"), part("c", "1", "y")], ("a",), 1, ["b"]),
    ],
    ids=[
        "one in common",
        "none and none",
        "beside what is allocated",
        "beside two that are allocated",
        "none beside none",
        "beside none and one that are allocated",
        "beside one and none that are allocated",
        "no counters",
    ],
)
def test_compatibility_groups(devices: list[dict[str, Any]], used: tuple[str, ...], wanted: int, expected: list[str] | None) -> None:
    """Devices of one counter set go together when all share a group, or none has any."""
    counters = {"name": "card", "counters": {"slots": {"value": "9"}}}
    assert names(claim(request(count=wanted)), pool(*devices, minor="1.37", counters=counters), GROUPS, *used) == expected


def test_groups_are_of_one_pool() -> None:
    """Devices of another pool may be of other groups, and what did not go together is given back."""
    slices = [
        *pool(part("a", "1", "x"), part("b", "1", "y"), minor="1.37"),
        *pool(part("c", "1", "y"), minor="1.37", name="n2", slice_="t"),
    ]
    assert names(claim(request(count=2)), slices, GROUPS) == ["a", "c"]
    assert names(claim(request(count=3)), slices, GROUPS) is None
