"""Functions that count: that they are written, that they give the interpreter's verdict, text and cost with any limit, and what they leave to it."""

from __future__ import annotations

import threading

import pytest

from rbln_dra import Device, Kubernetes, cel
from rbln_dra.cel import evaluation as steps
from rbln_dra.cel.accounting import account
from rbln_dra.cel.dispatch import Target
from rbln_dra.cel.interpreter import Plan
from rbln_dra.cel.preparation import LONGEST
from rbln_dra.cel.program import PATIENCE
from rbln_dra.cel.qualifiers import Variable
from rbln_dra.cel.types import BOOL
from rbln_dra.cel.values import COST_LIMIT

DRIVER = "a.example"
DEVICE = Device.from_dict(
    {
        "name": "device",
        "attributes": {
            "text": {"string": "vfio"},
            "empty": {"string": ""},
            "long": {"string": "x" * 60},
            "number": {"int": 42},
            "yes": {"bool": True},
            "no": {"bool": False},
            "version": {"version": "1.2.3"},
            "b.example/root": {"string": "pci0000:20"},
            "texts": {"strings": ["a", "b"]},
            "truths": {"bools": [True, False]},
            "versions": {"versions": ["1.0.0"]},
        },
        "capacity": {"memory": {"value": "16Gi"}, "a.example/half": {"value": "500m"}, "b.example/half": {"value": "1"}},
        "allowMultipleAllocations": True,
    },
    driver=DRIVER,
)
A, B, CAPACITY = 'device.attributes["a.example"]', 'device.attributes["b.example"]', 'device.capacity["a.example"]'
ENVIRONMENT = cel.Environment(Kubernetes("1.37"))
#: Limits below, at and above what small selectors cost.
LIMITS = (1_000_000, *range(40), -1)

