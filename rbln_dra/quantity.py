"""
Room: the Kubernetes quantity: its grammar, its two representations, its arithmetic and its text.

May touch: `errors`.
"""

from __future__ import annotations

import re
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_UP, Context, Decimal
from enum import Enum
from functools import total_ordering

import attrs

from .errors import InvalidQuantity

_EXPECTED = "a quantity such as 16Gi or 1500m"
_FORMAT_WRONG = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_NUMERIC = "unable to parse numeric part of quantity"
_SUFFIX = "unable to parse quantity's suffix"

_INT64 = range(-(2**63), 2**63)
#: Binary amounts above this are capped when they are read; decimal ones are not.
_MOST_BINARY = Decimal(2**63 - 1)
#: One nano, the finest part of a quantity.
_NANO = -9
_ONE_NANO = Decimal("1e-9")
#: An addition writes out at most so many digits beyond those of its operands; Kubernetes would fill its memory.
_MOST_ZEROS = 10_000

#: Exact arithmetic: nothing is rounded but where it is asked for. Results take the room that their digits need.
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


class Format(Enum):
    """How a quantity is written. It is remembered when a quantity is read, and decides the canonical text."""

    DECIMAL_EXPONENT = "DecimalExponent"
    BINARY_SI = "BinarySI"
    DECIMAL_SI = "DecimalSI"


_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
#: Suffix → the factor's base, its exponent and the format.
_SUFFIXES = {
    **{suffix: (10, exponent, Format.DECIMAL_SI) for suffix, exponent in _DECIMAL.items()},
    **{suffix: (2, exponent, Format.BINARY_SI) for suffix, exponent in _BINARY.items()},
}
#: An exponent that has no suffix is written without one: Kubernetes writes 1000E as "1".
_DECIMAL_TEXTS = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_BINARY_TEXTS = {exponent: suffix for suffix, exponent in _BINARY.items()}

# <quantity> ::= <signedNumber><suffix>, as Kubernetes' scanner takes it: any part may be missing. Possessive, so that it runs in linear time.
_QUANTITY = re.compile(
    r"""
    (?P<value>
        (?P<sign> [+-]?+ )
        (?P<zeros> 0*+ )
        (?P<whole> [0-9]*+ )
        (?: \. (?P<fraction> [0-9]*+ ) )?+
    )
    (?P<suffix> [eEinumkKMGTP]*+ [-+]?+ [0-9]*+ )
    """,
    re.VERBOSE,
)
# <decimalExponent> ::= "e" <signedNumber> | "E" <signedNumber>
_EXPONENT = re.compile(r"[eE] (?P<sign> [+-]?+ ) (?= [0-9] ) 0*+ (?P<digits> [0-9]{0,19} )", re.VERBOSE)


