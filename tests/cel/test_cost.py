"""The static estimate: what an expression costs at most, as the API server compares it with its limit."""

from __future__ import annotations

import pytest

from rbln_dra.cel import cost, syntax
from rbln_dra.cel.ast import Call, Comprehension, Ident, ListExpr, Literal, Node
from rbln_dra.cel.checker import Checked, Reference, check
from rbln_dra.cel.environment import Environment
from rbln_dra.cel.ranges import UNBOUNDED, Range
from rbln_dra.cel.types import BOOL, INT

#: Expression → the estimate in stored expressions of 1.35 and of 1.37.
COSTS = [
    ("true", 0, 0),
    ('"abc".indexOf("b") == 1', 2, 2),
    ('dyn({"a": 1}).a == 1', 32, 32),
    ('device.attributes.map(k, k).join(",") == ""', 1844674407370955693, 1844674407370955693),
    ('["abc"].indexOf("b") == 1', 1844674407370955276, 1844674407370955276),
    ("{1: 2}.map(k, k).max() == 1", 56, 56),
    ('google.protobuf.StringValue{}.indexOf("a") == 1', 1844674407370955305, 1844674407370955305),
    ('device.driver == "x"', 3, 3),
    ("device.driver == device.driver", 11, 11),
    ('device.attributes["d"].x == "s"', 5, 5),
    ('device.attributes["d"].x', 4, 4),
    ('device.attributes["d"]["x"] == 1', 5, 5),
    ('device.attributes.d.x == "s"', 5, 5),
    ('device.attributes.all(k, k == "x")', 163, 163),
    ('device.attributes["d"].exists(k, k == "x")', 196, 196),
    ('device.attributes.exists_one(k, k == "x")', 132, 132),
    ('device.attributes.all(k, v, v == {} && k == "x")', 1155, 1155),
    ('device.capacity["d"].all(k, q, q.isGreaterThan(quantity("1")))', 196, 196),
    ('device.capacity["d"].m.compareTo(quantity("1")) == 0', 7, 7),
    ("device.capacity.d.m.isInteger()", 5, 5),
    ('has(device.attributes["d"].x)', 3, 3),
    ('has(device.attributes["d"].x) && device.attributes["d"].x == "a"', 8, 8),
    ('device.attributes["d"].x == "a" || device.attributes["d"].y == "bbb"', 10, 10),
    ('device.attributes["d"].x == "a" ? device.attributes["d"].vf : device.attributes["d"].nosuch', 9, 9),
    ("cel.bind(x, device.driver, x == x)", 21, 21),
    ('cel.bind(m, device.attributes["d"], m.a == m.b)', 24, 24),
    ('cel.bind(m, device.attributes["d"], m.exists(k, m.a == k))', 463, 463),
    ('cel.bind(m, device.attributes["d"], m.exists(k, k == m.a))', 367, 367),
    ('cel.bind(m, device.attributes["d"], m.exists(k, k == m.a) || m.b == m.c)', 378, 378),
    ("[1, 2].map(x, x + 1) == [2, 3]", 60, 60),
    ('["a", "bb"].exists(x, x == device.driver)', 27, 27),
    ('["aaaaaaaaaaaaaaaaaaaaaaaa"][0] == device.driver', 16, 16),
    ('{"a": "bbbbbbbbbbbbbbbbbbbbbbb"}["a"] == device.driver', 36, 36),
    ('{"a": "b"}.all(k, v, k == v)', 37, 37),
    ('[].all(x, x == "a")', 11, 11),
    ('{}.all(x, x == "a")', 31, 31),
    ("[[1], [2, 3]].all(x, x.size() == 1)", 43, 43),
    ("(true ? [1] : [2, 3]).all(x, x == 1)", 21, 21),
    ("([1] + [2, 3]).all(x, x == 1)", 37, 37),
    ('(["a"] + ["bbbbbbbbbbbbbbbbbbbb"]).all(x, x == "a")', 32, 32),
    ('(true ? {"a": 1} : {"b": 2}).all(x, x == "a")', 36, 36),
    ("([1] + device.attributes.map(k, 1)).all(x, x == 1)", 574, 574),
    ('("a" + device.driver).size() == 1', 11, 11),
    ('b"a" + b"b" == b"c"', 2, 2),
    ('device.attributes["d"].x + "abc" == "x"', 12, 12),
    ('dyn(device.driver) == "a"', 4, 4),
    ("dyn([1, 2]).all(x, x == 1)", 22, 22),
    ('device.attributes["d"].?x.orValue("y") == "z"', 6, 6),
    ('device.attributes["d"].?x.optMap(v, v == "z").orValue(true)', 24, 24),
    ("optional.of(1).value() == 1", 3, 3),
    ('optional.of("a").orValue("b") == "c"', 3, 3),
    ("optional.of(1) == optional.of(2)", 3, 3),
    ("[1][0] == 1", 12, 12),
    ("dyn([1])[0] == 1", 13, 13),
    ("[optional.of(1)][?0].hasValue()", 13, 13),
    ('{"a": [1, 2]}.a.size() == 2', 43, 43),
    ("google.protobuf.Int64Value{value: 1} == 1", 41, 41),
    ('duration("1s") < duration("2s")', 3, 3),
    ("timestamp(0) == timestamp(1)", 3, 3),
    ('b"abc" == b"abc"', 1, 1),
    ("null == null", 1, 1),
    ('quantity("1") == quantity("2")', 3, 3),
    ('semver("1.2.3") == semver("1.2.3")', 3, 3),
    ('ip("::1") == ip("::1")', 3, 3),
    ('url("https://a") == url("https://b")', 3, 3),
    ('format.named("uuid").value() == format.uuid()', 10, 10),
    ('"a,b".split(",") == ["a", "b"]', 12, 12),
    ('["a", "b"].join(",") == "a,b"', 1844674407370955275, 1844674407370955275),
    ('device.attributes["d"].s.split(",").map(x, x + "!") == []', UNBOUNDED, UNBOUNDED),
    ('[device.attributes["d"].s].join() == "a"', 1844674407370955279, 1844674407370955279),
    ('"abc".replace("a", "bb") == "bbbc"', 2, 2),
    ('device.attributes["d"].s.replace("", "xx") == ""', 17, 17),
    ('device.driver.matches("[a-z]+")', 16, 16),
    ('matches(device.driver, "[a-z]+")', 3, 16),
    ('device.driver.startsWith("abc") || device.driver.contains("abc")', 12, 12),
    ('"a" in ["a", "b"]', 12, 12),
    ("device.driver in [device.driver]", 15, 15),
    ('"d" in device.attributes', 3, 3),
    ("[3, 1].sort() == [1, 3]", 40, 40),
    ('["b"].indexOf("a") == 0', 1844674407370955276, 1844674407370955276),
    ("[1].sum() == 1", 12, 12),
    ("[[1]].flatten() == [1]", 43, 43),
    ("[1, 2].transformMap(i, v, v * 2) == {}", 81, 81),
    ('{"a": 1}.transformMapEntry(k, v, {v: k}) == {}', 125, 125),
    ("[1].filter(x, x > 1).size() == 0", 38, 38),
    ('"%s".format([device.driver]) == ""', 13, 13),
    ("lists.range(3).all(x, x < 3)", 30, 30),
    ('string(b"abc") == ""', 1, 1),
    ('bytes(device.driver) == b""', 9, 9),
    ('strings.quote(device.driver) == ""', 9, 9),
    ("device == device", 2, 2),
    ("device.allowMultipleAllocations", 2, 2),
    ('(true ? device.driver : "abc") == (false ? "x" : device.driver)', 11, 11),
    ('[device.driver, "a"].all(x, x == "b")', 23, 23),
    ("[1, 2].exists(i, v, i == v)", 25, 25),
    ("device.attributes.transformList(k, v, k) == []", 439, 439),
    ('{"k": device.driver}.k == "a"', 34, 34),
    ('[device.attributes["d"]][0].x == 1', 16, 16),
    ('{"m": device.attributes["d"]}.m.x == 1', 36, 36),
    ("[1].map(x, [x]).map(y, y.map(z, z)) == []", 102, 102),
    ('["a"].map(x, x).all(y, y == "aaaaaaaaaaaaa")', 40, 40),
]


