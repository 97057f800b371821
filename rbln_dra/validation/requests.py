"""
Room: the requests of a claim.

May touch: `collections`, `derived`, `findings`, `formats`, `selectors`, `taints`, `server`, `resources`.
"""

from __future__ import annotations

from typing import Final

from ..resources import ALL, EXACT_COUNT, DeviceRequest, DeviceSubRequest, ExactDeviceRequest
from .collections import check_set
from .derived import Derived
from .findings import Encoded, Findings, invalid, not_supported, required
from .formats import check, label, subdomain
from .selectors import selectors
from .server import Server
from .taints import toleration

_ONE: Final = "exactly one of `exactly` or `firstAvailable` is required"


def request(server: Server, item: DeviceRequest, path: str, *, stored: bool, derived: Derived) -> Findings:
    """Check a request."""
    findings = check(f"{path}.name", item.name, label)
    exactly = item.exactly

    def sub(each: DeviceSubRequest, place: str) -> Findings:
        named = check(f"{place}.name", each.name, label)
        return named + _wish(server, each, place, stored=stored, derived=derived, target=f"{item.name}/{each.name}")

    alternatives = check_set(
        server,
        item.first_available,
        f"{path}.firstAvailable",
        sub,
        key=lambda each: each.name,
        most=server.limit("subrequests"),
        named="name",
    )
    exact = [] if exactly is None else _wish(server, exactly, f"{path}.exactly", stored=stored, derived=derived, target=item.name)
    both = bool(item.first_available) and exactly is not None
    if server.minor < 35 or not both:
        findings += alternatives + exact
    if both:
        findings.append(invalid(path, None, f"{_ONE}, but multiple fields are set"))
    elif not item.first_available and exactly is None:
        findings.append(required(path, _ONE))
    return findings


def _wish(server: Server, item: ExactDeviceRequest | DeviceSubRequest, path: str, *, stored: bool, derived: Derived, target: str) -> Findings:
    """Check a wish."""
    findings: Findings = []
    if item.device_class_name:
        covered = isinstance(item, DeviceSubRequest)
        findings += check(f"{path}.deviceClassName", item.device_class_name, subdomain, origin="format=k8s-long-name", covered=covered)
    else:
        findings.append(required(f"{path}.deviceClassName", covered=isinstance(item, DeviceSubRequest)))
    findings += selectors(server, item.selectors, f"{path}.selectors", stored=stored)
    findings += derived.check(server, item.derived_attributes, f"{path}.derivedAttributes", target=target, stored=stored)
    findings += _amount(item, path)
    return findings + [finding for index, each in enumerate(item.tolerations) for finding in toleration(server, each, f"{path}.tolerations[{index}]")]


def _amount(item: ExactDeviceRequest | DeviceSubRequest, path: str) -> Findings:
    """Check mode and count."""
    if item.allocation_mode == ALL:
        detail = f"must not be specified when allocationMode is '{ALL}'"
        return [invalid(f"{path}.count", Encoded(item.count), detail)] if item.count else []
    if item.allocation_mode == EXACT_COUNT:
        return [invalid(f"{path}.count", Encoded(item.count), "must be greater than zero")] if item.count <= 0 else []
    return [not_supported(f"{path}.allocationMode", item.allocation_mode, (ALL, EXACT_COUNT), covered=True)]
