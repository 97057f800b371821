"""Type checking: what is refused, where, and in which words; what names and calls are resolved to."""

from __future__ import annotations

import pytest

from rbln_dra.cel import syntax
from rbln_dra.cel.ast import Call, Comprehension, Ident, ListExpr, Literal, Node, StructExpr
from rbln_dra.cel.checker import Checked, Reference, check
from rbln_dra.cel.environment import Environment
from rbln_dra.errors import CompileError

#: Expression → (column, text) of each complaint of the checker up to 1.36, as kube-scheduler 1.35 gives them.
REFUSED = [
    ("nosuch", [(1, "undeclared reference to 'nosuch' (in container '')")]),
    ("device.nosuch", [(7, "undefined field 'nosuch'")]),
    ("nosuch(1)", [(7, "undeclared reference to 'nosuch' (in container '')")]),
    ('"a".nosuch()', [(11, "undeclared reference to 'nosuch' (in container '')")]),
    ("1 + 1u", [(3, "found no matching overload for '_+_' applied to '(int, uint)'")]),
    ('1 == "a"', [(3, "found no matching overload for '_==_' applied to '(int, string)'")]),
    ("!1", [(1, "found no matching overload for '!_' applied to '(int)'")]),
    ("size(1)", [(5, "found no matching overload for 'size' applied to '(int)'")]),
    ('"a".size', [(4, "type 'string' does not support field selection")]),
    ('"a"["b"]', [(4, "found no matching overload for '_[_]' applied to '(string, string)'")]),
    ("a.b.c", [(1, "undeclared reference to 'a' (in container '')")]),
    (".nosuch", [(2, "undeclared reference to '.nosuch' (in container '')")]),
    ('quantity("1").foo', [(14, "unexpected failed resolution of 'kubernetes.Quantity'")]),
    ('ip("::1").foo', [(10, "type 'net.IP' does not support field selection")]),
    ("type(1).x == 1", [(8, "type 'type(int)' does not support field selection")]),
    ('1 && "a"', [(1, "expected type 'bool' but found 'int'"), (6, "expected type 'bool' but found 'string'")]),
    ('true || 1 || "b"', [(9, "expected type 'bool' but found 'int'"), (14, "expected type 'bool' but found 'string'")]),
    ("1 ? true : false", [(3, "found no matching overload for '_?_:_' applied to '(int, bool, bool)'")]),
    ('true ? 1 : "a"', [(6, "found no matching overload for '_?_:_' applied to '(bool, int, string)'")]),
    ('[1, "a"] == []', [(5, "expected type 'int' but found 'string'")]),
    ('{"a": 1, "b": "c"} == {}', [(15, "expected type 'int' but found 'string'")]),
    ('{"a": 1, 2: 3} == {}', [(10, "expected type 'string' but found 'int'")]),
    ('[1, ?optional.of("a")] == []', [(17, "expected type 'int' but found 'string'")]),
    ("[?1] == []", [(3, "expected type 'optional_type(int)' but found 'int'")]),
    ('{?"a": 1} == {}', [(8, "expected type 'optional_type(int)' but found 'int'")]),
    ('[1, 2u, "a"] == [1]', [(5, "expected type 'int' but found 'uint'")]),
    (
        "1.map(x, x) == 1",
        [
            (1, "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"),
            (13, "found no matching overload for '_==_' applied to '(list(!error!), int)'"),
        ],
    ),
    (
        'device.attributes["d"].s.exists(x, x == 1)',
        [(23, "expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)")],
    ),
    ("[1].all(x, x)", [(12, "expected type 'bool' but found 'int'")]),
    ("[1].exists(x, x + 1)", [(17, "expected type 'bool' but found 'int'")]),
    ("[1].map(x, y) == []", [(12, "undeclared reference to 'y' (in container '')")]),
    ('[1].map(x, x + "a") == [1]', [(14, "found no matching overload for '_+_' applied to '(int, string)'")]),
    ('[1].all(i, v, i == "a")', [(17, "found no matching overload for '_==_' applied to '(int, string)'")]),
    ('duration("x") == duration("1s")', [(10, "invalid duration argument")]),
    ('timestamp("x") == timestamp(0)', [(11, "invalid timestamp argument")]),
    ('"a".matches("(")', [(13, "invalid matches argument")]),
    ('matches("(", "a")', [(9, "invalid matches argument")]),
    ("timestamp(99999999999999) == timestamp(0)", [(11, "invalid timestamp argument")]),
    ('duration(null) == duration("1s")', [(10, "invalid duration argument")]),
    ('"%d".format(["a"]) == ""', [(14, "error during formatting: decimal clause can only be used on integers, was given string")]),
    ('"%s".format([]) == ""', [(12, "index 0 out of range")]),
    ('"%s".format([1, 2]) == ""', [(12, "too many arguments supplied to string.format (expected 1, got 2)")]),
    (
        '"%x %s".format([[1], {1: device}]) == ""',
        [(17, "error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given list")],
    ),
    (
        '"%s".format([{"a": [quantity("1")]}]) == ""',
        [
            (
                29,
                "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given kubernetes.Quantity",
            )
        ],
    ),
    ('google.protobuf.Int64Value{value: "a"} == 1', [(33, "expected type of field 'value' is 'int' but provided type is 'string'")]),
    ("google.protobuf.Int64Value{nosuch: 1} == 1", [(34, "undefined field 'nosuch'")]),
    ("google.protobuf.Int64Value{?value: 1} == 1", [(36, "expected type 'optional_type(int)' but found 'int'")]),
    ("nosuch{a: 1} == 1", [(7, "undeclared reference to 'nosuch' (in container '')")]),
    ("device{a: 1} == 1", [(7, "'kubernetes.DRADevice' is not a type"), (9, "unexpected failed resolution of 'device'")]),
    ("int{a: 1} == 1", [(4, "'int' is not a message type"), (6, "undefined field 'a'")]),
    ("map{a: 1} == {}", [(4, "'map' is not a message type")]),
    ("list{a: 1} == []", [(5, "'list' is not a message type"), (7, "undefined field 'a'")]),
    ("type{a: 1} == 1", [(5, "'type' is not a message type"), (7, "unexpected failed resolution of 'type'")]),
    ("google.protobuf.NullValue.NULL_VALUE{} == 1", [(37, "'int' is not a type")]),
    ("google.protobuf.NullValue", [(1, "undeclared reference to 'google' (in container '')")]),
    ("google.protobuf.Struct{fields: 1} == {}", [(30, "expected type of field 'fields' is 'map(string, dyn)' but provided type is 'int'")]),
    ("google.protobuf.Empty{a: 1} == null", [(24, "undefined field 'a'")]),
    ("net.IP{a: 1} == null", [(7, "'net.IP' is not a message type"), (9, "unexpected failed resolution of 'net.IP'")]),
    ("list + 1", [(6, "found no matching overload for '_+_' applied to '(type(list(dyn)), int)'")]),
    ("google.protobuf.Duration + 1", [(26, "found no matching overload for '_+_' applied to '(type(duration), int)'")]),
    ("optional_type + 1", [(15, "found no matching overload for '_+_' applied to '(type(optional_type), int)'")]),
    ("kubernetes.DRADevice.attributes + 1", [(33, "found no matching overload for '_+_' applied to '(type(map(string, map(string, any))), int)'")]),
    ("device.attributes.map(k, k + 1) == []", [(28, "found no matching overload for '_+_' applied to '(string, int)'")]),
    ("{}.?a == 1", [(7, "found no matching overload for '_==_' applied to '(optional_type(dyn), int)'")]),
    (
        '"a".?b == 1',
        [(4, "type 'string' does not support field selection"), (8, "found no matching overload for '_==_' applied to '(optional_type(dyn), int)'")],
    ),
    ("[[], 1] == []", [(6, "expected type 'list(dyn)' but found 'int'")]),
    ('optional.of(1) == optional.of("a")', [(16, "found no matching overload for '_==_' applied to '(optional_type(int), optional_type(string))'")]),
    ('sets.contains([1], ["a"])', [(14, "found no matching overload for 'sets.contains' applied to '(list(int), list(string))'")]),
    ('cel.bind(x, 1, x + "a") == 1', [(18, "found no matching overload for '_+_' applied to '(int, string)'")]),
    ("[1].sortBy(x, [x]) == [1]", [(11, "found no matching overload for '@sortByAssociatedKeys' applied to 'list(int).(list(list(int)))'")]),
    ('{"a": 1}.transformMap(k, v, k + v) == {}', [(31, "found no matching overload for '_+_' applied to '(string, int)'")]),
]
#: The same, of types that error texts show with their parameters, in 1.36 and in 1.37.
TYPES_AS_VALUES = [
    ("true || list", "type(list(A))", "type(list(dyn))"),
    ("true || map", "type(map(A, B))", "type(map(dyn, dyn))"),
    ("true || optional_type", "type(optional_type)", "type(optional_type(dyn))"),
    ("true || (true ? map : map)", "type(map(A, B))", "type(map(dyn, dyn))"),
]
#: The same for 1.37, where names are looked up differently.
REFUSED_LATER = [
    ("[1].exists(device, .device == 1)", [(28, "found no matching overload for '_==_' applied to '(kubernetes.DRADevice, int)'")]),
    ("list{a: 1} == []", [(7, "undefined field 'a'")]),
    ("device{a: 1} == 1", [(7, "undeclared reference to 'device' (in container '')")]),
    ("list + 1", [(6, "found no matching overload for '_+_' applied to '(type(list(dyn)), int)'")]),
    ("optional_type + 1", [(15, "found no matching overload for '_+_' applied to '(type(optional_type(dyn)), int)'")]),
    ("[1].exists(google, google.protobuf.Duration == type(google))", [(26, "type 'int' does not support field selection")]),
    ("google.protobuf.NullValue.NULL_VALUE{} == 1", [(37, "undeclared reference to 'google.protobuf.NullValue.NULL_VALUE' (in container '')")]),
    ("list{} + 1", [(8, "found no matching overload for '_+_' applied to '(list(dyn), int)'")]),
]


