"""
Room: the versions of the API group resource.k8s.io, and the frame that all its objects have: version, kind, and codecs by version.

May touch: `clients`, `documents`, `errors`, `kubernetes`, `wire`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Generic, TypeVar, cast

import attrs
from packaging.version import Version

from .. import wire
from ..documents import Repeating, pairs
from ..errors import DecodeError, InvalidValue
from ..kubernetes import Kubernetes
from .clients import plain

T = TypeVar("T")

GROUP: Final = "resource.k8s.io"
#: The versions that this package reads and writes, newest first.
VERSIONS: Final = ("v1", "v1beta2", "v1beta1")
#: The kinds of object that it knows.
KINDS: Final = ("ResourceSlice", "DeviceClass", "ResourceClaim", "ResourceClaimTemplate")


@attrs.frozen
class Kind(Generic[T]):
    """
    One kind of object: its name, and how it is read and written in each version.

    Args:
        name: `ResourceClaim`.
        codecs: Version → codec of the object without version and kind.
    """

    name: str
    codecs: Mapping[str, wire.Codec[T]] = attrs.field(hash=False)

    def read(self, obj: object, *, strict: bool, kubernetes: str | Version | Kubernetes | None) -> T:
        """
        Read an object.

        Raises:
            DecodeError: The API server could not read it as this kind.
            UnknownKubernetes: The minor is not known.
        """
        obj = named(obj)
        version, body = frame(obj)
        kind = str(cast("Mapping[str, object]", obj)["kind"])
        if kind != self.name:
            raise DecodeError("kind", kind, self.name)
        minor = None if kubernetes is None else Kubernetes.of(kubernetes).minor.minor
        return self.codecs[version].from_json(body, strict=strict, minor=minor)

    def write(self, value: T, version: str) -> dict[str, Any]:
        """
        Write an object.

        Raises:
            InvalidValue: There is no such version.
        """
        InvalidValue.unless_text(version, f"one of {', '.join(VERSIONS)}")
        codec = self.codecs.get(version.removeprefix(f"{GROUP}/"))
        if codec is None:
            raise InvalidValue(version, f"one of {', '.join(VERSIONS)}")
        return {"apiVersion": f"{GROUP}/{version.removeprefix(f'{GROUP}/')}", "kind": self.name, **codec.write(value)}


def named(obj: object) -> object:
    """Give the mapping that an object stands for. Of several versions and kinds that it says the last counts, and `null` does not."""
    obj = plain(obj)
    if not isinstance(obj, Repeating):
        return obj
    said = {key: value for key, value in obj.pairs if key in _SAID and value is not None}
    return Repeating([*obj.pairs, *said.items()])


#: What every object says of itself.
_SAID: Final = ("apiVersion", "kind")


def frame(obj: object) -> tuple[str, dict[str, object]]:
    """
    Give an object's version, and what else it has beside version and kind.

    Raises:
        DecodeError: It is no object, or version or kind are missing or none that this package knows.
    """
    if not isinstance(obj, Mapping):
        raise DecodeError("", obj, 'an object such as {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim"}')
    given = cast("Mapping[str, object]", obj)
    api_version, kind = given.get("apiVersion"), given.get("kind")
    entries = [(key, value) for key, value in pairs(given) if key not in _SAID]
    body = Repeating(entries) if isinstance(given, Repeating) else dict(entries)
    if kind not in KINDS:
        raise DecodeError("kind", kind, f"one of {', '.join(KINDS)}")
    group, _, version = api_version.partition("/") if isinstance(api_version, str) else ("", "", "")
    if group != GROUP or version not in VERSIONS:
        raise DecodeError("apiVersion", api_version, f"one of {', '.join(f'{GROUP}/{each}' for each in VERSIONS)}")
    return version, body
