"""
Room: the devices of a slice.

May touch: `capacity`, `collections`, `findings`, `formats`, `internal`, `nodes`, `taints`, `server`, `devices`, `attributes`, `quantity`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..attributes import DeviceAttribute
from ..devices import (
    Device,
    DeviceCounterConsumption,
    NodeAllocatableMapping,
    NodeAllocatableOverhead,
    NodeAllocatableResource,
    NodeAllocatableResourceMapping,
)
from ..quantity import Quantity
from .capacity import capacity
from .collections import check_list, check_map, check_set
from .findings import Encoded, Findings, invalid, not_found, required, size, too_long
from .formats import check, label, qualified_name, semver
from .internal import shown
from .nodes import node_name, node_selector
from .server import Server
from .taints import binding_conditions, taint

#: The longest key of a map that paths show in full.
LONGEST_LABEL: Final = 63

_ONE_VALUE: Final = "exactly one value must be specified"
_SCALARS: Final = (("bool_value", "bool"), ("int_value", "int"), ("string_value", "string"), ("version_value", "version"))
_LISTS: Final = (("bool_values", "bools"), ("int_values", "ints"), ("string_values", "strings"), ("version_values", "versions"))


def attribute(server: Server, item: DeviceAttribute, path: str) -> Findings:
    """Check an attribute: it has one value, which is not too long."""
    findings: Findings = []
    most = server.limit("attribute value")

    def text(value: str, place: str) -> Findings:
        return [too_long(place, most)] if size(value) > most else []

    def version(value: str, place: str) -> Findings:
        return check(place, value, semver) + text(value, place)

    checks: dict[str, Callable[[str, str], Findings]] = {"string": text, "version": version, "strings": text, "versions": version}
    for name, wire_name in _SCALARS:
        value = getattr(item, name)
        if value is not None and wire_name in checks:
            findings += checks[wire_name](value, f"{path}.{wire_name}")
    for name, wire_name in _LISTS:
        values = getattr(item, name)
        if values is not None and not values:
            findings.append(invalid(f"{path}.{wire_name}", Encoded([]), "must not be empty if specified"))
        if values and wire_name in checks:
            findings += [finding for index, each in enumerate(values) for finding in checks[wire_name](each, f"{path}.{wire_name}[{index}]")]
    given = sum(getattr(item, name) is not None for name, _ in _SCALARS + _LISTS)
    if given == 0 and server.minor < 35:
        findings.append(required(path, _ONE_VALUE))
    elif given != 1:
        value = "" if given == 0 else Encoded(shown_attribute(server, item))
        findings.append(invalid(path, value, _ONE_VALUE, origin="union", covered=True))
    return findings


def shown_attribute(server: Server, item: DeviceAttribute) -> dict[str, Any]:
    """Give an attribute in the form that Kubernetes shows: that of its internal type."""
    names = ("int_value", "bool_value", "string_value", "version_value")
    lists = () if server.minor < 36 else ("int_values", "bool_values", "string_values", "version_values")
    return {"".join(part.capitalize() for part in name.split("_")): shown(getattr(item, name), server) for name in names + lists}


def values(item: Device) -> int:
    """Count the values of a device's attributes, each item of a list for itself."""
    counts = (sum(len(getattr(each, name) or ()) for name, _ in _LISTS) for each in item.attributes.values())
    return sum(count or 1 for count in counts)


def consumption(server: Server, item: DeviceCounterConsumption, path: str) -> Findings:
    """Check what a device consumes from one counter set."""
    findings: Findings = []
    if not item.counter_set:
        findings.append(required(f"{path}.counterSet", covered=True))
    elif server.minor >= 35:
        findings += check(f"{path}.counterSet", item.counter_set, label, origin="format=k8s-short-name", covered=True)
    limit = "counters of a consumption" if server.minor >= 35 else None
    return findings + counters(server, item.counters, f"{path}.counters", limit=limit)


def counters(server: Server, entries: Any, path: str, *, limit: str | None) -> Findings:
    """Check the counters of a set or of a consumption."""
    if not entries:
        return [required(path, covered=True)]
    return check_map(
        server,
        entries,
        path,
        name=lambda name, place: check(place, name, label, origin="format=k8s-short-name"),
        value=lambda _value, _place: [],
        longest_name=LONGEST_LABEL,
        most=None if limit is None else server.limit(limit),
        covered=True,
    )


