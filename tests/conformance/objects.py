"""Recorded objects: what the API server said of ResourceSlices, DeviceClasses, ResourceClaims and templates, and what it would store."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from rbln_dra import DeviceClass, Kubernetes, ResourceClaim, ResourceClaimTemplate, ResourceSlice
from rbln_dra.resources import Object

VECTORS = Path(__file__).parents[1] / "vectors"
CLASSES: dict[str, type[ResourceSlice | DeviceClass | ResourceClaim | ResourceClaimTemplate]] = {
    "ResourceSlice": ResourceSlice,
    "DeviceClass": DeviceClass,
    "ResourceClaim": ResourceClaim,
    "ResourceClaimTemplate": ResourceClaimTemplate,
}
#: What was not recorded, since the API server makes it up, counts it or leaves it to others.
MADE_UP = ("uid", "creationTimestamp", "generation")


@attrs.frozen
class Vector:
    """
    One recorded answer.

    Args:
        object: The object that was sent.
        old: The object of which it is an update; `None` for a new one.
        admin: Whether the namespace was labelled for admin access.
        recorded: What the API server said: `decode`, or `errors` and maybe `object`.
    """

    object: dict[str, Any]
    old: dict[str, Any] | None
    admin: bool
    recorded: dict[str, Any]

    def read(self, release: Kubernetes) -> tuple[Object, Object | None]:
        """
        Read the object, and the old one.

        Raises:
            DecodeError: The API server could not read one of them.
        """
        made = CLASSES[self.object["kind"]].from_dict(self.object, kubernetes=release)
        return made, None if self.old is None else CLASSES[self.old["kind"]].from_dict(self.old, kubernetes=release)


@cache
def load() -> dict[str, list[Vector]]:
    """Read the answers by the minor and the gates of the API server: `1.36+DRAListTypeAttributes`."""
    vectors: dict[str, list[Vector]] = defaultdict(list)
    with gzip.open(VECTORS / "objects-fuzz.jsonl.gz", "rt", encoding="utf-8") as lines:
        for entry in map(json.loads, lines):
            for result in entry["results"]:
                vector = Vector(entry["object"], entry.get("old"), entry.get("admin", False), result)
                for when in result["when"]:
                    vectors[when].append(vector)
    return dict(vectors)


def release(when: str) -> Kubernetes:
    """Give the minor with the gates of a recording."""
    minor, *gates = when.split("+")
    return Kubernetes(minor, gates=dict.fromkeys(gates, True))


def comparable(written: dict[str, Any]) -> dict[str, Any]:
    """Leave out what was not recorded: what is made up, the status, and the time of taints, which is that of the recording."""
    metadata = {key: value for key, value in written["metadata"].items() if key not in MADE_UP}
    left = {key: value for key, value in written.items() if key not in {"metadata", "status"}}
    return {**_untimed(left), "metadata": metadata}


def _untimed(value: Any) -> Any:
    """Leave out the times of taints."""
    if isinstance(value, dict):
        return {key: _untimed(item) for key, item in value.items() if key != "timeAdded"}
    return [_untimed(item) for item in value] if isinstance(value, list) else value
