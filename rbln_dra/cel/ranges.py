"""
Room: ranges of sizes and of costs, in Kubernetes' saturating 64-bit arithmetic.

The static cost estimate computes with these, and each library row says its estimate in them.

May touch: nothing.
"""

from __future__ import annotations

import math

import attrs

#: The largest cost and size: "no bound".
UNBOUNDED = 2**64 - 1
#: Cost of traversing one code point, byte or element.
STRING_TRAVERSAL = 0.1
#: Cost of one code point of a regular expression.
REGEX_LENGTH = 0.25


def add(left: int, right: int) -> int:
    """Add two unsigned 64-bit numbers, saturating."""
    return min(left + right, UNBOUNDED)


def multiply(left: int, right: int) -> int:
    """Multiply two unsigned 64-bit numbers, saturating."""
    return min(left * right, UNBOUNDED)


def scale(count: int, factor: float) -> int:
    """Multiply by a cost factor as cel-go does: in double precision, rounded up, saturating."""
    product = math.ceil(float(count) * factor)
    return UNBOUNDED if product >= 2**64 else product


@attrs.frozen
class Range:
    """
    An inclusive range of unsigned 64-bit numbers: a size, or a cost.

    Args:
        low: The least.
        high: The most; `UNBOUNDED` when there is no bound.

    >>> Range(1, 2) + Range(3, UNBOUNDED)
    Range(low=4, high=18446744073709551615)
    """

    low: int
    high: int

    @classmethod
    def exactly(cls, number: int) -> Range:
        """Give the range that holds one number."""
        return cls(number, number)

    def __add__(self, other: Range) -> Range:
        """Add end by end."""
        return Range(add(self.low, other.low), add(self.high, other.high))

    def __mul__(self, other: Range) -> Range:
        """Multiply end by end."""
        return Range(multiply(self.low, other.low), multiply(self.high, other.high))

    def scaled(self, factor: float) -> Range:
        """Multiply both ends by a cost factor, rounded up."""
        return Range(scale(self.low, factor), scale(self.high, factor))

    def union(self, other: Range) -> Range:
        """Give the smallest range that holds both."""
        return Range(min(self.low, other.low), max(self.high, other.high))


#: A size or cost of which nothing is known.
UNKNOWN = Range(0, UNBOUNDED)