def device(server: Server, item: Device, path: str, *, old: Device | None, placed: bool | None, sets: dict[str, frozenset[str]]) -> Findings:
    """
    Check a device.

    Args:
        server: Who checks.
        item: The device.
        path: Where it stands.
        old: The device of that name as it was; `None` when there was none.
        placed: `perDeviceNodeSelection` of its slice.
        sets: The counters of the slice by the name of their set, which 1.34 looks into.
    """
    findings = check(f"{path}.name", item.name, label)
    findings += _counted(server, item, path)
    longest = server.limit("domain") + 1 + server.limit("id")

    def name(text: str, place: str) -> Findings:
        return qualified_name(server, place, text)

    findings += check_map(
        server,
        item.attributes,
        f"{path}.attributes",
        name=name,
        value=lambda each, place: attribute(server, each, place),
        longest_name=longest,
    )
    if old is None or server.minor < 37 or old.capacity != item.capacity:
        shared = bool(item.allow_multiple_allocations)
        findings += check_map(
            server,
            item.capacity,
            f"{path}.capacity",
            name=name,
            value=lambda each, place: capacity(server, each, place, shared=shared),
            longest_name=longest,
        )
    if old is None or server.minor < 35 or old.taints != item.taints:
        findings += check_list(
            server, item.taints, f"{path}.taints", lambda each, place: taint(server, each, place), most=server.limit("taints"), covered=False
        )
    findings += check_set(
        server,
        item.consumes_counters,
        f"{path}.consumesCounters",
        lambda each, place: consumption(server, each, place),
        key=lambda each: each.counter_set,
        most=server.limit("consumptions") if server.minor >= 35 else None,
        named="counterSet",
    )
    if server.minor < 35:
        findings += _consumed(server, item, path, sets)
    findings += _placement(server, item, path, placed=placed)
    findings += binding_conditions(server, item.binding_conditions, item.binding_failure_conditions, path)
    return findings + _allocatable(server, item, path)


def _counted(server: Server, item: Device, path: str) -> Findings:
    """Count attributes, capacities and values."""
    findings: Findings = []
    number, most = len(item.attributes) + len(item.capacity), server.limit("attributes and capacities")
    if number > most:
        findings.append(invalid(path, Encoded(number), f"the total number of attributes and capacities must not exceed {most}"))
    if server.minor >= 36 and values(item) > server.limit("attribute values"):
        detail = f"the total number of attribute values must not exceed {server.limit('attribute values')}"
        findings.append(invalid(path, Encoded(values(item)), detail))
    return findings


def _consumed(server: Server, item: Device, path: str, sets: dict[str, frozenset[str]]) -> Findings:
    """Check, as 1.34 does, that what is consumed is there: later minors have sets and devices in different slices."""
    findings: Findings = []
    number, most = sum(len(each.counters) for each in item.consumes_counters), server.limit("counters of a device")
    if number > most:
        findings.append(invalid(path, Encoded(number), f"the total number of counters must not exceed {most}"))
    for index, each in enumerate(item.consumes_counters):
        place = f"{path}.consumesCounters[{index}]"
        if each.counter_set not in sets:
            detail = "must reference a counterSet defined in the ResourceSlice sharedCounters"
            findings.append(invalid(f"{place}.counterSet", each.counter_set, detail))
            continue
        detail = "must reference a counter defined in the ResourceSlice sharedCounters"
        findings += [invalid(f"{place}.counters", name, detail) for name in each.counters if name not in sets[each.counter_set]]
    return findings


_WHEN_PLACED: Final = (
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec"
)
_UNPLACED: Final = "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec"


def _placement(server: Server, item: Device, path: str, *, placed: bool | None) -> Findings:
    """Check which nodes a device says that it is on: as one of three, if the slice leaves it to its devices."""
    if not placed:
        given = (item.node_name, item.node_selector, item.all_nodes) != (None, None, None)
        return [invalid(path, None, _UNPLACED)] if given else []
    findings: Findings = []
    fields: list[str] = []
    if item.node_name is not None:
        if item.node_name:
            fields.append("`nodeName`")
            findings += node_name(f"{path}.nodeName", item.node_name)
        else:
            findings.append(invalid(f"{path}.nodeName", "", "must not be empty"))
    if item.node_selector is not None:
        fields.append("`nodeSelector`")
        findings += node_selector(server, item.node_selector, f"{path}.nodeSelector")
    if item.all_nodes:
        fields.append("`allNodes`")
    elif item.all_nodes is not None:
        findings.append(invalid(f"{path}.allNodes", value=False, detail="must be either unset or set to true"))
    if not fields:
        findings.append(required(path, _WHEN_PLACED))
    elif len(fields) > 1:
        findings.append(invalid(path, f"{{{', '.join(fields)}}}", _WHEN_PLACED))
    return findings


