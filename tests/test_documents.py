"""
Room: JSON and YAML texts.

May touch: `documents`, temporary files.
"""

from __future__ import annotations

import builtins
import copy
import pickle
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rbln_dra import documents as module
from rbln_dra.documents import check_depth, decoded, documents, pairs, read_file
from rbln_dra.errors import DecodeError, DiscoveryError, MissingPackage


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        pytest.param('{"a": [1, 2.5, null, true, "é"]}', ({"a": [1, 2.5, None, True, "é"]},), id="JSON"),
        pytest.param("\n [1]\n", ([1],), id="a JSON list with space around"),
        pytest.param('{"a": 1}\n {"b": 2.50}{"a": 3, "a": 4}\n', ({"a": 1}, {"b": 2.5}, {"a": 4}), id="JSON values one after the other"),
        pytest.param('{"a": 1}\n---\n{"b": 2}\n', ({"a": 1}, {"b": 2}), id="JSON as documents of YAML"),
        pytest.param("{a: b}", ({"a": "b"},), id="flow style, which is YAML"),
        pytest.param("", (), id="nothing"),
        pytest.param("---\n---\na: 1\n", (None, {"a": 1}), id="an empty document"),
        pytest.param("a: 1\n---\nb: 2\n...\n", ({"a": 1}, {"b": 2}), id="two documents"),
        pytest.param("a: 0000:27:00.0\nb: 12:30:45\n", ({"a": "0000:27:00.0", "b": "12:30:45"},), id="no base 60"),
        pytest.param("a: 2026-01-31\nb: 2026-01-31T09:30:00Z\n", ({"a": "2026-01-31", "b": "2026-01-31T09:30:00Z"},), id="no dates"),
        pytest.param("[y, Yes, on, TRUE, n, No, off, False, oN]", ([True] * 4 + [False] * 4 + ["oN"],), id="truth"),
        pytest.param("[1, -1, +1, 0x1f, 0b11, 0o17, 017, 1_000, 0, -0x1f]", ([1, -1, 1, 31, 3, 15, 15, 1000, 0, -31],), id="integers"),
        pytest.param("[08, 1.5, .5, 5., 1e3, -.inf, .NaN, 1_0.5]", None, id="floats"),
        pytest.param("[~, null, Null, NULL]\n---\n-\n", ([None] * 4, [None]), id="null"),
        pytest.param("[0x_, 0b_, 1.2.3, 16Gi, -, 1e]", (["0x_", "0b_", "1.2.3", "16Gi", "-", "1e"],), id="texts that look like numbers"),
        pytest.param("{2: a, true: b, null: c, 1.5: d}", ({"2": "a", "true": "b", "null": "c", "1.5": "d"},), id="keys become texts"),
        pytest.param("a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}\n", ({"a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2}},), id="aliases and merges"),
        pytest.param("a: &x 1\nb: *x\n", ({"a": 1, "b": 1},), id="an alias of a scalar"),
        pytest.param("a: 1\na: 2\n", ({"a": 2},), id="the last of two keys"),
        pytest.param("a: !!int x\n", ({"a": "x"},), id="a tag that lies"),
    ],
)
def test_a_text_is_parsed(text: str, parsed: tuple[object, ...] | None) -> None:
    """JSON as JSON, and YAML as Kubernetes' tools read it."""
    if parsed is None:
        assert str(documents(text)) == "([8.0, 1.5, 0.5, 5.0, 1000.0, -inf, nan, '1_0.5'],)"
    else:
        assert documents(text) == parsed


def test_a_number_of_thousands_of_digits_is_a_text() -> None:
    """What Python refuses to make an integer of is no foreign exception."""
    assert documents(f"a: {'9' * 5000}\n") == ({"a": "9" * 5000},)
    with pytest.raises(DecodeError, match="expected JSON"):
        documents(f"[{'9' * 5000}]")


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 20))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param('{"a": 1,\n "b": ]}', "line 2, column 7: expected JSON, got '\"b\": ]}'; Expecting value", id="JSON, with its place"),
        pytest.param('{"a": 1}\n{"b": ]}', "line 2, column 1: expected JSON", id="a second JSON value that is none"),
        pytest.param('{"a": 1} ' + "[" * 200 + "]" * 200, "line 1, column 10: expected JSON", id="a second JSON value that is too deep"),
        pytest.param('{"a": ' + "x" * 70_000, "line 1, column 7: expected JSON", id="a long JSON text with a slip"),
        pytest.param("[NaN]", "expected JSON, got '[NaN]…'; NaN is no number there", id="NaN"),
        pytest.param('{"a": ' + "9" * 5000 + "}", "9999…'; Exceeds the limit (4300 digits)", id="a number of thousands of digits"),
        pytest.param("[" * 200 + "]" * 200, "expected at most 100 levels", id="200 brackets"),
        pytest.param("[" * 100_000, "expected at most 100 levels", id="100,000 brackets"),
        pytest.param("a:\n" + "".join(f"{' ' * i}- \n" for i in range(1, 200)), "nested deeper than 100", id="deep YAML"),
        pytest.param("a: [1\nb: 2", "line 2, column 2: expected YAML, got 'b: 2'", id="an open bracket, with its place"),
        pytest.param('a: "x\n', "expected YAML", id="an open quote, as in VEP 60"),
        pytest.param("a: b: c\n", "line 1, column 5: expected YAML, got 'a: b: c'; mapping values are not allowed in this context", id="two colons"),
        pytest.param("a: *x\n", "line 1, column 4: expected YAML, got 'a: *x'; found undefined alias", id="an alias of nothing"),
        pytest.param("\ta: 1\n", "line 1, column 1: expected YAML", id="a tab"),
        pytest.param("a: \x00\n", "character 4: expected YAML", id="a control character"),
        pytest.param("a: !!python/object:os.system x\n", "line 1, column 4: expected YAML", id="a Python object"),
        pytest.param("a: !!binary aGk=\n", "expected a value that JSON has, got b'hi'", id="binary"),
        pytest.param("a: !!timestamp 2026-99-99\n", "expected YAML", id="a date that is none"),
        pytest.param("a: !!timestamp xyz\n", "expected YAML, got 'a: !!timestamp xyz\\n…'; a value is not what its tag says", id="a word as date"),
        pytest.param("? [a, b]\n: c\n", "expected YAML", id="a list as key"),
        pytest.param("? !!timestamp 2026-01-01\n: c\n", "expected a text as key, got datetime.date(2026, 1, 1)", id="a date as key"),
        pytest.param("a: &x [*x]\n", "line 1, column 8: expected YAML, got 'a: &x [*x]'; an alias of what contains it", id="a list in itself"),
        pytest.param(BOMB, "unfolds into more than", id="a bomb"),
    ],
)
def test_a_bad_text_is_one_error_with_its_place(text: str, message: str) -> None:
    """Whatever the text is, the error is ours, has a place where there is one, and stays short."""
    with pytest.raises(DecodeError) as caught:
        documents(text)
    assert message in str(caught.value)
    assert str(caught.value).count("expected YAML") + str(caught.value).count("expected JSON") <= 1
    assert len(str(caught.value)) < 300


