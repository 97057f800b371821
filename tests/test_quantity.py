"""Quantities: what Kubernetes reads, how it holds and writes it, and how it computes with it."""

from __future__ import annotations

import gzip
import json
import math
import pickle
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rbln_dra.errors import InvalidQuantity
from rbln_dra.quantity import Format, Quantity

VECTORS = Path(__file__).parent / "vectors" / "quantities.jsonl.gz"

FORMAT_WRONG = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
NUMERIC = "unable to parse numeric part of quantity"
SUFFIX = "unable to parse quantity's suffix"


def described(quantity: Quantity) -> dict[str, Any]:
    """Describe a quantity as the recorded answers do."""
    number = quantity.as_float()
    facts = {
        "text": str(quantity),
        "format": quantity.format.value,
        "integer": None if quantity.as_int64() is None else str(quantity.as_int64()),
        "float": "nan" if math.isnan(number) else number,
        "sign": quantity.sign,
    }
    return {name: fact for name, fact in facts.items() if fact not in (None, 0) or name == "float"}


def recorded(answer: dict[str, Any]) -> dict[str, Any]:
    """Read the float of a recorded answer; Go and Python write it differently."""
    text = answer["float"]
    return answer | {"float": text if text == "nan" else float.fromhex(text.replace("+Inf", "inf").replace("-Inf", "-inf"))}