def checked(text: str, environment: Environment | None = None) -> Checked:
    """Parse and check."""
    environment = environment or Environment("1.35")
    return check(syntax.parse(text, backticks=environment.backticks, macros=environment.macros), text, environment)


def complaints(text: str, environment: Environment) -> list[tuple[int, str]]:
    """Give column and text of what is wrong with an expression."""
    with pytest.raises(CompileError) as caught:
        checked(text, environment)
    assert caught.value.expression == text
    assert all(issue.line == 1 for issue in caught.value.issues)
    return [(issue.column, issue.message) for issue in caught.value.issues]


@pytest.mark.parametrize(("text", "expected"), REFUSED, ids=[text for text, _ in REFUSED])
def test_an_ill_typed_expression_is_refused_in_the_words_of_kubernetes(text: str, expected: list[tuple[int, str]]) -> None:
    """Every complaint has Kubernetes' place and text."""
    assert complaints(text, Environment("1.35")) == expected


@pytest.mark.parametrize(("text", "before", "after"), TYPES_AS_VALUES)
def test_types_as_values_are_shown_with_what_their_minor_declares(text: str, before: str, after: str) -> None:
    """Up to 1.36 the parameters of `list` and `map` are type parameters."""
    for minor, type_ in (("1.36", before), ("1.37", after)):
        assert [message for _, message in complaints(text, Environment(minor))] == [f"expected type 'bool' but found '{type_}'"]


