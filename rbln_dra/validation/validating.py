"""
Room: the way of an object through the API server: read, completed, checked by hand, checked by declaration.

May touch: `claims`, `classes`, `declarations`, `declared`, `findings`, `metadata`, `server`, `slices`, `status`, `resources`, `kubernetes`, `errors`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs
from packaging.version import Version

from ..errors import DecodeError, InvalidValue
from ..kubernetes import DEFAULT, Kubernetes
from ..resources import GROUP, VERSIONS, DeviceClass, Object, ResourceClaim, ResourceClaimTemplate, ResourceSlice, from_dict, stored, stored_status
from ..resources.versions import named
from .claims import changed_claim, changed_template, new_claim, new_template
from .classes import changed_class, new_class
from .declarations import DECLARATIONS
from .declared import check_fields, merged
from .findings import FieldError, Findings
from .metadata import SEGMENT, changed_metadata, new_metadata
from .server import Server
from .slices import changed_slice, new_slice
from .status import changed_status

#: What Kubernetes appends to `generateName`, and how long the name may then be.
_SUFFIX: Final = "x7k2p"
_LONGEST_GENERATED: Final = 63
_NAMESPACE: Final = "default"
#: The one part of an object that is updated for itself.
_STATUS: Final = "status"


def validate(
    obj: object,
    *,
    kubernetes: str | Version | Kubernetes = DEFAULT,
    old: object = None,
    admin_access: bool = False,
    version: str | None = None,
    namespace: str = "",
    subresource: str = "",
) -> tuple[FieldError, ...]:
    """
    Say what the API server has against an object: all its field errors, in its order; none when it admits the object.

    The object is completed first, as the API server does: defaults are filled in, and what a feature needs that is off is dropped.

    Args:
        obj: The object: one of `rbln_dra.resources`, a mapping as `json.loads` gives it, or an object of a client.
        kubernetes: The minor, with its feature gates.
        old: The object as it is stored, when `obj` is an update of it. The update must name its `resourceVersion`.
        admin_access: Whether the namespace has the label `resource.kubernetes.io/admin-access: "true"`.
        version: The version of the API that is spoken: `v1`, `v1beta2` or `v1beta1`; it shows in a few paths. `None` means the object's own, or v1.
        namespace: The namespace of the request, for a claim or a template that names none; empty means `default`.
        subresource: `status` when the update is one of a claim's status, as the scheduler and drivers make it: its status alone is then taken from
            `obj`. Whether someone may set that status is not asked. Empty means an update of all the rest.

    Raises:
        DecodeError: The API server could not read the object; it then says nothing else.
        UnknownKubernetes: The minor or a gate is not known.
        InvalidValue: There is no such version, or no such subresource of the object.

    Source: the strategies of pkg/registry/resource and the validation of pkg/apis/resource, 1.34.9, 1.35.6, 1.36.2 and 1.37.1.

    >>> from rbln_dra import validate
    >>> validate({"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "npu"}, "spec": {"selectors": [{}]}})
    (FieldError(reason='FieldValueRequired', field='spec.selectors[0].cel', message='Required value'),)
    """
    InvalidValue.unless_text(namespace, "the name of a namespace, or an empty text")
    server, of_status = Server.of(kubernetes), subresource == _STATUS
    item, given = _read(obj, server, version)
    before: Any = None if old is None else _read(old, server, version)[0]
    if before is not None and type(before) is not type(item):
        raise DecodeError("kind", type(before).__name__, type(item).__name__)
    own = item.metadata.namespace or (before.metadata.namespace if before is not None else "")
    space = "" if isinstance(item, ResourceSlice | DeviceClass) else namespace or own or _NAMESPACE
    if subresource:
        _check_subresource(subresource, item, before)
    item = _named(item)
    if before is not None and not before.metadata.namespace:
        before = _changed(before, namespace=space)
    completed = _completed(server, item, before, space, of_status=of_status)
    findings = _by_hand(server, completed, before, admin_access=admin_access, of_status=of_status)
    if server.declares:
        findings = merged(findings, _by_declaration(server, completed, before, given))
    return tuple(finding.error for finding in findings)


def _read(obj: Any, server: Server, version: str | None) -> tuple[Object, str]:
    """
    Read an object as the server does, and give the version in which it comes.

    Raises:
        DecodeError: The API server could not read it.
        InvalidValue: There is no such version.
    """
    # What is made here goes over the wire too.
    if version is not None:
        InvalidValue.unless_text(version, f"one of {', '.join(VERSIONS)}")
    form: Any = obj.to_dict(version or VERSIONS[0]) if isinstance(obj, Object) else named(obj)
    item = from_dict(form, kubernetes=server.release)
    given = str(form["apiVersion"]).rpartition("/")[2] if version is None else version.removeprefix(f"{GROUP}/")
    if given not in VERSIONS:
        raise InvalidValue(version, f"one of {', '.join(VERSIONS)}")
    return item, given


def _check_subresource(name: str, item: Object, old: Object | None) -> None:
    """
    Check that an object has a part that is updated for itself.

    Raises:
        InvalidValue: It has none of that name, or it is not updated.
    """
    if name != _STATUS or not isinstance(item, ResourceClaim):
        raise InvalidValue(f"{type(item).__name__}/{name}", f"ResourceClaim/{_STATUS}")
    if old is None:
        raise InvalidValue(_STATUS, "the claim as it is stored: a status is only ever updated", hint="pass it as old")


def _changed(item: Object, **changes: Any) -> Any:
    """Change the metadata of an object."""
    return attrs.evolve(item, metadata=attrs.evolve(item.metadata, **changes))


def _completed(server: Server, item: Any, old: Any, namespace: str, *, of_status: bool) -> Any:
    """Give what the API server would store: that is what it checks."""
    if of_status:
        return stored_status(_changed(item, namespace=namespace), old=old, kubernetes=server.release)
    return stored(item, kubernetes=server.release, old=old, namespace=namespace)


def _named(item: Object) -> Any:
    """Give an object a name, where the API server would make one up."""
    prefix = item.metadata.generate_name
    if item.metadata.name or not prefix:
        return item
    return _changed(item, name=prefix[: _LONGEST_GENERATED - len(_SUFFIX)] + _SUFFIX)


def _by_hand(server: Server, item: Any, old: Any, *, admin_access: bool, of_status: bool) -> Findings:
    """Check as the strategies do; the metadata in general too, when nothing else is wrong with a new object, and first with a changed one."""
    namespaced = isinstance(item, ResourceClaim | ResourceClaimTemplate)
    if old is None:
        new = _NEW[type(item)]
        findings: Findings = new(server, item, admin_access=admin_access) if namespaced else new(server, item)
        return findings or new_metadata(server, item.metadata, namespaced=namespaced, rule=SEGMENT)
    findings = new_metadata(server, item.metadata, namespaced=namespaced, rule=SEGMENT)
    findings += changed_metadata(server, item.metadata, old.metadata)
    if of_status:
        return findings + changed_status(server, item, old, admin_access=admin_access)
    checked: Findings = _CHANGED[type(item)](server, item, old)
    return findings + checked


_NEW: Final[Mapping[type, Any]] = {
    ResourceSlice: new_slice,
    DeviceClass: new_class,
    ResourceClaim: new_claim,
    ResourceClaimTemplate: new_template,
}
_CHANGED: Final[Mapping[type, Any]] = {
    ResourceSlice: changed_slice,
    DeviceClass: changed_class,
    ResourceClaim: changed_claim,
    ResourceClaimTemplate: changed_template,
}


def _by_declaration(server: Server, item: Object, old: Object | None, version: str) -> Findings:
    """Check the wire form of an object."""
    before = None if old is None else old.to_dict(version)
    return check_fields(server, DECLARATIONS[type(item).__name__][version], item.to_dict(version), before, "")
