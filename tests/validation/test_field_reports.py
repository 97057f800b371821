"""What people ran into: field reports B41 to B53, each with its answer."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import FieldError, TreeBackend, discover, validate
from rbln_dra.errors import DecodeError
from rbln_dra.kubernetes import MINORS
from rbln_dra.resources import pool_slices, read


def published(*devices: dict[str, Any], **spec: Any) -> dict[str, Any]:
    """Make a slice of some devices."""
    whole = {"driver": "npu.rebellions.ai", "nodeName": "node-a", "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1}, **spec}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "a"}, "spec": {**whole, "devices": list(devices)}}


def device(name: str = "vfio-0000-27-00-0", **fields: Any) -> dict[str, Any]:
    """Make a device."""
    return {"name": name, **fields}


@pytest.mark.parametrize("name", ["numa-1", "socket-268435456"])
def test_b41_an_attribute_id_is_a_c_identifier(name: str) -> None:
    """The message has the regex; the path has the attribute up to 1.35, and the map from 1.36 on."""
    made = published(device(attributes={name: {"int": 1}}))
    for minor, path in (("1.34", f"[{name}]"), ("1.35", f"[{name}]"), ("1.36", ""), ("1.37", "")):
        (error,) = validate(made, kubernetes=minor)
        assert (error.reason, error.field) == ("FieldValueInvalid", f"spec.devices[0].attributes{path}")
        assert "regex used for validation is '[A-Za-z_][A-Za-z0-9_]*'" in error.message


@pytest.mark.parametrize(
    ("text", "admitted"), [("x" * 65, False), ("x" * 64, True), ("é" * 64, False), ("é" * 32, True)], ids=["65", "64", "64 é", "32 é"]
)
def test_b43_a_string_has_64_bytes(text: str, *, admitted: bool) -> None:
    """A product name of 65 bytes makes the API server refuse the whole slice; characters do not count, bytes do."""
    errors = validate(published(device(attributes={"productName": {"string": text}})))
    too_long = FieldError("FieldValueTooLong", "spec.devices[0].attributes[productName].string", "Too long: may not be more than 64 bytes")
    assert errors == (() if admitted else (too_long,))


@pytest.mark.parametrize("minor", MINORS)
def test_b44_129_devices_need_two_slices(minor: str) -> None:
    """129 devices in one slice are refused; building splits them, and an empty pool is one empty slice."""
    errors = validate(published(*(device(f"d{number}") for number in range(129))), kubernetes=minor)
    assert errors == (FieldError("FieldValueTooMany", "spec.devices", "Too many: 129: must have at most 128 items"),)
    devices = [each for node in ("atom", "rebel100") for each in discover(TreeBackend(node)).devices]
    for some in ([], devices):
        made = pool_slices(some, node="node-a", kubernetes=minor)
        assert [validate(each, kubernetes=minor) for each in made] == [()] * len(made)


def test_b46_device_names_have_no_colons_and_no_dots() -> None:
    """The sample of a proposal names devices by their PCI address, which is refused; its unclosed quote is an error with a line."""
    (error,) = validate(published(device("worker-01-0000:01:00.0")))
    assert (error.reason, error.field) == ("FieldValueInvalid", "spec.devices[0].name")
    with pytest.raises(DecodeError) as raised:
        read('apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: "a}\n')
    assert raised.value.line is not None


def test_b47_names_do_not_depend_on_other_cards() -> None:
    """The name of a device is made of its PCI address, which stays when another card goes."""
    devices = discover(TreeBackend("atom")).devices
    assert [each.name for each in devices[1:]] == [each.name for each in devices][1:]
    assert all(each.name.startswith("vfio-") for each in devices)


def test_b49_an_attribute_of_the_own_domain() -> None:
    """The API server takes both forms of a name, up to 1.37; nothing in them is wrong for it."""
    both = {"type": {"string": "vfio"}, "npu.rebellions.ai/type": {"string": "npu"}}
    assert [validate(published(device(attributes=both)), kubernetes=minor) for minor in MINORS] == [()] * len(MINORS)


@pytest.mark.parametrize(
    ("made", "field", "text"),
    [
        (
            published(device(attributes={**{f"a{number}": {"int": 1} for number in range(31)}, "list": {"ints": list(range(18))}})),
            "spec.devices[0]",
            "Invalid value: 49: the total number of attribute values must not exceed 48",
        ),
        (
            published(device(attributes={f"a{number}": {"int": 1} for number in range(33)})),
            "spec.devices[0]",
            "Invalid value: 33: the total number of attributes and capacities must not exceed 32",
        ),
        (
            published(*(device(f"d{number}", taints=[{"key": "a", "effect": "NoSchedule"}]) for number in range(65))),
            "spec.devices",
            "Too many: 65: must have at most 64 items",
        ),
    ],
    ids=["values", "attributes", "tainted devices"],
)
def test_b50_limits_say_number_and_maximum(made: dict[str, Any], field: str, text: str) -> None:
    """Each limit names how many there are and how many there may be."""
    from rbln_dra import Kubernetes

    errors = validate(made, kubernetes=Kubernetes("1.36", gates={"DRAListTypeAttributes": True}))
    assert [(each.field, each.message) for each in errors] == [(field, text)]


def test_b52_names_have_17_characters() -> None:
    """A name is longer than an interface may be called, and far shorter than the API allows."""
    assert {len(each.name) for each in discover(TreeBackend("atom")).devices} == {17}


def test_b53_a_pool_of_two_nodes_is_admitted() -> None:
    """The API server sees one slice at a time: that two nodes use one pool it cannot say."""
    for node in ("node-a", "node-b"):
        assert validate(published(device(), nodeName=node, pool={"name": "shared", "generation": 1, "resourceSliceCount": 1})) == ()
