"""
Room: what a ResourceClaim and a ResourceClaimTemplate must be.

May touch: `collections`, `configuration`, `derived`, `findings`, `formats`, `metadata`, `requests`, `server`, `internal`, `resources`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..resources import (
    DeviceClaim,
    DeviceClaimConfiguration,
    DeviceConstraint,
    DeviceRequest,
    ResourceClaim,
    ResourceClaimSpec,
    ResourceClaimTemplate,
)
from .collections import check_list, check_set
from .configuration import configuration
from .derived import Derived
from .findings import Encoded, Findings, forbidden, invalid, required
from .formats import check, fully_qualified_name, label
from .internal import shown_claim_spec, shown_template_spec
from .metadata import IMMUTABLE, changed_metadata, kube_finalizers, new_metadata, template_metadata
from .requests import request
from .server import Server

#: What a namespace without that label hears.
UNAUTHORIZED: Final = "admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace"
_NO_REQUEST: Final = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
_NO_ATTRIBUTE: Final = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'


def new_claim(server: Server, item: ResourceClaim, *, admin_access: bool) -> Findings:
    """Check a claim that is made."""
    findings = _authorized(item.spec.devices.requests, admin_access=admin_access)
    findings += new_metadata(server, item.metadata, namespaced=True) + kube_finalizers(item.metadata)
    return findings + _spec(server, item.spec, "spec", stored=False)


def changed_claim(server: Server, item: ResourceClaim, old: ResourceClaim) -> Findings:
    """Check a claim that is changed: its spec must stay as it is. 1.34 checks it, too."""
    findings = new_metadata(server, item.metadata, namespaced=True) + kube_finalizers(item.metadata)
    if server.minor < 35:
        findings += _spec(server, item.spec, "spec", stored=False)
    findings += changed_metadata(server, item.metadata, old.metadata) + kube_finalizers(item.metadata)
    if item.spec != old.spec:
        findings.append(invalid("spec", Encoded(shown_claim_spec(server, item.spec)), IMMUTABLE, origin="immutable", covered=True))
    if server.minor < 35:
        findings += _spec(server, item.spec, "spec", stored=True)
    return findings


def new_template(server: Server, item: ResourceClaimTemplate, *, admin_access: bool) -> Findings:
    """Check a template that is made."""
    return _authorized(item.spec.spec.devices.requests, admin_access=admin_access) + _template(server, item)


def changed_template(server: Server, item: ResourceClaimTemplate, old: ResourceClaimTemplate) -> Findings:
    """Check a template that is changed: its spec must stay as it is, and is checked nevertheless."""
    findings = _template(server, item)
    findings += changed_metadata(server, item.metadata, old.metadata) + kube_finalizers(item.metadata)
    if item.spec != old.spec:
        findings.append(invalid("spec", Encoded(shown_template_spec(server, item.spec)), IMMUTABLE))
    if server.minor < 35:
        findings += _template_spec(server, item, stored=True)
    return findings


def _template(server: Server, item: ResourceClaimTemplate) -> Findings:
    """Check a template with its metadata."""
    findings = new_metadata(server, item.metadata, namespaced=True) + kube_finalizers(item.metadata)
    return findings + _template_spec(server, item, stored=False)


def _template_spec(server: Server, item: ResourceClaimTemplate, *, stored: bool) -> Findings:
    """Check what the claims of a template are."""
    return template_metadata(server, item.spec.metadata, "spec.metadata") + _spec(server, item.spec.spec, "spec.spec", stored=stored)


def _authorized(requests: Sequence[DeviceRequest], *, admin_access: bool) -> Findings:
    """Check that the namespace lets requests have admin access. The path is that of v1beta1, of a claim, in all cases."""
    for index, item in enumerate(requests):
        if item.exactly is not None and item.exactly.admin_access and not admin_access:
            return [forbidden(f"spec.devices.requests[{index}].adminAccess", UNAUTHORIZED)]
    return []


def _spec(server: Server, spec: ResourceClaimSpec, path: str, *, stored: bool) -> Findings:
    """Check what a claim asks for."""
    devices, path = spec.devices, f"{path}.devices"
    names = request_names(devices)
    derived = Derived.of(devices.constraints)
    findings = check_set(
        server,
        devices.requests,
        f"{path}.requests",
        lambda each, place: request(server, each, place, stored=stored, derived=derived),
        key=lambda each: each.name,
        most=server.limit("requests"),
        named="name",
    )
    findings += check_list(
        server,
        devices.constraints,
        f"{path}.constraints",
        lambda each, place: _constraint(server, each, place, names),
        most=server.limit("constraints"),
    )
    findings += check_list(
        server,
        devices.config,
        f"{path}.config",
        lambda each, place: _configuration(server, each, place, names, stored=stored),
        most=server.limit("configurations"),
    )
    return findings + derived.total(server, path)


def request_names(devices: DeviceClaim) -> frozenset[str]:
    """Give the names by which requests and subrequests can be referred to. Of requests of one name the last counts, one with a slash none."""
    last = {item.name: item.first_available for item in devices.requests}
    names = {name for name in last if "/" not in name}
    return frozenset(names | {f"{name}/{each.name}" for name in names for each in last[name] if "/" not in each.name})


def request_reference(name: str, path: str, names: frozenset[str]) -> Findings:
    """Check the name of a request or subrequest that something is for."""
    parts = name.split("/")
    if len(parts) > 2:
        return [invalid(path, name, _NO_REQUEST)]
    findings = [finding for part in parts for finding in check(path, part, label)]
    return findings if name in names else [*findings, invalid(path, name, _NO_REQUEST)]


def request_references(server: Server, items: Sequence[str], path: str, names: frozenset[str]) -> Findings:
    """Check the names of the requests that something is for."""
    most = server.limit("requests")
    return check_set(server, items, path, lambda name, place: request_reference(name, place, names), key=lambda name: name, most=most)


def _constraint(server: Server, item: DeviceConstraint, path: str, names: frozenset[str]) -> Findings:
    """Check what must hold between devices."""
    findings = request_references(server, item.requests, f"{path}.requests", names)
    if item.match_attribute is not None:
        return findings + fully_qualified_name(server, f"{path}.matchAttribute", item.match_attribute)
    if item.distinct_attribute is not None:
        return findings + fully_qualified_name(server, f"{path}.distinctAttribute", item.distinct_attribute)
    if server.enabled("DRAConsumableCapacity"):
        return [*findings, required(path, _NO_ATTRIBUTE)]
    return [*findings, required(f"{path}.matchAttribute")]


def _configuration(server: Server, item: DeviceClaimConfiguration, path: str, names: frozenset[str], *, stored: bool) -> Findings:
    """Check a configuration."""
    return request_references(server, item.requests, f"{path}.requests", names) + configuration(server, item.opaque, path, stored=stored)
