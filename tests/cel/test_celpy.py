"""This engine as a runner of cel-python, and cel-python as a witness."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import celpy
import lark
import pytest
from celpy import celtypes
from celpy.adapter import json_to_cel
from celpy.celparser import CELParseError, CELParser
from celpy.evaluation import CELEvalError
from hypothesis import given, strategies as st

from rbln_dra import Device, cel
from rbln_dra.cel.ast import Uint
from rbln_dra.cel.celpy import runner_class
from rbln_dra.cel.values import Duration, Optional, Timestamp
from rbln_dra.errors import CompileError, EvaluationError
from rbln_dra.quantity import Quantity

RUNNER = runner_class(cel.Environment("1.36"))
DEVICE = Device.from_dict(
    {"name": "one", "attributes": {"type": {"string": "vfio"}, "i": {"int": 42}}, "capacity": {"memory": {"value": "32Gi"}}}, driver="d.example"
)


def environment_of(runner: Any = RUNNER, **more: Any) -> Any:
    """Give an environment of cel-python's that makes runners of a class; it takes plain Python values, too, which its types do not say."""
    return celpy.Environment(runner_class=runner, **more)


def run(text: str, context: Any = None, *, functions: Any = None, runner: Any = RUNNER, direct: bool = False, **environment: Any) -> Any:
    """Compile, make a program and evaluate it, all by cel-python's own interface."""
    made = environment_of(runner, **environment)
    return made.program(text if direct else made.compile(text), functions=functions).evaluate(context)


