"""Generated code: which selectors get it, that it means what the interpreter means, and what it leaves to the interpreter."""

from __future__ import annotations

import pickle
import threading

import pytest

from rbln_dra import Device, cel
from rbln_dra.cel.types import BOOL
from rbln_dra.errors import EvaluationError

DRIVER = "a.example"
DEVICE = Device.from_dict(
    {
        "name": "device",
        "attributes": {
            "text": {"string": "vfio"},
            "number": {"int": 42},
            "yes": {"bool": True},
            "no": {"bool": False},
            "version": {"version": "1.2.3"},
            "versionText": {"string": "1.2.3"},
            "amountText": {"string": "16Gi"},
            "b.example/root": {"string": "pci0000:20"},
        },
        "capacity": {"memory": {"value": "16Gi"}, "b.example/half": {"value": "500m"}},
        "allowMultipleAllocations": True,
    },
    driver=DRIVER,
)
A, B = 'device.attributes["a.example"]', 'device.attributes["b.example"]'
CAPACITY = 'device.capacity["a.example"]'

#: Selectors that generated code judges on the device above without the interpreter, with their verdicts.
GENERATED = (
    ("true", True),
    ("false", False),
    ('device.driver == "a.example"', True),
    ("device.allowMultipleAllocations", True),
    (f"{A}.yes", True),
    (f"!{A}.yes", False),
    (f"!({A}.number == 42)", False),
    (f"{A}.yes && !{A}.no", True),
    (f"{A}.no || {A}.yes", True),
    (f"{A}.no || {A}.yes && {A}.no", False),
    (f"({A}.no || {A}.yes) && {A}.yes", True),
    (f"{A}.yes == true", True),
    (f"true != {A}.no", True),
    (f"{A}.no == {A}.yes", False),
    (f"({A}.number > 1) == {A}.yes", True),
    (f"({A}.number > 1) == (1 > 2)", False),
    (f"({A}.number > 1) > (1 > 2)", True),
    (f'{A}.text == "vfio"', True),
    (f'"vfio" != {A}.text', False),
    (f"{A}.text == 1", False),
    (f"{A}.yes == 1", False),
    (f"{A}.number == 42.0", True),
    (f"{A}.number < 42.5", True),
    (f"{A}.number == 42u", True),
    (f"{A}.number >= 42 && {A}.number <= 42", True),
    (f'{A}.text < "w"', True),
    (f"{A}.number == {A}.text", False),
    ('device.driver < "b"', True),
    (f'{A}.text in ["vfio", "npu"]', True),
    (f"{A}.number in [1, 42]", True),
    (f"{A}.number in [1.0, 42.0]", True),
    (f"{A}.number in [1u, 42u]", True),
    (f"{A}.yes in [true]", True),
    (f"({A}.number > 1) in [true]", True),
    (f"{A}.text in []", False),
    (f"has({A}.text)", True),
    (f"has({A}.missing)", False),
    ('has(device.attributes["nothing"].text)', False),
    ("has(device.attributes)", True),
    ("has(device.driver)", True),
    ('has(device.attributes["x"].y) || has(device.attributes["a.example"].yes)', True),
    (f'"text" in {A}', True),
    ('"a.example" in device.attributes', True),
    ('"nothing" in device.attributes', False),
    ('"b.example" in device.capacity', True),
    (f'{A}.?text.orValue("") == "vfio"', True),
    (f'{A}.?missing.orValue("") == "vfio"', False),
    (f"{A}.?missing.orValue(true)", True),
    (f"{A}.?missing.orValue({A}.number > 1)", True),
    ('device.attributes[?"a.example"].?text.orValue("") == "vfio"', True),
    (f"{A}.?missing.orValue({A}.text) == 'vfio'", True),
    (f"{A}.?text.hasValue() && !{A}.?missing.hasValue()", True),
    (f'{A}.?text.value() == "vfio"', True),
    (f"{CAPACITY}.?missing.orValue(quantity('1')).compareTo({CAPACITY}.memory) < 0", True),
    (f"{A}.yes ? {A}.number == 42 : false", True),
    (f"({A}.no ? {A}.text : {A}.number) == 42", True),
    (f'({A}.number > 50 ? "a" : "b") == "b"', True),
    (f"(({A}.number > 50 ? 1 : 2) == 2) == true", True),
    (f"({A}.number > 50 ? {A}.text : true) == true", True),
    (f'{A}.text.startsWith("vf") && {A}.text.endsWith("io") && {A}.text.contains("fi")', True),
    (f'"vfio-pci".startsWith({A}.text)', True),
    (f'{A}.text.matches("^v[a-z]+$")', True),
    (f'{A}.text.matches("^n")', False),
    ('matches(device.driver, "example")', True),
    (f"{A}.text.size() == 4 && size({A}.text) < 5", True),
    (f'{A}.version.compareTo(semver("1.2.0")) > 0', True),
    (f'{A}.version.compareTo(semver("1.2.3")) == 0', True),
    (f'0 >= semver("1.2.0").compareTo({A}.version)', True),
    (f'{A}.version.compareTo(semver("1.2.0")) == 1', True),
    (f'{A}.version.compareTo(semver("1.2.3")) in [0, 1]', True),
    (f'{A}.version.isGreaterThan(semver("v1.2", true))', True),
    (f'{A}.version.isLessThan(semver("1.2.3-rc.1"))', False),
    (f'{A}.version == semver("1.2.3+build")', True),
    (f"semver({A}.versionText).isLessThan({A}.version)", False),
    (f'semver("1.2.3") == semver({A}.versionText)', True),
    (f'{CAPACITY}.memory.compareTo(quantity("16Gi")) >= 0', True),
    (f'{CAPACITY}.memory.isGreaterThan(quantity("100Ei"))', False),
    (f'{CAPACITY}.memory == quantity("17179869184")', True),
    (f"quantity({A}.amountText).compareTo({CAPACITY}.memory) == 0", True),
    ('device.capacity["b.example"].half.isLessThan(quantity("0.6"))', True),
    (f'cel.bind(a, {A}, a.text == "vfio" && a.number < 100)', True),
    (f'cel.bind(x, {A}.text, x == "vfio" || x == "npu")', True),
    (f"cel.bind(x, {A}.text.size(), x > 3 && x < 5)", True),
    (f"cel.bind(x, 42, {A}.number == x)", True),
    (f'cel.bind(x, {A}.text, cel.bind(y, x, y == "vfio"))', True),
    ('cel.bind(d, device, d.driver == "a.example")', True),
    (f'["npu", "vfio"].exists(p, p == {A}.text)', True),
    (f'["npu", "vfio"].exists(p, {A}.text == p)', True),
    (f"[1, 2].exists(p, p == {A}.number)", False),
    (f'["npu", "vf"].exists(p, {A}.text.startsWith(p))', True),
    (f'["npu", "vf"].all(p, {A}.text != p)', True),
    (f"[1, 42].exists(p, p == {A}.number && p > 1)", True),
    ('["a.example"].exists(device, device == "a.example")', True),
    (f'["a", "b"].exists(p, p == p) && {A}.yes', True),
    ('["x", "y"].exists(i, p, i == 1 && p == "y")', True),
    (f"[true, false].exists(p, p == {A}.yes)", True),
    ("[1, 2].exists(p, p == dyn(2.0))", True),
    ('["a", "b"].exists(p, p == p + "")', True),
    ("cel.bind(x, 42, cel.bind(y, x, y > 41))", True),
    (f"[].exists(p, p == 1) == {A}.no", True),
    ("(1 > 2 ? device : device).driver == 'x'", False),
    (f"{A}.number + 1 == 43 && {A}.number % 2 == 0 && -{A}.number < 0", True),
    (f'{A}.text + "-pci" == "vfio-pci"', True),
    (f"{A}.number + {A}.number == 84", True),
    ("1 + 1 == 2", True),
    (f'{A}.text.upperAscii() == "VFIO" && {A}.text.substring(1) == "fio" && {A}.text.indexOf("i") == 2', True),
    (f'string({A}.number) == "42" && int({A}.number) == 42', True),
    ('"VFIO".lowerAscii() == "vfio" && "x".trim() == "x"', True),
    (f"dyn({A}.number) == dyn(42)", True),
    (f'isSemver("1.2.3") && {A}.yes', True),
)


