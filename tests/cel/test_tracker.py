"""The cost tracker's stack."""

from __future__ import annotations

import pytest

from rbln_dra.cel.tracker import Recorder, Tracker, Uncounted
from rbln_dra.cel.values import CostLimitExceeded


def test_taking_arguments() -> None:
    """The arguments of a call come off from the last to the first, with everything above each."""
    tracker = Tracker(10)
    for node, value in ((1, "a"), (2, "b"), (3, "c"), (4, "d")):
        tracker.push(node, value)
    assert tracker.take([1, 3]) == ("a", "c")
    assert tracker.take([1]) is None
    assert tracker.take([]) == ()


def test_an_argument_that_is_missing() -> None:
    """A call whose last argument is not there takes nothing; one whose first is not there has taken the last."""
    tracker = Tracker(10)
    tracker.push(1, "a")
    tracker.push(2, "b")
    assert tracker.take([1, 9]) is None
    assert tracker.take([9, 2]) is None
    assert tracker.take([1]) == ("a",)


def test_dropping() -> None:
    """Dropping a node drops what is above it; a node that is not there is no matter."""
    tracker = Tracker(10)
    for node in (1, 2, 1, 3):
        tracker.push(node, node)
    tracker.drop(9)
    tracker.drop(1)
    assert tracker.take([1, 2]) == (1, 2)


def test_the_limit() -> None:
    """The limit itself may be reached."""
    tracker = Tracker(3)
    tracker.cost = 3
    tracker.push(1, None)
    tracker.cost = 4
    with pytest.raises(CostLimitExceeded, match="operation cancelled: actual cost limit exceeded"):
        tracker.push(1, None)


def test_recording() -> None:
    """A recorder keeps the last value of each node, also of the step that ends the evaluation."""
    recorder = Recorder(0)
    recorder.push(1, "a")
    recorder.cost = 1
    with pytest.raises(CostLimitExceeded):
        recorder.push(1, "b")
    assert recorder.seen == {1: "b"}


def test_not_counting() -> None:
    """What is not counted is not kept."""
    tracker = Uncounted()
    tracker.push(1, "a")
    assert tracker.take([1]) is None