class TestValues:
    """What goes in and what comes out."""

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            pytest.param("null", None, id="null"),
            pytest.param("true", celtypes.BoolType(source=True), id="bool"),
            pytest.param("1", celtypes.IntType(1), id="int"),
            pytest.param("1u", celtypes.UintType(1), id="uint"),
            pytest.param("1.5", celtypes.DoubleType(1.5), id="double"),
            pytest.param("'é'", celtypes.StringType("é"), id="string"),
            pytest.param("b'a'", celtypes.BytesType(b"a"), id="bytes"),
            pytest.param("[1, 2] + [3]", celtypes.ListType([celtypes.IntType(1), celtypes.IntType(2), celtypes.IntType(3)]), id="list"),
            pytest.param("{'a': [1u]}", celtypes.MapType({celtypes.StringType("a"): celtypes.ListType([celtypes.UintType(1)])}), id="map"),
            pytest.param("duration('1.5s')", celtypes.DurationType("1.5s"), id="duration"),
            pytest.param("timestamp('2024-02-29T12:00:00.25+09:00')", celtypes.TimestampType("2024-02-29T12:00:00.25+09:00"), id="timestamp"),
            pytest.param(
                "timestamp('0001-01-01T00:00:00+09:00'.replace('+09:00', 'Z'))", celtypes.TimestampType("0001-01-01T00:00:00Z"), id="first-year"
            ),
            pytest.param("optional.of(1)", celtypes.IntType(1), id="optional"),
            pytest.param("optional.of(optional.of(1))", celtypes.IntType(1), id="optional-of-optional"),
            pytest.param("optional.none()", None, id="none"),
            pytest.param("quantity('1Gi')", Quantity.parse("1Gi"), id="quantity"),
        ],
    )
    def test_results(self, text: str, value: Any) -> None:
        """A value comes back in cel-python's class, or in ours where it has none."""
        result = run(text)
        assert type(result) is type(value)
        assert result == value

    @pytest.mark.parametrize(
        ("text", "class_"),
        [
            ("bool", celtypes.BoolType),
            ("bytes", celtypes.BytesType),
            ("double", celtypes.DoubleType),
            ("int", celtypes.IntType),
            ("list", celtypes.ListType),
            ("map", celtypes.MapType),
            ("null_type", type(None)),
            ("string", celtypes.StringType),
            ("type", celtypes.TypeType),
            ("uint", celtypes.UintType),
            ("type(timestamp(0))", celtypes.TimestampType),
            ("type(duration('1s'))", celtypes.DurationType),
        ],
    )
    def test_types(self, text: str, class_: type) -> None:
        """A type comes back as cel-python's class, and a class goes in as the type."""
        assert run(text) is class_
        assert run(f"x == {text}", {"x": class_})

    def test_other_types(self) -> None:
        """A type that cel-python has no class for stays ours."""
        assert str(run("type(quantity('1'))")) == "kubernetes.Quantity"

    @pytest.mark.parametrize(
        ("value", "text"),
        [
            pytest.param(None, "null", id="none"),
            pytest.param(celtypes.NullType(), "null", id="null"),
            pytest.param(True, "true", id="bool"),
            pytest.param(celtypes.BoolType(source=False), "false", id="BoolType"),
            pytest.param(-1, "-1", id="int"),
            pytest.param(celtypes.IntType(7), "7", id="IntType"),
            pytest.param(celpy.Int32Value(7), "7", id="Int32Value"),
            pytest.param(celtypes.UintType(7), "7u", id="UintType"),
            pytest.param(Uint(7), "7u", id="Uint"),
            pytest.param(1.5, "1.5", id="float"),
            pytest.param(celtypes.DoubleType(1.5), "1.5", id="DoubleType"),
            pytest.param("a", "'a'", id="str"),
            pytest.param(celtypes.StringType("a"), "'a'", id="StringType"),
            pytest.param(b"a", "b'a'", id="bytes"),
            pytest.param(celtypes.BytesType(b"a"), "b'a'", id="BytesType"),
            pytest.param([1, 2], "[1, 2]", id="list"),
            pytest.param((1, 2), "[1, 2]", id="tuple"),
            pytest.param(json_to_cel([1, 2]), "[1, 2]", id="ListType"),
            pytest.param({"a": {"b": [1]}}, "{'a': {'b': [1]}}", id="dict"),
            pytest.param(json_to_cel({"a": {"b": [1]}}), "{'a': {'b': [1]}}", id="MapType"),
            pytest.param(celtypes.MessageType(a=celtypes.IntType(1)), "{'a': 1}", id="MessageType"),
            pytest.param(dt.datetime(2024, 1, 1, tzinfo=dt.UTC), "timestamp('2024-01-01T00:00:00Z')", id="datetime"),
            pytest.param(dt.datetime(2024, 1, 1), "timestamp('2024-01-01T00:00:00Z')", id="naive"),
            pytest.param(celtypes.TimestampType("2024-01-01T00:00:00.000001+09:00"), "timestamp('2023-12-31T15:00:00.000001Z')", id="TimestampType"),
            pytest.param(Timestamp(0), "timestamp(0)", id="Timestamp"),
            pytest.param(dt.timedelta(seconds=-1.5), "duration('-1.5s')", id="timedelta"),
            pytest.param(celtypes.DurationType("90m"), "duration('1h30m')", id="DurationType"),
            pytest.param(Duration(1), "duration('1ns')", id="Duration"),
            pytest.param(Quantity.parse("1Ki"), "quantity('1024')", id="Quantity"),
            pytest.param(Optional(1), "optional.of(1)", id="Optional"),
        ],
    )
    def test_variables(self, value: Any, text: str) -> None:
        """Values of cel-python, of Python and of ours go in, each as the CEL value that it stands for."""
        assert run(f"x == {text}", {"x": value}) == celtypes.BoolType(source=True)

    def test_a_mapping(self) -> None:
        """Any mapping is a map."""

        class Mapping(dict[str, int]):
            """A mapping of its own kind."""

        assert run("x.a", {"x": Mapping(a=1)}) == 1
        assert run("x['a']", {"x": MappingProxyType({"a": 1})}) == 1

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            pytest.param(2**63, "variable x: integer out of range", id="int"),
            pytest.param({"a": [-(2**63) - 1]}, "variable x: integer out of range", id="inside"),
            pytest.param(dt.timedelta(days=200_000), "variable x: duration out of range", id="duration"),
            pytest.param(object(), "variable x: unsupported conversion to CEL: object", id="object"),
            pytest.param(object, "variable x: unsupported conversion to CEL: the class object", id="class"),
            pytest.param(len, "variable x: unsupported conversion to CEL: builtin_function_or_method", id="function"),
        ],
    )
    def test_what_is_no_value(self, value: Any, message: str) -> None:
        """What CEL has no value for is cel-python's error, with the variable's name."""
        with pytest.raises(CELEvalError) as caught:
            run("x == 1", {"x": value})
        assert caught.value.args == (message,)

    def test_a_value_in_itself(self) -> None:
        """A list that holds itself is one error."""
        value: list[Any] = []
        value.append(value)
        with pytest.raises(CELEvalError, match="variable x: a value is nested more than 250 levels deep"):
            run("x == x", {"x": value})

    def test_an_optional_that_holds_an_error(self) -> None:
        """What cel-go of 1.36 makes of a quantity in an optional is an error."""
        with pytest.raises(CELEvalError, match="unsupported conversion to ref.Val"):
            run("cel.bind(x, optional.of(quantity('1')), x)")

    def test_what_comes_out_goes_in(self) -> None:
        """Values that cel-python has no class for are values of a context, too."""
        assert run("x.isLoopback()", {"x": run("ip('::1')")})

    def test_a_variable_that_stands_at_many_places(self) -> None:
        """So does a value of a context that holds another a billion times."""
        value: Any = [1]
        for _ in range(30):
            value = [value, {"a": value}]
        assert run("x[0][1].a[1].a.size() == 2 && x == x", {"x": value})

    def test_keys_that_cel_python_cannot_tell_apart(self) -> None:
        """A map that cel-python cannot hold is an error."""
        with pytest.raises(CELEvalError, match="a map has keys that are equal as numbers"):
            run("{dyn(1): 1, dyn(1u): 2}")

    def test_a_value_that_stands_at_many_places(self) -> None:
        """A list that holds another a billion times comes back as such."""
        text = "[1]"
        for _ in range(30):
            text = f"cel.bind(x, {text}, [x, x])"
        result = run(text)
        for _ in range(30):
            assert len(result) == 2
            result = result[0]
        assert result == [celtypes.IntType(1)]