@total_ordering
@attrs.frozen(eq=False)
class Quantity:
    """
    An amount of a resource: a decimal number with a suffix (`16Gi`, `1500m`, `2e9`).

    Quantities are equal, ordered and hashed by number: `1Ki` equals `1024`. Two facts beside the number show in CEL and in texts and are kept:
    the format, and whether Kubernetes holds the number in its fast representation, a 64-bit integer times a power of ten (see `as_int64`).

    Args:
        number: The number. The coefficient and exponent of a fast quantity are those of the representation: `1.0` is 10 × 10⁻¹.
        format: How it is written.
        scale: The decimal places of the slow representation; `None` says that the quantity is in the fast one.
        text: The text as it was read where Kubernetes writes it back so (`+1` stays `+1`); `None` where it writes the canonical form.

    Raises:
        InvalidQuantity: The number is infinite or none.

    Source: k8s.io/apimachinery/pkg/api/resource.

    >>> Quantity.parse("16Gi") == Quantity.parse("17179869184"), str(Quantity.parse("1.5Gi"))
    (True, '1536Mi')
    """

    number: Decimal
    format: Format = Format.DECIMAL_SI
    scale: int | None = None
    text: str | None = None

    def __attrs_post_init__(self) -> None:
        """Refuse what is no number."""
        InvalidQuantity.unless(self.number, Decimal, "a decimal number")
        if not self.number.is_finite():
            raise InvalidQuantity(str(self.number), _EXPECTED, _NUMERIC)

    @classmethod
    def parse(cls, text: str) -> Quantity:
        """
        Read a quantity as Kubernetes does: what is finer than one nano is rounded up, a binary amount above 2⁶³−1 is capped.

        Raises:
            InvalidQuantity: Kubernetes does not read the text; `reason` is its text.

        >>> Quantity.parse("200K")
        Traceback (most recent call last):
        rbln_dra.errors.InvalidQuantity: expected a quantity such as 16Gi or 1500m, got '200K': unable to parse quantity's suffix (at character 4)
        """
        InvalidQuantity.unless_text(text, _EXPECTED)
        match = _QUANTITY.match(text)
        if match is None or not text or match.end() < len(text):
            raise InvalidQuantity(text, _EXPECTED, _FORMAT_WRONG, match.end() if match and text else None)
        meaning = _SUFFIXES.get(match["suffix"]) or _exponent(match["suffix"])
        if meaning is None:
            raise InvalidQuantity(text, _EXPECTED, _SUFFIX, match.start("suffix"))
        base, exponent, format = meaning
        whole, fraction = match["whole"] or "0", match["fraction"] or ""
        digits = whole + fraction
        if _is_fast(base, exponent, whole, fraction):
            power = exponent if base == 10 else 0
            number = Decimal(f"{match['sign']}{digits}E{_int32(power - len(fraction))}")
            if base == 2:
                number = _EXACT.multiply(number, Decimal(2**exponent))
            return cls(number or number.copy_abs(), format, None, text if _kept(text, digits, number, format) else None)
        if not match["zeros"] and not match["whole"] and not fraction:
            raise InvalidQuantity(text, _EXPECTED, _NUMERIC, 0)
        return _slow(match["sign"], digits, len(fraction), base, exponent, format)

    def __eq__(self, other: object) -> bool:
        """Compare by number."""
        if not isinstance(other, Quantity):
            return NotImplemented
        return self.number == other.number

    def __lt__(self, other: Quantity) -> bool:
        """Compare by number."""
        if not isinstance(other, Quantity):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        return self.number < other.number

    def __hash__(self) -> int:
        """Hash by number."""
        return hash(self.number)

    def __str__(self) -> str:
        """Render the text that Kubernetes writes."""
        return self.canonical if self.text is None else self.text

    @property
    def canonical(self) -> str:
        """
        The canonical form: no fraction, the largest suffix that loses nothing, binary only for whole numbers from 1024 on.

        A number without a suffix of its size comes out wrong, as in Kubernetes: `1000E` is written `1`.

        >>> Quantity.parse("0.5").canonical, Quantity.parse("2048Ki").canonical, Quantity.parse("0.5Ki").canonical
        ('500m', '2Mi', '512')
        """
        if not self.number:
            return "0"
        if self.format is Format.BINARY_SI and self.number.copy_abs() >= 1024 and self.number.to_integral_value(context=_EXACT) == self.number:
            whole = int(self.number)
            # The number of trailing zero bits, in tens. Kubernetes finds none in the least fast integer, which is its own negative.
            tens = 0 if self.scale is None and whole == _INT64.start else ((whole & -whole).bit_length() - 1) // 10
            return f"{Decimal(whole >> 10 * tens):f}{_BINARY_TEXTS.get(10 * tens, '')}"
        reduced = _EXACT.normalize(self.number)
        exponent = _power(reduced)
        exponent -= exponent % 3
        digits = f"{_EXACT.scaleb(reduced, -exponent):f}"
        if self.format is Format.DECIMAL_EXPONENT:
            return f"{digits}e{exponent}" if exponent else digits
        return digits + _DECIMAL_TEXTS.get(exponent, "")

    @property
    def sign(self) -> int:
        """−1, 0 or 1 as the number is below, at or above zero."""
        return self.compare(_ZERO)

    def compare(self, other: Quantity) -> int:
        """
        Compare by number: −1, 0 or 1 as this quantity is less than, equal to or greater than the other.

        >>> Quantity.parse("50M").compare(Quantity.parse("50Mi"))
        -1
        """
        if not isinstance(other, Quantity):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _no_quantity(other)
        return (self.number > other.number) - (self.number < other.number)

    def as_int64(self) -> int | None:
        """
        Give the number as CEL's `asInteger()` does; `None` where that is an error.

        Kubernetes answers only from the fast representation, so a whole number is not always an integer: it is held so when the text has at most
        18 digits and a decimal suffix and is no finer than one nano, or when it has no fraction, a binary suffix and few digits (up to 99Ti).

        >>> [Quantity.parse(text).as_int64() for text in ("99Ti", "100Ti", "1k", "1000m", "1.0")]
        [108851651149824, None, 1000, None, None]
        """
        if self.scale is not None or _power(self.number) < 0:
            return None
        if not self.number:
            return 0
        if self.number.adjusted() > 18:
            return None
        whole = int(self.number)
        return whole if whole in _INT64 else None

    def as_float(self) -> float:
        """
        Give the number as CEL's `asApproximateFloat()` does, with the same rounding; ±infinity beyond the range of a double.

        >>> Quantity.parse("1500m").as_float()
        1.5
        """
        power = _power(self.number) if self.scale is None else _int32(-self.scale)
        coefficient = float(_EXACT.scaleb(self.number, -power)) if self.number else 0.0
        return coefficient if power == 0 else coefficient * _pow10(power)

    def add(self, other: Quantity) -> Quantity:
        """
        Add as CEL's `add` does: the sum has this quantity's format unless this is zero, and stays fast if both are and it fits.

        Raises:
            InvalidQuantity: The operands are more than ten thousand digits apart.

        >>> str(Quantity.parse("1Gi").add(Quantity.parse("1000m")))
        '1073741825'
        """
        if not isinstance(other, Quantity):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _no_quantity(other)
        return self._plus(other, other.number, other.number)

    def sub(self, other: Quantity) -> Quantity:
        """
        Subtract as CEL's `sub` does; format, representation and errors are those of `add`.

        >>> str(Quantity.parse("50k").sub(Quantity.parse("30k")))
        '20k'
        """
        if not isinstance(other, Quantity):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _no_quantity(other)
        negated = fast = other.number.copy_negate()
        if other.scale is None and _EXACT.scaleb(other.number, -_power(other.number)) == _INT64.start:
            # Kubernetes' fast sum negates in 64 bits, where this number is its own negative.
            fast = other.number
        return self._plus(other, negated, fast)

    def promoted(self) -> Quantity:
        """
        Give the same number in the slow representation.

        Kubernetes turns a fast quantity into this when its methods compare it with a slow one; in CEL, `isInteger()` is false of it from then on.

        >>> Quantity.parse("1").promoted().as_int64()
        """
        return self if self.scale is not None else attrs.evolve(self, scale=self._places)

    def _plus(self, other: Quantity, number: Decimal, wrapped: Decimal) -> Quantity:
        """Add a number that has the other quantity's format and representation; a fast sum adds `wrapped` in its place."""
        format = self.format if self.number else other.format
        if self.scale is None and other.scale is None:
            fast = _fast_sum(self.number, wrapped)
            if fast is not None:
                return Quantity(fast, format)
        return Quantity(_exact_sum(self.number, number), format, max(self._places, other._places))

    @property
    def _places(self) -> int:
        """The decimal places in the slow representation."""
        return _int32(-_power(self.number)) if self.scale is None else self.scale


