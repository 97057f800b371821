"""Ask both allocators the same random questions, and make each disagreement small."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import attrs

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, allocate
from rbln_dra.allocation.rules import rules_of

from .scenarios import Scenario, release
from .sharing import Sharing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .judge import Judge

#: How often the real code is asked for another answer where its answer is another: Go visits maps in random order.
TIMES = 300
BATCH = 500
#: How long the real code may take, in seconds.
SECONDS = 1.5
#: The error of a search that takes too long.
TOO_LONG = "filter operation aborted"
#: What stands in errors that are no answer: it took too long, or crashed.
BEYOND = re.compile(rf"{TOO_LONG}|panic: |context deadline exceeded")
#: What an object must have for the API server to let it in.
NEEDED = frozenset(
    [
        "metadata",
        "name",
        "spec",
        "driver",
        "pool",
        "generation",
        "resourceSliceCount",
        "requests",
        "exactly",
        "deviceClassName",
        "allocationMode",
        "count",
        "cel",
        "expression",
    ]
) | frozenset(["nodeSelector", "nodeSelectorTerms", "key", "operator", "effect", "value", "counters", "counterSet", "devices"])
#: How many of the questions are about shared devices.
SHARED = 0.1
#: How many seconds of the processor ours may take before that is a finding.
SLOW = 2.0


@attrs.frozen
class Question:
    """
    An allocation.

    Args:
        release: By which Kubernetes.
        objects: Node, slices, classes, claims, and what is in use.
    """

    release: Kubernetes
    objects: dict[str, Any]

    def wire(self, *, times: int = 1) -> dict[str, Any]:
        """Give the Go program's form."""
        lists = self.release.enabled("DRAListTypeAttributes")
        return {**self.objects, "features": sorted(rules_of(self.release).features), "lists": lists, "times": times, "seconds": SECONDS}

    def in_use(self) -> list[Any]:
        """Give what is in use: devices, and claims that have shares."""
        return [*map(tuple, self.objects["inUse"]), *map(sharer, self.objects.get("shares", ()))]

    def arguments(self) -> dict[str, Any]:
        """Give what our allocator is given beside the claims."""
        objects = {name: self.objects[name] for name in ("classes", "slices", "node")}
        return {**objects, "in_use": self.in_use(), "kubernetes": self.release}

    def ours(self) -> dict[str, Any]:
        """Ask our allocator, and give its answer in the Go program's form."""
        try:
            found = allocate(self.objects["claims"], **self.arguments())
        except AllocationError as error:
            return {"result": None, "error": error.message}
        return {"result": None if found is None else [plain(each.to_dict()) for each in found]}


def sharer(share: dict[str, Any]) -> dict[str, Any]:
    """Make a claim that has a share of a device."""
    driver, pool, device = share["device"]
    result = {"request": "r", "driver": driver, "pool": pool, "device": device, "shareID": share["id"], "consumedCapacity": share.get("consumed", {})}
    return {"metadata": {"name": share["id"]}, "spec": {}, "status": {"allocation": {"devices": {"results": [result]}}}}


def plain(allocation: dict[str, Any]) -> dict[str, Any]:
    """Take away what is random."""
    for result in allocation["devices"].get("results", ()):
        result.pop("shareID", None)
    return allocation


@attrs.frozen
class Disagreement:
    """
    A question to which the allocators give different answers.

    Args:
        question: The question.
        real: What the real code answers.
        ours: What we answer.
    """

    question: Question
    real: list[dict[str, Any]]
    ours: dict[str, Any]

    def __str__(self) -> str:
        """Show both answers."""
        objects = "\n".join(f"  {name}: {json.dumps(value)}" for name, value in self.question.objects.items())
        real = "\n".join(f"  real: {json.dumps(each)}" for each in self.real[:4])
        return f"{self.question.release}\n{objects}\n{real}\n  ours: {json.dumps(self.ours)}"


