"""Room: small objects to allocate with, as plain dicts."""

from __future__ import annotations

from typing import Any

NPU = "npu.rebellions.ai"
CLASS = {"metadata": {"name": "npu"}}


def device(name: str = "a", **fields: Any) -> dict[str, Any]:
    """Make a device; `attributes` are given as Python values."""
    kinds = {bool: "bool", int: "int", str: "string", list: "strings"}
    attributes = {key: {kinds[type(value)]: value} for key, value in fields.pop("attributes", {}).items()}
    return {"name": name, "attributes": attributes, **fields}


def published(*devices: dict[str, Any], name: str = "s", pool: str = "n1", driver: str = NPU, count: int = 1, **spec: Any) -> dict[str, Any]:
    """Make a slice of the node `n1`."""
    where = {} if spec.keys() & {"nodeSelector", "allNodes", "perDeviceNodeSelection", "nodeName"} else {"nodeName": "n1"}
    held = {"driver": driver, "pool": {"name": pool, "generation": spec.pop("generation", 1), "resourceSliceCount": count}}
    return {"metadata": {"name": name}, "spec": {**held, "devices": list(devices), **where, **spec}}


def claim(*requests: dict[str, Any], name: str = "c", **devices: Any) -> dict[str, Any]:
    """Make a claim."""
    return {"metadata": {"name": name}, "spec": {"devices": {"requests": list(requests), **devices}}}


def request(name: str = "r", *selectors: str, **fields: Any) -> dict[str, Any]:
    """Make a request of the class `npu`."""
    chosen = {"selectors": [{"cel": {"expression": each}} for each in selectors]} if selectors else {}
    return {"name": name, "exactly": {"deviceClassName": "npu", **chosen, **fields}}