_ZERO = Quantity(Decimal(0))


def _no_quantity(other: object) -> InvalidQuantity:
    """Refuse what is no quantity."""
    return InvalidQuantity(other, 'a quantity such as Quantity.parse("16Gi")', f"it is of type {type(other).__name__}")


def _int32(number: int) -> int:
    """Wrap to 32 bits, as Kubernetes' exponents do."""
    return (number + 2**31) % 2**32 - 2**31


def _exponent(suffix: str) -> tuple[int, int, Format] | None:
    """Read a decimal exponent; it must fit 64 bits and is then cut to 32."""
    match = _EXPONENT.fullmatch(suffix)
    if match is None:
        return None
    exponent = int(match["sign"] + (match["digits"] or "0"))
    return (10, _int32(exponent), Format.DECIMAL_EXPONENT) if exponent in _INT64 else None


def _is_fast(base: int, exponent: int, whole: str, fraction: str) -> bool:
    """Tell whether Kubernetes holds a text in its fast representation."""
    if base == 2:
        return not fraction and 15 - len(whole) - exponent * 3 // 10 - 1 >= 0
    return len(whole) + len(fraction) <= 18 and _int32(exponent - len(fraction)) >= _NANO


def _kept(text: str, digits: str, number: Decimal, format: Format) -> bool:
    """Tell whether Kubernetes takes the text of a fast quantity for canonical and writes it back."""
    if text == "0":
        return True
    if format is Format.BINARY_SI:
        return int(digits) % 8 != 0
    return _power(number) % 3 == 0 and not digits.endswith("000") and digits[0] != "0"


