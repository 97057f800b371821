"""Adaptive prediction: what only an odd input shows."""

from __future__ import annotations

import pytest

from rbln_dra.cel import prediction
from rbln_dra.cel.diagnosis import complaints
from rbln_dra.cel.grammar import EOF, RULES, TYPES, show
from rbln_dra.cel.macros import MACROS
from rbln_dra.cel.prediction import DECISIONS, NOTHING, Config, Decision, NoWay, Predictor
from rbln_dra.cel.tokens import TokenStream


def test_stacks_join() -> None:
    """Stacks with the same states are one; without the entered rules, the empty stack swallows all."""
    predictor = Predictor()
    first, second = RULES["expr"].start, RULES["member"].start
    one, two = predictor.push(NOTHING, first), predictor.push(NOTHING, second)
    assert predictor.push(NOTHING, first) is one
    assert predictor.merge(one, one, entered=False) is one
    assert predictor.merge(one, NOTHING, entered=False) is NOTHING
    assert predictor.merge(one, NOTHING, entered=True) is one
    assert predictor.merge(NOTHING, two, entered=True) is two
    joined = predictor.merge(one, two, entered=True)
    assert joined.below == ((first, NOTHING), (second, NOTHING))
    assert predictor.merge(two, one, entered=True) is joined
    deep = predictor.merge(predictor.push(one, first), predictor.push(two, first), entered=True)
    assert deep.below == ((first, joined),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a", 1), ("a.b", 1), ("a(", 2), ("(", 3), ("[", 4), ("{", 5), ("a.b.c{", 6), ("1", 7), ("- 1", 7), ("a b", 1), ("a.1", 1)],
)
def test_primary(text: str, expected: int) -> None:
    """The alternatives of a primary are told apart, however far away the difference is."""
    decision = DECISIONS[RULES["primary"].body[0].state]
    assert Predictor().predict(decision, TokenStream(text), 0, lambda: NOTHING) == expected


def test_no_way() -> None:
    """Where no alternative is possible, the token is told at which that was seen."""
    decision = DECISIONS[RULES["primary"].body[0].state]
    with pytest.raises(NoWay) as caught:
        Predictor().predict(decision, TokenStream(". 1"), 0, lambda: NOTHING)
    assert caught.value.ahead == 2


def test_knowledge_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found out is thrown away when it becomes too much, and found out again."""
    expected = complaints("a.b.c[ 1 2", backticks=False, macros=MACROS)
    monkeypatch.setattr(prediction, "MOST_ENTRIES", 10)
    for _ in range(2):
        assert complaints("a.b.c[ 1 2", backticks=False, macros=MACROS) == expected


def test_the_end_stays_the_end() -> None:
    """What has come to the end of the text stays there, whatever is looked at; without the entered rules only at the end."""
    predictor = Predictor()
    before, stop = RULES["start"].body[1].state, RULES["start"].stop
    for entered in (False, True):
        reached = predictor._reach([Config(before, 1, NOTHING)], EOF, entered=entered)  # pyright: ignore[reportPrivateUsage]
        assert [config.state for config in reached] == [stop]
        again = predictor._reach(reached, EOF, entered=entered)  # pyright: ignore[reportPrivateUsage]
        assert [config.state for config in again] == [stop]
        assert bool(predictor._reach(reached, TYPES["("], entered=entered)) == entered  # pyright: ignore[reportPrivateUsage]


def test_ways_that_are_the_same() -> None:
    """Of ways that no token tells apart, the first is taken."""
    way = RULES["start"].body[1].state
    assert Predictor().predict(Decision(way, [way, way]), TokenStream(""), 0, lambda: NOTHING) == 1


def test_no_way_by_the_entered_rules() -> None:
    """With the entered rules, the first token is told, as the Go runtime does."""
    predictor = Predictor()
    decision = DECISIONS[RULES["primary"].body[0].state]
    with pytest.raises(NoWay) as caught:
        predictor._predict_with(decision, TokenStream(". 1"), 0, NOTHING)  # pyright: ignore[reportPrivateUsage]
    assert caught.value.ahead == 1


@pytest.mark.parametrize(
    ("types", "expected"),
    [({EOF}, "<EOF>"), ({TYPES["("]}, "'('"), ({TYPES["IDENTIFIER"], EOF, TYPES[","]}, "{<EOF>, ',', IDENTIFIER}")],
)
def test_show(types: set[int], expected: str) -> None:
    """Types are shown as ANTLR shows them."""
    assert show(types) == expected
