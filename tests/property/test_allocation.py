"""Random allocations: what a search remembers, and where it sees that it is at a dead end, changes no answer."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rbln_dra.allocation import AllocationError, Cluster, SearchLimitExceeded
from rbln_dra.allocation.results import conclude
from rbln_dra.allocation.search import Search
from rbln_dra.allocation.wishes import Setting, demands
from tests.oracle.allocations import Question, questions

#: How many allocations a minor.
COUNT = 250
#: How many steps a search that remembers nothing may take.
STEPS = 3000


def setting_of(question: Question) -> Setting:
    """Give what the search for an allocation is about."""
    given = question.objects
    cluster = Cluster(classes=given["classes"], slices=given["slices"], kubernetes=question.release)
    return cluster._setting(given["claims"], node=given["node"], in_use=question.in_use())


def answer(setting: Setting, *, patience: int, steps: int) -> object:
    """Search, remembering after so many devices that led nowhere; `None` when it takes too long."""
    try:
        found: Any = conclude(Search(setting, demands(setting), steps=steps, patience=patience))
    except SearchLimitExceeded:
        return None
    except AllocationError as error:
        return error.message
    return [each.to_dict() for each in found or ()]


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36", "1.37"])
def test_remembering(minor: str) -> None:
    """A search that remembers from the first device on gives what one gives that never does, unless that one takes too long."""
    compared = 0
    for question in questions(minor, COUNT, Random(f"remembering/{minor}")):
        try:
            setting = setting_of(question)
            expected = answer(setting, patience=STEPS, steps=STEPS)
        except AllocationError:
            continue
        if expected is not None:
            compared += 1
            # To look for a state counts as several steps.
            assert answer(setting, patience=0, steps=20 * STEPS) == expected, question
    assert compared > COUNT / 3