def _slow(sign: str, digits: str, places: int, base: int, exponent: int, format: Format) -> Quantity:
    """Build a quantity in the slow representation: rounded up to nanos and, if binary, capped."""
    scale = _int32(places - exponent) if base == 10 else places
    number = Decimal(f"{sign}{digits}E{_int32(-scale)}")
    if not number:
        return Quantity(number.copy_abs(), format, scale)
    if base == 2:
        number = _EXACT.multiply(number, Decimal(2**exponent))
    if _power(number) < _NANO:
        number = number.quantize(_ONE_NANO, rounding=ROUND_UP, context=_EXACT)
    scale = -_NANO
    if format is Format.BINARY_SI:
        if number.copy_abs() > _MOST_BINARY:
            number, scale = _MOST_BINARY.copy_sign(number), 0
        if number.copy_abs() < 1:
            format = Format.DECIMAL_SI
    return Quantity(number, format, scale)


def _fast_sum(mine: Decimal, others: Decimal) -> Decimal | None:
    """Add two fast numbers in 64 bits; `None` where that overflows."""
    if not others:
        return mine
    if not mine:
        return others
    power = min(_power(mine), _power(others))
    if max(mine.adjusted(), others.adjusted()) - power > 19:
        return None
    scaled = [int(_EXACT.scaleb(number, -power)) for number in (mine, others)]
    total = sum(scaled)
    return _EXACT.scaleb(Decimal(total), power) if all(number in _INT64 for number in (*scaled, total)) else None


def _exact_sum(mine: Decimal, others: Decimal) -> Decimal:
    """Add two numbers exactly, unless they are so far apart that their sum would fill the memory."""
    if not others:
        return mine
    if not mine:
        return others
    top, bottom = max(mine.adjusted(), others.adjusted()), min(_power(mine), _power(others))
    written = sum(number.adjusted() - _power(number) + 1 for number in (mine, others))
    if top - bottom > written + _MOST_ZEROS:
        raise InvalidQuantity(f"{mine:.3g} + {others:.3g}", "quantities of comparable size", "they are more than ten thousand digits apart")
    return _EXACT.add(mine, others)


def _power(number: Decimal) -> int:
    """The power of ten that the coefficient stands for."""
    return int(number.as_tuple().exponent)


def _pow10(power: int) -> float:
    """10^power as Go's `math.Pow10` has it: the product or quotient of two doubles, which is not always the nearest double."""
    if power > 308:
        return float("inf")
    if power < -323:
        return 0.0
    high, low = divmod(abs(power), 32)
    return float(f"1e{32 * high}") * float(f"1e{low}") if power >= 0 else float(f"1e-{32 * high}") / float(f"1e{low}")
