"""The value of every sub-expression, and what decided."""

from __future__ import annotations

import pytest

from rbln_dra.devices import Device
from rbln_dra.selectors import Explanation, Selector

A = 'device.attributes["npu.rebellions.ai"]'
R = 'device.attributes["resource.kubernetes.io"]'
DEVICE = Device.from_dict(
    {
        "name": "vfio-0000-27-00-0",
        "attributes": {
            "type": {"string": "vfio"},
            "vf": {"bool": False},
            "productName": {"string": "RBLN-CR13"},
            "resource.kubernetes.io/numaNode": {"int": 0},
        },
        "capacity": {"memory": {"value": "140Gi"}},
    },
    driver="npu.rebellions.ai",
    pool="node-rebel100",
)


def explained(expression: str) -> Explanation:
    """Explain a selector on the device."""
    return Selector(expression).explain(DEVICE)


@pytest.mark.parametrize(
    ("expression", "reasons"),
    [
        (f'{A}.type == "vfio"', ['type is "vfio"']),
        (f'{A}.type == "vfio" && {A}.vf', ["vf is false"]),
        (f'{A}.type == "npu" && {A}.vf', ['type is "vfio"']),
        (f'{A}.type == "vfio" && {R}.numaNode == 0', ['type is "vfio"', "resource.kubernetes.io/numaNode is 0"]),
        (f'{A}.type == "npu" || {A}.vf', ['type is "vfio"', "vf is false"]),
        (f'{A}.nosuch == 1 || {A}.type == "vfio"', ['type is "vfio"']),
        (f'{A}.nosuch == 1 && {A}.type == "npu"', ['type is "vfio"']),
        (f"!{A}.vf", ["vf is false"]),
        (f"has({A}.nosuch)", ["nosuch is not set"]),
        (f"has({A}.vf) && {A}.vf", ["vf is false"]),
        (f"has({A}.vf)", ["vf is set"]),
        (f'has({A}.nosuch) ? true : {A}.type == "npu"', ["nosuch is not set", 'type is "vfio"']),
        (f'cel.bind(d, {A}, d.type == "vfio" && !d.vf)', ['type is "vfio"', "vf is false"]),
        ('device.driver == "x"', ['device.driver is "npu.rebellions.ai"']),
        ('device.capacity["npu.rebellions.ai"].memory.compareTo(quantity("16Gi")) < 0', ['memory is quantity("140Gi")']),
        (f'{A}.productName.startsWith("RBLN-CA")', ['productName is "RBLN-CR13"']),
        (f'{A}.exists(k, k == "vf")', [f'{A}.exists(k, k == "vf") is true']),
        ("1 < 2", ["1 < 2 is true"]),
        ("true", ["it says true"]),
        (f"{A}.vf || true", ["it says true"]),
        (f"{A}.vf || false", ["vf is false"]),
        (f"{A}.nosuch == 1", ["nosuch is not set"]),
        (f'({A}.vf ? {A}.nosuch : {A}.type) == "vfio"', ["vf is false", 'type is "vfio"']),
        (f'{{"a": {A}.vf}}["a"] == false', ["vf is false"]),
        (f"[{A}.vf, {A}.vf][0] == false", ["vf is false"]),
        (f"google.protobuf.BoolValue{{value: {A}.vf}} == false", ["vf is false"]),
        (f'{A}.type + "x" == "vfiox"', ['type is "vfio"']),
        (f"{A}.?nosuch.orValue(1) == 1", ["nosuch is not set"]),
        (f'{A}.?type.orValue("") == "vfio"', ['type is "vfio"']),
    ],
    ids=str,
)
def test_reasons(expression: str, reasons: list[str]) -> None:
    """What decided is named as it is published, with its value; what did not decide is left out."""
    assert list(explained(expression).reasons) == reasons


def test_reason_is_short() -> None:
    """Of many reasons the first four are given, and how many more there are."""
    expression = " && ".join(f"{A}.vf == false || {index} < 0" for index in range(9))
    assert explained(expression).reason == "vf is false"
    many = " && ".join(f"{index} < 100" for index in range(9))
    assert explained(many).reason == "0 < 100 is true, 1 < 100 is true, 2 < 100 is true, 3 < 100 is true and 5 more"


def test_steps() -> None:
    """Every sub-expression has its value, its error, or was not looked at."""
    explanation = explained(f'{A}.type == "npu" && {A}.nosuch == 1')
    assert [(step.depth, step.text, step.result) for step in explanation.steps] == [
        (0, f'{A}.type == "npu" && {A}.nosuch == 1', "false"),
        (1, f'{A}.type == "npu"', "false"),
        (2, f"{A}.type", '"vfio"'),
        (1, f"{A}.nosuch == 1", "not evaluated"),
        (2, f"{A}.nosuch", "not evaluated"),
    ]


def test_steps_of_an_error() -> None:
    """An error shows where it began."""
    explanation = explained(f"{A}.nosuch == 1 || {A}.vf")
    assert [step.result for step in explanation.steps] == [
        "ERROR no such key: nosuch",
        "ERROR no such key: nosuch",
        "ERROR no such key: nosuch",
        "false",
    ]
    assert explanation.steps[0].error == "no such key: nosuch"
    assert explanation.steps[0].value is None
    assert explanation.reason == str(explanation.error)


def test_text() -> None:
    """As a text it has verdict and reason, device and cost, and the steps."""
    assert str(explained(f'{A}.type == "vfio"')).splitlines() == [
        'match: type is "vfio"',
        "device npu.rebellions.ai/node-rebel100/vfio-0000-27-00-0, cost 5",
        f'true     {A}.type == "vfio"',
        f'"vfio"     {A}.type',
    ]


def test_text_of_a_constant() -> None:
    """A selector without parts has no steps."""
    assert str(explained("true")).splitlines() == ["match: it says true", "device npu.rebellions.ai/node-rebel100/vfio-0000-27-00-0, cost 0"]
