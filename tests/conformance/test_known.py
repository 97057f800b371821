"""What passes for a known difference, and what does not."""

from __future__ import annotations

import pytest

from rbln_dra import Device, Kubernetes, cel

from .known import ORDER, reason
from .selectors import Difference, Vector

ENVIRONMENT = cel.Environment("1.36")
DEVICE = Device.from_dict(
    {"name": "one", "attributes": {"a": {"ints": [1]}, "b": {"bools": [True]}, "c": {"int": 1}, "d": {"version": "x"}, "e": {}}}, driver="d.example"
)
LIST, VERSION = "unsupported attribute value", "parse semantic version: No Major.Minor.Patch elements found"


@pytest.mark.parametrize(
    ("recorded", "ours", "expected"),
    [
        pytest.param(f"attribute b: {LIST}", f"attribute a: {LIST}", ORDER, id="another-list"),
        pytest.param(f"attribute e: {LIST}", f"attribute a: {LIST}", ORDER, id="no-value"),
        pytest.param(f"attribute d: {VERSION}", f"attribute a: {LIST}", ORDER, id="no-version"),
        pytest.param(f"attribute a: {LIST}", f"attribute a: {LIST}!", None, id="the-same-attribute"),
        pytest.param(f"attribute c: {LIST}", f"attribute a: {LIST}", None, id="a-readable-one"),
        pytest.param(f"attribute x: {LIST}", f"attribute a: {LIST}", None, id="none-of-the-device"),
        pytest.param(f"attribute d: {LIST}", f"attribute a: {LIST}", None, id="another-text"),
        pytest.param(f"attribute b: {LIST}", f"attribute c: {LIST}", None, id="ours-is-wrong"),
        pytest.param(f"attribute b: {LIST}", None, None, id="ours-is-no-error"),
        pytest.param("no such key: b", f"attribute a: {LIST}", None, id="another-kind"),
    ],
)
def test_order_of_attributes(recorded: str, ours: str | None, expected: str | None) -> None:
    """Only a text that is exactly right of another unreadable attribute of the same device passes."""
    difference = Difference("1.36/stored", Vector("true", "one", None, {}), "text", recorded, ours)
    assert reason(difference, DEVICE, ENVIRONMENT) == expected


def test_other_aspects_are_never_known() -> None:
    """A verdict or a cost has no excuse; nor has a list where lists can be read."""
    vector = Vector("true", "one", None, {})
    assert reason(Difference("1.36/stored", vector, "verdict", f"attribute b: {LIST}", f"attribute a: {LIST}"), DEVICE, ENVIRONMENT) is None
    lists = cel.Environment(Kubernetes("1.36", gates={"DRAListTypeAttributes": True}))
    assert reason(Difference("1.36/stored+lt", vector, "text", f"attribute b: {LIST}", f"attribute a: {LIST}"), DEVICE, lists) is None
