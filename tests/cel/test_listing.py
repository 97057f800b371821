"""Places, and the listing of complaints."""

from __future__ import annotations

import pytest

from rbln_dra.cel.listing import issues, location, readable, render
from rbln_dra.errors import Issue


@pytest.mark.parametrize(
    ("offset", "source", "expected"),
    [
        (0, "abc", (1, 0)),
        (3, "abc", (1, 3)),
        (3, "ab\nc", (2, 0)),
        (2, "ab\nc", (1, 2)),
        (1, "é\n", (1, 1)),
        (9, "a\nb", (2, 7)),
        (-1, "abc", (1, -1)),
        (0, "", (1, -1)),
        (None, "abc", (-1, -1)),
    ],
)
def test_locations(offset: int | None, source: str, expected: tuple[int, int]) -> None:
    """Lines count from 1, columns from 0, in code points."""
    assert location(offset, source) == expected


@pytest.mark.parametrize(
    ("complaints", "source", "expected"),
    [
        pytest.param([], "a", "", id="none"),
        pytest.param([(1, "m")], "ab", "ERROR: <input>:1:2: m\n | ab\n | .^", id="one"),
        pytest.param([(2, "m")], "ab", "ERROR: <input>:1:3: m\n | ab\n | ..^", id="at the end"),
        pytest.param([(3, "m")], "a\nbc", "ERROR: <input>:2:2: m\n | bc\n | .^", id="second line"),
        pytest.param([(1, "m")], "\tb", "ERROR: <input>:1:2: m\n |  b\n | .^", id="tab"),
        pytest.param([(1, "m")], "éb", "ERROR: <input>:1:2: m\n | éb\n | ．^", id="wide before"),
        pytest.param([(1, "m")], "aé", "ERROR: <input>:1:2: m\n | aé\n | .＾", id="wide here"),
        pytest.param([(None, "m")], "a", "ERROR: <input>:-1:0: m", id="no place"),
        pytest.param([(-1, "m")], "a", "ERROR: <input>:1:0: m\n | a\n | ^", id="before the first"),
        pytest.param([(0, "m")], "", "ERROR: <input>:1:0: m", id="empty"),
        pytest.param([(0, "m")], "a" * 16_385, "ERROR: <input>:1:1: m", id="long line"),
        pytest.param([(0, "m")], "\ud800", "ERROR: <input>:1:1: m\n | \ufffd\n | ＾", id="surrogate"),
        pytest.param(
            [(3, "c"), (0, "a"), (0, "b"), (None, "d")],
            "a\nb",
            "ERROR: <input>:-1:0: d\nERROR: <input>:1:1: a\n | a\n | ^\nERROR: <input>:1:1: b\n | a\n | ^\nERROR: <input>:2:2: c\n | b\n | .^",
            id="sorted, and otherwise in order",
        ),
    ],
)
def test_listings(complaints: list[tuple[int | None, str]], source: str, expected: str) -> None:
    """The listing is cel-go's."""
    assert render(complaints, source) == expected


def test_more_than_a_hundred() -> None:
    """Only the first hundred are shown."""
    text = render([(0, str(number)) for number in range(103)], "a")
    assert text.count("ERROR") == 100
    assert text.endswith("\n3 more errors were truncated")


def test_issues() -> None:
    """Issues are values in the order of the listing, with columns from 1."""
    assert issues([(2, "b"), (0, "a"), (None, "c")], "a\nb") == (Issue(-1, 0, "c"), Issue(1, 1, "a"), Issue(2, 1, "b"))


@pytest.mark.parametrize(("text", "expected"), [("a", "a"), ("é😀", "é😀"), ("\ud83d\ude00", "\ufffd\ufffd")])
def test_readable(text: str, expected: str) -> None:
    """Half a surrogate pair is no character."""
    assert readable(text) == expected
