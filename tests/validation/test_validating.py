"""The way of an object through the API server: forms, versions, names, namespaces, updates."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import DeviceClass, FieldError, ResourceClaim, ResourceSlice, validate
from rbln_dra.errors import DecodeError, InvalidValue, UnknownKubernetes
from rbln_dra.kubernetes import MINORS

CLASS: dict[str, Any] = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "npu"}, "spec": {}}
CLAIM: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "npu"},
    "spec": {"devices": {"requests": [{"name": "npu", "exactly": {"deviceClassName": "npu"}}]}},
}


def stored(made: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    """Give an object as it is stored."""
    return {**made, "metadata": {**made["metadata"], "resourceVersion": "1", **metadata}}


@pytest.mark.parametrize("minor", MINORS)
def test_good_objects_are_admitted(minor: str) -> None:
    """Nothing is said of what is good, as a mapping or as a value, new or stored again."""
    for made in (CLASS, CLAIM):
        assert validate(made, kubernetes=minor) == ()
        assert validate(stored(made), kubernetes=minor, old=stored(made)) == ()
    assert validate(DeviceClass.from_dict(CLASS), kubernetes=minor) == ()


def test_a_value_speaks_the_version_that_is_asked_for() -> None:
    """Paths of 1.37's declarations are those of the version that the request is in."""
    made = ResourceSlice.from_dict(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": "a"},
            "spec": {
                "driver": "a",
                "nodeName": "a",
                "pool": {"name": "a", "resourceSliceCount": 1},
                "devices": [{"name": "a", "attributes": {"a": {}}}],
            },
        }
    )
    fields = [[each.field for each in validate(made, kubernetes="1.37", version=version)] for version in (None, "v1beta1", "resource.k8s.io/v1beta1")]
    assert fields == [["spec.devices[0].attributes[a]"], ["spec.devices[0].basic.attributes[a]"], ["spec.devices[0].basic.attributes[a]"]]
    with pytest.raises(InvalidValue):
        validate(CLASS, version="v2")
    with pytest.raises(InvalidValue):
        validate(made, version="v2")


@pytest.mark.parametrize("made", [None, [], 1, "x", {}, {"kind": "Pod", "apiVersion": "v1"}, {**CLASS, "spec": []}], ids=str)
def test_what_cannot_be_read(made: object) -> None:
    """What the API server could not read has no field errors: it raises."""
    with pytest.raises(DecodeError):
        validate(made)


def test_an_update_is_of_the_same_kind() -> None:
    """A claim is no update of a class; an old object must be readable too."""
    with pytest.raises(DecodeError):
        validate(CLAIM, old=CLASS)
    with pytest.raises(DecodeError):
        validate(CLAIM, old={})


def test_unknown_minors_are_refused() -> None:
    """A minor that nobody knows raises."""
    with pytest.raises(UnknownKubernetes):
        validate(CLASS, kubernetes="1.20")


def test_names_that_the_server_makes() -> None:
    """An object without a name gets one from `generateName`, which then must be good."""
    assert validate({**CLASS, "metadata": {"generateName": "npu-"}}) == ()
    (error,) = validate({**CLASS, "metadata": {"generateName": "A-"}}, kubernetes="1.36")
    assert error.field == "metadata.name"
    errors = validate({**CLAIM, "metadata": {"generateName": "A_-"}}, kubernetes="1.36")
    assert [each.field for each in errors] == ["metadata.generateName", "metadata.name"]


def test_a_claim_is_in_the_namespace_of_the_request() -> None:
    """A claim that names no namespace is in that of the request, or of what it updates; it cannot be moved."""
    assert validate(CLAIM, namespace="ns") == ()
    assert [each.field for each in validate(CLAIM, namespace="a.b")] == ["metadata.namespace"]
    assert validate(stored(CLAIM), old=stored(CLAIM, namespace="ns")) == ()
    moved = validate(stored(CLAIM, namespace="other"), old=stored(CLAIM, namespace="ns"))
    assert {each.field for each in moved} == {"metadata.namespace"}


@pytest.mark.parametrize("minor", MINORS)
def test_specs_of_claims_are_immutable(minor: str) -> None:
    """Whatever else is right, the spec of a claim cannot change."""
    changed = {**CLAIM, "spec": {"devices": {"requests": []}}}
    (error,) = validate(stored(changed), kubernetes=minor, old=stored(CLAIM))
    assert (error.reason, error.field, error.message.endswith(": field is immutable")) == ("FieldValueInvalid", "spec", True)


def test_admin_access() -> None:
    """Admin access needs the label of the namespace; the path is that of v1beta1."""
    made = ResourceClaim.from_dict(
        {**CLAIM, "spec": {"devices": {"requests": [{"name": "a", "exactly": {"deviceClassName": "a", "adminAccess": True}}]}}}
    )
    text = "Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace"
    assert validate(made) == (FieldError("FieldValueForbidden", "spec.devices.requests[0].adminAccess", text),)
    assert validate(made, admin_access=True) == ()
    assert str(validate(made)[0]) == f"spec.devices.requests[0].adminAccess: {text}"
    assert str(FieldError("InternalError", "", "Internal error")) == "Internal error"


def test_stored_selectors_may_use_what_the_minor_knows() -> None:
    """An expression that an update leaves alone is judged as the scheduler compiles it; a new one as the minor before knows it, too."""
    spec = {"selectors": [{"cel": {"expression": "[3, 1].sort() == [1, 3]"}}]}
    made = {**CLASS, "spec": spec}
    assert [each.field for each in validate(made, kubernetes="1.34")] == ["spec.selectors[0].cel.expression"]
    assert validate(made, kubernetes="1.35") == ()
    lists = {**CLASS, "spec": {"selectors": [{"cel": {"expression": "device.attributes['a'].b.includes('c')"}}]}}
    assert len(validate(lists, kubernetes="1.37")) == 1
    assert validate(stored(lists), kubernetes="1.37", old=stored(lists)) == ()
    bad = {**CLASS, "spec": {"selectors": [{"cel": {"expression": text}} for text in ("a", "'" + "x" * 10240 + "' == ''", _COSTLY)]}}
    for minor in ("1.35", "1.36"):
        again = validate(stored(bad), kubernetes=minor, old=stored(bad))
        assert [each.reason for each in again] == ["FieldValueInvalid", "FieldValueTooLong", "FieldValueForbidden"]
        assert [(each.reason, each.field) for each in validate(bad, kubernetes=minor)] == [(each.reason, each.field) for each in again]


_LIST = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
_COSTLY = f"{_LIST}.all(a, {_LIST}.all(b, {_LIST}.all(c, {_LIST}.all(d, {_LIST}.all(e, {_LIST}.all(f, a + b + c + d + e + f > 0))))))"
