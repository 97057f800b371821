"""What a search remembers: which states count as the same, and where it is at a dead end."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import Cluster
from rbln_dra.allocation.memory import Memory
from rbln_dra.allocation.search import Place, Search
from rbln_dra.allocation.wishes import demands
from tests.allocation.objects import CLASS, NPU, claim, device, published, request


def memory_of(*claims: dict[str, Any], slices: Any, kubernetes: Any = "1.36", in_use: Any = ()) -> Memory:
    """Make the memory of a search that has taken nothing."""
    setting = Cluster(classes=CLASS, slices=slices, kubernetes=kubernetes)._setting(claims, node="n1", in_use=in_use)
    return Memory(Search(setting, demands(setting)))


def test_no_room() -> None:
    """When it is full it remembers no more, and forgets nothing."""
    memory = memory_of(claim(request()), slices=published(device()))
    memory.most = 1
    memory.add("first", Place())
    memory.add("second", Place())
    assert [memory.recall(key) for key in ("first", "second")] == [True, False]


def test_equal_devices() -> None:
    """Devices are equal when they look the same to all requests from one on; those that none of these can use make no difference."""
    first = request("r0", f'device.attributes["{NPU}"].index < 3')
    second = request("r1", f'device.attributes["{NPU}"].index == 2')
    devices = [device(f"d{index}", attributes={"index": index}) for index in range(5)]
    memory = memory_of(claim(first, second), slices=published(*devices))
    assert memory._outlook(Place(0, 0)).equals == [0, 0, 1, None, None]
    assert memory._outlook(Place(0, 1)).equals == [None, None, 0, None, None]


def test_an_invalid_pool_among_the_visited() -> None:
    """Where visiting a pool is an error, it is equal to nothing, and there is no dead end that is surely reached without an error."""
    slices = [published(device("a")), published(device("b"), device("b"), name="t", pool="z")]
    memory = memory_of(claim(request("r0"), request("r1", "false")), slices=slices, kubernetes="1.34")
    assert memory._outlook(Place()).equals == [0, 1]
    assert memory.dead_end() is None


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        pytest.param("true", (0, 0), id="no error before it"),
        pytest.param(f'device.attributes["{NPU}"].absent', (0, 1), id="an error may come before it"),
    ],
)
def test_dead_end(selector: str, expected: tuple[int, int]) -> None:
    """The dead end begins behind the last request that may fail with an error."""
    memory = memory_of(claim(request("r0", selector), request("r1", "true"), request("r2", "false")), slices=published(device()))
    assert memory.dead_end() == expected


def test_no_dead_end() -> None:
    """There is none where everything may be found, nor where a claim may want too many devices and an error may come first: the way back is another."""
    devices = [device(f"d{index}") for index in range(40)]
    assert memory_of(claim(request("r0"), request("r1")), slices=published(*devices)).dead_end() is None
    wide = {"name": "r1", "firstAvailable": [{"name": f"s{count}", "deviceClassName": "npu", "count": count} for count in (32, 2)]}
    failing = request("r0", f'device.attributes["{NPU}"].absent')
    assert memory_of(claim(failing, wide, request("r2", "false")), slices=published(*devices)).dead_end() is None


def test_amounts_that_cannot_be_computed_with() -> None:
    """A device that a request cannot be weighed against is an error that may be met, and equal only to others of the kind."""
    release = Kubernetes("1.37")
    policy = {"default": "1Gi", "validRange": {"min": "1Gi", "step": "1Gi"}}
    capacity = {"m": {"value": "16Gi", "requestPolicy": policy}}
    devices = [device("a", allowMultipleAllocations=True, capacity=capacity), device("b", capacity={"m": {"value": "8Ei"}})]
    wanted = request(capacity={"requests": {"m": "9223372036854775807001m"}})
    memory = memory_of(claim(wanted, request("s", "false")), slices=published(*devices), kubernetes=release)
    assert memory._outlook(Place()).equals == [0, None]
    assert memory.dead_end() == (0, 1)


def kind(name: str, of: str | None = None, *, ints: list[int] | None = None, **attributes: Any) -> dict[str, Any]:
    """Make a device that requests choose by its kind, the first letter of its name unless it is given."""
    made = device(name, attributes={"kind": of or name[0]})
    made["attributes"] |= {key: {"int": value} for key, value in attributes.items()}
    return made | ({"attributes": made["attributes"] | {"list": {"ints": ints}}} if ints else {})


def choosing(name: str, kinds: str, **fields: Any) -> dict[str, Any]:
    """Make a request for devices of some kinds."""
    return request(name, f'device.attributes["{NPU}"].kind in {list(kinds)}', **fields)


#: Devices and a claim that make a search go a long way before it comes to the others.
MANY = [*(kind(f"z{number}", m=1000 + number) for number in range(120)), kind("zz", m=5), kind("u", m=5)]
FIRST = claim(choosing("q0", "z"), choosing("q1", "u"), name="first", constraints=[{"matchAttribute": f"{NPU}/m"}])
COUNTED = [{"counterSet": "cs", "counters": {"c": {"value": "1"}}}]
COUNTERS = [{"name": "cs", "counters": {"c": {"value": "3"}}}]
TAINTED = {"taints": [{"key": "k", "effect": "NoSchedule"}]}


def rows(release: Kubernetes, devices: list[dict[str, Any]], *claims: dict[str, Any], counters: Any = None) -> list[list[str]]:
    """Allocate behind the long way, and give the devices of the other claims."""
    slices = [published(*MANY, *devices, count=1 if counters is None else 2)]
    if counters is not None:
        slices.append(published(name="t", count=2, sharedCounters=counters))
    found = Cluster(classes=CLASS, slices=slices, kubernetes=release).allocate([FIRST, *claims], node="n1")
    return [[device for _, _, _, device in each.results] for each in (found or ())[1:]]


def test_traces_of_distinct_values() -> None:
    """Which of two equal devices is used makes a difference to the order of the others: 1.36 forgets values on the way."""
    devices = [kind("a", v=1), kind("x1", v=2), kind("y", v=1), kind("x2", v=2), kind("q", v=2)]
    last = claim(choosing("r3", "axy", count=2), choosing("r4", "q"), constraints=[{"distinctAttribute": f"{NPU}/v"}])
    assert rows(Kubernetes("1.36"), devices, claim(choosing("r", "x"), name="b"), last) == [["x2"], ["a", "y", "q"]]


def test_traces_of_common_values() -> None:
    """The same where matchAttribute narrows what is common for good."""
    devices = [kind("x1", ints=[2]), kind("y", ints=[1]), kind("x2", ints=[2]), kind("w", ints=[1, 2]), kind("p1"), kind("p2"), kind("q", ints=[2])]
    last = claim(choosing("r2", "w"), choosing("r3", "xy"), choosing("r4", "q"), constraints=[{"matchAttribute": f"{NPU}/list"}])
    release = Kubernetes("1.36", gates={"DRAListTypeAttributes": True})
    assert rows(release, devices, claim(choosing("r0", "x"), choosing("r1", "p"), name="b"), last) == [["x2", "p1"], ["w", "x1", "q"]]


def test_traces_in_counters() -> None:
    """The same where a device that is refused keeps its counters."""
    devices = [
        kind("x1", m=1) | {"consumesCounters": COUNTED},
        kind("y", m=9) | {"consumesCounters": COUNTED} | TAINTED,
        kind("x2", m=2) | {"consumesCounters": COUNTED},
        kind("p3", m=2),
        kind("p1", m=1) | {"consumesCounters": COUNTED},
    ]
    pair = claim(choosing("r0", "x"), choosing("r1", "p"), name="b", constraints=[{"matchAttribute": f"{NPU}/m"}])
    release = Kubernetes("1.35", gates={"DRAPartitionableDevices": True, "DRADeviceTaints": True})
    assert rows(release, devices, pair, claim(choosing("r2", "xy")), counters=COUNTERS) == [["x2", "p3"], ["x1"]]


@pytest.mark.parametrize("minor", ["1.35", "1.36", "1.37"])
def test_amounts_below_nothing(minor: str) -> None:
    """A device or a share may give instead of taking: what finds nothing alone may find something behind it."""
    given = [{"counterSet": "cs", "counters": {"c": {"value": "-5"}}}]
    wanted = [{"counterSet": "cs", "counters": {"c": {"value": "7"}}}]
    devices = [*(kind(f"a{number}") for number in range(3)), kind("b") | {"consumesCounters": given}, kind("c") | {"consumesCounters": wanted}]
    release = Kubernetes(minor, gates={"DRAPartitionableDevices": True, "DRAConsumableCapacity": True})
    assert rows(release, devices, claim(choosing("r0", "ab"), choosing("r1", "c")), counters=COUNTERS) == [["b", "c"]]
    shared = [kind("a"), kind("b") | {"allowMultipleAllocations": True, "capacity": {"m": {"value": "10"}}}]
    requests = [choosing(name, kinds, capacity={"requests": {"m": amount}}) for name, kinds, amount in (("r0", "ab", "-5"), ("r1", "b", "12"))]
    # From 1.37 on, an amount below nothing is an error.
    if minor != "1.37":
        assert rows(release, shared, claim(*requests)) == [["b", "b"]]


def test_all_of_an_earlier_claim() -> None:
    """What `All` of a claim before this one finds in use makes no difference any more."""
    every = claim(request("r0", allocationMode="All"), constraints=[{"matchAttribute": f"{NPU}/a"}])
    memory = memory_of(every, claim(request()), slices=published(device(attributes={"a": 1})))
    assert [[*memory._first_used(Place(number))] for number in (0, 1)] == [[-1], []]


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36", "1.37"])
def test_devices_for_administrators(minor: str) -> None:
    """A device that an earlier claim uses costs an administrator's request nothing, a free one of the same kind does."""
    devices = [device(name, attributes={"late": name in "cd"}) for name in "abcd"]
    late = claim(request("r", f'device.attributes["{NPU}"].late', count=2))
    two = claim(request("admin", adminAccess=True, count=2), request("rest", count=2))
    release = Kubernetes(minor, gates={"DRAAdminAccess": True})
    setting = Cluster(classes=CLASS, slices=published(*devices), kubernetes=release)._setting([late, two], node="n1", in_use=())
    search = Search(setting, demands(setting), patience=0)
    assert search.run()
    assert [(each.wish.name, each.candidate.device.name) for each in search.granted[1]] == [
        ("admin", "c"),
        ("admin", "d"),
        ("rest", "a"),
        ("rest", "b"),
    ]
