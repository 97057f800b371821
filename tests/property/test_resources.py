"""
Room: the objects of resource.k8s.io, with anything in any place.

May touch: `resources`.
"""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings, strategies as st

from rbln_dra import Device, Kubernetes
from rbln_dra.devices import DeviceTaint
from rbln_dra.errors import DecodeError, Error
from rbln_dra.kubernetes import MINORS
from rbln_dra.names import DRIVER_NAME
from rbln_dra.resources import KINDS, VERSIONS, Object, drop_disabled, from_dict, most_devices, pool_slices, read, stored

from ..resources.examples import full

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["", "16Gi", "2026-01-31T09:30:00Z", "All"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.sampled_from(["name", "value", "cel"]), inner, max_size=3),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Give the way to each value in an object."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [way for key, item in inner for way in [(*path, key), *places(item, (*path, key))]]


def of(obj: Any, way: tuple[Any, ...]) -> Any:
    """Go a way."""
    for key in way:
        obj = obj[key]
    return obj


@st.composite
def objects(draw: st.DrawFn) -> dict[str, Any]:
    """Change an object with every field in a few places: another value, nothing, or something beside."""
    made: dict[str, Any] = copy.deepcopy(full(draw(st.sampled_from(KINDS)), draw(st.sampled_from(VERSIONS))))
    for _ in range(draw(st.integers(0, 3))):
        *way, last = draw(st.sampled_from(places(made)))
        container = of(made, tuple(way))
        if draw(st.booleans()):
            container[last] = draw(JSON)
        else:
            del container[last]
    return made


def readable(obj: object, **options: Any) -> Object | None:
    """Read an object; `None` when the API server could not."""
    try:
        return from_dict(obj, **options)
    except DecodeError:
        return None


class TestAnyJSONInAnyPlace:
    """An object is read, or there is one error that says where."""

    @given(JSON)
    def test_alone(self, value: Any) -> None:
        """Anything at all is an object, a list of them, or a `DecodeError`."""
        try:
            found = read(value)
        except DecodeError as error:
            assert "\n" not in str(error)
        else:
            assert found == ()

    @settings(max_examples=300)
    @given(objects(), st.sampled_from([None, *MINORS]), st.booleans())
    def test_inside(self, obj: dict[str, Any], minor: str | None, strict: bool) -> None:
        """The error is one line, and its place one of the object."""
        try:
            from_dict(obj, kubernetes=minor, strict=strict)
        except DecodeError as error:
            assert "\n" not in str(error)
            assert len(str(error)) < 2000

    @given(st.text())
    def test_texts(self, text: str) -> None:
        """A text is objects, or one of our errors."""
        try:
            read(text, strict=True)
        except Error as error:
            assert "\n" not in str(error)


class TestVersions:
    """What one version holds, the others hold."""

    @settings(max_examples=200)
    @given(objects())
    def test_there_and_back(self, obj: dict[str, Any]) -> None:
        """A value is the same after a way through its own version, and v1beta2 and v1 differ in nothing but their name."""
        value = readable(obj)
        if value is not None:
            version = obj["apiVersion"]
            again = from_dict(value.to_dict(version))
            assert again.to_dict(version) == value.to_dict(version)
            assert from_dict(value.to_dict("v1beta2")) == from_dict(value.to_dict("v1"))
            assert {**value.to_dict("v1beta2"), "apiVersion": ""} == {**value.to_dict("v1"), "apiVersion": ""}

    @settings(max_examples=100)
    @given(objects())
    def test_text(self, obj: dict[str, Any]) -> None:
        """A value is the same after a way through JSON."""
        value = readable(obj)
        if value is not None:
            written = value.to_dict()
            assert [each.to_dict() for each in read(json.dumps(written))] == [from_dict(written).to_dict()]


class TestStoring:
    """What is stored once stays."""

    @settings(max_examples=100)
    @given(objects(), st.sampled_from(MINORS))
    def test_twice(self, obj: dict[str, Any], minor: str) -> None:
        """Dropping drops once, and storing what is stored changes nothing."""
        value = readable(obj, kubernetes=minor)
        if value is not None:
            kept = drop_disabled(value, kubernetes=minor)
            assert drop_disabled(kept, kubernetes=minor) == kept
            assert drop_disabled(value, kubernetes=minor, old=value) == value
            first = stored(value, kubernetes=minor)
            assert stored(first, kubernetes=minor, old=first) == first


class TestPools:
    """A pool's slices hold its devices, whatever there was before."""

    @settings(max_examples=50)
    @given(st.lists(st.integers(0, 200), min_size=1, max_size=4), st.sampled_from(MINORS), st.booleans())
    def test_history(self, counts: list[int], minor: str, tainted: bool) -> None:
        """All devices are there in order, no slice is too large, names are unique, and a generation counts the changes."""
        release = Kubernetes.of(minor)
        taints = (DeviceTaint("example.com/a", "NoSchedule"),) if tainted else ()
        slices: Any = ()
        generation, before = 0, -1
        for count in counts:
            wanted = [Device(f"d{number}", DRIVER_NAME, taints=taints) for number in range(count)]
            slices = pool_slices(wanted, node="n", previous=slices, kubernetes=release)
            generation, before = generation + (count != before), count
            devices = [device for each in slices for device in each.spec.devices]
            assert [device.name for device in devices] == [device.name for device in wanted]
            assert {each.spec.pool.generation for each in slices} == {generation}
            assert {each.spec.pool.resource_slice_count for each in slices} == {len(slices)}
            assert len({each.metadata.name for each in slices}) == len(slices)
            assert all(len(each.spec.devices) <= most_devices(devices, kubernetes=release) for each in slices)
