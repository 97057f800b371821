"""What a program can read of a device."""

from __future__ import annotations

import pytest

from rbln_dra import cel
from rbln_dra.cel.references import Key, References

A, B = 'device.attributes["a"]', 'device.attributes["b"]'
ANYTHING = [(None, None)]


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("true", []),
        (f"{A}.x == 1", [("a", "x")]),
        (f'{A}["x"] == 1', [("a", "x")]),
        ("device.attributes.a.x == 1", [("a", "x")]),
        (f"has({A}.x) && {B}.y == {A}.x", [("a", "x"), ("b", "y")]),
        (f"{A}.?x.orValue(1) == 1", [("a", "x")]),
        ('device.attributes[?"a"].?x.hasValue()', [("a", "x")]),
        ('device.attributes[?"a"][?"x"].hasValue()', [("a", "x")]),
        ('"a" in device.attributes', [("a", None)]),
        (f'"x" in {A}', [("a", "x")]),
        (f"device.driver in {A}", [("a", None)]),
        (f"{A}[device.driver] == 1", [("a", None)]),
        ("device.attributes[device.driver].x == 1", ANYTHING),
        (f"device.attributes[{A}.x].y == 1", ANYTHING),
        ("device.attributes.size() == 1", ANYTHING),
        (f"{A}.size() == 1 && {A}.x == 1", [("a", None)]),
        (f"{A}.x.y == 1", [("a", "x")]),
        (f"{A}.x.startsWith({B}.y)", [("a", "x"), ("b", "y")]),
        (f"[{A}.x].exists(v, v == 1)", [("a", "x")]),
        (f'{{"k": {A}.x}}.k == {B}.y', [("a", "x"), ("b", "y")]),
        (f"{{{A}.x: 1}}.size() == 1", [("a", "x")]),
        (f"google.protobuf.Value{{list_value: [{A}.x]}} == 1", [("a", "x")]),
        (f"{A}.exists(k, k == 'x')", [("a", None)]),
        (f"{A}.exists(k, v, v == 'x')", [("a", None)]),
        ("device.attributes.exists(d, device.attributes[d].x == 1)", ANYTHING),
        ("device.attributes.exists(d, m, m.x == 1)", ANYTHING),
        (f"cel.bind(m, {A}, m.x == m.y)", [("a", "x"), ("a", "y")]),
        (f"cel.bind(m, {A}, cel.bind(n, m.x, n == 1))", [("a", "x")]),
        (f"cel.bind(m, [{A}.x], m == [1])", [("a", "x")]),
        (f"cel.bind(device, {A}, device.x == 1)", [("a", "x")]),
        (f"{A}.?x.optMap(v, v == 1).orValue(false)", [("a", "x")]),
        ("[1].exists(device, device == 1)", []),
        ("device == device", ANYTHING),
        ("optional.none().optMap(v, v == 1).orValue(false)", []),
        ("-1 == 1 && int == type(1)", []),
    ],
)
def test_attributes_that_make_a_difference_are_found(text: str, attributes: list[Key]) -> None:
    """Names, fields and constant indices are followed; what is computed stands for everything in its place."""
    assert cel.compile(text, cel.Environment("1.36")).references.attributes == frozenset(attributes)


def test_capacities_and_fields_are_found_too() -> None:
    """A capacity is a domain and an id as well."""
    found = cel.compile('device.capacity["d"].memory.isInteger() && device.driver == "d" && device.allowMultipleAllocations').references
    assert found == References(capacities=frozenset({("d", "memory")}), driver=True, allow_multiple_allocations=True)


def test_the_whole_device_is_everything() -> None:
    """Where the device itself is a value, all of it counts."""
    found = cel.compile("[device].size() == 1").references
    assert found == References(frozenset(ANYTHING), frozenset(ANYTHING), driver=True, allow_multiple_allocations=True)


def test_a_leading_dot_means_the_device_itself() -> None:
    """In 1.37 `.device` passes over a variable of that name."""
    found = cel.compile('[1].exists(device, .device.driver == "d")', cel.Environment("1.37")).references
    assert found == References(driver=True)
