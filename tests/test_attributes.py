"""Attribute values, and the schema of what the driver publishes."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra.attributes import ATTRIBUTES, DeviceAttribute, schema
from rbln_dra.errors import DecodeError, InvalidValue
from rbln_dra.semver import Semver

FORMS: list[tuple[dict[str, Any], DeviceAttribute, object]] = [
    ({"int": 42}, DeviceAttribute(int_value=42), 42),
    ({"int": 0}, DeviceAttribute(int_value=0), 0),
    ({"bool": False}, DeviceAttribute(bool_value=False), False),
    ({"string": ""}, DeviceAttribute(string_value=""), ""),
    ({"version": "1.2.3"}, DeviceAttribute(version_value="1.2.3"), "1.2.3"),
    ({"version": "no version"}, DeviceAttribute(version_value="no version"), "no version"),
    ({"ints": [0, 1]}, DeviceAttribute(int_values=(0, 1)), (0, 1)),
    ({"ints": []}, DeviceAttribute(int_values=()), ()),
    ({"bools": [True]}, DeviceAttribute(bool_values=(True,)), (True,)),
    ({"strings": ["a"]}, DeviceAttribute(string_values=("a",)), ("a",)),
    ({"versions": ["1.0.0"]}, DeviceAttribute(version_values=("1.0.0",)), ("1.0.0",)),
    ({}, DeviceAttribute(), None),
    ({"int": 1, "bool": True, "string": "x"}, DeviceAttribute(int_value=1, bool_value=True, string_value="x"), 1),
    ({"int": 1, "strings": ["x"]}, DeviceAttribute(int_value=1, string_values=("x",)), ("x",)),
]


@pytest.mark.parametrize(("wire", "attribute", "value"), FORMS, ids=lambda value: repr(value)[:40])
def test_forms(wire: dict[str, Any], attribute: DeviceAttribute, value: object) -> None:
    """Each form is read and written, several values and none included, and Kubernetes' order decides which value counts."""
    read = DeviceAttribute.from_dict(wire)
    assert read == attribute
    assert read.to_dict() == wire
    assert read.value == value
    assert type(read.value) is type(value)


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        ("vfio", 'attributes[type]: expected an attribute such as {"string": "vfio"}, got \'vfio\'; did you mean {"string": "vfio"}?'),
        (42, 'attributes[type]: expected an attribute such as {"string": "vfio"}, got 42; did you mean {"int": 42}?'),
        (True, 'attributes[type]: expected an attribute such as {"string": "vfio"}, got True; did you mean {"bool": true}?'),
        (2**63, 'attributes[type]: expected an attribute such as {"string": "vfio"}, got 9223372036854775808'),
        ("a" * 79, f'attributes[type]: expected an attribute such as {{"string": "vfio"}}, got {"a" * 79!r}'),
        (["a"], 'attributes[type]: expected an attribute such as {"string": "vfio"}, got [\'a\']'),
        ({"string": 42}, 'attributes[type].string: expected a string, got 42; did you mean "42"?'),
        ({"int": "42"}, "attributes[type].int: expected an integer, got '42'; did you mean 42?"),
        ({"int": 1.0}, "attributes[type].int: expected an integer, got 1.0; did you mean 1?"),
        ({"ints": [1, "2"]}, "attributes[type].ints[1]: expected an integer, got '2'; did you mean 2?"),
        ({"bool": "true"}, "attributes[type].bool: expected true or false, got 'true'; did you mean true?"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_unreadable(obj: object, message: str) -> None:
    """What the API server cannot read is refused in one line that says what was meant."""
    with pytest.raises(DecodeError) as caught:
        DeviceAttribute.from_dict(obj, "attributes[type]")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("stringValue", "string"),
        ("intValue", "int"),
        ("boolValue", "bool"),
        ("versionValue", "version"),
        ("stringValues", "strings"),
        ("String", "string"),
        ("integer", "int"),
        ("boolean", "bool"),
        ("str", "string"),
        ("semver", "version"),
        ("quantity", None),
    ],
    ids=str,
)
def test_unknown_key(key: str, meant: str | None) -> None:
    """The API server drops an unknown key; strict reading names the one that was meant."""
    assert DeviceAttribute.from_dict({key: "vfio"}) == DeviceAttribute()
    with pytest.raises(DecodeError) as caught:
        DeviceAttribute.from_dict({key: "vfio"}, "a", strict=True)
    assert caught.value.path == f"a.{key}"
    assert caught.value.hint == (None if meant is None else f"did you mean {meant}?")