_NOT_OF_A_NODE: Final = "must be a node allocatable resource name"


def _allocatable(server: Server, item: Device, path: str) -> Findings:
    """Check what a device takes of its node's resources."""
    findings: Findings = []
    if server.minor == 36:
        for name, mapping in item.node_allocatable_resource_mappings.items():
            place = f"{path}.nodeAllocatableResourceMappings[{name}]"
            if "/" in name and "kubernetes.io/" not in name:
                findings.append(invalid(place, Encoded(name), _NOT_OF_A_NODE))
            findings += _old_mapping(item, mapping, place)
    if server.minor >= 37:
        for name, resource in item.node_allocatable_resources.items():
            place = f"{path}.nodeAllocatableResources[{name}]"
            if name not in {"cpu", "memory"} and not name.startswith("hugepages-"):
                findings.append(invalid(place, Encoded(name), _NOT_OF_A_NODE))
            findings += _resource(item, resource, place)
    return findings


def _old_mapping(item: Device, mapping: NodeAllocatableResourceMapping, path: str) -> Findings:
    """Check a mapping in the form of 1.36; defaulting leaves none without a multiplier."""
    findings = _positive(mapping.allocation_multiplier, f"{path}.allocationMultiplier")
    return findings + _capacity_key(item, mapping.capacity_key, f"{path}.capacityKey")


def _resource(item: Device, resource: NodeAllocatableResource, path: str) -> Findings:
    """Check a resource in the form of 1.37."""
    findings: Findings = []
    if resource.mapping is None and resource.overhead is None:
        findings.append(required(path, "at least one of mapping or overhead must be set"))
    if resource.mapping is not None:
        findings += _mapping(item, resource.mapping, f"{path}.mapping")
    if resource.overhead is not None:
        findings += _overhead(resource.overhead, f"{path}.overhead")
    return findings


def _mapping(item: Device, mapping: NodeAllocatableMapping, path: str) -> Findings:
    """Check what of a device is a resource of its node."""
    findings: Findings = []
    if mapping.capacity_key is not None:
        findings += _capacity_key(item, mapping.capacity_key, f"{path}.capacityKey")
        if mapping.capacity_multiplier is None:
            findings.append(required(f"{path}.capacityMultiplier", "capacityMultiplier is required when capacityKey is set"))
        else:
            findings += _positive(mapping.capacity_multiplier, f"{path}.capacityMultiplier")
    findings += _positive(mapping.device_multiplier, f"{path}.deviceMultiplier")
    if mapping.capacity_multiplier is not None and mapping.capacity_key is None:
        findings.append(required(f"{path}.capacityKey", "capacityKey is required when capacityMultiplier is set"))
    return findings


def _overhead(overhead: NodeAllocatableOverhead, path: str) -> Findings:
    """Check what an allocation costs beside."""
    amounts = (("perPod", overhead.per_pod), ("perContainer", overhead.per_container))
    if all(amount is None for _, amount in amounts):
        return [invalid(path, "", "at least one of perPod or perContainer must be set")]
    return [invalid(f"{path}.{name}", str(amount), "must be non-negative") for name, amount in amounts if amount is not None and amount.sign < 0]


def _positive(amount: Quantity | None, path: str) -> Findings:
    """Check that an amount that is there is above zero."""
    return [invalid(path, str(amount), "must be positive")] if amount is not None and amount.sign <= 0 else []


def _capacity_key(item: Device, key: str | None, path: str) -> Findings:
    """Check that a capacity that is named is one of the device's."""
    if key is None or key in item.capacity:
        return [] if key != "" else [invalid(path, "", "capacityKey must not be an empty string")]
    return [not_found(path, Encoded(key))] if key else [invalid(path, "", "capacityKey must not be an empty string")]
