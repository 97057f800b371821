"""What is allocated already."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes, ResourceClaim
from rbln_dra.allocation import allocate
from rbln_dra.allocation.allocated import Allocated
from rbln_dra.errors import DecodeError
from tests.allocation.objects import CLASS, NPU, claim, device, published, request

A = (NPU, "n1", "a")
PARTITIONS = {minor: Kubernetes(minor, gates={"DRAPartitionableDevices": True, "DRAConsumableCapacity": True}) for minor in ("1.35", "1.36", "1.37")}


def having(name: str = "a", **fields: Any) -> dict[str, Any]:
    """Make a claim that has a device."""
    result = {"request": "r", "driver": NPU, "pool": "n1", "device": name, **fields}
    return {**claim(request()), "status": {"allocation": {"devices": {"results": [result]}}}}


SHARE = {"shareID": "7a1e3a4c-3f07-4d43-8a5f-1f1a3b1c5d6e"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], (set(), set(), {})),
        ([A], ({A}, set(), {})),
        ([list(A)], ({A}, set(), {})),
        ([claim(request())], (set(), set(), {})),
        ([having()], ({A}, set(), {})),
        ([having(adminAccess=True)], (set(), set(), {})),
        ([having(adminAccess=False)], ({A}, set(), {})),
        ([having(**SHARE)], (set(), {A}, {})),
        ([having(**SHARE, consumedCapacity={"memory": "4Gi"})], (set(), {A}, {A: {"memory": "4Gi"}})),
        ([having(**SHARE, consumedCapacity={"memory": "4Gi"})] * 2, (set(), {A}, {A: {"memory": "8Gi"}})),
        ([{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", **having()}], ({A}, set(), {})),
        ([ResourceClaim.from_dict({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", **having()})], ({A}, set(), {})),
    ],
    ids=[
        "nothing",
        "triple",
        "list",
        "not allocated",
        "allocated",
        "administrator",
        "no administrator",
        "share",
        "consumed",
        "twice",
        "kind",
        "value",
    ],
)
def test_what_others_have(given: list[object], expected: tuple[Any, ...]) -> None:
    """Devices as a whole, shares, and what these consume; what an administrator has does not count."""
    found = Allocated.of(given)
    amounts = {id_: {name: str(amount) for name, amount in consumed.items()} for id_, consumed in found.capacity.items()}
    assert (found.devices, found.shared, amounts) == expected


@pytest.mark.parametrize(
    "given",
    [1, None, "a/b/c", b"abc", (NPU, "n1"), (NPU, "n1", 1), (NPU, "n1", "a", "b"), object()],
    ids=["number", "none", "text", "bytes", "pair", "number in a triple", "four", "object"],
)
def test_what_is_neither(given: object) -> None:
    """Anything else is an error that names its place and what was expected."""
    with pytest.raises(DecodeError) as caught:
        Allocated.of([A, given])
    assert (caught.value.path, caught.value.expected) == ("in_use[1]", "a (driver, pool, device) triple or a ResourceClaim")


def test_a_claim_that_cannot_be_read() -> None:
    """The path of a claim's fault begins with its place."""
    with pytest.raises(DecodeError) as caught:
        Allocated.of([{"status": {"allocation": {"devices": {"results": [{"device": 1}]}}}}])
    assert caught.value.path == "in_use[0].status.allocation.devices.results[0].device"


@pytest.mark.parametrize(("consumed", "in_1_36"), [({}, False), ({"memory": "1Gi"}, True)], ids=["idle", "consuming"])
def test_counters_of_allocated_shares(consumed: dict[str, str], in_1_36: bool) -> None:
    """Further shares of a device take no counters again; in 1.36 only where the shares that are allocated consume something."""
    shared = device(
        "a",
        allowMultipleAllocations=True,
        consumesCounters=[{"counterSet": "card", "counters": {"slots": {"value": "1"}}}],
        **({"capacity": {"memory": {"value": "4Gi", "requestPolicy": {"default": "1Gi"}}}} if consumed else {}),
    )
    slices = [published(shared, count=2), published(name="t", count=2, sharedCounters=[{"name": "card", "counters": {"slots": {"value": "1"}}}])]
    used = having(**SHARE, consumedCapacity=consumed)
    found = {
        minor: allocate(claim(request()), classes=CLASS, slices=slices, node="n1", in_use=[used], kubernetes=release) is not None
        for minor, release in PARTITIONS.items()
    }
    assert found == {"1.35": True, "1.36": in_1_36, "1.37": True}


def test_no_collection() -> None:
    """What holds no devices is refused."""
    given: Any = 3
    with pytest.raises(DecodeError) as caught:
        Allocated.of(given)
    assert (caught.value.path, caught.value.value) == ("in_use", 3)
