"""What must hold between the devices of a claim."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, allocate
from tests.allocation.objects import CLASS, NPU, claim, device, published, request

MINORS = ("1.34", "1.35", "1.36", "1.37")
#: With the allocator that knows distinctAttribute.
SHARING = {minor: Kubernetes(minor, gates={"DRAConsumableCapacity": True}) for minor in MINORS}
LISTS = {minor: Kubernetes(minor, gates={"DRAConsumableCapacity": True, "DRAListTypeAttributes": True}) for minor in ("1.36", "1.37")}
MATCH, DISTINCT = ({each: f"{NPU}/v"} for each in ("matchAttribute", "distinctAttribute"))


def having(*values: Any, first: str = "a") -> dict[str, Any]:
    """Make a slice of devices a, b, c … with these values of the attribute; `...` stands for none."""
    names = (chr(ord(first) + index) for index in range(len(values)))
    return published(*(device(name, attributes={} if value is ... else {"v": value}) for name, value in zip(names, values, strict=True)))


def names(claims: Any, slices: Any, release: Kubernetes) -> list[str] | None:
    """Give the names of the allocated devices; `None` when nothing fits."""
    found = allocate(claims, classes=CLASS, slices=slices, node="n1", kubernetes=release)
    return None if found is None else [row[3] for each in found for row in each.results]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("values", "count", "expected"),
    [
        (("x", "y", "x"), 2, ["a", "c"]),
        (("x", "y", "z"), 2, None),
        (("x", "y", "y", "x", "y"), 3, ["b", "c", "e"]),
        ((..., "x", "x"), 2, ["b", "c"]),
        ((1, True, "1", 1), 2, ["a", "d"]),
        ((..., "x"), 1, ["b"]),
        ((True, False, True), 2, ["a", "c"]),
    ],
    ids=["two of three", "none", "back and forth", "without", "kinds", "one", "booleans"],
)
def test_match(minor: str, values: tuple[Any, ...], count: int, expected: list[str] | None) -> None:
    """All must have the same value of the same kind; a device without the attribute goes with nothing."""
    assert names(claim(request(count=count), constraints=[MATCH]), having(*values), SHARING[minor]) == expected


@pytest.mark.parametrize("minor", MINORS)
def test_versions_match_as_text(minor: str) -> None:
    """Versions are the same when their texts are."""
    devices = [{"name": name, "attributes": {"v": {"version": text}}} for name, text in (("a", "1.0.0+x"), ("b", "1.0.0"), ("c", "1.0.0+x"))]
    assert names(claim(request(count=2), constraints=[MATCH]), published(*devices), SHARING[minor]) == ["a", "c"]


@pytest.mark.parametrize("minor", MINORS)
def test_names_with_and_without_the_domain(minor: str) -> None:
    """The driver's domain may stand before an attribute's name or not."""
    devices = [device("a", attributes={"v": "x"}), device("b", attributes={f"{NPU}/v": "x"}), device("c", attributes={"example.com/v": "x"})]
    assert names(claim(request(count=2), constraints=[MATCH]), published(*devices), SHARING[minor]) == ["a", "b"]
    assert names(claim(request(count=3), constraints=[MATCH]), published(*devices), SHARING[minor]) is None


@pytest.mark.parametrize("minor", MINORS)
def test_an_attribute_without_a_value(minor: str) -> None:
    """An attribute that has no value is the same as nothing, but one device may have it alone; where lists are on it goes with nothing."""
    devices: list[dict[str, Any]] = [{"name": name, "attributes": {"v": {}}} for name in ("a", "b")]
    assert names(claim(request(count=2), constraints=[MATCH]), published(*devices), SHARING[minor]) is None
    assert names(claim(request(), constraints=[MATCH]), published(*devices), SHARING[minor]) == ["a"]
    if minor in LISTS:
        assert names(claim(request(), constraints=[MATCH]), published(*devices), LISTS[minor]) is None
        assert names(claim(request(), constraints=[DISTINCT]), published(*devices), LISTS[minor]) == (["a"] if minor == "1.36" else None)


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("values", "count", "expected"),
    [
        (("x", "y"), 2, ["a", "b"]),
        (("x", ..., "y"), 2, ["a", "c"]),
        ((..., "x"), 1, ["b"]),
        (("x",), 2, None),
    ],
    ids=["two", "without", "one", "too few"],
)
def test_distinct(minor: str, values: tuple[Any, ...], count: int, expected: list[str] | None) -> None:
    """All must have different values; a device without the attribute goes with nothing."""
    assert names(claim(request(count=count), constraints=[DISTINCT]), having(*values), SHARING[minor]) == expected


@pytest.mark.parametrize(
    ("values", "requests", "minors"),
    [
        (("x", "x", "x"), [request(count=3)], {"1.34"}),
        (("x", "y", "x"), [request(count=3)], {"1.34", "1.35", "1.36"}),
        (("x", "x", "x"), [request("r"), request("s"), request("t")], {"1.34"}),
        (("x", "y", "x"), [request("r"), request("s"), request("t")], {"1.34"}),
    ],
    ids=["same", "same with another between", "same of three requests", "two of three requests"],
)
def test_what_distinct_remembers(values: tuple[Any, ...], requests: list[dict[str, Any]], minors: set[str]) -> None:
    """1.34 compares where values are held, 1.35 and 1.36 remember the last value of a request, 1.37 all of them."""
    fits = {minor for minor in MINORS if names(claim(*requests, constraints=[DISTINCT]), having(*values), SHARING[minor]) == ["a", "b", "c"]}
    assert fits == minors


@pytest.mark.parametrize(
    ("requests", "expected"),
    [
        ([], ["c", "d"]),
        (["r", "s"], ["c", "d"]),
        (["r"], ["a", "b"]),
        (["s"], ["a", "b"]),
        (["t"], ["a", "b"]),
    ],
    ids=["all", "both", "the first", "the second", "another"],
)
def test_requests_of_a_constraint(requests: list[str], expected: list[str]) -> None:
    """A constraint is for the requests that it names, or for all."""
    for minor in MINORS:
        wanted = claim(request("r"), request("s"), constraints=[{**MATCH, **({"requests": requests} if requests else {})}])
        assert names(wanted, having("x", "y", "z", "z"), SHARING[minor]) == expected


@pytest.mark.parametrize("named", ["r", "r/small"], ids=["request", "subrequest"])
def test_subrequests_of_a_constraint(named: str) -> None:
    """A constraint may name a request with subrequests, or one of these; only that is then held to it."""
    wishes = [{"name": "big", "deviceClassName": "npu", "count": 3}, {"name": "small", "deviceClassName": "npu", "count": 2}]
    wanted = claim({"name": "r", "firstAvailable": wishes}, constraints=[{**MATCH, "requests": [named]}])
    for minor in MINORS:
        expected = ["a", "c"] if named == "r" else ["a", "b", "c"]
        assert names(wanted, having("x", "y", "x"), SHARING[minor]) == expected


@pytest.mark.parametrize("minor", LISTS)
@pytest.mark.parametrize(
    ("values", "constraint", "count", "expected"),
    [
        ((["x", "y"], ["z"], ["y", "z"]), MATCH, 2, ["a", "c"]),
        ((["x", "y"], "y"), MATCH, 2, ["a", "b"]),
        ((["x", "y"], ["y", "z"], ["z", "x"]), MATCH, 3, None),
        ((["1"], 1), MATCH, 2, None),
        ((["x", "y"], ["y", "z"], ["z"]), DISTINCT, 2, ["a", "c"]),
        ((["x"], ["x"]), DISTINCT, 2, None),
    ],
    ids=["overlap", "scalar", "no common value", "kinds", "disjoint", "not disjoint"],
)
def test_lists(minor: str, values: tuple[Any, ...], constraint: dict[str, Any], count: int, expected: list[str] | None) -> None:
    """Where lists are on, they match in what they have in common, and are distinct when they share nothing."""
    requests = [request(f"r{index}") for index in range(count)]
    assert names(claim(*requests, constraints=[constraint]), having(*values), LISTS[minor]) == expected


def test_lists_narrow_for_good() -> None:
    """1.36 does not widen again what devices have in common when one of them is given back, so that it finds other devices than 1.37."""
    slices = having(["x", "y"], ["x", "z"], ["y", "z"], ["y"])
    wanted = claim(request("r"), request("s"), request("t"), constraints=[MATCH])
    assert {minor: names(wanted, slices, release) for minor, release in LISTS.items()} == {"1.36": ["c", "a", "d"], "1.37": ["a", "c", "d"]}


@pytest.mark.parametrize("minor", MINORS)
def test_constraints_that_an_allocator_does_not_know(minor: str) -> None:
    """A constraint without a kind is an error that numbers it; so is distinctAttribute for an allocator that does not know it."""
    with pytest.raises(AllocationError, match=r"^claim c, constraint #1: empty constraint \(unsupported constraint type\?\)$"):
        names(claim(request(), constraints=[MATCH, {}]), having("x"), SHARING[minor])
    basic = Kubernetes(minor, gates={"DRAConsumableCapacity": False, "DRADeviceBindingConditions": False})
    with pytest.raises(AllocationError, match="constraint #0: empty constraint"):
        names(claim(request(), constraints=[DISTINCT]), having("x"), basic)


@pytest.mark.parametrize("minor", MINORS)
def test_all_devices_that_do_not_go_together(minor: str) -> None:
    """A constraint that forbids one of all devices is an error which names the device."""
    with pytest.raises(AllocationError) as caught:
        names(claim(request(allocationMode="All"), constraints=[MATCH]), having("x", "x", "y"), SHARING[minor])
    assert caught.value.message == ("claim c, request r: cannot add device npu.rebellions.ai/n1/c because a claim constraint would not be satisfied")


def test_devices_that_stay_counted_in_1_34() -> None:
    """1.34 looks a second time at the capacity of another device; one that it then refuses stays in the constraint and in use."""
    root: dict[str, Any] = {"attributes": {"v": "x"}}
    shared = device("b", **root, allowMultipleAllocations=True, capacity={"memory": {"value": "16Gi"}})
    devices = [device("a"), shared, device("c", attributes={"v": "y"}), device("d", **root), device("e", attributes={"v": "y"})]
    found = {minor: names(claim(request(count=2), constraints=[MATCH]), published(*devices), release) for minor, release in SHARING.items()}
    assert found == {"1.34": None, "1.35": ["b", "d"], "1.36": ["b", "d"], "1.37": ["b", "d"]}
