"""The table of what an expression may name, per minor, gates and environment."""

from __future__ import annotations

import pickle

import pytest

from rbln_dra.cel.environment import Environment, available, joined
from rbln_dra.cel.library.rows import Estimate, Function, Operand, Overload, Since, Value
from rbln_dra.cel.ranges import Range
from rbln_dra.cel.types import ANY, DYN, STRING, list_of, map_of
from rbln_dra.errors import InvalidValue, UnknownKubernetes
from rbln_dra.kubernetes import Kubernetes

LISTS = {"DRAListTypeAttributes": True}
SHARED = {"DRAConsumableCapacity": True}


@pytest.mark.parametrize(
    ("function", "minor", "gates", "new", "stored"),
    [
        ("sort", "1.34", {}, False, True),
        ("sort", "1.35", {}, True, True),
        ("includes", "1.35", {}, False, False),
        ("includes", "1.36", {}, False, True),
        ("includes", "1.36", LISTS, True, True),
        ("includes", "1.37", {}, False, True),
        ("includes", "1.37", LISTS, True, True),
        ("semver", "1.34", {}, True, True),
        ("quantity", "1.34", {}, True, True),
        ("nosuch", "1.37", {}, False, False),
    ],
)
def test_functions_exist_since_their_minor(function: str, minor: str, gates: dict[str, bool], new: bool, stored: bool) -> None:
    """New expressions may use what the minor before has, stored ones everything."""
    release = Kubernetes(minor, gates=gates)
    assert (function in Environment(release, "new").functions) is new
    assert (function in Environment(release, "stored").functions) is stored


@pytest.mark.parametrize(
    ("minor", "gates", "expressions", "type_"),
    [
        ("1.34", {}, "stored", ANY),
        ("1.35", {}, "new", ANY),
        ("1.36", {}, "stored", ANY),
        ("1.36", LISTS, "stored", DYN),
        ("1.36", LISTS, "new", DYN),
        ("1.37", {}, "stored", DYN),
        ("1.37", {}, "new", ANY),
        ("1.37", LISTS, "new", DYN),
    ],
)
def test_attributes_are_dynamic_where_they_may_be_lists(minor: str, gates: dict[str, bool], expressions: str, type_: object) -> None:
    """1.36 asks the gate; 1.37 asks it for new expressions only."""
    environment = Environment(Kubernetes(minor, gates=gates), expressions)
    assert environment.attribute_type == type_
    attributes = environment.device.fields["attributes"]
    assert attributes.type == map_of(STRING, map_of(STRING, environment.attribute_type))


@pytest.mark.parametrize(
    ("minor", "gates", "expressions", "exists"),
    [
        ("1.34", {}, "stored", True),
        ("1.34", {}, "new", False),
        ("1.34", SHARED, "new", True),
        ("1.36", {}, "new", True),
        ("1.36", {"DRAConsumableCapacity": False}, "new", False),
    ],
)
def test_the_field_for_shared_devices_follows_its_gate_in_new_expressions(minor: str, gates: dict[str, bool], expressions: str, exists: bool) -> None:
    """Stored expressions have it always."""
    environment = Environment(Kubernetes(minor, gates=gates), expressions)
    assert ("allowMultipleAllocations" in environment.device.fields) is exists


def test_flags_say_what_differs_between_minors() -> None:
    """Everything that a minor does otherwise has a word."""
    before, between, after = Environment("1.35"), Environment(Kubernetes("1.36", gates=LISTS)), Environment("1.37")
    assert (before.backticks, after.backticks) == (False, True)
    assert (before.local_names_first, after.local_names_first) == (False, True)
    assert (before.result_by_value, after.result_by_value) == (False, True)
    assert [environment.list_attributes for environment in (before, Environment("1.36"), between, after)] == [False, False, True, True]


def test_macros_follow_their_library() -> None:
    """`sortBy` comes with the list library; a one-variable `existsOne` is nowhere."""
    key = ("sortBy", 2, True)
    assert key not in Environment("1.34", "new").macros
    assert key in Environment("1.34", "stored").macros
    assert ("existsOne", 2, True) not in Environment("1.37").macros
    assert ("has", 1, False) in Environment("1.37").macros