@pytest.mark.parametrize(("expression", "expected"), GENERATED)
def test_generated(expression: str, expected: bool) -> None:
    """A selector as people write it gets a function of its own, which says what the interpreter says without asking it."""
    program = cel.Program(expression, cel.Environment("1.37"))
    assert program.plan == "generated"
    assert program.evaluate(DEVICE).match is expected
    assert program.matches(DEVICE) is expected
    program._plan = None  # type: ignore[assignment]  # whoever asked the interpreter now would fail
    assert program.matches(DEVICE) is expected


#: Selectors that have no function that need not count, and why.
INTERPRETED = (
    (f"{A}.yes == null", "a constant of Python type NoneType"),
    (f"{A}.number == 9007199254740993.0", "a constant of Python type float"),
    (f'{A}.text.split("f").size() == 2', "the function split"),
    (f"isSemver({A}.text)", "the function isSemver"),
    ('semver("x") == semver("1.2.3")', "a call of semver that fails"),
    (f"{A}.text.matches({A}.text)", "a regular expression that is no constant"),
    (f'{A}["text"].exists(x, x == 1)', "a loop over something that is no constant list"),
    ("[1, 2].exists_one(x, x == 1)", "a loop that makes a list or counts"),
    ("[1, 2].map(x, x).size() == 2", "a loop that makes a list or counts"),
    (f"[{A}.number, dyn(1)] == [42, 1]", "the step MakeList"),
    ("device.attributes.size() == 2", "a whole map of the device, or something inside of a value"),
    ("device == device", "a whole map of the device, or something inside of a value"),
    (f"{A}.text.deeper == 1", "a whole map of the device, or something inside of a value"),
    (f"{A}[{A}.text] == 1", "an index that is no constant text"),
    (f"{A}[1 > 2 ? 'a' : 'text'] == 'vfio'", "an index that is no constant text"),
    (f"[1, 2][0] == {A}.number", "a selection from a computed value"),
    (f"[1, 2] == {A}.number", "a constant of Python type tuple"),
    (f"{A}.text.split('f')[0] == 'v'", "a selection from a computed value"),
    ("cel.bind(x, 1, dyn(x).y == 1)", "a selection from a computed value"),
    (f"{A}.?text == optional.of('vfio')", "an optional value"),
    (f"{A}.?text.or(optional.of('x')).hasValue()", "an optional value"),
    (f"{A}.?text.or(optional.of('x')) == optional.of('x')", "an optional value"),
    (f"optional.of({A}.text).hasValue()", "an optional value"),
    (f"{A}.text.hasValue()", "an optional value"),
    (f"cel.bind(x, {A}.?text, x.hasValue())", "an optional value"),
    (f"has((1 > 2 ? {A} : {B}).root)", "the step ChoicePresence"),
    (f"has(dyn({A}.text).y)", "a selection from a computed value"),
    (f"{CAPACITY}.?missing.orValue(dyn('x')) == dyn('x')", "text in place of a quantity"),
    (f"has({A}.?text.x)", "a presence test of a computed value"),
    ("cel.bind(x, dyn(1), has(x.y))", "a selection from a computed value"),
    (f"{A}.text in {A}", "a search in a list or a computed map"),
    (f"1 in {A}.text", "a search in a list or a computed map"),
    (f"'x' in {A}.text.split('y')", "a search in a list or a computed map"),
    ("cel.bind(x, dyn({}), 'y' in x)", "a constant of Python type Map"),
    ("cel.bind(x, dyn(1), 'y' in x)", "a search in a list or a computed map"),
    (f"{A}.version.compareTo({CAPACITY}.memory) == 0", "the order of stored and amount"),
    (f"{A}.version.compareTo(dyn('x')) == 0", "text as a version"),
    (f"({A}.number > 1) == dyn(1.0)", "double among values of a device"),
    (f"{A}.text == {A}.?missing.orValue(1u)", "int among values of a device"),
    (f"{CAPACITY}.?missing.orValue({CAPACITY}.other) == dyn('x')", "a comparison of amount with text"),
    (f"dyn({CAPACITY}).?missing.orValue('x') == 'x'", "a selection from a computed value"),
    ("dyn(1) ? true : false", "int as a condition"),
    (f"{A}.includes({A}.text)", "a whole map of the device, or something inside of a value"),
    (f"{A}.text.includes({A}.text)", "a search for something that is no constant"),
    (f"{A}.number + dyn(1u) == 1", "the function _+_ of such operands"),
    (f"{A}.number + dyn(1.5) == 1", "the function _+_ of such operands"),
    (f"{A}.text.substring(dyn(1u)) == ''", "the function substring of such arguments"),
    (f"string({A}.number > 1) == 'true'", "a text function of something else"),
    ("1 / 0 == 1", "a call of _/_ that fails"),
    ("[" + ", ".join(map(str, range(20))) + "].all(x, [" + ", ".join(map(str, range(20))) + f"].all(y, x + y != {A}.number))", "too long a loop"),
    (" || ".join([f'{A}.text.matches("{"a" * 9000}")'] * 10), "a cost that may exceed the limit"),
    ("(1 == 1) == " * 100 + "(1 == 2)", "nesting that Python does not take"),
)


