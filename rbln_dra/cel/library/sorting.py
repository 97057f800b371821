"""
Room: sorting as Go's `sort.Slice` does it, whose order of equal elements shows.

May touch: `values`.
"""

from __future__ import annotations

from ..values import Value


def sorted_by(values: tuple[Value, ...], keys: tuple[Value, ...]) -> tuple[Value, ...]:
    """Give values in the order of their keys, which are of one type."""
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return tuple(values[index] for index in order)