@pytest.mark.parametrize(("text", "expected"), REFUSED_LATER, ids=[text for text, _ in REFUSED_LATER])
def test_1_37_looks_names_up_by_scope(text: str, expected: list[tuple[int, str]]) -> None:
    """From 1.37 a local variable hides what is named after it, and `name{…}` means a type only."""
    assert complaints(text, Environment("1.37")) == expected


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("1 < 1.5", "bool"),
        ("dyn(1)", "dyn"),
        ("[]", "list(dyn)"),
        ("{}", "map(dyn, dyn)"),
        ("[[], [1]]", "list(list(int))"),
        ("[dyn(1)]", "list(dyn)"),
        ("[null, device]", None),
        ("type(1)", "type(int)"),
        ("type", "type(type)"),
        ("google.protobuf.NullValue.NULL_VALUE", "int"),
        ("google.protobuf.FloatValue{value: 1.0}", "wrapper(double)"),
        ("google.protobuf.Int64Value{?value: optional.of(1)} == 1", "bool"),
        ("google.protobuf.Int32Value{} == null", "bool"),
        ("google.protobuf.Any{type_url: 'a'}", "google.protobuf.Any"),
        ("google.protobuf.Value{number_value: 1.0}", "dyn"),
        ("google.protobuf.ListValue{values: [1]}", "list(dyn)"),
        ("google.protobuf.Empty{}", "google.protobuf.Empty"),
        ("kubernetes.DRADevice{}", "kubernetes.DRADevice"),
        ("device.attributes", "map(string, map(string, google.protobuf.Any))"),
        ("device.attributes[?'d'].?x", "optional_type(google.protobuf.Any)"),
        ("optional.none()", "optional_type(dyn)"),
        ("optional.of(1).or(optional.none())", "optional_type(int)"),
        ("optional.of({'a': 1}).?a", "optional_type(int)"),
        ("optional.of({'a': 1}).a", "optional_type(int)"),
        ("[?optional.of(1), 2]", "list(int)"),
        ("{?'a': optional.of(1)}", "map(string, int)"),
        ("[?optional.none()]", "list(dyn)"),
        ("device.attributes.map(k, k)", "list(string)"),
        ("device.capacity['d'].transformList(k, q, q)", "list(kubernetes.Quantity)"),
        ("[1].transformMap(i, v, string(v))", "map(int, string)"),
        ("dyn([1]).map(x, x)", "list(dyn)"),
        ("[].map(x, x.y)", "list(dyn)"),
        ("[].map(x, x.map(y, y))", "list(list(dyn))"),
        ("cel.bind(x, [1], x[0])", "int"),
        ("has(device.driver)", "bool"),
        ("dyn(1) + dyn('a')", "dyn"),
        ("dyn(1) < 2", "bool"),
        ("true ? null : google.protobuf.Int64Value{}", "null_type"),
        ("true ? google.protobuf.Int64Value{} : 1", "wrapper(int)"),
        ("true ? 1 : google.protobuf.Int64Value{}", "int"),
        ("{'a': [1]}.a[0]", "int"),
        ("'%s'.format([1, 'a'].map(x, x))", "string"),
        ("'%s %d'.format([{'a': 'b'}, 1])", "string"),
        ("sets.contains([1], [2])", "bool"),
        ("[1, 2].sortBy(x, -x)", "list(int)"),
        ("duration(dyn('x'))", "google.protobuf.Duration"),
    ],
)
def test_every_expression_has_a_type(text: str, type_: str | None) -> None:
    """The type is the one that cel-go gives; `None` stands for a refusal."""
    if type_ is None:
        assert complaints(text, Environment("1.35"))
    else:
        assert str(checked(text).output_type) == type_


