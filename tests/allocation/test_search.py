"""The search: its order, its bounds, and what the minors do that is odd."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, Cluster, SearchLimitExceeded, allocate
from rbln_dra.errors import InvalidValue
from tests.allocation.objects import CLASS, NPU, claim, device, published, request

ROOT = "resource.kubernetes.io/pcieRoot"


def rooted(name: str, root: str | None, **fields: Any) -> dict[str, Any]:
    """Make a device with a PCIe root."""
    return device(name, attributes={} if root is None else {ROOT: root}, **fields)


def test_all_after_others_under_a_constraint() -> None:
    """
    A device of `All` that a constraint forbids is an error, also where `All` alone would just find nothing: the tainted device.

    1.35 says so, whatever the order of the pools (asked 200 times; the answer names the first device of either).
    """
    mine = published(
        rooted("d0", "a"),
        rooted("d1", None, taints=[{"key": "k", "effect": "NoSchedule"}]),
        rooted("d2", "a"),
        rooted("d3", "a"),
        name="s0",
        pool="p0",
    )
    others = published(
        *(rooted(f"e{number}", root) for number, root in enumerate(("b", "a", "a", "b", "b", "b"))),
        name="s1",
        pool="p1",
    )
    wanted = claim(request("r0", count=4), request("r1", allocationMode="All"), constraints=[{"matchAttribute": ROOT}])
    with pytest.raises(AllocationError) as caught:
        allocate(wanted, classes=CLASS, slices=[mine, others], node="n1", kubernetes=Kubernetes("1.35", gates={"DRADeviceTaints": True}))
    assert caught.value.message == f"claim c, request r1: cannot add device {NPU}/p0/d0 because a claim constraint would not be satisfied"


def test_a_slice_with_fewer_devices_than_a_request_wants() -> None:
    """1.34 with DRAConsumableCapacity crashes where a request has more devices already than the slice of the next one has."""
    release = Kubernetes("1.34", gates={"DRAConsumableCapacity": True})
    shared = [published(device("d", allowMultipleAllocations=True), name=f"s{number}", pool=f"p{number}") for number in range(2)]
    with pytest.raises(AllocationError) as caught:
        allocate(claim(request(count=2)), classes=CLASS, slices=shared, node="n1", kubernetes=release)
    assert caught.value.message == "panic: runtime error: index out of range [1] with length 1"


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36", "1.37"])
def test_many_claims(minor: str) -> None:
    """Claims by the hundred are no matter of recursion."""
    devices = [device(f"d{number}") for number in range(100)]
    slices = [published(*devices, name=f"s{number}", pool=f"p{number}") for number in range(6)]
    wanted = [claim(request(), name=f"c{number}") for number in range(600)]
    found = allocate(wanted, classes=CLASS, slices=slices, node="n1", kubernetes=minor)
    assert found is not None
    assert len({each.results[0][1:] for each in found}) == 600


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36", "1.37"])
def test_a_dead_end_after_many_ways(minor: str) -> None:
    """Where the last claim cannot be served, it is not tried after each of the ways to serve the others."""
    devices = [device(f"d{number}", attributes={"index": number, "last": number > 38}) for number in range(40)]
    last = request("last", f'device.attributes["{NPU}"].last', count=2)
    wanted = [*(claim(request(count=8), name=f"c{number}") for number in range(4)), claim(last, name="z")]
    assert allocate(wanted, classes=CLASS, slices=published(*devices), node="n1", kubernetes=minor, steps=2000) is None


def test_an_error_before_a_dead_end() -> None:
    """A selector without an answer on the last device is still an error, though a later claim can never be served."""
    devices = [device(f"d{number}", attributes={"good": True}) for number in range(150)]
    wanted = [claim(request("r", f'device.attributes["{NPU}"].good'), name="c0"), claim(request("r", "false"), name="c1")]
    with pytest.raises(AllocationError) as caught:
        allocate(wanted, classes=CLASS, slices=[published(*devices), published(device("z"), name="t", pool="z")], node="n1", kubernetes="1.36")
    assert caught.value.message == "claim c0: selector #0: CEL runtime error: no such key: good"


def test_too_many_steps() -> None:
    """A search over its limit ends in an error with the number of steps."""
    devices = [device(f"d{number}", attributes={"index": number}) for number in range(30)]
    wanted = [claim(request(count=10), name=f"c{number}") for number in range(3)]
    with pytest.raises(SearchLimitExceeded) as caught:
        Cluster(classes=CLASS, slices=published(*devices)).allocate(wanted, node="n1", steps=20)
    assert (caught.value.steps, caught.value.message) == (20, "filter operation aborted: the search took more than 20 steps")


@pytest.mark.parametrize(
    ("minor", "expected"),
    [("1.34", None), ("1.35", None), ("1.36", ("r1/s1", NPU, "n1", "d6")), ("1.37", ("r1/s1", NPU, "n1", "d6"))],
)
def test_too_many_devices(minor: str, expected: tuple[str, ...] | None) -> None:
    """
    A subrequest that would bring its claim over 32 devices is passed over.

    Before 1.36, `All` goes on as the first subrequest after its first device: that is over 32 again, which ends the attempts of the whole claim.
    """
    devices = [device(f"d{number}", attributes={"only": number == 6}) for number in range(7)]
    only = [{"cel": {"expression": f'device.attributes["{NPU}"].only'}}]
    alternatives = [
        {"name": "s0", "deviceClassName": "npu", "count": 30},
        {"name": "s1", "deviceClassName": "npu", "allocationMode": "All", "selectors": only},
    ]
    wanted = [claim(request("r"), name="c0"), claim(request("r0", count=5), {"name": "r1", "firstAvailable": alternatives}, name="c1")]
    found = allocate(wanted, classes=CLASS, slices=published(*devices), node="n1", kubernetes=minor)
    assert (None if found is None else found[1].results[-1]) == expected


@pytest.mark.parametrize(("minor", "fits"), [("1.34", False), ("1.35", True), ("1.36", True)])
def test_counters_of_a_shared_device(minor: str, fits: bool) -> None:
    """Two shares of a device take its counters once; in 1.34 each takes them."""
    release = Kubernetes(minor, gates={"DRAConsumableCapacity": True, "DRAPartitionableDevices": True})
    counters = [{"name": "cs", "counters": {"x": {"value": "1"}}}]
    consumed = [{"counterSet": "cs", "counters": {"x": {"value": "1"}}}]
    shared = device("d", allowMultipleAllocations=True, consumesCounters=consumed, capacity={"m": {"value": "10"}})
    slices = [published(shared, count=2), published(name="t", count=2, sharedCounters=counters)]
    if minor == "1.34":
        slices = [published(shared, sharedCounters=counters)]
    wanted = claim(*(request(name, capacity={"requests": {"m": "2"}}) for name in "ab"))
    found = allocate(wanted, classes=CLASS, slices=slices, node="n1", kubernetes=release)
    assert (found is not None) is fits


@pytest.mark.parametrize("steps", [-1, True, 1.5, None])
def test_no_number_of_steps(steps: Any) -> None:
    """What is no number of steps is refused."""
    with pytest.raises(InvalidValue) as caught:
        allocate(claim(request()), classes=CLASS, slices=published(device()), node="n1", steps=steps)
    assert caught.value.expected == "a number of steps such as 200000"


def test_looking_at_many_devices_counts() -> None:
    """A search that takes few steps but looks at many devices for each ends, too."""
    devices = [device(f"d{number}", attributes={"root": number // 2}) for number in range(400)]
    wanted = claim(request(count=3), constraints=[{"matchAttribute": f"{NPU}/root"}])
    given: dict[str, Any] = {"classes": CLASS, "slices": published(*devices), "node": "n1", "kubernetes": "1.36"}
    assert allocate(wanted, **given) is None
    with pytest.raises(SearchLimitExceeded):
        allocate(wanted, **given, steps=5000)


def test_too_many_to_remember() -> None:
    """Where there are very many requests and devices, nothing is remembered, since each would have to be looked at for each; it still ends."""
    slices = published(*(device(f"d{number}") for number in range(400)))
    wanted = [claim(request(), name=f"c{number}") for number in range(1300)]
    with pytest.raises(SearchLimitExceeded):
        allocate(wanted, classes=CLASS, slices=slices, node="n1", kubernetes="1.36", steps=20_000)


@pytest.mark.parametrize(("minor", "refused"), [("1.34", True), ("1.35", True), ("1.36", False), ("1.37", False)])
def test_a_device_that_is_refused_stays_counted(minor: str, refused: bool) -> None:
    """
    In 1.34 and 1.35 a device that `All` finds used up stays counted by the match, so that the next device, with another value, is refused.

    From 1.36 on the next one is taken, and the match with it is what forbids the first for `All`, which is an error.
    """
    release = Kubernetes(minor, gates={"DRAConsumableCapacity": True})
    used_up = device("a", attributes={"v": "x"}, allowMultipleAllocations=True, capacity={"memory": {"value": "10Gi"}})
    wanted = claim(request("r0"), request("r1", allocationMode="All"), constraints=[{"matchAttribute": f"{NPU}/v"}])
    given: dict[str, Any] = {"classes": CLASS, "slices": published(used_up, device("b", attributes={"v": "y"})), "node": "n1", "kubernetes": release}
    if refused:
        assert allocate(wanted, **given) is None
        return
    with pytest.raises(AllocationError, match=f"request r1: cannot add device {NPU}/n1/a because a claim constraint would not be satisfied"):
        allocate(wanted, **given)


@pytest.mark.parametrize(
    ("minor", "second", "expected"),
    [
        pytest.param("1.35", False, "allocation max size exceeded", id="1.35: an error of the first claim"),
        pytest.param("1.35", True, None, id="1.35: a failure of the second one"),
        pytest.param("1.36", False, "d", id="1.36: All goes on with its own subrequest"),
    ],
)
def test_all_goes_on_with_a_subrequest_of_too_many(minor: str, second: bool, expected: str | None) -> None:
    """Up to 1.35 `All` goes on with the first subrequest after its first device, and that wants more devices than a claim may have."""
    many, every = ({"name": name, "deviceClassName": "npu", **fields} for name, fields in (("a", {"count": 33}), ("b", {"allocationMode": "All"})))
    wanted = [claim({"name": "r", "firstAvailable": [many, every]})]
    if second:
        wanted.insert(0, claim(request("s", f'device.attributes["{NPU}"].first'), name="before"))
    devices = [device("d", attributes={"first": False}), *([device("e", attributes={"first": True})] if second else ())]
    try:
        found = allocate(wanted, classes=CLASS, slices=published(*devices), node="n1", kubernetes=minor)
    except AllocationError as error:
        assert error.message == expected
    else:
        assert (None if found is None else found[-1].results[0][3]) == expected