class TestNames:
    """What a name means."""

    @pytest.mark.parametrize(
        ("text", "context", "environment", "value"),
        [
            pytest.param("a.b.c", {"a": {"b": {"c": 1}}}, {}, 1, id="fields"),
            pytest.param("a.b.c", {"a.b.c": 1}, {}, 1, id="qualified"),
            pytest.param("a.b.c", {"a.b": {"c": 2}, "a": {"b": {"c": 1}}}, {}, 2, id="the-longest"),
            pytest.param("a.b.all(a, a.b == 1)", {"a.b": [{"b": 1}]}, {"runner": runner_class(cel.Environment("1.37"))}, True, id="hidden"),
            pytest.param("a.b.all(a, a.b == 1)", {"a.b": [{"b": 1}]}, {}, False, id="not-hidden-in-1.36"),
            pytest.param("c + b.c", {"a.b.c": 2}, {"package": "a.b"}, 4, id="package"),
            pytest.param("c", {"a.b.c": 3, "a.c": 2, "c": 1}, {"package": "a.b"}, 3, id="nearest-package"),
            pytest.param("c", {"a.c": 2, "c": 1}, {"package": "a.b"}, 2, id="outer-package"),
            pytest.param("c", {"c": 1}, {"package": "a.b"}, 1, id="no-package"),
            pytest.param(".c", {"c": 1}, {}, 1, id="rooted"),
            pytest.param("type == 'vfio'", {"type": "vfio"}, {}, True, id="a-name-of-a-type"),
            pytest.param("device.name == 'x'", {"device": {"name": "x"}}, {}, True, id="device-of-its-own"),
            pytest.param("x", {"x": 1, "an odd-name!": 2}, {"annotations": {"x": celtypes.IntType}}, 1, id="annotated"),
            pytest.param("google.protobuf.Int64Value{value: 1}", {}, {}, 1, id="message"),
        ],
    )
    def test_variables(self, text: str, context: Any, environment: Any, value: Any) -> None:
        """Variables are found as cel-python finds them."""
        assert run(text, context, **environment) == value

    def test_a_device(self) -> None:
        """A device is what a selector sees, by the name of `device` with its types, by another one dynamic."""
        assert run("device.attributes['d.example'].i == 42 && device.capacity['d.example'].memory.isGreaterThan(quantity('1Gi'))", {"device": DEVICE})
        assert run("[dyn(device), spare].all(d, d.attributes['d.example'].type == 'vfio')", {"device": DEVICE, "spare": DEVICE})
        assert run("device.attributes['other'].size() == 0", {"device": DEVICE}, annotations={"device": celtypes.MapType})
        with pytest.raises(CELEvalError, match="undefined field 'name'"):
            run("device.name == 'one'", {"device": DEVICE})

    def test_a_device_that_cannot_be_read(self) -> None:
        """What is an error for every selector is one here."""
        broken = Device.from_dict({"name": "one", "attributes": {"type": {}}}, driver="d.example")
        with pytest.raises(CELEvalError) as caught:
            run("device.driver == ''", {"device": broken})
        assert caught.value.args == ("attribute type: unsupported attribute value",)
        assert isinstance(caught.value.__cause__, EvaluationError)

    def test_one_program_for_many_contexts(self) -> None:
        """The same program takes contexts of all kinds."""
        environment = environment_of()
        program = environment.program(environment.compile("device.driver"))
        assert program.evaluate({"device": {"driver": "map"}}) == "map"
        assert program.evaluate({"device": DEVICE}) == "d.example"
        assert [program.evaluate({"device": {"driver": 1}, f"v{n}": n}) for n in range(100)] == [1] * 100

    def test_as_many_plans_as_are_needed(self) -> None:
        """Any number of sets of variables is met."""
        names = [f"v{n}" for n in range(8)]
        environment = environment_of()
        program = environment.program(environment.compile("[" + ", ".join(f"int == {name} ? 1 : 0" for name in [*names]) + "].size()"))
        for chosen in range(80):
            context = dict.fromkeys(names, 1) | {f"v{bit}.x": 1 for bit in range(8) if chosen >> bit & 1}
            assert program.evaluate(context) == 8


