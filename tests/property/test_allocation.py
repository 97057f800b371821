"""Random allocations: what a search remembers, and where it sees that it is at a dead end, changes no answer."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, Cluster, SearchLimitExceeded
from rbln_dra.allocation.results import conclude
from rbln_dra.allocation.search import Search
from rbln_dra.allocation.wishes import Setting, demands
from rbln_dra.kubernetes import GATES
from tests.oracle.allocations import Question, questions

#: How many allocations a minor.
COUNT = 250
#: How many steps a search that remembers nothing may take.
STEPS = 3000


def setting_of(question: Question) -> Setting:
    """Give what the search for an allocation is about."""
    given = question.objects
    cluster = Cluster(classes=given["classes"], slices=given["slices"], kubernetes=question.release)
    return cluster._setting(given["claims"], node=given["node"], in_use=question.in_use())


def answer(setting: Setting, *, patience: int, steps: int) -> object:
    """Search, remembering after so many devices that led nowhere; `None` when it takes too long."""
    try:
        found: Any = conclude(Search(setting, demands(setting), steps=steps, patience=patience))
    except SearchLimitExceeded:
        return None
    except AllocationError as error:
        return error.message
    return [each.to_dict() for each in found or ()]


def held(asked: Iterable[Question]) -> int:
    """Hold the search that remembers from the first device on to the one that never does, and give how often that one came to an end."""
    compared = 0
    for question in asked:
        try:
            setting = setting_of(question)
            expected = answer(setting, patience=STEPS, steps=STEPS)
        except AllocationError:
            continue
        if expected is not None:
            compared += 1
            # To look for a state counts as several steps.
            assert answer(setting, patience=0, steps=20 * STEPS) == expected, question
    return compared


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36", "1.37"])
def test_remembering(minor: str) -> None:
    """A search that remembers from the first device on gives what one gives that never does, unless that one takes too long."""
    assert held(questions(minor, COUNT, Random(f"remembering/{minor}"))) > COUNT / 3


#: Devices that look alike: what tells some of them apart for requests, for constraints and in what they take.
LABELS = ("a", "a", "b")
VALUES: tuple[dict[str, Any], ...] = (
    {},
    {"v": {"int": 1}},
    {"v": {"int": 2}},
    {"v": {"int": 1}},
    {"w": {"strings": ["p", "q"]}},
    {"w": {"strings": ["q"]}},
)
TAINT = {"key": "k", "effect": "NoSchedule"}


def alike(random: Random, minor: str) -> Question:
    """Make an allocation of few kinds of devices, and of requests that differ little, so that the order of what is alike matters."""
    counting = random.random() < 0.4
    gates = {
        gate: True
        for gate in ("DRAPartitionableDevices", "DRADeviceTaints", "DRAConsumableCapacity", "DRAListTypeAttributes")
        if random.random() < 0.4
    }
    devices = [_alike(random, f"d{number}", counting=counting) for number in range(random.randint(3, 8))]
    counters = [{"name": "cs", "counters": {"x": {"value": str(random.randint(0, 4))}}}]
    head = {"driver": "npu.rebellions.ai", "nodeName": "n1", "pool": {"name": "p", "generation": 1, "resourceSliceCount": 2}}
    slices: list[dict[str, Any]] = [{"metadata": {"name": "s"}, "spec": {**head, "devices": devices}}]
    slices.append({"metadata": {"name": "t"}, "spec": {**head, "sharedCounters": counters}})
    if minor == "1.34":
        head["pool"] = {"name": "p", "generation": 1, "resourceSliceCount": 1}
        slices = [{"metadata": {"name": "s"}, "spec": {**head, "devices": devices, "sharedCounters": counters}}]
    claims = [_claim(random, index) for index in range(random.randint(2, 3))]
    in_use = [[head["driver"], "p", each["name"]] for each in devices if random.random() < 0.08]
    objects = {"node": {"metadata": {"name": "n1"}}, "slices": slices, "classes": [{"metadata": {"name": "any"}}], "claims": claims, "inUse": in_use}
    known = {gate: value for gate, value in gates.items() if GATES[gate].setting(minor) is not None}
    return Question(Kubernetes(minor, gates=known), objects)


def _alike(random: Random, name: str, *, counting: bool) -> dict[str, Any]:
    attributes = {"label": {"string": random.choice(LABELS)}, **random.choice(VALUES)}
    device: dict[str, Any] = {"name": name, "attributes": attributes, "capacity": {"m": {"value": "10"}}}
    if counting and random.random() < 0.6:
        device["consumesCounters"] = [{"counterSet": "cs", "counters": {"x": {"value": random.choice(("1", "1", "2", "-1"))}}}]
    if random.random() < 0.15:
        device["taints"] = [TAINT]
    if random.random() < 0.15:
        device["allowMultipleAllocations"] = True
    return device


def _claim(random: Random, index: int) -> dict[str, Any]:
    requests: list[dict[str, Any]] = []
    for number in range(random.randint(1, 3)):
        name = f"r{number}"
        if random.random() < 0.1:
            requests.append({"name": name, "firstAvailable": [{"name": f"s{each}", **_wish(random)} for each in range(2)]})
            continue
        requests.append({"name": name, "exactly": _wish(random)})
        if random.random() < 0.3:
            requests[-1]["exactly"]["adminAccess"] = True
    attribute = f"npu.rebellions.ai/{random.choice('vw')}"
    constraints = [{random.choice(("matchAttribute", "distinctAttribute", "distinctAttribute")): attribute}] if random.random() < 0.7 else []
    return {"metadata": {"name": f"c{index}"}, "spec": {"devices": {"requests": requests, "constraints": constraints}}}


def _wish(random: Random) -> dict[str, Any]:
    wish: dict[str, Any] = {"deviceClassName": "any", "count": random.choice((1, 1, 2, 2, 3))}
    if random.random() < 0.15:
        wish = {"deviceClassName": "any", "allocationMode": "All"}
    if random.random() < 0.5:
        label = random.choice("ab")
        wish["selectors"] = [{"cel": {"expression": f'device.attributes["npu.rebellions.ai"].label == "{label}"'}}]
    if random.random() < 0.15:
        wish["capacity"] = {"requests": {"m": random.choice(("5", "-5", "10"))}}
    return wish


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36", "1.37"])
def test_remembering_what_is_alike(minor: str) -> None:
    """The same, where devices are alike and minors leave traces, so that the order of what is tried matters."""
    random = Random(f"alike/{minor}")
    assert held(alike(random, minor) for _ in range(4 * COUNT)) > COUNT
