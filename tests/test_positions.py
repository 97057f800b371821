"""
Room: places in texts.

May touch: `positions`.
"""

from __future__ import annotations

import pytest

from rbln_dra.errors import DecodeError
from rbln_dra.positions import Positions, placed, repeated

TEXT = """\
a:
  b: [1, {c: 2}]
  "d/e.f": 3
---

---
- &x {y: 1}
- *x
- <<: *x
  <<: *x
  z: 1
"""


@pytest.mark.parametrize(
    ("document", "path", "place"),
    [
        (0, "", (1, 1)),
        (0, "a", (1, 1)),
        (0, "a.b", (2, 3)),
        (0, "a.b[0]", (2, 7)),
        (0, "a.b[1].c", (2, 11)),
        (0, "a[d/e.f]", (3, 3)),
        (0, "a.b[1].nothing[2].there", (2, 10)),
        (0, "x", (1, 1)),
        (0, "a.b[0].c", (2, 7)),
        (1, "a", (6, 1)),
        (2, "[1].y", (7, 7)),
        (2, "[2].z", (11, 3)),
    ],
)
def test_a_path_leads_to_a_place(document: int, path: str, place: tuple[int, int]) -> None:
    """A field is where its key stands, an item where it begins; what is not there, where its way ends."""
    assert Positions.of(TEXT).find(document, path) == place


def test_keys_that_stand_twice_are_found() -> None:
    """In every document and at every depth, once for what aliases repeat; merges may stand twice."""
    text = "a: &x\n  b: 1\n  b: 2\nc: *x\na: 3\n---\n- {d: {}, e: 1, d: [{f: 1, f: 2}]}\n"
    found = [(error.path, error.line, error.column) for _, error in Positions.of(text).repeated()]
    assert [number for number, _ in Positions.of(text).repeated()] == [0, 0, 1, 1]
    assert found == [("a", 5, 1), ("a.b", 3, 3), ("[0].d", 7, 17), ("[0].d[0].f", 7, 28)]
    assert list(Positions.of(TEXT).repeated()) == []


def test_an_error_keeps_to_its_path_where_the_text_is_no_yaml() -> None:
    """JSON may have halves of characters, which YAML has not."""
    error = DecodeError("a", 1, "a string")
    assert placed([(0, error)], '{"a": "\\ud800"}') == [error]
    (found,) = placed([(0, error)], '{"b": 2, "a": 1}')
    assert (found.line, found.column) == (1, 10)


def test_errors_come_in_the_order_of_the_text() -> None:
    """Each of several in one, of every document; a place that is known stays."""
    several = DecodeError.together([DecodeError("b", 1, "a string"), DecodeError("a", 1, "a string")])
    known = DecodeError("", 1, "a string", line=3, column=9)
    found = placed([(1, DecodeError("c", 1, "a string")), (0, several), (0, known)], "a: 1\nb: 1\nx: x\n---\nc: 1\n")
    assert [(each.path, each.line, each.column) for each in found] == [("a", 1, 1), ("b", 2, 1), ("", 3, 9), ("c", 5, 1)]


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        pytest.param('[{"a": 1}, {"a": 2}]', [], id="JSON"),
        pytest.param('[{"a": 1, "a": 2}]', ["[0].a"], id="JSON with a key twice"),
        pytest.param('[{"a": 1, "a": "\\ud800"}]', [], id="JSON that is no YAML"),
        pytest.param("{a: 1, a: 2}", ["a"], id="YAML that looks like JSON"),
        pytest.param("a: 1\na: 2\n", ["a"], id="YAML"),
        pytest.param("[" * 10_000, [], id="neither"),
    ],
)
def test_texts_are_searched_for_keys_that_stand_twice(text: str, paths: list[str]) -> None:
    """JSON by JSON's own parser, and only where it finds some by YAML's."""
    assert [error.path for _, error in repeated(text)] == paths