@pytest.mark.parametrize(("expression", "reason"), INTERPRETED)
def test_interpreted(expression: str, reason: str) -> None:
    """What generated code has no words for is counted or interpreted, and the program says why."""
    program = cel.Program(expression, cel.Environment("1.37"))
    assert program._generated.reason == reason
    assert program.plan == (f"interpreted: {program._account.reason}" if program._account.reason else f"counted: {reason}")
    evaluation = program.evaluate(DEVICE)
    if evaluation.error is None:
        assert program.matches(DEVICE) is evaluation.match
    else:
        with pytest.raises(EvaluationError) as caught:
            program.matches(DEVICE)
        assert caught.value == evaluation.error


#: Selectors that generated code leaves to the interpreter on the device above, with what that says.
UNDECIDED = (
    (f"{A}.missing == 1", "no such key: missing"),
    (f"{A}.missing == 1 || true", True),
    (f"{A}.text", "CEL result of type string could not be converted to bool: unsupported native conversion from string to 'bool'"),
    (f"!{A}.text", "no such overload"),
    (f"{A}.number && true", "no such overload"),
    (f"{A}.text && false", False),
    (f'{A}.version == "1.2.3"', "no such overload"),
    (f'"1.2.3" == {A}.version', False),
    (f'{A}.version != "1.2.3"', True),
    (f"{A}.version == {A}.version", True),
    (f"{A}.version", "CEL result of type kubernetes.Semver could not be converted to bool: type conversion error from 'Semver' to 'bool'"),
    (f'{A}.version in ["1.2.3"]', "internal error: runtime error: hash of unhashable type cel.Semver"),
    (f'["1.2.3"].exists(x, x == {A}.version)', False),
    (f"{A}.text < 1", "no such overload"),
    (f"{A}.yes < 2", "no such overload"),
    (f"{A}.no < {A}.yes", True),
    (f'{A}.number.startsWith("v")', "no such overload"),
    (f'{A}.number.matches("v")', "no such overload"),
    (f"{A}.number.size() == 1", "no such overload: size"),
    (f'semver({A}.text) == semver("1.2.3")', "No Major.Minor.Patch elements found"),
    (f"{A}.yes + 1 == 2", "no such overload: _+_"),
    (f"{A}.number + 9223372036854775807 == 1", "integer overflow"),
)


