"""Attributes that requests compute, as constraints read them. The answers and texts are those of the real 1.37."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, allocate, explain

from .objects import CLASS, claim, device, published, request

NUMA = "resource.kubernetes.io/numaNode"
BOARD = "example.com/board"
#: Four devices on two boards, of which the last does not say where it is.
SLICE = published(*(device(f"d{number}", attributes={NUMA: number, "slot": number}) for number in range(3)), device("d3", attributes={"slot": 3}))
BOARDS = 'device.attributes["npu.rebellions.ai"].slot / 2'
NODES = 'device.attributes["resource.kubernetes.io"].numaNode'
LAST = 'device.attributes["npu.rebellions.ai"].slot == 3'


def computing(name: str = "r", expression: str = BOARDS, attribute: str = BOARD, **fields: Any) -> dict[str, Any]:
    """Make a request that computes an attribute."""
    return request(name, derivedAttributes=[{"name": attribute, "expression": expression}], **fields)


def given(*, lists: bool = False, **others: Any) -> dict[str, Any]:
    """Give what every allocation here has."""
    release = Kubernetes("1.37", gates={"DRADerivedAttributes": True, "DRAListTypeAttributes": lists})
    return {"classes": CLASS, "slices": SLICE, "node": "n1", "kubernetes": release, **others}


def names(*requests: dict[str, Any], lists: bool = False, in_use: Any = (), **devices: Any) -> list[str] | None:
    """Allocate, and name the devices."""
    found = allocate(claim(*requests, **devices), **given(lists=lists, in_use=in_use))
    return None if found is None else [result[3] for result in found[0].results]


def failure(*requests: dict[str, Any], **devices: Any) -> str:
    """Allocate in vain, and give the error's text."""
    with pytest.raises(AllocationError) as caught:
        allocate(claim(*requests, **devices), **given())
    return caught.value.message


USED = [("npu.rebellions.ai", "n1", "d1")]


def test_match() -> None:
    """Devices of one request must have the same computed value."""
    assert names(computing(count=2), constraints=[{"matchAttribute": BOARD}], in_use=USED) == ["d2", "d3"]
    assert names(computing(count=3), constraints=[{"matchAttribute": BOARD}]) is None


def test_distinct() -> None:
    """Or a value each of their own."""
    assert names(computing(count=2), constraints=[{"distinctAttribute": BOARD}]) == ["d0", "d2"]
    assert names(computing(count=3), constraints=[{"distinctAttribute": BOARD}]) is None


def test_requests_with_their_own() -> None:
    """Each request has the value that it computes itself, or the published one where it computes none."""
    constraints = [{"matchAttribute": NUMA}]
    assert names(computing("a", "2", NUMA), request("b"), constraints=constraints) == ["d0", "d2"]
    assert names(computing("a", "2", NUMA), computing("b", LAST + " ? 2 : 1", NUMA), constraints=constraints) == ["d0", "d3"]
    assert names(request("a"), computing("b", "7", "example.com/other"), constraints=[{"matchAttribute": BOARD}]) is None
    assert names(request("a"), computing("b"), constraints=[{"matchAttribute": BOARD, "requests": ["b"]}]) == ["d0", "d1"]


def test_the_computed_one_hides_the_published_one() -> None:
    """Whatever the device publishes under the name does not count."""
    assert names(computing(expression="true", attribute=NUMA, count=4), constraints=[{"matchAttribute": NUMA}]) == ["d0", "d1", "d2", "d3"]


def test_the_last_of_a_name_counts() -> None:
    """A claim that the API server would not let in computes a name twice."""
    twice = request(count=2, derivedAttributes=[{"name": BOARD, "expression": "no expression"}, {"name": BOARD, "expression": BOARDS}])
    assert names(twice, constraints=[{"matchAttribute": BOARD}], in_use=USED) == ["d2", "d3"]


def test_two_names_for_one_expression() -> None:
    """What is computed of a device stands under every name that a request gives it."""
    both = request(count=2, derivedAttributes=[{"name": name, "expression": BOARDS} for name in (BOARD, NUMA)])
    assert names(both, constraints=[{"matchAttribute": BOARD}, {"matchAttribute": NUMA}], in_use=USED) == ["d2", "d3"]
    assert names(both, constraints=[{"matchAttribute": BOARD}, {"distinctAttribute": NUMA}]) is None


def test_subrequests_with_their_own() -> None:
    """So has each subrequest."""
    subrequests = [
        {"name": name, "deviceClassName": "npu", "count": 4, "derivedAttributes": [{"name": BOARD, "expression": expression}]}
        for name, expression in (("a", BOARDS), ("b", '"one"'))
    ]
    found = allocate(claim({"name": "r", "firstAvailable": subrequests}, constraints=[{"matchAttribute": BOARD}]), **given())
    assert found is not None
    assert {result[0] for result in found[0].results} == {"r/b"}


def test_lists() -> None:
    """A computed list is compared as a set with the gate for lists; without it no second device goes with it."""
    lists = computing(expression=f"[{BOARDS}, 7]", count=2)
    assert names(lists, constraints=[{"matchAttribute": BOARD}], lists=True, in_use=USED) == ["d0", "d2"]
    assert names(lists, constraints=[{"distinctAttribute": BOARD}], lists=True) is None
    assert names(lists, constraints=[{"matchAttribute": BOARD}]) is None
    assert names(computing(expression="[1]"), constraints=[{"matchAttribute": BOARD}]) == ["d0"]
    assert names(computing(expression="[]"), constraints=[{"matchAttribute": BOARD}], lists=True) is None


