"""
Room: what the API server says of a new or changed selector, and how that differs between Kubernetes minors.

May touch: `program`, `environment`, `kubernetes`, `quoting`, `errors`.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from ..errors import CompileError, InvalidValue
from ..kubernetes import MINORS, Kubernetes
from ..quoting import quoted
from .environment import Environment
from .program import COST_LIMIT, compile as compile_selector

#: The longest selector that is admitted, in bytes of UTF-8.
LONGEST = 10 * 1024


@attrs.frozen
class Admission:
    """
    The API server's answer to a selector.

    Args:
        reason: `FieldValueTooLong`, `FieldValueInvalid`, `FieldValueForbidden` or `InternalError`; `None` when it is admitted.
        message: The API server's text; empty when it is admitted.
        max_cost: The estimate that is compared with 1,000,000; `None` when it was not compiled.
        error: Why it does not compile; `None` when it does, or was not compiled.

    >>> admit("[3, 1].sort() == [1, 3]", "1.34").reason, admit("[3, 1].sort() == [1, 3]", "1.35").admitted
    ('FieldValueInvalid', True)
    """

    reason: str | None = None
    message: str = ""
    max_cost: int | None = None
    error: CompileError | None = None

    @property
    def admitted(self) -> bool:
        """Whether an object with this selector is admitted."""
        return self.reason is None


def admit(expression: str, kubernetes: str | Kubernetes = "1.35") -> Admission:
    """
    Say what the API server says of a new or changed selector.

    It admits what its minor *and the one before* know; kube-scheduler then evaluates everything that its minor knows.

    Args:
        expression: The selector.
        kubernetes: A minor, or a `Kubernetes` with gates.

    Raises:
        UnknownKubernetes: The minor or a gate is not known.
        InvalidValue: The selector is no text.

    >>> admit('device.driver == "npu.rebellions.ai"').max_cost
    4
    >>> admit('device.driver').message
    'Invalid value: "device.driver": must evaluate to bool or the unknown type, not string'
    """
    InvalidValue.unless_text(expression, "a selector in CEL")
    release = Kubernetes.of(kubernetes)
    if len(expression.encode("utf-8", "surrogatepass")) > LONGEST:
        return Admission("FieldValueTooLong", f"Too long: may not be more than {LONGEST} bytes")
    try:
        program = compile_selector(expression, Environment(release, expressions="new"))
    except CompileError as error:
        if error.message.startswith(_INTERNAL):
            return Admission("InternalError", f"Internal error: {error.message}", error=error)
        return Admission("FieldValueInvalid", f"Invalid value: {quoted(expression)}: {error.message}", error=error)
    if program.max_cost > COST_LIMIT:
        return Admission("FieldValueForbidden", "Forbidden: too complex, exceeds cost limit", program.max_cost)
    return Admission(max_cost=program.max_cost)


@attrs.frozen
class Support:
    """
    What one Kubernetes minor makes of a selector.

    Args:
        admission: What its API server says of it when it is new.
        stored: Why its scheduler cannot evaluate it; `None` when it can.
    """

    admission: Admission
    stored: CompileError | None

    @property
    def rollback_safe(self) -> bool:
        """Whether it is both admitted and evaluated."""
        return self.admission.admitted and self.stored is None


def support(expression: str, *, gates: Mapping[str, Mapping[str, bool]] | None = None) -> dict[str, Support]:
    """
    Say what every minor makes of a selector, oldest first.

    Args:
        expression: The selector.
        gates: Minor → gates that are set there.

    >>> [minor for minor, found in support("[3, 1].sort() == [1, 3]").items() if found.admission.admitted]
    ['1.35', '1.36', '1.37']
    """
    if gates is not None:
        InvalidValue.unless(gates, Mapping, "gates by minor")
    found: dict[str, Support] = {}
    for minor in MINORS:
        release = Kubernetes(minor, gates=(gates or {}).get(minor, {}))
        stored = None
        try:
            compile_selector(expression, Environment(release, expressions="stored"))
        except CompileError as error:
            stored = error
        found[minor] = Support(admit(expression, release), stored)
    return found


_INTERNAL = "program instantiation failed: "
