"""
Room: tables as kubectl prints them.

May touch: `command`, for what a terminal would act on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from .command import one_line

#: What kubectl prints where there is nothing.
NONE: Final = "<none>"
_GAP: Final = 3
#: So much of a sentence stands in a cell.
MOST: Final = 400


def shortened(text: str, most: int = MOST) -> str:
    """
    Take out the middle of a text that is too long for a cell: what it begins with says what it is, and a hint stands at its end.

    >>> shortened("abcdefghijkl", 7)
    'abcd…kl'
    """
    if len(text) <= most:
        return text
    tail = (most - 1) // 3
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :]}"


def table(rows: Iterable[Sequence[str | None]], headers: Sequence[str] = ()) -> list[str]:
    """
    Align rows in columns, three blanks apart; the last column is as wide as it is.

    >>> table([["node-atom", "16"], ["b", None]], ["POOL", "DEVICES"])
    ['POOL        DEVICES', 'node-atom   16', 'b           <none>']
    """
    cells = [list(headers)] if headers else []
    cells += [[NONE if cell in {None, ""} else one_line(str(cell)) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    return [(" " * _GAP).join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