def test_an_expression_that_is_none() -> None:
    """It is compiled when a constraint first asks for it, not before."""
    assert names(computing(expression="device"), constraints=[]) == ["d0"]
    assert names(computing(expression="device"), constraints=[{"matchAttribute": NUMA}]) == ["d0"]
    text = "must evaluate to a primitive scalar (string, integer, boolean, semver) or a list of these scalars, not kubernetes.DRADevice"
    assert failure(computing(expression="device"), constraints=[{"matchAttribute": BOARD}]) == f"compile derived attribute {BOARD} failed: {text}"


def test_an_error_on_one_device() -> None:
    """It ends the allocation once the search asks for it there, as an error of a selector does."""
    constraints = [{"matchAttribute": BOARD}]
    assert names(computing(expression=NODES), constraints=constraints) == ["d0"]
    text = f"evaluate derived attribute {BOARD} on device npu.rebellions.ai/n1/d3 failed: no such key: numaNode"
    assert failure(computing(expression=NODES, count=2), constraints=constraints) == text
    # A constraint before it that refuses the device is asked first.
    assert names(computing(expression=NODES, count=2), constraints=[{"matchAttribute": NUMA}, *constraints]) is None


def test_all_devices() -> None:
    """Of all devices each must go; what they compute is asked in their order."""
    everything = computing(allocationMode="All")
    assert failure(everything, constraints=[{"matchAttribute": BOARD}]) == (
        "claim c, request r: cannot add device npu.rebellions.ai/n1/d2 because a claim constraint would not be satisfied"
    )
    assert names(computing(expression='"x"', allocationMode="All"), constraints=[{"matchAttribute": BOARD}]) == ["d0", "d1", "d2", "d3"]


@pytest.mark.parametrize(("minor", "fits"), [("1.36", True), ("1.37", False)])
def test_without_the_gate(minor: str, fits: bool) -> None:
    """1.37 refuses what it may not compute; before, there is nothing to compute."""
    wanted = claim(computing())
    if fits:
        assert allocate(wanted, **given(kubernetes=minor)) is not None
        return
    with pytest.raises(AllocationError) as caught:
        allocate(wanted, **given(kubernetes=minor))
    assert caught.value.message == "claim c, request r: cannot handle request with derived attributes, the feature is disabled"


def test_explained() -> None:
    """The explanation names the values that do not go together, as it does for published ones."""
    why = explain(claim(computing(count=3), constraints=[{"matchAttribute": BOARD}]), **given())
    assert [str(ruling) for ruling in why.requests[0].rulings[:1]] == [
        f"npu.rebellions.ai/n1/d0: constraint: matchAttribute {BOARD}: 0 is on 2 of the 3 devices that are wanted; there is 0 (2), 1 (2)"
    ]


def test_explained_errors() -> None:
    """So does it say on which device nothing can be computed."""
    why = explain(claim(computing(expression=NODES, count=2), constraints=[{"matchAttribute": BOARD}]), **given())
    ruling = why.requests[0].rulings[3]
    assert (ruling.reason.name, ruling.message, why.error) == ("ERROR", ruling.detail, ruling.detail)
    assert ruling.detail == f"evaluate derived attribute {BOARD} on device npu.rebellions.ai/n1/d3 failed: no such key: numaNode"


def test_long_searches() -> None:
    """A search that goes through what it remembers tells devices apart by what each request computes of them."""
    devices = [device(f"d{number:02}", attributes={"slot": number % 20, NUMA: number % 2}) for number in range(24)]
    wanted = claim(
        computing("a", count=6),
        computing("b", 'device.attributes["npu.rebellions.ai"].slot / 4', count=5),
        constraints=[{"matchAttribute": BOARD, "requests": [name]} for name in ("a", "b")],
    )
    assert allocate(wanted, **given(slices=published(*devices))) is None
    found = allocate(wanted, **given(slices=published(*devices, *(device(f"e{number}", attributes={"slot": 0}) for number in range(10)))))
    assert found is not None
    assert [result[3] for result in found[0].results] == ["d00", "d01", "d20", "d21", "e0", "e1", "d02", "d03", "d22", "d23", "e2"]


def test_long_searches_with_errors() -> None:
    """Where nothing can be computed of the last device, the search still comes to it, and to the error, though a later request finds nothing at all."""
    devices = [device(f"d{number:03}", attributes={"slot": number, NUMA: 0}) for number in range(120)]
    wanted = claim(computing("a", expression=NODES), request("b", "false"), constraints=[{"matchAttribute": BOARD, "requests": ["a"]}])
    assert allocate(wanted, **given(slices=published(*devices))) is None
    with pytest.raises(AllocationError) as caught:
        allocate(wanted, **given(slices=published(*devices, device("e"))))
    assert caught.value.message == f"evaluate derived attribute {BOARD} on device npu.rebellions.ai/n1/e failed: no such key: numaNode"