@pytest.mark.parametrize(
    ("value", "wire"),
    [
        ("vfio", {"string": "vfio"}),
        (42, {"int": 42}),
        (True, {"bool": True}),
        (Semver.parse("1.2.3"), {"version": "1.2.3"}),
        ([1, 2], {"ints": [1, 2]}),
        ((True, False), {"bools": [True, False]}),
        (["a"], {"strings": ["a"]}),
        ([Semver.parse("1.0.0")], {"versions": ["1.0.0"]}),
    ],
    ids=repr,
)
def test_of(value: Any, wire: dict[str, Any]) -> None:
    """A Python value finds its form by its type."""
    assert DeviceAttribute.of(value).to_dict() == wire


@pytest.mark.parametrize("value", [1.5, None, [], [1, "a"], [1, True], b"x", 2**63, [2**63], {"a": 1}], ids=repr)
def test_of_nothing_that_fits(value: Any) -> None:
    """What no attribute can hold is refused."""
    with pytest.raises(InvalidValue, match="expected a bool, an int of 64 bits, a str, a Semver or a list of one of these"):
        DeviceAttribute.of(value)


def test_repr() -> None:
    """Only what is set is shown."""
    assert repr(DeviceAttribute(int_value=1, string_value="x")) == "DeviceAttribute(int_value=1, string_value='x')"


SEED = {
    "type": ("string", "vfio"),
    "iommuGroup": ("int", 42),
    "pciDeviceID": ("string", "2130"),
    "productName": ("string", "RBLN-CR13"),
    "vf": ("bool", False),
    "resource.kubernetes.io/pciBusID": ("string", "0000:27:00.0"),
    "resource.kubernetes.io/pcieRoot": ("string", "pci0000:20"),
    "resource.kubernetes.io/numaNode": ("int", 0),
    "dra.net/numaNode": ("int", 0),
}


def test_documented_schema() -> None:
    """The passthrough schema is the documentation's table: its names in its order, its types, its examples."""
    rows = [row for row in ATTRIBUTES if row.device == "vfio"]
    assert {row.name: (row.type, row.example) for row in rows} == SEED
    assert [row.name for row in rows] == list(SEED)


def test_schema_rows() -> None:
    """No row stands twice, and each example is of the row's type."""
    assert len({(row.device, row.name) for row in ATTRIBUTES}) == len(ATTRIBUTES)
    types = {"string": str, "int": int, "bool": bool, "quantity": str}
    assert all(type(row.example) is types[row.type] for row in ATTRIBUTES)
    assert all(row.meaning and row.since and row.source for row in ATTRIBUTES)


@pytest.mark.parametrize(
    ("name", "device", "expression"),
    [
        ("vf", "vfio", 'device.attributes["npu.rebellions.ai"].vf'),
        ("npu.rebellions.ai/vf", "vfio", 'device.attributes["npu.rebellions.ai"].vf'),
        ("vf", "npu", None),
        ("memory", "npu", 'device.capacity["npu.rebellions.ai"].memory'),
        ("dra.net/numaNode", "npu", 'device.attributes["dra.net"].numaNode'),
        ("numaNode", "npu", None),
    ],
    ids=str,
)
def test_schema(name: str, device: Any, expression: str | None) -> None:
    """A row is found by its name and says how a selector writes it; what the driver does not publish has none."""
    row = schema(name, device=device)
    assert (None if row is None else row.expression) == expression


@pytest.mark.parametrize("values", [3, 2.5, object()], ids=["number", "fraction", "object"])
def test_lists_that_are_none(values: Any) -> None:
    """A list of values is one, or nothing."""
    with pytest.raises(InvalidValue, match="expected a list of values"):
        DeviceAttribute(string_values=values)
