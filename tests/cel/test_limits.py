"""
Any text and any selector ends: in few steps, in little memory, as an answer or as one error.

Steps are calls of functions, so that no clock is asked. A text is refused or compiled in a number of steps that grows with its length; an evaluation
takes a number of steps that grows with the cost that it may have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from rbln_dra import Device, cel
from rbln_dra.errors import CompileError, Error, Unsupported

Spend: TypeAlias = Callable[[Callable[[], object]], tuple[int, int]]

ENVIRONMENT = cel.Environment("1.37")
DEVICE = Device.from_dict({"name": "one", "attributes": {"type": {"string": "vfio"}}}, driver="d.example")
MEGABYTE = 1_000_000
MEMORY = 50 << 20
LIMIT = "operation cancelled: actual cost limit exceeded"
LONG = '"' + "a" * 5_000 + '"'


def compiled(text: str) -> cel.Program | Error:
    """Compile a text that was not compiled before, or give the error."""
    cel.cache_clear()
    try:
        return cel.compile(text, ENVIRONMENT)
    except (CompileError, Unsupported) as error:
        return error


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("1" * MEGABYTE, "expression code point size exceeds limit: size: 1000000, limit 100000", id="digits"),
        pytest.param("\n" * MEGABYTE, "expression code point size exceeds limit: size: 1000000, limit 100000", id="lines"),
        pytest.param("\ud800" * MEGABYTE, "expression code point size exceeds limit: size: 1000000, limit 100000", id="surrogates"),
        pytest.param("\x00" * MEGABYTE, "expression code point size exceeds limit: size: 1000000, limit 100000", id="zeros"),
        pytest.param('"' + "x" * MEGABYTE, "expression code point size exceeds limit: size: 1000001, limit 100000", id="open-text"),
        pytest.param("//" + "x" * MEGABYTE, "expression code point size exceeds limit: size: 1000002, limit 100000", id="comment"),
        pytest.param(f"[{'1,' * 100_000}1] == []", "expression code point size exceeds limit: size: 200009, limit 100000", id="list-of-100000"),
        pytest.param("(" * 10_000, "expression recursion limit exceeded: 250", id="parentheses"),
        pytest.param("(" * 10_000 + "1" + ")" * 10_000, "expression recursion limit exceeded: 250", id="closed-parentheses"),
        pytest.param("[" * 10_000, "expression recursion limit exceeded: 250", id="brackets"),
        pytest.param("[" * 10_000 + "]" * 10_000, "expression recursion limit exceeded: 250", id="closed-brackets"),
        pytest.param("{" * 10_000, "expression recursion limit exceeded: 250", id="braces"),
        pytest.param("f(" * 10_000, "expression recursion limit exceeded: 250", id="calls"),
        pytest.param("a[" * 10_000, "expression recursion limit exceeded: 250", id="indices"),
        pytest.param("([{" * 3_333, "expression recursion limit exceeded: 250", id="all-brackets"),
        pytest.param(")" * 10_000, "error recovery token lookahead limit exceeded: 256", id="closing"),
        pytest.param("true?true:" * 9_000 + "true", "expression recursion limit exceeded: 250", id="choices"),
        pytest.param("a?" * 40_000, "error recovery token lookahead limit exceeded", id="questions"),
        pytest.param("'" * 99_000, "error recovery token lookahead limit exceeded: 256", id="quotes"),
        pytest.param("\\" * 99_000, "Syntax error: token recognition error at: '\\'", id="backslashes"),
        pytest.param("1e" + "9" * 90_000, "invalid double literal", id="exponent"),
        pytest.param("0x" + "f" * 90_000, "invalid int literal", id="digits-in-base-16"),
        pytest.param("!" * 99_000 + "true", None, id="negations"),
        pytest.param(b"\xff\xfe(".decode("utf-8", "surrogateescape") * 3_000, "Syntax error: token recognition error", id="bytes"),
        pytest.param("x" + ".optMap(y, y)" * 8, "undeclared reference to 'x'", id="macro-that-doubles"),
    ],
)
def test_enormous_texts(spend: Spend, text: str, message: str | None) -> None:
    """What is too long, too deep or nothing at all is one error at once."""
    results: list[cel.Program | Error] = []
    steps, peak = spend(lambda: results.append(compiled(text)))
    assert steps < 1_000_000
    assert peak < MEMORY
    (result,) = results
    assert (message is None) is isinstance(result, cel.Program)
    assert message is None or message in str(result)
    assert message is None or len(str(result)) < 20_000


@pytest.mark.parametrize(
    ("piece", "before", "after"),
    [
        pytest.param("1,", "[", "1] == []", id="list"),
        pytest.param("'',", "['", "'] == []", id="texts"),
        pytest.param("f(1),", "[", "1] == []", id="undeclared"),
        pytest.param("true||", "", "true", id="or"),
        pytest.param('device.driver==""&&', "", "true", id="and"),
        pytest.param("1+", "", "1==1", id="sum"),
        pytest.param("1<", "", "1", id="order"),
        pytest.param("[] in ", "", "[]", id="in"),
        pytest.param(".a", "device", "", id="fields"),
        pytest.param(".trim()", "'a'", "== ''", id="methods"),
        pytest.param("1 ", "", "", id="no-operators"),
        pytest.param("# ", "", "", id="no-tokens"),
        pytest.param("a b\n", "", "", id="lines"),
        pytest.param("`a`.", "", "b", id="backticks"),
        pytest.param("é", "'", "' == ''", id="letters"),
        pytest.param("-", "", "1 == 1", id="signs"),
        pytest.param("x.?y[?z]", "x.", "", id="optional"),
        pytest.param("1,", "math.max(", "1) == 1", id="arguments"),
        pytest.param("{'a': 1}.a == 1 && ", "", "true", id="maps"),
        pytest.param("[1].map(x, x) == [] && ", "", "true", id="macros"),
        pytest.param('"%s".format([1]) == "" && ', "", "true", id="formats"),
    ],
)
def test_steps_grow_with_the_length(spend: Spend, piece: str, before: str, after: str) -> None:
    """The longest text that the API server admits takes hardly more than twice the steps of one that is half as long, and few for each character."""
    short, long = (before + piece * (length // len(piece)) + after for length in (5_000, 10_000))
    compiled(long)
    half, _ = spend(lambda: compiled(short))
    whole, peak = spend(lambda: compiled(long))
    assert whole <= 2.5 * half + 50_000
    assert whole <= 400 * len(long)
    assert peak < MEMORY / 4


def nested(levels: int, wrap: str, start: str) -> str:
    """Wrap an expression into names, each used several times."""
    for _ in range(levels):
        start = f"cel.bind(x, {start}, {wrap})"
    return start


def loops(levels: int, inner: str) -> str:
    """Wrap an expression into loops."""
    for level in range(levels):
        inner = f"lists.range(1000).all(x{level}, {inner})"
    return inner


SHARED = nested(40, "[x, x]", "[1]")
MAPS = nested(40, '{"a": x, "b": x}', '{"a": 1}')


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        pytest.param(
            "lists.range(9223372036854775807).size() == 0", "lists.range: size 9223372036854775807 exceeds maximum allowed (1000000)", id="range"
        ),
        pytest.param(loops(5, "true"), LIMIT, id="loops"),
        pytest.param(loops(2, "x0 + x1 >= 0"), LIMIT, id="loops-with-variables"),
        pytest.param("lists.range(10000).filter(x, lists.range(10000).exists(y, y == x)).size() == 0", LIMIT, id="filter"),
        pytest.param("lists.range(100000).map(x, [x, x]).size() == 0", LIMIT, id="map"),
        pytest.param("lists.range(100000).transformMap(i, v, lists.range(100000)).size() == 0", LIMIT, id="map-of-lists"),
        pytest.param(f"lists.range(100000).map(x, {LONG}).join() == ''", LIMIT, id="join"),
        pytest.param("lists.range(100000).distinct().size() == 1", LIMIT, id="distinct"),
        pytest.param("lists.range(100000).map(x, -x).sort().size() == 1", LIMIT, id="sort"),
        pytest.param("lists.range(100000).sortBy(x, -x).size() == 1", LIMIT, id="sort-by"),
        pytest.param('[1].map(x, [x, x]).map(x, [x, x]).map(x, "%s".format([x])).size() == 1', None, id="small"),
        pytest.param(nested(5, 'x.replace("", x)', LONG) + ' == ""', LIMIT, id="replace-tower"),
        pytest.param(nested(60, "x + x", '"aa"') + ' == ""', LIMIT, id="text-tower"),
        pytest.param(nested(60, "x + x", 'b"aa"') + ' == b""', LIMIT, id="bytes-tower"),
        pytest.param(
            nested(70, "x + x", "[1]") + " == []", "internal error: interface conversion: ref.Val is *types.Err, not types.Int", id="list-tower"
        ),
        pytest.param(f"{nested(40, 'x + x', '[1]')} == {nested(40, 'x + x', '[1]')}", LIMIT, id="equal-list-towers"),
        pytest.param(f"{SHARED} == {SHARED}", None, id="equal-lists"),
        pytest.param(f"{SHARED} != {nested(40, '[x, x]', '[2]')}", None, id="different-lists"),
        pytest.param(f"{MAPS} == {MAPS}", None, id="equal-maps"),
        pytest.param(f"optional.of({SHARED}) == optional.of({SHARED})", None, id="equal-optionals"),
        pytest.param(f"dyn({SHARED}) in [dyn({SHARED})]", None, id="in"),
        pytest.param(f"sets.equivalent([dyn({SHARED})], [dyn({SHARED})])", None, id="sets"),
        pytest.param(f"[dyn({SHARED})].indexOf(dyn({SHARED})) == 0", LIMIT, id="index-of"),
        pytest.param(f"{SHARED}.flatten(50) == []", LIMIT, id="flatten"),
        pytest.param(f"google.protobuf.ListValue{{values: {SHARED}}}.size() == 2", None, id="message"),
        pytest.param(f"google.protobuf.Struct{{fields: {MAPS}}}.size() == 2", None, id="message-of-maps"),
        pytest.param('"%.2147483647f".format([1.5]) == ""', None, id="precision"),
        pytest.param('"%.999999e".format([1e300]) == ""', None, id="precision-of-an-exponent"),
        pytest.param('"%s".format([lists.range(1000000)]) == ""', LIMIT, id="format"),
        pytest.param(f'"%s".format([{SHARED}]) == ""', LIMIT, id="format-of-lists"),
        pytest.param(f'"%s".format([{MAPS}]) == ""', LIMIT, id="format-of-maps"),
        pytest.param(f'quantity("{"9" * 10_000}").isInteger()', None, id="quantity"),
        pytest.param(f'quantity("0.{"9" * 10_000}").add(quantity("{"9" * 10_000}")).isInteger()', None, id="quantities"),
        pytest.param('quantity("1e999999999").isInteger()', None, id="exponent-of-a-quantity"),
        pytest.param('quantity("1e2147483647").add(quantity("1")).isInteger()', "they are more than ten thousand digits apart", id="far-apart"),
        pytest.param(f'semver("{"9" * 10_000}.0.0").major() == 1', "strconv.ParseUint: parsing", id="semver"),
        pytest.param(f'semver("1.0.0-{"a." * 4_999}a").isLessThan(semver("1.0.0-{"a." * 4_999}b"))', None, id="prerelease"),
        pytest.param(f"{LONG}.charAt(9223372036854775807) == ''", "index out of range: 9223372036854775807", id="char-at"),
        pytest.param("[1].slice(0, 9223372036854775807).size() == 1", "cannot slice(0, 9223372036854775807), list is length 1", id="slice"),
        pytest.param(f'duration("{"1h" * 4_000}").getHours() == 4000', None, id="duration"),
        pytest.param(f'isIP("{":" * 9_000}")', None, id="ip"),
        pytest.param(f'url("http://{"a" * 9_000}").getHost() == ""', None, id="url"),
    ],
)
def test_no_function_goes_on_without_bound(spend: Spend, expression: str, message: str | None) -> None:
    """With less cost to spend there are fewer steps; with all of it, there is little memory."""
    program = compiled(expression)
    assert isinstance(program, cel.Program)
    evaluations: list[cel.Evaluation] = []
    steps, peak = spend(lambda: evaluations.append(program.evaluate(DEVICE, cost_limit=20_000)))
    assert steps < 4_000_000
    assert peak < MEMORY
    evaluations.append(program.evaluate(DEVICE))
    errors = [evaluation.error for evaluation in evaluations]
    assert errors[0] is None or errors[0].message == LIMIT or errors[0] == errors[1]
    assert (message is None) is (errors[1] is None)
    assert message is None or errors[1] is None or errors[1].message.startswith(message)
