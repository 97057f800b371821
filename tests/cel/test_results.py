"""From a value to a verdict: what is no bool is an error, in Kubernetes' words."""

from __future__ import annotations

import pytest

from rbln_dra.cel.ast import Uint
from rbln_dra.cel.results import match_of
from rbln_dra.cel.types import INT
from rbln_dra.cel.values import CELError, Duration, Map, Optional, Timestamp, Value
from rbln_dra.quantity import Quantity
from rbln_dra.semver import Semver


@pytest.mark.parametrize(("value", "match"), [(True, True), (False, False), (Optional(True), True), (Optional(Optional(False)), False)])
def test_a_bool_is_a_verdict(value: Value, match: bool) -> None:
    """So is an optional that holds one."""
    assert match_of(value) is match


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("true", "CEL result of type string could not be converted to bool: unsupported native conversion from string to 'bool'"),
        (1, "CEL result of type int could not be converted to bool: unsupported type conversion from 'int' to bool"),
        (Uint(1), "CEL result of type uint could not be converted to bool: unsupported type conversion from 'uint' to bool"),
        (1.0, "CEL result of type double could not be converted to bool: type conversion error from Double to 'bool'"),
        (b"a", "CEL result of type bytes could not be converted to bool: type conversion error from Bytes to 'bool'"),
        (None, "CEL result of type null_type could not be converted to bool: type conversion error from 'null_type' to 'bool'"),
        ((1,), "CEL result of type list could not be converted to bool: type conversion error from list to 'bool'"),
        (Map([("a", 1)]), "CEL result of type map could not be converted to bool: type conversion error from map to 'bool'"),
        (INT, "CEL result of type type could not be converted to bool: type conversion not supported for 'type'"),
        (Optional(), "CEL result of type optional_type could not be converted to bool: optional.none() dereference"),
        (Optional("a"), "CEL result of type optional_type could not be converted to bool: unsupported native conversion from string to 'bool'"),
        (Optional(CELError("no such key: a")), "CEL result of type optional_type could not be converted to bool: no such key: a"),
        (Duration(1), "CEL result of type google.protobuf.Duration could not be converted to bool: type conversion error from 'Duration' to 'bool'"),
        (
            Timestamp(1),
            "CEL result of type google.protobuf.Timestamp could not be converted to bool: type conversion error from 'Timestamp' to 'bool'",
        ),
        (
            Quantity.parse("1"),
            "CEL result of type kubernetes.Quantity could not be converted to bool: type conversion error from 'Quantity' to 'bool'",
        ),
        (Semver.parse("1.2.3"), "CEL result of type kubernetes.Semver could not be converted to bool: type conversion error from 'Semver' to 'bool'"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_anything_else_is_an_error(value: Value, text: str) -> None:
    """It names the value's type, and what cel-go says of the conversion."""
    with pytest.raises(CELError) as caught:
        match_of(value)
    assert caught.value.message == text
