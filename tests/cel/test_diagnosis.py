"""What is wrong with a text that is no expression: the recorded words of cel-go, all of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rbln_dra.cel.diagnosis import complaints
from rbln_dra.cel.macros import MACROS
from rbln_dra.cel.syntax import parse
from rbln_dra.errors import CompileError

VECTORS = Path(__file__).parents[1] / "vectors" / "syntax.jsonl.gz"


def recorded() -> Iterator[tuple[str, bool, str | None]]:
    """Read the recorded texts: the text, whether backticks are allowed, and what is wrong with it."""
    with gzip.open(VECTORS, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            for backticks, minor in ((False, "1.36"), (True, "1.37")):
                yield row["expr"], backticks, row["error"] if "error" in row else row[minor]


def said(text: str, *, backticks: bool) -> str | None:
    """Give what we say of a text."""
    try:
        parse(text, backticks=backticks, macros=MACROS)
    except CompileError as error:
        return error.message
    return None


def test_recorded_texts() -> None:
    """All recorded texts get exactly the recorded words."""
    different = [
        (text[:200], backticks, ours, theirs) for text, backticks, theirs in recorded() if (ours := said(text, backticks=backticks)) != theirs
    ]
    assert different == []


def test_the_parsers_agree() -> None:
    """A text without complaints is exactly one that the fast parser takes."""
    for text, backticks, theirs in recorded():
        assert bool(complaints(text, backticks=backticks, macros=MACROS)) == (theirs is not None), text[:200]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a b", [(2, "Syntax error: extraneous input 'b' expecting <EOF>")], id="unwanted"),
        pytest.param("(1", [(2, "Syntax error: missing ')' at '<EOF>'")], id="missing"),
        pytest.param("{a}", [(2, "Syntax error: mismatched input '}' expecting ':'")], id="mismatched"),
        pytest.param("a.", [(2, "Syntax error: no viable alternative at input '.'")], id="no way"),
        pytest.param("a . true", [(4, "Syntax error: no viable alternative at input '. true'")], id="blanks are kept"),
        pytest.param("a.true", [(2, "Syntax error: mismatched input 'true' expecting IDENTIFIER")], id="older wording"),
        pytest.param("'a", [(0, "Syntax error: token recognition error at: ''a'")], id="token"),
        pytest.param("for", [(0, "reserved identifier: for")], id="reserved"),
        pytest.param("for(1)", [(0, "reserved identifier: for")], id="reserved call"),
        pytest.param("'\\ud800'", [(0, "invalid unicode code point")], id="half a character"),
        pytest.param("b'\\u0041'", [(0, "unable to unescape string")], id="character in bytes"),
        pytest.param("has(a)", [(4, "invalid argument to has() macro")], id="macro"),
        pytest.param("a.`b`", [(2, "unsupported syntax: '`'")], id="backticks"),
        pytest.param("T{`b`: 1}", [(2, "unsupported syntax: '`'")], id="backticks in a message"),
        pytest.param("T{b: 1}", [], id="nothing"),
        pytest.param("x" * 100_001, [(None, "expression code point size exceeds limit: size: 100001, limit 100000")], id="too long"),
        pytest.param("(" * 250, [(None, "expression recursion limit exceeded: 250")], id="rules too deep"),
        pytest.param("a" + ".a" * 251, [(None, "max recursion depth exceeded")], id="tree too deep"),
    ],
)
def test_complaints(text: str, expected: list[tuple[int | None, str]]) -> None:
    """Each kind of complaint has its place and its words."""
    found = complaints(text, backticks=False, macros=MACROS)
    assert list(found)[: len(expected) or None] == expected


@pytest.mark.parametrize(
    ("text", "count", "last"),
    [
        pytest.param("@ " * 101, 101, "Syntax error: More than 100 syntax errors", id="reports"),
        pytest.param("a " * 300, 2, "error recovery token lookahead limit exceeded: 256", id="skipped tokens"),
        pytest.param("[1 " * 40, 31, "Syntax error: error recovery attempt limit exceeded: 30", id="recoveries"),
    ],
)
def test_limits(text: str, count: int, last: str) -> None:
    """Too much of anything ends the complaints."""
    found = complaints(text, backticks=False, macros=MACROS)
    assert found[-1][1] == last
    assert len(found) <= count
