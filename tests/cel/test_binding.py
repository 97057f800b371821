"""Binding: a device as the variables of an expression."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra.cel import binding
from rbln_dra.cel.environment import Environment
from rbln_dra.cel.values import NativeMap, Optional
from rbln_dra.devices import Device
from rbln_dra.errors import EvaluationError
from rbln_dra.kubernetes import Kubernetes
from rbln_dra.semver import Semver


def device(attributes: dict[str, Any], *, driver: str = "d.example", **fields: Any) -> Device:
    """Give a device."""
    return Device.from_dict({"name": "x", "attributes": attributes, **fields}, driver=driver)


def bound(given: Device, kubernetes: str | Kubernetes = "1.37") -> NativeMap:
    """Bind a device and give its variable."""
    held: NativeMap = binding.bind(given, Environment(kubernetes))["device"]
    return held


@pytest.mark.parametrize(
    ("name", "domain", "id_"),
    [("type", "d.example", "type"), ("a.example/x", "a.example", "x"), ("a/b/c", "a", "b/c"), ("/x", "", "x"), ("d.example/y", "d.example", "y")],
)
def test_names(name: str, domain: str, id_: str) -> None:
    """A name is split at its first slash; without one it is in the driver's domain."""
    assert bound(device({name: {"int": 1}})).find("attributes").held(domain).held(id_) == 1
    assert bound(device({}, capacity={name: {"value": "1Gi"}})).find("capacity").held(domain).held(id_).as_int64() == 2**30


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ({"int": 0}, 0),
        ({"bool": False}, False),
        ({"string": ""}, ""),
        ({"version": "1.2.3"}, Semver.parse("1.2.3")),
        ({"int": 1, "string": "x"}, 1),
        ({"ints": [1, 2]}, (1, 2)),
        ({"ints": []}, ()),
        ({"bools": [True]}, (True,)),
        ({"strings": ["a"], "int": 1}, ("a",)),
        ({"versions": ["1.2.3"]}, (Semver.parse("1.2.3"),)),
    ],
)
def test_values(attribute: dict[str, Any], value: Any) -> None:
    """The first value that is there counts, lists first."""
    held = bound(device({"x": attribute})).find("attributes").find("d.example").held("x")
    assert held == value
    assert type(held) is type(value)


@pytest.mark.parametrize(
    ("attribute", "kubernetes", "text"),
    [
        ({}, "1.37", "attribute x: unsupported attribute value"),
        ({"ints": [1]}, "1.36", "attribute x: unsupported attribute value"),
        ({"version": "1.2"}, "1.34", "attribute x: parse semantic version: No Major.Minor.Patch elements found"),
        ({"versions": ["1.0.0", "v1"]}, "1.37", "attribute x: parse semantic version: No Major.Minor.Patch elements found"),
    ],
)
def test_attributes_that_cannot_be_read(attribute: dict[str, Any], kubernetes: str, text: str) -> None:
    """One attribute that cannot be read is an error for every expression."""
    with pytest.raises(EvaluationError) as caught:
        bound(device({"x": attribute}), kubernetes)
    assert caught.value.message == text


def test_lists_by_gate() -> None:
    """In 1.36 a gate lets attributes be lists."""
    release = Kubernetes("1.36", gates={"DRAListTypeAttributes": True})
    assert bound(device({"x": {"ints": [1]}}), release).find("attributes").find("d.example").held("x") == (1,)


def test_defaults() -> None:
    """An unknown domain is an empty map that is not there; allowing multiple allocations is false when unset."""
    held = bound(device({}))
    assert held.find("driver") == "d.example"
    assert held.find("allowMultipleAllocations") is False
    assert bound(device({}, allowMultipleAllocations=True)).find("allowMultipleAllocations") is True
    for field in ("attributes", "capacity"):
        domains = held.find(field)
        assert domains.held("nodomain") is Optional.ABSENT
        assert domains.find("nodomain").cel_size == 0


def test_quantities_are_copies() -> None:
    """An evaluation cannot change the device's own quantity."""
    given = device({}, capacity={"memory": {"value": "1Gi"}})
    held = bound(given).find("capacity").find("d.example").held("memory")
    assert held == given.capacity["memory"].value
    assert held is not given.capacity["memory"].value
