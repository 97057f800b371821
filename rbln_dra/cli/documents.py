"""
Room: devices as the ResourceSlices that would publish them, printed as kubectl prints a list.

May touch: `command`, `discovery`, `resources`, `rbln_dra.devices`, `kubernetes`, `errors`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ..devices import Device
from ..discovery import Inventory, Pool
from ..errors import MissingPackage
from ..kubernetes import MINORS
from ..resources import most_devices
from .command import UsageError


def slices(inventory: Inventory, devices: Iterable[Device]) -> dict[str, Any]:
    """
    Make the list of ResourceSlices, v1, that hold some devices of an inventory.

    Raises:
        UsageError: The node, and so the pool, has no name.
    """
    wanted = tuple(devices)
    items = [item for pool in inventory.pools for item in _pool(pool, [device for device in wanted if _in(device, pool)])]
    return {"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": items}


def _in(device: Device, pool: Pool) -> bool:
    """Tell whether a device is in a pool."""
    return (device.driver, device.pool) == (pool.driver, pool.name)


def _pool(pool: Pool, devices: list[Device]) -> list[dict[str, Any]]:
    """Make the slices of one pool; an empty pool has one empty slice."""
    if pool.name is None:
        raise UsageError("a ResourceSlice names its node, which the source does not say; pass --node NAME")
    size = most_devices(devices, kubernetes=MINORS[-1])  # the newest minor has the least limit: what it takes, all take
    chunks = [devices[start : start + size] for start in range(0, len(devices), size)] or [[]]
    missing = 0 if pool.complete or pool.slice_count is None else pool.slice_count - len(pool.slices)
    return [
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": pool.slices[index] if index < len(pool.slices) else f"{pool.name}-{pool.driver}-{index}".replace("/", "-")},
            "spec": {
                "driver": pool.driver,
                **({} if pool.node is None else {"nodeName": pool.node}),
                "pool": {
                    "name": pool.name,
                    "generation": 1 if pool.generation is None else pool.generation,
                    "resourceSliceCount": len(chunks) + missing,
                },
                **({"devices": [device.to_dict() for device in chunk]} if chunk else {}),
            },
        }
        for index, chunk in enumerate(chunks)
    ]


def rendered(document: object, form: str) -> str:
    """
    Write a document as JSON or YAML, without the last line break.

    Raises:
        MissingPackage: PyYAML is wanted and not installed.
    """
    if form == "json":
        return json.dumps(document, indent=4, ensure_ascii=False)
    try:
        import yaml
    except ImportError:
        raise MissingPackage("PyYAML", "-o yaml") from None
    text: str = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=4096)  # pyright: ignore[reportUnknownMemberType]
    return text.rstrip("\n")
