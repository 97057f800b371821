"""The selector: three verdicts, and what an error does to a selection."""

from __future__ import annotations

import pickle

import pytest

from rbln_dra.cel.environment import Environment
from rbln_dra.devices import Device
from rbln_dra.discovery import TreeBackend, discover
from rbln_dra.errors import CompileError, EvaluationError
from rbln_dra.selectors import Judgement, Selector, Verdict

A = 'device.attributes["npu.rebellions.ai"]'
R = 'device.attributes["resource.kubernetes.io"]'
DRIVER = "npu.rebellions.ai"


def device(name: str = "vfio-0000-27-00-0", **attributes: object) -> Device:
    """Make a device of the NPU driver in a pool."""
    return Device.from_dict({"name": name, "attributes": attributes}, driver=DRIVER, pool="node-rebel100")


(REBEL100,) = discover(TreeBackend("rebel100")).devices
WITHOUT_NUMA = Device.from_dict({"name": "vfio-0000-28-00-0", "attributes": {"type": {"string": "vfio"}}}, driver=DRIVER, pool="node-rebel100")
OTHER_VENDOR = Device.from_dict({"name": "gpu-0", "attributes": {"model": {"string": "a"}}}, driver="gpu.example.com", pool="node-b")


@pytest.mark.parametrize(
    ("expression", "on", "verdict"),
    [
        (f'{A}.type == "vfio"', REBEL100, Verdict.MATCH),
        (f'{A}.type == "npu"', REBEL100, Verdict.NO_MATCH),
        (f'{A}.uuid == "x"', REBEL100, Verdict.ERROR),
        (f"{A}.vf", REBEL100, Verdict.NO_MATCH),
        (f"{A}.type", REBEL100, Verdict.ERROR),
        (f"{A}.pciDeviceID == 2130", REBEL100, Verdict.NO_MATCH),
        (f"{R}.numaNode == 0", WITHOUT_NUMA, Verdict.ERROR),
        (f'{R}.numaNode == 0 || {A}.type == "vfio"', WITHOUT_NUMA, Verdict.MATCH),
        (f'{R}.numaNode == 0 && {A}.type == "x"', WITHOUT_NUMA, Verdict.NO_MATCH),
        (f"has({R}.numaNode) && {R}.numaNode == 0", WITHOUT_NUMA, Verdict.NO_MATCH),
        (f'{A}.type == "vfio"', OTHER_VENDOR, Verdict.ERROR),
        (f'device.driver == "npu.rebellions.ai" && {A}.type == "vfio"', OTHER_VENDOR, Verdict.NO_MATCH),
        (f'{A}.type == "vfio" && device.driver == "npu.rebellions.ai"', OTHER_VENDOR, Verdict.NO_MATCH),
    ],
    ids=str,
)
def test_verdict(expression: str, on: Device, verdict: Verdict) -> None:
    """Field reports B19 and B20: an error is a verdict of its own, which the other side of a logical operator can absorb."""
    selector = Selector(expression)
    assert selector.verdict(on) is verdict
    judgement = selector.judge(on)
    assert judgement.verdict is verdict
    assert (judgement.error is not None) is (verdict is Verdict.ERROR)
    assert judgement.cost > 0


def test_select() -> None:
    """The matching devices come in their order."""
    devices = [device(f"d{index}", x={"int": index % 2}) for index in range(6)]
    assert [each.name for each in Selector(f"{A}.x == 1").select(devices)] == ["d1", "d3", "d5"]
    assert Selector("false").select(devices) == ()
    assert Selector("true").select([]) == ()


def test_select_raises() -> None:
    """Field report B01: an error aborts the selection; it says on which device, the missing key, near names and the guarded rewrite."""
    with pytest.raises(EvaluationError) as caught:
        Selector(f'{A}.sharingStrategy == "x"').select([REBEL100])
    error = caught.value
    assert error.message == "no such key: sharingStrategy"
    assert error.device == "npu.rebellions.ai/node-rebel100/vfio-0000-27-00-0"
    assert error.hint is not None
    assert error.hint.endswith(f'to ask first: has({A}.sharingStrategy) && {A}.sharingStrategy == "x"')


def test_verdict_table() -> None:
    """Field reports B02 and B04: three devices, an error on one: each has its own verdict, whatever the others say."""
    devices = [device("d0", x={"int": 1}), device("d1"), device("d2", x={"int": 2})]
    selector = Selector(f"{A}.x == 1")
    assert [selector.verdict(each) for each in devices] == [Verdict.MATCH, Verdict.ERROR, Verdict.NO_MATCH]
    with pytest.raises(EvaluationError, match="no such key: x"):
        selector.select(devices)


def test_does_not_compile() -> None:
    """A selector that Kubernetes refuses is refused when it is made."""
    with pytest.raises(CompileError, match="undefined field 'vendor'"):
        Selector("device.vendor == 1")


def test_environment() -> None:
    """The environment decides what compiles; the default is what kube-scheduler 1.35 evaluates."""
    assert Selector("true").environment == Environment("1.35", expressions="stored")
    assert Selector("[2, 1].sort() == [1, 2]", Environment("1.34")).verdict(REBEL100) is Verdict.MATCH
    with pytest.raises(CompileError):
        Selector("[2, 1].sort() == [1, 2]", Environment("1.34", expressions="new"))


def test_value() -> None:
    """Selectors are values: equal by text and environment, hashable, and the same after pickling."""
    selector = Selector(f'{A}.type == "vfio"')
    assert selector == Selector(f'{A}.type == "vfio"')
    assert selector != Selector(f'{A}.type == "vfio"', Environment("1.36"))
    assert len({selector, Selector(f'{A}.type == "vfio"')}) == 1
    again = pickle.loads(pickle.dumps(selector))
    assert again == selector
    assert again.verdict(REBEL100) is Verdict.MATCH
    assert selector.judge(REBEL100) == Judgement(REBEL100, Verdict.MATCH, None, selector.judge(REBEL100).cost)


@pytest.mark.parametrize(
    ("minor", "gates", "verdicts"),
    [
        ("1.35", {}, [Verdict.ERROR, Verdict.ERROR]),
        ("1.36", {}, [Verdict.ERROR, Verdict.ERROR]),
        ("1.36", {"DRAListTypeAttributes": True}, [Verdict.NO_MATCH, Verdict.MATCH]),
        ("1.37", {}, [Verdict.NO_MATCH, Verdict.MATCH]),
    ],
    ids=str,
)
def test_lists(minor: str, gates: dict[str, bool], verdicts: list[Verdict]) -> None:
    """Field report B22: an attribute that becomes a list breaks every selector where lists are off, and makes `==` false where they are on."""
    from rbln_dra.kubernetes import Kubernetes

    listed = Device.from_dict({"name": "d", "attributes": {"resource.kubernetes.io/numaNode": {"ints": [0]}}}, driver=DRIVER)
    environment = Environment(Kubernetes(minor, gates=gates))
    expressions = [f"{R}.numaNode == 0", f"0 in {R}.numaNode"]
    assert [Selector(each, environment).verdict(listed) for each in expressions] == verdicts