#: Selectors that are counted from a prepared device.
PREPARED = (
    "true",
    'device.driver == "a.example"',
    'device.driver != ""',
    "has(device.driver)",
    'device.?driver.orValue("x") == "a.example"',
    "device.allowMultipleAllocations",
    "device.?allowMultipleAllocations.orValue(false)",
    f"{A}.yes && !{A}.no",
    f"{A}.no || {A}.yes",
    f"{A}.text || {A}.yes",
    f"{A}.yes && {A}.text",
    f"{A}.text && {A}.missing",
    f"{A}.missing || {A}.yes",
    f"{A}.missing || {A}.number",
    f'{A}.text == "vfio" || {A}.text == ""',
    f'{A}.empty == "" && {A}.empty != "a"',
    f'{A}.long == "{"x" * 60}"',
    f'{A}.long == "{"x" * 15}"',
    f'"{"x" * 15}" == {A}.missing',
    f"{A}.text == {A}.long",
    f"{A}.text == {A}.missing",
    f"{A}.missing == {A}.text",
    f"{A}.missing != 1",
    f"{A}.missing != {A}.text",
    f"{A}.text != {A}.missing",
    f"([1] + [size({A}.text)]).size() == 2",
    "dyn(1).all(x, x) || true",
    "dyn(1).all(i, x, x)",
    f"{A}.text == 1",
    f"{A}.number == 42 && {A}.number != 41",
    f"{A}.number == dyn(42.0)",
    f"{A}.yes == true",
    '"a" == "a" && "" == "" && 1 == 1 && "aaaaaaaaaaaaaaaaaaaaaa" != "b"',
    f"{A}.number > 1 && {A}.number <= 42",
    f"{A}.number > dyn(1.5)",
    f"{A}.number < {A}.number",
    f"{A}.text < {A}.number",
    f'{A}.text >= "v"',
    f"{A}.number + 1 == 43",
    f"{A}.number - 1 + {A}.number * 2 == 125",
    f"{A}.number + 9223372036854775807 > 0",
    f'{A}.text + "x" == "vfiox"',
    f"string({A}.number) == '42'",
    f"string({A}.missing) == '42'",
    "string(int('4' + '2')) == '42'",
    "string(device.driver) == 'a.example'",
    "[1, 2].exists(x, string(x) == '2')",
    f"{A}.number in [1, 42]",
    f'{A}.text in ["vfio"]',
    'device.driver in ["a.example", "b"]',
    f"{A}.yes in [true]",
    f"{A}.missing in [true]",
    f"{A}.number in []",
    "[1, 42].exists(x, x in [42])",
    f"has({A}.text) && !has({A}.missing) && has({CAPACITY}.memory)",
    f'{A}.?text.orValue("") == "vfio"',
    f"{A}.?missing.orValue(1) == 1",
    f"{A}.?missing.or({A}.?number).orValue(0) == 42",
    f"{A}.?missing.hasValue() || {A}.?text.hasValue()",
    f"{A}.?number.optMap(x, x + 1).orValue(0) == 43",
    f"{CAPACITY}.memory.compareTo(quantity('16Gi')) == 0 && {CAPACITY}.memory == {CAPACITY}.memory",
    f"{CAPACITY}.half.isLessThan({CAPACITY}.memory)",
    f"{CAPACITY}.missing.isLessThan({CAPACITY}.memory)",
    f"{CAPACITY}.?missing.orValue(quantity('1')).isInteger()",
    f"{CAPACITY}.memory.isGreaterThan(quantity('1' + 'x'))",
    f"{CAPACITY}.memory.isGreaterThan(quantity('x'))",
    f"{A}.version.isGreaterThan(semver('1.0.0')) && {A}.version == semver('1.2.3')",
    f"{A}.version.isGreaterThan(semver('1'))",
    f"{A}.text.matches('^v') && {A}.text.startsWith('vf') && {A}.text.contains('fi')",
    f"{A}.number.matches('^v')",
    f"{A}.text.matches({A}.text)",
    f"{A}.text.substring(1, {A}.missing) == ''",
    f"{A}.text.substring({A}.missing, 2) == ''",
    f"{A}.text.replace('v', 'w', {A}.number) == 'wfio'",
    f"{A}.texts[0] == 'a' && {A}.texts[{A}.number - 41] == 'b'",
    f"{A}.texts[{A}.missing] == 'a' || {A}.texts[{A}.text] == 'a'",
    f"{A}.missing[{A}.number] == 'a' || {A}.texts[{A}.number][1] == 'a'",
    f"{A}.texts[{A}.version] == 'a'",
    f"{A}.truths.exists(x, x) && {A}.truths.all(x, x || {A}.yes) && {A}.versions.size() == 1",
    f"{A}.text.exists(x, x == 1) || {A}.missing.exists(x, x == 1)",
    f"{A}.text.all(i, x, x == 1)",
    f"{A}.texts.all(i, x, i < 2 && x != '')",
    f"({A}.yes ? {A}.number : {A}.missing) == 42",
    f"({A}.text ? {A}.number : {A}.missing) == 42",
    f"({A}.number > 1 ? 'a' : 'b') == 'a'",
    f"[{A}.number, dyn(1)].size() == 2 && [{A}.missing, dyn(1)].size() == 2",
    f"{{'a': {A}.number}}.a == 42 || {{'a': {A}.missing}}.a == 1",
    f"{{'a': {A}.number}}['a'] == 42",
    f"google.protobuf.Int64Value{{value: {A}.number}} == 42 && google.protobuf.Int64Value{{}} == 0",
    "[1, 2].map(x, x + 1) == [2, 3] && [1, 2].map(x, x > 1, x) == [2] && [1].filter(x, x > 1) == []",
    f"[1, 2].map(x, {A}.missing + x) == []",
    "[[1], [2]].map(x, x + [1]).size() == 2 && ([1] + [2]).size() == 2 && ([] + [int('1')]).size() == 1",
    "[1, 2].exists_one(x, x == 1) && [1, 2].exists_one(i, x, x == i + 1) == false",
    "{'a': 1}.all(k, k == 'a') && {'a': 1}.exists(k, v, v == 1) && [1].transformMap(i, v, v)[0] == 1",
    "[].all(x, x) && ![].exists(x, x) && [1, 2].map(x, x).size() == 2",
    f"cel.bind(x, {A}.number, x == 42 && x + x == 84)",
    f"cel.bind(x, {A}.yes && {A}.no, x || !x)",
    f"cel.bind(x, {A}.number > 1, ({A}.no && x) || x || {A}.no)",
    f"cel.bind(x, {A}.missing, true)",
    "cel.bind(x, 1, x == 1) && cel.bind(x, [], x + [1] == [1]) && cel.bind(x, [], true)",
    f"cel.bind(x, {A}.texts, [1].all(y, x.size() == 2))",
    f"cel.bind(a, {A}, a.number == 42 && has(a.text) && a.?missing.orValue(1) == 1)",
    "cel.bind(a, device.attributes, a['a.example'].number == 42 && [1].all(x, a['a.example'].number == 42))",
    f"cel.bind(a, {A}, [1, 2].exists(x, a.number == 42))",
    f"cel.bind(a, {CAPACITY}, a.memory == a.half)",
    "[true].all(device, device)",
    "cel.bind(device, [{'attributes': 1}][0], cel.bind(a, device.attributes, a == 1))",
    "[2, 1].all(x, 1 / x >= 0 || 1 / (x - 1) > 0)",
    "'abc'.find('b' + '') == 'b' && 'abc'.find('b') == 'b'",
    "{'a': {'b': 1}}.a.b == 1 && {'a': {'b': 1}}.?b.?c.orValue(1) == 1 && has({'a': {'b': 1}}.a.b)",
    "has({'a': optional.of({'b': 1})}.a.b) || true",
    "[[1, 2], [3]].exists(x, x[1] == 2)",
    "[1, 2].exists(x, [x][x - 1] == 1)",
    "cidr('10.0.0.0/8').containsIP('10.0.0.1') && isIP('::1')",
    "optional.none().hasValue() || optional.none().optMap(x, x) == optional.none()",
    "optional.of(1).or(optional.of(2)).value() == 1",
)

