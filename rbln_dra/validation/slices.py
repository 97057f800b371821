"""
Room: what a ResourceSlice must be.

May touch: `collections`, `devices`, `findings`, `formats`, `metadata`, `nodes`, `server`, `rbln_dra.devices`, `resources`, `wire`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .. import wire
from ..devices import Device, NodeSelectorTerm
from ..resources import CounterSet, ResourceSlice, ResourceSliceSpec
from .collections import check_set
from .devices import counters, device, shown_attribute
from .findings import Encoded, Findings, invalid, required
from .formats import check, driver_name, fully_qualified_name, label, pool_name
from .metadata import IMMUTABLE, changed_metadata, kube_finalizers, new_metadata
from .nodes import node_name, node_selector
from .server import Server

_ONE_PLACE: Final = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"
_UNSET_OR_TRUE: Final = "must be either unset or set to true"


def new_slice(server: Server, item: ResourceSlice) -> Findings:
    """Check a slice that is made."""
    return new_metadata(server, item.metadata, namespaced=False) + kube_finalizers(item.metadata) + _spec(server, item.spec, None)


def changed_slice(server: Server, item: ResourceSlice, old: ResourceSlice) -> Findings:
    """Check a slice that is changed."""
    return changed_metadata(server, item.metadata, old.metadata) + kube_finalizers(item.metadata) + _spec(server, item.spec, old.spec)


def _spec(server: Server, spec: ResourceSliceSpec, old: ResourceSliceSpec | None) -> Findings:
    """Check a spec."""
    findings = driver_name(server, "spec.driver", spec.driver) + pool_name(server, "spec.pool.name", spec.pool.name)
    if spec.pool.resource_slice_count <= 0:
        findings.append(invalid("spec.pool.resourceSliceCount", spec.pool.resource_slice_count, "must be greater than zero"))
    if spec.pool.generation < 0:
        findings.append(invalid("spec.pool.generation", spec.pool.generation, "must be greater than or equal to zero"))
    if old is not None:
        fixed = (
            ("spec.pool.name", spec.pool.name, old.pool.name),
            ("spec.driver", spec.driver, old.driver),
            ("spec.nodeName", Encoded(spec.node_name), Encoded(old.node_name)),
        )
        findings += [invalid(path, value, IMMUTABLE) for path, value, before in fixed if value != before]
    findings += _placement(server, spec)
    if server.minor >= 35 and not isinstance(spec.shared_counters, wire.Nil) and not isinstance(spec.devices, wire.Nil):
        findings.append(invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed"))
    findings += _devices(server, spec, old)
    if server.minor < 35:
        findings += _counted(server, spec)
    findings += check_set(
        server,
        spec.shared_counters,
        "spec.sharedCounters",
        lambda each, path: _counter_set(server, each, path),
        key=lambda each: each.name,
        most=server.limit("counter sets") if server.minor >= 35 else None,
        named="name",
    )
    if spec.partition_type_attribute is not None:
        findings += _partition_type(server, spec, spec.partition_type_attribute)
    return findings + skip_node_operations(spec.skip_node_operations, "spec.skipNodeOperations")


def _placement(server: Server, spec: ResourceSliceSpec) -> Findings:
    """Check which nodes reach the devices: said in one of four ways."""
    findings: Findings = []
    fields: list[str] = []
    if spec.node_name:
        fields.append("`nodeName`")
        findings += node_name("spec.nodeName", spec.node_name)
    elif spec.node_name is not None:
        findings.append(invalid("spec.nodeName", "", "must be either unset or set to a non-empty string"))
    if spec.node_selector is not None:
        fields.append("`nodeSelector`")
        findings += node_selector(server, spec.node_selector, "spec.nodeSelector")
        terms = spec.node_selector.terms
        if len(terms) != 1:
            shown = None if isinstance(terms, wire.Nil) else [_term(term) for term in terms]
            findings.append(invalid("spec.nodeSelector.nodeSelectorTerms", Encoded(shown), "must have exactly one node selector term"))
    for name, value in (("allNodes", spec.all_nodes), ("perDeviceNodeSelection", spec.per_device_node_selection)):
        if value:
            fields.append(f"`{name}`")
        elif value is not None:
            findings.append(invalid(f"spec.{name}", value=False, detail=_UNSET_OR_TRUE))
    if not fields:
        findings.append(required("spec", _ONE_PLACE))
    elif len(fields) > 1:
        findings.append(invalid("spec", f"{{{', '.join(fields)}}}", f"{_ONE_PLACE}, but multiple fields are set"))
    return findings


def _term(term: NodeSelectorTerm) -> dict[str, object]:
    """Give a term in the form that Kubernetes shows: that of its internal type."""
    return {
        name: None
        if isinstance(requirements, wire.Nil)
        else [
            {"Key": each.key, "Operator": each.operator, "Values": None if isinstance(each.values, wire.Nil) else list(each.values)}
            for each in requirements
        ]
        for name, requirements in (("MatchExpressions", term.match_expressions), ("MatchFields", term.match_fields))
    }


def _devices(server: Server, spec: ResourceSliceSpec, old: ResourceSliceSpec | None) -> Findings:
    """Check the devices."""
    before = {each.name: each for each in reversed(() if old is None else old.devices)}
    sets = {each.name: frozenset(each.counters) for each in spec.shared_counters}
    advanced = server.minor >= 35 and any(each.taints or each.consumes_counters for each in spec.devices)
    listed = server.minor >= 36 and any(_has_list(each) for each in spec.devices)
    return check_set(
        server,
        spec.devices,
        "spec.devices",
        lambda each, path: device(server, each, path, old=before.get(each.name), placed=spec.per_device_node_selection, sets=sets),
        key=lambda each: each.name,
        most=server.limit("devices with advanced features" if advanced or listed else "devices"),
        named="name",
        covered=False,
    )


def _has_list(item: Device) -> bool:
    """Tell whether a device has an attribute that is a list."""
    names = ("int_values", "bool_values", "string_values", "version_values")
    return any(getattr(each, name) is not None for each in item.attributes.values() for name in names)


def _counted(server: Server, spec: ResourceSliceSpec) -> Findings:
    """Count the counters of devices and of sets, as 1.34 does."""
    findings: Findings = []
    consumed = sum(len(each.counters) for item in spec.devices for each in item.consumes_counters)
    counts = (
        ("devices", "counters in devices", consumed, "counters of all devices"),
        ("sharedCounters", "shared counters", sum(len(each.counters) for each in spec.shared_counters), "shared counters"),
    )
    for field, what, number, limit in counts:
        if number > server.limit(limit):
            findings.append(invalid(f"spec.{field}", Encoded(number), f"the total number of {what} must not exceed {server.limit(limit)}"))
    return findings


def _counter_set(server: Server, item: CounterSet, path: str) -> Findings:
    """Check a counter set."""
    if item.name:
        findings = check(f"{path}.name", item.name, label, origin="format=k8s-short-name", covered=True)
    else:
        findings = [required(f"{path}.name", covered=True)]
    return findings + counters(server, item.counters, f"{path}.counters", limit="counters of a set" if server.minor >= 35 else None)


def _partition_type(server: Server, spec: ResourceSliceSpec, name: str) -> Findings:
    """Check that all devices that consume counters have the attribute that tells their kind of partition, as a text."""
    if not any(each.consumes_counters for each in spec.devices):
        detail = "may only be set on a slice which declares devices that consume counters"
        return [invalid("spec.partitionTypeAttribute", name, detail)]
    if fully_qualified_name(server, "", name):
        return []  # The declarations say what is wrong with it.
    bare = name.removeprefix(f"{spec.driver}/")
    findings: Findings = []
    for index, each in enumerate(spec.devices):
        if not each.consumes_counters:
            continue
        path = f"spec.devices[{index}].attributes[{name}]"
        found = each.attributes.get(name) or each.attributes.get(bare)
        if found is None:
            detail = "device consumes counters and `partitionTypeAttribute` names this attribute, so it must be set"
            findings.append(required(path, detail))
        elif found.string_value is None:
            detail = "must be a string value because `partitionTypeAttribute` names this attribute"
            findings.append(invalid(path, Encoded(shown_attribute(server, found)), detail))
    return findings


def skip_node_operations(operations: Sequence[str], path: str) -> Findings:
    """Check what a node's plugin need not do: preparing goes only with unpreparing."""
    if "NodePrepareResources" in operations and not {"NodeUnprepareResources", "*"} & set(operations):
        detail = "NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped"
        return [invalid(path, Encoded(list(operations)), detail)]
    return []
