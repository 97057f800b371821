"""Amounts that grow while the search goes on. The answers are those of the real allocators."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import allocate
from tests.allocation.objects import CLASS, claim, device, published, request

#: Leaves every amount from 1Gi on as it is.
FROM_1GI = {"validRange": {"min": "1Gi"}}


def got(minor: str, wanted: dict[str, Any], *devices: dict[str, Any]) -> list[tuple[str, str, str | None]] | None:
    """Give request, device and consumed memory of each result."""
    release = Kubernetes(minor, gates={"DRAConsumableCapacity": True})
    found = allocate(wanted, classes=CLASS, slices=published(*devices), node="n1", kubernetes=release)
    if found is None:
        return None
    results = (each for allocation in found for each in allocation.to_dict()["devices"]["results"])
    return [(each["request"], each["device"], each.get("consumedCapacity", {}).get("memory")) for each in results]


def shared(name: str, value: str = "40Gi", policy: dict[str, Any] | None = None) -> dict[str, Any]:
    """Make a device that several may use."""
    memory = {"value": value} if policy is None else {"value": value, "requestPolicy": policy}
    return device(name, allowMultipleAllocations=True, capacity={"memory": memory})


def memory(amount: str) -> dict[str, Any]:
    """Ask for memory."""
    return {"requests": {"memory": amount}}


@pytest.mark.parametrize(
    ("amount", "policy", "consumed"),
    [
        pytest.param("1.5Gi", FROM_1GI, "4608Mi", id="a range without steps"),
        pytest.param("1.5Gi", {}, "4608Mi", id="a policy that says nothing"),
        pytest.param("1.5Gi", {"validRange": {"min": "1Gi", "max": "20Gi"}}, "4608Mi", id="a range with an end"),
        pytest.param("1.5Gi", None, "1536Mi", id="no policy: a copy"),
        pytest.param("1536Mi", FROM_1GI, "1536Mi", id="held as 64 bits: a copy"),
        pytest.param("0.5Gi", FROM_1GI, "1Gi", id="rounded up: the policy's"),
        pytest.param("1.5Gi", {"default": "1Gi", "validValues": ["1Gi", "4Gi"]}, "4Gi", id="the next value: the policy's"),
    ],
)
def test_two_shares_of_one_device(amount: str, policy: dict[str, Any] | None, consumed: str) -> None:
    """1.35 looks twice at the device for the second share, and adds what the first has each time; both have what came of it."""
    wanted = claim(request(count=2, capacity=memory(amount)))
    assert got("1.35", wanted, shared("d", policy=policy)) == [("r", "d", consumed), ("r", "d", consumed)]


@pytest.mark.parametrize(("minor", "consumed"), [("1.36", "7Gi"), ("1.37", "3Gi")])
def test_a_share_of_another_request(minor: str, consumed: str) -> None:
    """In 1.36 a request grows by what another has of the device; 1.37 copies."""
    wanted = claim(request("a", capacity=memory("2Gi")), request("b", capacity=memory("3.0Gi")))
    assert got(minor, wanted, shared("d", policy=FROM_1GI)) == [("a", "d", "2Gi"), ("b", "d", consumed)]


def test_an_amount_that_grew_beyond_64_bits() -> None:
    """9Ei is capped at 2⁶³−1; after a look at a device that has given 40Gi it wraps around, and 1.36 finds it small enough for 140Gi."""
    last = device("c", capacity={"memory": {"value": "140Gi", "requestPolicy": {"validRange": {"min": "500Mi", "step": "1500Mi"}}}})
    wanted = claim(request("r0", count=2), request("r1", capacity=memory("9Ei")))
    assert got("1.36", wanted, device("a"), shared("b", policy={}), last) == [("r0", "a", None), ("r0", "b", "40Gi"), ("r1", "c", None)]


@pytest.mark.parametrize("minor", ["1.35", "1.36", "1.37"])
def test_what_did_not_grow_is_given_back(minor: str) -> None:
    """A subrequest that leads nowhere leaves nothing behind on the device that the next one gets."""
    every, three = ({"name": name, "deviceClassName": "npu", "capacity": memory(amount)} for name, amount in (("a", "30.0Gi"), ("b", "20.0Gi")))
    wanted = claim({"name": "r", "firstAvailable": [every, three]}, request("s", capacity=memory("20Gi")))
    assert got(minor, wanted, shared("d", policy=FROM_1GI)) == [("r/b", "d", "20Gi"), ("s", "d", "20Gi")]


def test_a_device_without_capacity() -> None:
    """Where an amount may grow, a device of which nothing is consumed is given back as it is elsewhere."""
    wanted = claim(request("a"), request("b", "false"), request("c", capacity=memory("1.5Gi")))
    assert got("1.35", wanted, device("e", allowMultipleAllocations=True), shared("d", policy=FROM_1GI)) is None
