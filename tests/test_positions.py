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
    found = [(error.path, error.line, error.column) for error in Positions.of(text).repeated()]
    assert found == [("a", 5, 1), ("a.b", 3, 3), ("[0].d", 7, 17), ("[0].d[0].f", 7, 28)]
    assert list(Positions.of(TEXT).repeated()) == []


def test_an_error_keeps_to_its_path_where_the_text_is_no_yaml() -> None:
    """JSON may have halves of characters, which YAML has not."""
    error = DecodeError("a", 1, "a string")
    assert placed(error, '{"a": "\\ud800"}', 0) == error
    assert (placed(error, '{"b": 2, "a": 1}', 0).line, placed(error, '{"b": 2, "a": 1}', 0).column) == (1, 10)


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
    assert [error.path for error in repeated(text)] == paths
