"""
Room: the nine selectors and the device that speed is measured on, and who else can judge them.

May touch: the package, cel-python, and the oracle of the tests for Go's times.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rbln_dra import Device, Quantity

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


def cel_python(selector: str) -> Callable[[], object] | None:
    """Give cel-python's evaluation of a selector; `None` for what its interpreter cannot do."""
    import celpy
    from celpy.evaluation import CELEvalError

    values = plain_values()
    try:
        environment = celpy.Environment()
        program = environment.program(environment.compile(selector))
        activation = {"device": celpy.json_to_cel({"driver": values["driver"], "attributes": values["attributes"]})}
        right = bool(program.evaluate(activation))
    except (CELEvalError, celpy.CELParseError):
        return None
    return (lambda: program.evaluate(activation)) if right else None


@cache
def go_times(minor: str) -> tuple[Mapping[str, float], ...]:
    """Ask the Go program of a minor for the seconds of matching and of compiling each selector on this machine."""
    from tests.oracle.judge import Judge

    device = {"attributes": FILE["device"]["attr"], "capacity": FILE["device"]["cap"]}
    answers = Judge.of(minor).ask(
        ({"expression": selector, "expressions": "stored", "driver": DRIVER, "device": device} for selector in SELECTORS), program="bench"
    )
    return tuple({"match": answer["matchNanoseconds"] / 1e9, "compile": answer["compileNanoseconds"] / 1e9} for answer in answers)
