"""
Room: what a DeviceClass must be.

May touch: `collections`, `configuration`, `findings`, `formats`, `metadata`, `selectors`, `server`, `resources`.
"""

from __future__ import annotations

from ..resources import DeviceClass, DeviceClassSpec
from .collections import check_list
from .configuration import configuration
from .findings import Findings, invalid
from .formats import extended_resource
from .metadata import DECLARED, SUBDOMAIN, changed_metadata, kube_finalizers, new_metadata
from .selectors import selectors
from .server import Server


def new_class(server: Server, item: DeviceClass) -> Findings:
    """Check a class that is made."""
    return _metadata(server, item) + _spec(server, item.spec, None)


def changed_class(server: Server, item: DeviceClass, old: DeviceClass) -> Findings:
    """Check a class that is changed. 1.34 checks it first as if it was made."""
    findings = _metadata(server, item)
    if server.minor < 35:
        findings += _spec(server, item.spec, None)
    findings += changed_metadata(server, item.metadata, old.metadata) + kube_finalizers(item.metadata)
    return findings + _spec(server, item.spec, old.spec)


def _metadata(server: Server, item: DeviceClass) -> Findings:
    """Check the metadata."""
    rule = SUBDOMAIN if server.minor < 35 else DECLARED
    return new_metadata(server, item.metadata, namespaced=False, rule=rule) + kube_finalizers(item.metadata)


def _spec(server: Server, spec: DeviceClassSpec, old: DeviceClassSpec | None) -> Findings:
    """Check a spec. Selectors that are all as before count as stored, configurations too."""
    unchanged = old is not None and spec.selectors == old.selectors
    findings = selectors(server, spec.selectors, "spec.selectors", stored=unchanged)
    kept = old is not None and spec.config == old.config
    findings += check_list(
        server,
        spec.config,
        "spec.config",
        lambda each, path: configuration(server, each.opaque, path, stored=kept),
        most=server.limit("configurations"),
    )
    name = spec.extended_resource_name
    if name is not None and not extended_resource(server)(name):
        detail = "must be a valid extended resource name"
        findings.append(invalid("spec.extendedResourceName", name, detail, origin="format=k8s-extended-resource-name", covered=True))
    return findings
