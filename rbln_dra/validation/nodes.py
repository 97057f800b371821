"""
Room: which nodes: names of nodes, selectors of nodes.

May touch: `findings`, `formats`, `server`, `rbln_dra.devices`.
"""

from __future__ import annotations

from typing import Final

from ..devices import NodeSelector
from ..devices.placement import NodeSelectorRequirement
from .findings import Encoded, Findings, forbidden, invalid, required
from .formats import check, label_key, label_value, subdomain
from .server import Server

_OPERATORS: Final = {"In": "some", "NotIn": "some", "Exists": "none", "DoesNotExist": "none", "Gt": "one", "Lt": "one"}
_UNKNOWN: Final = "not a valid selector operator"


def node_name(path: str, name: str) -> Findings:
    """Check the name of a node."""
    return check(path, name, subdomain)


def node_selector(server: Server, selector: NodeSelector, path: str) -> Findings:
    """Check a selector of nodes."""
    terms = f"{path}.nodeSelectorTerms"
    if not selector.terms:
        return [required(terms, "must have at least one node selector term")]
    findings: Findings = []
    for index, term in enumerate(selector.terms):
        for number, requirement in enumerate(term.match_expressions):
            findings += _expression(server, requirement, f"{terms}[{index}].matchExpressions[{number}]")
        for number, requirement in enumerate(term.match_fields):
            findings += _field(requirement, f"{terms}[{index}].matchFields[{number}]")
    return findings


def _expression(server: Server, requirement: NodeSelectorRequirement, path: str) -> Findings:
    """Check a condition on a label."""
    values, wants = requirement.values, _OPERATORS.get(requirement.operator)
    findings: Findings = []
    if wants is None:
        findings.append(invalid(f"{path}.operator", Encoded(requirement.operator), _UNKNOWN))
    elif wants == "some" and not values:
        findings.append(required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'"))
    elif wants == "none" and values:
        findings.append(forbidden(f"{path}.values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
    elif wants == "one" and len(values) != 1:
        findings.append(required(f"{path}.values", "must be specified single value when `operator` is 'Lt' or 'Gt'"))
    findings += check(f"{path}.key", requirement.key, label_key(server))
    complain = label_value(server)
    return findings + [finding for index, value in enumerate(values) for finding in check(f"{path}.values[{index}]", value, complain)]


def _field(requirement: NodeSelectorRequirement, path: str) -> Findings:
    """Check a condition on a field; the name is the only one."""
    findings: Findings = []
    if requirement.operator not in {"In", "NotIn"}:
        findings.append(invalid(f"{path}.operator", Encoded(requirement.operator), _UNKNOWN))
    elif len(requirement.values) != 1:
        findings.append(required(f"{path}.values", "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"))
    if requirement.key != "metadata.name":
        return [*findings, invalid(f"{path}.key", requirement.key, "not a valid field selector key")]
    return findings + [finding for index, value in enumerate(requirement.values) for finding in node_name(f"{path}.values[{index}]", value)]
