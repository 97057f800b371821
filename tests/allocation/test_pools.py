"""Pools: which slices count, whether they are complete and valid, and in which order they are searched."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, allocate, explain
from tests.allocation.objects import CLASS, NPU, claim, device, published, request

MINORS = ("1.34", "1.35", "1.36", "1.37")
PARTITIONS = {minor: Kubernetes(minor, gates={"DRAPartitionableDevices": True}) for minor in MINORS}
ZONE = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}]}
BROKEN = {"nodeSelectorTerms": [{"matchExpressions": [{"key": "zone", "operator": "Is"}]}]}
NODE = {"metadata": {"name": "n1", "labels": {"zone": "a"}}}


def names(slices: Any, kubernetes: Any, *, wanted: dict[str, Any] | None = None) -> list[str] | None:
    """Give pool and name of the allocated devices; `None` when nothing fits."""
    found = allocate(claim(wanted or request()), classes=CLASS, slices=slices, node=NODE, kubernetes=kubernetes)
    return None if found is None else [f"{row[2]}/{row[3]}" for row in found[0].results]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("where", "fits"),
    [
        ({"nodeName": "n1"}, True),
        ({"nodeName": "n2"}, False),
        ({"allNodes": True}, True),
        ({"nodeSelector": ZONE}, True),
        ({"nodeName": ""}, False),
    ],
    ids=["node", "other node", "all nodes", "labels", "nowhere"],
)
def test_where_slices_are(minor: str, where: dict[str, Any], fits: bool) -> None:
    """A slice is for the node that it names, for all nodes, or for those that its selector chooses."""
    assert names(published(device("a"), **where), minor) == (["n1/a"] if fits else None)


@pytest.mark.parametrize("minor", MINORS)
def test_where_devices_are(minor: str) -> None:
    """With the gate, each device may say itself which nodes reach it; without, the slice does not count."""
    devices = [device("a", nodeName="n2"), device("b", nodeSelector=ZONE), device("c", allNodes=True)]
    slices = published(*devices, perDeviceNodeSelection=True)
    assert names(slices, PARTITIONS[minor], wanted=request(count=2)) == ["n1/b", "n1/c"]
    assert names(slices, PARTITIONS[minor], wanted=request(count=3)) is None
    assert names(slices, Kubernetes(minor, gates={"DRAPartitionableDevices": False})) is None
    assert names(published(device("a", nodeName="n2"), perDeviceNodeSelection=True), PARTITIONS[minor]) is None


PLACE = "failed to parse node selector &NodeSelector{NodeSelectorTerms:[]NodeSelectorTerm{NodeSelectorTerm{MatchExpressions:"


@pytest.mark.parametrize(
    ("slices", "place"),
    [
        (published(device("a"), nodeSelector=BROKEN), "slice s"),
        (published(device("a", nodeSelector=BROKEN), perDeviceNodeSelection=True), "device a in slice s"),
    ],
    ids=["slice", "device"],
)
def test_selectors_that_cannot_be_read(slices: dict[str, Any], place: str) -> None:
    """
    A node selector that cannot be read is an error that names the slice or the device, and the explanation has nothing but that.

    In place of the device's name, Kubernetes writes all of the device, with the addresses of its attributes in memory.
    """
    with pytest.raises(AllocationError) as caught:
        names(slices, PARTITIONS["1.36"])
    assert caught.value.message.startswith(f"gather pool information: failed to perform node selection for {place}: {PLACE}")
    found = explain(claim(request()), classes=CLASS, slices=slices, node=NODE, kubernetes=PARTITIONS["1.36"])
    assert (found.error, found.requests, found.pools, found.advice) == (caught.value.message, (), (), ())


@pytest.mark.parametrize(
    ("slices", "whole", "partly"),
    [
        ([published(device("a"), generation=1), published(device("b"), generation=2, name="t")], ["n1/b"], ["n1/b"]),
        ([published(device("b"), generation=2), published(device("a"), generation=1, name="t")], ["n1/b"], ["n1/b"]),
        ([published(device("a"), count=2)], None, ["n1/a"]),
        ([published(device("a"), count=2), published(device("b"), count=2, name="t", nodeName="n2")], ["n1/a"], ["n1/a"]),
        ([published(device("a")), published(device("b"), generation=2, name="t", nodeName="n2")], ["n1/a"], ["n1/a"]),
        ([published(device("a"), count=2), published(device("b"), generation=2, name="t", nodeName="n2")], None, ["n1/a"]),
    ],
    ids=["newer", "older", "incomplete", "complete elsewhere", "newer elsewhere, complete here", "newer elsewhere"],
)
def test_generations(slices: list[dict[str, Any]], whole: list[str] | None, partly: list[str]) -> None:
    """The newest generation counts; from 1.35 on, all its slices must be there, be they of other nodes."""
    answers = {minor: names(slices, minor) for minor in MINORS}
    assert answers == {"1.34": partly, "1.35": whole, "1.36": whole, "1.37": whole}


def test_incomplete_pools_are_explained() -> None:
    """What is missing is said, with what to do."""
    found = explain(claim(request()), classes=CLASS, slices=published(device("a"), count=2), node=NODE, kubernetes="1.37")
    assert found.pools == ("pool npu.rebellions.ai/n1: incomplete: its slices are not as many as they say",)
    assert found.advice == ("pool npu.rebellions.ai/n1: wait for its driver, or give all its slices and no others",)


SETS = [{"name": "card", "counters": {"slots": {"value": "1"}}}]


def taking(counter_set: str, counter: str = "slots") -> dict[str, Any]:
    """Make a device that takes from a counter."""
    return device("a", consumesCounters=[{"counterSet": counter_set, "counters": {counter: {"value": "1"}}}])


@pytest.mark.parametrize(
    ("slices", "invalid"),
    [
        ([published(device("a"), device("a"))], "duplicate device name a"),
        ([published(device("a"), count=2), published(device("a"), count=2, name="t")], "duplicate device name a"),
        (
            [published(count=2, sharedCounters=SETS, name=name) for name in ("s", "t")] + [published(device("a"), name="u", pool="n2")],
            "duplicate counter set name card",
        ),
        ([published(taking("other"), count=2), published(sharedCounters=SETS, name="t", count=2)], "counter set other not found"),
        (
            [published(taking("card", "other"), count=2), published(sharedCounters=SETS, name="t", count=2)],
            "counter other not found in counter set card",
        ),
    ],
    ids=["device", "device of two slices", "counter set", "no such counter set", "no such counter"],
)
@pytest.mark.parametrize("minor", ["1.35", "1.36", "1.37"])
def test_invalid_pools(minor: str, slices: list[dict[str, Any]], invalid: str) -> None:
    """An invalid pool is passed over; when nothing fits, that is an error, and the explanation names what is wrong."""
    other = published(device("z"), pool="z", name="z")
    assert names([*slices, other], PARTITIONS[minor], wanted=request("r", "device.driver != ''")) in (["z/z"], ["n2/a"])
    given: dict[str, Any] = {"classes": CLASS, "slices": slices, "node": NODE, "kubernetes": PARTITIONS[minor]}
    with pytest.raises(AllocationError) as caught:
        allocate(claim(request(count=2)), **given)
    assert (caught.value.message, caught.value.node_only) == ("invalid resource pools were encountered", True)
    found = explain(claim(request(count=2)), **given)
    assert (found.error, found.pools) == (caught.value.message, (f"pool npu.rebellions.ai/n1: invalid: {invalid}",))
    assert f"pool npu.rebellions.ai/n1: its driver must publish it anew: {invalid}" in found.advice
    with pytest.raises(AllocationError) as caught:
        allocate(claim(request(allocationMode="All")), **given)
    assert caught.value.message == "claim c, request r: asks for all devices, but resource pool npu.rebellions.ai/n1 is currently invalid"


def test_invalid_pools_in_1_34() -> None:
    """In 1.34, an invalid pool is an error when the search reaches it, and only then."""
    slices = [published(device("b"), name="t", pool="n2"), published(device("a"), device("a"))]
    with pytest.raises(AllocationError, match=r"^pool n1 is invalid: duplicate device name a$"):
        names(slices[1:], "1.34")
    assert names([slices[0], published(device("c"), name="u", pool="n3")], "1.34", wanted=request(count=2)) is not None


def test_counters_of_other_nodes() -> None:
    """Slices with shared counters count for all nodes in 1.36, and are found among those of other nodes in 1.37; devices there take, too."""
    own = published(taking("card"), count=3)
    counters = published(sharedCounters=SETS, name="t", count=3, nodeName="n2")
    elsewhere = published({**taking("card"), "name": "b"}, name="u", count=3, nodeName="n2")
    for minor in ("1.36", "1.37"):
        given: dict[str, Any] = {"classes": CLASS, "slices": [own, counters, elsewhere], "node": NODE, "kubernetes": PARTITIONS[minor]}
        assert allocate(claim(request()), **given) is not None
        assert allocate(claim(request()), in_use=[(NPU, "n1", "b")], **given) is None


def test_slices_with_groups_are_hidden() -> None:
    """From 1.37 on, a slice with compatibility groups does not count while their gate is off; its pool is complete without it."""
    grouped = {"name": "b", "consumesCounters": [{"counterSet": "card", "counters": {"slots": {"value": "1"}}, "compatibilityGroups": ["x"]}]}
    slices = [
        published(device("a"), count=2),
        published(grouped, name="t", count=3),
        published(sharedCounters=SETS, name="u", count=2),
    ]
    assert names(slices, PARTITIONS["1.37"], wanted=request(allocationMode="All")) == ["n1/a"]
    assert names(slices[1:], PARTITIONS["1.37"]) is None


def test_the_order_of_the_search() -> None:
    """From 1.36 on pools go by driver and name, and slices by name; before, here, as they come."""
    slices = [
        published(device("d"), name="z", pool="b"),
        published(device("c"), name="y", pool="a", count=2),
        published(device("b"), name="x", pool="a", count=2),
        published(device("a"), name="w", pool="c", driver="a.example.com"),
    ]
    every = request(count=4)
    assert names(slices, "1.37", wanted=every) == ["c/a", "a/b", "a/c", "b/d"]
    assert names(slices, "1.35", wanted=every) == ["b/d", "a/c", "a/b", "c/a"]


def test_binding_conditions_come_last() -> None:
    """Where binding conditions are on, devices without come first; where they are off, devices with them are not taken."""
    bound = published(device("a", bindingConditions=["ready"]), name="a", pool="a")
    slices = [bound, published(device("b"), name="b", pool="b")]
    for minor in MINORS:
        on = Kubernetes(minor, gates={"DRADeviceBindingConditions": True, "DRAResourceClaimDeviceStatus": True})
        off = Kubernetes(minor, gates={"DRADeviceBindingConditions": False})
        assert names(slices, on, wanted=request(count=2)) == ["b/b", "a/a"]
        assert names(slices, off) == ["b/b"]
        assert names(bound, off) is None
        found = explain(claim(request()), classes=CLASS, slices=bound, node=NODE, kubernetes=off)
        assert found.requests[0].rulings[0].detail == "it has binding conditions, and DRADeviceBindingConditions is off"
        assert found.advice == ("request r: 1 device with binding conditions needs the gate DRADeviceBindingConditions",)
