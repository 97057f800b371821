"""
Room: the metadata that every object of Kubernetes has.

May touch: `raw`, `wire`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

import attrs

from .. import wire
from .raw import RAW, RawJSON


def frozen_texts(entries: Mapping[str, str]) -> Mapping[str, str]:
    """Freeze texts by name."""
    return wire.frozen_map(entries)


@attrs.frozen
class OwnerReference:
    """
    An object that an object belongs to, and with which it is deleted.

    Args:
        api_version: Of the owner: `v1`.
        kind: Of the owner: `Node`.
        name: Of the owner.
        uid: Of the owner.
        controller: Whether the owner manages the object.
        block_owner_deletion: Whether the owner cannot be deleted in the foreground before the object.
    """

    api_version: str
    kind: str
    name: str
    uid: str
    controller: bool | None = None
    block_owner_deletion: bool | None = None


@attrs.frozen
class ManagedFieldsEntry:
    """
    Which fields one program manages.

    Args:
        manager: The program.
        operation: `Apply` or `Update`; any text can be read.
        api_version: Of the form in which the fields are named.
        time: When it last changed one.
        fields_type: `FieldsV1`.
        fields_v1: The fields, as JSON of Kubernetes.
        subresource: Through which part of the object it did: `status`, or empty.
    """

    manager: str = ""
    operation: str = ""
    api_version: str = ""
    time: datetime | None = None
    fields_type: str = ""
    fields_v1: RawJSON | None = None
    subresource: str = ""


@attrs.frozen
class ObjectMeta:
    """
    The metadata of an object.

    Args:
        name: Its name, unique for its kind in a namespace or, for slices and classes, in the cluster.
        generate_name: What the API server makes a name from when there is none.
        namespace: The namespace of a claim or a template.
        labels: What selectors of others find it by.
        annotations: Notes of programs.
        owner_references: What it is deleted with.
        finalizers: What must happen before it can be deleted.
        uid: Given by the API server.
        resource_version: The state of the object that this is, given by the API server; an update that names an old one is refused.
        generation: How often its spec changed.
        creation_timestamp: When it was made.
        deletion_timestamp: When it will be, or was asked to be, deleted.
        deletion_grace_period_seconds: How long it has until then.
        managed_fields: Which program manages which fields.
        self_link: Unused since Kubernetes 1.20.

    Source: `ObjectMeta` of k8s.io/apimachinery/pkg/apis/meta/v1.

    >>> ObjectMeta("vfio-npu.rebellions.ai", labels={"a": "b"}).labels["a"]
    'b'
    """

    name: str = ""
    generate_name: str = ""
    namespace: str = ""
    labels: Mapping[str, str] = attrs.field(factory=wire.FrozenMap[str], converter=frozen_texts)
    annotations: Mapping[str, str] = attrs.field(factory=wire.FrozenMap[str], converter=frozen_texts)
    owner_references: tuple[OwnerReference, ...] = wire.NIL
    finalizers: tuple[str, ...] = wire.NIL
    uid: str = ""
    resource_version: str = ""
    generation: int = 0
    creation_timestamp: datetime | None = None
    deletion_timestamp: datetime | None = None
    deletion_grace_period_seconds: int | None = None
    managed_fields: tuple[ManagedFieldsEntry, ...] = wire.NIL
    self_link: str = ""


_TEXTS: Final = wire.map_of(wire.STRING)
_OPTIONAL_BOOLEAN: Final = wire.optional(wire.BOOLEAN)

_OWNER: Final = wire.struct(
    OwnerReference,
    wire.Field("apiVersion", "api_version", wire.STRING, always=True),
    wire.Field("kind", "kind", wire.STRING, always=True),
    wire.Field("name", "name", wire.STRING, always=True),
    wire.Field("uid", "uid", wire.STRING, always=True),
    wire.Field("controller", "controller", _OPTIONAL_BOOLEAN),
    wire.Field("blockOwnerDeletion", "block_owner_deletion", _OPTIONAL_BOOLEAN),
    expected='an owner reference such as {"apiVersion": "v1", "kind": "Node", "name": "node-atom", "uid": "…"}',
)
_MANAGED: Final = wire.struct(
    ManagedFieldsEntry,
    wire.Field("manager", "manager", wire.STRING),
    wire.Field("operation", "operation", wire.STRING),
    wire.Field("apiVersion", "api_version", wire.STRING),
    wire.Field("time", "time", wire.OPTIONAL_TIME),
    wire.Field("fieldsType", "fields_type", wire.STRING),
    wire.Field("fieldsV1", "fields_v1", wire.optional(RAW)),
    wire.Field("subresource", "subresource", wire.STRING),
    expected='an entry such as {"manager": "kubectl", "operation": "Update"}',
)
#: How metadata is read and written.
METADATA: Final = wire.struct(
    ObjectMeta,
    wire.Field("name", "name", wire.STRING),
    wire.Field("generateName", "generate_name", wire.STRING),
    wire.Field("namespace", "namespace", wire.STRING),
    wire.Field("selfLink", "self_link", wire.STRING),
    wire.Field("uid", "uid", wire.STRING),
    wire.Field("resourceVersion", "resource_version", wire.STRING),
    wire.Field("generation", "generation", wire.INTEGER),
    wire.Field("creationTimestamp", "creation_timestamp", wire.TIME),
    wire.Field("deletionTimestamp", "deletion_timestamp", wire.OPTIONAL_TIME),
    wire.Field("deletionGracePeriodSeconds", "deletion_grace_period_seconds", wire.optional(wire.INTEGER)),
    wire.Field("labels", "labels", _TEXTS),
    wire.Field("annotations", "annotations", _TEXTS),
    wire.Field("ownerReferences", "owner_references", wire.list_of(_OWNER)),
    wire.Field("finalizers", "finalizers", wire.list_of(wire.STRING)),
    wire.Field("managedFields", "managed_fields", wire.list_of(_MANAGED)),
    expected='metadata such as {"name": "npu"}',
)
