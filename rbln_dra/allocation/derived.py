"""
Room: attributes that requests compute of devices, as constraints read them: from Kubernetes 1.37 behind the gate DRADerivedAttributes.

May touch: `constraints`, `pools`, `cel`, `attributes`, `errors`.
"""

from __future__ import annotations

from typing import Any, Final

import attrs

from ..attributes import DeviceAttribute
from ..cel import Environment
from ..cel.derived import derivation
from ..errors import AllocationError, CompileError, EvaluationError
from .constraints import Constraint, State
from .pools import Candidate, DeviceID

_UNKNOWN: Final = object()


@attrs.frozen
class Failure:
    """
    In place of what is read of an attribute that cannot be computed.

    Args:
        message: The text with which the scheduler gives up where a constraint asks.
    """

    message: str


class Derivations:
    """
    What was computed in one allocation: an expression is evaluated once for each device, under whichever names requests ask for it.

    Args:
        environment: Where expressions are evaluated.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._known: dict[tuple[DeviceID, str], DeviceAttribute] = {}

    def attribute(self, name: str, expression: str, candidate: Candidate) -> DeviceAttribute:
        """
        Compute an attribute of a device.

        Raises:
            AllocationError: The expression does not compile, or gives no attribute.
        """
        found = self._known.get((candidate.id, expression))
        if found is None:
            try:
                found = derivation(expression, self._environment).evaluate(candidate.device)
            except CompileError as error:
                raise AllocationError(f"compile derived attribute {name} failed: {error.message}") from None
            except EvaluationError as error:
                raise AllocationError(f"evaluate derived attribute {name} on device {candidate.text} failed: {error.message}") from None
            self._known[candidate.id, expression] = found
        return found


class DerivedConstraint(Constraint):
    """
    A constraint as it applies to a request that computes its attribute: whatever the device publishes under that name does not count.

    Args:
        constraint: The constraint.
        expression: What computes the attribute.
        derivations: What was computed before.
    """

    def __init__(self, constraint: Constraint, expression: str, derivations: Derivations) -> None:
        super().__init__(constraint.attribute, constraint.kind, constraint.requests, constraint.how)
        self._expression = expression
        self._derivations = derivations

    def add(self, state: State, candidate: Candidate, request: str) -> State | None:
        """
        Add a device; `None` when it may not be added.

        Raises:
            AllocationError: The attribute cannot be computed.
        """
        found = self.read(candidate)
        if isinstance(found, Failure):
            raise AllocationError(found.message)
        return self.how.add(state, found, request)

    def read(self, candidate: Candidate) -> Any:
        """Give what it compares of a device; a `Failure` when the attribute cannot be computed."""
        found = self._known.get(candidate.position, _UNKNOWN)
        if found is _UNKNOWN:
            try:
                found = self.how.read(self._derivations.attribute(self.attribute, self._expression, candidate))
            except AllocationError as error:
                found = Failure(error.message)
            self._known[candidate.position] = found
        return found
