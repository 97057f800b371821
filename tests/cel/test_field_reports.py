"""
Selectors that people met trouble with, in public reports, with what kube-scheduler or the API server really says of them.

The numbers are those of our collection of reports; the values are of the real evaluators. What is not about the value of an expression is tested where it belongs:
advice in `tests/selectors`, reading in `tests/devices`.
"""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Device, Kubernetes, cel
from rbln_dra.errors import CompileError

A = 'device.attributes["npu.rebellions.ai"]'
R = 'device.attributes["resource.kubernetes.io"]'
C = 'device.capacity["npu.rebellions.ai"]'
DRIVER = 'device.driver == "npu.rebellions.ai"'
NESTED = 'device.attributes.all(d, device.attributes[d].all(k, device.attributes.all(e, device.attributes[e].all(m, m != "x"))))'
NUMA = "resource.kubernetes.io/numaNode"
GATES = {"cc": "DRAConsumableCapacity", "lt": "DRAListTypeAttributes"}
ATTRIBUTES = {
    "type": {"string": "vfio"},
    "iommuGroup": {"int": 42},
    "pciDeviceID": {"string": "2130"},
    "productName": {"string": "RBLN-CR13"},
    "vf": {"bool": False},
    "resource.kubernetes.io/pciBusID": {"string": "0000:27:00.0"},
    "resource.kubernetes.io/pcieRoot": {"string": "pci0000:20"},
    NUMA: {"int": 0},
    "dra.net/numaNode": {"int": 0},
}


def device(attributes: dict[str, Any], *, memory: str | None = None, driver: str = "npu.rebellions.ai") -> Device:
    """Make a device."""
    capacity = {} if memory is None else {"capacity": {"memory": {"value": memory}}}
    return Device.from_dict({"name": "vfio-0000-27-00-0", "attributes": attributes, **capacity}, driver=driver)


DEVICES = {
    "dev": device(ATTRIBUTES),
    "no-numa": device({name: value for name, value in ATTRIBUTES.items() if name != NUMA}),
    "listed": device({**ATTRIBUTES, NUMA: {"ints": [0]}}),
    "version": device({**ATTRIBUTES, "driverVersion": {"version": "1.2.3"}}),
    "build": device({**ATTRIBUTES, "driverVersion": {"version": "1.2.3+b1"}}),
    "candidate": device({**ATTRIBUTES, "driverVersion": {"version": "1.2.3-rc.1"}}),
    "no-value": device({**ATTRIBUTES, "driverVersion": {}}),
    "empty-version": device({**ATTRIBUTES, "driverVersion": {"version": ""}}),
    "true": device({**ATTRIBUTES, "flag": {"string": "true"}}),
    "memory": device(ATTRIBUTES, memory="32Gi"),
    "gi": device(ATTRIBUTES, memory="1Gi"),
    "k": device(ATTRIBUTES, memory="1k"),
    "other": device({"model": {"string": "x"}}, driver="gpu.example.com"),
}


def environment(when: str) -> cel.Environment:
    """Read `1.36/new+lt`: the minor, new or stored expressions, and the gates that are on."""
    minor, _, rest = when.partition("/")
    expressions, *letters = rest.split("+")
    return cel.Environment(Kubernetes(minor, gates={gate: short in letters for short, gate in GATES.items()}), expressions)


