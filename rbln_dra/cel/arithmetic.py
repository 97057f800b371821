"""
Room: what the operators of the standard library do with values: sums, products, order, membership, size.

They are handed values of any type, since an expression may hide a type: what has no such operation is "no such overload", in one of the two
forms in which cel-go says so.

May touch: `ast`, `values`, `conversions`, `instants`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from .ast import Uint
from .conversions import checked_int, checked_uint
from .instants import SECOND, TIMESTAMP_OVERFLOW
from .values import (
    NO_SUCH_OVERLOAD,
    TIMESTAMP_MAX,
    TIMESTAMP_MIN,
    CELError,
    Concatenation,
    CostLimitExceeded,
    Duration,
    ListBuilder,
    Map,
    Optional,
    Timestamp,
    Value,
    compare,
    elements,
    is_list,
    receiver_equality,
    size_of,
)

#: How long a text may become: everything that looks at a longer one costs more than any limit.
MOST_CHARACTERS = 10_000_000
DIVISION_BY_ZERO, MODULUS_BY_ZERO = "division by zero", "modulus by zero"

_Binary: TypeAlias = Callable[[Value, Value], Value]
#: Types whose values receive calls themselves in cel-go, and refuse them in their own words.
_RECEIVERS = (str, Timestamp, Duration)


def lacking(function: str, operand: Value) -> CELError:
    """Give the error of an operator that an operand's type does not have."""
    return CELError(NO_SUCH_OVERLOAD if type(operand) in _RECEIVERS else f"{NO_SUCH_OVERLOAD}: {function}")


def _joined(left: Value, right: Value) -> Value:
    if len(left) + len(right) > MOST_CHARACTERS:
        raise CostLimitExceeded(math.ceil((len(left) + len(right)) * 0.1))
    return left + right


def add_lists(left: Value, right: Value) -> Value:
    """Put two lists one after the other; a list that a macro builds grows in place."""
    if not is_list(right):
        raise CELError(NO_SUCH_OVERLOAD)
    if type(left) is ListBuilder:
        return left.extend(right)
    if not size_of(left):
        return right
    return Concatenation(left, right) if size_of(right) else left


def moved(timestamp: Timestamp, nanoseconds: int) -> Timestamp:
    """
    Move a timestamp.

    Raises:
        CELError: It leaves the years 1…9999.
    """
    there = timestamp.nanoseconds + nanoseconds
    if not TIMESTAMP_MIN <= there // SECOND <= TIMESTAMP_MAX:
        raise CELError(TIMESTAMP_OVERFLOW)
    return Timestamp(there, timestamp.offset)


def _add_duration(left: Duration, right: Value) -> Value:
    if type(right) is Duration:
        return Duration(checked_int(left.nanoseconds + right.nanoseconds))
    if type(right) is Timestamp:
        return moved(right, left.nanoseconds)
    raise CELError(NO_SUCH_OVERLOAD)


def _add_timestamp(left: Timestamp, right: Value) -> Value:
    if type(right) is Duration:
        return moved(left, right.nanoseconds)
    raise CELError(NO_SUCH_OVERLOAD)


def _subtract_timestamp(left: Timestamp, right: Value) -> Value:
    if type(right) is Duration:
        return moved(left, checked_int(-right.nanoseconds))
    if type(right) is Timestamp:
        seconds = left.nanoseconds // SECOND - right.nanoseconds // SECOND
        rest = left.nanoseconds % SECOND - right.nanoseconds % SECOND
        return Duration(checked_int(checked_int(seconds * SECOND) + rest))
    raise CELError(NO_SUCH_OVERLOAD)


def _alike(operation: _Binary) -> _Binary:
    """Take a right operand of the left one's type only."""

    def checked(left: Value, right: Value) -> Value:
        if type(left) is not type(right):
            raise CELError(NO_SUCH_OVERLOAD)
        return operation(left, right)

    return checked


def _divide_doubles(left: float, right: float) -> float:
    if right:
        return left / right
    if not left or math.isnan(left) or math.isnan(right):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _quotient(left: int, right: int) -> int:
    if not right:
        raise CELError(DIVISION_BY_ZERO)
    quotient = abs(left) // abs(right)
    return -quotient if (left < 0) is not (right < 0) else quotient


