"""Ask both engines the same random questions, and make each disagreement small."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import attrs

from rbln_dra import Device, Kubernetes, cel
from tests.conformance.selectors import Answer

from . import generate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .judge import Judge

#: The aspects in which the engines must agree, the gravest first.
ASPECTS = ("verdict", "type", "max_cost", "cost", "text")
#: How often the real code is asked before its answer counts as stable: Go visits maps in random order.
ASKED = 5
BATCH = 2000


@attrs.frozen
class Question:
    """
    A selector, where it is judged, and on what.

    Args:
        expression: The selector.
        expressions: "stored" or "new".
        gates: The gates that selectors depend on.
        device: The device and its driver, in the form of a ResourceSlice.
    """

    expression: str
    expressions: str
    gates: tuple[tuple[str, bool], ...]
    device: dict[str, Any]

    def wire(self) -> dict[str, Any]:
        """Give the Go program's form."""
        return {"expression": self.expression, "expressions": self.expressions, "gates": dict(self.gates), **self.device}

    def environment(self, minor: str) -> cel.Environment:
        """Give our environment for it."""
        return cel.Environment(kubernetes=Kubernetes(minor, gates=dict(self.gates)), expressions=self.expressions)

    def ours(self, minor: str) -> Answer:
        """Ask our engine."""
        device = Device.from_dict({"name": "device", **self.device["device"]}, driver=self.device["driver"])
        return Answer.of_ours(self.expression, device, self.environment(minor), cost_limit=None)


@attrs.frozen
class Disagreement:
    """
    A question to which the engines give different answers.

    Args:
        aspect: In what they differ.
        question: The question, made small.
        real: What the real code says.
        ours: What we say.
    """

    aspect: str
    question: Question
    real: Answer
    ours: Answer

    def __str__(self) -> str:
        """Show both answers."""
        gates = ",".join(gate for gate, enabled in self.question.gates if enabled)
        return (
            f"{self.aspect} in {self.question.expressions} [{gates}]\n  expression: {self.question.expression!r}\n  device:     {json.dumps(self.question.device)}\n"
            f"  real: {self.real}\n  ours: {self.ours}"
        )


def answer(reply: dict[str, Any]) -> Answer:
    """Read the Go program's answer."""
    names = {"compileError": "compile_error", "maxCost": "max_cost"}
    return Answer.of_recording({names.get(key, key): value for key, value in reply.items()})


def differing(real: Answer, ours: Answer) -> str | None:
    """Give the gravest aspect in which two answers differ; `None` when they agree. Where the real code gives no cost, there is nothing to compare."""
    compared = (aspect for aspect in ASPECTS if aspect != "cost" or real.cost is not None)
    return next((aspect for aspect in compared if getattr(real, aspect) != getattr(ours, aspect)), None)


def gates(minor: str, random: Random) -> tuple[tuple[str, bool], ...]:
    """Choose the gates that selectors depend on."""
    names = ("DRAConsumableCapacity",) if minor in {"1.34", "1.35"} else ("DRAConsumableCapacity", "DRAListTypeAttributes")
    return tuple((name, random.random() < 0.5) for name in names)


def questions(minor: str, count: int, random: Random) -> Iterator[Question]:
    """Make random questions."""
    generators: dict[tuple[str, tuple[tuple[str, bool], ...]], generate.Generator] = {}
    devices = [generate.device(random) for _ in range(40)]
    for _ in range(count):
        where = random.choice(("stored", "new")), gates(minor, random)
        if where not in generators:
            generators[where] = generate.Generator(random, Question("", *where, {}).environment(minor))
        expression, _broken = generators[where].selector()
        yield Question(expression, *where, random.choice(devices))


def compare(judge: Judge, asked: list[Question]) -> tuple[Counter[str], list[Disagreement]]:
    """Ask both; count what differs by aspect, and give the disagreements of stable answers."""
    counts: Counter[str] = Counter()
    found: list[Disagreement] = []
    for question, reply in zip(asked, judge.ask(question.wire() for question in asked), strict=True):
        if "type" not in reply and "compileError" not in reply:
            counts["panic of the real code"] += 1
            question.ours(judge.minor)
            continue
        real, ours = answer(reply), question.ours(judge.minor)
        counts[real.verdict] += 1
        aspect = differing(real, ours)
        if aspect is None:
            continue
        again = [answer(other) for other in judge.ask([question.wire()] * ASKED)]
        if any(getattr(other, aspect) != getattr(real, aspect) for other in again):
            counts["unstable"] += 1
            continue
        counts[f"different {aspect}"] += 1
        found.append(Disagreement(aspect, question, real, ours))
    return counts, found


def shrink(judge: Judge, disagreement: Disagreement) -> Disagreement:
    """Take away tokens of the expression and attributes of the device as long as the engines go on disagreeing in that aspect."""
    while True:
        candidates = list(smaller(disagreement.question))
        replies = judge.ask(candidate.wire() for candidate in candidates)
        for candidate, reply in zip(candidates, replies, strict=True):
            if "type" not in reply and "compileError" not in reply:
                continue
            real, ours = answer(reply), candidate.ours(judge.minor)
            if differing(real, ours) == disagreement.aspect:
                disagreement = Disagreement(disagreement.aspect, candidate, real, ours)
                break
        else:
            return disagreement


def smaller(question: Question) -> Iterator[Question]:
    """Give the questions that are a step smaller, the boldest steps first."""
    parts = generate.tokens(question.expression)
    size = len(parts) // 2
    while size:
        for start in range(0, len(parts) - size + 1, max(1, size // 2)):
            yield attrs.evolve(question, expression="".join(parts[:start] + parts[start + size :]))
        size //= 2
    for field in ("attributes", "capacity"):
        for name in question.device["device"].get(field, {}):
            kept = {key: value for key, value in question.device["device"][field].items() if key != name}
            yield attrs.evolve(question, device={**question.device, "device": {**question.device["device"], field: kept}})


def run(judge: Judge, *, count: int, seed: int) -> tuple[Counter[str], list[Disagreement]]:
    """Compare `count` fresh questions in batches; the same seed asks the same."""
    random = Random(f"{judge.minor}/{seed}")
    counts: Counter[str] = Counter()
    found: list[Disagreement] = []
    batch: list[Question] = []
    for number, question in enumerate(questions(judge.minor, count, random), start=1):
        batch.append(question)
        if len(batch) == BATCH or number == count:
            batch_counts, batch_found = compare(judge, batch)
            counts += batch_counts
            found += batch_found
            batch = []
    return counts, found