REPORTS = [
    pytest.param(f'{A}.sharingStrategy == "x"', "dev", "1.36/stored", "error", "no such key: sharingStrategy", 5, id="B01"),
    pytest.param(f'has({A}.sharingStrategy) && {A}.sharingStrategy == "x"', "dev", "1.36/stored", "no match", None, 8, id="B01-guarded"),
    pytest.param(f"{R}.numaNode == 0", "dev", "1.36/stored", "match", None, 5, id="B02"),
    pytest.param(f"{R}.numaNode == 0", "no-numa", "1.36/stored", "error", "no such key: numaNode", 5, id="B02-error"),
    pytest.param(f"{A}.index == 1", "dev", "1.36/stored", "error", "no such key: index", 5, id="B05"),
    pytest.param(NESTED, "dev", "1.36/stored", "match", None, 5511427, id="B07"),
    pytest.param(
        f'{A}.driverVersion > semver("1.2.0")',
        "version",
        "1.36/stored",
        "refused",
        "found no matching overload for '_>_' applied to '(any, kubernetes.Semver)'",
        None,
        id="B10-operator",
    ),
    pytest.param(
        f'{C}.memory >= quantity("16Gi")',
        "memory",
        "1.36/stored",
        "refused",
        "found no matching overload for '_>=_' applied to '(kubernetes.Quantity, kubernetes.Quantity)'",
        None,
        id="B10-quantity-operator",
    ),
    pytest.param(
        f'{C}.memory == "32Gi"',
        "memory",
        "1.36/stored",
        "refused",
        "found no matching overload for '_==_' applied to '(kubernetes.Quantity, string)'",
        None,
        id="B10-quantity-text",
    ),
    pytest.param(f'{A}.driverVersion == "1.2.3"', "version", "1.36/stored", "error", "no such overload", 5, id="B10-version-text"),
    pytest.param(
        f'{A}.productName.isGreaterThan(semver("1.2.0"))',
        "dev",
        "1.36/stored",
        "error",
        "no such overload: isGreaterThan(string, kubernetes.Semver)",
        6,
        id="B10-string",
    ),
    pytest.param(f'{A}.driverVersion.isGreaterThan(semver("1.2.0"))', "version", "1.36/stored", "match", None, 6, id="B10-greater"),
    pytest.param(f'{A}.driverVersion == semver("1.2.3")', "build", "1.36/stored", "match", None, 12, id="B10-build"),
    pytest.param(f'{A}.driverVersion.isLessThan(semver("1.2.3"))', "candidate", "1.36/stored", "match", None, 6, id="B10-candidate"),
    pytest.param(
        f'{A}.driverVersion.isGreaterThan(semver("550.127.08"))',
        "version",
        "1.36/stored",
        "error",
        'Patch number must not contain leading zeroes "08"',
        6,
        id="B11",
    ),
    pytest.param('isSemver("550.127.08")', "dev", "1.36/stored", "no match", None, 1, id="B11-is"),
    pytest.param('semver("550.127.08", true).patch() == 8', "dev", "1.36/stored", "match", None, 3, id="B11-tolerant"),
    pytest.param('isSemver("550.127.08", true)', "dev", "1.36/stored", "match", None, 1, id="B11-is-tolerant"),
    pytest.param(
        'quantity("16GiB") == quantity("16Gi")',
        "dev",
        "1.36/stored",
        "error",
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        3,
        id="B11-quantity",
    ),
    pytest.param(f'{A}.type.matches("(?=x)")', "dev", "1.36/stored", "refused", "invalid matches argument", None, id="B11-pattern"),
    pytest.param(f'{A}.type == "vfio"', "no-value", "1.36/stored", "error", "attribute driverVersion: unsupported attribute value", 5, id="B13"),
    pytest.param(
        f'{A}.type == "vfio"',
        "empty-version",
        "1.36/stored",
        "error",
        "attribute driverVersion: parse semantic version: Version string empty",
        5,
        id="B13-empty",
    ),
    pytest.param(f"{DRIVER}", "dev", "1.36/stored", "match", None, 4, id="B16"),
    pytest.param(f"{DRIVER}", "other", "1.36/stored", "no match", None, 4, id="B16-other"),
    pytest.param(f'{A}.type == "vfio"', "other", "1.36/stored", "error", "no such key: type", 5, id="B19"),
    pytest.param(f'{DRIVER} && {A}.type == "vfio"', "other", "1.36/stored", "no match", None, 9, id="B19-driver-first"),
    pytest.param(f'{A}.type == "vfio" && {DRIVER}', "other", "1.36/stored", "no match", None, 9, id="B19-driver-last"),
    pytest.param(f"{R}.numaNode == 0", "no-numa", "1.36/stored", "error", "no such key: numaNode", 5, id="B20"),
    pytest.param(f'{R}.numaNode == 0 || {A}.type == "vfio"', "no-numa", "1.36/stored", "match", None, 10, id="B20-or"),
    pytest.param(f'{R}.numaNode == 0 && {A}.type == "x"', "no-numa", "1.36/stored", "no match", None, 10, id="B20-and"),
    pytest.param(f"has({R}.numaNode) && {R}.numaNode == 0", "no-numa", "1.36/stored", "no match", None, 8, id="B20-guarded"),
    pytest.param(
        f"{R}.numaNode == 0",
        "listed",
        "1.36/stored",
        "error",
        "attribute resource.kubernetes.io/numaNode: unsupported attribute value",
        5,
        id="B22-off",
    ),
    pytest.param(
        f'{A}.type == "vfio"',
        "listed",
        "1.36/stored",
        "error",
        "attribute resource.kubernetes.io/numaNode: unsupported attribute value",
        5,
        id="B22-off-any",
    ),
    pytest.param(f"{R}.numaNode == 0", "listed", "1.36/stored+lt", "no match", None, 5, id="B22-on"),
    pytest.param(f"{R}.numaNode.includes(0)", "listed", "1.36/new+lt", "match", None, 52, id="B22-includes-list"),
    pytest.param(f"{R}.numaNode.includes(0)", "dev", "1.36/new+lt", "match", None, 52, id="B22-includes-scalar"),
    pytest.param(
        f"{R}.numaNode.includes(0)", "dev", "1.36/new", "refused", "undeclared reference to 'includes' (in container '')", None, id="B22-includes-off"
    ),
    pytest.param(f"{R}.numaNode.includes(0)", "dev", "1.36/stored", "match", None, 52, id="B22-includes-stored"),
    pytest.param(f"0 in {R}.numaNode", "listed", "1.36/stored+lt", "match", None, 68, id="B22-in-list"),
    pytest.param(f"0 in {R}.numaNode", "dev", "1.36/stored+lt", "error", "no such overload", 68, id="B22-in-scalar"),
    pytest.param('"a".includes("a")', "dev", "1.36/new+lt", "match", None, 48, id="B23-on"),
    pytest.param('"a".includes("a")', "dev", "1.36/new", "refused", "undeclared reference to 'includes' (in container '')", None, id="B23-off"),
    pytest.param('device.attributes["gpu.nvidia.com"].type == "x"', "dev", "1.36/stored", "error", "no such key: type", 5, id="unknown-domain"),
    pytest.param('has(device.attributes["gpu.nvidia.com"].type)', "dev", "1.36/stored", "no match", None, 3, id="has-in-unknown-domain"),
    pytest.param("has(device.attributes.anything)", "dev", "1.36/stored", "match", None, 2, id="has-domain"),
    pytest.param('"npu.rebellions.ai" in device.attributes', "dev", "1.36/stored", "match", None, 3, id="domain-in"),
    pytest.param('"npu.rebellions.ai" in device.attributes', "other", "1.36/stored", "no match", None, 3, id="domain-not-in"),
    pytest.param(f"{A}.vf", "dev", "1.36/stored", "no match", None, 4, id="bare-bool"),
    pytest.param(
        f"{A}.type",
        "dev",
        "1.36/stored",
        "error",
        "CEL result of type string could not be converted to bool: unsupported native conversion from string to 'bool'",
        4,
        id="bare-string",
    ),
    pytest.param(f"{A}.x == null", "dev", "1.36/stored", "error", "no such key: x", 5, id="missing-null"),
    pytest.param(f"{A}.?x.orValue(7) == 7", "dev", "1.36/stored", "match", None, 6, id="or-value"),
    pytest.param('device.attributes[?"d"].?k.orValue("") == ""', "dev", "1.36/stored", "match", None, 5, id="optional-domain"),
    pytest.param(f'cel.bind(d, {A}, d.type == "vfio")', "dev", "1.36/stored", "match", None, 16, id="bind"),
    pytest.param(f'{A}.productName.substring(7,99) == ""', "dev", "1.36/stored", "error", "index out of range: 99", 11, id="substring"),
    pytest.param('device.name == ""', "dev", "1.36/stored", "refused", "undefined field 'name'", None, id="name"),
    pytest.param(
        "device.allowMultipleAllocations", "dev", "1.36/new", "refused", "undefined field 'allowMultipleAllocations'", None, id="multiple-new"
    ),
    pytest.param("device.allowMultipleAllocations", "dev", "1.36/stored", "no match", None, 2, id="multiple-stored"),
    pytest.param("device.allowMultipleAllocations", "dev", "1.36/new+cc", "no match", None, 2, id="multiple-on"),
    pytest.param(f'{A}.exists(k, k == "type")', "dev", "1.36/stored", "match", None, 196, id="keys"),
    pytest.param(f"1 / {R}.numaNode == 0", "dev", "1.36/stored", "error", "division by zero", 6, id="division"),
    pytest.param(" || ".join(["true"] * 1300), "dev", "1.36/stored", "match", None, 0, id="long"),
    pytest.param(
        "math.greatest(1, 2) == 2", "dev", "1.36/stored", "refused", "undeclared reference to 'math' (in container '')", None, id="greatest"
    ),
    pytest.param("now() == now()", "dev", "1.36/stored", "refused", "undeclared reference to 'now' (in container '')", None, id="now"),
    pytest.param('ip("10.0.0.1").family() == 4', "dev", "1.36/stored", "match", None, 3, id="ip"),
    pytest.param('url("https://a.example/").getHost() == "a.example"', "dev", "1.36/stored", "match", None, 4, id="url"),
    pytest.param("sets.contains([1, 2], [1])", "dev", "1.36/stored", "match", None, 23, id="sets"),
    pytest.param('"%s".format(["a"]) == "a"', "dev", "1.36/stored", "match", None, 12, id="format"),
    pytest.param(f'quantity("1024Mi") == {C}.memory', "gi", "1.36/stored", "match", None, 6, id="gi"),
    pytest.param(f'{C}.memory.isLessThan(quantity("1e3"))', "k", "1.36/stored", "no match", None, 6, id="k"),
    pytest.param(f'{C}.memory == quantity("1e3")', "k", "1.36/stored", "match", None, 6, id="k-equal"),
    pytest.param(f"bool({A}.flag)", "true", "1.36/stored", "match", None, 5, id="bool-text"),
]


