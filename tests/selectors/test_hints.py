"""What to do about an error: the near name, the missing domain, the guarded rewrite."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra.cel.environment import Environment
from rbln_dra.devices import Device
from rbln_dra.selectors import Explanation, Selector, Verdict

A = 'device.attributes["npu.rebellions.ai"]'
R = 'device.attributes["resource.kubernetes.io"]'
DRIVER = "npu.rebellions.ai"
REBEL100: dict[str, Any] = {
    "type": {"string": "vfio"},
    "iommuGroup": {"int": 42},
    "pciDeviceID": {"string": "2130"},
    "productName": {"string": "RBLN-CR13"},
    "vf": {"bool": False},
    "driverVersion": {"version": "1.2.3"},
    "resource.kubernetes.io/pciBusID": {"string": "0000:27:00.0"},
    "resource.kubernetes.io/numaNode": {"int": 0},
    "dra.net/numaNode": {"int": 0},
}


def explained(expression: str, attributes: dict[str, Any] = REBEL100, *, driver: str = DRIVER, minor: str = "1.36") -> Explanation:
    """Explain a selector on a device with some attributes and 16Gi of memory."""
    device = Device.from_dict({"name": "d", "attributes": attributes, "capacity": {"memory": {"value": "16Gi"}}}, driver=driver, pool="p")
    return Selector(expression, Environment(minor)).explain(device)


@pytest.mark.parametrize(
    ("expression", "key", "near", "text"),
    [
        (f'{A}.productname == "x"', "productname", ("productName",), "did you mean productName?"),
        (f'{A}["uuid"] == "x"', "uuid", (), "only devices of type npu have uuid, this one is vfio"),
        (f'{A}["index"] == "x"', "index", (), "the device has driverVersion, iommuGroup, pciDeviceID, productName, type, vf there"),
        (
            f"{A}.numaNode == 0",
            "numaNode",
            ("resource.kubernetes.io/numaNode", "dra.net/numaNode"),
            "did you mean resource.kubernetes.io/numaNode or",
        ),
        (
            f'{R}.pcieRoot == "x"',
            "pcieRoot",
            (),
            "resource.kubernetes.io/pcieRoot is not there when the device's path in sysfs passes no root complex",
        ),
        (f'{R}.pciBusId == "x"', "pciBusId", ("resource.kubernetes.io/pciBusID",), "did you mean resource.kubernetes.io/pciBusID?"),
        (
            'device.attributes["resources.kubernetes.io"].pciBusID == "x"',
            "pciBusID",
            ("resource.kubernetes.io/pciBusID",),
            "did you mean resource.kubernetes.io/pciBusID?",
        ),
        ('device.attributes["resources.kubernetes.io"].x == "x"', "x", (), "did you mean the domain resource.kubernetes.io?"),
        ('device.attributes["gpu.example.com"].model == "x"', "model", (), 'the device is of driver npu.rebellions.ai; test device.driver == "gpu.'),
        ('device.attributes.gpu.model == "x"', "model", (), "the device has the domains dra.net, npu.rebellions.ai, resource.kubernetes.io"),
        (
            'device.capacity["npu.rebellions.ai"].Memory.compareTo(quantity("1Gi")) > 0',
            "Memory",
            ("memory",),
            "did you mean memory?",
        ),
        (f'cel.bind(a, {A}, a.productname == "x")', "productname", ("productName",), "did you mean productName?"),
        (f'{A}.exists(k, {A}[k + "x"] == 1)', "typex", (), "the device has no typex there"),
    ],
    ids=str,
)
def test_missing_key(expression: str, key: str, near: tuple[str, ...], text: str) -> None:
    """Field reports B01, B05, B97: the missing key, what was probably meant, and when the driver leaves it out."""
    explanation = explained(expression)
    assert explanation.verdict is Verdict.ERROR
    assert explanation.hint is not None
    assert (explanation.hint.key, explanation.hint.near) == (key, near)
    assert explanation.hint.text.startswith(text)


@pytest.mark.parametrize(
    ("expression", "rewrite"),
    [
        (f"{A}.x == 1", f"has({A}.x) && {A}.x == 1"),
        (f'{A}["x"] == 1', f'has({A}.x) && {A}["x"] == 1'),
        (f"{A}.x == 1 || {A}.y == 1", f"has({A}.x) && ({A}.x == 1 || {A}.y == 1)"),
        (f"{A}.x == 1 ? true : false", f"has({A}.x) && ({A}.x == 1 ? true : false)"),
        (f"cel.bind(a, {A}, a.x == 1)", f"has({A}.x) && cel.bind(a, {A}, a.x == 1)"),
        (f'{A}["not a name"] == 1', None),
    ],
    ids=str,
)
def test_rewrite(expression: str, rewrite: str | None) -> None:
    """The rewrite asks first, and is no error any more."""
    explanation = explained(expression)
    assert explanation.hint is not None
    assert explanation.hint.rewrite == rewrite
    if rewrite is not None:
        assert explained(rewrite).verdict is Verdict.NO_MATCH
        assert str(explanation.hint).endswith(f"; to ask first: {rewrite}")


@pytest.mark.parametrize(
    ("expression", "message", "hint"),
    [
        (
            f'{A}.driverVersion == "1.2.3"',
            "no such overload",
            f'a version is compared with a version: {A}.driverVersion.compareTo(semver("1.2.3")) == 0',
        ),
        (f'"vfio" in {A}.type', "no such overload", f'{A}.type is no list: compare with {A}.type == "vfio", or from Kubernetes 1.36'),
        (
            f'{A}.productName.isGreaterThan(semver("1.2.0"))',
            "no such overload",
            f"{A}.productName is a string: semver({A}.productName).isGreaterThan(…)",
        ),
        (f"{A}.pciDeviceID < 2130", "no such overload", "a string and a number are not compared"),
        (f"{A}.type && true", "no such overload", "both sides of && have to be true or false"),
        (f"{A}.type || false", "no such overload", "both sides of || have to be true or false"),
        (f"{A}.type", "CEL result of type string", "a selector has to be true or false: compare the attribute with something"),
        (f"1 / {R}.numaNode == 0", "division by zero", "the divisor is 0 on this device"),
        (f"semver({A}.type).major() == 1", "No Major.Minor.Patch elements found", "the text is no semantic version"),
        (f"-{A}.type == 1", "no such overload", None),
        (f"int({A}.type) == 1", "strconv", None),
    ],
    ids=str,
)
def test_other_errors(expression: str, message: str, hint: str | None) -> None:
    """Field report B10 and its kind: advice on errors of types."""
    explanation = explained(expression)
    assert explanation.error is not None
    if message != "strconv":
        assert explanation.error.message.startswith(message)
    if hint is None:
        assert explanation.hint is None
        assert explanation.error.hint is None
    else:
        assert str(explanation.hint).startswith(hint)


@pytest.mark.parametrize(
    ("attributes", "hint"),
    [
        ({"x": {"ints": [0]}}, "x is a list: that takes Kubernetes 1.37, or 1.36 with the gate DRAListTypeAttributes"),
        ({"x": {"version": "550.127.08"}}, "x is no semantic version: a driver has to leave it out"),
        ({"x": {}}, "x has no value set: a driver has to leave out what it does not know"),
    ],
    ids=["list", "no-version", "no-value"],
)
def test_unreadable_device(attributes: dict[str, Any], hint: str) -> None:
    """Field reports B13 and B22: an attribute that cannot be read is an error for every selector, and the explanation has no steps to show."""
    explanation = explained("true", attributes)
    assert explanation.error is not None
    assert explanation.error.message.startswith("attribute x: ")
    assert str(explanation.hint).startswith(hint)
    assert all(not step.evaluated for step in explanation.steps)


def test_cost_limit() -> None:
    """A selector that costs too much says so; nothing of it is shown as evaluated."""
    explanation = explained(f"{A}.x == {A}.x", {"x": {"string": "a" * 11_000_000}})
    assert explanation.error is not None
    assert "cost limit exceeded" in explanation.error.message
    assert str(explanation.hint).startswith("the selector costs more than 1,000,000 units")
    assert not any(step.evaluated for step in explanation.steps)


def test_container_device() -> None:
    """On a container device the container schema says when an attribute is missing."""
    explanation = explained(f'{A}.uuid == "x"', {"type": {"string": "npu"}})
    assert explanation.hint is not None
    assert explanation.hint.text == "uuid is not there when rbln-smi does not say; sysfs has no file for it"
    explanation = explained(f"{A}.vf", {"type": {"string": "npu"}})
    assert explanation.hint is not None
    assert explanation.hint.text == "only devices of type vfio have vf, this one is npu"
