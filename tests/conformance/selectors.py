"""Replay of recorded selectors: what our engine says beside what the scheduler's evaluator said."""

from __future__ import annotations

import gzip
import json
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rbln_dra import Device, Kubernetes, cel
from rbln_dra.errors import CompileError

if TYPE_CHECKING:
    from collections.abc import Iterator

VECTORS = Path(__file__).parents[1] / "vectors"
FILES = ("cel-curated", "cel-fuzz", "cel-topics")
#: What is compared, in the order of the table's columns.
ASPECTS = ("verdict", "type", "max_cost", "cost", "text")
GATES = {"cc": "DRAConsumableCapacity", "lt": "DRAListTypeAttributes"}


@attrs.frozen
class Vector:
    """
    One recorded answer.

    Args:
        expression: The selector.
        device: The device's id in the file.
        cost_limit: The runtime limit; `None` for the scheduler's.
        recorded: What the real code said.
    """

    expression: str
    device: str
    cost_limit: int | None
    recorded: dict[str, Any]


@attrs.frozen
class Recording:
    """
    One file.

    Args:
        devices: The devices by their id.
        vectors: The answers by their `when`.
    """

    devices: dict[str, Device]
    vectors: dict[str, list[Vector]]


@cache
def load(name: str) -> Recording:
    """Read one file of `tests/vectors`."""
    with gzip.open(VECTORS / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        head = json.loads(next(lines))
        devices = {key: device_of(key, value) for key, value in head["devices"].items()}
        vectors: dict[str, list[Vector]] = defaultdict(list)
        for line in lines:
            entry = json.loads(line)
            for result in entry["results"]:
                vector = Vector(entry["expr"], entry["device"], entry.get("cost_limit"), result)
                for when in result["when"]:
                    vectors[when].append(vector)
    return Recording(devices, dict(vectors))


def device_of(name: str, recorded: dict[str, Any]) -> Device:
    """Make a device of its recorded form."""
    wire = {"name": name, "attributes": recorded["attr"], "capacity": recorded["cap"]}
    if "multi" in recorded:
        wire["allowMultipleAllocations"] = recorded["multi"]
    return Device.from_dict(wire, driver=recorded["driver"])


def environment_of(when: str) -> cel.Environment:
    """Make the environment that a `when` names."""
    minor, _, rest = when.partition("/")
    expressions, *enabled = rest.split("+")
    gates = {gate: letters in enabled for letters, gate in GATES.items()}
    if minor in {"1.34", "1.35"}:
        del gates["DRAListTypeAttributes"]
    return cel.Environment(kubernetes=Kubernetes(minor, gates=gates), expressions=expressions)


@attrs.frozen
class Answer:
    """
    What one engine says of one selector on one device.

    Args:
        verdict: "refused", "error", "match" or "no match".
        type: The result's type; `None` when refused.
        max_cost: The estimate; `None` when refused.
        cost: The runtime cost; `None` when refused, or when the device could not be bound.
        text: The error's text; `None` without an error.
    """

    verdict: str
    type: str | None = None
    max_cost: int | None = None
    cost: int | None = None
    text: str | None = None

    @classmethod
    def of_recording(cls, recorded: dict[str, Any]) -> Answer:
        """Read a recorded result."""
        if "compile_error" in recorded:
            return cls("refused", text=recorded["compile_error"])
        verdict = "error" if "error" in recorded else "match" if recorded["match"] else "no match"
        return cls(verdict, recorded["type"], recorded["max_cost"], recorded.get("cost"), recorded.get("error"))

    @classmethod
    def of_ours(cls, expression: str, device: Device, environment: cel.Environment, *, cost_limit: int | None) -> Answer:
        """Ask our engine."""
        try:
            program = cel.compile(expression, environment)
        except CompileError as error:
            return cls("refused", text=error.message)
        limit = {} if cost_limit is None else {"cost_limit": cost_limit}
        evaluation = program.evaluate(device, **limit)
        verdict = "error" if evaluation.error is not None else "match" if evaluation.match else "no match"
        text = None if evaluation.error is None else evaluation.error.message
        return cls(verdict, program.output_type, program.max_cost, evaluation.cost, text)


@attrs.frozen
class Difference:
    """
    One aspect in which an answer is not the recorded one.

    Args:
        when: Where.
        vector: Of what.
        aspect: In which aspect.
        recorded: What the real code said.
        ours: What we say.
    """

    when: str
    vector: Vector
    aspect: str
    recorded: object
    ours: object


def comparable(recorded: dict[str, Any]) -> Iterator[str]:
    """Give the aspects of a recorded answer that can be compared: those that it has and that did not vary between runs."""
    unstable = recorded.get("unstable", ())
    if "match" not in unstable:
        yield "verdict"
    if "compile_error" in recorded:
        yield "text"
        return
    yield "type"
    yield "max_cost"
    if "cost" in recorded and "cost" not in unstable:
        yield "cost"
    if "error" in recorded and "error" not in unstable:
        yield "text"


def replay(name: str, when: str) -> tuple[Counter[str], list[Difference]]:
    """Ask our engine all that the real code was asked; give how often each aspect was compared, and the differences."""
    recording = load(name)
    environment = environment_of(when)
    compared: Counter[str] = Counter()
    differences: list[Difference] = []
    for vector in recording.vectors[when]:
        expected = Answer.of_recording(vector.recorded)
        ours = Answer.of_ours(vector.expression, recording.devices[vector.device], environment, cost_limit=vector.cost_limit)
        for aspect in comparable(vector.recorded):
            compared[aspect] += 1
            if getattr(expected, aspect) != getattr(ours, aspect):
                differences.append(Difference(when, vector, aspect, getattr(expected, aspect), getattr(ours, aspect)))
    return compared, differences
