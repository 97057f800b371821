"""
Room: taints of devices, and which of them a request tolerates.

May touch: `devices`, `resources`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..devices import DeviceTaint
from ..resources import DeviceToleration

#: The effects that keep claims away; others only inform.
EFFECTS: Final = frozenset({"NoSchedule", "NoExecute"})


def tolerates(toleration: DeviceToleration, taint: DeviceTaint) -> bool:
    """
    Tell whether a toleration covers a taint: an empty effect or key covers all; `Exists` any value, `Equal` (or no operator) the same one.

    >>> tolerates(DeviceToleration("maintenance", "Exists"), DeviceTaint("maintenance", "NoSchedule", "v"))
    True
    """
    if toleration.effect not in {"", taint.effect} or toleration.key not in {"", taint.key}:
        return False
    return toleration.operator == "Exists" or (toleration.operator in {"", "Equal"} and toleration.value == taint.value)


def untolerated(taints: Sequence[DeviceTaint], tolerations: Sequence[DeviceToleration], *, every: bool) -> DeviceTaint | None:
    """Give the first taint that keeps a request away; `None` when none does. With `every`, taints of any effect do."""
    return next(
        (taint for taint in taints if (every or taint.effect in EFFECTS) and not any(tolerates(toleration, taint) for toleration in tolerations)),
        None,
    )


def keeps_away(taints: Sequence[DeviceTaint], tolerations: Sequence[DeviceToleration], *, every: bool) -> bool:
    """Tell whether a taint keeps a request away."""
    return bool(taints) and untolerated(taints, tolerations, every=every) is not None