#: Selectors that are counted from the maps of a device.
WHOLE = (
    'device.attributes.exists(d, d == "b.example")',
    f"{A}.exists(k, k == 'number')",
    "'a.example' in device.attributes",
    f"cel.bind(a, {A}, 'text' in a)",
    f"cel.bind(a, {A}, a.?number.optMap(x, x).orValue(0) == 42 && cel.bind(b, a, b.number == 42))",
    "has(device.attributes) && has(device.capacity)",
    f"{A}.?versions[?0].hasValue()",
    f"has({A}.?texts.a)",
    "device.attributes[device.driver].number == 42",
    f"device.attributes[{B}.root + 'x'].number == 42",
    f"{A}.number == 42 && device.attributes.size() == 2",
    "cel.bind(a, device.attributes[?'a.example'], a.hasValue())",
    f"cel.bind(a, has({A}.x), a) || device.attributes == device.attributes",
)


def held(program: cel.Program, device: Device) -> None:
    """Hold the function of a program to the interpreter, with many limits."""
    for limit in LIMITS:
        expected = program._evaluated(device, limit)
        assert (limit, program.evaluate(device, cost_limit=limit)) == (limit, expected)


def loop(initial: steps.Step, goes_on: steps.Step, again: steps.Step) -> steps.Fold:
    """Make a loop over one element, whose accumulator is `x`."""
    return steps.Fold(1, "x", ("y",), (steps.Constant(2, (1,)), initial, goes_on, again, steps.Selection(Variable(8, "x"))))


#: What `all` does in each round.
ALL = steps.Logical(5, [steps.Selection(Variable(6, "x")), steps.Constant(7, value=True)], decisive=False)


def counting(expression: str, environment: cel.Environment = ENVIRONMENT) -> cel.Program:
    """Compile a selector that counts from its first evaluation on."""
    program = cel.Program(expression, environment)
    program._patience = 0
    return program


@pytest.mark.parametrize("expression", PREPARED)
def test_prepared(expression: str) -> None:
    """What selectors are made of is counted from a prepared device, and from its maps, to the unit."""
    program = counting(expression)
    assert (program._account.reason, program._account.whole) == (None, False)
    held(program, DEVICE)
    program.__dict__["_account"] = program._whole_account
    held(program, DEVICE)


@pytest.mark.parametrize("expression", WHOLE)
def test_whole(expression: str) -> None:
    """Selectors that use a map as such read the maps that the interpreter reads."""
    program = counting(expression)
    assert (program._account.reason, program._account.whole) == (None, True)
    held(program, DEVICE)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("[{'driver': 'x'}].all(device, .device.driver == 'a.example')", "a name with a leading dot"),
        ("has((true ? {'a': 1} : {'b': 1}).a)", "the step ChoicePresence"),
        (f"{{{A}.number: 1}}[42] == 1", "a map with computed keys"),
        (f"[?{A}.?number].size() == 1", "a literal with optional parts"),
        (f"[{A}.?texts[{A}.number]].size() == 1", "a computed index among optional ones"),
        (" && ".join(f"{A}.text != '{number}' + string({A}.number)" for number in range(190)), "too long a function"),
        ("[1].all(x, " * 19 + "true" + ")" * 19, "loops that nest too deep"),
        ("(true ? " * 95 + f"{A}.yes" + " : false)" * 95, "nesting that Python does not take"),
    ],
    ids=["dot", "has", "keys", "optional", "index", "long", "loops", "deep"],
)
def test_interpreted(expression: str, reason: str) -> None:
    """What a function has no words for is interpreted, and says so."""
    program = counting(expression)
    assert program._account.reason == reason
    for limit in (1_000_000, 5):
        assert program.evaluate(DEVICE, cost_limit=limit) == program._evaluated(DEVICE, limit)


