"""
Room: the form in which the API server stores what it admits: with what it sets itself, without what it drops.

May touch: `gates`, `status_gates`, the objects (`claims`, `slices`, `status`, `metadata`, `objects`), `kubernetes`, `errors`.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import attrs
from packaging.version import Version

from ..errors import InvalidValue
from ..kubernetes import DEFAULT, Kubernetes
from .claims import ResourceClaim, ResourceClaimTemplate
from .gates import drop_disabled
from .metadata import ObjectMeta
from .objects import Object
from .slices import ResourceSlice
from .status import ResourceClaimStatus
from .status_gates import updated_status

Obj = TypeVar("Obj", bound=Object)


def stored(obj: Obj, *, kubernetes: str | Version | Kubernetes = DEFAULT, old: Obj | None = None, namespace: str = "") -> Obj:
    """
    Give what the API server would store of an object that it admits, but for the UID and the time that it makes up.

    Fields whose feature is off are dropped. A client does not set the status of a claim, nor, where the API server counts it, the generation; nor
    does it make a new object that is being deleted.

    Args:
        obj: The object, as `from_dict` gives it.
        kubernetes: The minor, with its feature gates.
        old: The object as it is stored, when `obj` is an update of it.
        namespace: The namespace of the request, for a claim or template that names none.

    Raises:
        UnknownKubernetes: The minor is not known.

    >>> stored(ResourceClaim(), namespace="default").metadata.namespace
    'default'
    """
    kept = drop_disabled(obj, kubernetes=kubernetes, old=old)
    namespaced = isinstance(kept, ResourceClaim | ResourceClaimTemplate)
    metadata = attrs.evolve(kept.metadata, namespace=kept.metadata.namespace or namespace if namespaced else "")
    if old is None:
        metadata = attrs.evolve(metadata, deletion_timestamp=None, deletion_grace_period_seconds=None, self_link="")
    else:
        metadata = _updated(metadata, old.metadata)
    if not namespaced:
        metadata = attrs.evolve(metadata, generation=_generation(obj, kept, old))
    changes: dict[str, Any] = {"metadata": metadata}
    if isinstance(kept, ResourceClaim):
        changes["status"] = old.status if isinstance(old, ResourceClaim) else ResourceClaimStatus()
    return attrs.evolve(kept, **changes)


def stored_status(claim: ResourceClaim, *, old: ResourceClaim, kubernetes: str | Version | Kubernetes = DEFAULT) -> ResourceClaim:
    """
    Give what the API server would store of an update of a claim's status that it admits.

    It takes nothing else of the claim: spec, labels, annotations, owners and finalizers stay as they are stored. Fields whose feature is off are
    dropped, and what drivers say of devices that the claim gives back.

    Args:
        claim: The claim with its new status, as `from_dict` gives it.
        old: The claim as it is stored.
        kubernetes: The minor, with its feature gates.

    Raises:
        UnknownKubernetes: The minor is not known.

    >>> claim = ResourceClaim.from_dict({
    ...     "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "npu"},
    ...     "status": {"allocation": {"devices": {"results": [
    ...         {"request": "npu", "driver": "npu.rebellions.ai", "pool": "node-atom", "device": "vfio-0000-27-00-0"}]}}}})
    >>> stored_status(claim, old=ResourceClaim()).status.allocation.devices.results[0].device
    'vfio-0000-27-00-0'
    """
    for each in (claim, old):
        InvalidValue.unless(each, ResourceClaim, "a claim as from_dict gives it")
    metadata = attrs.evolve(claim.metadata, **{name: getattr(old.metadata, name) for name in _RESET})
    whole = attrs.evolve(claim, metadata=_updated(metadata, old.metadata), spec=old.spec)
    return attrs.evolve(whole, status=updated_status(whole, old, Kubernetes.of(kubernetes)))


#: The metadata that an update of a status cannot change.
_RESET: Final = ("deletion_timestamp", "generation", "self_link", "labels", "annotations", "finalizers", "owner_references")


def _generation(obj: Any, kept: Any, old: Any) -> int:
    """Count the changes of a spec; of a slice those count too that are dropped."""
    if old is None:
        return 1
    compared = obj if isinstance(obj, ResourceSlice) else kept
    before: int = old.metadata.generation
    return before if compared.spec == old.spec else before + 1


def _updated(metadata: ObjectMeta, old: ObjectMeta) -> ObjectMeta:
    """Keep what an update cannot change."""
    seconds = metadata.deletion_grace_period_seconds
    return attrs.evolve(
        metadata,
        generation=old.generation,
        uid=metadata.uid or old.uid,
        creation_timestamp=old.creation_timestamp or metadata.creation_timestamp,
        deletion_timestamp=old.deletion_timestamp or metadata.deletion_timestamp,
        deletion_grace_period_seconds=old.deletion_grace_period_seconds if seconds is None else seconds,
    )
