"""Advice on a selector without a device."""

from __future__ import annotations

import pytest

from rbln_dra.cel.environment import Environment
from rbln_dra.selectors import RULES, Selector

A = 'device.attributes["npu.rebellions.ai"]'
R = 'device.attributes["resource.kubernetes.io"]'
C = 'device.capacity["npu.rebellions.ai"]'
DRIVER = 'device.driver == "npu.rebellions.ai" && '


@pytest.mark.parametrize(
    ("expression", "advice"),
    [
        (f'{DRIVER}{A}.type == "vfio"', []),
        (f'{DRIVER}{A}.type == "vfio" && {A}.vf', []),
        (f"{DRIVER}has({R}.numaNode) && {R}.numaNode == 0", []),
        (f"{DRIVER}{R}.?numaNode.orValue(1) == 0", []),
        (f'{DRIVER}{R}[?"numaNode"].orValue(1) == 0', []),
        (f'{DRIVER}has({C}.memory) && {C}.memory.isGreaterThan(quantity("16Gi"))', []),
        (f'{DRIVER}has({A}.productName) && {A}.productName in ["RBLN-CA25", "RBLN-CA22"]', []),
        ('device.driver == "gpu.example.com" && device.attributes["gpu.example.com"].model == "a"', []),
        (f'{A}.type == "vfio"', [("no-driver", "an error on other drivers' devices, unless the DeviceClass excludes them")]),
        ('device.attributes["gpu.example.com"].model == "a"', [("no-driver", 'device.driver == "gpu.example.com" && …')]),
        (f"has({A}.vf) && true", []),
        (f"{DRIVER}{A}.index == 1", [("unknown-attribute", "the NPU DRA driver publishes no index")]),
        (
            f"{DRIVER}has({A}.numaNode)",
            [("unknown-attribute", "the NPU DRA driver publishes no numaNode; did you mean resource.kubernetes.io/numaNode or dra.net/numaNode?")],
        ),
        (f"{DRIVER}has({A}.productname)", [("unknown-attribute", "did you mean productName?")]),
        (f"{DRIVER}has({R}.pciBusId)", [("unknown-attribute", "did you mean resource.kubernetes.io/pciBusID?")]),
        (f"{DRIVER}has({C}.Memory)", [("unknown-attribute", "did you mean memory?")]),
        (f"{DRIVER}has({C}.type)", [("unknown-attribute", "the NPU DRA driver publishes no type")]),
        (
            f'{DRIVER}has(device.attributes["resources.kubernetes.io"].numaNode)',
            [("unknown-domain", "nothing is published in the domain resources.kubernetes.io; did you mean resource.kubernetes.io?")],
        ),
        (
            'device.attributes["resources.kubernetes.io"].pciBusID == "x"',
            [("no-driver", 'device.driver == "npu.rebellions.ai" && …'), ("unknown-domain", "did you mean resource.kubernetes.io?")],
        ),
        (f"{DRIVER}has(device.attributes.vendor)", [("domain-asked", 'ask "vendor" in device.attributes')]),
        (
            f"{DRIVER}has({A}.pciDeviceID) && {A}.pciDeviceID == 2130",
            [("other-type", "pciDeviceID is of type string, so comparing it with a number is always false")],
        ),
        (f"{DRIVER}has({A}.pciDeviceID) && 2130 != {A}.pciDeviceID", [("other-type", "comparing it with a number is always true")]),
        (f'{DRIVER}has({R}.numaNode) && {R}.numaNode < "1"', [("other-type", "comparing it with a string is an error")]),
        (f"{DRIVER}has({R}.numaNode) && {R}.numaNode == true", [("other-type", "comparing it with a bool is always false")]),
        (f"{DRIVER}has({R}.numaNode) && {R}.numaNode == null", [("other-type", "comparing it with such a value is always false")]),
        (f"{DRIVER}has({R}.numaNode) && {R}.numaNode == 0.0", []),
        (
            f'{DRIVER}has({A}.productName) && {A}.productName == "RBLN-CA52"',
            [("unknown-product", "there is no product RBLN-CA52; did you mean RBLN-CA25")],
        ),
        (f'{DRIVER}has({A}.productName) && {A}.productName == "rbln-ca25"', [("unknown-product", "did you mean RBLN-CA25?")]),
        (f'{DRIVER}has({A}.productName) && {A}.productName == "H100"', [("unknown-product", "there is no product H100")]),
        (f'{DRIVER}has({A}.productName) && {A}.productName != ""', []),
        (f'{DRIVER}has({A}.productName) && {A}.productName == "RBLN-CA25"', []),
        (
            f"{DRIVER}{R}.numaNode == 0",
            [("may-be-absent", "resource.kubernetes.io/numaNode is not there when the node is unknown, which is an error then; ask first: has(")],
        ),
        (f"{DRIVER}{A}.iommuGroup == 42", [("may-be-absent", "only devices of type vfio have iommuGroup; test the type first")]),
        (f'{DRIVER}{A}.uuid == "x"', [("may-be-absent", "uuid is not there when rbln-smi does not say")]),
        (f"{DRIVER}cel.bind(r, {R}, r.numaNode == 0)", [("may-be-absent", f"ask first: has({R}.numaNode)")]),
        (f"{DRIVER}[0, 1].exists(n, {R}.numaNode == n)", [("may-be-absent", "resource.kubernetes.io/numaNode")]),
        (f'{DRIVER}semver("550.127.08") == semver("1.2.3")', [("bad-constant", "an error on every device: expected a semantic version")]),
        (f'{DRIVER}quantity("16GiB") == quantity("16Gi")', [("bad-constant", "an error on every device: expected a quantity")]),
        (f'{DRIVER}semver("1.2.3") == semver("1.2.3")', []),
        (f"{DRIVER}quantity(string(1)) == quantity(device.driver)", []),
    ],
    ids=lambda value: str(value)[-60:],
)  # fmt: skip
def test_lint(expression: str, advice: list[tuple[str, str]]) -> None:
    """Field reports B05, B11, B19, B97: what Kubernetes accepts and its author may not have meant, and nothing about what is well."""
    given = Selector(expression, Environment("1.36")).lint()
    assert [each.code for each in given] == [code for code, _ in advice]
    for each, (_, text) in zip(given, advice, strict=True):
        assert text in each.message
        assert "\n" not in each.message


def test_rules() -> None:
    """Each rule has a name of its own, and a line for the documentation."""
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.summary for rule in RULES)


def test_order() -> None:
    """Advice comes by place."""
    given = Selector(f"{DRIVER}{R}.numaNode == 0 && has({A}.nosuch)").lint()
    assert [each.code for each in given] == ["may-be-absent", "unknown-attribute"]
    assert given[0].offset < given[1].offset