@pytest.mark.parametrize(
    "expression",
    [
        # An error before the last part of something that is made of three, in a round that others follow.
        "[1, 2].exists(x, [x, 1 / (x - 1), x].size() == 3)",
        "[1, 2].exists(x, 'abc'.replace('a', string(1 / (x - 1)), x) == '')",
        # A value that is optional, from which an index is computed.
        "[1].exists(x, cel.bind(o, optional.of([1, 2]), o[x].orValue(0) == 2))",
    ],
)
@pytest.mark.parametrize("whole", [False, True])
def test_irregular(expression: str, whole: bool) -> None:
    """Where a function does not know the cost of what follows, the interpreter judges from the beginning."""
    program = counting(expression)
    if whole:
        program.__dict__["_account"] = program._whole_account
    held(program, DEVICE)


def test_further_names() -> None:
    """Where functions may be others than Kubernetes', nothing is written."""
    program = counting(f"{A}.yes", cel.Environment().with_names(variables={"x": BOOL}))
    assert program._account.reason == "an environment with further names"
    assert program.evaluate(Device("device", DRIVER)).error is not None


@pytest.mark.parametrize(
    "step",
    [
        loop(steps.Selection(Variable(3, "device")), steps.Constant(4, value=True), steps.Constant(5, 1)),
        loop(steps.Constant(3, 1), steps.Constant(4, value=False), steps.Constant(5, 1)),
        loop(steps.Constant(3, 1), steps.Selection(Variable(4, "y")), steps.Constant(5, 1)),
        loop(steps.Constant(3, value=True), steps.Selection(Variable(4, "x")), ALL),
        loop(
            steps.Constant(3, value=True),
            steps.Call(4, [steps.Constant(9, value=True)], None, "@not_strictly_false", Target(None, eager=True)),
            ALL,
        ),
    ],
    ids=["computed", "never", "condition", "quantifier", "constant"],
)
def test_loops_of_others(step: steps.Fold) -> None:
    """Loops that no macro writes are left to the interpreter."""
    given = account(Plan(step, 3, unwraps_optionals=False), lists=True, whole=True)
    assert (given.judge, given.reason) == (None, "a loop that no macro writes")


def test_devices_that_are_not_prepared() -> None:
    """A device with too long a text is judged by a function that reads its maps; one that cannot be read is an error without cost."""
    program = counting(f"{A}.text.size() == {LONGEST + 1} && {A}.text.matches('^x+$')")
    device = Device.from_dict({"name": "device", "attributes": {"text": {"string": "x" * (LONGEST + 1)}}}, driver=DRIVER)
    held(program, device)
    assert program.evaluate(device).match is True
    unreadable = Device.from_dict({"name": "device", "attributes": {"text": {}}}, driver=DRIVER)
    for _ in range(2):
        evaluation = program.evaluate(unreadable)
        assert (evaluation.cost, str(evaluation.error)) == (0, "attribute text: unsupported attribute value")
    long = counting(" && ".join([f"has({A}.text)"] * 450))
    assert (long._account.reason, long._whole_account.reason) == (None, "too long a function")
    assert long.evaluate(device) == long._evaluated(device, 1_000_000)


def test_results_that_are_no_verdict() -> None:
    """An attribute that is no bool is an error, at the cost of reading it."""
    program = counting(f"{A}.number")
    evaluation = program.evaluate(DEVICE)
    assert evaluation == program._evaluated(DEVICE, 100)
    assert evaluation.error is not None
    held(counting(f"{A}.yes"), DEVICE)


def test_limits_of_runaways() -> None:
    """Loops end where the interpreter ends, at each of many limits."""
    rounds = "[1, 2, 3, 4, 5]"
    texts = (
        f"{rounds}.all(a, {rounds}.all(b, a + b > 0 && string(a) + 'b' != ''))",
        f"{rounds}.map(a, {rounds}.map(b, [a, b])).size() == 5",
        f"{rounds}.filter(a, {rounds}.exists_one(b, a == b)).size() == 5",
        f"{rounds}.exists(a, {rounds}.exists(b, 1 / (a - 1) > 5 || {A}.long.matches(string(b))))",
        f"{rounds}.all(a, cel.bind(x, {rounds}.map(y, y * a), x.sum() > 0 && x.size() == 5))",
        "lists.range(9).transformMap(i, v, i * v).all(k, v, v == k * k)",
    )
    for text in texts:
        program = counting(text)
        assert program._account.reason is None
        whole = program._evaluated(DEVICE, 10**6).cost
        for limit in range(0, whole + 2, 3):
            assert (limit, program.evaluate(DEVICE, cost_limit=limit)) == (limit, program._evaluated(DEVICE, limit))


