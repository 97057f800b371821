"""
Room: what every object of Kubernetes must have in its metadata, when it is made and when it is changed.

May touch: `findings`, `formats`, `server`, `resources`, `wire`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import attrs

from ..resources import ManagedFieldsEntry, ObjectMeta, OwnerReference
from ..wire import TIME, Nil
from .findings import Encoded, Findings, forbidden, invalid, not_supported, required, size, too_long
from .formats import Format, check, in_bytes, label, label_key, label_value, subdomain
from .server import Server

IMMUTABLE: Final = "field is immutable"
_NEGATIVE: Final = "must be greater than or equal to 0"
_ORPHAN: Final = "orphan"
_FOREGROUND: Final = "foregroundDeletion"
#: Finalizers that need no domain.
_STANDARD: Final = frozenset({"kubernetes", _ORPHAN, _FOREGROUND})
_OPERATIONS: Final = ("Apply", "Update")
_LONGEST_MANAGER: Final = 128
_LONGEST_SUBRESOURCE: Final = 256
#: An object that may own nothing.
_BANNED: Final = ("v1", "Event")


def masked(prefix: str) -> str:
    """
    Give what Kubernetes judges in place of a prefix of names: a trailing dash may stand there.

    >>> masked("npu-")
    'npa'
    """
    return f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix


def path_segment(text: str) -> list[str]:
    """Complain of a name that cannot stand in a URL."""
    return [f"may not be '{text}'"] if text in {".", ".."} else [f"may not contain '{each}'" for each in ("/", "%") if each in text]


def _path_prefix(text: str) -> list[str]:
    """Complain of a prefix that no name in a URL can have."""
    return [f"may not contain '{each}'" for each in ("/", "%") if each in text]


@attrs.frozen
class NameRule:
    """
    What the name of an object must be.

    Args:
        name: What a name must be.
        prefix: What `generateName` must be; `None` when only the name that is made of it counts.
    """

    name: Format
    prefix: Format | None


#: Of most objects: a DNS subdomain.
SUBDOMAIN: Final = NameRule(subdomain, lambda text: subdomain(masked(text)))
#: Of all objects: what can stand in a URL.
SEGMENT: Final = NameRule(path_segment, _path_prefix)
#: Of classes, from 1.35 on: a DNS subdomain, by the rule of the declarations.
DECLARED: Final = NameRule(in_bytes(subdomain), None)


def new_metadata(server: Server, metadata: ObjectMeta, *, namespaced: bool, rule: NameRule = SUBDOMAIN) -> Findings:
    """
    Check the metadata of an object, with its name.

    Args:
        server: Who checks.
        metadata: The metadata; a name is there, when one can be.
        namespaced: Whether the object is in a namespace.
        rule: What the name must be.
    """
    findings: Findings = []
    if metadata.generate_name and rule.prefix is not None:
        findings += check("metadata.generateName", metadata.generate_name, rule.prefix)
    if metadata.name:
        declared = rule.prefix is None
        origin = "format=k8s-long-name" if declared else ""
        findings += check("metadata.name", metadata.name, rule.name, origin=origin, covered=declared)
    else:
        findings.append(required("metadata.name", "name or generateName is required"))
    return findings + _common(server, metadata, namespaced=namespaced)


def _common(server: Server, metadata: ObjectMeta, *, namespaced: bool) -> Findings:
    """Check everything but the name."""
    findings: Findings = []
    if namespaced and not metadata.namespace:
        findings.append(required("metadata.namespace"))
    elif namespaced:
        findings += check("metadata.namespace", metadata.namespace, label)
    elif metadata.namespace:
        findings.append(forbidden("metadata.namespace", "not allowed on this type"))
    findings += _generation(metadata)
    findings += _labels(server, metadata.labels, "metadata.labels")
    findings += _annotations(server, metadata.annotations, "metadata.annotations")
    findings += _owners(server, metadata.owner_references)
    findings += _finalizers(server, metadata.finalizers)
    return findings + _managed(server, metadata.managed_fields)


def _generation(metadata: ObjectMeta) -> Findings:
    """Check the generation."""
    return [invalid("metadata.generation", metadata.generation, _NEGATIVE)] if metadata.generation < 0 else []


def _labels(server: Server, labels: Mapping[str, str], path: str) -> Findings:
    """Check labels."""
    key, value = label_key(server), label_value(server)
    return [finding for name, text in labels.items() for finding in [*check(path, name, key), *check(path, text, value)]]


def _annotations(server: Server, entries: Mapping[str, str], path: str) -> Findings:
    """Check annotations."""
    key = label_key(server)
    findings = [finding for name in entries for finding in check(path, name, lambda text: key(text.replace("İ", "i").lower()))]
    most = server.limit("annotations")
    return [*findings, too_long(path, most)] if sum(size(name) + size(text) for name, text in entries.items()) > most else findings


def _owners(server: Server, owners: Sequence[OwnerReference]) -> Findings:
    """Check what the object belongs to; one of them at most controls it."""
    path = "metadata.ownerReferences"
    findings: Findings = []
    first = None
    for index, owner in enumerate(owners):
        findings += _owner(server, owner, f"{path}[{index}]" if server.minor >= 37 else path)
        if owner.controller:
            name = f"{owner.kind}/{owner.name}"
            if first is not None:
                detail = f'Only one reference can have Controller set to true. Found "true" in references for {first} and {name}'
                findings.append(invalid(path, Encoded([_written(each) for each in owners]), detail))
            first = first or name
    return findings


def _written(owner: OwnerReference) -> dict[str, Any]:
    """Give the wire form of an owner."""
    names = {"api_version": "apiVersion", "block_owner_deletion": "blockOwnerDeletion"}
    return {names.get(field, field): value for field, value in attrs.asdict(owner).items() if value is not None}


def _owner(server: Server, owner: OwnerReference, path: str) -> Findings:
    """Check one owner."""
    group, slash, rest = owner.api_version.rpartition("/")
    readable = "/" not in group and owner.api_version != "/"
    version = rest if readable else ""
    findings: Findings = []
    if server.minor >= 37:
        if not owner.api_version:
            findings.append(required(f"{path}.apiVersion", "must not be empty"))
        elif not version:
            findings.append(invalid(f"{path}.apiVersion", owner.api_version, "must be <group>/<version> or <version>"))
    elif not version:
        findings.append(invalid(f"{path}.apiVersion", owner.api_version, "version must not be empty"))
    for name in ("kind", "name", "uid"):
        text: str = getattr(owner, name)
        if not text:
            place = f"{path}.{name}"
            findings.append(required(place, "must not be empty") if server.minor >= 37 else invalid(place, Encoded(text), "must not be empty"))
    if not slash and (owner.api_version, owner.kind) == _BANNED:
        findings.append(invalid(path, Encoded(_written(owner)), "/v1, Kind=Event is disallowed from being an owner"))
    return findings


def _finalizers(server: Server, finalizers: Sequence[str]) -> Findings:
    """Check finalizers, as for any object."""
    path = "metadata.finalizers"
    findings = [finding for name in finalizers for finding in check(path, name, label_key(server))]
    if _ORPHAN in finalizers and _FOREGROUND in finalizers:
        findings.append(invalid(path, Encoded(list(finalizers)), f"finalizer {_ORPHAN} and {_FOREGROUND} cannot be both set"))
    return findings


def kube_finalizers(metadata: ObjectMeta) -> Findings:
    """Check finalizers, as for objects of Kubernetes' own: one without a domain must be known."""
    detail = "name is neither a standard finalizer name nor is it fully qualified"
    return [
        invalid(f"metadata.finalizers[{index}]", name, detail)
        for index, name in enumerate(metadata.finalizers)
        if "/" not in name and name not in _STANDARD
    ]