@pytest.mark.parametrize(("expression", "name", "when", "says", "text", "max_cost"), REPORTS)
def test_reports(expression: str, name: str, when: str, says: str, text: str | None, max_cost: int | None) -> None:
    """Verdict, text and estimate are those of the real code; an error is no "no match"."""
    try:
        program = cel.compile(expression, environment(when))
    except CompileError as error:
        assert ("refused", error.issues[0].message, None) == (says, text, max_cost)
        return
    evaluation = program.evaluate(DEVICES[name])
    match = {True: "match", False: "no match", None: "error"}[evaluation.match]
    message = None if evaluation.error is None else evaluation.error.message
    assert (match, message, program.max_cost) == (says, text, max_cost)


def test_a_verdict_for_every_device() -> None:
    """B02, B04: of three devices, the one without the attribute is an error, in whichever order they are asked."""
    program = cel.compile(f"{R}.numaNode == 0", environment("1.36/stored"))
    devices = [DEVICES["dev"], DEVICES["no-numa"], DEVICES["version"]]
    assert [program.evaluate(one).match for one in devices] == [True, None, True]
    assert [program.evaluate(one).match for one in reversed(devices)] == [True, None, True]


def test_too_complex_for_a_new_claim_only() -> None:
    """B07: what is estimated to cost too much is refused when it is new, and evaluated when it is stored."""
    assert cel.admit(NESTED, "1.36").reason == "FieldValueForbidden"
    assert cel.compile(NESTED, environment("1.36/stored")).evaluate(DEVICES["dev"]).cost == 672
    assert cel.compile(NESTED, environment("1.36/stored")).evaluate(DEVICES["other"]).cost == 28


def test_too_long_for_the_api_server_only() -> None:
    """A selector of more than 10 KiB compiles and is refused."""
    assert cel.admit(" || ".join(["true"] * 1300), "1.36").reason == "FieldValueTooLong"


def test_class_and_request() -> None:
    """B16: the class restricts no driver, the request does; on another driver's device only the request's selector says no."""
    of_class, of_request = (cel.compile(text, environment("1.36/stored")) for text in ("true", DRIVER))
    assert [(of_class.matches(one), of_request.matches(one)) for one in (DEVICES["dev"], DEVICES["other"])] == [(True, True), (True, False)]
