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