def _managed(server: Server, entries: Sequence[ManagedFieldsEntry]) -> Findings:
    """Check what says who manages which fields."""
    findings: Findings = []
    for index, entry in enumerate(entries):
        path = f"metadata.managedFields[{index}]"
        if server.minor >= 37 and not entry.operation:
            findings.append(required(f"{path}.operation", "must not be empty"))
        elif entry.operation not in _OPERATIONS:
            wrong = f"{path}.operation"
            new = not_supported(wrong, entry.operation, _OPERATIONS)
            findings.append(new if server.minor >= 37 else invalid(wrong, Encoded(entry.operation), "must be `Apply` or `Update`"))
        if entry.fields_type not in {"", "FieldsV1"}:
            findings.append(invalid(f"{path}.fieldsType", entry.fields_type, "must be `FieldsV1`"))
        if size(entry.manager) > _LONGEST_MANAGER:
            findings.append(too_long(f"{path}.manager", _LONGEST_MANAGER))
        findings += [
            invalid(f"{path}.manager", entry.manager, f"invalid character {_unicode(character)} (at position {size(entry.manager[:place])})")
            for place, character in enumerate(entry.manager)
            if not character.isprintable()
        ]
        if size(entry.subresource) > _LONGEST_SUBRESOURCE:
            findings.append(too_long(f"{path}.subresource", _LONGEST_SUBRESOURCE))
    return findings


