"""
Room: taints of devices, tolerations of requests, and the conditions that bind a pod to a device.

May touch: `collections`, `findings`, `formats`, `server`, `rbln_dra.devices`, `resources`, `wire`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .. import wire
from ..devices import DeviceTaint
from ..resources import DeviceToleration
from .collections import check_list
from .findings import Encoded, Findings, duplicate, invalid, not_supported, required
from .formats import check, label_key, label_value
from .server import Server

_OPERATORS: Final = ("Equal", "Exists")


def effects(server: Server) -> tuple[str, ...]:
    """Give the effects that a taint can have."""
    return ("NoExecute", "NoSchedule") if server.minor < 35 else ("NoExecute", "NoSchedule", "None")


def taint(server: Server, item: DeviceTaint, path: str) -> Findings:
    """Check a taint."""
    findings = check(f"{path}.key", item.key, label_key(server))
    if item.value:
        findings += check(f"{path}.value", item.value, label_value(server))
    if not item.effect:
        findings.append(required(f"{path}.effect", covered=True))
    elif item.effect not in effects(server):
        findings.append(not_supported(f"{path}.effect", item.effect, effects(server), covered=True))
    return findings


def toleration(server: Server, item: DeviceToleration, path: str) -> Findings:
    """Check a toleration."""
    findings: Findings = []
    if item.key:
        findings += check(f"{path}.key", item.key, label_key(server), origin="format=k8s-label-key", covered=True)
    if item.operator == "Exists":
        if item.value:
            findings.append(invalid(f"{path}.value", item.value, "must be empty for operator `Exists`"))
    elif item.operator == "Equal":
        findings += check(f"{path}.value", item.value, label_value(server))
    elif item.operator:
        findings.append(not_supported(f"{path}.operator", item.operator, _OPERATORS, covered=True))
    else:
        findings.append(required(f"{path}.operator", covered=True))
    if item.effect and item.effect not in effects(server):
        findings.append(not_supported(f"{path}.effect", item.effect, effects(server), covered=True))
    return findings


def binding_conditions(server: Server, conditions: Sequence[str], failures: Sequence[str], path: str) -> Findings:
    """Check the conditions that bind, and those that say that it failed: both or none, and none of them twice."""
    key = label_key(server)
    success, failure = f"{path}.bindingConditions", f"{path}.bindingFailureConditions"
    findings = check_list(server, conditions, success, lambda name, place: check(place, name, key), most=server.limit("binding conditions"))
    findings += check_list(server, failures, failure, lambda name, place: check(place, name, key), most=server.limit("binding failure conditions"))
    findings += [duplicate(f"{success}[{index}]", name) for index, name in enumerate(conditions) if name in conditions[:index]]
    for index, name in enumerate(failures):
        if name in failures[:index]:
            findings.append(duplicate(f"{failure}[{index}]", name))
        if name in conditions:
            findings.append(invalid(f"{failure}[{index}]", name, "bindingFailureConditions must not overlap with bindingConditions"))
    if failures and not conditions:
        findings.append(invalid(success, Encoded(_listed(conditions)), "bindingConditions are required to use bindingFailureConditions"))
    if conditions and not failures:
        findings.append(invalid(failure, Encoded(_listed(failures)), "bindingFailureConditions are required to use bindingConditions"))
    return findings


def _listed(items: Sequence[str]) -> list[str] | None:
    """Give the JSON form of a list: `null` for one that is not there."""
    return None if isinstance(items, wire.Nil) else list(items)
