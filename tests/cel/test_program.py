"""Compiling a selector and judging devices with it: the way that users take."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from rbln_dra import Device, cel
from rbln_dra.cel.values import CELError
from rbln_dra.errors import CompileError, EvaluationError, InvalidValue, Issue
from rbln_dra.kubernetes import Kubernetes

A = 'device.attributes["npu.rebellions.ai"]'
NPU = Device.from_dict(
    {
        "name": "npu",
        "attributes": {"type": {"string": "vfio"}, "vf": {"bool": True}, "i": {"int": 1}, "v": {"version": "1.2.3"}},
        "capacity": {"memory": {"value": "16Gi"}},
    },
    driver="npu.rebellions.ai",
)
BROKEN = Device.from_dict({"name": "broken", "attributes": {"x": {}}}, driver="npu.rebellions.ai")


@pytest.mark.parametrize(
    ("text", "match", "cost"),
    [("true", True, 0), ("false", False, 0), (f'{A}.type == "vfio"', True, 5), (f"{A}.vf", True, 4), (f"{A}.?nosuch.orValue(false)", False, 3)],
)
def test_a_device_matches_or_does_not(text: str, match: bool, cost: int) -> None:
    """Both ways to ask agree."""
    program = cel.compile(text)
    assert program.matches(NPU) is match
    assert program.evaluate(NPU) == cel.Evaluation(match, None, cost)


@pytest.mark.parametrize(
    ("text", "message", "cost"),
    [
        (f"{A}.nosuch", "no such key: nosuch", 4),
        (f"{A}.type", "CEL result of type string could not be converted to bool: unsupported native conversion from string to 'bool'", 4),
        (f"{A}.i < 'a'", "no such overload", 5),
    ],
)
def test_an_error_is_an_answer_of_its_own(text: str, message: str, cost: int) -> None:
    """It is never folded into "no match"."""
    program = cel.compile(text)
    assert program.evaluate(NPU) == cel.Evaluation(None, EvaluationError(message), cost)
    with pytest.raises(EvaluationError) as caught:
        program.matches(NPU)
    assert caught.value.message == message


def test_a_message_is_no_verdict() -> None:
    """Its text names the Go type of messages."""
    evaluation = cel.compile("dyn(google.protobuf.Empty{})", cel.Environment("1.37")).evaluate(NPU)
    assert evaluation.error == EvaluationError(
        "CEL result of type google.protobuf.Empty could not be converted to bool: type conversion error from '*dynamicpb.Message' to 'bool'"
    )


def test_a_device_that_cannot_be_read_is_an_error_for_every_program() -> None:
    """The program does not even run."""
    program = cel.compile("true")
    assert program.evaluate(BROKEN) == cel.Evaluation(None, EvaluationError("attribute x: unsupported attribute value"), 0)
    with pytest.raises(EvaluationError):
        program.trace(BROKEN)


def test_the_cost_limit_ends_an_evaluation() -> None:
    """Above it, the answer is an error."""
    evaluation = cel.compile(f'{A}.type == "vfio"').evaluate(NPU, cost_limit=3)
    assert evaluation.match is None
    assert evaluation.error == EvaluationError("operation cancelled: actual cost limit exceeded")
    assert evaluation.cost > 3


def test_a_program_says_what_it_is() -> None:
    """Type, estimate and references are there without a device."""
    program = cel.compile(f'{A}.type == "vfio"')
    assert (program.output_type, program.max_cost) == ("bool", 5)
    assert program.references.attributes == {("npu.rebellions.ai", "type")}
    assert program.expression in repr(program)


def test_a_trace_has_the_value_of_every_node() -> None:
    """An error is a value there."""
    program = cel.compile(f"{A}.nosuch == 1")
    found = program.trace(NPU)
    assert isinstance(found[program.checked.expression.id], CELError)


@pytest.mark.parametrize(
    ("text", "minor", "gates", "expressions", "accepted"),
    [
        (f"{A}.type", "1.35", {}, "stored", True),
        (f"{A}.type", "1.37", {}, "stored", True),
        ("dyn(true)", "1.35", {}, "stored", False),
        ("dyn(true)", "1.36", {}, "stored", False),
        ("dyn(true)", "1.36", {"DRAListTypeAttributes": True}, "stored", True),
        ("dyn(true)", "1.37", {}, "stored", True),
        ("dyn(true)", "1.37", {}, "new", False),
        ("google.protobuf.BoolValue{value: true}", "1.36", {}, "stored", False),
        ("google.protobuf.BoolValue{value: true}", "1.37", {}, "stored", True),
        ("google.protobuf.Any{}", "1.36", {}, "stored", True),
        ("google.protobuf.Any{}", "1.37", {}, "stored", False),
        ("[true]", "1.37", {}, "stored", False),
    ],
)
def test_the_result_has_to_be_a_verdict(text: str, minor: str, gates: dict[str, bool], expressions: str, accepted: bool) -> None:
    """A bool, or what an attribute is declared as."""
    environment = cel.Environment(Kubernetes(minor, gates=gates), expressions)
    if accepted:
        assert cel.compile(text, environment).environment == environment
    else:
        with pytest.raises(CompileError, match=r"^must evaluate to bool or the unknown type, not "):
            cel.compile(text, environment)


def test_a_refusal_has_issues_and_kubernetes_text() -> None:
    """Line and column count from 1, in code points."""
    with pytest.raises(CompileError) as caught:
        cel.compile('"😀" == 1 ||\n nosuch')
    error = caught.value
    assert error.issues == (
        Issue(1, 5, "found no matching overload for '_==_' applied to '(string, int)'"),
        Issue(2, 2, "undeclared reference to 'nosuch' (in container '')"),
    )
    assert error.message.startswith("compilation failed: ERROR: <input>:1:5: found no matching")
    assert str(error) == error.message


def test_a_constant_that_fails_fails_the_program() -> None:
    """Constants are converted when the program is made."""
    with pytest.raises(CompileError, match=r"^program instantiation failed: "):
        cel.compile('int("x") == 1')


def test_programs_are_kept_and_given_again() -> None:
    """The same text in an equal environment is the same program."""
    cel.cache_clear()
    one = cel.compile("1 == 1", cel.Environment("1.36"))
    assert cel.compile("1 == 1", cel.Environment("1.36")) is one
    assert cel.compile("1 == 1", cel.Environment("1.37")) is not one
    assert (cel.cache_info().hits, cel.cache_info().misses, cel.cache_info().entries) == (1, 2, 2)


def test_programs_pickle() -> None:
    """The other side compiles the text again."""
    program = cel.compile(f"{A}.vf", cel.Environment("1.37", expressions="new"))
    again = pickle.loads(pickle.dumps(program))
    assert (again.expression, again.environment, again.matches(NPU)) == (program.expression, program.environment, True)


def test_threads_may_share_a_program() -> None:
    """Programs have no state that an evaluation changes."""
    program = cel.compile(f'{A}.i == 1 && [1, 2, 3].exists(x, x == {A}.i) && device.capacity["npu.rebellions.ai"].memory.isInteger()')
    with ThreadPoolExecutor(4) as pool:
        answers = set(pool.map(program.evaluate, [NPU] * 200))
    assert len(answers) == 1


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "'\ud800' == 'a'", "a" * 100_001, "(" * 10_000, "👍", "//", "\\", "`", '"' * 7])
def test_noise_is_refused_with_one_kind_of_error(text: str) -> None:
    """No other exception leaves for any text."""
    try:
        cel.compile(text)
    except CompileError as error:
        assert error.expression == text


@pytest.mark.parametrize(("text", "environment"), [(None, None), (5, None), (b"true", None), ("true", "1.36")])
def test_what_is_no_selector_or_no_environment(text: Any, environment: Any) -> None:
    """What is no text, and what is no environment, is named in an error of this tree."""
    with pytest.raises(InvalidValue, match=r"a selector in CEL|an environment such as"):
        cel.compile(text, environment)
