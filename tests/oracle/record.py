"""
Record what the real Kubernetes code says of expressions by topic: `python -m tests.oracle.record`.

The expressions are those of the CEL specification's tests (tests/vectors/cel-spec.jsonl.gz) that need no variables, each compared with its value, and our
own of `topics.txt`. The result is tests/vectors/cel-topics.jsonl.gz, in the form of the other vectors.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.conformance.specification import Case, load

from .judge import Judge, minors

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
    with (VECTORS / "cel-topics.jsonl.gz").open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
        file.write("".join(line + "\n" for line in lines).encode())
    return len(chosen)


if __name__ == "__main__":
    print(write())
