"""Whatever stands anywhere in an object: it cannot be read, or has field errors; nothing else ever happens."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from rbln_dra import validate
from rbln_dra.documents import documents
from rbln_dra.errors import DecodeError
from rbln_dra.kubernetes import MINORS
from rbln_dra.resources import read
from rbln_dra.validation import advise
from tests.oracle import mutations

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text() | st.sampled_from(mutations.DOMAINS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text() | st.sampled_from(mutations.NAMES), inner, max_size=4),
    max_leaves=8,
)


def judge(made: Any, minor: str, old: Any = None) -> None:
    """Judge an object; the only exception that may leave is that of what cannot be read."""
    try:
        errors = validate(made, kubernetes=minor, old=old, namespace="ns")
    except DecodeError as error:
        assert "\n" not in str(error)
        return
    assert all(each.reason and each.message for each in errors)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.randoms(use_true_random=False), st.sampled_from(MINORS), st.sampled_from(mutations.KINDS), st.sampled_from(mutations.VERSIONS), JSON)
def test_any_value_in_any_place(random: Random, minor: str, kind: str, version: str, value: Any) -> None:
    """Any JSON value in any place of an object gives a decode error or field errors."""
    made = mutations.in_version(mutations.good(random, kind), version)
    old = mutations.in_version(mutations.good(random, kind), version)
    container, key = random.choice(mutations.places(made))
    container[key] = value
    judge(made, minor)
    judge(made, minor, old)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.sampled_from(MINORS), JSON)
def test_any_value_in_any_place_of_a_status(seed: int, minor: str, value: Any) -> None:
    """So does any JSON value in any place of an update of a claim's status, or of what is stored of the claim; and advice is given on all that can be read."""
    random = Random(seed)
    question = mutations.status_question(random, minor)
    container, key = random.choice(mutations.places({name: question[name] for name in ("object", "old")})[2:])
    container[key] = value
    try:
        errors = validate(question["object"], kubernetes=minor, old=question["old"], namespace="ns", subresource="status")
    except DecodeError as error:
        assert "\n" not in str(error)
        return
    assert all(each.reason and each.message for each in errors)
    assert all(each.message for each in advise(question["object"], question["old"], kubernetes=minor))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.sampled_from(MINORS))
def test_any_repeated_keys(seed: int, minor: str) -> None:
    """So do JSON texts whose objects repeat keys, with values of all kinds."""
    (made,) = documents(mutations.repeating_text(Random(seed)))
    judge(made, minor)


@settings(max_examples=200, deadline=None)
@given(JSON, st.sampled_from(MINORS))
def test_any_value_at_all(value: Any, minor: str) -> None:
    """So does any JSON value in place of an object."""
    judge(value, minor)


def test_large_objects_are_judged_quickly() -> None:
    """Ten megabytes of devices are too many, said at once."""
    devices = [{"name": f"d{number}", "attributes": {"a": {"string": "x" * 900}}} for number in range(10_000)]
    spec = {"driver": "a", "nodeName": "a", "pool": {"name": "a", "resourceSliceCount": 1}, "devices": devices}
    start = time.perf_counter()
    errors = validate({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "a"}, "spec": spec})
    assert [each.reason for each in errors] == ["FieldValueTooMany"]
    assert time.perf_counter() - start < 10


def test_large_statuses_are_judged_quickly() -> None:
    """Thousands of devices, each named twice, and thousands of consumers."""
    claim = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "a", "resourceVersion": "1"},
        "spec": {"devices": {"requests": []}},
    }
    devices = [{"driver": "a", "pool": "a", "device": f"d{number % 5000}"} for number in range(10_000)]
    consumers = [{"resource": "pods", "name": "a", "uid": str(number)} for number in range(10_000)]
    start = time.perf_counter()
    errors = validate({**claim, "status": {"devices": devices, "reservedFor": consumers}}, old=claim, subresource="status", kubernetes="1.37")
    assert len(errors) == 10_000 + 5_000 + 2
    assert time.perf_counter() - start < 10


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x]\n" + "".join(f"{chr(98 + level)}: &{chr(98 + level)} [{', '.join([f'*{chr(97 + level)}'] * 9)}]\n" for level in range(12)),
        "[" * 100_000,
        "{a: " * 5_000,
    ],
    ids=["bomb", "brackets", "braces"],
)
def test_bombs_are_refused(text: str) -> None:
    """What unfolds or nests without end is a decode error, at once."""
    start = time.perf_counter()
    with pytest.raises(DecodeError):
        read(text)
    assert time.perf_counter() - start < 10
