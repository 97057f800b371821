"""
Room: attributes that requests compute of devices, from Kubernetes 1.37 behind the gate DRADerivedAttributes.

May touch: `collections`, `findings`, `server`, `cel`, `resources`, `quoting`, `errors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from ..cel import Environment
from ..cel.derived import derivation
from ..errors import CompileError
from ..quoting import quoted
from ..resources import DeviceConstraint, DeviceDerivedAttribute
from .collections import check_set
from .findings import Encoded, FieldError, Finding, Findings, forbidden, invalid, size, too_long
from .server import Server

_UNUSED: Final = "must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request"


@attrs.define
class Derived:
    """
    What is known of a claim's computed attributes while its requests are checked.

    Args:
        used: The attributes that constraints name, by the request that they are for; "" means all requests.
        cost: The estimated cost of all expressions so far.
    """

    used: dict[str, set[str]]
    cost: int = 0

    @classmethod
    def of(cls, constraints: Sequence[DeviceConstraint]) -> Derived:
        """Look at the constraints of a claim."""
        used: dict[str, set[str]] = {}
        for constraint in constraints:
            name = constraint.distinct_attribute if constraint.match_attribute is None else constraint.match_attribute
            if name is not None:
                for request in constraint.requests or ("",):
                    used.setdefault(request, set()).add(name)
        return cls(used)

    def check(self, server: Server, items: Sequence[DeviceDerivedAttribute], path: str, *, target: str, stored: bool) -> Findings:
        """
        Check the computed attributes of a request.

        Args:
            server: Who checks.
            items: The attributes.
            path: Where they stand.
            target: The request, a subrequest as `request/subrequest`.
            stored: Whether an update leaves them alone.
        """

        def one(item: DeviceDerivedAttribute, place: str) -> Findings:
            findings: Findings = []
            if item.name and not any(item.name in self.used.get(each, ()) for each in ("", target, *target.split("/")[:1])):
                findings.append(invalid(f"{place}.name", Encoded(item.name), _UNUSED))
            return findings if stored or not item.expression else findings + self._expression(server, item.expression, f"{place}.expression")

        return check_set(server, items, path, one, key=lambda item: item.name, most=None, covered=False)

    def _expression(self, server: Server, expression: str, path: str) -> Findings:
        """Check an expression, and add its cost."""
        if size(expression) > server.limit("expression"):
            return [too_long(path, server.limit("expression"))]
        try:
            compiled = derivation(expression, Environment(server.release, expressions="new"))
        except CompileError as error:
            return [Finding(FieldError("FieldValueInvalid", path, f"Invalid value: {quoted(expression)}: {error.message}"))]
        most, needed = min(server.limit("expression cost"), server.limit("derived cost")), compiled.max_cost
        # Kubernetes adds in 64 bits.
        self.cost = (self.cost + needed) % 2**64
        return [forbidden(path, "too complex, exceeds cost limit")] if needed > most else []

    def total(self, server: Server, path: str) -> Findings:
        """Check what all expressions of a claim cost together."""
        if server.minor < 37 or self.cost <= server.limit("derived cost"):
            return []
        return [forbidden(path, "too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit")]
