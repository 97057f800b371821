"""Sorting as Go does it: equal elements, recorded from Kubernetes' evaluator, and every way that the algorithm can take."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, strategies

from rbln_dra.cel.library.sorting import Order, sorted_by


@pytest.mark.parametrize(
    ("length", "kinds", "places"),
    [
        pytest.param(12, 2, (0, 2, 3, 5, 6, 8, 9, 11, 1, 4, 7, 10), id="short"),
        pytest.param(20, 2, (15, 14, 2, 3, 18, 5, 6, 17, 9, 8, 12, 11, 0, 1, 13, 10, 16, 7, 4, 19), id="medium"),
        pytest.param(
            60,
            3,
            (
                *(23, 59, 54, 52, 50, 5, 45, 7, 0, 9, 43, 41, 36, 34, 14, 32, 16, 27, 18, 25, 44, 39, 1, 57, 55, 19, 26, 17, 28, 53),
                *(30, 3, 48, 46, 8, 35, 12, 37, 10, 21, 4, 11, 42, 38, 13, 6, 33, 47, 49, 15, 31, 51, 40, 29, 2, 24, 56, 20, 58, 22),
            ),
            id="long",
        ),
    ],
)
def test_equal_elements(length: int, kinds: int, places: tuple[int, ...]) -> None:
    """Equal elements end up where Go leaves them."""
    keys = tuple((index * 7 + index // 3) % kinds for index in range(length))
    assert sorted_by(tuple(range(length)), keys) == places


@given(strategies.lists(strategies.integers(0, 9), max_size=300))
def test_order(keys: list[int]) -> None:
    """The keys are in order, and every element is there once."""
    places = sorted_by(tuple(range(len(keys))), tuple(keys))
    assert [keys[place] for place in places] == sorted(keys)
    assert sorted(places) == list(range(len(keys)))


@pytest.mark.parametrize("patience", [0, 1, 9])
@pytest.mark.parametrize(
    "keys",
    [
        pytest.param(list(range(200)), id="sorted"),
        pytest.param(list(range(200, 0, -1)), id="backwards"),
        pytest.param([*range(100), 5, *range(100, 200)], id="nearly-sorted"),
        pytest.param([*range(198), 0, 500, 1], id="nearly-sorted-at-the-end"),
        pytest.param([*range(1, 200), 0], id="last-is-least"),
        pytest.param([500, *range(200)], id="first-is-greatest"),
        pytest.param([x ^ 1 for x in range(200)], id="pairs"),
        pytest.param([x ^ 1 if x < 16 else x for x in range(200)], id="few-pairs"),
        pytest.param([x % 100 for x in range(200)], id="twice"),
        pytest.param([*range(0, 200, 2), *range(1, 200, 2)], id="interleaved"),
        pytest.param([0] * 190 + list(range(10)), id="mostly-equal"),
        pytest.param([7, *([0] * 60), *range(60)], id="unbalanced"),
        pytest.param(random.Random(1).sample(range(400), 300), id="random"),
        pytest.param([min(x, 200 - x) for x in range(200)], id="pipe"),
    ],
)
def test_ways(keys: list[int], patience: int) -> None:
    """Whatever the keys look like, and however soon the heap takes over, they are in order."""
    order = Order(tuple(keys))
    order.sort(0, len(keys), patience)
    assert order.keys == sorted(keys)


def test_no_numbers() -> None:
    """What is no number is neither less nor greater, and nothing is lost."""
    keys = tuple(math.nan if index % 5 == 0 else float(-index) for index in range(40))
    assert sorted(sorted_by(tuple(range(40)), keys)) == list(range(40))


def test_very_long() -> None:
    """Very many equal elements stay in their order."""
    assert sorted_by(tuple(range(20_000)), (0,) * 20_000) == tuple(range(20_000))
