"""
Room: the objects that clients of Kubernetes hand out, taken for the plain mappings that they stand for.

No client is imported: its objects are known by what they have. `kr8s` keeps the mapping as `raw`; `kopf` hands out mappings; `lightkube` has
`to_dict` with the names of Kubernetes; the models of `kubernetes` have tables from their names to those of Kubernetes.

May touch: nothing of this package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

# V1ResourceClaim, V1beta1DeviceClass, ResourceV1ResourceClaim: a model of the client `kubernetes`.
_MODEL: Final = re.compile(r"[A-Za-z]*? (?P<version> V[0-9]+ (?:(?:alpha|beta)[0-9]+)? ) (?P<kind> [A-Z][A-Za-z]+ )", re.VERBOSE)
_KINDS: Final = re.compile(r"(?:ResourceSlice|DeviceClass|ResourceClaim|ResourceClaimTemplate)(?:List)?")


def plain(obj: object) -> object:
    """
    Give the mapping that a client's object stands for; anything else as it is.

    >>> class Claim:
    ...     raw = {"kind": "ResourceClaim"}
    >>> plain(Claim())
    {'kind': 'ResourceClaim'}
    """
    if obj is None or isinstance(obj, Mapping | str | bytes | list | tuple):
        return cast("object", obj)
    if isinstance(getattr(obj, "attribute_map", None), Mapping):
        return _model(obj)
    raw = getattr(obj, "raw", None)
    if isinstance(raw, Mapping):
        return cast("object", raw)
    to_dict = getattr(obj, "to_dict", None)
    if callable(to_dict) and not isinstance(obj, type):
        return _named(obj, cast("Callable[[], object]", to_dict)())
    return obj


def _model(model: Any) -> dict[str, object]:
    """Translate a model of the client `kubernetes`; version and kind, which those of a list lack, are told by its class."""
    names: Mapping[str, str] = model.attribute_map
    fields = {wire: _value(getattr(model, name)) for name, wire in names.items() if getattr(model, name) is not None}
    match = _MODEL.fullmatch(type(model).__name__)
    if match is not None and _KINDS.fullmatch(match["kind"]):
        fields.setdefault("kind", match["kind"])
        fields.setdefault("apiVersion", f"resource.k8s.io/{match['version'].lower()}")
    return fields


def _value(value: object) -> object:
    """Translate what a model holds."""
    if isinstance(value, list | tuple):
        return [_value(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        return {key: _value(item) for key, item in cast("dict[object, object]", value).items()}
    return _model(value) if isinstance(getattr(value, "attribute_map", None), Mapping) else value


def _named(obj: object, fields: object) -> object:
    """Say version and kind of an object of `lightkube` that does not say them itself, as those of a list."""
    info = getattr(getattr(obj, "_api_info", None), "resource", None)
    if not isinstance(fields, Mapping) or info is None:
        return fields  # pyright: ignore[reportUnknownVariableType]
    named = cast("Mapping[str, object]", fields)
    api_version = f"{info.group}/{info.version}" if info.group else info.version
    return {**named, "apiVersion": named.get("apiVersion") or api_version, "kind": named.get("kind") or info.kind}
