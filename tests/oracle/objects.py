"""Ask the API server's code and ours what they have against the same random objects, and make each disagreement small."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import attrs

from rbln_dra import Kubernetes, ResourceClaim, validate
from rbln_dra.errors import DecodeError, InvalidFeatureGates
from rbln_dra.resources import stored_status

from . import apiserver, mutations

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .judge import Judge

BATCH = 1000
#: The aspects in which answers are compared, the gravest first.
ASPECTS = ("reading", "fields", "stored form", "messages")
#: How often the real code is asked before its answer counts as stable: Go visits maps in random order.
ASKED = 3
#: Longer questions are not kept.
LONGEST = 4000

Question = dict[str, Any]


@attrs.frozen
class Answer:
    """
    What one side says of an object.

    Args:
        readable: Whether it can be read.
        errors: Field, reason and message of each error, sorted.
        stored: The status that an admitted update of a status leaves, in v1; `None` in all other cases.
    """

    readable: bool
    errors: tuple[tuple[str, str, str], ...] = ()
    stored: Any = None

    def fields(self) -> set[tuple[str, str]]:
        """Give where something is wrong, and what kind of thing."""
        return {(field, reason) for field, reason, _ in self.errors}

    @classmethod
    def real(cls, reply: dict[str, Any]) -> Answer | None:
        """Read the answer of the real code; `None` when it panics, or has something against the request rather than the object."""
        if "panic" in reply or any(each["reason"] == "Status" for each in reply["errors"]):
            return None
        errors = tuple(sorted((each["field"], each["reason"], each["message"]) for each in reply["errors"]))
        return cls("decode" not in reply, errors, reply["stored"].get("status", {}) if "stored" in reply else None)

    @classmethod
    def ours(cls, question: Question, minor: str) -> Answer:
        """Ask our code."""
        release = Kubernetes(minor, gates=question["gates"])
        try:
            errors = validate(
                question["object"],
                kubernetes=release,
                old=question.get("old"),
                admin_access=question["admin"],
                namespace="ns",
                subresource=question.get("subresource", ""),
            )
        except DecodeError:
            return cls(readable=False)
        kept = None
        if question.get("stored") and not errors:
            claim, old = (ResourceClaim.from_dict(question[part], kubernetes=release) for part in ("object", "old"))
            kept = stored_status(claim, old=old, kubernetes=release).to_dict().get("status", {})
        return cls(readable=True, errors=tuple(sorted((each.field, each.reason, each.message) for each in errors)), stored=kept)


def differing(real: Answer, ours: Answer) -> str | None:
    """Give the gravest aspect in which two answers differ; `None` when they agree."""
    if real.readable != ours.readable:
        return "reading"
    if real.fields() != ours.fields():
        return "fields"
    if real.stored != ours.stored:
        return "stored form"
    return None if real.errors == ours.errors else "messages"


@attrs.frozen
class Disagreement:
    """
    A question to which the answers differ.

    Args:
        aspect: In what.
        question: The question.
        real: What the real code says.
        ours: What we say.
    """

    aspect: str
    question: Question
    real: Answer
    ours: Answer

    def __str__(self) -> str:
        """Show the question and what only one of the two says."""
        lines = [
            f"{self.aspect}: {json.dumps(self.question, ensure_ascii=False)[:1500]}",
            f"  readable: real {self.real.readable}, ours {self.ours.readable}",
        ]
        only = Counter(self.real.errors), Counter(self.ours.errors)
        if self.real.stored != self.ours.stored:
            lines += [f"  stored: real {json.dumps(self.real.stored)}, ours {json.dumps(self.ours.stored)}"[:1500]]
        lines += [f"  only real: {each}"[:600] for each in only[0] - only[1]]
        return "\n".join([*lines, *(f"  only ours: {each}"[:600] for each in only[1] - only[0])])


def compare(judge: Judge, asked: list[Question]) -> tuple[Counter[str], list[Disagreement]]:
    """Ask both; count the answers, and give the disagreements of stable ones."""
    counts: Counter[str] = Counter()
    found: list[Disagreement] = []
    for question, reply in zip(asked, judge.ask(asked), strict=True):
        real, ours = Answer.real(reply), Answer.ours(question, judge.minor)
        if real is None:
            counts["panics and refused requests of the real code"] += 1
            continue
        counts["unreadable" if not real.readable else "wrong" if real.errors else "admitted"] += 1
        aspect = differing(real, ours)
        if aspect is None:
            continue
        again = [Answer.real(other) for other in judge.ask([question] * ASKED)]
        if any(other is None or differing(other, ours) is None for other in again):
            counts["unstable"] += 1
            continue
        counts[f"different {aspect}"] += 1
        found.append(Disagreement(aspect, question, real, ours))
    return counts, found


def shrink(judge: Judge, disagreement: Disagreement) -> Disagreement:
    """Take parts away as long as the answers go on differing in that aspect."""
    while True:
        candidates = [each for each in smaller(disagreement.question) if startable(each, judge.minor)]
        for candidate, reply in zip(candidates, judge.ask(candidates), strict=True):
            real = Answer.real(reply)
            if real is not None and differing(real, ours := Answer.ours(candidate, judge.minor)) == disagreement.aspect:
                disagreement = Disagreement(disagreement.aspect, candidate, real, ours)
                break
        else:
            return disagreement


def startable(question: Question, minor: str) -> bool:
    """Tell whether the API server of a minor starts with the gates of a question."""
    try:
        Kubernetes(minor, gates=question["gates"])
    except InvalidFeatureGates:
        return False
    return True


def smaller(question: Question) -> Iterator[Question]:
    """Give the questions that are a step smaller: without an old object, a gate, a field, an item."""
    if "old" in question and "subresource" not in question:
        yield {key: value for key, value in question.items() if key != "old"}
    for gate in question["gates"]:
        yield {**question, "gates": {key: value for key, value in question["gates"].items() if key != gate}}
    for part in ("object", "old"):
        for number, (_, key) in enumerate(mutations.places(question.get(part, {}))):
            if key in {"apiVersion", "kind"}:
                continue
            made = deepcopy(question)
            container, place = mutations.places(made[part])[number]
            del container[place]
            yield made


#: What makes questions, by subresource; "" is the object as a whole.
MAKERS = {"": mutations.question, "status": mutations.status_question}


def run(judge: Judge, *, count: int, seed: int, subresource: str = "") -> tuple[Counter[str], list[Disagreement]]:
    """Compare `count` fresh questions in batches; the same seed asks the same."""
    random = Random(f"{judge.minor}/{seed}")
    counts: Counter[str] = Counter()
    found: list[Disagreement] = []
    for start in range(0, count, BATCH):
        batch = [MAKERS[subresource](random, judge.minor) for _ in range(min(BATCH, count - start))]
        batch_counts, batch_found = compare(judge, batch)
        counts += batch_counts
        found += batch_found
    return counts, found


def record(judges: Iterable[Judge], *, count: int, seed: int, subresource: str = "") -> Iterator[dict[str, Any]]:
    """Ask the real code, and give the questions with what it says of them where that is always the same: what `tests/vectors` keeps."""
    for judge in judges:
        random = Random(f"{judge.minor}/{seed}")
        asked = [MAKERS[subresource](random, judge.minor) for _ in range(count)]
        answers = [[Answer.real(reply) for reply in judge.ask(asked)] for _ in range(ASKED)]
        for question, *given in zip(asked, *answers, strict=True):
            first = given[0]
            if first is not None and all(other == first for other in given) and len(json.dumps(question)) < LONGEST:
                kept = {} if first.stored is None else {"status": first.stored}
                yield {**question, "minor": judge.minor, "readable": first.readable, "errors": first.errors, **kept}


def record_texts(judges: Iterable[Judge], *, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Ask the real code about JSON texts with repeated keys, and give them with its answers where those are always the same."""
    for judge in judges:
        random = Random(f"{judge.minor}/{seed}")
        texts = [mutations.repeating_text(random) for _ in range(count)]
        gates = [mutations.gates(random, judge.minor) for _ in texts]
        first, again = (apiserver.ask_texts(judge, texts, gates) for _ in range(2))
        for text, chosen, reply, other in zip(texts, gates, first, again, strict=True):
            answer = Answer.real(reply)
            if answer is None or answer != Answer.real(other) or len(text) > LONGEST:
                continue
            errors = sorted({(field, reason) for field, reason, _ in answer.errors})
            stored = reply.get("stored")
            for name in ("uid", "creationTimestamp"):  # what the API server makes up
                (stored or {}).get("metadata", {}).pop(name, None)
            kept = {} if stored is None else {"stored": {key: stored[key] for key in ("metadata", "spec")}}
            yield {"text": text, "gates": chosen, "minor": judge.minor, "readable": answer.readable, "errors": errors, **kept}
