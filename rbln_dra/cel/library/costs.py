"""
Room: the cost formulas that several libraries share.

Kubernetes estimates and charges most functions by one of a few formulas: one unit, a traversal of the first argument, a traversal and a copy.
`first` below is the receiver of a member call and the first argument of a global one.

May touch: `ranges`, `values`, `rows`.
"""

from __future__ import annotations

import math

from ..ranges import REGEX_LENGTH, STRING_TRAVERSAL, Range
from ..values import CostLimitExceeded, Map, elements, is_list
from .rows import Estimate, Estimator, Operand, RuntimeCost, Value

#: The cost limit of Kubernetes' evaluators: what costs more than it is refused before it is made.
LIMIT = 1_000_000
#: The longest text that is made: a traversal of it costs as much as the limit.
LONGEST = 10_000_000

#: Cost of allocating a list.
LIST_ALLOCATION = 10
ONE = Range(1, 1)


def size(value: Value) -> int:
    """Give the size that Kubernetes charges for: code points, bytes, elements, entries, bytes of an address; 1 of what has no size."""
    if type(value) in (str, bytes, tuple):
        return len(value)
    own: int = getattr(value, "cel_size", 1)
    return own


def ceil_scaled(count: int, factor: float) -> int:
    """Multiply by a cost factor in double precision, rounded up."""
    return math.ceil(float(count) * factor)


def unit(_target: Operand | None, _args: tuple[Operand, ...]) -> Estimate:
    """Estimate one unit."""
    return Estimate(ONE)


def unit_cost(_args: tuple[Value, ...], _result: Value) -> int:
    """Charge one unit."""
    return 1


def traversal(*, factor: float = STRING_TRAVERSAL, sized: bool = False) -> Estimator:
    """Estimate a traversal of the first argument of a global call; with `sized` the result is as large."""

    def estimate(_target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
        if not args:
            return None
        length = args[0].size
        return Estimate(length.scaled(factor), length if sized else None)

    return estimate


def member_traversal(target: Operand | None, _args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate a traversal of the receiver, with a result as large."""
    return None if target is None else Estimate(target.size.scaled(STRING_TRAVERSAL), target.size)


def traversal_cost(*, times: int = 1) -> RuntimeCost:
    """Charge traversals of the first argument."""

    def cost(args: tuple[Value, ...], _result: Value) -> int | None:
        return ceil_scaled(size(args[0]) * times, STRING_TRAVERSAL) if args else None

    return cost


def search(text: Range, pattern: Range) -> Range:
    """Estimate the search of a text for a regular expression, as a product of their lengths."""
    return (text + ONE).scaled(STRING_TRAVERSAL) * pattern.scaled(REGEX_LENGTH)


def search_cost(text: int, pattern: int) -> int:
    """Charge the search of a text for a regular expression."""
    return math.ceil((1.0 + float(text)) * STRING_TRAVERSAL) * ceil_scaled(pattern, REGEX_LENGTH)


def tree(value: Value) -> int:
    """Charge the traversal of a value as a tree: a tenth of a string's bytes, one unit for everything else that is no container."""
    return _tree(value, {})


def _tree(value: Value, seen: dict[int, int]) -> int:
    """Sum up the parts; a container that occurs more than once is traversed once."""
    if isinstance(value, str):
        return int(float(len(value.encode("utf-8", "surrogatepass"))) * STRING_TRAVERSAL)
    if isinstance(value, bytes):
        return int(float(len(value)) * STRING_TRAVERSAL)
    if id(value) in seen:
        return seen[id(value)]
    if is_list(value):
        total = sum(_tree(item, seen) for item in elements(value))
    elif isinstance(value, Map):
        total = sum(_tree(key, seen) + _tree(item, seen) for key, item in value.items())
    else:
        return 1
    seen[id(value)] = total
    return total


def afford(cost: int) -> None:
    """
    Refuse a call before it makes what would cost more than the limit.

    Raises:
        CostLimitExceeded: It would.
    """
    if cost > LIMIT:
        raise CostLimitExceeded(cost)


def afford_text(length: int) -> None:
    """
    Refuse to make a text that is too long for anything.

    Raises:
        CostLimitExceeded: It is.
    """
    if length > LONGEST:
        raise CostLimitExceeded(ceil_scaled(length, STRING_TRAVERSAL))


def elementwise(target: Operand | None, _args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate one visit of every element of the receiver, with a traversal of those that are strings; a traversal of a receiver that is a string."""
    return None if target is None else _elementwise(target, target.size.scaled(STRING_TRAVERSAL))


def dynamic_elementwise(target: Operand | None, _args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate like `elementwise`, where a receiver of unknown type may be a list."""
    return None if target is None else _elementwise(target, target.size * ONE)


def _elementwise(target: Operand, otherwise: Range) -> Estimate:
    element = target.element()
    if element is None:
        return Estimate(otherwise)
    each = ONE
    if element.type.name in {"string", "bytes"}:
        each = each + element.size.scaled(STRING_TRAVERSAL)
    return Estimate(target.size * each)


def elementwise_cost(args: tuple[Value, ...], _result: Value) -> int:
    """Charge a traversal of the first argument as a tree."""
    return tree(args[0]) if args else 0
