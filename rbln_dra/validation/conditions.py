"""
Room: conditions, in which the status of an object says how it is.

May touch: `findings`, `formats`, `server`, `resources`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..resources import Condition
from .findings import Encoded, Findings, duplicate, invalid, not_supported, required, size, too_long
from .formats import check, label_key
from .server import Server

_STATUSES: Final = ("False", "True", "Unknown")
_REASON: Final = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?"
_REASON_PATTERN: Final = re.compile(_REASON)
_REASON_TEXT: Final = (
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with "
    "an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', "
    f"regex used for validation is '{_REASON}')"
)


def conditions(server: Server, items: Sequence[Condition], path: str) -> Findings:
    """Check conditions: no two of one type."""
    findings: Findings = []
    types: set[str] = set()
    for index, item in enumerate(items):
        place = f"{path}[{index}]"
        if item.type in types:
            findings.append(duplicate(place if server.minor >= 37 else f"{place}.type", item.type))
        types.add(item.type)
        findings += _condition(server, item, place)
    return findings


def _condition(server: Server, item: Condition, path: str) -> Findings:
    """Check a condition; 1.37 tells what is missing from what is wrong."""
    findings: Findings = []
    if item.type or server.minor < 37:
        findings += check(f"{path}.type", item.type, label_key(server))
    else:
        findings.append(required(f"{path}.type", "is required"))
    if not item.status and server.minor >= 37:
        findings.append(required(f"{path}.status"))
    elif item.status not in _STATUSES:
        findings.append(not_supported(f"{path}.status", item.status, _STATUSES))
    if item.observed_generation < 0:
        findings.append(invalid(f"{path}.observedGeneration", Encoded(item.observed_generation), "must be greater than or equal to zero"))
    if item.last_transition_time is None:
        findings.append(required(f"{path}.lastTransitionTime"))
    if not item.reason:
        findings.append(required(f"{path}.reason"))
    else:
        if not _REASON_PATTERN.fullmatch(item.reason):
            findings.append(invalid(f"{path}.reason", item.reason, _REASON_TEXT))
        if size(item.reason) > server.limit("condition reason"):
            findings.append(too_long(f"{path}.reason", server.limit("condition reason")))
    if size(item.message) > server.limit("condition message"):
        findings.append(too_long(f"{path}.message", server.limit("condition message")))
    return findings
