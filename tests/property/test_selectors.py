"""What holds of every selector on every device: an explanation has the verdict, ends, and guards as it says."""

from __future__ import annotations

from typing import Any

from hypothesis import given, strategies as st

from rbln_dra.cel.environment import Environment
from rbln_dra.devices import Device
from rbln_dra.selectors import Selector, Verdict

A = 'device.attributes["npu.rebellions.ai"]'
ENVIRONMENT = Environment("1.36")
NAMES = st.sampled_from(["type", "vf", "iommuGroup", "version", "nosuch"])
CONSTANTS = st.sampled_from(['"vfio"', "42", "true", 'semver("1.2.3")', "[1, 2]", 'quantity("1Gi")'])

ATOMS = st.one_of(
    st.builds("{0}.{1} == {2}".format, st.just(A), NAMES, CONSTANTS),
    st.builds("{1} in {0}.{2}".format, st.just(A), CONSTANTS, NAMES),
    st.builds("has({0}.{1})".format, st.just(A), NAMES),
    st.builds("{0}.{1}".format, st.just(A), NAMES),
    st.builds("cel.bind(d, {0}, d.{1} == {2})".format, st.just(A), NAMES, CONSTANTS),
    st.builds('{0}.exists(k, k == "{1}")'.format, st.just(A), NAMES),
    st.builds('{0}.?{1}.orValue("x") == {2}'.format, st.just(A), NAMES, CONSTANTS),
    st.sampled_from(["true", "false", 'device.driver == "npu.rebellions.ai"', "1 / 0 == 1"]),
)
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("({} && {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
        st.builds("!({})".format, inner),
        st.builds("(({0}) == true ? ({1}) == true : ({2}) == true)".format, inner, inner, inner),
    ),
    max_leaves=5,
)
VALUES: dict[str, dict[str, Any]] = {
    "type": {"string": "vfio"},
    "vf": {"bool": True},
    "iommuGroup": {"int": 42},
    "version": {"version": "1.2.3"},
    "list": {"ints": [1]},
    "npu.rebellions.ai/x": {"string": "x"},
}


def device_with(names: frozenset[str]) -> Device:
    """Make a device with some of the values."""
    return Device.from_dict({"name": "d", "attributes": {name: VALUES[name] for name in names}}, driver="npu.rebellions.ai")


DEVICES = st.frozensets(st.sampled_from(sorted(VALUES))).map(device_with)


@given(EXPRESSIONS, DEVICES)
def test_explanation(expression: str, device: Device) -> None:
    """The explanation has the verdict and the cost of the evaluation, and one line for each step."""
    selector = Selector(expression, ENVIRONMENT)
    judgement, explanation = selector.judge(device), selector.explain(device)
    assert (explanation.verdict, explanation.cost) == (judgement.verdict, judgement.cost)
    assert (explanation.error is None) is (judgement.verdict is not Verdict.ERROR)
    assert len(str(explanation).splitlines()) == len(explanation.steps) + 2
    assert "\n" not in explanation.reason
    if explanation.steps and explanation.steps[0].evaluated and judgement.error is None:
        assert explanation.steps[0].result == ("true" if judgement.verdict is Verdict.MATCH else "false")


@given(EXPRESSIONS, DEVICES)
def test_guarded(expression: str, device: Device) -> None:
    """A rewrite compiles, and the key that it asks for is no longer what the device lacks."""
    explanation = Selector(expression, ENVIRONMENT).explain(device)
    if explanation.hint is not None and explanation.hint.rewrite is not None:
        again = Selector(explanation.hint.rewrite, ENVIRONMENT).explain(device)
        assert again.hint is None or again.hint.key != explanation.hint.key


@given(EXPRESSIONS)
def test_lint(expression: str) -> None:
    """Whatever compiles can be linted; advice is in its order and within the text."""
    given_advice = Selector(expression, ENVIRONMENT).lint()
    assert [advice.offset for advice in given_advice] == sorted(advice.offset for advice in given_advice)
    assert all(0 <= advice.offset < len(expression) for advice in given_advice)