class TestFunctions:
    """Functions that a caller gives."""

    @pytest.mark.parametrize(
        ("text", "functions", "value"),
        [
            pytest.param("f(1)", {"f": lambda x: celtypes.IntType(x + 1)}, 2, id="global"),
            pytest.param("1 .f() + f(1) + 'a'.f(2)", {"f": lambda *given: len(given)}, 4, id="any-number"),
            pytest.param(
                "f([1], {'a': 1u})",
                {"f": lambda a, b: f"{a!r} {b!r}"},
                "ListType([IntType(1)]) MapType({StringType('a'): UintType(1)})",
                id="classes",
            ),
            pytest.param("[1, 2].map(x, f(x))[1]", {"f": lambda x: x * 2}, 4, id="in-a-macro"),
            pytest.param("size('abc')", {"size": lambda _: 42}, 42, id="in-place-of-ours"),
            pytest.param("int('x') + 'y'", {"int": lambda x: celtypes.StringType("i" + x)}, "ixy", id="in-place-of-a-conversion"),
            pytest.param("duration('x')", {"duration": lambda x: x}, "x", id="in-place-of-a-checked-one"),
            pytest.param("'a'.matches('(')", {"matches": lambda _, __: True}, True, id="in-place-of-a-pattern"),
            pytest.param("x.sortBy(y, y)", {"sortBy": lambda *given: len(given)}, 3, id="in-place-of-a-new-macro"),
            pytest.param("[1].map(x, x)[0]", {"map": lambda *_: 7}, 1, id="not-in-place-of-its-own-macros"),
            pytest.param("f() || true", {"f": lambda: CELEvalError("no")}, True, id="absorbed"),
            pytest.param("1", {"f": lambda: 1}, 1, id="unused"),
        ],
    )
    def test_calls(self, text: str, functions: Any, value: Any) -> None:
        """They are called with cel-python's values, as functions and as methods, and replace ours."""
        assert run(text, {"x": [1], "y": 2}, functions=functions) == value

    def test_by_their_own_names(self) -> None:
        """A list of functions will do."""

        def twice(x: celtypes.IntType) -> celtypes.IntType:
            return x + x

        assert run("twice(2)", functions=[twice]) == 4

    @staticmethod
    def returns() -> Any:
        """Return an error, as cel-python's own functions do."""
        return CELEvalError("returned", 1)

    @staticmethod
    def raises() -> Any:
        """Raise one."""
        raise CELEvalError("raised", 2)

    @staticmethod
    def overflows() -> Any:
        """Compute what is no value."""
        return celtypes.IntType(2**63 - 1) + celtypes.IntType(1)

    @staticmethod
    def takes(one: Any) -> Any:
        """Take one argument."""
        return one.nonsense

    @staticmethod
    def gives() -> Any:
        """Give what is no value."""
        return object()

    @staticmethod
    def breaks() -> Any:
        """Have a fault."""
        raise ZeroDivisionError("a fault")

    @pytest.mark.parametrize(
        ("text", "args"),
        [
            pytest.param("returns()", ("returned", 1), id="returned"),
            pytest.param("[raises()]", ("raised", 2), id="raised"),
            pytest.param("overflows()", ("return error for overflow", ValueError, ("overflow",)), id="overflow"),
            pytest.param("takes(1)", ("no such overload", AttributeError, ("'IntType' object has no attribute 'nonsense'",)), id="attribute"),
            pytest.param("gives()", ("unsupported conversion to CEL: object",), id="no-value"),
        ],
    )
    def test_errors(self, text: str, args: tuple[Any, ...]) -> None:
        """Their errors are those that cel-python makes of them."""
        functions = [self.returns, self.raises, self.overflows, self.takes, self.gives]
        with pytest.raises(CELEvalError) as caught:
            run(text, functions=functions)
        assert caught.value.args == args

    def test_wrong_number_of_arguments(self) -> None:
        """Too many arguments are no overload, as cel-python says it."""
        with pytest.raises(CELEvalError, match="no such overload") as caught:
            run("takes(1, 2)", functions=[self.takes])
        assert isinstance(caught.value.__cause__, TypeError)

    def test_an_error_without_words(self) -> None:
        """An error without arguments stays what it is."""
        with pytest.raises(CELEvalError) as caught:
            run("f()", functions={"f": CELEvalError})
        assert caught.value.args == ()

    def test_faults_of_their_own(self) -> None:
        """What cel-python lets through is let through: it is the caller's own."""
        with pytest.raises(ZeroDivisionError, match="a fault"):
            run("breaks() || true", functions=[self.breaks])


