"""The standard library's rows: what they do and what they cost, per minor."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from rbln_dra.cel import types
from rbln_dra.cel.ast import Uint
from rbln_dra.cel.library.rows import Estimate, Function, Overload
from rbln_dra.cel.library.standard import LIBRARY
from rbln_dra.cel.ranges import UNBOUNDED, Range
from rbln_dra.cel.values import CELError, Duration, Timestamp

from ..conftest import Evaluate

#: The rows by overload id; of two forms, that of the later minors.
ROWS: dict[str, tuple[Function, Overload]] = {overload.id: (row, overload) for row in LIBRARY.functions for overload in row.overloads}


@attrs.frozen
class Sized:
    """An operand of a type and a size, as the estimate sees it."""

    type: types.Type
    size: Range
    computed_size: Range | None = None
    literal: Any = None

    def element(self) -> Sized | None:
        """No element is asked for."""
        return None


def sized(low: int, high: int, type_: types.Type = types.STRING) -> Sized:
    """Give an operand."""
    return Sized(type_, Range(low, high), Range(low, high))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("int(1.9) + int('2') + int(3u) + int(duration('1ns')) + int(timestamp(5)) + int(1)", 1 + 2 + 3 + 1 + 5 + 1),
        ("uint(1.9) + uint('2') + uint(3) + uint(1u)", Uint(7)),
        ("double(1) + double('2.5') + double(3u) + double(0.5)", 7.0),
        ("string(1) + string(2u) + string(1.5) + string(true) + string(b'x') + string('y')", "121.5truexy"),
        ("string(false) + string(duration('1.5s')) + string(timestamp(0))", "false1.5s1970-01-01T00:00:00Z"),
        ("bool('true') && bool(true)", True),
        ("bytes('é') + bytes(b'a')", b"\xc3\xa9a"),
        ("duration('1h') + duration(duration('1s'))", Duration(3601 * 10**9)),
        ("timestamp('1970-01-01T00:00:01Z') == timestamp(timestamp(1))", True),
        ("type('a') == string && type(type(1)) == type(int)", True),
        ("dyn('a') == 'a'", True),
        ("'abc'.contains('b') && 'abc'.startsWith('ab') && 'abc'.endsWith('bc')", True),
        ("!true", False),
        ("dyn(type(device.driver)).matches('^string$')", True),
        ("-(1) + size([1]) + size('ab') + [1].size() + b'a'.size() + {1: 1}.size()", -1 + 1 + 2 + 1 + 1 + 1),
        ("1 < 2.5 && 1u <= 1 && 'b' > 'a' && b'b' >= b'a'", True),
        ("'a' in {'a': 1} && 1 in [1] && !('b' in {'a': 1})", True),
        ("timestamp('2023-07-14T10:30:45.123Z').getFullYear()", 2023),
        ("timestamp('2023-07-14T10:30:45.123Z').getMonth()", 6),
        ("timestamp('2023-07-14T10:30:45.123Z').getDate() + timestamp('2023-07-14T10:30:45.123Z').getDayOfMonth()", 14 + 13),
        ("timestamp('2023-07-14T10:30:45.123Z').getDayOfYear()", 194),
        ("timestamp('2023-07-14T10:30:45.123Z').getDayOfWeek()", 5),
        ("timestamp('2023-07-14T10:30:45.123Z').getHours('+09:00')", 19),
        ("timestamp('2023-07-14T10:30:45.123Z').getMinutes('Asia/Kolkata')", 0),
        ("timestamp('2023-07-14T10:30:45.123Z').getSeconds()", 45),
        ("timestamp('2023-07-14T10:30:45.123Z').getMilliseconds()", 123),
        ("duration('1h59m59.9s').getHours()", 1),
        ("duration('-1h59m59.9s').getMinutes()", -119),
        ("duration('1.9s').getSeconds()", 1),
        ("duration('1.5ms').getMilliseconds()", 1),
    ],
)
def test_functions(evaluate: Evaluate, text: str, value: Any) -> None:
    """Every function has the value that CEL gives it."""
    found = evaluate(text)
    assert found.error is None
    assert found.value == value
    assert type(found.value) is type(value)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("dyn(1).contains('a')", "no such overload"),
        ("'a'.contains(dyn(1))", "no such overload"),
        ("dyn(1).startsWith('a')", "no such overload"),
        ("matches(dyn(1), device.driver)", "no such overload: matches"),
        ("'a'.matches(dyn(1))", "no such overload"),
        ("dyn(1).matches('a')", "no such overload"),
        ("timestamp(0).getHours('nowhere')", "unknown time zone nowhere"),
        ("string(dyn(device.capacity))", "no such overload: string(map)"),
        ("timestamp(int('253402300800') + 0)", "timestamp overflow"),
    ],
)
def test_errors(evaluate: Evaluate, text: str, error: str) -> None:
    """What fails says so in the words of cel-go."""
    found = evaluate(text)
    assert found.error is not None
    assert found.error.message == error


def test_int_to_duration(evaluate: Evaluate) -> None:
    """A conversion that is declared until 1.36 never was possible."""
    found = evaluate("duration(int('1') + 0) == duration('1s')", "1.36")
    assert found.error is not None
    assert found.error.message == "type conversion error from 'int' to 'google.protobuf.Duration'"


@pytest.mark.parametrize(
    ("text", "earlier", "later"),
    [
        ("device.driver.startsWith('n')", 4, 3),
        ("'n'.endsWith(device.driver)", 3, 4),
        ("matches(device.driver, 'npu.*' + '$')", 4, 7),
        ("device.driver.matches('npu.*' + '$')", 7, 7),
        ("device.driver.contains('n')", 4, 4),
        ("device.driver == 'npu.rebellions.ai'", 4, 4),
        ("device.driver + device.driver == 'x'", 9, 9),
        ("bytes(device.driver).size()", 5, 5),
        ("string(bytes(device.driver)).size()", 7, 7),
        ("b'a' + b'b' == b'ab'", 2, 2),
        ("quantity('1') == quantity('2')", 3, 3),
        ("dyn(quantity('1')) == dyn('')", 3, 3),
        ("1 in [device.driver.size()]", 14, 14),
        ("dyn('a') < dyn('b')", 1, 1),
        ("'a' < device.driver", 3, 3),
    ],
)
def test_costs(evaluate: Evaluate, text: str, earlier: int, later: int) -> None:
    """What a call costs goes by its overload, and by the minor for some."""
    assert (evaluate(text, "1.36").cost, evaluate(text, "1.37").cost) == (earlier, later)


@pytest.mark.parametrize(
    ("overload", "target", "arguments", "cost", "size"),
    [
        ("starts_with_string", sized(0, 5), (sized(0, 25),), Range(0, 3), None),
        ("starts_with_string", None, (), None, None),
        ("string_to_bytes", None, (sized(1, 10),), Range(1, 1), Range(1, 40)),
        ("string_to_bytes", None, (sized(0, UNBOUNDED),), Range(0, 1844674407370955264), Range(0, 2**64 - 4)),
        ("bytes_to_string", None, (sized(8, 10),), Range(1, 1), Range(2, 10)),
        ("in_list", None, (sized(1, 1), sized(0, 30)), Range(0, 30), None),
        ("matches_string", sized(0, 20), (sized(8, 8),), Range(2, 6), None),
        ("matches_string", None, (sized(8, 8),), None, None),
        ("contains_string", sized(0, 20), (sized(11, 11),), Range(0, 4), None),
        ("contains_string", None, (sized(1, 1), sized(1, 1)), None, None),
        ("add_string", None, (sized(1, 10), sized(1, 11)), Range(1, 3), Range(2, 21)),
        ("add_list", None, (sized(1, 10), sized(1, 11)), Range(1, 1), Range(2, 21)),
        ("less_string", None, (sized(0, 30), sized(0, 20)), Range(1, 2), None),
        ("equals", None, (sized(0, 0), sized(0, 20)), Range(0, 0), None),
    ],
)
def test_estimates(overload: str, target: Sized | None, arguments: tuple[Sized, ...], cost: Range | None, size: Range | None) -> None:
    """What a call is estimated to cost, by the sizes of its operands."""
    estimate = ROWS[overload][1].estimate
    assert estimate is not None
    found = estimate(target, arguments)
    if cost is None:
        assert found is None
    elif overload == "string_to_bytes" and arguments[0].size.high == UNBOUNDED:
        assert found is not None
        assert found.size == size
    else:
        assert found == Estimate(cost, size)


def test_the_estimate_of_the_global_matches() -> None:
    """From 1.37 the global form is estimated as the member."""
    rows = [row.overloads[0].estimate for row in LIBRARY.functions if row.name == "matches"]
    assert rows[0] is None
    assert rows[1] is not None
    assert rows[1](None, (sized(0, 20), sized(8, 8))) == Estimate(Range(2, 6))
    assert rows[1](sized(0, 1), (sized(0, 20),)) is None


@pytest.mark.parametrize(
    ("left", "right", "cost"),
    [
        (sized(1, 1, types.QUANTITY), sized(1, 1, types.QUANTITY), Range(1, 1)),
        (sized(1, 1, types.IP), sized(1, 1, types.IP), Range(1, 1)),
        (sized(1, 1, types.FORMAT), sized(1, 1, types.FORMAT), Range(1, 7)),
        (sized(1, 1, types.URL), sized(1, 50, types.URL), Range(1, 5)),
        (sized(1, 1, types.URL), Sized(types.URL, Range(0, 9)), Range(1, 1)),
        (sized(1, 1, types.QUANTITY), sized(1, 1, types.STRING), None),
        (sized(1, 1), sized(1, 1), None),
    ],
)
def test_the_estimate_of_equality(left: Sized, right: Sized, cost: Range | None) -> None:
    """Kubernetes' own types compare at a fixed cost; anything else is cel-go's to estimate."""
    estimate = ROWS["equals"][0].estimate
    assert estimate is not None
    assert estimate(None, (left, right)) == (None if cost is None else Estimate(cost))


def test_costs_of_errors() -> None:
    """A call whose argument failed is charged by the size that an error has."""
    failed = CELError("x")
    row, overload = ROWS["equals"]
    assert row.cost is not None
    assert overload.cost is not None
    assert (row.cost((failed, 1), failed), overload.cost((failed, "abc"), failed)) == (None, 1)


def test_signatures() -> None:
    """Every overload id stands once per form of its function, and every implementation is there but for what the evaluator does itself."""
    special = {"_?_:_", "_&&_", "_||_", "_==_", "_!=_", "_[_]"}
    for function in LIBRARY.functions:
        ids = [overload.id for overload in function.overloads]
        assert len(ids) == len(set(ids))
        done = function.implementation is not None or all(overload.implementation is not None for overload in function.overloads)
        assert done is (function.name not in special)
        assert function.summary.endswith(".")


def test_timestamps_keep_their_zone(evaluate: Evaluate) -> None:
    """Reading a timestamp keeps the zone for its text only."""
    assert evaluate("timestamp('1970-01-01T09:00:00+09:00')").value == Timestamp(0)
    assert evaluate("string(timestamp('1970-01-01T09:00:00+09:00'))").value == "1970-01-01T09:00:00+09:00"