def test_a_call_that_would_cost_too_much() -> None:
    """What is refused before it is made reports what it would have cost."""
    program = counting("lists.range(1000).map(x, 'xxxxxxxxxx'.replace('', 'yyyyyyyyyyyyyyyyyyyy')).join().replace('', 'y').size() > 0")
    assert program.evaluate(DEVICE) == program._evaluated(DEVICE, 1_000_000)
    tower = "b'aa'"
    for _ in range(30):
        tower = f"cel.bind(x, {tower}, x + x)"
    bytes_ = counting(f"{tower} == b''")
    for limit in (1_000_000, 10**9):
        assert bytes_.evaluate(DEVICE, cost_limit=limit) == bytes_._evaluated(DEVICE, limit)
    folded = counting(f"'{'x' * 4000}'.replace('', '{'y' * 4000}') == ''")
    assert folded.evaluate(DEVICE) == folded._evaluated(DEVICE, 1_000_000)


def test_patience() -> None:
    """What costs little is interpreted until it has cost much; a runaway is interpreted for a moment only."""
    program = cel.Program(f"{A}.yes", ENVIRONMENT)
    evaluations = [program.evaluate(DEVICE) for _ in range(PATIENCE)]
    assert set(evaluations) == {cel.Evaluation(match=True, error=None, cost=4)}
    assert "_account" in program.__dict__
    rounds = "lists.range(1000)"
    runaway = cel.Program(f"{rounds}.all(a, {rounds}.all(b, a + b >= 0))", ENVIRONMENT)
    evaluation = runaway.evaluate(DEVICE)
    assert (str(evaluation.error), evaluation.cost) == (COST_LIMIT, 1_000_001)
    assert "_account" in runaway.__dict__
    frugal = cel.Program("[1, 2].all(a, [1, 2].all(b, a + b >= 0))", ENVIRONMENT)
    assert frugal.evaluate(DEVICE, cost_limit=10).cost == 11
    assert "_account" not in frugal.__dict__


def test_memories_are_bounded() -> None:
    """What a call gives for texts is remembered for a bounded number of them, none of them long."""
    program = counting(f'{A}.text.matches("7$")')
    for number in range(3000):
        device = Device.from_dict({"name": "device", "attributes": {"text": {"string": str(number)}}}, driver=DRIVER)
        assert program.evaluate(device).match is (number % 10 == 7)
    long = Device.from_dict({"name": "device", "attributes": {"text": {"string": "x" * LONGEST + "7"}}}, driver=DRIVER)
    assert program.evaluate(long).match is True
    for given in (program._account, program._whole_account):
        judge = given.judge
        assert judge is not None
        (memory,) = [value for value in judge.__globals__.values() if type(value).__name__ == "_Memory"]
        assert len(memory) <= 1024
        assert all(len(text) <= LONGEST for text in memory)


def test_nothing_of_a_selector_becomes_python() -> None:
    """The code holds none of the selector's names and texts: two selectors of one shape have the same code."""
    first, second = (
        counting(f'device.attributes["{domain}"].{id_} == "{text}"')._account.judge
        for domain, id_, text in (("d", "x", "1"), ("e", "__import__", '\\"'))
    )
    assert first is not None
    assert second is not None
    assert first.__code__.co_code == second.__code__.co_code
    assert first.__code__.co_consts == second.__code__.co_consts
    assert second.__globals__["__builtins__"] == {}


def test_threads_agree() -> None:
    """Eight threads that begin with the same new program and the same unprepared devices give the same answers."""
    program = cel.Program(f"{A}.number % 3 == 0 && [1, 2].exists(x, x + {A}.number > 100)", ENVIRONMENT)
    devices = [Device.from_dict({"name": "device", "attributes": {"number": {"int": number}}}, driver=DRIVER) for number in range(300)]
    answers: list[list[bool | None]] = []
    barrier = threading.Barrier(8)

    def judge() -> None:
        barrier.wait()
        answers.append([program.evaluate(device).match for device in devices])

    threads = [threading.Thread(target=judge) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [[number % 3 == 0 and number > 98 for number in range(300)]] * 8