def answers(question: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    """Answer a recorded question: what is asked, Kubernetes' answer, ours."""
    quantities: list[Quantity] = []
    for text, answer in zip(question["quantities"], question["read"], strict=True):
        try:
            quantities.append(Quantity.parse(text))
        except InvalidQuantity as error:
            yield f"error of {text!r}", answer.get("error"), error.reason
        else:
            yield f"value of {text!r}", recorded(answer), described(quantities[-1])
    if len(quantities) == 2:
        left, right = quantities
        asked = " and ".join(map(repr, question["quantities"]))
        yield f"order of {asked}", question["compare"], left.compare(right)
        yield f"equality of {asked}", question["compare"] == 0, left == right
        yield f"sum of {asked}", recorded(question["add"]), described(left.add(right))
        yield f"difference of {asked}", recorded(question["sub"]), described(left.sub(right))
        yield f"difference and sum of {asked}", recorded(question["back"]), described(left.sub(right).add(right))


def test_recorded_answers() -> None:
    """Text, format, integer, double, sign, order, sum and difference of the recorded quantities are those of Kubernetes, errors included."""
    with gzip.open(VECTORS, "rt", encoding="utf-8") as lines:
        found = [answer for line in lines for answer in answers(json.loads(line))]
    assert len(found) > 10_000
    assert [answer for answer in found if answer[1] != answer[2]] == []


@pytest.mark.parametrize(
    ("text", "integer"),
    [
        ("16Gi", 17179869184),
        ("1Ti", 2**40),
        ("99Ti", 99 * 2**40),
        ("1.5k", 1500),
        ("1500", 1500),
        ("1P", 10**15),
        ("1E", 10**18),
        ("100Ti", None),
        ("1Pi", None),
        ("100000Gi", None),
        ("1000m", None),
        ("1500m", None),
        ("1.5Gi", None),
        ("999999999999999999", 10**18 - 1),
        ("9223372036854775807", None),
        ("100E", None),
        ("0e400", 0),
        ("-5", -5),
    ],
)
def test_fast_path(text: str, integer: int | None) -> None:
    """Only what the parser could hold in its fast representation, without a fraction, is an integer."""
    assert Quantity.parse(text).as_int64() == integer


@pytest.mark.parametrize(
    ("text", "reason", "position"),
    [
        pytest.param("", FORMAT_WRONG, None, id="empty"),
        pytest.param("1 Gi", FORMAT_WRONG, 1, id="space"),
        pytest.param("0x10", FORMAT_WRONG, 1, id="hexadecimal"),
        pytest.param("1.5.5", FORMAT_WRONG, 3, id="two-points"),
        pytest.param("Three", FORMAT_WRONG, 1, id="word"),
        pytest.param("1gi", FORMAT_WRONG, 1, id="small-g"),
        pytest.param("１", FORMAT_WRONG, 0, id="full-width-digit"),
        pytest.param("1\ud800", FORMAT_WRONG, 1, id="surrogate"),
        pytest.param("1e", SUFFIX, 1, id="no-exponent"),
        pytest.param("200K", SUFFIX, 3, id="capital-K"),
        pytest.param("1mi", SUFFIX, 1, id="small-mi"),
        pytest.param("1e9223372036854775808", SUFFIX, 1, id="exponent-beyond-64-bits"),
        pytest.param(".e-10", NUMERIC, 0, id="no-digits"),
    ],
)
def test_refuses(text: str, reason: str, position: int | None) -> None:
    """What Kubernetes does not read is one typed error with its text and the place."""
    with pytest.raises(InvalidQuantity) as caught:
        Quantity.parse(text)
    assert caught.value == InvalidQuantity(text, "a quantity such as 16Gi or 1500m", reason, position)


@pytest.mark.parametrize("text", ["+", "-", ".", "Mi", "e1", "5.", ".5", "+1", "1u", "1e-3"])
def test_reads_odd_texts(text: str) -> None:
    """Kubernetes reads texts that its own grammar does not have: every part may be missing as long as something is there."""
    quantity = Quantity.parse(text)
    assert Quantity.parse(str(quantity)) == quantity


@pytest.mark.parametrize(("one", "other"), [("1Ki", "1024"), ("1.5Gi", "1536Mi"), ("1000m", "1"), ("0", "-0Ki"), ("1e3", "1k")])
def test_compares_and_hashes_by_number(one: str, other: str) -> None:
    """Equality and hash follow the number, whatever format and representation."""
    quantity, same = Quantity.parse(one), Quantity.parse(other)
    assert quantity == same
    assert hash(quantity) == hash(same)
    assert quantity <= same
    assert quantity < Quantity.parse("2Gi")
    assert quantity != one


def test_promoted() -> None:
    """A promoted quantity is the same number and text, but no integer any more."""
    quantity = Quantity.parse("1k")
    promoted = quantity.promoted()
    assert (promoted, str(promoted), promoted.as_int64()) == (quantity, "1k", None)
    assert promoted.promoted() is promoted


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_refuses_what_is_no_number(number: str) -> None:
    """A quantity is a finite number, however it is built."""
    with pytest.raises(InvalidQuantity, match=NUMERIC):
        Quantity(Decimal(number))


@pytest.mark.parametrize(("value", "total"), [("0", -(2**63)), ("5", 5 - 2**63)])
def test_subtracts_in_64_bits(value: str, total: int) -> None:
    """The least 64-bit integer is its own negative, so subtracting it adds it."""
    least = Quantity(Decimal(-(2**63)), Format.DECIMAL_EXPONENT)
    assert Quantity.parse(value).sub(least).as_int64() == total


def test_subtracts_exactly_where_no_fast_sum_is_left() -> None:
    """Numbers of different scales whose sum is beyond 64 bits are subtracted digit by digit, and the least integer is then negated like any other."""
    difference = Quantity.parse("1500m").sub(Quantity.parse("-9223372036854775808"))
    assert difference.sign == 1
    assert str(difference) == "9223372036854775809500m"


def test_adds_only_what_is_comparable() -> None:
    """A sum whose digits would fill the memory is an error, not a wait."""
    assert Quantity.parse("1e2147483647").compare(Quantity.parse("1")) == 1
    with pytest.raises(InvalidQuantity, match="more than ten thousand digits apart"):
        Quantity.parse("1e2147483647").add(Quantity.parse("1"))


@pytest.mark.parametrize(
    "text", ["9" * 10_000, "9" * 10_000 + "Ki", "0." + "0" * 10_000 + "1", "1" + "0" * 10_000 + "n", "-" + "8" * 10_000 + "e2000000000"]
)
def test_bounded(text: str) -> None:
    """Quantities of ten thousand digits are read, compared, computed with and written, whatever Python's limit for integers."""
    quantity = Quantity.parse(text)
    for value in (
        quantity,
        quantity.add(quantity),
        quantity.sub(quantity),
        quantity.add(Quantity.parse("1Ki").promoted()) if "e" not in text else quantity,
    ):
        assert value.compare(quantity) in (-1, 0, 1)
        assert str(value)
        assert hash(value) == hash(value.promoted())
        assert not math.isnan(value.as_float())


@pytest.mark.parametrize("text", ["0" * 1_000_000 + "x", "1" * 1_000_000 + "x", "." + "1" * 1_000_000 + "x", "1e" + "0" * 1_000_000 + "x"])
def test_refuses_in_one_go(text: str) -> None:
    """A long text that is no quantity is refused without going back over it: at this length, that would not end."""
    with pytest.raises(InvalidQuantity):
        Quantity.parse(text)


def test_pickles() -> None:
    """A quantity survives a trip to another process."""
    quantity = Quantity.parse("+16Gi")
    assert str(pickle.loads(pickle.dumps(quantity))) == "16Gi"


def test_the_least_fast_integer() -> None:
    """Kubernetes finds no binary suffix for the least fast integer, which is its own negative in 64 bits; in the slow representation it does."""
    least = Quantity(Decimal(-(2**63)), Format.BINARY_SI)
    assert (str(least), str(least.promoted())) == ("-9223372036854775808", "-8Ei")


@pytest.mark.parametrize("other", [1, None, "1", b"1", Decimal(1)], ids=["number", "none", "text", "bytes", "decimal"])
def test_what_is_no_quantity(other: Any) -> None:
    """Arithmetic refuses what is no quantity, with its own error where Kubernetes' arithmetic is meant, and as Python does for its operators."""
    quantity = Quantity.parse("1")
    for method in (quantity.add, quantity.sub, quantity.compare):
        with pytest.raises(InvalidQuantity) as caught:
            method(other)
        assert caught.value.value == other
    assert quantity != other
    with pytest.raises(TypeError, match="not supported between instances of"):
        sorted([quantity, other])
