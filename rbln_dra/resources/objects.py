"""
Room: any object of resource.k8s.io, told by its kind.

May touch: `claims`, `classes`, `slices`, `versions`, `kubernetes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, cast

from packaging.version import Version

from ..kubernetes import Kubernetes
from .claims import ResourceClaim, ResourceClaimTemplate
from .classes import DeviceClass
from .slices import ResourceSlice
from .versions import frame, named

#: Any object that this package knows.
Object: TypeAlias = ResourceSlice | DeviceClass | ResourceClaim | ResourceClaimTemplate

_BY_NAME: Final[Mapping[str, type[Object]]] = {kind.__name__: kind for kind in (ResourceSlice, DeviceClass, ResourceClaim, ResourceClaimTemplate)}


def from_dict(obj: object, *, strict: bool = False, kubernetes: str | Version | Kubernetes | None = None) -> Object:
    """
    Read an object of any kind and version, as the API server does: converted, and with its defaults.

    Args:
        obj: A mapping, as `json.loads` gives it, or an object of a client.
        strict: Whether an unknown key is an error; the API server drops it.
        kubernetes: The minor that reads it: fields that it does not know are dropped. `None` knows all fields of all minors.

    Raises:
        DecodeError: The API server could not read it.
        UnknownKubernetes: The minor is not known.

    >>> type(from_dict({"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass"})).__name__
    'DeviceClass'
    """
    obj = named(obj)
    frame(obj)
    return _BY_NAME[cast("Mapping[str, str]", obj)["kind"]].from_dict(obj, strict=strict, kubernetes=kubernetes)
