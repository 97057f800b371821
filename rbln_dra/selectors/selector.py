"""
Room: the selector: compiled once, asked of many devices.

May touch: `cel`, `devices`, `explanation`, `linting`, `verdicts`, `errors`.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs

from ..cel.environment import Environment
from ..cel.program import Program, compile as compile_program
from ..devices import Device
from ..errors import EvaluationError, InvalidValue
from .explanation import Explanation, explain
from .linting import Advice, lint
from .verdicts import Judgement, Verdict


@attrs.frozen
class Selector:
    """
    A CEL selector of a DeviceClass or a request.

    Args:
        expression: The text.
        environment: The Kubernetes minor, its gates, and whether the expression is judged as the scheduler evaluates it (`stored`, the default) or as
            the API server admits it (`new`); the default is 1.35.

    Raises:
        CompileError: Kubernetes refuses the expression.
        InvalidValue: The expression is no text, or the environment is none.

    >>> from rbln_dra import TreeBackend, discover
    >>> (device,) = discover(TreeBackend("rebel100")).devices
    >>> Selector('device.attributes["npu.rebellions.ai"].productName == "RBLN-CR13"').verdict(device)
    <Verdict.MATCH: 'match'>
    """

    expression: str
    environment: Environment = attrs.field(factory=Environment)
    program: Program = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Compile."""
        object.__setattr__(self, "program", compile_program(self.expression, self.environment))

    def verdict(self, device: Device) -> Verdict:
        """
        Give the verdict on a device.

        Raises:
            InvalidValue: That is no device.
        """
        try:
            return Verdict.MATCH if self.program.matches(device) else Verdict.NO_MATCH
        except EvaluationError:
            return Verdict.ERROR

    def judge(self, device: Device) -> Judgement:
        """
        Give the verdict on a device with the error and the cost.

        Raises:
            InvalidValue: That is no device.
        """
        evaluation = self.program.evaluate(device)
        if evaluation.error is not None:
            return Judgement(device, Verdict.ERROR, evaluation.error, evaluation.cost)
        return Judgement(device, Verdict.MATCH if evaluation.match else Verdict.NO_MATCH, None, evaluation.cost)

    def select(self, devices: Iterable[Device]) -> tuple[Device, ...]:
        """
        Give the devices that match, in their order.

        Raises:
            EvaluationError: There is no verdict on one of them. Kubernetes then allocates nothing.
            InvalidValue: One is no device.
        """
        InvalidValue.unless(devices, Iterable, "devices of an inventory")
        matches = self.program.matches
        matching: list[Device] = []
        for device in devices:
            try:
                if matches(device):
                    matching.append(device)
            except EvaluationError as error:
                raise self.explain(device).error or error from None
        return tuple(matching)

    def explain(self, device: Device) -> Explanation:
        """
        Give the verdict on a device with the value of every sub-expression, what decided, and what to do about an error.

        Raises:
            InvalidValue: That is no device.
        """
        return explain(self.program, device)

    def lint(self) -> tuple[Advice, ...]:
        """
        Give advice on the selector, without a device: from the schema of what the NPU DRA driver publishes, and from the product table.

        >>> [advice.code for advice in Selector('device.attributes["npu.rebellions.ai"].productname == "RBLN-CR13"').lint()]
        ['no-driver', 'unknown-attribute']
        """
        return lint(self.program)
