"""Quantities, sentence by sentence of their grammar and of their arithmetic."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given, strategies as st

from rbln_dra.errors import InvalidQuantity
from rbln_dra.quantity import Format, Quantity

DIGITS = st.from_regex(r"[0-9]{1,20}", fullmatch=True)
NUMBERS = st.one_of(DIGITS, st.builds("{}.{}".format, DIGITS, DIGITS), st.builds("{}.".format, DIGITS), st.builds(".{}".format, DIGITS))
SUFFIXES = st.sampled_from(["n", "u", "m", "", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"])
EXPONENTS = st.builds("{}{}".format, st.sampled_from("eE"), st.integers(-40, 40))
#: The documented grammar: <signedNumber><suffix>.
TEXTS = st.builds("{}{}{}".format, st.sampled_from(["", "+", "-"]), NUMBERS, SUFFIXES | EXPONENTS)
QUANTITIES = TEXTS.map(Quantity.parse)
NOISE = st.text() | st.text(alphabet="0123456789.+-eEinumkKMGTP ", max_size=40)
FACTORS = {"n": "1e-9", "u": "1e-6", "m": "1e-3", "k": "1e3", "M": "1e6", "G": "1e9", "T": "1e12", "P": "1e15", "E": "1e18"}


class TestReading:
    """A text is a quantity, or one typed error."""

    @given(TEXTS)
    def test_grammar(self, text: str) -> None:
        """Every text of the documented grammar is read."""
        assert isinstance(Quantity.parse(text), Quantity)

    @given(st.integers(-(10**15), 10**15), st.sampled_from(sorted(FACTORS)))
    def test_number(self, number: int, suffix: str) -> None:
        """A decimal suffix is a power of ten."""
        assert Quantity.parse(f"{number}{suffix}").number == Decimal(number) * Decimal(FACTORS[suffix])

    @given(st.integers(-(2**30), 2**30), st.integers(1, 3))
    def test_binary_number(self, number: int, power: int) -> None:
        """A binary suffix is a power of 1024."""
        assert Quantity.parse(f"{number}{'KMG'[power - 1]}i").number == number * 1024**power

    @given(NOISE)
    def test_noise(self, text: str) -> None:
        """Any text is a quantity or one typed error on one line."""
        try:
            assert Quantity.parse(text).format in Format
        except InvalidQuantity as error:
            assert "\n" not in str(error)

    @given(TEXTS)
    def test_nothing_finer_than_nano(self, text: str) -> None:
        """A quantity is a whole number of nanos, rounded away from zero."""
        nanos = Quantity.parse(text).number.scaleb(9)
        assert nanos == nanos.to_integral_value()


class TestWriting:
    """The canonical form is another spelling of the number."""

    @given(QUANTITIES.filter(lambda quantity: abs(quantity.number) < Decimal("1e21")))
    def test_round_trip(self, quantity: Quantity) -> None:
        """A quantity is read back from what Kubernetes writes and from its canonical form; beyond 10²¹ a decimal suffix is lost, as in Kubernetes."""
        assert Quantity.parse(str(quantity)) == quantity
        assert Quantity.parse(quantity.canonical) == quantity

    @given(QUANTITIES)
    def test_canonical_is_a_fixed_point(self, quantity: Quantity) -> None:
        """The canonical form has itself as canonical form, and neither a fraction nor a plus sign."""
        canonical = quantity.canonical
        assert Quantity.parse(canonical).canonical == canonical
        assert "." not in canonical
        assert "+" not in canonical

    @given(st.integers(-(2**62), 2**62), st.sampled_from(["", "Ki", "Mi", "Gi"]))
    def test_integer(self, number: int, suffix: str) -> None:
        """What is an integer is the number."""
        quantity = Quantity.parse(f"{number}{suffix}")
        integer = quantity.as_int64()
        assert integer is None or integer == quantity.number


class TestOrder:
    """Quantities order, are equal and hash as their numbers do."""

    @given(QUANTITIES, QUANTITIES)
    def test_order(self, one: Quantity, other: Quantity) -> None:
        """The order is that of the numbers, and equality goes with the hash."""
        assert (one < other, one == other, one > other) == (one.number < other.number, one.number == other.number, one.number > other.number)
        assert one.compare(other) == -other.compare(one)
        assert one != other or hash(one) == hash(other)

    @given(QUANTITIES)
    def test_sign(self, quantity: Quantity) -> None:
        """The sign is how the number compares with zero."""
        assert quantity.sign == (quantity.number > 0) - (quantity.number < 0)


class TestArithmetic:
    """Sum and difference are exact."""

    @given(QUANTITIES, QUANTITIES)
    def test_inverse(self, one: Quantity, other: Quantity) -> None:
        """Subtracting undoes adding."""
        assert one.add(other).sub(other) == one
        assert one.add(other) == other.add(one)

    @given(QUANTITIES)
    def test_zero(self, quantity: Quantity) -> None:
        """Zero adds nothing, and takes on the format of what is added to it."""
        zero = Quantity(Decimal(0), Format.DECIMAL_EXPONENT)
        assert quantity.add(zero) == quantity == zero.add(quantity)
        assert zero.add(quantity).format is quantity.format

    @given(QUANTITIES, QUANTITIES)
    def test_slow_is_catching(self, one: Quantity, other: Quantity) -> None:
        """A sum with a slow quantity is slow."""
        assert one.promoted().add(other).as_int64() is None
        assert one.add(other.promoted()).as_int64() is None
