"""
Room: why a selector says what it says of a device: the value of every sub-expression, and those that decide.

May touch: `cel`, `devices`, `hints`, `reading`, `texts`, `verdicts`, `errors`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs

from ..cel.ast import Call, Comprehension, ListExpr, Literal, Node, Select
from ..cel.program import Program
from ..cel.values import CELError, Optional
from ..devices import Device
from ..errors import EvaluationError
from .hints import Hint, advise
from .reading import UNSEEN, Place, Scope, binding, parts, places, source_of
from .texts import shown
from .verdicts import Verdict

#: So many reasons are given for one verdict; what a longer list holds shows in the steps.
_MOST_REASONS: Final = 4


@attrs.frozen
class Step:
    """
    One sub-expression.

    Args:
        depth: How deep it stands in the selector; the whole is at 0.
        text: The sub-expression in CEL.
        value: Its value, in CEL; `None` when it has none.
        error: Kubernetes' text, when it failed.
        evaluated: Whether it was looked at: `false && …` does not look further.
    """

    depth: int
    text: str
    value: str | None = None
    error: str | None = None
    evaluated: bool = True

    @property
    def result(self) -> str:
        """Value, error, or that it was not evaluated, as one text."""
        if not self.evaluated:
            return "not evaluated"
        return f"ERROR {self.error}" if self.error is not None else str(self.value)


@attrs.frozen
class Explanation:
    """
    A verdict, and why.

    Args:
        device: The device.
        expression: The selector.
        verdict: The verdict.
        cost: What the evaluation cost, in Kubernetes' units.
        error: The error, with a hint, when the verdict is one.
        reasons: What decided, shortest form, such as `productName is "RBLN-CR13"`.
        steps: All sub-expressions, the whole first; what a loop does inside shows in its result only.
        hint: What to do about an error; `None` when there is none, or no good advice.

    >>> from rbln_dra import Selector
    >>> device = Device.from_dict({"name": "a", "attributes": {"type": {"string": "vfio"}}}, driver="npu.rebellions.ai")
    >>> print(Selector('device.attributes["npu.rebellions.ai"].type == "npu"').explain(device))
    no match: type is "vfio"
    device npu.rebellions.ai//a, cost 5
    false    device.attributes["npu.rebellions.ai"].type == "npu"
    "vfio"     device.attributes["npu.rebellions.ai"].type
    """

    device: Device
    expression: str
    verdict: Verdict
    cost: int
    error: EvaluationError | None = None
    reasons: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    hint: Hint | None = None

    @property
    def reason(self) -> str:
        """Why, on one line: the error and what to do about it, or what decided."""
        if self.error is not None:
            return str(self.error)
        more = len(self.reasons) - _MOST_REASONS
        return ", ".join(self.reasons[:_MOST_REASONS]) + (f" and {more} more" if more > 0 else "")

    def __str__(self) -> str:
        """Render verdict, device and steps."""
        width = max((len(step.result) for step in self.steps), default=0)
        driver, pool, name = self.device.id
        return "\n".join(
            (
                f"{self.verdict.value}: {self.reason}",
                f"device {driver}/{pool or ''}/{name}, cost {self.cost}",
                *(f"{step.result:<{width}}   {'  ' * step.depth}{step.text}" for step in self.steps),
            )
        )


def explain(program: Program, device: Device) -> Explanation:
    """Judge a device and say why."""
    evaluation = program.evaluate(device)
    verdict = Verdict.ERROR if evaluation.error is not None else Verdict.MATCH if evaluation.match else Verdict.NO_MATCH
    story = _Story(_seen(program, device), device.driver)
    error, hint = evaluation.error, None
    if error is not None:
        hint = advise(error.message, program, device, story.seen)
        error = attrs.evolve(error, hint=None if hint is None else str(hint), device="/".join(part or "" for part in device.id))
    root = program.checked.expression
    return Explanation(
        device,
        program.expression,
        verdict,
        evaluation.cost,
        error,
        tuple(dict.fromkeys(story.because(root, Scope()))),
        tuple(story.steps(root, Scope(), 0)),
        hint,
    )


def _seen(program: Program, device: Device) -> Mapping[int, Any]:
    """Give the values by node; none when the device itself cannot be read, or the evaluation does not end within its limit."""
    evaluation = program.evaluate(device)
    if evaluation.error is not None and "cost limit exceeded" in evaluation.error.message:
        return {}
    try:
        return program.trace(device)
    except EvaluationError:
        return {}


class _Story:
    """What one evaluation saw."""

    def __init__(self, seen: Mapping[int, Any], driver: str) -> None:
        self.seen = seen
        self._driver = driver

    def value(self, node: Node, scope: Scope) -> Any:
        """Give a node's value; `UNSEEN` when it was not evaluated."""
        if isinstance(node, Literal):
            return node.value
        place = scope.place(node)
        return self.seen.get(node.id, UNSEEN) if place is None else place.value(self.seen)

    def steps(self, node: Node, scope: Scope, depth: int) -> Iterator[Step]:
        """Give the sub-expressions below a node, itself first; constants say nothing."""
        if isinstance(node, Literal) or (isinstance(node, ListExpr) and all(isinstance(element, Literal) for element in node.elements)):
            return
        value = self.value(node, scope)
        text = source_of(node)
        if value is UNSEEN:
            yield Step(depth, text, evaluated=False)
        elif isinstance(value, CELError):
            yield Step(depth, text, error=value.message)
        else:
            yield Step(depth, text, shown(value))
        if scope.place(node) is None:
            for part, inner in parts(node, scope):
                yield from self.steps(part, inner, depth + 1)

    def because(self, node: Node, scope: Scope) -> Iterator[str]:
        """Give what a node's value comes from."""
        function = node.function if isinstance(node, Call) else None
        if binding(node):
            *_, (result, inner) = parts(node, scope)
            yield from self.because(result, inner)
        elif function in _PASSING:
            value = self.value(node, scope)
            operands = [part for part, _ in parts(node, scope)]
            if function in _LOGIC and value is _LOGIC[function]:
                wanted = [part for part in operands if self.value(part, scope) is value][:1]
            else:
                wanted = [part for part in operands if not isinstance(part, Literal) and self.value(part, scope) is not UNSEEN]
            for part in wanted:
                yield from self.because(part, scope)
        else:
            yield from self._reads(node, scope)

    def _reads(self, node: Node, scope: Scope) -> Iterator[str]:
        """Give the attributes that a node reads with their values, or the node's own value when it reads none."""
        read = [] if isinstance(node, Comprehension) else [place for place in places(node, scope) if place.leaf or place.path == ("driver",)]
        for place in read:
            yield from self._read(place)
        value = self.value(node, scope)
        if not read and value is not UNSEEN:
            yield f"it says {shown(value)}" if isinstance(node, Literal) else f"{source_of(node)} is {shown(value)}"

    def _read(self, place: Place) -> Iterator[str]:
        """Say what an attribute was."""
        value, name = place.value(self.seen), place.named(self._driver)
        if isinstance(value, Optional):
            yield f"{name} is {shown(value.get())}" if value.present else f"{name} is not set"
        elif isinstance(value, CELError):
            yield f"{name} is not set" if value.message.startswith("no such key") else f"{name}: {value.message}"
        elif isinstance(place.node, Select) and place.node.test_only and isinstance(value, bool):
            yield f"{name} is {'set' if value else 'not set'}"
        elif value is not UNSEEN:
            yield f"{name} is {shown(value)}"


#: The value with which one side of a logical operator decides.
_LOGIC: Final = {"_&&_": False, "_||_": True}
#: Operators whose value is that of an operand.
_PASSING: Final = {*_LOGIC, "!_", "_?_:_"}
