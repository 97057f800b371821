"""
Room: the stored objects of `rbln-dra validate --old`, and which of them an object is an update of.

May touch: `command`, `files`, `resources`, `kubernetes`, `errors`,
`rbln_dra.documents`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from ..documents import Repeating, pairs
from ..errors import DecodeError
from ..kubernetes import Kubernetes
from .command import UsageError
from .files import File, Given, entries

_NAMESPACED: Final = frozenset({"ResourceClaim", "ResourceClaimTemplate"})
_DEFAULT: Final = "default"
#: The resource version of what is updated, where neither side says one.
_ANY: Final = "1"

#: What tells objects apart: kind, namespace, name.
Key = tuple[str, str, str]


def _key(given: Given) -> Key | None:
    """Give the key of an object; `None` when it has no name. What is in no namespace is in `default`."""
    kind, name = given.kind or "", given.metadata("name")
    namespace = (given.metadata("namespace") or _DEFAULT) if kind in _NAMESPACED else ""
    return (kind, namespace, name) if name else None


def _named(key: Key) -> str:
    """Write a key."""
    kind, namespace, name = key
    return f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"


@attrs.frozen
class Stored:
    """
    Objects as they are stored.

    Args:
        files: The names of their files, for errors.
        objects: The objects by their keys.
    """

    files: str
    objects: Mapping[Key, Given]

    @classmethod
    def of(cls, files: Iterable[File], release: Kubernetes) -> Stored:
        """
        Take the objects of files; those of other APIs are not looked at.

        Raises:
            DecodeError: The API server could not read one.
            UsageError: One has no name, or stands twice.
        """
        from ..resources import from_dict

        found: dict[Key, Given] = {}
        names: list[str] = []
        for file in files:
            names.append(file.name)
            for given in file.objects():
                if given.foreign:
                    continue
                try:
                    from_dict(given.value, kubernetes=release)
                except DecodeError as error:
                    raise attrs.evolve(error, source=given.label) from error
                key = _key(given)
                if key is None:
                    raise UsageError(f"{given.label}: a stored object has a name; this {given.kind} has none")
                if key in found:
                    raise UsageError(f"{given.label}: {_named(key)} stands in {found[key].label} already")
                found[key] = given
        return cls(", ".join(names), found)

    def counterpart(self, given: Given) -> Given:
        """
        Find the stored object that an object is an update of: that of its kind, namespace and name. An object that says no namespace is one of any.

        Raises:
            UsageError: There is none, or there are several.
        """
        key = _key(given)
        if key is None:
            raise UsageError(f"{given.label}: this {given.kind or 'object'} has no name, by which --old could have its stored form")
        if key in self.objects:
            return self.objects[key]
        others = [] if given.metadata("namespace") else [old for other, old in self.objects.items() if (other[0], other[2]) == (key[0], key[2])]
        if len(others) == 1:
            return others[0]
        if others:
            raise UsageError(f"{given.label}: {key[0]} {key[2]} says no namespace, and stands in several in {self.files}")
        raise UsageError(f"{given.label}: {_named(key)} is not in {self.files}, so it is no update; leave --old out to have it judged as new")


def updating(given: Given, old: Given) -> tuple[Mapping[str, object], Mapping[str, object]]:
    """
    Give an object and its stored form as the API server compares them: a request without a resource version gets that of the stored object.

    Args:
        given: The object, which can be read as far as its metadata.
        old: Its stored form.
    """
    version = old.metadata("resourceVersion") or _ANY
    stored = _versioned(old.value, version)
    return (entries(given.value) if given.metadata("resourceVersion") else _versioned(given.value, version)), stored


def _versioned(value: object, version: str) -> Mapping[str, object]:
    """Put a resource version into an object: what comes later goes into what is there."""
    return Repeating([*pairs(entries(value)), ("metadata", {"resourceVersion": version})])
