"""The JSON form of Kubernetes objects: what the API server's decoder takes, and how a refusal reads."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import attrs
import pytest

from rbln_dra import wire
from rbln_dra.documents import Repeating
from rbln_dra.errors import DecodeError, InvalidValue


@attrs.frozen
class Point:
    """An object for the tests."""

    x: int
    label: str = ""
    tags: tuple[str, ...] = ()


POINT = wire.struct(
    Point,
    wire.Field("x", "x", wire.INTEGER, always=True),
    wire.Field("label", "label", wire.STRING),
    wire.Field("tagNames", "tags", wire.list_of(wire.STRING)),
    expected="a point",
    near={"name": "label"},
)


@pytest.mark.parametrize(
    ("codec", "value", "read"),
    [
        (wire.STRING, "vfio", "vfio"),
        (wire.STRING, "ü😀", "ü😀"),
        (wire.STRING, "\ud800", "\ufffd"),
        (wire.STRING, "\ud83d\ude00", "😀"),
        (wire.STRING, None, ""),
        (wire.INTEGER, 2**63 - 1, 2**63 - 1),
        (wire.INTEGER, -(2**63), -(2**63)),
        (wire.INTEGER, None, 0),
        (wire.BOOLEAN, True, True),
        (wire.BOOLEAN, None, False),
        (wire.optional(wire.INTEGER), None, None),
        (wire.optional(wire.INTEGER), 0, 0),
        (wire.list_of(wire.INTEGER), [1, None, 3], (1, 0, 3)),
        (wire.list_of(wire.INTEGER), (1,), (1,)),
        (wire.list_of(wire.INTEGER), None, ()),
        (wire.map_of(wire.INTEGER), {"a": 1, "b": None}, {"a": 1, "b": 0}),
        (wire.map_of(wire.INTEGER), None, {}),
        (POINT, {"x": 1}, Point(1)),
        (POINT, {"X": 1, "unknown": []}, Point(0)),
        (POINT, {"x": None, "label": None}, Point(0)),
        (POINT, None, Point(0)),
        (wire.member("value", wire.INTEGER, expected="a counter"), {"value": 4}, 4),
        (wire.member("value", wire.INTEGER, expected="a counter"), {}, 0),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_read(codec: wire.Codec[Any], value: object, read: object) -> None:
    """What the API server reads is read, with its zero values."""
    assert codec.from_json(value) == read


@pytest.mark.parametrize(
    ("codec", "value", "message"),
    [
        (wire.STRING, 5, 'p: expected a string, got 5; did you mean "5"?'),
        (wire.STRING, True, 'p: expected a string, got True; did you mean "true"?'),
        (wire.STRING, {}, "p: expected a string, got {}"),
        (wire.INTEGER, True, "p: expected an integer, got True"),
        (wire.INTEGER, 1.0, "p: expected an integer, got 1.0; did you mean 1?"),
        (wire.INTEGER, 1.5, "p: expected an integer, got 1.5"),
        (wire.INTEGER, float("inf"), "p: expected an integer, got inf"),
        (wire.INTEGER, "42", "p: expected an integer, got '42'; did you mean 42?"),
        (wire.INTEGER, "x", "p: expected an integer, got 'x'"),
        (wire.INTEGER, 2**63, "p: expected an integer of 64 bits, got 9223372036854775808"),
        (wire.BOOLEAN, 1, "p: expected true or false, got 1"),
        (wire.BOOLEAN, "False", "p: expected true or false, got 'False'; did you mean false?"),
        (wire.BOOLEAN, "yes", "p: expected true or false, got 'yes'"),
        (wire.list_of(wire.INTEGER), 1, "p: expected a list, got 1; did you mean [1]?"),
        (wire.list_of(wire.STRING), "a", "p: expected a list, got 'a'; did you mean [\"a\"]?"),
        (wire.list_of(wire.STRING), "a" * 81, f"p: expected a list, got {'a' * 81!r}"),
        (wire.list_of(wire.INTEGER), {}, "p: expected a list, got {}"),
        (wire.list_of(wire.list_of(wire.INTEGER)), [[1], [1, "x"]], "p[1][1]: expected an integer, got 'x'"),
        (wire.map_of(wire.INTEGER), [], "p: expected an object, got []"),
        (wire.map_of(wire.INTEGER), {"a": "x"}, "p[a]: expected an integer, got 'x'"),
        (wire.map_of(wire.INTEGER), {1: 1}, "p: expected a string as key, got 1"),
        (wire.map_of(POINT), {"a": {"tagNames": ["b", 2.5]}}, 'p[a].tagNames[1]: expected a string, got 2.5; did you mean "2.5"?'),
        (POINT, "x", "p: expected a point, got 'x'"),
        (wire.TIME, 5, "p: expected a time such as 2026-01-31T09:30:00Z, got 5"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_refuse(codec: wire.Codec[Any], value: object, message: str) -> None:
    """What the API server refuses is refused, with the place, what was expected and what came."""
    with pytest.raises(DecodeError) as caught:
        codec.from_json(value, path="p")
    assert str(caught.value) == message


def test_refuse_an_integer_that_python_does_not_write() -> None:
    """An integer of thousands of digits is shown by its size."""
    with pytest.raises(DecodeError) as caught:
        wire.STRING.from_json(10**5000, path="p")
    assert str(caught.value) == "p: expected a string, got an integer of 16610 bits"


def test_path_of_the_whole() -> None:
    """Without a path the whole object is meant."""
    with pytest.raises(DecodeError, match=r"^object: expected a point"):
        POINT.from_json(1)


@pytest.mark.parametrize(
    ("key", "hint"),
    [("name", "did you mean label?"), ("Label", "did you mean label?"), ("tagName", "did you mean tagNames?"), ("color", None)],
    ids=str,
)
def test_strict(key: str, hint: str | None) -> None:
    """Strictly read, an unknown key is an error that names what was probably meant."""
    with pytest.raises(DecodeError) as caught:
        POINT.from_json({key: "v"}, strict=True)
    assert caught.value == DecodeError(key, key, "one of label, tagNames, x", hint)


def test_strict_tells_all_with_what_cannot_be_read() -> None:
    """Unknown keys at every depth come in one error, and what cannot be read after them."""
    deep = wire.map_of(wire.list_of(POINT))
    with pytest.raises(DecodeError) as caught:
        deep.from_json({"a": [{"u": 1}, {"x": 1, "v": 1}], "b": [{}, {"w": 1, "x": "1"}], "c": [{"never": "read"}]}, path="p", strict=True)
    assert [each.path for each in caught.value.every] == ["p[a][0].u", "p[a][1].v", "p[b][1].w", "p[b][1].x"]


def test_strict_accepts_what_it_knows() -> None:
    """Strictly read, known keys are read as ever."""
    assert POINT.from_json({"x": 1, "tagNames": []}, strict=True) == Point(1)


def test_write() -> None:
    """Zero values are left out unless the field is always written."""
    assert POINT.write(Point(0)) == {"x": 0}
    assert POINT.write(Point(1, "l", ("a",))) == {"x": 1, "label": "l", "tagNames": ["a"]}
    assert wire.member("value", wire.INTEGER, expected="a counter").write(3) == {"value": 3}


KST = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-01-31T09:30:00Z", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
        ("2026-01-31T9:30:00Z", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
        ("2026-01-31T09:30:00.999999999+09:00", datetime(2026, 1, 31, 0, 30, tzinfo=UTC)),
        ("2026-01-31T09:30:00,5-01:30", datetime(2026, 1, 31, 11, 0, tzinfo=UTC)),
        ("2026-01-31T09:30:00+24:60", datetime(2026, 1, 30, 8, 30, tzinfo=UTC)),
        (datetime(2026, 1, 31, 9, 30, tzinfo=KST), datetime(2026, 1, 31, 0, 30, tzinfo=UTC)),
        (datetime(2026, 1, 31, 9, 30), datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),
    ],
    ids=str,
)
def test_time(value: object, moment: datetime) -> None:
    """Times are read as RFC 3339, or as YAML reads them, and kept in UTC to the second."""
    read = wire.TIME.from_json(value)
    assert read == moment
    assert wire.TIME.from_json(wire.TIME.write(read)) == moment


@pytest.mark.parametrize(
    "value",
    [
        "2026-02-30T00:00:00Z",
        "2026-01-31t09:30:00z",
        "2026-01-31T24:00:00Z",
        "2026-01-31T09:30:60Z",
        "2026-01-31",
        "",
        "9999-12-31T23:59:59-05:00",
        "2026-01-31T09:30:00+25:00",
        "2026-01-31T09:30:00+01:61",
    ],
    ids=str,
)
def test_no_time(value: str) -> None:
    """What is no time is refused."""
    with pytest.raises(DecodeError):
        wire.TIME.from_json(value)


def test_write_time() -> None:
    """Times are written with four digits of year; no time is null."""
    assert wire.TIME.write(datetime(33, 4, 3, 15, 0, tzinfo=UTC)) == "0033-04-03T15:00:00Z"
    assert wire.TIME.write(None) is None
    assert wire.TIME.from_json("0001-01-01T01:00:00+01:00") is None


def test_frozen_map() -> None:
    """A frozen mapping equals any mapping, hashes whatever the order, keeps the order, and pickles."""
    one = wire.FrozenMap({"a": 1, "b": 2})
    other = wire.FrozenMap({"b": 2, "a": 1})
    assert one == other == {"a": 1, "b": 2}
    assert one != {"a": 1}
    assert hash(one) == hash(other)
    assert list(other) == ["b", "a"]
    assert "a" in one
    assert len(one) == 2
    assert wire.frozen_map(one) is one
    assert repr(other) == "FrozenMap({'b': 2, 'a': 1})"
    assert pickle.loads(pickle.dumps(other)) == one


def test_frozen_map_is_a_copy() -> None:
    """Changing the source afterwards changes nothing."""
    source = {"a": 1}
    copy: wire.FrozenMap[int] = wire.frozen_map(source)
    source["a"] = 2
    assert copy["a"] == 1


def _refusing(value: object) -> Callable[[], None]:
    """Make what refuses a value."""
    return lambda: wire.refuse(value, "something else", "try again")


def test_refuse_helper() -> None:
    """A refusal has no path until a container gives it one."""
    with pytest.raises(DecodeError) as caught:
        _refusing(1)()
    assert caught.value == DecodeError("", 1, "something else", "try again")


@attrs.frozen
class Holder:
    """Something of every kind."""

    text: str
    truth: bool | None
    point: Point
    other: Point | None
    points: tuple[Point, ...]
    names: Any
    lasting: str | None
    moment: datetime | None
    when: datetime | None
    box: str


HOLDER = wire.struct(
    Holder,
    wire.Field("text", "text", wire.STRING),
    wire.Field("truth", "truth", wire.optional(wire.BOOLEAN)),
    wire.Field("point", "point", wire.converted(POINT, read=lambda point: point, write=lambda point: point)),
    wire.Field("other", "other", wire.optional(POINT)),
    wire.Field("points", "points", wire.list_of(POINT)),
    wire.Field("names", "names", wire.map_of(wire.list_of(wire.STRING))),
    wire.Field("lasting", "lasting", wire.lasting(wire.optional(wire.STRING))),
    wire.Field("moment", "moment", wire.TIME),
    wire.Field("when", "when", wire.OPTIONAL_TIME),
    wire.Field("box", "box", wire.member("in", wire.STRING, expected="a box")),
    expected="a holder",
)
NEW_YEAR = '"2026-01-01T00:00:00Z"'

REPEATED: list[tuple[str, str, object]] = [
    ("text", '"a", "b"', "b"),
    ("text", '"a", null', "a"),
    ("truth", "true, null", None),
    ("truth", "null, true", True),
    ("point", '{"x": 1}, null, {"label": "l"}', Point(1, "l")),
    ("point", '{"x": 1, "x": 2}, {"x": null}', Point(2)),
    ("other", '{"x": 1}, {"label": "l"}', Point(1, "l")),
    ("other", '{"x": 1}, null, {"label": "l"}', Point(0, "l")),
    ("other", '{"x": 1}, null', None),
    ("points", '[{"x": 1}, {"x": 2}], [{"label": "l"}], [null, {"label": "m"}]', (Point(1, "l"), Point(2, "m"))),
    ("points", '[{"x": 1}], [], [{"label": "l"}]', (Point(0, "l"),)),
    ("points", '[{"x": 1}], null, [{"label": "l"}]', (Point(0, "l"),)),
    ("points", '[{"x": 1}], null', ()),
    ("points", '[{"x": 1}], []', ()),
    ("names", '{"a": ["x"], "b": []}, {"a": [null]}', {"a": ("",), "b": ()}),
    ("names", '{"a": ["x"], "a": null}', {"a": ()}),
    ("names", '{"a": []}, null, {"b": []}', {"b": ()}),
    ("names", '{"a": []}, null', {}),
    ("lasting", '"a", null', "a"),
    ("moment", f"{NEW_YEAR}, null", None),
    ("when", f"{NEW_YEAR}, null", None),
    ("box", '{"in": "a"}, {}', "a"),
]


@pytest.mark.parametrize(("name", "values", "expected"), REPEATED, ids=[f"{name} {values}"[:60] for name, values, _ in REPEATED])
def test_repeated_keys(name: str, values: str, expected: object) -> None:
    """What comes later goes into what is there, as Go decodes; `null` resets pointers, lists, maps and times."""
    found = json.loads(f"[{values}]", object_pairs_hook=Repeating)
    assert getattr(HOLDER.from_json(Repeating([(name, value) for value in found])), name) == expected


def test_repeated_keys_are_all_read() -> None:
    """One that cannot be read is an error though another comes later; unknown ones are one slip each."""
    with pytest.raises(DecodeError) as caught:
        HOLDER.from_json(Repeating([("points", [{"x": "1"}]), ("points", [])]), path="p")
    assert caught.value.path == "p.points[0].x"
    with pytest.raises(DecodeError) as caught:
        HOLDER.from_json(Repeating([("point", {"y": 1}), ("z", 1), ("point", {"x": 1}), ("z", 2)]), strict=True)
    assert [each.path for each in caught.value.every] == ["point.y", "z"]


@pytest.mark.parametrize("entries", [3, None, "text", [1], [[]]], ids=["number", "none", "text", "list", "lists"])
def test_what_is_no_mapping(entries: Any) -> None:
    """A frozen mapping is made of a mapping."""
    with pytest.raises(InvalidValue, match="expected a mapping") as caught:
        wire.FrozenMap(entries)
    assert caught.value.value is entries
