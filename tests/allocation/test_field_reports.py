"""What people ran into, B26 to B40 of the field reports: constraints and allocation."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, Reason, allocate, explain
from tests.allocation.objects import CLASS, NPU, claim, device, published, request

ROOT = "resource.kubernetes.io/pcieRoot"
NUMA = "resource.kubernetes.io/numaNode"
LISTS = Kubernetes("1.36", gates={"DRAListTypeAttributes": True})
TAKING = "device.attributes['npu.rebellions.ai'].productName == '%s'"


def names(claims: Any, slices: Any, **options: Any) -> list[str] | None:
    """Give the names of the allocated devices; `None` when nothing fits."""
    given: dict[str, Any] = {"classes": [CLASS], "node": "n1", "kubernetes": "1.36", **options}
    found = allocate(claims, slices=slices, **given)
    return None if found is None else [row[3] for each in found for row in each.results]


def test_b26_configuration_names_its_requests() -> None:
    """Configuration of each of two classes names the requests that it is for."""
    config = [{"opaque": {"driver": NPU, "parameters": {"x": 1}}}]
    classes = [{"metadata": {"name": each}, "spec": {"config": config}} for each in ("one", "two")]
    requests = [{"name": f"r-{each}", "exactly": {"deviceClassName": each}} for each in ("one", "two")]
    for minor in ("1.34", "1.37"):
        found = allocate(claim(*requests), classes=classes, slices=published(device("a"), device("b")), node="n1", kubernetes=minor)
        assert found is not None
        assert [(each.source, each.requests) for each in found[0].config] == [("FromClass", ("r-one",)), ("FromClass", ("r-two",))]


def test_b28_attribute_of_another_domain() -> None:
    """An unqualified attribute is only its driver's: a match across drivers never holds, and the reason names the device that lacks it."""
    slices = [
        published(device("a", attributes={"pciRoot": "01"}), name="x", driver="gpu.intel.com", pool="x"),
        published(device("b", attributes={ROOT: "01"}), name="y"),
    ]
    wanted = claim(request(count=2), constraints=[{"matchAttribute": ROOT}])
    assert names(wanted, slices) is None
    found = explain(wanted, classes=[CLASS], slices=slices, node="n1")
    assert next((each.reason, each.detail) for each in found.requests[0].rulings) == (
        Reason.ATTRIBUTE,
        f"{ROOT} is not set on gpu.intel.com/x/a, and matchAttribute needs it",
    )


def test_b29_a_constant_matches() -> None:
    """A match on an attribute that all devices of a product share is met by any of them."""
    slices = published(*(device(name, attributes={"pciDeviceID": "2130"}) for name in "ab"))
    assert names(claim(request(count=2), constraints=[{"matchAttribute": f"{NPU}/pciDeviceID"}]), slices) == ["a", "b"]


@pytest.mark.parametrize(("minor", "expected"), [("1.36", ["a", "b", "c"]), ("1.37", ["a", "b", "d"])])
def test_b31_distinct_values(minor: str, expected: list[str]) -> None:
    """Up to 1.36 one request may get a value twice, from 1.37 on it may not."""
    slices = published(*(device(name, attributes={NUMA: node}) for name, node in zip("abcd", (1, 2, 1, 3), strict=True)))
    assert names(claim(request(count=3), constraints=[{"distinctAttribute": NUMA}]), slices, kubernetes=minor) == expected


def test_b31_unset_attributes() -> None:
    """Devices without the attribute are not distinct."""
    assert names(claim(request(count=2), constraints=[{"distinctAttribute": NUMA}]), published(device("a"), device("b"))) is None


@pytest.mark.parametrize("value", ["x", 1, True])
def test_b32_equal_values_are_not_distinct(value: Any) -> None:
    """Values are compared, not where they are held."""
    slices = published(*(device(name, attributes={"v": value}) for name in "ab"))
    assert names(claim(request(count=2), constraints=[{"distinctAttribute": f"{NPU}/v"}]), slices) is None


def test_b34_all_falls_through() -> None:
    """`All` of which one device is busy gives way to the next subrequest, and leaves nothing taken."""
    slices = published(*(device(name, attributes={"productName": product}) for name, product in (("a", "CR13"), ("b", "CR13"), ("c", "CA25"))))
    subs = [
        {"name": "all", "deviceClassName": "npu", "allocationMode": "All", "selectors": [{"cel": {"expression": TAKING % "CR13"}}]},
        {"name": "one", "deviceClassName": "npu", "selectors": [{"cel": {"expression": TAKING % "CA25"}}]},
    ]
    wanted = claim({"name": "r", "firstAvailable": subs}, request("rest"))
    assert names(wanted, slices, in_use=[(NPU, "n1", "b")]) == ["c", "a"]


def test_b35_all_with_a_gate_that_is_off() -> None:
    """`All` counts a device that takes from counters while that is off, and so does not fit; the reason says which gate."""
    counting = device("a", consumesCounters=[{"counterSet": "set", "counters": {"x": {"value": "1"}}}])
    wanted = claim(request(allocationMode="All"))
    assert names(wanted, published(counting, device("b")), kubernetes="1.35") is None
    found = explain(wanted, classes=[CLASS], slices=published(counting, device("b")), node="n1", kubernetes="1.35")
    assert found.requests[0].rulings[0].detail == "it consumes counters, and DRAPartitionableDevices is off"


def test_b37_lists_and_scalars() -> None:
    """A list and a scalar match where they share a value and lists are on."""
    slices = published(device("cpu", attributes={ROOT: ["pci0000:00", "pci0000:80"]}), device("nic", attributes={ROOT: "pci0000:80"}))
    wanted = claim(request(count=2), constraints=[{"matchAttribute": ROOT}])
    assert names(wanted, slices, kubernetes=LISTS) == ["cpu", "nic"]
    assert names(wanted, slices) is None
    with pytest.raises(AllocationError, match="unsupported attribute value"):
        names(claim(request("r", "true", count=2)), slices)


def test_b38_numa_nodes_are_compared_as_they_are() -> None:
    """Which NUMA node a device is at is what it publishes, whatever CPUs the node has."""
    slices = published(device("a", attributes={NUMA: 4}), device("b", attributes={NUMA: 0}), device("c", attributes={NUMA: 4}))
    assert names(claim(request(count=2), constraints=[{"matchAttribute": NUMA}]), slices) == ["a", "c"]


def test_b40_roots_are_as_near_as_it_gets() -> None:
    """Of three devices on one root any two match, be they behind one switch or not."""
    slices = published(*(device(name, attributes={ROOT: "pci0000:20"}) for name in "abc"))
    assert names(claim(request(count=2), constraints=[{"matchAttribute": ROOT}]), slices, in_use=[(NPU, "n1", "b")]) == ["a", "c"]
