"""
Room: what an update may make of the status of a claim.

A status is only ever updated: a claim is made without one. An allocation is checked when it is set, and then stays as it is until it is taken away.

May touch: `addresses`, `claims`, `collections`, `conditions`, `configuration`, `findings`, `formats`, `internal`, `metadata`, `nodes`, `taints`,
`server`, `resources`, `quoting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..quoting import quoted
from ..resources import (
    AllocatedDeviceStatus,
    AllocationResult,
    DeviceAllocationConfiguration,
    DeviceRequestAllocationResult,
    NetworkDeviceData,
    RawJSON,
    ResourceClaim,
    ResourceClaimConsumerReference,
    ResourceClaimStatus,
)
from ..resources.status_gates import identity
from .addresses import canonical
from .claims import UNAUTHORIZED, request_names, request_reference, request_references
from .collections import check_list, check_set
from .conditions import conditions
from .configuration import configuration
from .findings import Encoded, Findings, duplicate, forbidden, invalid, not_supported, required, size, too_long, too_many
from .formats import check, driver_name, label, pool_name, uid
from .internal import shown
from .metadata import IMMUTABLE, changed_metadata, kube_finalizers
from .nodes import node_selector
from .server import Server
from .taints import binding_conditions, toleration

_SOURCES: Final = ("FromClaim", "FromClass")
_PREPARE: Final = "NodePrepareResources"
_UNPREPARE: Final = "NodeUnprepareResources"
_ADDRESS: Final = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"


def changed_status(server: Server, item: ResourceClaim, old: ResourceClaim, *, admin_access: bool) -> Findings:
    """Check a claim of which the status is changed."""
    findings = [] if admin_access else _authorized(item.status, old.status)
    findings += changed_metadata(server, item.metadata, old.metadata) + kube_finalizers(item.metadata)
    status, names = item.status, request_names(item.spec.devices)
    findings += check_set(
        server,
        status.reserved_for,
        "status.reservedFor",
        _consumer,
        key=lambda each: each.uid,
        most=server.limit("consumers"),
        named="uid",
    )
    results = () if status.allocation is None else status.allocation.devices.results
    allocated = {identity(each) for each in results}
    findings += check_list(server, status.devices, "status.devices", lambda each, path: _device(server, each, path, allocated), most=None)
    findings += _repeated(server, status.devices)
    findings += _reserved(status, old, deleted=item.metadata.deletion_timestamp is not None)
    return findings + _allocated(server, status.allocation, old.status.allocation, names)


def _identified(server: Server, parts: Sequence[str]) -> Encoded:
    """Show what tells devices apart. 1.34 shows no more than the names of the parts: their values are of a type that hides them."""
    names = ("Driver", "Pool", "Device", "ShareID")
    return Encoded({name: part if server.minor >= 35 else {} for name, part in zip(names, parts, strict=True)})


def _repeated(server: Server, devices: Sequence[AllocatedDeviceStatus]) -> Findings:
    """Say which devices stand twice."""
    first: dict[tuple[str, ...], int] = {}
    suffix = ".deviceID" if server.minor < 35 else ""
    return [
        duplicate(f"status.devices[{index}]{suffix}", _identified(server, key), covered=True)
        for index, key in enumerate(map(identity, devices))
        if first.setdefault(key, index) != index
    ]


def _granted(status: ResourceClaimStatus) -> int | None:
    """Give the number of the first result with admin access; `None` when none has it."""
    results = () if status.allocation is None else status.allocation.devices.results
    return next((index for index, result in enumerate(results) if result.admin_access), None)


def _authorized(status: ResourceClaimStatus, old: ResourceClaimStatus) -> Findings:
    """Say that the namespace does not let claims have admin access, unless it is granted already."""
    index = _granted(status)
    if index is None or _granted(old) is not None:
        return []
    return [forbidden(f"status.allocation.devices.results[{index}].adminAccess", UNAUTHORIZED)]


def _consumer(item: ResourceClaimConsumerReference, path: str) -> Findings:
    """Check who may use a claim."""
    given = (("resource", item.resource), ("name", item.name), ("uid", item.uid))
    return [required(f"{path}.{name}") for name, value in given if not value]


def _reserved(status: ResourceClaimStatus, old: ResourceClaim, *, deleted: bool) -> Findings:
    """Check that only what is allocated is in use, and that nobody new takes what is to be deleted."""
    if not status.reserved_for:
        return []
    if status.allocation is None:
        return [forbidden("status.reservedFor", "may not be specified when `allocated` is not set")]
    if deleted and not set(status.reserved_for) <= set(old.status.reserved_for):
        detail = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
        return [forbidden("status.reservedFor", detail)]
    return []


def _allocated(server: Server, allocation: AllocationResult | None, old: AllocationResult | None, names: frozenset[str]) -> Findings:
    """Check an allocation: one that was there must stay as it is, or go."""
    path = "status.allocation"
    if allocation is None:
        return []
    if old is not None:
        same = allocation == old
        return [] if same else [invalid(path, Encoded(shown(allocation, server)), IMMUTABLE, origin="update", covered=True)]
    devices = allocation.devices
    findings = check_list(
        server,
        devices.results,
        f"{path}.devices.results",
        lambda each, place: _result(server, each, place, names),
        most=server.limit("results"),
    )
    findings += check_list(
        server,
        devices.config,
        f"{path}.devices.config",
        lambda each, place: _configured(server, each, place, names),
        most=server.limit("allocation configurations"),
    )
    return findings if allocation.node_selector is None else findings + node_selector(server, allocation.node_selector, f"{path}.nodeSelector")


def _result(server: Server, item: DeviceRequestAllocationResult, path: str, names: frozenset[str]) -> Findings:
    """Check an allocated device."""
    findings = request_reference(item.request, f"{path}.request", names)
    findings += driver_name(server, f"{path}.driver", item.driver, covered=True)
    findings += pool_name(server, f"{path}.pool", item.pool, covered=True)
    findings += check(f"{path}.device", item.device, label)
    findings += binding_conditions(server, item.binding_conditions, item.binding_failure_conditions, path)
    if server.minor >= 37:
        findings += [finding for index, each in enumerate(item.tolerations) for finding in toleration(server, each, f"{path}.tolerations[{index}]")]
    if item.share_id is not None:
        findings += check(f"{path}.shareID", item.share_id, uid, origin="format=k8s-uuid", covered=True)
    skipped = item.skip_node_operations
    if _PREPARE in skipped and not {_UNPREPARE, "*"} & set(skipped):
        detail = "NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped"
        findings.append(invalid(f"{path}.skipNodeOperations", Encoded(list(skipped)), detail))
    return findings


def _configured(server: Server, item: DeviceAllocationConfiguration, path: str, names: frozenset[str]) -> Findings:
    """Check a configuration of an allocation."""
    findings: Findings = []
    if not item.source:
        findings.append(required(f"{path}.source", covered=True))
    elif item.source not in _SOURCES:
        findings.append(not_supported(f"{path}.source", item.source, _SOURCES, covered=True))
    findings += request_references(server, item.requests, f"{path}.requests", names)
    return findings + configuration(server, item.opaque, path, stored=False)


def _device(server: Server, item: AllocatedDeviceStatus, path: str, allocated: set[tuple[str, ...]]) -> Findings:
    """Check what a driver says of a device, which must be one that the claim got."""
    findings = driver_name(server, f"{path}.driver", item.driver) + pool_name(server, f"{path}.pool", item.pool)
    findings += check(f"{path}.device", item.device, label)
    if item.share_id is not None:
        findings += check(f"{path}.shareID", item.share_id, uid, origin="format=k8s-uuid", covered=True)
    if identity(item) not in allocated:
        findings.append(invalid(path, _identified(server, identity(item)), "must be an allocated device in the claim"))
    most = server.limit("conditions")
    if len(item.conditions) > most:
        findings.append(too_many(f"{path}.conditions", len(item.conditions), most))
    findings += conditions(server, item.conditions, f"{path}.conditions")
    if item.data is not None:
        findings += _data(server, item.data, f"{path}.data")
    return findings if item.network_data is None else findings + _network(server, item.network_data, f"{path}.networkData")


def _data(server: Server, data: RawJSON, path: str) -> Findings:
    """Check what else a driver says: a JSON object."""
    most = server.limit("device data")
    if size(data.text) > most:
        return [too_long(path, most)]
    return [] if data.text.startswith("{") else [invalid(path, "<value omitted>", "must be a valid JSON object")]


def _network(server: Server, data: NetworkDeviceData, path: str) -> Findings:
    """Check what a driver says of a network device."""
    findings: Findings = []
    for name, text, limit in (
        ("interfaceName", data.interface_name, "interface name"),
        ("hardwareAddress", data.hardware_address, "hardware address"),
    ):
        most = server.limit(limit)
        if size(text) > most:
            # Only from 1.37 on do the declarations count bytes too.
            findings.append(too_long(f"{path}.{name}", most, origin="maxBytes", covered=True))
    return findings + check_set(server, data.ips, f"{path}.ips", _address, key=lambda each: each, most=server.limit("addresses"))


def _address(text: str, path: str) -> Findings:
    """Check an address with its prefix."""
    form = canonical(text)
    if form is None:
        return [invalid(path, text, _ADDRESS)]
    return [] if form == text else [invalid(path, text, f"must be in canonical form ({quoted(form)})")]
