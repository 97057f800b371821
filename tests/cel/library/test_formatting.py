"""Format strings: the clauses, and the check of literal ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel import Environment, compile as compiled
from rbln_dra.cel.interpreter import Outcome
from rbln_dra.errors import CompileError


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ('"%s %d%%".format(["é", 5])', "1.37", "é 5%"),
        ('"a%sb".format(["x"])', "1.37", "axb"),
        ('"%s".format([[1, 2]])', "1.37", "[1, 2]"),
        ('"%s".format([{"b": [1.5], "a": b"x"}])', "1.37", '{"a":b"x", "b":[1.500000]}'),
        ('"%s".format([dyn([duration("90s"), timestamp("2020-01-01T00:00:00Z")])])', "1.37", '[duration("90s"), timestamp("2020-01-01T00:00:00Z")]'),
        ('"%s".format([dyn([null, true, int, 1u])])', "1.37", "[null, true, int, 1]"),
        ('"%s".format([null])', "1.37", "null"),
        ('"%s".format([1e21])', "1.37", "1e+21"),
        ('"%s".format([b"ab"])', "1.37", "ab"),
        ('"%s".format([type(1)])', "1.37", "int"),
        ('"%s".format([true])', "1.37", "true"),
        ('"%s".format([1u])', "1.37", "1"),
        ('"%s".format([["a\\u200b\\"", "é"]])', "1.37", '["a\\u200b\\"", "é"]'),
        ('"%s".format([[0.0 / 0.0, 1.0 / 0.0, -1.0 / 0.0]])', "1.37", '["NaN", "+Inf", "-Inf"]'),
        ('"%s".format([{1: "a"}])', "1.37", '{1:"a"}'),
        ('"%s".format([{true: 1u}])', "1.37", "{true:1}"),
        ('"%s".format([duration("1.5s")])', "1.37", "1.5s"),
        ('"%s".format([timestamp("2020-01-02T03:04:05.5Z")])', "1.37", "2020-01-02T03:04:05.5Z"),
        ('"%d".format([-5])', "1.37", "-5"),
        ('"%d".format([18446744073709551615u])', "1.37", "18446744073709551615"),
        ('"%f".format([1234567.891])', "1.37", "1,234,567.891000"),
        ('"%.2f".format([2.675])', "1.37", "2.67"),
        ('"%.0f".format([-0.4])', "1.37", "-0"),
        ('"%.300f".format([0.1])', "1.37", "0.1000000000000000055511151231257827021181583404541015625"),
        ('"%.40000f".format([0.1])', "1.37", "0.1000000000000000000000000000000000000000000000000000000000000000"),
        ('"%.65540f".format([0.12345678])', "1.37", "0.1235"),
        ('"%.99999999f".format([0.1])', "1.37", "%!(NOVERB)"),
        ('"%f".format(["NaN"])', "1.37", "NaN"),
        ('"%f".format(["Infinity"])', "1.37", "∞"),
        ('"%.1f".format(["-Infinity"])', "1.37", "-∞"),
        ('"%f".format([0.0])', "1.37", "0.000000"),
        ('"%e".format([1234567.891])', "1.37", "1.234568×10⁰⁶"),
        ('"%.20e".format([1e-300])', "1.37", "     1.000000×10⁻³⁰⁰"),
        ('"%.0e".format([-15.0])', "1.37", "-1.500000×10⁰¹"),
        ('"%.99999999e".format([0.1])', "1.37", "%!(NOVERB)"),
        ('"%e".format(["NaN"])', "1.37", "   NaN"),
        ('"%b".format([-5])', "1.37", "-101"),
        ('"%b".format([true])', "1.37", "1"),
        ('"%x".format([255])', "1.37", "ff"),
        ('"%X".format([b"\\xff\\x0a"])', "1.37", "FF0A"),
        ('"%x".format(["hé"])', "1.37", "68c3a9"),
        ('"%X".format(["~"])', "1.37", "7E"),
        ('"%x".format([-255])', "1.37", "-ff"),
        ('"%o".format([-8])', "1.37", "-10"),
        ('"%.3s".format(["abc"])', "1.37", "abc"),
        ('"100%%".format([])', "1.37", "100%"),
        ('("%s" + "").format([1, 2])', "1.37", "1"),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """A clause writes a value as Kubernetes does."""
    outcome = evaluate(expression, minor)
    assert (outcome.error, outcome.value) == (None, value)
    assert type(outcome.value) is type(value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ('("%s%s" + "").format([1])', "1.37", "index 1 out of range"),
        ('("%" + "").format([1])', "1.37", "unexpected end of string"),
        ('("%" + "").format([])', "1.37", "index 0 out of range"),
        ('("%z" + "").format([1])', "1.37", 'could not parse formatting clause: unrecognized formatting clause "z"'),
        ('("%é" + "").format([1])', "1.37", 'could not parse formatting clause: unrecognized formatting clause "Ã"'),
        (
            '("%.3" + "").format([1])',
            "1.37",
            "could not parse formatting clause: error while parsing precision: could not find end of precision specifier",
        ),
        (
            '("%.f" + "").format([1.5])',
            "1.37",
            'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
        ),
        (
            '("%.99999999999999999999f" + "").format([1.5])',
            "1.37",
            'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "99999999999999999999": value out of range',
        ),
        (
            '("%.-1f" + "").format([1.5])',
            "1.37",
            'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
        ),
        ('("%d" + "").format([dyn("x")])', "1.37", "error during formatting: decimal clause can only be used on integers, was given string"),
        ('("%f" + "").format([dyn(1)])', "1.37", "error during formatting: fixed-point clause can only be used on doubles, was given int"),
        ('("%f" + "").format(["x"])', "1.37", "error during formatting: fixed-point clause can only be used on doubles, was given string"),
        ('("%e" + "").format([dyn(true)])', "1.37", "error during formatting: scientific clause can only be used on doubles, was given bool"),
        ('("%b" + "").format([dyn(1.5)])', "1.37", "error during formatting: only integers and bools can be formatted as binary, was given double"),
        (
            '("%x" + "").format([dyn(1.5)])',
            "1.37",
            "error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given double",
        ),
        ('("%o" + "").format([dyn(true)])', "1.37", "error during formatting: octal clause can only be used on integers, was given bool"),
        (
            '("%s" + "").format([dyn(optional.of(1))])',
            "1.37",
            "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type",
        ),
        ('("%s" + "").format([dyn([quantity("1")])])', "1.37", "error during formatting: no formatting function for kubernetes.Quantity"),
        ('("%s" + "").format([{1.5: 2}])', "1.37", "error during formatting: no formatting function for map key of type double"),
        (
            '("%s" + "").format([b"\\xff"])',
            "1.37",
            'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
        ),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """What cannot be formatted is refused in Kubernetes' words."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ("string(1 / 0).format([lists.range(100)])", "1.37", 2),
        ('"%s %d%%".format(["é", 5])', "1.37", 1),
        ('"%s".format([dyn([duration("90s"), timestamp("2020-01-01T00:00:00Z")])])', "1.37", 1),
        ('"%s".format([1e21])', "1.37", 1),
        ('"%s".format([true])', "1.37", 1),
        ('"%s".format([[0.0 / 0.0, 1.0 / 0.0, -1.0 / 0.0]])', "1.37", 24),
        ('"%s".format([duration("1.5s")])', "1.37", 1),
        ('"%d".format([18446744073709551615u])', "1.37", 1),
        ('"%.0f".format([-0.4])', "1.37", 1),
        ('"%.65540f".format([0.12345678])', "1.37", 1),
        ('"%f".format(["Infinity"])', "1.37", 1),
        ('"%e".format([1234567.891])', "1.37", 1),
        ('"%.99999999e".format([0.1])', "1.37", 2),
        ('"%b".format([true])', "1.37", 1),
        ('"%x".format(["hé"])', "1.37", 1),
        ('"%o".format([-8])', "1.37", 1),
        ('("%s" + "").format([1, 2])', "1.37", 2),
        ('("%" + "").format([])', "1.37", 2),
        ('("%.3" + "").format([1])', "1.37", 2),
        ('("%.-1f" + "").format([1.5])', "1.37", 2),
        ('("%f" + "").format(["x"])', "1.37", 2),
        ('("%x" + "").format([dyn(1.5)])', "1.37", 2),
        ('("%s" + "").format([dyn([quantity("1")])])', "1.37", 24),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost


