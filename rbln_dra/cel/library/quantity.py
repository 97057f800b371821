"""
Room: Kubernetes quantities in expressions.

May touch: `errors`, `quantity`, `types`, `values`, `rows`, `costs`.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import ClassVar

import attrs

from ...errors import InvalidQuantity
from ...quantity import Format, Quantity
from ..types import BOOL, DOUBLE, INT, QUANTITY, STRING, Type
from ..values import NO_SUCH_OVERLOAD, CELError, copied
from .costs import traversal, traversal_cost, unit, unit_cost
from .rows import Function, Implementation, Library, Overload, Since, Value, alike

#: Up to here, adding to a quantity in the slow representation changes the quantity itself.
EARLIER = Since(until="1.36")
LATER = Since(new="1.37", stored="1.37")


@attrs.frozen(eq=False, str=False)
class Computed:
    """
    A sum or difference of quantities.

    In Go it is a pointer, and equality knows no pointers on its right: `quantity("2") == quantity("1").add(1)` is an error, and true the other
    way round.

    Args:
        quantity: The quantity. Up to 1.36 it may be that which was added to, which then has changed.
    """

    cel_type: ClassVar[Type] = QUANTITY

    quantity: Quantity

    def cel_equal(self, other: Value) -> bool:
        """
        Compare with a quantity that was not computed.

        Raises:
            CELError: The other is anything else.
        """
        if not isinstance(other, Quantity):
            raise CELError(NO_SUCH_OVERLOAD)
        return self.quantity == other

    def __str__(self) -> str:
        """Render the quantity."""
        return str(self.quantity)


def _held(value: Quantity | Computed) -> Quantity:
    return value.quantity if isinstance(value, Computed) else value


def _order(left: Quantity | Computed, right: Quantity | Computed) -> int:
    """Compare as Kubernetes' methods do: with a slow quantity, the receiver becomes slow itself, and `isInteger()` is false of it from then on."""
    quantity, other = _held(left), _held(right)
    if other.scale is not None:
        object.__setattr__(quantity, "scale", quantity.promoted().scale)
    return quantity.compare(other)


#: Texts up to this length are remembered with what they mean.
_SHORT = 64


@lru_cache(maxsize=1024)
def _short(text: str) -> Quantity:
    return Quantity.parse(text)


def _parse(text: str) -> Quantity:
    try:
        return copied(_short(text)) if len(text) <= _SHORT else Quantity.parse(text)
    except InvalidQuantity as error:
        raise CELError(str(error.reason)) from None


def _is_quantity(text: str) -> bool:
    try:
        Quantity.parse(text)
    except InvalidQuantity:
        return False
    return True


def _integer(value: Quantity | Computed) -> int:
    integer = _held(value).as_int64()
    if integer is None:
        raise CELError("cannot convert value to integer")
    return integer


def _summed(left: Quantity, right: Quantity | Computed | int, *, negative: bool) -> Quantity:
    other = Quantity(Decimal(right), Format.DECIMAL_EXPONENT) if isinstance(right, int) else _held(right)
    try:
        return left.sub(other) if negative else left.add(other)
    except InvalidQuantity as error:
        raise CELError(str(error.reason)) from None


def _adding(*, negative: bool, shared: bool) -> Implementation:
    """Give what adds or subtracts; `shared` says that a slow quantity is changed by it, as its copy shares its digits."""

    def add(left: Quantity | Computed, right: Quantity | Computed | int) -> Computed:
        quantity = _held(left)
        total = _summed(quantity, right, negative=negative)
        if not shared or quantity.scale is None:
            return Computed(total)
        object.__setattr__(quantity, "number", total.number)
        object.__setattr__(quantity, "scale", total.scale)
        return Computed(quantity)

    return add


def _sign(value: Quantity | Computed) -> int:
    return _held(value).sign


def _float(value: Quantity | Computed) -> float:
    return _held(value).as_float()


def _is_integer(value: Quantity | Computed) -> bool:
    return _held(value).as_int64() is not None


def _greater(left: Quantity | Computed, right: Quantity | Computed) -> bool:
    return _order(left, right) > 0


def _less(left: Quantity | Computed, right: Quantity | Computed) -> bool:
    return _order(left, right) < 0


def _accessor(name: str, id_: str, result: Type, implementation: Implementation, summary: str, *, member: bool = True) -> Function:
    """Give the row of a fact of a quantity."""
    overload = Overload(id_, (QUANTITY,), result, member=member, implementation=implementation)
    return Function(name, (overload,), estimate=unit, cost=unit_cost, summary=summary)


def _comparison(name: str, id_: str, result: Type, implementation: Implementation, summary: str) -> Function:
    """Give the row of a comparison of two quantities."""
    overload = Overload(id_, (QUANTITY, QUANTITY), result, member=True, implementation=implementation)
    return Function(name, (overload,), estimate=unit, cost=unit_cost, summary=summary)


def _arithmetic(name: str, since: Since, summary: str) -> Function:
    """Give the row of the sum or the difference with a quantity or an integer."""
    return Function(
        name,
        alike(
            _adding(negative=name == "sub", shared=since is EARLIER),
            Overload(f"quantity_{name}", (QUANTITY, QUANTITY), QUANTITY, member=True),
            Overload(f"quantity_{name}_int", (QUANTITY, INT), QUANTITY, member=True),
        ),
        since=since,
        estimate=unit,
        cost=unit_cost,
        summary=summary,
    )


FUNCTIONS = (
    Function(
        "quantity",
        (Overload("string_to_quantity", (STRING,), QUANTITY, implementation=_parse),),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="A quantity from its text.",
    ),
    Function(
        "isQuantity",
        (Overload("is_quantity_string", (STRING,), BOOL, implementation=_is_quantity),),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="Whether a text is a quantity.",
    ),
    _accessor("sign", "quantity_sign", INT, _sign, "-1, 0 or 1: a global function.", member=False),
    _comparison(
        "isGreaterThan",
        "quantity_is_greater_than",
        BOOL,
        _greater,
        "Whether a quantity is greater than another.",
    ),
    _comparison(
        "isLessThan",
        "quantity_is_less_than",
        BOOL,
        _less,
        "Whether a quantity is less than another.",
    ),
    _comparison(
        "compareTo",
        "quantity_compare_to",
        INT,
        _order,
        "-1, 0 or 1, as a quantity is less than, equal to or greater than another.",
    ),
    _accessor("asApproximateFloat", "quantity_get_float", DOUBLE, _float, "The quantity as a double."),
    _accessor("asInteger", "quantity_get_int", INT, _integer, "The quantity as an integer; an error where `isInteger` is false."),
    _accessor(
        "isInteger",
        "quantity_is_integer",
        BOOL,
        _is_integer,
        "Whether the quantity is kept as a 64-bit integer.",
    ),
    *(_arithmetic("add", since, "The sum with a quantity or an integer.") for since in (EARLIER, LATER)),
    *(_arithmetic("sub", since, "The difference with a quantity or an integer.") for since in (EARLIER, LATER)),
)
QUANTITIES = Library("quantity", "Kubernetes quantity", FUNCTIONS)
