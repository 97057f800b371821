"""
Room: where things stand in an expression, and the listing of what is wrong with it.

A complaint is a place and a text. The place is an offset in code points, or `None` for none; the listing is cel-go's, byte for byte.

May touch: `errors`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

from ..errors import Issue

#: Place (offset in code points, or `None`) and text, in the order in which they were found.
Complaints: TypeAlias = Sequence[tuple[int | None, str]]

#: More complaints than this are only counted.
MOST = 100
#: A longer source line, in bytes of UTF-8, is not shown.
LONGEST_LINE = 16_384

_SURROGATE = re.compile("[\ud800-\udfff]")


def readable(source: str) -> str:
    """Give a text as Go reads it: half a surrogate pair is no character."""
    return source if source.isascii() else _SURROGATE.sub("\ufffd", source)


def location(offset: int | None, source: str) -> tuple[int, int]:
    r"""
    Give line from 1 and column from 0, in code points; no place is (-1, -1).

    >>> location(3, "a\nbc")
    (2, 1)
    """
    return (-1, -1) if offset is None else _Lines(source).location(offset)


def issues(complaints: Complaints, source: str) -> tuple[Issue, ...]:
    """Give complaints as values, in the order of the listing."""
    lines = _Lines(source)
    return tuple(Issue(line, column + 1, message) for (line, column), message in _placed(complaints, lines))


def render(complaints: Complaints, source: str) -> str:
    r"""
    Write the listing.

    >>> print(render([(2, "undeclared reference to 'b' (in container '')")], "a.b"))
    ERROR: <input>:1:3: undeclared reference to 'b' (in container '')
     | a.b
     | ..^
    """
    lines = _Lines(source)
    parts = [f"ERROR: <input>:{line}:{column + 1}: {message}{lines.excerpt(line, column)}" for (line, column), message in _placed(complaints, lines)]
    if len(complaints) > MOST:
        parts.append(f"{len(complaints) - MOST} more errors were truncated")
    return "\n".join(parts)


def _placed(complaints: Complaints, lines: _Lines) -> list[tuple[tuple[int, int], str]]:
    """Place the complaints that are shown, and sort them by place."""
    placed = [((-1, -1) if offset is None else lines.location(offset), message) for offset, message in complaints[:MOST]]
    return sorted(placed, key=lambda one: one[0])


class _Lines:
    """The lines of a source, which are looked for when something has a place in them."""

    def __init__(self, source: str) -> None:
        """Keep the source."""
        self.source = source

    @cached_property
    def starts(self) -> list[int]:
        """Where lines begin."""
        return [0, *(match.end() for match in re.finditer("\n", self.source))]

    def location(self, offset: int) -> tuple[int, int]:
        """Give line and column of an offset; in a text without any, cel-go finds no place."""
        if not self.source:
            return 1, -1
        line = max(bisect_right(self.starts, offset), 1)
        return line, offset - self.starts[line - 1]

    def excerpt(self, line: int, column: int) -> str:
        """Show the line, with a caret below the column; characters that are not ASCII count as wide."""
        if line < 1 or not self.source or line > len(self.starts):
            return ""
        start = self.starts[line - 1]
        end = self.starts[line] - 1 if line < len(self.starts) else len(self.source)
        text = readable(self.source[start:end])
        if len(text.encode()) > LONGEST_LINE:
            return ""
        text = text.replace("\t", " ")
        dots = "".join("." if character.isascii() else "．" for character in text[: max(column, 0)])
        caret = "^" if text[column : column + 1].isascii() or column < 0 else "＾"
        return f"\n | {text}\n | {dots}{caret}"
