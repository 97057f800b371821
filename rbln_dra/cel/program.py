"""
Room: from the text of a selector to a program that judges devices; what the API server says of a selector; the cache of programs.

Compiling does, in this order, what Kubernetes does: parse, check types, check the result's type, make the program (constants are evaluated here).
What the first verdict does not need, the cost estimate and the references, is done when it is asked for.

May touch: everything in `cel`, `devices`, `errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from ..errors import CompileError, EvaluationError, InvalidValue
from . import binding, cost, interpreter, syntax
from .cache import Cache
from .checker import Checked, check
from .environment import Environment
from .preparation import prepare
from .references import References, references
from .results import match_of
from .runtime import Irregular
from .types import ANY, BOOL, DYN, Type
from .unification import exact
from .values import CELError

if TYPE_CHECKING:
    from ..devices import Device
    from .accounting import Account
    from .ast import Node
    from .codegen import Generated

#: The most that a selector may cost at run time, and may be estimated to cost when it is admitted.
COST_LIMIT = 1_000_000
#: How many units of cost a program interprets before a function is written for it, and what every evaluation counts beside its cost.
PATIENCE, OVERHEAD = 500, 5


@attrs.frozen
class Evaluation:
    """
    What a program says of a device.

    Args:
        match: Whether the device matches; `None` when that is an error.
        error: Why there is no answer; `None` when there is one.
        cost: What it cost, in Kubernetes' units; 0 where the device itself cannot be read.
    """

    match: bool | None
    error: EvaluationError | None
    cost: int


#: Verdicts of low cost are values of which one is enough.
_FEW = 128
_EVALUATIONS = tuple(tuple(Evaluation(match, None, cost) for cost in range(_FEW)) for match in (False, True))
_ENVIRONMENT = 'an environment such as cel.Environment(kubernetes="1.36")'
_FURTHER = "an environment with further names"


class Program:
    """
    A compiled selector. Programs share nothing that an answer depends on: any number of threads may evaluate one at a time.

    `compile` makes them.

    Attributes:
        expression: The text.
        environment: What it was compiled for.
        output_type: The type of its result as cel-go prints it: `bool`, or the type of an attribute.
    """

    def __init__(self, expression: str, environment: Environment) -> None:
        """Compile; see `compile`."""
        InvalidValue.unless_text(expression, "a selector in CEL")
        InvalidValue.unless(environment, Environment, _ENVIRONMENT)
        self.expression = expression
        self.environment = environment
        self.checked = _check(expression, environment)
        self.output_type = str(self.checked.output_type)
        self._plan = interpreter.plan(self.checked)
        #: How many units of cost are interpreted before a function is written that counts them.
        self._patience = PATIENCE

    def __repr__(self) -> str:
        """Show text and environment."""
        return f"Program({self.expression!r}, {self.environment!r})"

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[str, Environment]]:
        """Pickle as text and environment: the other side compiles it again."""
        return compile, (self.expression, self.environment)

    @cached_property
    def max_cost(self) -> int:
        """The most that it is estimated to cost; 2**64 - 1 means: no bound. Admission refuses more than 1,000,000."""
        return cost.estimate(self.checked).high

    @cached_property
    def references(self) -> References:
        """The attributes and capacities that it can read."""
        return references(self.checked)

    @cached_property
    def matches(self) -> Callable[[Device], bool]:
        """
        Tell whether a device matches: `program.matches(device)`.

        The first use makes it: a function written for this selector where `codegen` can write one, else what `evaluate` asks. See `plan`.

        Raises:
            EvaluationError: There is no answer. Kubernetes then aborts the allocation; it is not "no match".

        >>> from rbln_dra import Device
        >>> device = Device.from_dict({"name": "npu", "attributes": {"type": {"string": "vfio"}}}, driver="npu.rebellions.ai")
        >>> compile('device.attributes["npu.rebellions.ai"].type == "vfio"').matches(device)
        True
        """
        return self._generated.matches or self._decided

    @property
    def plan(self) -> str:
        """
        How `matches` judges.

        `generated`: by a function that need not count, and by that of `evaluate` where a device is an error.
        `counted: WHY`: by the function of `evaluate`, which counts; it is written after some evaluations.
        `interpreted: WHY`: by the interpreter, and so does `evaluate`.
        """
        reason, counts = self._generated.reason, self._account
        if reason is None:
            return "generated"
        return f"interpreted: {counts.reason}" if counts.judge is None else f"counted: {reason}"

    @property
    def _plain(self) -> bool:
        """Whether the environment has no further names: a function of a known name may be another one there."""
        return self.environment == Environment(self.environment.release, self.environment.expressions)

    @cached_property
    def _generated(self) -> Generated:
        from .codegen import Generated, generate

        if not self._plain:
            return Generated(None, _FURTHER)
        return generate(self._plan, lists=self.environment.list_attributes, cost_limit=COST_LIMIT, undecided=self._decided)

    def _decided(self, device: Device) -> bool:
        """Judge as `evaluate` does."""
        evaluation = self.evaluate(device)
        if evaluation.error is not None:
            raise evaluation.error
        return evaluation.match is True

    def evaluate(self, device: Device, *, cost_limit: int = COST_LIMIT) -> Evaluation:
        """
        Judge a device; an error is part of the answer.

        What costs little is interpreted at first; then a function is written for this selector, where `accounting` can write one, that gives the
        same verdict, text and cost in a small part of the time.

        Args:
            device: The device.
            cost_limit: The most that it may cost, in Kubernetes' units; above, it is an error.

        Raises:
            InvalidValue: That is no device, or no limit.
        """
        if not isinstance(cost_limit, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidValue(cost_limit, "a limit of cost such as 1000000")
        patience = self._patience
        if patience <= 0 <= cost_limit:
            account = self._account
            source = getattr(device, account.slot, None)
            if source is not None and account.judge is not None:
                try:
                    value, cost = account.judge(source, device, cost_limit)
                except Irregular:
                    return self._evaluated(device, cost_limit)
                if cost < _FEW and (value is True or value is False):
                    return _EVALUATIONS[value][cost]
                return _settled(value, cost)
            return self._counted(device, cost_limit)
        granted = min(cost_limit, patience)
        evaluation = self._evaluated(device, granted)
        self._patience -= evaluation.cost + OVERHEAD
        if evaluation.error is not None and granted < evaluation.cost <= cost_limit:
            # All that was granted is spent, while the limit is not.
            return self._counted(device, cost_limit)
        return evaluation

    def _evaluated(self, device: Device, cost_limit: int) -> Evaluation:
        """Interpret."""
        try:
            activation = binding.bind(device, self.environment)
        except EvaluationError as error:
            return Evaluation(None, error, 0)
        outcome = self._plan.evaluate(activation, cost_limit)
        return _settled(outcome.value if outcome.error is None else outcome.error, outcome.cost)

    def _counted(self, device: Device, cost_limit: int) -> Evaluation:
        """Judge a device that is not prepared, or by a function that reads the device's maps."""
        account = self._account
        if account.judge is None or cost_limit < 0:
            return self._evaluated(device, cost_limit)
        if not account.whole:
            if prepare(device) and hasattr(device, account.slot):
                return self.evaluate(device, cost_limit=cost_limit)
            account = self._whole_account
        judge = account.judge
        if judge is None:
            return self._evaluated(device, cost_limit)
        try:
            source = binding.bind(device, self.environment)["device"]
        except EvaluationError as error:
            return Evaluation(None, error, 0)
        try:
            return _settled(*judge(source, device, cost_limit))
        except Irregular:
            return self._evaluated(device, cost_limit)

    @cached_property
    def _account(self) -> Account:
        from .accounting import Account, account

        if not self._plain:
            return Account(None, whole=True, reason=_FURTHER)
        return account(self._plan, lists=self.environment.list_attributes)

    @cached_property
    def _whole_account(self) -> Account:
        from .accounting import account

        return account(self._plan, whole=True, lists=self.environment.list_attributes)

    def trace(self, device: Device) -> Mapping[int, Any]:
        """
        Evaluate, and give the value or the `CELError` of every node that was evaluated, by node id.

        Raises:
            EvaluationError: The device itself cannot be read.
        """
        return self._plan.trace(binding.bind(device, self.environment))


