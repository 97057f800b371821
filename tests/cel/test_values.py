"""Values: which are equal, how they are ordered, what maps and lists hold."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel import types, values
from rbln_dra.cel.ast import Uint
from rbln_dra.cel.library.ip import parse_ip
from rbln_dra.cel.values import CELError, Concatenation, Duration, ListBuilder, Map, MapBuilder, NativeMap, Optional, Timestamp, equality
from rbln_dra.quantity import Quantity
from rbln_dra.semver import Semver

NO_OVERLOAD = "no such overload"
VERSION, AMOUNT = Semver.parse("1.2.3"), Quantity.parse("1Ki")


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (None, None, True),
        (None, 0, False),
        (0, None, False),
        (True, True, True),
        (True, 1, False),
        (1, True, False),
        (1, Uint(1), True),
        (Uint(1), 1, True),
        (-1, Uint(2**64 - 1), False),
        (1, 1.0, True),
        (1.0, Uint(1), True),
        (2**53 + 1, float(2**53), True),
        (2**63 - 1, 2.0**63, True),
        (math.nan, math.nan, False),
        (1, math.nan, False),
        (0.0, -0.0, True),
        (1.0, "1", False),
        ("a", "a", True),
        ("a", b"a", False),
        (b"a", b"a", True),
        ((1, 2), (1.0, Uint(2)), True),
        ((1,), (1, 2), False),
        ((1,), (2,), False),
        ((1,), "a", False),
        ((VERSION,), ("1.2.3",), True),
        (Map([("a", 1)]), Map([("a", 1.0)]), True),
        (Map([("a", 1)]), Map([("b", 1)]), False),
        (Map([("a", 1)]), Map([("a", 2)]), False),
        (Map([("a", 1)]), Map(), False),
        (Map(), (), False),
        (Map([("x", Map())]), NativeMap({"d": 1}, default=NativeMap({})), True),
        (Optional(1), Optional(1.0), True),
        (Optional(1), values.NONE, False),
        (values.NONE, values.NONE, True),
        (Optional(1), 1, False),
        (Optional(None), Optional(None), True),
        (Optional(1), Optional(CELError("x")), False),
        (Timestamp(5, 3600), Timestamp(5), True),
        (Timestamp(5), Duration(5), False),
        (Duration(5), Duration(5), True),
        (types.INT, types.INT, True),
        (types.list_of(types.INT), types.list_of(types.DYN), True),
        (types.INT, 1, False),
        (AMOUNT, Quantity.parse("1024"), True),
        (VERSION, Semver.parse("1.2.3+build"), True),
        ("1.2.3", VERSION, False),
        (parse_ip("::1"), parse_ip("0::1"), True),
    ],
)
def test_equality(left: Any, right: Any, same: bool) -> None:
    """Numbers are equal across types, and some library values do not ask about types at all."""
    assert values.equal(left, right) is same


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (VERSION, "1.2.3"),
        (AMOUNT, 1024),
        (parse_ip("::1"), "::1"),
        (Optional(CELError(NO_OVERLOAD)), Optional(1)),
        (Concatenation((VERSION,), (1,)), ("1.2.3", 1)),
    ],
)
def test_equality_that_fails(left: Any, right: Any) -> None:
    """A version or a quantity on the left is an error beside anything else; a concatenation tells, a plain list does not."""
    with pytest.raises(CELError, match=NO_OVERLOAD):
        values.equal(left, right)
    assert values.equality(right, left) is not True


def test_a_map_that_is_made() -> None:
    """An entry can be taken out again, and a key can be asked for with its type."""
    made = Map([("a", 1), (1, 2)])
    made.remove("a")
    made.remove("b")
    assert (made.contains_exactly("a"), made.contains_exactly(1), made.contains_exactly(1.0)) == (False, True, False)


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        (1, 2, -1),
        (Uint(2), 1, 1),
        (-1, Uint(0), -1),
        (1, 1.5, -1),
        (1.5, 1, 1),
        (1.5, Uint(1), 1),
        (-0.5, Uint(0), -1),
        (1e30, 1, 1),
        (-1e30, 1, -1),
        (1e30, Uint(1), 1),
        (2**63 - 1, 9.3e18, -1),
        (1.0, 1.0, 0),
        ("a", "b", -1),
        ("😀", "\uffff", 1),
        (b"a", b"a", 0),
        (False, True, -1),
        (Timestamp(1), Timestamp(2), -1),
        (Duration(2), Duration(1), 1),
    ],
)
def test_order(left: Any, right: Any, order: int) -> None:
    """Numbers compare by value, texts by code point."""
    assert values.compare(left, right) == order


@pytest.mark.parametrize(
    ("left", "right", "text"),
    [
        (1, "a", NO_OVERLOAD),
        ("a", 1, NO_OVERLOAD),
        ((1,), (1,), NO_OVERLOAD),
        (None, None, NO_OVERLOAD),
        (True, 1, NO_OVERLOAD),
        (1, math.nan, "NaN values cannot be ordered"),
        (math.nan, 1, "NaN values cannot be ordered"),
        (math.nan, "a", "NaN values cannot be ordered"),
    ],
)
def test_no_order(left: Any, right: Any, text: str) -> None:
    """What has no order says so; a NaN in its own words."""
    with pytest.raises(CELError, match=text):
        values.compare(left, right)


def test_keys_keep_their_type() -> None:
    """The keys 1, 1u, 1.0 and true are four, as are null and the names of types."""
    keys = (1, Uint(1), 1.0, True, "1", None, types.INT, Duration(1), Timestamp(1))
    held = Map([(key, index) for index, key in enumerate(keys)])
    assert [held.find(key) for key in keys] == list(range(len(keys)))
    assert list(held) == list(keys)


@pytest.mark.parametrize(
    ("key", "found"),
    [
        (Uint(7), "int"),
        (7.0, "int"),
        (8, "uint"),
        (8.0, "uint"),
        (7.5, None),
        (-1, None),
        (Uint(2**64 - 1), None),
        (math.inf, None),
        (1e300, None),
        (math.nan, None),
    ],
)
def test_a_whole_number_finds_a_key_of_another_type(key: Any, found: str | None) -> None:
    """A key is looked up as the other integer types, too, as far as it fits."""
    held = Map([(7, "int"), (Uint(8), "uint")])
    assert held.find(key) == (Optional.ABSENT if found is None else found)


@pytest.mark.parametrize(("key", "name"), [(b"a", "types.Bytes"), (VERSION, "cel.Semver")])
def test_keys_that_go_cannot_hash(key: Any, name: str) -> None:
    """Go panics when it hashes bytes or a version; looking them up in an empty map does not hash."""
    assert Map().find(key) is Optional.ABSENT
    with pytest.raises(values.Panic, match=f"internal error: runtime error: hash of unhashable type {name}"):
        Map([("a", 1)]).find(key)


def test_keys_by_identity() -> None:
    """Lists and timestamps in zones of no whole hours are found by identity, as Go compares pointers; a NaN never is."""
    one, zoned = (1,), Timestamp(1, 5400)
    held = Map([(one, 1), (zoned, 2), (math.nan, 3), (math.nan, 4), (parse_ip("::1"), 5)])
    assert held.cel_size == 5
    assert held.find(one) == 1
    assert held.find((1, *())) == (1 if (1, *()) is one else Optional.ABSENT)
    assert held.find(zoned) == 2
    assert held.find(Timestamp(1, 5400)) is Optional.ABSENT
    assert held.find(math.nan) is Optional.ABSENT


def test_timestamps_in_zones_of_whole_hours() -> None:
    """Go has one value for each zone of whole hours: a timestamp in it is found by what it says, in its own zone only."""
    held = Map([(Timestamp(1, 9 * 3600), 1), (Timestamp(1), 2), (Timestamp(1, 15 * 3600), 3)])
    assert held.cel_size == 3
    assert held.find(Timestamp(1, 9 * 3600)) == 1
    assert held.find(Timestamp(1)) == 2
    assert held.find(Timestamp(1, 3600)) is Optional.ABSENT
    assert held.find(Timestamp(1, 15 * 3600)) is Optional.ABSENT


def test_empty_lists_are_many() -> None:
    """Two empty lists are two keys, though Python has one empty tuple."""
    held = Map([((), 1), ((), 2)])
    assert held.cel_size == 2
    assert held.find(()) is Optional.ABSENT


def test_a_map_with_a_default() -> None:
    """Looking up finds the default, membership does not; its keys are texts."""
    default = NativeMap({})
    held = NativeMap({"a": 1}, default=default)
    assert held.find("a") == 1
    assert held.find("b") is default
    assert held.held("b") is Optional.ABSENT
    assert held.find(1) is default
    assert held.plain.find("b") is Optional.ABSENT
    assert held.plain.plain is not held
    assert (list(held), list(held.items())) == (["a"], [("a", 1)])


def test_insertion() -> None:
    """An insertion makes a larger map; into the map of a macro it changes that; a key that is there is refused."""
    plain, builder = Map([("a", 1)]), MapBuilder()
    assert plain.inserted("b", 2).cel_size == 2
    assert plain.cel_size == 1
    assert builder.inserted("b", 2) is builder
    assert type(builder.built()) is Map
    for held in (plain.inserted("b", 2), builder):
        with pytest.raises(CELError, match="insert failed: key b already exists"):
            held.inserted("b", 3)


def test_a_list_that_is_not_written_out() -> None:
    """A concatenation of any length is made at once; only writing it out is bounded."""
    long = Concatenation((1, 2), (3,))
    assert (long.elements(), long.elements() is long.elements(), long.element(2)) == ((1, 2, 3), True, 3)
    nested = Concatenation(long, ListBuilder().extend((4, 5)))
    assert [nested.element(index) for index in range(5)] == [1, 2, 3, 4, 5]
    for _ in range(60):
        long = Concatenation(long, long)
    assert values.size_of(long) == 3 * 2**60
    assert long.element(3 * 2**60 - 1) == 3
    with pytest.raises(values.CostLimitExceeded):
        long.elements()
    with pytest.raises(values.CostLimitExceeded):
        ListBuilder().extend(long)
    with pytest.raises(values.Panic, match="interface conversion"):
        Concatenation(Concatenation(long, long), Concatenation(long, long))


def test_a_list_that_is_being_built() -> None:
    """A builder grows in place, by itself too."""
    built = ListBuilder().extend((1,))
    assert built.extend(built) is built
    assert (built.elements(), built.cel_size, built.element(1)) == ((1, 1), 2, 1)


def test_an_abstract_list() -> None:
    """A view has to say what its elements are."""
    view = values.ListView()
    for call in (lambda: view.cel_size, lambda: view.element(0), view.elements):
        with pytest.raises(NotImplementedError):
            call()


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("😀", 1),
        (b"abc", 3),
        ((1, 2), 2),
        (Map([("a", 1)]), 1),
        (5, 1),
        (None, 1),
        (values.NONE, 1),
        (Optional(Optional("abc")), 3),
        (parse_ip("::1"), 16),
    ],
)
def test_size(value: Any, size: int) -> None:
    """The size that costs go by: of what an optional holds, and 1 of what has none."""
    assert values.size_of(value) == size


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null_type"),
        (True, "bool"),
        (1, "int"),
        (Uint(1), "uint"),
        ((), "list"),
        (Map(), "map"),
        (NativeMap({}), "map"),
        (values.NONE, "optional_type"),
        (types.INT, "type"),
        (AMOUNT, "kubernetes.Quantity"),
        (ListBuilder(), "list"),
    ],
)
def test_type(value: Any, name: str) -> None:
    """Every value has a type at run time."""
    assert values.type_of(value).name == name


def test_lists() -> None:
    """A list is a tuple or a view."""
    assert [values.is_list(value) for value in ((), ListBuilder(), "a", Map())] == [True, True, False, False]
    assert values.NONE.get().message == "optional.none() dereference"
    assert Optional(1).get() == 1


@pytest.mark.parametrize(
    ("hold", "leaf", "other", "same"),
    [
        pytest.param(lambda held: (held, held), 1, 1.0, True, id="lists"),
        pytest.param(lambda held: (held, held), 1, 2, False, id="lists-that-differ"),
        pytest.param(lambda held: Map([("a", held), ("b", held)]), "x", "x", True, id="maps"),
        pytest.param(lambda held: Map([("a", held), ("b", held)]), "x", "y", False, id="maps-that-differ"),
        pytest.param(lambda held: Optional((Optional(held), held)), True, True, True, id="optionals"),
        pytest.param(lambda held: (held, Map([(1, held)])), None, None, True, id="both"),
        pytest.param(lambda held: Concatenation((held,), (held,)), 1, 1, True, id="concatenations"),
    ],
)
def test_what_stands_at_very_many_places(hold: Callable[[Any], Any], leaf: Any, other: Any, same: bool) -> None:
    """Two values that hold another at 2**60 places are compared at once."""
    left, right = (leaf,), (other,)
    for _ in range(60):
        left, right = hold(left), hold(right)
    assert equality(left, right) is same


def test_a_failure_that_stands_at_very_many_places() -> None:
    """What cannot be compared is reported from within, once or a second time."""
    left, right = Concatenation((Semver.parse("1.2.3"),), ()), ("1.2.3",)
    assert isinstance(equality(Concatenation((left,), (left,)), (right, right)), CELError)
    assert equality(((left, left),), ((right, right),)) is True
