"""Evaluation: whatever is parsed, checked and planned gives a value or an error of CEL, the same every time, and nothing else ever happens."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, strategies as st

from rbln_dra import Device, cel
from rbln_dra.attributes import DeviceAttribute
from rbln_dra.cel import checker, interpreter, syntax, types
from rbln_dra.cel.types import DYN, Type
from rbln_dra.cel.values import COST_LIMIT, CELError, Map
from rbln_dra.errors import CompileError, DecodeError, Unsupported
from tests.oracle.generate import Generator
from tests.property.test_syntax import EXPRESSIONS
from tests.property.test_values import VALUES

ENVIRONMENTS = st.builds(cel.Environment, st.sampled_from(["1.34", "1.35", "1.36", "1.37"]), st.sampled_from(["stored", "new"]))
RANDOM = st.randoms(use_true_random=False)
NAMES = ("a", "b", "x", "y", "k", "v")
ACTIVATIONS = st.fixed_dictionaries({}, optional=dict.fromkeys((*NAMES, "device", "optional"), VALUES))
#: Some expressions are doubled at each level; what is too long to be shown is too long to be understood.
SHORT = EXPRESSIONS.filter(lambda text: len(text) < 2_000)
#: Every kind of result, most of which are no verdict.
RESULTS = (
    types.BOOL,
    types.INT,
    types.STRING,
    types.DOUBLE,
    types.list_of(types.INT),
    types.map_of(types.STRING, DYN),
    types.DURATION,
    types.TYPE,
    DYN,
)
#: More than any of the generated expressions costs.
AMPLE = 10**9


def settled(text: str, environment: cel.Environment, activation: dict[str, Any]) -> None:
    """Compile and evaluate: one answer, the same every time; with less cost to spend, the same or none."""
    named = environment.with_names(variables=dict.fromkeys((*NAMES, "device", "optional"), DYN))
    try:
        node = syntax.parse(text, backticks=named.backticks, macros=named.macros)
        plan = interpreter.plan(checker.check(node, text, named))
    except (CompileError, Unsupported):
        return
    try:
        outcome = plan.evaluate(activation, AMPLE)
    except Unsupported:
        return
    assert outcome.error is None or isinstance(outcome.error, CELError)
    assert not isinstance(outcome.value, CELError)
    message = outcome.error and outcome.error.message
    again = plan.evaluate(activation, AMPLE)
    assert (again.cost, again.error and again.error.message) == (outcome.cost, message)
    halved = plan.evaluate(activation, outcome.cost // 2)
    assert (halved.error and halved.error.message) in (message, COST_LIMIT)
    seen = plan.trace(activation)
    assert node.id in seen or outcome.error is not None


class TestOneAnswer:
    """A value, or one kind of error."""

    @given(SHORT, ENVIRONMENTS, ACTIVATIONS)
    def test_any_syntax(self, text: str, environment: cel.Environment, activation: dict[str, Any]) -> None:
        """Expressions that make no sense, with variables of any value and without."""
        settled(text, environment, activation)

    @given(RANDOM, ENVIRONMENTS, st.sampled_from(RESULTS), ACTIVATIONS)
    def test_any_type(self, random: Random, environment: cel.Environment, wanted: Type, activation: dict[str, Any]) -> None:
        """Expressions of every type, over a device that is anything."""
        settled(Generator(random, environment).of(wanted, random.choice((1, 2, 3))), environment, activation)


TEXTS = st.one_of(
    st.binary().map(lambda content: content.decode("utf-8", "surrogateescape")),
    st.binary().map(lambda content: content.decode("utf-16-le", "surrogatepass") if len(content) % 2 == 0 else ""),
    st.binary().map(lambda content: content.decode("latin-1")),
)


@given(TEXTS, ENVIRONMENTS)
def test_bytes_as_texts(text: str, environment: cel.Environment) -> None:
    """What was no text, read as one."""
    settled(text, environment, {})
    settled(f'"{text}" == r"{text}"', environment, {})
    settled(f"a.`{text}`", environment, {"a": Map([(text, 1)])})


ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
ATTRIBUTES = st.one_of(
    st.builds(DeviceAttribute, string_value=ANY_TEXT),
    st.builds(DeviceAttribute, version_value=st.one_of(ANY_TEXT, st.from_regex(r"\A[0-9]{1,30}\.[0-9]\.[0-9](-[a-z0-9.]{1,5})?\Z"))),
    st.builds(DeviceAttribute, int_value=st.integers(-(2**63), 2**63 - 1)),
    st.builds(DeviceAttribute, bool_value=st.booleans()),
    st.builds(DeviceAttribute, string_values=st.lists(ANY_TEXT, max_size=3).map(tuple)),
    st.builds(DeviceAttribute, int_values=st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3).map(tuple)),
    st.builds(DeviceAttribute, version_values=st.lists(ANY_TEXT, max_size=3).map(tuple)),
    st.just(DeviceAttribute()),
)


@given(
    st.dictionaries(
        st.one_of(ANY_TEXT, st.sampled_from(["type", "i", "s", "v", "vf", "npu.rebellions.ai/type", "a/b/c", "/", ""])), ATTRIBUTES, max_size=6
    ),
    st.dictionaries(st.sampled_from(["memory", "cores"]), st.from_regex(r"\A-?[0-9]{1,40}(\.[0-9]{1,40})?(Ki|Gi|m|k|e[0-9]{1,9})?\Z"), max_size=2),
    ANY_TEXT,
    RANDOM,
    ENVIRONMENTS,
)
def test_odd_devices(
    attributes: dict[str, DeviceAttribute], capacity: dict[str, str], driver: str, random: Random, environment: cel.Environment
) -> None:
    """Devices that no API server would admit are judged as any other."""
    wire = {"name": "one", "capacity": {name: {"value": text} for name, text in capacity.items()}}
    try:
        held = Device.from_dict(wire, driver=driver).capacity
    except DecodeError:
        held = {}
    device = Device(name="one", driver=driver, attributes=attributes, capacity=held)
    try:
        program = cel.compile(Generator(random, environment).any_selector()[0], environment)
    except CompileError:
        return
    evaluation = program.evaluate(device)
    assert (evaluation.match is None) is (evaluation.error is not None)
    assert program.evaluate(device) == evaluation