def _unicode(character: str) -> str:
    """Name a character that cannot be printed, as Go does."""
    return f"U+{ord(character):04X}"


#: What an update must leave as it is: wire name, attribute, and how it is shown. The namespace, the name and what the server gives.
_FIXED: Final[tuple[tuple[str, str, Callable[[Any], Any]], ...]] = (
    ("name", "name", str),
    ("namespace", "namespace", str),
    ("uid", "uid", Encoded),
    ("creationTimestamp", "creation_timestamp", lambda moment: Encoded(TIME.write(moment))),
    ("deletionTimestamp", "deletion_timestamp", lambda moment: Encoded(TIME.write(moment))),
    ("deletionGracePeriodSeconds", "deletion_grace_period_seconds", Encoded),
)


def changed_metadata(server: Server, metadata: ObjectMeta, old: ObjectMeta) -> Findings:
    """Check what an update makes of metadata."""
    findings: Findings = []
    if old.deletion_timestamp is not None:
        extra = sorted(set(metadata.finalizers) - set(old.finalizers))
        if extra:
            listed = ", ".join(f'"{each}"' for each in extra)
            detail = f"no new finalizers can be added if the object is being deleted, found new finalizers []string{{{listed}}}"
            findings.append(forbidden("metadata.finalizers", detail))
    if not metadata.resource_version:
        findings.append(invalid("metadata.resourceVersion", "", "must be specified for an update"))
    if server.minor >= 37:
        findings += _generation(metadata)
    if metadata.generation < old.generation:
        findings.append(invalid("metadata.generation", metadata.generation, "must not be decremented"))
    for name, attribute, show in _FIXED:
        value = getattr(metadata, attribute)
        if value != getattr(old, attribute):
            findings.append(invalid(f"metadata.{name}", show(value), IMMUTABLE))
    findings += _labels(server, metadata.labels, "metadata.labels")
    findings += _annotations(server, metadata.annotations, "metadata.annotations")
    findings += _owners(server, metadata.owner_references)
    return findings + _managed(server, metadata.managed_fields)


def template_metadata(server: Server, metadata: ObjectMeta, path: str) -> Findings:
    """Check the metadata of a template's claims: labels and annotations, nothing else."""
    findings = _annotations(server, metadata.annotations, f"{path}.annotations") + _labels(server, metadata.labels, f"{path}.labels")
    return findings + [forbidden(f"{path}.{name}", "cannot be set") for name, attribute in _UNSETTABLE if _given(getattr(metadata, attribute))]


def _given(value: object) -> bool:
    """Tell whether a field is set: a list is, even an empty one."""
    return not isinstance(value, Nil) and (isinstance(value, tuple) or value not in (None, "", 0))


#: The metadata that a template's claims cannot be given, in the order of the Go type, by Go's names.
_UNSETTABLE: Final = (
    ("name", "name"),
    ("generateName", "generate_name"),
    ("namespace", "namespace"),
    ("selfLink", "self_link"),
    ("uID", "uid"),
    ("resourceVersion", "resource_version"),
    ("generation", "generation"),
    ("creationTimestamp", "creation_timestamp"),
    ("deletionTimestamp", "deletion_timestamp"),
    ("deletionGracePeriodSeconds", "deletion_grace_period_seconds"),
    ("ownerReferences", "owner_references"),
    ("finalizers", "finalizers"),
    ("managedFields", "managed_fields"),
)