def inner(text: str, environment: Environment | None = None) -> tuple[Node, Reference]:
    """Give the checked root of an expression and what it refers to."""
    found = checked(text, environment)
    return found.expression, found.references[found.expression.id]


def test_qualified_names_of_types_become_one_name() -> None:
    """A chain of selections that names a type is replaced by an identifier."""
    assert inner("google.protobuf.Duration") == (Ident("google.protobuf.Duration"), Reference("google.protobuf.Duration"))
    assert inner("google.protobuf.NullValue.NULL_VALUE")[1] == Reference("google.protobuf.NullValue.NULL_VALUE", constant=0)


def test_a_leading_dot_is_dropped_where_it_says_nothing() -> None:
    """`.device` is `device`; the dot stays only where a local variable of that name is passed over."""
    assert inner(".device.driver == ''")[0] == inner("device.driver == ''")[0]
    assert checked(".size('a')").expression == Call("size", (Literal("a"),))
    text = "[1].map(device, .device)"
    assert str(checked(text).output_type) == "list(int)"
    later = checked(text, Environment("1.37"))
    assert str(later.output_type) == "list(kubernetes.DRADevice)"
    assert ".device" in {reference.name for reference in later.references.values()}


def test_calls_of_qualified_functions_lose_their_receiver() -> None:
    """The parser takes `sets` for a receiver; the checker finds the function."""
    expression, reference = inner("sets.contains([1], [2])")
    assert isinstance(expression, Call)
    assert (expression.function, expression.target, reference) == ("sets.contains", None, Reference("sets.contains", ("list_sets_contains_list",)))


def test_overloads_of_dynamic_arguments_are_all_kept() -> None:
    """Which one is called is decided at run time."""
    assert inner("dyn(1).size()")[1].overloads == ("bytes_size", "list_size", "map_size", "string_size")
    assert inner("'a'.size()")[1] == Reference(None, ("string_size",))


def test_names_below_other_nodes_are_resolved_in_place() -> None:
    """Lists, maps, messages, selections, calls and loops are made anew around a resolved name, and only then."""
    name = "google.protobuf.Duration"
    for text in (
        f"[{name}]",
        f"{{1: {name}}}",
        f"{{{name}: 1}}.size()",
        f"google.protobuf.Value{{list_value: [{name}]}}",
        f"[{name}].map(x, x)",
        f"dyn({name}).x",
        f"dyn({name}).?x",
        f"nosuch({name})",
    ):
        if text.startswith("nosuch"):
            assert len(complaints(text, Environment("1.35"))) == 1
        else:
            assert Ident(name) in list(walk(checked(text).expression))
    plain = syntax.parse("[1].map(x, {x: [x]})", backticks=False, macros=Environment("1.35").macros)
    assert check(plain, "[1].map(x, {x: [x]})", Environment("1.35")).expression is plain


