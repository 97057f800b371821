"""The reference evaluator: values, errors and costs of whole expressions, as the scheduler's evaluator gives them."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from rbln_dra.cel import checker, interpreter, syntax
from rbln_dra.cel.ast import Uint
from rbln_dra.cel.environment import Environment
from rbln_dra.cel.values import Abort, CELError, ListView, Map, Optional, elements
from rbln_dra.errors import CompileError

from .conftest import DEVICE, Evaluate

D = 'device.attributes["d"]'


def plain(value: Any) -> Any:
    """Write a list out, and a map as pairs."""
    if isinstance(value, (tuple, ListView)):
        return [plain(element) for element in elements(value)]
    return [(key, plain(held)) for key, held in value.items()] if isinstance(value, Map) else value


@pytest.mark.parametrize(
    ("text", "value", "cost"),
    [
        ("1 + 2", 3, 1),
        ("device.driver", "npu.rebellions.ai", 2),
        (f"{D}.type", "vfio", 4),
        (f"{D}.type == 'vfio'", True, 5),
        (f"has({D}.type)", True, 3),
        (f"has({D}.nosuch)", False, 3),
        ("has(device.attributes.nodomain)", True, 2),
        ("'nodomain' in device.attributes", False, 3),
        ("device.attributes['nodomain'] == {}", True, 3),
        ("device.attributes[?'nodomain'].hasValue()", True, 4),
        (f"{D}.?nosuch.orValue(7)", 7, 3),
        (f"{D}.?i.orValue(7)", 42, 4),
        (f"{D}[?'i'].optMap(x, x + 1).value()", 43, 14),
        ("[1, 2, 3]", [1, 2, 3], 0),
        ("[1, device.driver.size()]", [1, 17], 13),
        ("{'a': 1}", [("a", 1)], 0),
        ("{'a': device.driver}", [("a", "npu.rebellions.ai")], 32),
        ("{?'a': optional.none(), 'b': 2}", [("b", 2)], 31),
        ("{'a': 1, ?'a': optional.none()}", [], 31),
        ("{?'a': optional.of(1)}", [("a", 1)], 31),
        ("[1, ?optional.none(), ?optional.of(3)]", [1, 3], 12),
        ("[1, 2][1]", 2, 2),
        ("[1, 2][1 + 0]", 2, 3),
        ("[1, 2][[0][0]]", 1, 3),
        ("{1: 'a'}[dyn(1u)]", "a", 2),
        ("dyn({true: 'a'})[true]", "a", 2),
        ("dyn([7])[0.0]", 7, 2),
        ("device.driver == 'x' ? 1 : 2", 2, 3),
        ("true ? device.driver : 'x'", "npu.rebellions.ai", 1),
        ("(true ? {'a': 1} : {'a': 2}).a", 1, 1),
        ("false && 1 / 0 == 1", False, 0),
        ("1 / 0 == 1 && false", False, 2),
        ("1 / 0 == 1 || true", True, 2),
        ("dyn(1) || true", True, 0),
        ("[1, 2, 3].map(x, x * 2)", [2, 4, 6], 43),
        ("[1, 2, 3].filter(x, x > 1)", [2, 3], 33),
        ("[1, 2].all(x, x > 0)", True, 11),
        ("[0, 1].exists(x, 1 / x == 1)", True, 15),
        ("[0, 1].all(x, 1 / x == 5)", False, 13),
        ("{'a': 1}.exists(k, k == 'a')", True, 7),
        ("[1, 2].exists_one(x, x == 2)", True, 8),
        ("[5, 6].transformList(i, v, i + v)", [5, 7], 31),
        ("{'a': 1}.transformMap(k, v, v + 1)", [("a", 2)], 6),
        ("{'a': 1}.all(k, v, k == 'a' && v == 1)", True, 8),
        ("cel.bind(x, 5, x + x)", 10, 3),
        ("cel.bind(x, 1 / 0, 5)", 5, 0),
        ("cel.bind(x, [], size(x + [1]) + size(x))", 2, 6),
        ("cel.bind(x, [1], x + [2])", [1, 2], 2),
        ("optional.none().or(optional.of(2)).value()", 2, 3),
        ("optional.of(1).or(optional.of(1 / 0))", Optional(1), 1),
        ("optional.of(1).orValue(1 / 0)", 1, 1),
        ("dyn(1) in [1.0, 2.0].map(x, x)", True, 29),
        ("dyn(42) in [42u]", True, 0),
        ("dyn('a') in [1]", False, 0),
        ("dyn(42u) in [42] && dyn(42.0) in [42] && dyn(42) in [42.0] && dyn(42u) in [42.0] && dyn(42.0) in [42u]", True, 0),
        ("dyn(-1) in [-1.0] && dyn(0.5) in [0.5] && !(dyn(1) in [0.5, 1e300]) && !(0.0 / 0.0 in [double('nan')])", True, 3),
        ("dyn(18446744073709551615u) in [18446744073709551615u] && dyn(-1) in [-1]", True, 0),
        ("dyn(semver('1.0.0')) in [semver('1.0.0')]", True, 14),
        ("1 in []", False, 0),
        ("device.driver in ['a', 'npu.rebellions.ai']", True, 2),
        ("b'a' in [b'a']", True, 1),
        ("type(1) == int", True, 1),
        ("type(1) == type(2)", True, 1),
        ("google.protobuf.Int64Value{value: 5} == 5", True, 41),
        ("google.protobuf.StringValue{?value: optional.none()} == ''", True, 41),
        ("google.protobuf.StringValue{?value: optional.of('a')} == 'a'", True, 42),
        ("'abc'.matches('^a')", True, 1),
        ("matches('abc', '^a' + 'b')", True, 2),
        ("'a'.startsWith('abcdefghijklmnop')", False, 2),
        ("[1, 2].all(x, x > 5)", False, 8),
        ("has({'a': {'b': 1}}.?a.b)", True, 2),
        ("has((true ? device : device).driver)", True, 0),
        ("has((device.driver == '' ? device.attributes : device.attributes).a.b)", False, 4),
        ("{'a': 1}.map(k, k)", ["a"], 14),
        ("google.protobuf.NullValue.NULL_VALUE == 0", True, 1),
        ("dyn([1]).map(x, x)", [1], 14),
        ("device.attributes.`d`.type", "vfio", 4),
        (".device.driver", "npu.rebellions.ai", 2),
        ("[1].map(device, .device.driver)", ["npu.rebellions.ai"], 14),
    ],
)
def test_values(evaluate: Evaluate, text: str, value: Any, cost: int) -> None:
    """An expression has the value and the cost of the real evaluator (1.37)."""
    found = evaluate(text)
    assert found.error is None
    if isinstance(value, Optional):
        assert found.value.value == value.value
    else:
        assert plain(found.value) == value
    assert found.cost == cost


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1 / 0", "division by zero"),
        ("1 % 0", "modulus by zero"),
        (f"{D}.nosuch", "no such key: nosuch"),
        (f"{D}.type.x", "no such key: x"),
        (f"{D}.list[7]", "index out of bounds: 7"),
        (f"{D}.list['a']", "unsupported index type 'string' in list"),
        (f"{D}.list[0.5]", "unsupported index value 0.5 in list"),
        (f"{D}.list[dyn(device.capacity)]", "invalid qualifier type: cel.mapper"),
        (f"{D}.list[1 / 0]", "division by zero"),
        (f"{D}[?device.attributes.d.nosuch]", "no such key: nosuch"),
        (f"{D}.type ? 1 : 2", "no such overload"),
        ("(1 / 0 == 1) ? 1 : 2", "division by zero"),
        (f"{D}.type && true", "no such overload"),
        ("1 / 0 == 1 || false", "division by zero"),
        ("1 / 0 == 1 % 0", "division by zero"),
        ("1 == 1 % 0", "modulus by zero"),
        ("1 / 0 != 1 % 0", "division by zero"),
        ("1 != 1 % 0", "modulus by zero"),
        ("[1, 1 / 0, 1 % 0]", "division by zero"),
        ("{1 / 0: 1}", "division by zero"),
        ("{1: 1 / 0}", "division by zero"),
        (
            "google.protobuf.StringValue{?value: dyn(device.driver)}",
            "cannot initialize optional entry 'value' from non-optional value npu.rebellions.ai",
        ),
        ("google.protobuf.Int64Value{value: 1 / 0}", "division by zero"),
        (
            "google.protobuf.Int32Value{value: 3000000000}",
            "field type conversion error for google.protobuf.Int32Value.value value type: integer overflow",
        ),
        (f"{D}.type.exists(x, true)", "got 'types.String', expected iterable type"),
        (f"{D}.type.exists(x, y, true)", "unsupported comprehension range type: types.String"),
        ("[1 / 0].map(x, x)", "division by zero"),
        ("1 / 0 in [1]", "division by zero"),
        ("[dyn(semver('1.0.0'))].exists(x, x in [1])", "internal error: runtime error: hash of unhashable type cel.Semver"),
        ("[0].map(x, 1 / x)", "division by zero"),
        ("[0].exists_one(x, 1 / x == 1)", "division by zero"),
        ("optional.none().value()", "optional.none() dereference"),
        ("dyn(1).orValue(2)", "no such overload"),
        ("dyn({'a': optional.of(1)}).a.nosuch", "no such key: nosuch"),
        ("dyn(1).value()", "no such overload: value(int)"),
        ("dyn(1 / 0).value()", "division by zero"),
        ("dyn(1) + dyn('a')", "no such overload"),
        ("dyn(1).getHours()", "no such overload: getHours(int)"),
        ("dyn(1).matches('a')", "no such overload"),
        ("device.driver.matches(device.driver + '(')", "error parsing regexp: missing closing ): `npu.rebellions.ai(`"),
        ("'a'.endsWith(string(1 / 0))", "division by zero"),
    ],
)
def test_errors(evaluate: Evaluate, text: str, error: str) -> None:
    """An expression fails with the words of the real evaluator."""
    found = evaluate(text)
    assert found.error is not None
    assert (found.value, found.error.message) == (None, error)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("uint(-1) == 1u", "unsigned integer overflow"),
        ("int('0x10') == 1", "type conversion error from 'string' to 'int'"),
        ("duration(dyn(1)) == duration('1s')", "no such overload: duration(int)"),
        ("dyn({})[null] == 1", "invalid qualifier type: types.Null"),
        ("{dyn(b'a'): 1} == {}", "internal error: runtime error: hash of unhashable type types.Bytes"),
        ("[int].all(t, t == int)", "reference to undefined type: t"),
        ("device.driver.find('(') == ''", "error parsing regexp: missing closing ): `(`"),
    ],
)
def test_constants_that_fail(evaluate: Evaluate, text: str, error: str) -> None:
    """What is computed when the program is made fails the program."""
    with pytest.raises(CompileError) as caught:
        evaluate(text)
    assert (caught.value.message, caught.value.expression) == (f"program instantiation failed: {error}", text)


@pytest.mark.parametrize(
    ("text", "earlier", "later"),
    [
        ("cel.bind(q, optional.of(quantity('1')), q.value() == quantity('1'))", "unsupported conversion to ref.Val: (*resource.Quantity)1", True),
        ("cel.bind(q, optional.of(semver('1.0.0')), q.value() == semver('1.0.0'))", "unsupported conversion to ref.Val: (semver.Version)1.0.0", True),
        ("cel.bind(q, optional.of(device.attributes), q[?'no'].hasValue())", False, True),
        ("cel.bind(q, optional.of(optional.of(1)), q.value() == optional.of(1))", False, True),
        ("cel.bind(q, optional.of(optional.none()), dyn(q.value()) == null)", True, False),
        ("cel.bind(q, optional.of(dyn(int)), q.value() == 'int')", True, False),
        ("cel.bind(q, optional.of([1] + [2]), q.value() == [1, 2])", True, True),
        ("dyn(1).orValue(2) == 1", True, "no such overload"),
        ("matches('aaaaaaaaaaaaaaaaaaaa', 'a')", True, True),
    ],
)
def test_minors(evaluate: Evaluate, text: str, earlier: Any, later: Any) -> None:
    """Optional values lose their library type on the way through a variable until 1.36."""
    for kubernetes, expected in (("1.36", earlier), ("1.37", later)):
        found = evaluate(text, kubernetes)
        assert (found.error.message if found.error is not None else found.value) == expected


def test_cost_limit(evaluate: Evaluate) -> None:
    """An evaluation ends with the step that exceeds the limit; nothing absorbs that."""
    found = evaluate("[1, 2, 3].all(x, x > 0) || true", cost_limit=5)
    assert isinstance(found.error, Abort)
    assert (found.error.message, found.cost) == ("operation cancelled: actual cost limit exceeded", 6)
    assert evaluate("1 + 1", cost_limit=1).value == 2


@pytest.mark.parametrize(
    "text",
    [
        "[1, 2, 3].map(a, [1, 2, 3].map(b, [a, b].map(c, [1, 2, 3].map(d, [1, 2, 3].map(e, [1, 2, 3].map(f, [1, 2, 3].map(g, [1, 2, 3].map(h, [1, 2, 3].map(i, 'a' + 'b'))))))))) == []",
        "[1, 2, 3].map(a, [1, 2, 3].map(b, lists.range(100000).map(c, [a, b, c]))).size() == 0",
        "cel.bind(a, dyn('xxxxxxxxxx') + 'xxxxxxxxxx', "
        + "".join(f"cel.bind({chr(98 + n)}, {chr(97 + n)} + {chr(97 + n)}, " for n in range(22))
        + "w.size() == 0"
        + ")" * 23,
        "cel.bind(a, [1] + [1], " + "".join(f"cel.bind({chr(98 + n)}, {chr(97 + n)} + {chr(97 + n)}, " for n in range(22)) + "w == w" + ")" * 23,
        "cel.bind(a, [], a + [1]" + " + a" * 24 + " == a)",
    ],
    ids=["loops", "nested", "texts", "lists", "builder"],
)
def test_bounds(evaluate: Evaluate, text: str) -> None:
    """What would become too large ends at the cost limit."""
    found = evaluate(text, cost_limit=100_000)
    assert found.error is not None
    assert found.error.message == "operation cancelled: actual cost limit exceeded"


def test_a_long_list_that_nothing_looks_at(evaluate: Evaluate) -> None:
    """A concatenation is as long as it says; its elements can be asked for one by one."""
    towers = "".join(f"cel.bind({chr(98 + n)}, {chr(97 + n)} + {chr(97 + n)}, " for n in range(22))
    assert evaluate(f"cel.bind(a, [1] + [2], {towers} w.size() + w[8388607] + w.last().value()" + ")" * 23).value == 2 * 2**22 + 2 + 2
    found = evaluate(f"cel.bind(a, [1] + [2], {towers} w.all(x, x > 0)" + ")" * 23, cost_limit=1000)
    assert found.error is not None


def test_deep_expressions(evaluate: Evaluate) -> None:
    """Nesting that the parser admits is no matter for Python's stack, in any thread."""
    chain = " && ".join(["true"] * 3000)
    deep = "[1]" + ".map(x, x)" * 60
    nested = "[" * 200 + "device.driver" + "]" * 200
    outcomes: list[Any] = []
    thread = threading.Thread(target=lambda: outcomes.extend(evaluate(text).error for text in (chain, deep, nested)))
    thread.start()
    thread.join()
    assert outcomes == [None, None, None]
    assert evaluate("[" + "1, " * 20_000 + "1].size()").value == 20_001


