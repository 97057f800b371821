"""What requests want, checked before the search, and which devices match."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, allocate, explain
from tests.allocation.objects import CLASS, claim, device, published, request

MINORS = ("1.34", "1.35", "1.36", "1.37")


def first(*wishes: dict[str, Any], name: str = "r") -> dict[str, Any]:
    """Make a request of which the first subrequest that goes is taken."""
    return {"name": name, "firstAvailable": [{"name": f"s{number}", "deviceClassName": "npu", **wish} for number, wish in enumerate(wishes)]}


def error_of(wanted: dict[str, Any], kubernetes: Any, **given: Any) -> str:
    """Give the text with which the scheduler gives up."""
    arguments: dict[str, Any] = {"classes": CLASS, "slices": published(device("a"), device("b")), "node": "n1", "kubernetes": kubernetes, **given}
    with pytest.raises(AllocationError) as caught:
        allocate(wanted, **arguments)
    found = explain(wanted, **arguments)
    assert (found.allocations, found.error) == (None, caught.value.message)
    return caught.value.message


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (request(selectors=[{}]), "claim c, request r, selector #0: CEL expression empty (unsupported selector type?)"),
        (request(deviceClassName=""), "claim c, request r: missing device class name (unsupported request type?)"),
        (request(deviceClassName="x"), "claim c, request r: could not retrieve device class x: device class x not found"),
        (request(allocationMode="Some"), "claim c, request r: unsupported count mode Some"),
        (first({}, {"allocationMode": "Some"}), "claim c, request s1: unsupported count mode Some"),
        (request(count=33), "claim c, request r: adding 33 devices exceeds the claim limit of 32, with 0 already accounted for"),
        (first({"count": 40}, {"count": 33}), "claim c, request r: adding 33 devices exceeds the claim limit of 32, with 0 already accounted for"),
        (request("r", "true ==", count=1), None),
        (request("r", "device.attributes['npu.rebellions.ai'].x == 1"), None),
        (request("r", "device.attributes['npu.rebellions.ai'].x == 1", allocationMode="All"), None),
    ],
    ids=[
        "selector of no kind",
        "no class",
        "unknown class",
        "mode",
        "mode of a subrequest",
        "too many",
        "least of the subrequests",
        "selector that does not compile",
        "selector without an answer",
        "selector without an answer for all",
    ],
)
def test_what_cannot_be(minor: str, wanted: dict[str, Any], expected: str | None) -> None:
    """What is wrong with a request whatever is free is an error that names it; one of a selector names that, and from 1.37 on the device."""
    found = error_of(claim(wanted), minor)
    if expected is not None:
        assert found == expected
    else:
        assert found.startswith("claim c: selector #0: CEL compile error: " if "compile" in found else "claim c: selector #0")
        assert found.endswith("fields") is ("runtime" in found and minor == "1.37")


def test_too_many_together() -> None:
    """The limit of a claim is for all its requests."""
    for minor in MINORS:
        assert error_of(claim(request("r", count=20), request("s", count=20)), minor) == (
            "claim c, request s: adding 20 devices exceeds the claim limit of 32, with 20 already accounted for"
        )


def test_over_what_kubernetes_crashes() -> None:
    """A request may be of an unknown kind, and a class may have a selector of one: Kubernetes crashes; here these are errors."""
    assert error_of(claim({"name": "r"}), "1.36") == "claim c, request r: missing device class name (unsupported request type?)"
    assert error_of(claim(request()), "1.36", classes={"metadata": {"name": "npu"}, "spec": {"selectors": [{}]}}).startswith(
        "class npu: selector #0: CEL compile error: "
    )


@pytest.mark.parametrize("minor", ["1.34", "1.35"])
def test_admin_access_without_its_gate(minor: str) -> None:
    """While the gate is off, as it can be before 1.36, a request that says anything of admin access is an error."""
    off = Kubernetes(minor, gates={"DRAAdminAccess": False})
    for value in (True, False):
        assert error_of(claim(request(adminAccess=value)), off) == "claim c, request r: admin access is requested, but the feature is disabled"


def test_subrequests_without_their_gate() -> None:
    """While the gate is off, subrequests are an error."""
    off = Kubernetes("1.34", gates={"DRAPrioritizedList": False})
    assert error_of(claim(first({})), off) == "claim c, request r: has subrequests, but the DRAPrioritizedList feature is disabled"


@pytest.mark.parametrize(
    ("minor", "named"), [("1.34", "request r"), ("1.35", "subrequest s0"), ("1.36", "subrequest s0"), ("1.37", "subrequest s0")], ids=MINORS
)
def test_amounts_without_their_gate(minor: str, named: str) -> None:
    """Where the allocator knows amounts and the gate is off, a request that names one is an error; an allocator without them passes over it."""
    off = Kubernetes(minor, gates={"DRADeviceBindingConditions": True, "DRAResourceClaimDeviceStatus": True, "DRAConsumableCapacity": False})
    amounts: dict[str, Any] = {"capacity": {"requests": {"memory": "1Gi"}}}
    text = "has capacity requests, but the DRAConsumableCapacity feature is disabled"
    assert error_of(claim(request(**amounts)), off) == f"claim c, request r: {text}"
    assert error_of(claim(first(amounts)), off) == f"claim c, {named}: {text}"
    basic = Kubernetes(minor, gates={"DRADeviceBindingConditions": False, "DRAConsumableCapacity": False})
    assert allocate(claim(request(**amounts)), classes=CLASS, slices=published(device("a")), node="n1", kubernetes=basic) is not None


def test_derived_attributes_without_their_gate() -> None:
    """In 1.37, a request that computes attributes is an error while the gate is off; before, nobody knows them."""
    computed = request(derivedAttributes=[{"name": "npu.rebellions.ai/v", "expression": "1"}])
    assert error_of(claim(computed), "1.37") == "claim c, request r: cannot handle request with derived attributes, the feature is disabled"
    assert allocate(claim(computed), classes=CLASS, slices=published(device("a")), node="n1", kubernetes="1.36") is not None


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (first({"count": 3}, {"count": 2}), ["a", "b"]),
        (first({"count": 1}, {"count": 2}), ["a"]),
        (first({"selectors": [{"cel": {"expression": "false"}}]}, {}), ["a"]),
        (request(allocationMode="All"), ["a", "b"]),
        (request("r", "false", allocationMode="All"), None),
    ],
    ids=["second", "first", "selector", "all", "all of none"],
)
def test_what_is_wanted(minor: str, wanted: dict[str, Any], expected: list[str] | None) -> None:
    """A count, all devices that match, or the first subrequest that goes; all of none is none."""
    found = allocate(claim(wanted), classes=CLASS, slices=published(device("a"), device("b")), node="n1", kubernetes=minor)
    assert (None if found is None else [row[3] for row in found[0].results]) == expected


def test_all_of_the_second_subrequest() -> None:
    """1.34 and 1.35 find what the first subrequest said of the devices."""
    wanted = claim(first({"selectors": [{"cel": {"expression": "false"}}], "allocationMode": "All"}, {"allocationMode": "All"}))
    slices = published(device("a"), device("b"))
    fits = {minor: allocate(wanted, classes=CLASS, slices=slices, node="n1", kubernetes=minor) is not None for minor in MINORS}
    assert fits == {"1.34": False, "1.35": False, "1.36": True, "1.37": True}


def test_shares_that_selectors_see() -> None:
    """Selectors see that a device may be shared where the allocator knows shares."""
    slices = published(device("a", allowMultipleAllocations=True))
    wanted = claim(request("r", "device.allowMultipleAllocations"))
    on = Kubernetes("1.36")
    off = Kubernetes("1.36", gates={"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False})
    found = {
        name: allocate(wanted, classes=CLASS, slices=slices, node="n1", kubernetes=each) is not None for name, each in (("on", on), ("off", off))
    }
    assert found == {"on": True, "off": False}


def test_all_devices_with_an_amount() -> None:
    """All devices are those that have the amount; 1.34 looks again at the amount of another device, and finds it too small."""
    shared = [device(name, allowMultipleAllocations=True, capacity={"memory": {"value": value}}) for name, value in (("a", "4Gi"), ("b", "8Gi"))]
    wanted = claim(request(allocationMode="All", capacity={"requests": {"memory": "5Gi"}}))
    fits: dict[str, list[str] | None] = {}
    for minor in MINORS:
        release = Kubernetes(minor, gates={"DRAConsumableCapacity": True})
        given: dict[str, Any] = {"classes": CLASS, "slices": published(*shared), "node": "n1", "kubernetes": release}
        found = allocate(wanted, **given)
        fits[minor] = None if found is None else [row[3] for row in found[0].results]
        if found is not None:
            assert allocate(wanted, in_use=[found[0].allocated], **given) is None
    assert fits == {"1.34": None, "1.35": ["b"], "1.36": ["b"], "1.37": ["b"]}