@pytest.mark.parametrize(("expression", "expected"), UNDECIDED)
def test_undecided(expression: str, expected: bool | str) -> None:
    """Where Python's operators are not CEL's, or something is missing, the interpreter decides."""
    program = cel.Program(expression, cel.Environment("1.37"))
    assert program.plan == "generated"
    if isinstance(expected, bool):
        assert program.matches(DEVICE) is expected
    else:
        with pytest.raises(EvaluationError) as caught:
            program.matches(DEVICE)
        assert caught.value.message == expected


def test_nothing_of_a_selector_becomes_python() -> None:
    """The code holds none of the selector's names and texts: two selectors of one shape have the same code."""
    first, second = (
        cel.Program(f'device.attributes["{domain}"].{id_} == "{text}"', cel.Environment()).matches
        for domain, id_, text in (("d", "x", "1"), ("e", "__import__", '\\"'))
    )
    assert first.__code__.co_code == second.__code__.co_code
    assert first.__code__.co_consts == second.__code__.co_consts
    assert set(second.__globals__["__builtins__"]) == set()


def test_lists_stand_where_the_environment_has_them() -> None:
    """A list is read where attributes may be lists, and is an error of the whole device elsewhere."""
    device = Device.from_dict({"name": "device", "attributes": {"nodes": {"ints": [0, 1]}, "s": {"string": "x"}}}, driver=DRIVER)
    environment = cel.Environment("1.37")
    for selector, expected in ((f"{A}.nodes.includes(1)", True), (f"{A}.nodes.includes(2)", False), (f'{A}.s.includes("x")', True)):
        assert cel.Program(selector, environment).matches(device) is expected
    with pytest.raises(EvaluationError, match="attribute nodes: unsupported attribute value"):
        cel.Program("true", cel.Environment("1.35")).matches(device)


