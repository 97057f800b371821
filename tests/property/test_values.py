"""Values: equality, order and texts hold for all of them, and no operator leaves the errors of CEL."""

from __future__ import annotations

from typing import Any

from hypothesis import given, strategies as st

from rbln_dra.cel import arithmetic, conversions, texts, values
from rbln_dra.cel.ast import Uint
from rbln_dra.cel.instants import read_duration, read_timestamp
from rbln_dra.cel.values import CELError, Duration, Map, Optional, Timestamp
from rbln_dra.quantity import Quantity
from rbln_dra.semver import Semver

INTS = st.integers(-(2**63), 2**63 - 1)
UINTS = st.integers(0, 2**64 - 1).map(Uint)
NUMBERS = st.one_of(INTS, UINTS, st.floats())
DURATIONS = INTS.map(Duration)
TIMESTAMPS = st.builds(
    Timestamp,
    st.integers(values.TIMESTAMP_MIN * 10**9, values.TIMESTAMP_MAX * 10**9 + 999_999_999),
    st.integers(-1439, 1439).map(lambda minutes: minutes * 60),
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    NUMBERS,
    st.text(),
    st.binary(max_size=8),
    DURATIONS,
    TIMESTAMPS,
    st.just(Quantity.parse("1Ki")),
    st.just(Semver.parse("1.2.3")),
)
KEYS = st.one_of(st.booleans(), NUMBERS, st.text())
VALUES = st.recursive(
    SCALARS,
    lambda held: st.one_of(
        st.lists(held, max_size=3).map(tuple), st.lists(st.tuples(KEYS, held), max_size=3).map(Map), held.map(Optional), st.just(values.NONE)
    ),
    max_leaves=6,
)


def outcome(operation: Any, *operands: Any) -> Any:
    """Give a value, or the error of CEL."""
    try:
        return operation(*operands)
    except CELError as error:
        return error


@given(VALUES, VALUES)
def test_operators_fail_in_the_words_of_cel_only(left: Any, right: Any) -> None:
    """Whatever an operator is given, it gives a value of its type or an error of CEL."""
    for name in ("_+_", "_-_", "_*_", "_/_", "_%_"):
        result = outcome(arithmetic.operator(name), left, right)
        assert isinstance(result, CELError) or values.type_of(result).kind
    for name in ("_<_", "_<=_", "_>_", "_>=_"):
        assert isinstance(outcome(arithmetic.relation(name), left, right), (bool, CELError))
    for operation, kind in ((arithmetic.contains, bool), (values.equal, bool), (values.compare, int)):
        assert isinstance(outcome(operation, left, right), (kind, CELError))
    result = outcome(arithmetic.negate, left)
    assert isinstance(result, CELError) or values.type_of(result) == values.type_of(left)
    assert isinstance(outcome(arithmetic.invert, left), (bool, CELError))
    assert isinstance(outcome(arithmetic.size, left), (int, CELError))
    assert values.size_of(left) >= 0
    assert values.type_of(left).kind
    assert isinstance(texts.shown(left), str)
    assert isinstance(texts.go_type(left), str)


@given(NUMBERS, NUMBERS)
def test_numbers_are_in_one_order(left: float, right: float) -> None:
    """Two numbers are equal exactly when neither comes first."""
    order, reverse = outcome(values.compare, left, right), outcome(values.compare, right, left)
    if isinstance(order, CELError):
        assert left != left or right != right  # noqa: PLR0124 - a NaN
        assert values.equal(left, right) is False
    else:
        assert order == -reverse
        assert values.equal(left, right) is values.equal(right, left) is (order == 0)


@given(INTS, INTS)
def test_division_and_remainder(left: int, right: int) -> None:
    """Quotient times divisor plus remainder is the dividend."""
    quotient, remainder = outcome(arithmetic.operator("_/_"), left, right), outcome(arithmetic.operator("_%_"), left, right)
    if isinstance(quotient, CELError):
        assert isinstance(remainder, CELError)
    else:
        assert quotient * right + remainder == left
        assert abs(remainder) < abs(right)


@given(st.lists(st.tuples(KEYS, st.integers()), max_size=8))
def test_a_map_finds_its_keys(entries: list[tuple[Any, int]]) -> None:
    """The latest value of a key is found under it; a NaN is not."""
    held = Map(entries)
    assert held.cel_size == len(list(held)) == len(list(held.items()))
    for key, value in held.items():
        assert held.find(key) == (value if key == key else Optional.ABSENT)  # noqa: PLR0124 - a NaN


@given(st.floats())
def test_doubles_read_back(number: float) -> None:
    """A double's text is read back as the same number."""
    for write in (texts.general, texts.positional):
        assert repr(conversions.double_from_string(write(number))) == repr(number)


@given(DURATIONS)
def test_durations_read_back(duration: Duration) -> None:
    """Go's text of a duration is read back exactly."""
    assert read_duration(texts.duration_text(duration)) == duration


@given(TIMESTAMPS)
def test_timestamps_read_back(timestamp: Timestamp) -> None:
    """A timestamp's text is read back, with its zone, as long as its year has four digits."""
    text = texts.timestamp_text(timestamp)
    if len(text.partition("-")[0]) == 4:
        read = read_timestamp(text)
        assert read == timestamp
        assert read is not None
        assert read.offset == timestamp.offset


@given(st.text())
def test_noise(text: str) -> None:
    """No text is anything but a value of the type or an error of CEL."""
    for convert, kind in (
        (conversions.int_from_string, int),
        (conversions.uint_from_string, Uint),
        (conversions.double_from_string, float),
        (conversions.bool_from_string, bool),
        (conversions.bytes_from_string, bytes),
        (conversions.duration_from_string, Duration),
        (conversions.timestamp_from_string, Timestamp),
    ):
        assert isinstance(outcome(convert, text), (kind, CELError))
