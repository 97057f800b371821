"""Generated code and the interpreter, held together: on every recorded selector, and on random selectors and devices."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, strategies as st

from rbln_dra import Device, Kubernetes, cel
from rbln_dra.cel.program import COST_LIMIT
from rbln_dra.errors import CompileError, EvaluationError
from tests.conformance.selectors import FILES, environment_of, load
from tests.oracle import generate

#: Environments of all minors, of which a file was recorded in some.
WHENS = ("1.34/stored", "1.35/new", "1.36/stored", "1.36/stored+lt", "1.37/stored")
#: How many of the selectors that are counted are tried.
PART = 0.1
#: With how many devices besides its own a recorded selector is tried.
OTHERS = 2


def verdict(program: cel.Program, device: Device) -> bool | str:
    """Give what `matches` says: a verdict, or the text of the error."""
    try:
        return program.matches(device)
    except EvaluationError as error:
        return error.message


def assert_agreement(program: cel.Program, device: Device, limits: tuple[int, ...] = (COST_LIMIT, 0, 7, 19, 40)) -> None:
    """Hold both kinds of generated code to the interpreter: verdict, error text and cost, with much and with little to spend."""
    evaluation = program._evaluated(device, COST_LIMIT)
    expected = evaluation.match if evaluation.error is None else evaluation.error.message
    assert (program.expression, verdict(program, device)) == (program.expression, expected)
    # Once more: now the device is prepared, if it can be.
    assert (program.expression, verdict(program, device)) == (program.expression, expected)
    if program.plan == "generated" and hasattr(device, "prepared_with_lists"):
        assert evaluation.cost <= program._generated.cost <= COST_LIMIT
    for limit in limits:
        evaluation = program._evaluated(device, limit)
        for counting in (program, reading_maps(program)):
            assert (program.expression, limit, counting.evaluate(device, cost_limit=limit)) == (program.expression, limit, evaluation)


def reading_maps(program: cel.Program) -> cel.Program:
    """Make a program count at once, and give another one, whose function reads the maps of a device rather than what is prepared."""
    program._patience = 0
    other = cel.Program(program.expression, program.environment)
    other._patience = 0
    other.__dict__["_account"] = program._whole_account
    return other


@pytest.mark.parametrize(("name", "when"), [(name, when) for name in FILES for when in WHENS if when in load(name).vectors])
def test_recorded_selectors(name: str, when: str) -> None:
    """Generated code and the interpreter say the same of recorded selectors, on their devices and on others."""
    recording, environment, random = load(name), environment_of(when), Random(when)
    devices = sorted(recording.devices)
    generated = 0
    for vector in recording.vectors[when]:
        try:
            program = cel.Program(vector.expression, environment)
        except CompileError:
            continue
        if program.plan == "generated":
            generated += 1
        elif random.random() > PART:
            continue
        for key in (vector.device, *random.sample(devices, min(OTHERS, len(devices)))):
            assert_agreement(program, recording.devices[key])
    assert generated > len(recording.vectors[when]) / 5


#: The environments of random selectors: the least and the most that there is.
ENVIRONMENTS = (
    cel.Environment("1.34", expressions="new"),
    cel.Environment("1.35"),
    cel.Environment(Kubernetes("1.36", gates={"DRAListTypeAttributes": True})),
    cel.Environment("1.37"),
)


@given(seed=st.integers(0, 2**32), environment=st.sampled_from(ENVIRONMENTS))
def test_random_selectors(seed: int, environment: cel.Environment) -> None:
    """Generated code and the interpreter say the same of random selectors on random devices."""
    random = Random(seed)
    generator = generate.Generator(random, environment)
    devices = [generate.device(random) for _ in range(4)]
    for _ in range(10):
        expression, _broken = generator.selector()
        try:
            program = cel.Program(expression, environment)
        except CompileError:
            continue
        for device in devices:
            assert_agreement(program, Device.from_dict({"name": "device", **device["device"]}, driver=device["driver"]))


#: Ways to name a value of a device, and constants to compare it with: what people's selectors are made of.
_DRIVER = "npu.rebellions.ai"
NAMES = st.sampled_from(["type", "iommuGroup", "vf", "v", "ints", "strs", "missing"])
CONSTANTS = st.sampled_from(
    ['"vfio"', '"1.2.3"', "1", "-1", "42", "1.0", "9007199254740991.0", "9007199254740993.0", "1u", "true", "false", "null", 'semver("1.2.3")']
)


def _operands() -> st.SearchStrategy[str]:
    # Behind `dyn` the checker lets everything meet everything.
    constant = st.one_of(CONSTANTS, CONSTANTS.map("dyn({})".format))
    attribute = NAMES.map(lambda name: f'device.attributes["{_DRIVER}"].{name}')
    optional = st.builds(lambda name, other: f'device.attributes["{_DRIVER}"].?{name}.orValue({other})', NAMES, CONSTANTS)
    return st.one_of(attribute, attribute, optional, constant, st.just("device.driver"))


def _conditions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({} && {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
        st.builds("!({})".format, inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("({} == {})".format, inner, inner),
        st.builds("cel.bind(x, {}, x && {})".format, inner, inner),
        st.builds('["vfio", "1.2.3", "a"].exists(x, x == dyn({}) || {})'.format, _operands(), inner),
        st.builds("[1, 42].all(x, {} && dyn(x) != {})".format, inner, _operands()),
        # Calls and literals that end at an error before their last argument, in rounds that others follow.
        st.builds("[0, 1, 2].exists(x, [dyn({}), 1 / x, x].size() == 2 || {})".format, _operands(), inner),
        st.builds('[2, 0, 1].all(x, "abc".substring(2 / x, {}) != "" || {})'.format, _operands(), inner),
        st.builds("[0, 1].exists_one(x, {{'a': 1 / x, 'b': x, 'c': {}}}.size() == 3)".format, inner),
        st.builds("[0, 1, 2].map(x, {}, dyn({})).size() + [1, 2].filter(y, {}).size() > 1".format, inner, _operands(), inner),
        st.builds("cel.bind(x, {}, {} || x || !x)".format, inner, inner),
        st.builds("cel.bind(x, [1].filter(y, {}), x + [2] == [2] || x == [])".format, inner),
        st.builds("(true ? {} : {}) == dyn([{}][0])".format, inner, _operands(), inner),
    )


_LEAVES = st.one_of(
    st.builds("({} {} {})".format, _operands(), st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), _operands()),
    st.builds('({} in ["vfio", "1.2.3"])'.format, _operands()),
    st.builds("({} in [1, 42])".format, _operands()),
    st.builds("({} in [true])".format, _operands()),
    st.builds('has(device.attributes["{}"].{})'.format, st.sampled_from([_DRIVER, "dra.net"]), NAMES),
    st.builds("{}.startsWith({})".format, _operands(), _operands()),
    st.builds('{}.matches("^v")'.format, _operands()),
    st.builds("({}.compareTo({}) {} 0)".format, _operands(), _operands(), st.sampled_from(["==", "<", ">="])),
    st.builds('["vfio", "a"].exists(x, x == {})'.format, _operands()),
    st.builds("({}.includes({}))".format, _operands(), CONSTANTS),
    st.builds("({} + {} == {})".format, _operands(), _operands(), _operands()),
    _operands(),
)
SCALARS = st.one_of(
    st.sampled_from([{"int": number} for number in (0, 1, 42, 9007199254740993, -(2**63))]),
    st.sampled_from([{"string": text} for text in ("vfio", "1.2.3", "", "true")]),
    st.sampled_from([{"bool": True}, {"bool": False}, {"version": "1.2.3"}, {"version": "1.2.3+b"}, {"ints": [1, 42]}, {"strings": ["vfio"]}]),
)
DEVICES = st.dictionaries(st.sampled_from(["type", "iommuGroup", "vf", "v", "ints", "strs"]), SCALARS)


@given(expression=st.recursive(_LEAVES, _conditions, max_leaves=6), attributes=DEVICES, environment=st.sampled_from(ENVIRONMENTS))
def test_selectors_as_people_write_them(expression: str, attributes: dict[str, dict[str, object]], environment: cel.Environment) -> None:
    """Comparisons of every kind of attribute with every kind of constant, joined in every way, mean the same to both."""
    try:
        program = cel.Program(expression, environment)
    except CompileError:
        return
    assert_agreement(program, Device.from_dict({"name": "device", "attributes": attributes}, driver=_DRIVER))
