"""Why claims do not fit, and what would make them fit."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationExplanation, Reason, allocate, explain
from tests.allocation.objects import CLASS, NPU, claim, device, published, request

PARTITIONS_OFF = Kubernetes("1.35")
SHARING = Kubernetes("1.36", gates={"DRAConsumableCapacity": True})
OPERATIONS = Kubernetes("1.37", gates={"DRAOptionalNodeOperations": True})


def explained(wanted: dict[str, Any], *slices: dict[str, Any], **given: Any) -> AllocationExplanation:
    """Explain, and see that the outcome is that of the allocation."""
    arguments: dict[str, Any] = {"classes": CLASS, "slices": list(slices), "node": "n1", "kubernetes": "1.36", **given}
    found = explain(wanted, **arguments)
    if found.error is None:
        assert found.allocations == allocate(wanted, **arguments)
    return found


def test_what_fits() -> None:
    """What fits has its allocation, and nothing to advise."""
    found = explained(claim(request()), published(device("a")))
    assert (found.fits, found.error, found.advice, found.pools) == (True, None, (), ())
    assert str(found) == "fits\nclaim c, request r: wants 1, could take 1"


X = "device.attributes['npu.rebellions.ai'].x == 1"


@pytest.mark.parametrize(
    ("wanted", "slices", "given", "ruling", "advice"),
    [
        (
            request(),
            [published(device("a"))],
            {"in_use": [(NPU, "n1", "a")]},
            "in use: another claim has it",
            "1 device that matches is in use",
        ),
        (
            request("r", "device.driver == 'x'", "true"),
            [published(device("a"))],
            {},
            "selector: claim c: selector #0 is false: device.driver == 'x'",
            "1 device is not selected; 1 more must match the selectors of class and request",
        ),
        (
            request("r", X),
            [published(device("a"))],
            {},
            "ERROR: claim c: selector #0: CEL runtime error: no such key: x",
            "1 device on which an expression has no answer: guard it with has() or .?…orValue(), or test device.driver first",
        ),
        (
            request(),
            [published(device("a", nodeName="n2"), device("b", nodeName="n1"), perDeviceNodeSelection=True)],
            {"in_use": [(NPU, "n1", "b")]},
            "other node: node n1 cannot reach it",
            "1 device is for other nodes",
        ),
        (
            request(capacity={"requests": {"memory": "9Gi"}}),
            [published(device("a", capacity={"memory": {"value": "4Gi"}}))],
            {"kubernetes": SHARING},
            "capacity: memory: 9Gi is wanted, the device has 4Gi",
            "1 device with too little capacity: ask for less, or free what others consume",
        ),
        (
            request(),
            [published(device("a"), skipNodeOperations=["NodePrepareResources"])],
            {"kubernetes": OPERATIONS},
            "node operations: its slice skips node operations, which the node does not declare",
            "1 device needs a node that declares DRAOptionalNodeOperations",
        ),
        (
            request(),
            [published(device("a", consumesCounters=[{"counterSet": "card", "counters": {"slots": {"value": "1"}}}]))],
            {"kubernetes": PARTITIONS_OFF},
            "counters: it consumes counters, and DRAPartitionableDevices is off",
            "1 device finds too little left in shared counters: free devices of the same pool",
        ),
    ],
    ids=["in use", "selector", "error", "node", "capacity", "operations", "counters"],
)
def test_reasons(wanted: dict[str, Any], slices: list[dict[str, Any]], given: dict[str, Any], ruling: str, advice: str) -> None:
    """The first reason that rules a device out, and what to do about it."""
    found = explained(claim(wanted), *slices, **given)
    assert not found.fits
    assert str(found.requests[0].rulings[0]) == f"npu.rebellions.ai/n1/a: {ruling}"
    assert f"request r: {advice}" in found.advice


def test_errors_have_the_text_of_kubernetes() -> None:
    """A ruling that is an error has Kubernetes' text beside the reason; others have none."""
    rulings = explained(claim(request("r", X)), published(device("a"), device("b", attributes={"x": 2}))).requests[0].rulings
    assert [(each.reason, each.message) for each in rulings] == [
        (Reason.ERROR, "claim c: selector #0: CEL runtime error: no such key: x"),
        (Reason.SELECTOR, None),
    ]


