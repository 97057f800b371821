"""Replay of recorded allocations: what our allocator says beside what the scheduler's said."""

from __future__ import annotations

import gzip
import json
import time
from functools import cache
from typing import Any

import attrs

from rbln_dra.allocation import AllocationError, SearchLimitExceeded, allocate

from .selectors import VECTORS

FILE = "allocation-fuzz"
VARYING = "allocation-varying"
MINORS = ("1.34", "1.35", "1.36", "1.37")


@attrs.frozen
class Recorded:
    """
    One recorded allocation.

    Args:
        id: Its number in the file.
        objects: Slices, classes, claims, node, and what is in use.
        answers: What the real code said, by minor.
    """

    id: str
    objects: dict[str, Any]
    answers: dict[str, dict[str, Any]]


@cache
def load() -> tuple[Recorded, ...]:
    """Read the file."""
    with gzip.open(VECTORS / f"{FILE}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(Recorded(entry["Id"], entry, entry["results"]) for entry in map(json.loads, lines))


@attrs.frozen
class Answer:
    """
    What an allocator says.

    Args:
        result: The allocations; `None` when nothing fits.
        error: The text of an error; `None` without one.
        seconds: How long it took.
        given_up: Whether the search took too many steps.
    """

    result: list[dict[str, Any]] | None
    error: str | None
    seconds: float = attrs.field(default=0.0, eq=False)
    given_up: bool = False


def recorded(answer: dict[str, Any]) -> Answer | None:
    """Read a recorded answer; `None` when it varies from run to run, or did not come in time."""
    if answer.get("unstable") or answer.get("slow"):
        return None
    return Answer(answer["result"], answer.get("err"))


@cache
def varying() -> dict[tuple[str, str], list[Answer]]:
    """Read, by minor and scenario, all answers that the real code gives where they vary; none where it never came to an end."""
    with gzip.open(VECTORS / f"{VARYING}.jsonl.gz", "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    return {(each["kubernetes"], each["id"]): [Answer(one["result"], one.get("error")) for one in each["answers"]] for each in entries}


def expected(entry: Recorded, minor: str) -> list[Answer]:
    """Give the answers that the real code gives; none where it never came to an end."""
    single = recorded(entry.answers[minor])
    return varying().get((minor, entry.id), [] if single is None else [single])


def ours(entry: Recorded, minor: str) -> Answer:
    """Ask our allocator."""
    given = entry.objects
    in_use = [(driver, pool, device) for driver, pool, device in given["InUse"]]
    start = time.perf_counter()
    try:
        found = allocate(given["Claims"], classes=given["Classes"], slices=given["Slices"], node=given["Node"], in_use=in_use, kubernetes=minor)
    except AllocationError as error:
        return Answer(None, error.message, time.perf_counter() - start, isinstance(error, SearchLimitExceeded))
    seconds = time.perf_counter() - start
    return Answer(None if found is None else [each.to_dict() for each in found], None, seconds)
