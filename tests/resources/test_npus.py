"""
Room: classes of NPUs and claims for them.

May touch: `resources.npus`, the selectors to try them.
"""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Device, Selector, TreeBackend, Verdict, cel, discover
from rbln_dra.attributes import DeviceAttribute
from rbln_dra.errors import InvalidName, InvalidValue
from rbln_dra.kubernetes import MINORS
from rbln_dra.products import PRODUCTS
from rbln_dra.resources import claim, claim_template, device_classes, npu_devices, product_selector


def test_the_two_classes_are_those_of_the_driver() -> None:
    """The class for containers has an extended resource, that for VMs has none."""
    assert [each.to_dict() for each in device_classes()] == [
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceClass",
            "metadata": {"name": "npu.rebellions.ai"},
            "spec": {
                "selectors": [
                    {"cel": {"expression": 'device.driver == "npu.rebellions.ai" && device.attributes["npu.rebellions.ai"].type == "npu"'}}
                ],
                "extendedResourceName": "rebellions.ai/npu",
            },
        },
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceClass",
            "metadata": {"name": "vfio-npu.rebellions.ai"},
            "spec": {
                "selectors": [
                    {"cel": {"expression": 'device.driver == "npu.rebellions.ai" && device.attributes["npu.rebellions.ai"].type == "vfio"'}}
                ],
            },
        },
    ]
    assert device_classes(driver="gpu.example.com")[1].metadata.name == "vfio-gpu.example.com"
    with pytest.raises(InvalidName):
        device_classes(driver='x"y')
    with pytest.raises(InvalidName):
        device_classes(driver="NPU.rebellions.ai")


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("product", PRODUCTS, ids=lambda product: product.sku)
def test_a_product_is_chosen_and_nothing_else(product: Any, minor: str) -> None:
    """The selector is admitted, matches the product whatever the driver says of it, and is never an error."""
    expression = product_selector(product).expression
    assert expression is not None
    assert cel.admit(expression, minor).admitted
    selector = Selector(expression, cel.Environment(kubernetes=minor))
    number = DeviceAttribute.of(product.pf_id)
    named = Device("a", "npu.rebellions.ai", attributes={"productName": DeviceAttribute.of(product.sku), "pciDeviceID": number})
    other = Device("a", "npu.rebellions.ai", attributes={"productName": DeviceAttribute.of("RBLN-XX99"), "pciDeviceID": DeviceAttribute.of("ffff")})
    assert selector.verdict(named) is Verdict.MATCH
    assert selector.verdict(other) is Verdict.NO_MATCH
    assert selector.verdict(Device("a", "npu.rebellions.ai")) is Verdict.NO_MATCH
    if product.sku in {"RBLN-CR13", "RBLN-CR03"}:  # those which drivers publish without a name
        assert selector.verdict(Device("a", "npu.rebellions.ai", attributes={"pciDeviceID": number})) is Verdict.MATCH


def test_the_documented_products_are_found_on_the_bundled_nodes() -> None:
    """A Rebel100 and sixteen ATOM."""
    for tree, name, count in (("rebel100", "Rebel100", 1), ("atom", "RBLN-CA25", 16), ("atom", "RBLN-CA22", 0)):
        expression = product_selector(name).expression
        assert expression is not None
        assert len(Selector(expression).select(discover(TreeBackend(tree)).devices)) == count


@pytest.mark.parametrize(
    ("arguments", "wish", "constraints"),
    [
        pytest.param({}, {"allocationMode": "ExactCount", "count": 1}, None, id="one"),
        pytest.param({"count": 32}, {"allocationMode": "ExactCount", "count": 32}, None, id="as many as can be"),
        pytest.param({"count": None}, {"allocationMode": "All"}, None, id="all of a node"),
        pytest.param(
            {"count": 4, "product": "RBLN-CA25", "same": "pcieRoot"},
            {
                "selectors": [{"cel": {"expression": 'device.attributes["npu.rebellions.ai"].?productName.orValue("") == "RBLN-CA25"'}}],
                "allocationMode": "ExactCount",
                "count": 4,
            },
            [{"matchAttribute": "resource.kubernetes.io/pcieRoot"}],
            id="of one product on one root",
        ),
        pytest.param(
            {"count": 2, "same": "numaNode"},
            {"allocationMode": "ExactCount", "count": 2},
            [{"matchAttribute": "resource.kubernetes.io/numaNode"}],
            id="on one NUMA node",
        ),
    ],
)
def test_claims_say_what_is_wanted(arguments: dict[str, Any], wish: dict[str, Any], constraints: Any) -> None:
    """A claim and a template ask for the same."""
    devices = {
        "requests": [{"name": "npu", "exactly": {"deviceClassName": "vfio-npu.rebellions.ai", **wish}}],
        **({} if constraints is None else {"constraints": constraints}),
    }
    wanted = npu_devices(**arguments)
    made = claim("mine", wanted, namespace="ns").to_dict()
    assert made["spec"] == {"devices": devices}
    assert made["metadata"] == {"name": "mine", "namespace": "ns"}
    assert claim_template("mine", wanted).to_dict()["spec"] == {"metadata": {}, "spec": {"devices": devices}}


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"count": 0}, InvalidValue),
        ({"count": 33}, InvalidValue),
        ({"same": "socket"}, InvalidValue),
        ({"product": "RBLN-CR31"}, InvalidValue),
        ({"product": "x" * 100}, InvalidValue),
        ({"request": "NPU 1"}, InvalidName),
        ({"device_class": "a_b"}, InvalidName),
    ],
    ids=["none", "too many", "no such thing to share", "no such product", "no product at all", "no name of a request", "no name of a class"],
)
def test_what_no_claim_can_say_is_refused(arguments: dict[str, Any], error: type[Exception]) -> None:
    """Before anything is made."""
    with pytest.raises(error):
        npu_devices(**arguments)


def test_a_mistyped_product_has_a_hint() -> None:
    """The names that were probably meant are given."""
    with pytest.raises(InvalidValue, match=r"did you mean RBLN-CR13 or RBLN-CR03 or RBLN-CR23\?"):
        product_selector("RBLN-CR31")


def test_names_of_claims_are_checked() -> None:
    """As those of every object."""
    with pytest.raises(InvalidName):
        claim("My Claim", npu_devices())
    with pytest.raises(InvalidName):
        claim_template("", npu_devices())