@pytest.mark.parametrize(
    ("devices", "constraint", "details"),
    [
        (
            [device("a", attributes={"v": "x"}), device("b", attributes={"v": "y"}), device("c")],
            {"matchAttribute": f"{NPU}/v"},
            [
                "constraint: matchAttribute npu.rebellions.ai/v: x is on 1 of the 2 devices that are wanted; there is x (1), y (1)",
                "constraint: matchAttribute npu.rebellions.ai/v: y is on 1 of the 2 devices that are wanted; there is x (1), y (1)",
                "missing attribute: npu.rebellions.ai/v is not set on npu.rebellions.ai/n1/c, and matchAttribute needs it",
            ],
        ),
        (
            [device("a", attributes={"v": 1}), device("b", attributes={"v": 1})],
            {"distinctAttribute": f"{NPU}/v"},
            ["constraint: distinctAttribute npu.rebellions.ai/v: 2 different values are wanted; there is 1 (2)"] * 2,
        ),
    ],
    ids=["match", "distinct"],
)
def test_constraints(devices: list[dict[str, Any]], constraint: dict[str, str], details: list[str]) -> None:
    """What does not go together is ruled out with the values that there are."""
    found = explained(claim(request(count=2), constraints=[constraint]), published(*devices), kubernetes="1.37")
    assert [str(each).partition(": ")[2] for each in found.requests[0].rulings] == details
    assert (
        f"request r: {len(details) - (len(details) == 3)} devices cannot go together under a constraint: relax it, or ask for fewer" in found.advice
    )


def test_distinct_in_1_34() -> None:
    """1.34 compares where values are held, so that equal ones are different; the explanation shows the values themselves."""
    release = Kubernetes("1.34", gates={"DRAConsumableCapacity": True})
    few = [device("a", attributes={"v": "x"}), device("b", attributes={"v": "x"})]
    assert explained(claim(request(count=2), constraints=[{"distinctAttribute": f"{NPU}/v"}]), published(*few), kubernetes=release).fits
    short = explained(claim(request(count=3), constraints=[{"distinctAttribute": f"{NPU}/v"}]), published(*few), kubernetes=release)
    assert short.requests[0].rulings[0].detail.startswith("distinctAttribute npu.rebellions.ai/v: 3 different values are wanted; there is x (")


def test_lists_that_overlap() -> None:
    """Lists are shown with their values; one whose single value is in another does not rule out."""
    release = Kubernetes("1.37", gates={"DRAListTypeAttributes": True})
    devices = [device("a", attributes={"v": ["x", "y"]}), device("b", attributes={"v": "x"}), device("c", attributes={"v": "z"})]
    found = explained(claim(request(count=3), constraints=[{"matchAttribute": f"{NPU}/v"}]), published(*devices), kubernetes=release)
    assert [each.reason for each in found.requests[0].rulings] == [Reason.CONSTRAINT, Reason.NONE, Reason.CONSTRAINT]
    assert "there is x, y (1), x (1), z (1)" in found.requests[0].rulings[0].detail


def test_too_many_together() -> None:
    """When each request finds enough for itself, the advice says that they are too many together."""
    found = explained(claim(request("r"), request("s")), published(device("a")))
    assert str(found) == (
        "does not fit\n"
        "claim c, request r: wants 1, could take 1\n"
        "claim c, request s: wants 1, could take 1\n"
        "hint: each request finds enough devices for itself, but not all together: ask for fewer, relax the constraints, or free devices"
    )


def test_a_claim_of_nothing() -> None:
    """A claim without requests fits, and so does none."""
    assert explained(claim(), published(device("a"))).requests == ()
    assert str(explain([], classes=[], slices=[], node="n1")) == "fits"


def test_an_error_before_the_search() -> None:
    """What is wrong with a request is the outcome, with what is wrong with pools."""
    found = explained(claim(request(deviceClassName="x")), published(device("a"), count=2))
    assert str(found) == (
        "error: claim c, request r: could not retrieve device class x: device class x not found\n"
        "pool npu.rebellions.ai/n1: incomplete: its slices are not as many as they say\n"
        "hint: pool npu.rebellions.ai/n1: wait for its driver, or give all its slices and no others"
    )


def test_an_invalid_pool_in_1_34() -> None:
    """Where invalid pools have devices, these are ruled out with what is wrong."""
    found = explained(claim(request()), published(device("a"), device("a")), kubernetes="1.34")
    assert found.error == "pool n1 is invalid: duplicate device name a"
    assert [str(each) for each in found.requests[0].rulings] == ["npu.rebellions.ai/n1/a: pool: duplicate device name a"] * 2
    assert "request r: 2 devices in a pool that is invalid" in found.advice


def test_a_search_that_gives_up() -> None:
    """A search over its limit says so among the pools, and the requests are explained all the same."""
    devices = [device(f"d{index}", attributes={"v": index}) for index in range(30)]
    found = explained(claim(request(count=10), request("s", count=10), constraints=[{"matchAttribute": f"{NPU}/v"}]), published(*devices), steps=5)
    assert found.error == "filter operation aborted: the search took more than 5 steps"
    assert found.pools == ("search: gave up after 5 steps",)
    assert found.requests[0].reasons == {Reason.CONSTRAINT: 30}
    assert found.advice == ("the search gave up: allow it more than 5 steps",)


def test_more_than_there_are() -> None:
    """A request for more devices than there are says so."""
    found = explained(claim(request(count=4)), published(device("a"), device("b")))
    assert found.advice == ("request r: 4 devices are wanted, 2 are published for node n1: ask for fewer",)


def test_no_device_at_all() -> None:
    """Without any device, the advice says that."""
    assert explained(claim(request())).advice == ("request r: no device is published for node n1",)