def test_trace() -> None:
    """A trace has the value, or the error, of every node that was evaluated."""
    text = "device.driver == 'x' || 1 / 0 == 1"
    environment = Environment("1.36")
    checked = checker.check(syntax.parse(text, backticks=False, macros=environment.macros), text, environment)
    seen = interpreter.plan(checked).trace({"device": DEVICE})
    assert seen[checked.expression.id].message == "division by zero"
    assert "npu.rebellions.ai" in seen.values()
    assert sum(isinstance(value, CELError) for value in seen.values()) == 3


def test_a_call_for_any_number_of_arguments(evaluate: Evaluate) -> None:
    """A call that cel-go binds for any number ends at the first error, and is then free."""
    assert evaluate("string(1 / 0).format([device.driver])").cost == 2


def test_a_missing_variable(evaluate: Evaluate) -> None:
    """A variable that is not given is an error; one that is an error is that error."""
    environment = Environment("1.36")
    checked = checker.check(syntax.parse("device.driver", backticks=False, macros=environment.macros), "device.driver", environment)
    plan = interpreter.plan(checked)
    missing, failing = plan.evaluate({}), plan.evaluate({"device": CELError("lost")})
    assert missing.error is not None
    assert failing.error is not None
    assert (missing.error.message, failing.error.message) == ("no such attribute(s): device", "lost")
    assert evaluate("device.driver", device=DEVICE).value == "npu.rebellions.ai"


def test_uint_keys(evaluate: Evaluate) -> None:
    """Constant keys keep their types."""
    assert plain(evaluate("{1u: 'a'}").value) == [(Uint(1), "a")]


def test_a_presence_test_of_a_choice_can_cost_less_than_nothing(evaluate: Evaluate) -> None:
    """Upstream takes off a unit that was never charged; below zero its counter wraps, which is above any limit."""
    found = evaluate("has((dyn(1) ? {'a': 1} : {}).a) || true")
    assert found.error is not None
    assert (found.error.message, found.cost) == ("operation cancelled: actual cost limit exceeded", 2**64 - 1)


def test_presence_in_an_optional_choice(evaluate: Evaluate) -> None:
    """A presence test of a choice through an optional field tells whether the value is there."""
    for field, present in (("a", True), ("c", False)):
        assert evaluate(f"1 + 1 == 2 && has((true ? {{'a': {{'b': 1}}}} : {{}}).?{field}.b)").value is present