def walk(node: Node) -> list[Node]:
    """Give a node and everything below it."""
    from rbln_dra.cel.nesting import children

    return [node, *(below for child in children(node) for below in walk(child))]


def test_message_names_lose_a_leading_dot() -> None:
    """`.google.protobuf.Empty{}` names the same message."""
    expression = checked(".google.protobuf.Empty{}").expression
    assert expression == StructExpr("google.protobuf.Empty", ())


def test_where_the_checker_of_kubernetes_panics_is_an_error() -> None:
    """An optional element of dynamic type makes the real checker index an empty list."""
    for text in ("[?dyn(optional.of(1))]", "{?'a': dyn(optional.of(1))}"):
        with pytest.raises(CompileError, match="index out of range"):
            checked(text)


def test_a_fault_of_a_nested_element_of_a_format_list_is_placed_at_that_element() -> None:
    """The place is that of the element, in lists and maps at any depth, or of the call."""
    assert complaints('"%s".format([[{"a": device}]])', Environment("1.35"))[0][0] == 21
    assert complaints('"%q".format([1])', Environment("1.35"))[0][0] == 12


def test_the_memory_of_resolutions_is_bounded() -> None:
    """A call on types that were seen is answered from memory, which is emptied when it is full."""
    environment = Environment("1.35")
    text = "1 + 2 == 3"
    first = checked(text)
    memory = environment.resolutions
    assert ("_+_", False, tuple(first.types[id_] for id_ in (1, 3))) in memory
    for number in range(5000):
        memory["nosuch", False, ()] = ((), None, number)
        memory[f"nosuch{number}", False, ()] = ((), None, 0)
    checked("b'a' + b'b' == b''" if ("_+_", False, (first.types[1],) * 2) in memory else text)
    checked("[[[[2.5]]]] == [[[[3.5]]]]")
    assert len(memory) < 5000


def test_an_unchecked_selection_with_a_computed_field_is_refused() -> None:
    """No text parses to it; a tree made by hand may have it."""
    tree = Call("_?._", (Ident("device", id=1), Literal(1, id=2)), id=3)
    with pytest.raises(CompileError, match="unsupported optional field selection"):
        check(tree, "", Environment("1.35"))


def test_the_variables_of_one_loop_may_have_one_name() -> None:
    """The macros refuse it; in a tree made by hand the first one counts, as in cel-go."""
    tree = Comprehension(
        Call("dyn", (Literal(1, id=2),), id=3),
        "x",
        "@result",
        Literal(True, id=4),
        Literal(True, id=5),
        Ident("@result", id=6),
        Ident("@result", id=7),
        "x",
        id=8,
    )
    assert str(check(tree, "", Environment("1.35")).output_type) == "bool"


def test_a_loop_has_to_go_on_by_a_bool() -> None:
    """The macros see to it; a tree made by hand may go on by something else."""
    tree = Comprehension(ListExpr((), id=1), "x", "@result", Literal(1, id=2), Literal(1, id=3), Literal("a", id=4), Literal(True, id=5), id=6)
    with pytest.raises(CompileError) as caught:
        check(tree, "", Environment("1.35"))
    assert [issue.message for issue in caught.value.issues] == ["expected type 'bool' but found 'int'", "expected type 'int' but found 'string'"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "1.map(x, x{a: 1}) == 1",
            [
                (1, "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"),
                (13, "unexpected failed resolution of 'x'"),
                (19, "found no matching overload for '_==_' applied to '(list(!error!), int)'"),
            ],
        ),
        (
            "[1].map(x, x{a: 1}) == 1",
            [
                (13, "'int' is not a type"),
                (15, "unexpected failed resolution of 'x'"),
                (21, "found no matching overload for '_==_' applied to '(list(!error!), int)'"),
            ],
        ),
        ("optional_type{a: 1} == null", [(14, "'optional_type' is not a message type"), (16, "unexpected failed resolution of 'optional_type'")]),
    ],
)
def test_variables_are_no_messages(text: str, expected: list[tuple[int, str]]) -> None:
    """Up to 1.36 a variable is found where the name of a message stands."""
    assert complaints(text, Environment("1.35")) == expected