def _remainder(left: int, right: int) -> int:
    if not right:
        raise CELError(MODULUS_BY_ZERO)
    checked_int(_quotient(left, right))
    return -(-left % abs(right)) if left < 0 else left % abs(right)


def _unsigned_quotient(left: int, right: int) -> Uint:
    if not right:
        raise CELError(DIVISION_BY_ZERO)
    return Uint(int(left) // int(right))


def _unsigned_remainder(left: int, right: int) -> Uint:
    if not right:
        raise CELError(MODULUS_BY_ZERO)
    return Uint(int(left) % int(right))


_ADDITION: dict[type, _Binary] = {
    int: _alike(lambda left, right: checked_int(left + right)),
    Uint: _alike(lambda left, right: checked_uint(int(left) + int(right))),
    float: _alike(lambda left, right: left + right),
    str: _alike(_joined),
    bytes: _alike(_joined),
    Duration: _add_duration,
    Timestamp: _add_timestamp,
    tuple: add_lists,
    Concatenation: add_lists,
    ListBuilder: add_lists,
}
_SUBTRACTION: dict[type, _Binary] = {
    int: _alike(lambda left, right: checked_int(left - right)),
    Uint: _alike(lambda left, right: checked_uint(int(left) - int(right))),
    float: _alike(lambda left, right: left - right),
    Duration: _alike(lambda left, right: Duration(checked_int(left.nanoseconds - right.nanoseconds))),
    Timestamp: _subtract_timestamp,
}
_MULTIPLICATION: dict[type, _Binary] = {
    int: _alike(lambda left, right: checked_int(left * right)),
    Uint: _alike(lambda left, right: checked_uint(int(left) * int(right))),
    float: _alike(lambda left, right: left * right),
}
_DIVISION: dict[type, _Binary] = {
    int: _alike(lambda left, right: checked_int(_quotient(left, right))),
    Uint: _alike(_unsigned_quotient),
    float: _alike(_divide_doubles),
}
_MODULO: dict[type, _Binary] = {int: _alike(_remainder), Uint: _alike(_unsigned_remainder)}


def operator(name: str) -> _Binary:
    """Give what an arithmetic operator does."""
    rules = {"_+_": _ADDITION, "_-_": _SUBTRACTION, "_*_": _MULTIPLICATION, "_/_": _DIVISION, "_%_": _MODULO}[name]

    def apply(left: Value, right: Value) -> Value:
        rule = rules.get(type(left))
        if rule is None:
            raise lacking(name, left)
        return rule(left, right)

    return apply


_ORDERED = (bool, int, Uint, float, str, bytes, Timestamp, Duration)


def relation(name: str) -> _Binary:
    """Give what a relation does."""
    accepted = {"_<_": (-1,), "_<=_": (-1, 0), "_>_": (1,), "_>=_": (0, 1)}[name]

    def apply(left: Value, right: Value) -> Value:
        if type(left) not in _ORDERED:
            raise lacking(name, left)
        return compare(left, right) in accepted

    return apply


def negate(operand: Value) -> Value:
    """Do `-x`."""
    kind = type(operand)
    if kind is int:
        return checked_int(-operand)
    if kind is float:
        return -operand
    if kind is Duration:
        return Duration(checked_int(-operand.nanoseconds))
    if kind is bool:
        raise CELError(NO_SUCH_OVERLOAD)
    raise lacking("-_", operand)


def invert(operand: Value) -> bool:
    """Do `!x`."""
    if type(operand) is not bool:
        raise CELError(NO_SUCH_OVERLOAD)
    return not operand


def contains(member: Value, holder: Value) -> bool:
    """Do `x in y`: what cannot be compared is not in a list."""
    if isinstance(holder, Map):
        return holder.held(member) is not Optional.ABSENT
    if is_list(holder):
        return any(receiver_equality(member, element) is True for element in elements(holder))
    raise CELError(NO_SUCH_OVERLOAD)


def size(operand: Value) -> int:
    """Do `size(x)`."""
    if type(operand) in (str, bytes) or is_list(operand) or isinstance(operand, Map):
        return size_of(operand)
    raise lacking("size", operand)


def not_strictly_false(operand: Value) -> bool:
    """Tell whether a loop goes on: after an error it does."""
    return operand if type(operand) is bool else True