def test_names_of_types_differ_between_minors() -> None:
    """Up to 1.36 whatever has a name may stand before braces."""
    before, after = Environment("1.36"), Environment("1.37")
    assert "device" in before.structs
    assert "device" not in after.structs
    assert after.structs["list"].parameters == (list_of(DYN),)
    assert str(before.identifiers["optional_type"]) == "type(optional_type)"
    assert str(after.identifiers["optional_type"]) == "type(optional_type(dyn))"
    assert before.enums == {"google.protobuf.NullValue.NULL_VALUE": 0}
    assert "duration" in before.identifiers
    assert "duration" not in before.type_values
    assert before.fields["google.protobuf.Timestamp"] == before.fields["google.protobuf.Duration"]


def test_functions_of_several_libraries_have_all_overloads() -> None:
    """`indexOf` of texts and of lists is one function; each overload knows its row."""
    environment = Environment("1.35")
    ids = [overload.id for overload in environment.functions["indexOf"].overloads]
    assert {"string_index_of_string", "list_a_index_of_int"} <= set(ids)
    assert environment.overloads["list_a_index_of_int"][0].name == "indexOf"
    assert {signature.id for signature in environment.signatures["indexOf", True]} == set(ids)
    assert environment.signatures["indexOf", False] == ()


def test_environments_are_values() -> None:
    """Equal ones are equal, hash alike, pickle, and share their tables."""
    one, other = Environment("1.36", expressions="new"), Environment(Kubernetes("1.36"), "new")
    assert one == other
    assert hash(one) == hash(other)
    assert one.key == other.key
    assert one != Environment("1.36")
    assert pickle.loads(pickle.dumps(one)) == one
    assert repr(one).startswith("Environment(release=")
    assert one.functions is other.functions


def test_other_environments_are_refused() -> None:
    """There are two environments, and four minors."""
    with pytest.raises(InvalidValue):
        Environment("1.35", expressions="old")
    with pytest.raises(UnknownKubernetes):
        Environment("1.2")


def test_a_row_may_end() -> None:
    """`until` is the last minor, in both environments."""
    since = Since(until="1.35")
    assert available(since, Kubernetes("1.35"), "stored")
    assert not available(since, Kubernetes("1.36"), "stored")
    assert not available(Since(new=None, stored=None), Kubernetes("1.36"), "new")


def test_what_rows_say_of_all_their_overloads_is_kept_when_they_are_joined() -> None:
    """An overload is asked after its function, or before it where it overrides."""

    def silent(_: Operand | None, __: tuple[Operand, ...]) -> Estimate | None:
        return None

    def five(_: Operand | None, __: tuple[Operand, ...]) -> Estimate:
        return Estimate(Range(5, 5))

    def six(_: tuple[Value, ...], __: Value) -> int:
        return 6

    def nothing(_: tuple[Value, ...], __: Value) -> int | None:
        return None

    one = Function("f", (Overload("a", (STRING,), STRING, estimate=five, cost=six),), estimate=silent, cost=nothing, summary="One.")
    other = Function(
        "f", (Overload("b", (STRING,), STRING, estimate=silent, overrides=True), Overload("c", (), STRING)), estimate=five, summary="Two."
    )
    assert joined([one]) is one
    both = joined([one, other])
    assert both.summary == "One.; Two."
    first, second, third = both.overloads
    for overload in (first, second, third):
        assert overload.estimate is not None
        assert overload.estimate(None, ()) == Estimate(Range(5, 5))
    assert first.cost is not None
    assert first.cost((), "") == 6
    assert third.cost is None


def test_further_names() -> None:
    """Variables and functions beyond Kubernetes' hide what had their names, in an environment of its own."""
    plain = Environment("1.37")
    size = Function("size", (Overload("mine", (DYN,), STRING),))
    further = plain.with_names(variables={"a.b": STRING, "device": DYN}, functions=[size])
    assert (further.identifiers["a.b"], further.identifiers["device"]) == (STRING, DYN)
    assert further.namespaces == plain.namespaces | {"a"}
    assert further.functions["size"] is size
    assert [signature.id for signature in further.signatures["size", False]] == ["mine"]
    assert further.signatures["size", True] == ()
    assert "mine" in further.overloads
    assert "size_string" not in further.overloads
    assert (further.release, further.expressions, further.macros) == (plain.release, plain.expressions, plain.macros)
    assert "a.b" not in plain.identifiers


def test_further_names_make_another_environment() -> None:
    """It is equal to itself only, and is not pickled, since functions are not."""
    plain = Environment()
    further = plain.with_names(variables={})
    assert further not in (plain, plain.with_names(variables={}))
    assert further.key != plain.key
    with pytest.raises(TypeError, match="an environment with further names cannot be pickled"):
        pickle.dumps(further)
