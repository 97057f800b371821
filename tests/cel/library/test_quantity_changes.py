"""Quantities that methods change: in Kubernetes a comparison or a sum may change its receiver, but never the device."""

from __future__ import annotations

import pytest

from rbln_dra import cel
from rbln_dra.devices import Device

DEVICE = {"name": "npu", "capacity": {"fast": {"value": "1"}, "slow": {"value": "1.5Gi"}}}
FAST, SLOW = 'device.capacity["d"].fast', 'device.capacity["d"].slow'


@pytest.mark.parametrize(
    ("expression", "minor", "match"),
    [
        pytest.param('cel.bind(q, quantity("1"), q.isLessThan(quantity("1.5Gi")) && q.isInteger())', "1.36", False, id="compared-with-slow"),
        pytest.param(f"{FAST}.isLessThan({SLOW}) && {FAST}.isInteger()", "1.37", False, id="capacity-compared-with-slow"),
        pytest.param(f"{SLOW}.isGreaterThan({FAST}) && {FAST}.isInteger()", "1.37", True, id="argument-stays-fast"),
        pytest.param(f"{FAST} == {SLOW} || {FAST}.isInteger()", "1.37", True, id="equality-changes-nothing"),
        pytest.param('cel.bind(q, quantity("1.5Gi"), q.add(quantity("1Gi")) == q)', "1.36", True, id="slow-sum-is-its-receiver"),
        pytest.param('cel.bind(q, quantity("1.5Gi"), q.add(quantity("1Gi")) == q)', "1.37", False, id="slow-sum-is-new"),
        pytest.param(f'{SLOW}.add(1) == quantity("1610612737")', "1.36", True, id="capacity-sum"),
    ],
)
def test_changes(expression: str, minor: str, *, match: bool) -> None:
    """A program answers as Kubernetes does, the first time and the next, and leaves the device as it was."""
    device = Device.from_dict(DEVICE, driver="d")
    program = cel.compile(expression, cel.Environment(kubernetes=minor, expressions="stored"))
    assert [program.matches(device) for _ in range(3)] == [match] * 3
    assert device == Device.from_dict(DEVICE, driver="d")
    assert device.capacity["fast"].value.as_int64() == 1