def test_what_aliases_unfold_into_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Aliases count as often as they stand."""
    monkeypatch.setattr(module, "MOST_VALUES", 8)
    assert documents("- &a [1, 2]\n- *a\n") == ([[1, 2], [1, 2]],)
    with pytest.raises(DecodeError, match="more than 8 values"):
        documents("- &a [1, 2]\n- [*a, *a]\n")


def test_what_contains_itself_is_refused() -> None:
    """An object that a caller built is held to the same depth."""
    inner: dict[str, Any] = {}
    inner["again"] = [inner, inner, (inner,)]
    with pytest.raises(DecodeError, match="at most 100 levels"):
        check_depth(inner)
    check_depth({"a": [1, {"b": ("c",)}]})
    check_depth(1)


def test_yaml_is_asked_for_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PyYAML, JSON is read, and YAML says what to install."""
    real = builtins.__import__

    def without(
        name: str, globals_: Mapping[str, object] | None = None, locals_: Mapping[str, object] | None = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        if name == "yaml":
            raise ImportError(name)
        return real(name, globals_, locals_, fromlist, level)

    monkeypatch.setattr(builtins, "__import__", without)
    assert documents("[1]") == ([1],)
    with pytest.raises(MissingPackage, match="pip install PyYAML"):
        documents("a: 1\n")


@pytest.mark.parametrize(
    "data",
    ["é: 1\n".encode(), b"\xef\xbb\xbf" + "é: 1\n".encode(), "é: 1\n".encode("utf-16")],
    ids=["UTF-8", "UTF-8 with a mark", "UTF-16, as PowerShell redirects"],
)
def test_a_file_is_read(tmp_path: Path, data: bytes) -> None:
    """A byte order mark says how a text is encoded, and is no part of it."""
    (tmp_path / "x").write_bytes(data)
    assert read_file(tmp_path / "x") == "é: 1\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        pytest.param("absent", "cannot be read: No such file or directory", id="absent"),
        pytest.param(".", "cannot be read: Is a directory", id="a folder"),
        pytest.param("a\0b", "cannot be read: embedded null byte", id="a null byte"),
        pytest.param("a" * 1_000_000, "is no path: 1000", id="a text in place of a path"),
        pytest.param("garbage", "byte 1: expected UTF-8, got b'\\xff\\xfe'", id="garbage"),
        pytest.param("long", "expected at most 10 bytes of text", id="too long"),
    ],
)
def test_a_file_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, reason: str) -> None:
    """A file that is no text is one error that names it."""
    monkeypatch.setattr(module, "LARGEST_TEXT", 10)
    (tmp_path / "garbage").write_bytes(b"a\xff\xfe")
    (tmp_path / "long").write_bytes(b"a" * 1000)
    with pytest.raises(DiscoveryError) as caught:
        read_file(f"{tmp_path}/{name}")
    assert reason in caught.value.reason


