"""What people ran into: field reports B41 to B53, and B25, B28 and B29 as advice, each with its answer."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Device, FieldError, Kubernetes, PCIAddress, ResourceClaim, TreeBackend, discover, validate
from rbln_dra.errors import DecodeError, InvalidValue
from rbln_dra.kubernetes import MINORS
from rbln_dra.resources import fit, pool_slices, read
from rbln_dra.validation import Advice, advise


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
    """The API server takes both forms of a name, up to 1.37; that it stands twice, or will be refused, is advice."""
    own = {"npu.rebellions.ai/type": {"string": "npu"}}
    for attributes, message in (
        ({"type": {"string": "vfio"}, **own}, "it is the same as type, and which of the two a selector sees is random; leave it out"),
        (own, "the domain is the driver's own, which Kubernetes means to refuse; call it type"),
    ):
        made = published(device(attributes=attributes))
        assert [validate(made, kubernetes=minor) for minor in MINORS] == [()] * len(MINORS)
        assert advise(made) == (Advice("own-domain", 0, "spec.devices[0].attributes[npu.rebellions.ai/type]", message),)
    assert advise(published(device(attributes={"type": {"string": "vfio"}, "example.com/type": {"string": "x"}}))) == ()
    (capacity,) = advise(published(device(capacity={"npu.rebellions.ai/memory": {"value": "1Gi"}})))
    assert capacity.field == "spec.devices[0].capacity[npu.rebellions.ai/memory]"


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
    errors = validate(made, kubernetes=Kubernetes("1.36", gates={"DRAListTypeAttributes": True}))
    assert [(each.field, each.message) for each in errors] == [(field, text)]


def test_b50_limits_that_interact() -> None:
    """40 scalars and a list of 9 are too many attributes and too many values."""
    made = published(device(attributes={**{f"a{number}": {"int": 1} for number in range(40)}, "list": {"ints": list(range(9))}}))
    errors = validate(made, kubernetes=Kubernetes("1.36", gates={"DRAListTypeAttributes": True}))
    assert [each.message for each in errors] == [
        "Invalid value: 41: the total number of attributes and capacities must not exceed 32",
        "Invalid value: 49: the total number of attribute values must not exceed 48",
    ]


def test_b43_a_text_that_is_cut() -> None:
    """Nothing is cut unasked; what is cut is cut at a whole character, and what may have been cut is advice."""
    assert (fit("x" * 65), fit("é" * 64), fit("RBLN-CR13")) == ("x" * 64, "é" * 32, "RBLN-CR13")
    assert fit("a" + "é" * 32) == "a" + "é" * 31
    (advice,) = advise(published(device(attributes={"productName": {"string": fit("x" * 67)}, "type": {"string": "vfio"}, "vf": {"bool": False}})))
    assert (advice.code, advice.field) == ("full-text", "spec.devices[0].attributes[productName].string")
    assert "a selector that compares it as a whole is fragile" in advice.message
    with pytest.raises(InvalidValue):
        fit(1)  # type: ignore[arg-type]


def test_b44_slices_of_many_devices() -> None:
    """129 devices are 128 and 1; with a taint on one they are 64, 64 and 1: one pool, one generation, names that differ."""
    devices = [Device(f"d{number}", "npu.rebellions.ai") for number in range(129)]
    tainted = [Device.from_dict({"name": "d0", "taints": [{"key": "a", "effect": "NoSchedule"}]}, driver="npu.rebellions.ai"), *devices[1:]]
    for some, sizes in ((devices, [128, 1]), (tainted, [64, 64, 1])):
        made = pool_slices(some, node="node-a", kubernetes=Kubernetes("1.36"))
        assert [len(each.spec.devices) for each in made] == sizes
        assert {(each.spec.pool.name, each.spec.pool.generation, each.spec.pool.resource_slice_count) for each in made} == {("node-a", 1, len(sizes))}
        assert len({each.metadata.name for each in made}) == len(made)
        assert [validate(each, kubernetes="1.36") for each in made] == [()] * len(made)
        assert advise(*made) == ()


def test_b52_names_have_17_characters() -> None:
    """A name is longer than an interface may be called, and far shorter than the API allows."""
    assert {len(each.name) for each in discover(TreeBackend("atom")).devices} == {17}
    assert len(PCIAddress.parse("ffffffff:00:00.0").device_name) == 21


def test_b53_a_pool_of_two_nodes() -> None:
    """The API server sees one slice at a time, so it admits both; looked at together they are advice."""
    slices = [published(device(), nodeName=node, pool={"name": "shared", "generation": 1, "resourceSliceCount": 1}) for node in ("node-a", "node-b")]
    assert [validate(each) for each in slices] == [(), ()]
    assert advise(*slices) == (
        Advice(
            "shared-pool",
            1,
            "spec.pool.name",
            "the pool shared of npu.rebellions.ai is on the node node-a already; name the pool of a node after the node",
        ),
    )
    elsewhere = published(device(), nodeName="node-b", pool={"name": "node-b", "generation": 1, "resourceSliceCount": 1})
    cluster = {**slices[1], "spec": {**{key: value for key, value in slices[1]["spec"].items() if key != "nodeName"}, "allNodes": True}}
    other = published(device(), nodeName="node-b", driver="example.com", pool={"name": "shared", "generation": 1, "resourceSliceCount": 1})
    assert advise(slices[0], slices[0], elsewhere, cluster, other) == ()


def constrained(*constraints: dict[str, str], kind: str = "ResourceClaim", **exactly: Any) -> dict[str, Any]:
    """Make a claim or a template with constraints."""
    request = {"name": "npu", "exactly": {"deviceClassName": "npu", "count": 2, **exactly}}
    spec: dict[str, Any] = {"devices": {"requests": [request], "constraints": list(constraints)}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": kind,
        "metadata": {"name": "npu"},
        "spec": spec if kind == "ResourceClaim" else {"spec": spec},
    }


def test_b29_a_match_on_what_is_the_same_everywhere() -> None:
    """All NPUs of a product have one PCI device id: who matches it does not get the same card, and is told so."""
    wanted = {"matchAttribute": "npu.rebellions.ai/pciDeviceID"}
    assert validate(constrained(wanted)) == ()
    (advice,) = advise(constrained(wanted))
    assert (advice.code, advice.field) == ("constant-match", "spec.devices.constraints[0].matchAttribute")
    assert advice.message == (
        "pciDeviceID is constant across a product and does not express locality; match resource.kubernetes.io/pcieRoot for devices of one PCIe root, "
        "or select resource.kubernetes.io/pciBusID for one device"
    )
    (inside,) = advise(constrained({"matchAttribute": "resource.kubernetes.io/pcieRoot"}, wanted, kind="ResourceClaimTemplate"))
    assert inside.field == "spec.spec.devices.constraints[1].matchAttribute"
    for fine in ("npu.rebellions.ai/productName", "npu.rebellions.ai/sid", "resource.kubernetes.io/numaNode", "gpu.amd.com/deviceID"):
        assert advise(constrained({"matchAttribute": fine})) == ()


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("npu.rebellions.ai/pciRoot", "; did you mean resource.kubernetes.io/pcieRoot?"),
        ("resources.kubernetes.io/pciBusID", "; did you mean resource.kubernetes.io/pciBusID?"),
        ("resource.kubernetes.io/numanode", "; did you mean resource.kubernetes.io/numaNode?"),
        ("npu.rebellions.ai/parentDeviceID", "; did you mean npu.rebellions.ai/pciDeviceID?"),
        ("npu.rebellions.ai/xyzzy", ""),
        ("npu.rebelions.ai/xyzzy", ""),
    ],
)
@pytest.mark.parametrize("field", ["matchAttribute", "distinctAttribute"])
def test_b29_constraints_on_what_nothing_publishes(field: str, name: str, meant: str) -> None:
    """No device has it, so the claim is never allocated; the near name is that of the attribute that was meant."""
    (advice,) = advise(constrained({field: name}))
    assert (advice.code, advice.message) == ("unknown-attribute", f"the NPU DRA driver publishes no {name}{meant}")


def test_b29_attributes_that_others_publish() -> None:
    """Domains of other drivers, what slices at hand have, and what the claim computes itself are no typing errors."""
    for name in ("gpu.intel.com/pciRoot", "dra.net/rdma", "resource.kubernetes.io/socket"):
        assert advise(constrained({"matchAttribute": name})) == ()
    wanted = constrained({"matchAttribute": "npu.rebellions.ai/xyzzy"}, {"distinctAttribute": "resource.kubernetes.io/numanode"})
    have = published(device(attributes={"xyzzy": {"int": 1}, "resource.kubernetes.io/numanode": {"int": 1}}))
    assert advise(wanted, have) == ()
    computed = [{"name": "npu.rebellions.ai/xyzzy", "expression": "true"}]
    assert advise(constrained({"matchAttribute": "npu.rebellions.ai/xyzzy"}, derivedAttributes=computed), kubernetes="1.37") == ()
    empty = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "spec": {"devices": {"requests": [{"name": "a"}], "constraints": [{}]}}}
    assert advise(empty, ResourceClaim.from_dict(empty)) == ()


def test_b25_a_value_in_the_words_of_go() -> None:
    """`stringValue` is unknown, and `string` was meant; without a known one the attribute has no value."""
    made = published(device(attributes={"type": {"stringValue": "vfio"}}))
    with pytest.raises(DecodeError) as raised:
        read(made, strict=True)
    assert (raised.value.path, raised.value.hint) == ("spec.devices[0].attributes[type].stringValue", "did you mean string?")
    assert [(each.field, each.reason) for each in validate(made)] == [("spec.devices[0].attributes[type]", "FieldValueInvalid")]


def test_b28_a_name_without_its_domain() -> None:
    """A constraint needs a name with a domain, since drivers do not share names without one."""
    (error,) = validate(constrained({"matchAttribute": "pcieRoot"}))
    assert (error.field, error.reason) == ("spec.devices.constraints[0].matchAttribute", "FieldValueInvalid")
    assert "must be a domain and a name separated by a slash" in error.message