def estimate(text: str, environment: Environment) -> Range:
    """Parse, check and estimate."""
    expression = syntax.parse(text, backticks=environment.backticks, macros=environment.macros)
    return cost.estimate(check(expression, text, environment))


@pytest.mark.parametrize(("text", "before", "after"), COSTS, ids=[text for text, _, _ in COSTS])
def test_the_estimate_is_that_of_kubernetes(text: str, before: int, after: int) -> None:
    """Sizes come from literals, from what is computed, and from the declaration of `device`."""
    assert estimate(text, Environment("1.35")).high == before
    assert estimate(text, Environment("1.37")).high == after


@pytest.mark.parametrize(
    ("text", "least"),
    [("true && device.driver == ''", 0), ("true ? 1 == 1 : device.driver == 'a'", 1), ("[1].all(x, x == 1)", 14), ("device.driver == 'a'", 3)],
)
def test_the_least_cost_leaves_out_what_may_not_be_evaluated(text: str, least: int) -> None:
    """`&&` evaluates its left operand at least, `?:` the cheaper branch."""
    assert estimate(text, Environment("1.35")).low == least


def test_the_accumulator_of_old_releases_is_no_path() -> None:
    """A tree made by hand may name the accumulator of older cel-go releases; it is not a bind, and no place below `device`."""

    def named(name: str, id_: int) -> Node:
        return Ident(name, id=id_)

    tree = Comprehension(
        ListExpr((), id=1),
        "x",
        "__result__",
        Literal(1, id=2),
        Literal(False, id=3),
        Call("-_", (named("__result__", 4),), id=5),
        Call("-_", (named("__result__", 6),), id=7),
        id=8,
    )
    types = dict.fromkeys(range(1, 9), INT) | {1: INT, 3: BOOL}
    references = {5: Reference("-_", ("negate_int64",)), 7: Reference("-_", ("negate_int64",))}
    assert cost.estimate(Checked(tree, "", types, references, Environment("1.35"))).high == 10 + 2
    free = Call("-_", (named("@result", 1),), id=2)
    assert cost.estimate(Checked(free, "", {1: INT, 2: INT}, {2: Reference("-_", ("negate_int64",))}, Environment("1.35"))).high == 2


def test_a_loop_may_begin_with_any_value() -> None:
    """The macros begin with literals; where a tree made by hand does not, nothing is known of the result's size."""
    tree = Comprehension(
        ListExpr((), id=1), "x", "@result", Ident("device", id=2), Literal(True, id=3), Ident("@result", id=4), Ident("@result", id=5), id=6
    )
    assert cost.estimate(check(tree, "", Environment("1.35"))).high == 10 + 1 + 1