@pytest.mark.parametrize(
    ("expression", "column", "message"),
    [
        ('"%z".format([1]) == ""', 12, 'could not parse formatting clause: unrecognized formatting clause "z"'),
        ('"%d".format(["x"]) == ""', 14, "error during formatting: decimal clause can only be used on integers, was given string"),
        ('"%f".format([1]) == ""', 14, "error during formatting: fixed-point clause can only be used on doubles, was given int"),
        ('"%d".format([1, 2]) == ""', 12, "too many arguments supplied to string.format (expected 1, got 2)"),
        ('"%d %d".format([1]) == ""', 15, "index 1 out of range"),
        ('"%".format([]) == ""', 11, "unexpected end of string"),
        (
            '"%s".format([[quantity("1")]]) == ""',
            23,
            (
                "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
                "and timestamps, was given kubernetes.Quantity"
            ),
        ),
        (
            '"%s".format([{"a": optional.of(1)}]) == ""',
            31,
            (
                "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
                "and timestamps, was given optional_type"
            ),
        ),
    ],
)
def test_literals(expression: str, column: int, message: str) -> None:
    """A format string and list that are literals are checked when they are compiled."""
    with pytest.raises(CompileError) as caught:
        compiled(expression, Environment("1.36"))
    assert [(issue.column, issue.message) for issue in caught.value.issues] == [(column, message)]


@pytest.mark.parametrize(
    "expression",
    [
        '"%s %d".format(["a", 1]) == ""',
        '"%s".format([dyn(quantity("1"))]) == ""',
        '"%d".format([google.protobuf.Int64Value{value: 5}]) == ""',
        '"%s%%".format([{"a": [1]}]) == ""',
        'device.driver.format(["a", 1].map(x, dyn(x))) == ""',
        '"%d".format(["x"].map(x, dyn(x))) == ""',
    ],
)
def test_unchecked(expression: str) -> None:
    """What is no literal, or has any type, is left to the evaluation."""
    assert compiled(expression, Environment("1.36")).output_type == "bool"


def test_long_list(evaluate: Callable[..., Outcome]) -> None:
    """A list that holds another many times over is not written out."""
    nested = "[1]"
    for _ in range(9):
        nested = f"cel.bind(x, {nested}, [x, x, x, x, x, x])"
    error = evaluate(f'"%s".format([{nested}])').error
    assert error is not None
    assert error.message == "operation cancelled: actual cost limit exceeded"