class TestErrors:
    """What is wrong, and when it is said."""

    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            pytest.param("for", (1, 1), "reserved identifier: for", id="reserved"),
            pytest.param("a ||\n  1 + 'b'", (2, 5), "found no matching overload for '_+_' applied to '(int, string)'", id="types"),
            pytest.param("!-a", (1, 3), "Syntax error: no viable alternative at input '-a'", id="grammar"),
            pytest.param("g(1)", (1, 2), "undeclared reference to 'g' (in container '')", id="function"),
            pytest.param("[1, 'a']", (1, 5), "expected type 'int' but found 'string'", id="literal"),
            pytest.param("duration('x')", (1, 10), "invalid duration argument", id="constant"),
            pytest.param("'a'.matches('(')", (1, 13), "invalid matches argument", id="pattern"),
            pytest.param("int('x')", (None, None), "program instantiation failed: ", id="folded"),
        ],
    )
    def test_expressions(self, text: str, place: tuple[int | None, int | None], message: str) -> None:
        """What no variables can make right is refused when the program is made, in Kubernetes' words and at its place."""
        environment = environment_of()
        tree = environment.compile(text)
        environment.compile("something.else.entirely")
        with pytest.raises(CELParseError) as caught:
            environment.program(tree)
        assert (caught.value.line, caught.value.column) == place
        assert message in str(caught.value)
        assert isinstance(caught.value.__cause__, CompileError)

    def test_the_text_is_shown(self) -> None:
        """The listing shows the text, although the parser has read others since."""
        with pytest.raises(CELParseError) as caught:
            run("a.all(x, x > 1) &&  size(1, 2) == 3")
        assert str(caught.value).splitlines()[-2:] == [" | a.all(x, x > 1) &&  size(1, 2) == 3", " | ........................^"]

    @pytest.mark.parametrize("tree", [None, 1, lark.Tree("odd", [])])
    def test_no_tree(self, tree: Any) -> None:
        """What is no tree of cel-python's is refused."""
        with pytest.raises(CELParseError):
            environment_of().program(tree)

    def test_enormous(self) -> None:
        """So is what grows without bound."""
        text = "x"
        for _ in range(30):
            text = f"{text}.optMap(y, y)"
        with pytest.raises(CELParseError, match="macros expand"):
            run(text, {"x": 1})

    def test_a_variable_that_is_not_there(self) -> None:
        """A name that neither annotations nor context have is an error of the evaluation, wherever it stands."""
        with pytest.raises(CELEvalError, match=r"undeclared reference to 'y' \(in container ''\)") as caught:
            run("x || y", {"x": True})
        assert (caught.value.line, caught.value.column) == (1, 6)

    def test_a_variable_without_a_value(self) -> None:
        """A name that is annotated only can be absorbed."""
        assert run("x || y", {"x": True}, annotations={"y": celtypes.BoolType})
        with pytest.raises(CELEvalError, match=r"no such attribute\(s\): y"):
            run("y", annotations={"y": celtypes.BoolType})

    def test_an_error_as_a_variable(self) -> None:
        """An error of cel-python in the context is raised when nothing absorbs it, and only then."""
        error = CELEvalError("late", KeyError, ("x",))
        assert run("x || true", {"x": error})
        with pytest.raises(CELEvalError) as caught:
            run("x || false", {"x": error})
        assert caught.value is error

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            pytest.param("x.b", "no such key: b", id="key"),
            pytest.param("x.a < 'a'", "no such overload", id="overload"),
            pytest.param("1 / (x.a - x.a)", "division by zero", id="division"),
            pytest.param("[x.a][1]", "index out of bounds: 1", id="index"),
            pytest.param("optional.of(x.?b.value())", "optional.none() dereference", id="optional"),
        ],
    )
    def test_evaluation(self, text: str, message: str) -> None:
        """An error of the evaluation is cel-python's, with Kubernetes' text, and comes from ours."""
        with pytest.raises(CELEvalError) as caught:
            run(text, {"x": {"a": 1}}, direct=True)
        assert caught.value.args == (message,)
        assert caught.value.__cause__ == EvaluationError(message)

    def test_cost(self) -> None:
        """An evaluation costs at most what it may."""
        with pytest.raises(CELEvalError, match="actual cost limit exceeded"):
            run("x.all(y, y > 0)", {"x": [1] * 100}, runner=runner_class(cost_limit=100))


