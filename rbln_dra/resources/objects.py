"""
Room: any object of resource.k8s.io, told by its kind.

May touch: `claims`, `classes`, `slices`, `versions`, `kubernetes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias, cast

from packaging.version import Version

from ..kubernetes import Kubernetes
from .claims import CLAIM, TEMPLATE, ResourceClaim, ResourceClaimTemplate
from .classes import CLASS, DeviceClass
from .clients import plain
from .slices import SLICE, ResourceSlice
from .versions import Kind, frame

#: Any object that this package knows.
Object: TypeAlias = ResourceSlice | DeviceClass | ResourceClaim | ResourceClaimTemplate

_BY_NAME: Final[Mapping[str, Kind[Any]]] = {kind.name: kind for kind in (SLICE, CLASS, CLAIM, TEMPLATE)}


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
    obj = plain(obj)
    frame(obj)
    kind = _BY_NAME[cast("Mapping[str, str]", obj)["kind"]]
    read: Object = kind.read(obj, strict=strict, kubernetes=kubernetes)
    return read.defaulted()
