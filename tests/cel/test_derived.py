"""Expressions that compute attributes: what is refused, what they give, and what is no attribute. The texts are those of the real 1.37."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Device
from rbln_dra.attributes import DeviceAttribute
from rbln_dra.cel import Environment
from rbln_dra.cel.derived import Derivation, attribute_of, derivation
from rbln_dra.cel.values import CELError, Optional
from rbln_dra.errors import CompileError, EvaluationError
from rbln_dra.kubernetes import Kubernetes

A = 'device.attributes["npu.rebellions.ai"]'
STORED = Environment("1.37")
NPU = Device.from_dict(
    {
        "name": "npu",
        "attributes": {
            "type": {"string": "vfio"},
            "vf": {"bool": True},
            "i": {"int": 3},
            "v": {"version": "1.2.3"},
            "ints": {"ints": [1, 2]},
            "bools": {"bools": [True]},
            "strings": {"strings": ["a", "b"]},
            "versions": {"versions": ["1.0.0", "2.0.0-a+b"]},
            "none": {"strings": []},
        },
        "capacity": {"memory": {"value": "16Gi"}},
    },
    driver="npu.rebellions.ai",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("device.driver", {"string": "npu.rebellions.ai"}),
        (f"{A}.vf", {"bool": True}),
        (f"{A}.i / 2", {"int": 1}),
        (f"{A}.v", {"version": "1.2.3"}),
        ('semver("v1.2", true)', {"version": "1.2.0"}),
        (f"{A}.ints", {"ints": [1, 2]}),
        (f"{A}.bools", {"bools": [True]}),
        (f"{A}.strings + ['c']", {"strings": ["a", "b", "c"]}),
        (f"{A}.versions", {"versions": ["1.0.0", "2.0.0-a+b"]}),
        (f"{A}.none", {"strings": []}),
        ("[]", {"strings": []}),
        ("[1, 2, 3].filter(x, x > 1)", {"ints": [2, 3]}),
        (f"dyn({A}.?i)", {"int": 3}),
        ("dyn([optional.of('x')])", {"strings": ["x"]}),
        ("dyn(int)", {"string": "int"}),
        ("dyn([int])", {"strings": ["int"]}),
        ("google.protobuf.BoolValue{value: true}", {"bool": True}),
        ("[google.protobuf.Int64Value{value: 4}]", {"ints": [4]}),
        ("google.protobuf.Value{string_value: 'a'}", {"string": "a"}),
    ],
)
def test_attributes(text: str, expected: dict[str, Any]) -> None:
    """Bools, integers, texts, versions and lists of one of them are attributes; optionals are what they hold, types their names."""
    assert derivation(text, STORED).evaluate(NPU).to_dict() == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dyn(null)", "unsupported CEL return type: structpb.NullValue"),
        ("dyn(1u)", "unsupported CEL return type: uint64"),
        ("dyn(1.5)", "unsupported CEL return type: float64"),
        ("dyn(b'x')", "unsupported CEL return type: []uint8"),
        ("dyn(duration('1s'))", "unsupported CEL return type: time.Duration"),
        ("dyn(timestamp('2020-01-01T00:00:00Z'))", "unsupported CEL return type: time.Time"),
        ("dyn(quantity('1'))", "unsupported CEL return type: *resource.Quantity"),
        ("dyn(url('http://a'))", "unsupported CEL return type: *url.URL"),
        ("dyn(format.dns1123Label())", "unsupported CEL return type: cel.Format"),
        ("dyn(ip('1.2.3.4'))", "unsupported CEL return type: netip.Addr"),
        ("dyn(cidr('1.2.3.0/24'))", "unsupported CEL return type: netip.Prefix"),
        ("dyn({})", "unsupported CEL return type: map[ref.Val]ref.Val"),
        ("dyn(optional.none())", "unsupported CEL return type: <nil>"),
        ("dyn(optional.of([1]))", "unsupported CEL return type: []ref.Val"),
        ("dyn(google.protobuf.Empty{})", "unsupported CEL return type: *dynamicpb.Message"),
        ("dyn(device)", "unsupported CEL return type: map[string]interface {}"),
        (f"dyn({A})", "unsupported CEL return type: map[string]interface {}"),
        ('dyn(device.capacity["npu.rebellions.ai"])', "unsupported CEL return type: map[string]cel.Quantity"),
        ('dyn(device.capacity["example.com"])', "unsupported CEL return type: map[string]interface {}"),
        ("dyn([null])", "unsupported list element type: structpb.NullValue"),
        ("dyn([[1]])", "unsupported list element type: []ref.Val"),
        ("dyn([[]])", "unsupported list element type: []ref.Val"),
        ("dyn([[1] + [2]])", "unsupported list element type: []interface {}"),
        (f"[{A}.ints]", "unsupported list element type: []int64"),
        (f"[{A}.bools]", "unsupported list element type: []bool"),
        (f"[{A}.strings]", "unsupported list element type: []string"),
        (f"[{A}.versions]", "unsupported list element type: []cel.Semver"),
        ("[dyn(true), dyn(1)]", "expected list element at index 1 to be bool, got int64"),
        ("[dyn(1), dyn(2), dyn('a')]", "expected list element at index 2 to be int, got string"),
        ("[dyn('a'), dyn(semver('1.0.0'))]", "expected list element at index 1 to be string, got semver.Version"),
        ("[dyn(semver('1.0.0')), dyn(true)]", "expected list element at index 1 to be semver, got bool"),
        ("dyn([optional.of(1), optional.none()])", "expected list element at index 1 to be int, got <nil>"),
        (f"{A}.missing", "no such key: missing"),
        ("1 / 0", "division by zero"),
        ("lists.range(2000).all(x, lists.range(2000).all(y, x + y >= 0))", "operation cancelled: actual cost limit exceeded"),
    ],
)
def test_no_attributes(text: str, message: str) -> None:
    """Everything else is an error, which names the Go type of what it is."""
    with pytest.raises(EvaluationError) as caught:
        derivation(text, STORED).evaluate(NPU)
    assert caught.value.message == message


def test_a_device_that_cannot_be_read() -> None:
    """An attribute that is none is an error of every expression, as it is of selectors."""
    broken = Device.from_dict({"name": "npu", "attributes": {"v": {"version": "1"}}}, driver="npu.rebellions.ai")
    with pytest.raises(EvaluationError) as caught:
        derivation("true", STORED).evaluate(broken)
    assert caught.value.message == "attribute v: parse semantic version: No Major.Minor.Patch elements found"


_SCALAR = "must evaluate to a primitive scalar (string, integer, boolean, semver)"
_NEW = Environment("1.37", "new")
_NEW_LISTS = Environment(Kubernetes("1.37", gates={"DRAListTypeAttributes": True}), "new")


@pytest.mark.parametrize(
    ("text", "environment", "message"),
    [
        ("1.5", STORED, f"{_SCALAR} or a list of these scalars, not double"),
        ("device", STORED, f"{_SCALAR} or a list of these scalars, not kubernetes.DRADevice"),
        ("[[1]]", STORED, f"{_SCALAR} or a list of these scalars, not list(list(int))"),
        ("{'a': 1}", STORED, f"{_SCALAR} or a list of these scalars, not map(string, int)"),
        (f"{A}.?i", STORED, f"{_SCALAR} or a list of these scalars, not optional_type(dyn)"),
        ("google.protobuf.DoubleValue{}", STORED, f"{_SCALAR} or a list of these scalars, not wrapper(double)"),
        ("[1]", _NEW, f"{_SCALAR}, not list(int)"),
        ("1u", _NEW_LISTS, f"{_SCALAR} or a list of these scalars, not uint"),
        ("x", STORED, "compilation failed: ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x\n | ^"),
    ],
)
def test_refused(text: str, environment: Environment, message: str) -> None:
    """What can be no attribute is refused by its type; a new list needs the gate, a stored one does not."""
    with pytest.raises(CompileError) as caught:
        derivation(text, environment)
    assert caught.value.message == message


@pytest.mark.parametrize("text", ["true", "1", f"{A}.i", "dyn(1)", "semver('1.0.0')", "google.protobuf.BoolValue{}"])
def test_admitted(text: str) -> None:
    """Scalars need no gate; an attribute's type is open, and the wrapper of a scalar passes for it."""
    assert Derivation(text, _NEW).max_cost < 100