def test_the_class_is_made_once() -> None:
    """Equal environments give the same class, and the class is a runner."""
    assert runner_class(cel.Environment("1.36")) is RUNNER
    assert runner_class() is not RUNNER
    assert issubclass(RUNNER, celpy.Runner)


def test_the_transpilers_tree() -> None:
    """The tree of cel-python's other runner will do, since its parser is made once for all."""
    parser = CELParser.CEL_PARSER
    try:
        CELParser.CEL_PARSER = None
        tree = celpy.Environment(runner_class=celpy.CompiledRunner).compile("a + 1")
        assert environment_of().program(tree).evaluate({"a": 1}) == 2
    finally:
        CELParser.CEL_PARSER = parser


def test_threads() -> None:
    """Programs may be evaluated by many threads, each with its variables."""
    environment = environment_of()
    program = environment.program(environment.compile("xs.map(x, x * n).filter(x, x % 2 == 0).size() == n"))
    wrong: list[Any] = []

    def work(number: int) -> None:
        for count in range(50):
            context = {"xs": [2] * number, "n": number, f"more{number}{count}": 1}
            if program.evaluate(context) != celtypes.BoolType(source=True):
                wrong.append(context)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# The subset in which both are right.

#: Made here, since cel-python changes Python's recursion limit when it makes one, which hypothesis minds inside a test.
BOTH = [environment_of(runner) for runner in (RUNNER, celpy.InterpretedRunner)]
TEXTS = ("", "a", "vfio", "npu", "RBLN-CA25", "pci0000:20")
NAMES = ("type", "product", "root")
LITERAL = st.sampled_from(TEXTS).map(lambda text: f'"{text}"')
STRING = st.one_of(LITERAL, st.sampled_from(NAMES).map(lambda name: f"device.{name}"))
NUMBER = st.one_of(st.integers(-3, 3).map(str), st.sampled_from(("device.numa", "device.group", 'device["group"]')))
ATOM = st.one_of(
    st.tuples(STRING, st.sampled_from(("==", "!=")), STRING).map(" ".join),
    st.tuples(NUMBER, st.sampled_from(("==", "!=", "<", "<=", ">", ">=")), NUMBER).map(" ".join),
    st.tuples(STRING, st.sampled_from(("startsWith", "endsWith", "contains")), STRING).map(lambda parts: f"{parts[0]}.{parts[1]}({parts[2]})"),
    st.tuples(STRING, NUMBER).map(lambda parts: f"size({parts[0]}) > {parts[1]}"),
    st.tuples(STRING, st.sampled_from(("^RBLN-C[AR][0-9]+$", "[a-z]+", "v?"))).map(lambda parts: f"{parts[0]}.matches('{parts[1]}')"),
    st.tuples(STRING, st.lists(LITERAL, min_size=1, max_size=3)).map(lambda parts: f"{parts[0]} in [{', '.join(parts[1])}]"),
    st.sampled_from(("device.vf", "true", "false", "has(device.numa)", "has(device.type)", "has(device.missing)", "device.missing == 1")),
)
SELECTORS = st.recursive(
    ATOM,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(("&&", "||")), inner).map(lambda parts: f"({' '.join(parts)})"),
        inner.map(lambda one: f"!({one})"),
        st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} ? {parts[1]} : {parts[2]})"),
    ),
    max_leaves=8,
)
FACTS = st.fixed_dictionaries(
    {"type": st.sampled_from(TEXTS), "group": st.integers(-3, 3), "vf": st.booleans()},
    optional={"numa": st.integers(-3, 3), "product": st.sampled_from(TEXTS), "root": st.sampled_from(TEXTS)},
)


def verdict(evaluate: Callable[[], Any]) -> str:
    """Give what a runner says."""
    try:
        return "match" if evaluate() else "no match"
    except CELEvalError:
        return "error"


@given(SELECTORS, FACTS)
def test_both_say_the_same(selector: str, facts: Any) -> None:
    """Of field selection, equality, order, text functions and logic, with missing fields, both engines say the same."""
    context = {"device": json_to_cel(facts)}
    ours, theirs = (environment.program(environment.compile(selector)) for environment in BOTH)
    assert verdict(lambda: ours.evaluate(context)) == verdict(lambda: theirs.evaluate(context))