def _settled(value: Any, cost: int) -> Evaluation:
    """Give the verdict that a value or an error stands for."""
    if not isinstance(value, CELError):
        try:
            return Evaluation(match_of(value), None, cost)
        except CELError as error:
            value = error
    return Evaluation(None, EvaluationError(value.message), cost)


def compile(text: str, environment: Environment | None = None) -> Program:
    """
    Compile a selector for an environment.

    Programs are kept, up to a number, and given again for the same text and environment: see `cache_info`.

    Args:
        text: The selector.
        environment: What it may name; the default is what kube-scheduler 1.35 evaluates.

    Raises:
        CompileError: Kubernetes refuses it; `message` is its text.
        InvalidValue: The selector is no text, or the environment is none.

    >>> program = compile('device.driver == "npu.rebellions.ai"', Environment("1.36", expressions="new"))
    >>> program.output_type, program.max_cost
    ('bool', 4)
    """
    InvalidValue.unless_text(text, "a selector in CEL")
    chosen = _DEFAULT if environment is None else environment
    if not isinstance(chosen, Environment):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidValue(chosen, _ENVIRONMENT)
    program = _PROGRAMS.get(text, chosen.key)
    if program is None:
        program = Program(text, chosen)
        _PROGRAMS.put(text, chosen.key, program)
    return program


_DEFAULT = Environment()
_PROGRAMS: Cache[Program] = Cache(maximum=1024, longest=10_240)
cache_info = _PROGRAMS.info
cache_clear = _PROGRAMS.clear


def _check(text: str, environment: Environment) -> Checked:
    """Parse an expression, check its types and that its result can be a verdict."""
    expression: Node = syntax.parse(text, backticks=environment.backticks, macros=environment.macros)
    checked = check(expression, text, environment)
    found = checked.output_type
    if not _verdict(found, environment):
        raise CompileError(f"must evaluate to bool or the unknown type, not {found}", (), text)
    return checked


def _verdict(type_: Type, environment: Environment) -> bool:
    """Tell whether a result of a type can be a verdict."""
    if environment.result_by_value:
        return exact(type_, BOOL) or exact(type_, environment.attribute_type)
    return type_ in (BOOL, ANY) or (type_ == DYN and environment.attribute_type == DYN)
