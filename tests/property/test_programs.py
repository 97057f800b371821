"""Programs: any text compiles or is refused, any program judges any device, and nothing else ever happens."""

from __future__ import annotations

from random import Random

from hypothesis import given, strategies as st

from rbln_dra import Device, cel
from rbln_dra.errors import CompileError
from tests.oracle.generate import Generator, device

ENVIRONMENTS = st.builds(cel.Environment, st.sampled_from(["1.34", "1.35", "1.36", "1.37"]), st.sampled_from(["stored", "new"]))
RANDOM = st.randoms(use_true_random=False)


def made(random: Random) -> Device:
    """Make a random device."""
    drawn = device(random)
    return Device.from_dict({"name": "one", **drawn["device"]}, driver=drawn["driver"])


def judged(text: str, environment: cel.Environment, random: Random) -> None:
    """Compile and evaluate; the answer is consistent with itself."""
    try:
        program = cel.compile(text, environment)
    except CompileError as error:
        assert error.message
        assert error.expression in (text, "")
        assert all(issue.line >= -1 and issue.column >= 0 for issue in error.issues)
        return
    assert program.max_cost >= 0
    one = made(random)
    evaluation = program.evaluate(one)
    assert (evaluation.match is None) is (evaluation.error is not None)
    assert evaluation == program.evaluate(one)


class TestEveryTextHasOneAnswer:
    """A program, or one kind of error."""

    @given(st.text(st.characters(exclude_categories=())), ENVIRONMENTS, RANDOM)
    def test_noise(self, text: str, environment: cel.Environment, random: Random) -> None:
        """Half surrogate pairs and control characters included."""
        judged(text, environment, random)

    @given(
        st.lists(st.sampled_from([*"()[]{}.,?:!-+*/%<>=&|\"'`\\", "device", "has", "in", "x", "1", "true", "==", "&&", "map", " "]), max_size=40).map(
            "".join
        ),
        ENVIRONMENTS,
        RANDOM,
    )
    def test_tokens(self, text: str, environment: cel.Environment, random: Random) -> None:
        """What is nearly an expression."""
        judged(text, environment, random)

    @given(RANDOM, ENVIRONMENTS)
    def test_selectors(self, random: Random, environment: cel.Environment) -> None:
        """Well-typed and ill-typed selectors, on random devices."""
        judged(Generator(random, environment).any_selector()[0], environment, random)
