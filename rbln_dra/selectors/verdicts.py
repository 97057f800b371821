"""
Room: what can be said of a device.

May touch: `devices`, `errors`.
"""

from __future__ import annotations

import enum

import attrs

from ..devices import Device
from ..errors import EvaluationError


class Verdict(enum.Enum):
    """
    What a selector says of a device.

    An error is no "no match": in Kubernetes it aborts the allocation of the whole claim.
    """

    MATCH = "match"
    NO_MATCH = "no match"
    ERROR = "ERROR"


@attrs.frozen
class Judgement:
    """
    A verdict on one device.

    Args:
        device: The device.
        verdict: The verdict.
        error: Why there is no other verdict than `ERROR`; `None` with the others.
        cost: What the evaluation cost, in Kubernetes' units.
    """

    device: Device
    verdict: Verdict
    error: EvaluationError | None
    cost: int