def compare(judge: Judge, asked: list[Question]) -> tuple[Counter[str], list[Disagreement]]:
    """
    Ask both; count the kinds of answer, and give the disagreements.

    Where the real code gives another answer than ours, it is asked again whether it can answer as we do; where it does not answer in time, or not in
    each of its orders, nothing is held against ours.
    """
    counts: Counter[str] = Counter()
    open_: list[tuple[Question, dict[str, Any]]] = []
    for question, reply in zip(asked, judge.ask((each.wire() for each in asked), program="alloc"), strict=True):
        (real,) = reply["answers"]
        error = str(real.get("error", ""))
        kind = "no answer" if BEYOND.search(error) else "error" if error else "allocated" if real["result"] is not None else "does not fit"
        counts[kind] += 1
        start = time.process_time()
        ours = question.ours()
        counts["ours too slow"] += time.process_time() - start > SLOW
        if ours == real:
            continue
        if str(ours.get("error", "")).startswith(TOO_LONG):
            counts["ours gives up"] += 1
        elif kind != "no answer":
            open_.append((question, ours))
    again = judge.ask((question.wire(times=TIMES) for question, _ in open_), program="alloc")
    found: list[Disagreement] = []
    for (question, ours), reply in zip(open_, again, strict=True):
        if ours in reply["answers"]:
            continue
        if any(BEYOND.search(str(answer.get("error", ""))) for answer in reply["answers"]):
            counts["no answer"] += 1
        else:
            found.append(Disagreement(question, reply["answers"], ours))
    counts["different"] += len(found)
    return counts, found


def questions(minor: str, count: int, random: Random) -> Iterator[Question]:
    """Make random questions; one in ten is about shared devices and nothing else."""
    for _ in range(count):
        if random.random() < SHARED:
            yield sharing(minor, random)
            continue
        chosen = release(minor, random)
        yield Question(chosen, Scenario(random, chosen).make())


def sharing(minor: str, random: Random) -> Question:
    """Make a question about shared devices."""
    return Question(Kubernetes(minor, gates={"DRAConsumableCapacity": True}), Sharing(random).make())


def run(judge: Judge, *, count: int, seed: int) -> tuple[Counter[str], list[Disagreement]]:
    """Compare `count` fresh allocations in batches; the same seed asks the same."""
    random = Random(f"allocations/{judge.minor}/{seed}")
    counts: Counter[str] = Counter()
    found: list[Disagreement] = []
    asked = questions(judge.minor, count, random)
    while batch := [question for question, _ in zip(asked, range(BATCH), strict=False)]:
        batch_counts, batch_found = compare(judge, batch)
        counts += batch_counts
        found += batch_found
    return counts, found


def shrink(judge: Judge, disagreement: Disagreement) -> Disagreement:
    """Take away parts of the objects as long as the allocators go on disagreeing."""
    while True:
        for candidate in smaller(disagreement.question):
            try:
                _, found = compare(judge, [candidate])
            except RuntimeError:
                continue
            if found:
                (disagreement,) = found
                break
        else:
            return disagreement


def smaller(question: Question) -> Iterator[Question]:
    """Give the questions that lack one item of one list or one member of one object."""
    for path in paths(question.objects):
        depth, first, last = len(path), path[0], path[-1]
        if first == "node" or last in NEEDED or (first in {"inUse", "shares"} and depth > 2):
            continue
        objects = deepcopy(question.objects)
        owner: Any = objects
        for key in path[:-1]:
            owner = owner[key]
        del owner[path[-1]]
        yield attrs.evolve(question, objects=objects)


def paths(value: Any) -> Iterator[tuple[Any, ...]]:
    """Give the paths of all members and items below a value, the widest first."""
    entries = list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    for key, _ in entries:
        if not (isinstance(value, dict) and key in {"node", "slices", "classes", "claims", "inUse", "shares"}):
            yield (key,)
    for key, item in entries:
        for path in paths(item):
            yield (key, *path)