def test_compiled_once() -> None:
    """The same text in the same environment gives the same object, in another one another."""
    assert derivation("1 + 1", STORED) is derivation("1 + 1", Environment("1.37"))
    assert derivation("1 + 1", STORED) is not derivation("1 + 1", _NEW)


def test_a_value_without_its_device() -> None:
    """A value that no device comes with has an answer, too."""
    assert attribute_of(Optional(Optional(7))) == DeviceAttribute(int_value=7)
    with pytest.raises(CELError, match=r"unsupported list element type: \[\]ref\.Val"):
        attribute_of(((1,),))


TEN = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
M = 'device.capacity["npu.rebellions.ai"].memory'
THOUSAND = f"{TEN}.map(a, {TEN}.map(b, {TEN}.filter(c, c > a).size() > b)).size()"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(THOUSAND, {"int": 10}, id="counted by a function"),
        pytest.param(f"{THOUSAND} + [?optional.of(1)].size()", {"int": 11}, id="no function can be written"),
        pytest.param(
            f"{THOUSAND} > 3 && [1, 2].exists(x, [x, 1 / (x - 1), x].size() == 3) ? 1 : 2", {"int": 1}, id="a cost that only the interpreter knows"
        ),
        pytest.param(
            f'{M}.isInteger() && {M}.compareTo(quantity("100Ti")) < 0 && {THOUSAND} > 3 ? 1 : 2', {"int": 1}, id="a quantity that comparing changes"
        ),
    ],
)
def test_what_costs_much(text: str, expected: dict[str, Any]) -> None:
    """What costs much gives the same, whatever evaluates it."""
    assert Derivation(text, STORED).evaluate(NPU).to_dict() == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(f"{THOUSAND} + {TEN}.map(a, [1 / (a - a), 2, 3]).size()", "division by zero", id="an error late"),
        pytest.param(
            f"{TEN}.map(d, {TEN}.map(e, {TEN}.map(f, {THOUSAND}))).size()", "operation cancelled: actual cost limit exceeded", id="too much"
        ),
    ],
)
def test_what_costs_much_and_fails(text: str, message: str) -> None:
    """What costs much and has no value says why, whatever evaluates it."""
    with pytest.raises(EvaluationError) as caught:
        Derivation(text, STORED).evaluate(NPU)
    assert caught.value.message == message