def test_includes_leaves_long_lists_to_the_interpreter() -> None:
    """1.36 looks at 48 elements only; whether that is an error, the interpreter knows."""
    device = Device.from_dict({"name": "device", "attributes": {"nodes": {"ints": list(range(60))}}}, driver=DRIVER)
    program = cel.Program(f"{A}.nodes.includes(59)", cel.Environment("1.37"))
    assert program.plan == "generated"
    assert program.matches(device) is True


def test_further_names_are_interpreted() -> None:
    """Where functions may be others than Kubernetes', generated code does not trust their names."""
    environment = cel.Environment().with_names(variables={"x": BOOL})
    program = cel.Program(f"{A}.yes", environment)
    assert program.plan == "interpreted: an environment with further names"
    assert program.matches(DEVICE) is True


def test_memories_are_bounded() -> None:
    """What a pattern says of texts is remembered for a bounded number of them."""
    program = cel.Program(f'{A}.text.matches("7$")', cel.Environment())
    matches = program.matches
    for number in range(3000):
        device = Device.from_dict({"name": "device", "attributes": {"text": {"string": str(number)}}}, driver=DRIVER)
        assert matches(device) is (number % 10 == 7)
    (memory,) = [value for value in matches.__globals__.values() if type(value).__name__ == "Memo"]
    assert 0 < len(memory) <= 1024


def test_programs_pickle_with_their_code() -> None:
    """A program that has generated code is pickled as its text, and judges again on the other side."""
    program = cel.compile(f"{A}.yes")
    assert program.matches(DEVICE)
    assert pickle.loads(pickle.dumps(program)).matches(pickle.loads(pickle.dumps(DEVICE)))


def test_threads_agree() -> None:
    """Eight threads that begin with the same unprepared devices and the same new program give the same verdicts."""
    program = cel.Program(f'{A}.number % 3 == 0 && {A}.text.matches("^v")', cel.Environment())
    devices = [
        Device.from_dict({"name": "device", "attributes": {"number": {"int": number}, "text": {"string": "vfio"}}}, driver=DRIVER)
        for number in range(500)
    ]
    answers: list[list[bool]] = []
    barrier = threading.Barrier(8)

    def judge() -> None:
        barrier.wait()
        answers.append([program.matches(device) for device in devices])

    threads = [threading.Thread(target=judge) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [[number % 3 == 0 for number in range(500)]] * 8
