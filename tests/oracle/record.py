"""
Record what the real Kubernetes code says: `python -m tests.oracle.record topics` of expressions by topic, `… derived`, `… sharing` and `… varying` of allocations.

The expressions are those of the CEL specification's tests (tests/vectors/cel-spec.jsonl.gz) that need no variables, each compared with its value, and our
own of `topics.txt`. The result is tests/vectors/cel-topics.jsonl.gz, in the form of the other vectors.

The allocations are random ones in which what requests compute makes a difference: without it the answer is another. The result is
tests/vectors/allocation-derived.jsonl.gz, in the form of allocation-gates.jsonl.gz.

Those about shared devices are random ones, too, in which the amount of a request grows while the search goes on: with copies of it the answer is another.
The result is tests/vectors/allocation-sharing.jsonl.gz, in the same form.

Those that vary are the ones of tests/vectors/allocation-fuzz.jsonl.gz to which the real allocator gives other answers from run to run, or none in the
time that it was given there: each is asked very often. The result is tests/vectors/allocation-varying.jsonl.gz.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from rbln_dra import Kubernetes
from rbln_dra.allocation.rules import rules_of
from tests.conformance import allocations
from tests.conformance.specification import Case, load

from .allocations import BEYOND, Question, sharing as shared
from .judge import Judge, minors
from .scenarios import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
VECTORS = HERE.parent / "vectors"
DEVICE: dict[str, Any] = {"driver": "d.example", "attr": {"x": {"string": "a"}}, "cap": {}}
#: How often each question is asked: Go visits maps in random order.
ASKED = 12


def selector(case: Case) -> str:
    """Make a selector of a case: its expression, compared with its value unless that is a bool."""
    if case.value is None or case.value in {"true", "false"}:
        return case.expr
    end = "\n" if "//" in case.expr else ""
    return f"({case.expr}{end}) == {case.value}"


def expressions() -> Iterator[tuple[str, str]]:
    """Give topic and expression."""
    for case in load():
        if not case.variables:
            yield case.topic, selector(case)
    topic = ""
    for line in (HERE / "topics.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            topic = line.removeprefix("# ")
        else:
            yield topic, line


def renamed(reply: dict[str, Any]) -> dict[str, Any]:
    """Give an answer in the form of the vectors."""
    names = {"compileError": "compile_error", "maxCost": "max_cost"}
    return {names.get(key, key): value for key, value in reply.items()}


def answers(judge: Judge, asked: list[str], state: str) -> list[dict[str, Any]]:
    """Ask all, several times, and name what varies."""
    questions = [
        {"expression": one, "expressions": state, "gates": {}, "driver": DEVICE["driver"], "device": {"attributes": DEVICE["attr"]}} for one in asked
    ]
    made: list[dict[str, Any]] = []
    for replies in zip(*(judge.ask(questions) for _ in range(ASKED)), strict=True):
        first, *others = map(renamed, replies)
        varying = sorted({key for other in others for key in {*first, *other} if first.get(key) != other.get(key)})
        made.append({**first, "unstable": varying} if varying else first)
    return made


def write() -> int:
    """Record, and give the number of expressions."""
    chosen = list(dict.fromkeys(expressions()))
    results: list[dict[str, list[str]]] = [{} for _ in chosen]
    for minor in minors():
        judge = Judge.of(minor)
        for state in ("new", "stored"):
            for result, answer in zip(results, answers(judge, [expression for _, expression in chosen], state), strict=True):
                result.setdefault(json.dumps(answer, ensure_ascii=False), []).append(f"{minor}/{state}")
    lines = [json.dumps({"devices": {"d": DEVICE}})]
    for (topic, expression), result in zip(chosen, results, strict=True):
        recorded = [{"when": when, **json.loads(answer)} for answer, when in result.items()]
        lines.append(json.dumps({"topic": topic, "expr": expression, "device": "d", "results": recorded}, ensure_ascii=False))
    save("cel-topics.jsonl.gz", lines)
    return len(chosen)


#: How many allocations are recorded by what became of them; of errors, those are counted that say what could not be computed.
WANTED = {"allocated": 40, "does not fit": 40, "compile": 8, "evaluate": 16}


def derived() -> int:
    """Record allocations, and give their number."""
    random, judge = Random("derived"), Judge.of("1.37")
    wanted, lines = Counter(WANTED), list[str]()
    while +wanted:
        questions = [small(random) for _ in range(100)]
        replies = judge.ask((each.wire(times=ASKED) for question in questions for each in (question, plain(question))), program="alloc")
        for question, reply, other in zip(questions, replies[::2], replies[1::2], strict=True):
            first, *varying = reply["answers"]
            error = str(first.get("error", ""))
            kind = error.partition(" ")[0] if error else "allocated" if first["result"] is not None else "does not fit"
            if wanted[kind] > 0 and not varying and first not in other["answers"] and not BEYOND.search(error):
                wanted[kind] -= 1
                lines.append(json.dumps({"kubernetes": str(question.release), **question.objects, "answer": first}, ensure_ascii=False))
    save("allocation-derived.jsonl.gz", lines)
    return len(lines)


def small(random: Random) -> Question:
    """Make a question of one claim and few slices."""
    release = Kubernetes("1.37", gates={"DRADerivedAttributes": True, "DRAListTypeAttributes": random.random() < 0.4})
    while True:
        objects = Scenario(random, release).make()
        if len(objects["slices"]) <= 3 and len(objects["claims"]) == 1:
            return Question(release, objects)


def plain(question: Question) -> Question:
    """Take away what requests compute."""
    objects = deepcopy(question.objects)
    for claim in objects["claims"]:
        for request in claim["spec"]["devices"]["requests"]:
            for wish in (request.get("exactly", {}), *request.get("firstAvailable", ())):
                wish.pop("derivedAttributes", None)
    return Question(question.release, objects)


#: How many allocations of shared devices are recorded of a minor.
SHARED = 60


def sharing() -> int:
    """Record allocations of shared devices, and give their number."""
    lines: list[str] = []
    for minor in (each for each in minors() if rules_of(Kubernetes(each, gates={"DRAConsumableCapacity": True})).allocator.amounts_grow):
        judge, random, found = Judge.of(minor), Random(f"sharing/{minor}"), list[str]()
        while len(found) < SHARED:
            questions = [shared(minor, random) for _ in range(200)]
            replies = judge.ask((each.wire(times=ASKED) for each in questions), program="alloc")
            for question, reply in zip(questions, replies, strict=True):
                first, *others = reply["answers"]
                with patch("rbln_dra.allocation.search.possible", return_value=False):
                    copied = question.ours()
                if first != copied and not others and not BEYOND.search(str(first.get("error", ""))):
                    found.append(json.dumps({"kubernetes": str(question.release), **question.objects, "answer": first}, ensure_ascii=False))
        lines += found[:SHARED]
    save("allocation-sharing.jsonl.gz", lines)
    return len(lines)


#: How often an allocation is asked whose answer varies, and how long each answer may take, in seconds.
OFTEN, PATIENCE = 2000, 2.0


def varying() -> int:
    """Record all answers to the allocations whose answer varies, and give their number."""
    lines: list[str] = []
    for minor in minors():
        judge, release = Judge.of(minor), Kubernetes(minor)
        # One of 1.34 that was recorded as stable is not.
        asked = [each for each in allocations.load() if allocations.recorded(each.answers[minor]) is None or (minor, each.id) == ("1.34", "2517")]
        questions = [Question(release, {NAMES[name]: value for name, value in each.objects.items() if name in NAMES}) for each in asked]
        replies = judge.ask(({**each.wire(times=OFTEN), "seconds": PATIENCE} for each in questions), program="alloc")
        for each, reply in zip(asked, replies, strict=True):
            found = [answer for answer in reply["answers"] if not BEYOND.search(str(answer.get("error", "")))]
            lines.append(json.dumps({"id": each.id, "kubernetes": minor, "answers": found}, ensure_ascii=False))
    save("allocation-varying.jsonl.gz", lines)
    return len(lines)


#: What the recorded allocations call what the program is given.
NAMES = {"Node": "node", "Slices": "slices", "Classes": "classes", "Claims": "claims", "InUse": "inUse"}


def save(name: str, lines: list[str]) -> None:
    """Write a file of vectors; the same lines give the same bytes."""
    with (VECTORS / name).open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
        file.write("".join(line + "\n" for line in lines).encode())


if __name__ == "__main__":
    print({"topics": write, "derived": derived, "sharing": sharing, "varying": varying}[sys.argv[1]]())
