"""
Room: the nine selectors and the device that speed is measured on, and what a person would write instead.

May touch: the package.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rbln_dra import Device, Quantity, cel

FILE = json.loads(Path(__file__).with_name("speed-selectors.json").read_text(encoding="utf-8"))
SELECTORS: tuple[str, ...] = tuple(FILE["selectors"])
DRIVER: str = FILE["device"]["driver"]
DEVICE = Device.from_dict({"name": "vfio-0000-27-00-0", "attributes": FILE["device"]["attr"], "capacity": FILE["device"]["cap"]}, driver=DRIVER)

#: What a person would write instead of each selector, over plain values.
Plain = Callable[[Mapping[str, Any]], bool]


def plain_values() -> Mapping[str, Any]:
    """Give the device as nested dicts of Python values, as hand-written code would have it."""
    attributes: dict[str, dict[str, Any]] = {}
    for name, value in FILE["device"]["attr"].items():
        domain, _, identifier = name.rpartition("/")
        attributes.setdefault(domain or DRIVER, {})[identifier] = next(iter(value.values()))
    capacity = {DRIVER: {name: Quantity.parse(value["value"]) for name, value in FILE["device"]["cap"].items()}}
    return {"driver": DRIVER, "attributes": attributes, "capacity": capacity}


def by_hand() -> tuple[Plain, ...]:
    """Give the nine selectors as a person would write them in Python."""
    import re

    npu, node = DRIVER, "resource.kubernetes.io"
    card = re.compile("^RBLN-C[AR][0-9]+$")
    least = Quantity.parse("16Gi")
    return (
        lambda device: device["driver"] == npu,
        lambda device: device["driver"] == npu and device["attributes"][npu]["type"] == "vfio",
        lambda device: device["attributes"][npu]["productName"] in {"RBLN-CA22", "RBLN-CR13"} and device["attributes"][node]["numaNode"] == 0,
        lambda device: (
            "pcieRoot" in device["attributes"][node]
            and device["attributes"][node]["pcieRoot"] == "pci0000:20"
            and not device["attributes"][npu]["vf"]
        ),
        lambda device: device["attributes"][npu].get("productName", "") == "RBLN-CR13",
        lambda device: card.search(device["attributes"][npu]["productName"]) is not None,
        lambda device: device["capacity"][npu]["memory"] >= least,
        lambda device: (a := device["attributes"][npu])["type"] == "vfio" and a["iommuGroup"] < 100 and a["productName"].startswith("RBLN"),
        lambda device: any(name == device["attributes"][npu]["productName"] for name in ("RBLN-CA22", "RBLN-CA25", "RBLN-CR13")),
    )


def question(selector: str) -> dict[str, Any]:
    """Put a selector and the device into the form that the oracle reads."""
    device = {"attributes": FILE["device"]["attr"], "capacity": FILE["device"]["cap"]}
    return {"expression": selector, "expressions": "stored", "driver": DRIVER, "device": device}


_ENVIRONMENT = cel.Environment()


def compile_afresh(selector: str) -> object:
    """Compile a selector, with type check, with nothing from a cache."""
    return cel.Program(selector, _ENVIRONMENT)


def compile_and_estimate(selector: str) -> object:
    """Compile a selector with nothing from a cache, and estimate its cost."""
    return cel.Program(selector, _ENVIRONMENT).max_cost
