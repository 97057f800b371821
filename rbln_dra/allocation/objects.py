"""
Room: the objects that an allocation is given, as values or as plain dicts, one or many.

May touch: `resources`, `kubernetes`, `errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar, cast

from ..errors import DecodeError
from ..kubernetes import Kubernetes
from ..resources import GROUP, DeviceClass, ResourceClaim, ResourceSlice

T = TypeVar("T", ResourceClaim, DeviceClass, ResourceSlice)

_LISTS: Final = ("List", "ResourceClaimList", "DeviceClassList", "ResourceSliceList")


def claim_of(given: object, path: str, release: Kubernetes | None = None) -> ResourceClaim:
    """
    Take a claim or its dict.

    Raises:
        DecodeError: It is none.
    """
    return _object(ResourceClaim, given, path, release)


def claims_of(given: object, release: Kubernetes) -> tuple[ResourceClaim, ...]:
    """
    Take claims.

    Raises:
        DecodeError: One is none.
    """
    return tuple(_object(ResourceClaim, each, path, release) for path, each in _many(given, "claims"))


def classes_of(given: object, release: Kubernetes) -> dict[str, DeviceClass]:
    """
    Take classes, by name; of two with one name the first counts.

    Raises:
        DecodeError: One is none.
    """
    classes: dict[str, DeviceClass] = {}
    for path, each in _many(given, "classes"):
        found = _object(DeviceClass, each, path, release)
        classes.setdefault(found.metadata.name, found)
    return classes


def slices_of(given: object, release: Kubernetes) -> tuple[ResourceSlice, ...]:
    """
    Take slices.

    Raises:
        DecodeError: One is none.
    """
    return tuple(_object(ResourceSlice, each, path, release) for path, each in _many(given, "slices"))


def _many(given: object, path: str) -> Iterable[tuple[str, object]]:
    """Give the objects with their paths: of a list object, of a single one, of any iterable."""
    if isinstance(given, ResourceClaim | DeviceClass | ResourceSlice):
        return ((path, given),)
    if isinstance(given, Mapping):
        entries = cast("Mapping[str, object]", given)
        if entries.get("kind") not in _LISTS:
            return ((path, entries),)
        items = entries.get("items") or ()
        if not isinstance(items, list | tuple):
            raise DecodeError(f"{path}.items", items, "a list of objects")
        return _many(cast("list[object]", items), f"{path}.items")
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise DecodeError(path, given, "objects of resource.k8s.io or their dicts")
    return ((f"{path}[{index}]", each) for index, each in enumerate(cast("Iterable[object]", given)))


def _object(kind: type[T], given: object, path: str, release: Kubernetes | None) -> T:
    """
    Take an object; a dict may leave out version and kind, which are then those of v1.

    Raises:
        DecodeError: It is no such object.
    """
    if isinstance(given, kind):
        return given
    if not isinstance(given, Mapping):
        raise DecodeError(path, given, f"a {kind.__name__} or its dict")
    entries = cast("Mapping[str, Any]", given)
    if "apiVersion" not in entries or "kind" not in entries:
        entries = {"apiVersion": f"{GROUP}/v1", "kind": kind.__name__, **entries}
    read = cast("Callable[..., T]", kind.from_dict)
    try:
        return read(entries, kubernetes=release)
    except DecodeError as error:
        raise DecodeError(f"{path}.{error.path}".rstrip("."), error.value, error.expected, error.hint) from None