def test_bytes_are_decoded() -> None:
    """Bytes are a text as a file's are."""
    assert decoded(b"[1]") == "[1]"
    assert "yaml" in sys.modules


def test_a_number_remembers_its_text() -> None:
    """A quantity is read from the text of a JSON number, which a float has lost."""
    (numbers,) = documents("[1e3]")
    assert isinstance(numbers, list)
    number: object = numbers[0]
    assert (number, module.Written("1e3").text) == (1000.0, "1e3")
    assert isinstance(number, module.Written)


def test_nodes_know_where_they_stand() -> None:
    """JSON may be indented with tabs, which YAML may not."""
    (node,) = module.nodes('{\n\t"a": 1}')
    key, _ = node.value[0]
    assert (key.value, key.start_mark.line, key.start_mark.column) == ("a", 1, 1)


def test_repeated_keys_of_json_are_kept() -> None:
    """An object that repeats a key has all its pairs, also when it is copied; of YAML, which tools turn into JSON, the last counts."""
    (made,) = documents('{"a": {"b": 1, "b": 2}, "c": 3}')
    assert type(made) is dict
    inner = made["a"]
    assert (inner, list(pairs(inner)), list(pairs({"c": 3}))) == ({"b": 2}, [("b", 1), ("b", 2)], [("c", 3)])
    assert list(pairs(copy.deepcopy(inner))) == list(pairs(pickle.loads(pickle.dumps(inner)))) == [("b", 1), ("b", 2)]
    assert documents("a: {b: 1, b: 2}") == ({"a": {"b": 2}},)
    assert type(documents("a: {b: 1, b: 2}")[0]["a"]) is dict  # type: ignore[index]


def test_repeated_keys_count_for_the_depth() -> None:
    """What another value of the same key hides is bounded too."""
    with pytest.raises(DecodeError, match="at most 100 levels"):
        documents(f'{{"a": {"[" * 101}{"]" * 101}, "a": 1}}')
