"""Names: what the API server accepts, and what it says of the rest."""

from __future__ import annotations

import pytest

from rbln_dra.errors import InvalidName
from rbln_dra.names import (
    DRIVER_NAME,
    Complaint,
    DeviceClassName,
    DeviceName,
    DriverName,
    FullyQualifiedName,
    Name,
    PoolName,
    QualifiedName,
    RequestName,
    device_class_name,
    label_complaints,
)

LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character "
    "(e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
IDENTIFIER = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' "
    "(e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')"
)
UNQUALIFIED = "a fully qualified name must be a domain and a name separated by a slash"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        pytest.param(Name, "node-1.example.com", id="object"),
        pytest.param(Name, "a" * 253, id="longest-object"),
        pytest.param(DriverName, DRIVER_NAME, id="driver"),
        pytest.param(DriverName, "d", id="single-label-driver"),
        pytest.param(DriverName, "NPU.Rebellions.AI", id="capital-driver"),
        pytest.param(DriverName, "\u212a.example", id="kelvin-driver"),
        pytest.param(DriverName, "İ.example", id="dotted-i-driver"),
        pytest.param(DriverName, "d" * 63, id="longest-driver"),
        pytest.param(PoolName, "node-atom", id="pool"),
        pytest.param(PoolName, "rack-1/node.2/x", id="pool-with-slashes"),
        pytest.param(PoolName, "p" * 253, id="longest-pool"),
        pytest.param(DeviceName, "vfio-0000-27-00-0", id="device"),
        pytest.param(DeviceName, "0", id="digit-device"),
        pytest.param(DeviceName, "d" * 63, id="longest-device"),
        pytest.param(RequestName, "npu", id="request"),
        pytest.param(DeviceClassName, device_class_name(DRIVER_NAME), id="class"),
    ],
)
def test_accepts(kind: type[Name], text: str) -> None:
    """A name that the API server accepts is a value that is written as it was read."""
    assert str(kind.parse(text)) == text
    assert kind.complaints(text) == []


@pytest.mark.parametrize(
    ("kind", "text", "reason", "hint"),
    [
        pytest.param(DriverName, "", "Required value", None, id="no-driver"),
        pytest.param(DriverName, "npu_rebellions", SUBDOMAIN, "did you mean npu-rebellions?", id="driver-underscore"),
        pytest.param(DriverName, "d" * 64, "may not be more than 63 bytes", None, id="long-driver"),
        pytest.param(
            DriverName, "é" * 127, f"may not be more than 63 bytes; must be no more than 253 characters; {SUBDOMAIN}", None, id="long-odd-driver"
        ),
        pytest.param(PoolName, "", "Required value", None, id="no-pool"),
        pytest.param(PoolName, "Node", SUBDOMAIN, "did you mean node?", id="capital-pool"),
        pytest.param(PoolName, "a//b", SUBDOMAIN, "did you mean a-b?", id="empty-segment"),
        pytest.param(PoolName, "a/" * 127 + "a", "may not be more than 253 bytes", None, id="long-pool"),
        pytest.param(DeviceName, "", LABEL, None, id="no-device"),
        pytest.param(DeviceName, "npu.0", "must not contain dots", "did you mean npu-0?", id="device-dot"),
        pytest.param(DeviceName, "worker-01-0000:01:00.0", LABEL, "did you mean worker-01-0000-01-00-0?", id="device-address"),
        pytest.param(DeviceName, "d" * 64, "must be no more than 63 characters", None, id="long-device"),
        pytest.param(DeviceName, "x\n", LABEL, "did you mean x?", id="device-newline"),
        pytest.param(DeviceName, "\ud800", LABEL, None, id="device-surrogate"),
        pytest.param(RequestName, "NPU", LABEL, "did you mean npu?", id="capital-request"),
        pytest.param(DeviceClassName, "", "Required value", None, id="no-class"),
        pytest.param(DeviceClassName, "a..b", SUBDOMAIN, "did you mean a-b?", id="class-two-dots"),
        pytest.param(Name, "n" * 254, "must be no more than 253 characters", None, id="long-object"),
    ],
)
def test_refuses(kind: type[Name], text: str, reason: str, hint: str | None) -> None:
    """What the API server refuses is one typed error with its texts, and with what was probably meant."""
    with pytest.raises(InvalidName) as caught:
        kind.parse(text)
    assert caught.value == InvalidName(text, kind.expected, reason, hint=hint)


@pytest.mark.parametrize(
    ("text", "domain", "id"),
    [
        pytest.param("type", None, "type", id="bare"),
        pytest.param("_9", None, "_9", id="underscore"),
        pytest.param("x" * 32, None, "x" * 32, id="longest-id"),
        pytest.param("resource.kubernetes.io/pcieRoot", "resource.kubernetes.io", "pcieRoot", id="standard"),
        pytest.param("d" * 63 + "/x", "d" * 63, "x", id="longest-domain"),
        pytest.param("D.E/x", "D.E", "x", id="capital-domain"),
    ],
)
def test_qualified(text: str, domain: str | None, id: str) -> None:
    """The name of an attribute is an id, or a domain and an id."""
    name = QualifiedName.parse(text)
    assert (name.domain, name.id, str(name)) == (domain, id, text)
    assert str(name.within("d.example")) == (text if domain else f"d.example/{id}")


@pytest.mark.parametrize(
    ("text", "reason", "hint"),
    [
        pytest.param("", IDENTIFIER, None, id="empty"),
        pytest.param("numa-1", IDENTIFIER, "did you mean numa_1?", id="hyphen"),
        pytest.param("socket-268435456", IDENTIFIER, "did you mean socket_268435456?", id="socket"),
        pytest.param("9a", IDENTIFIER, None, id="digit-first"),
        pytest.param("x" * 33, "may not be more than 32 bytes", None, id="long-id"),
        pytest.param("é" * 17, f"may not be more than 32 bytes; {IDENTIFIER}", "did you mean _?", id="long-in-bytes"),
        pytest.param("/x", "the domain must not be empty", None, id="no-domain"),
        pytest.param("d/", "the name must not be empty", None, id="no-id"),
        pytest.param("/", "the domain must not be empty; the name must not be empty", None, id="slash"),
        pytest.param("d" * 64 + "/x", "may not be more than 63 bytes", None, id="long-domain"),
        pytest.param("a_b/x", SUBDOMAIN, None, id="domain-underscore"),
        pytest.param("a/b/c", "must not contain more than one slash", None, id="two-slashes"),
    ],
)
def test_refuses_qualified(text: str, reason: str, hint: str | None) -> None:
    """What the API server refuses as a name of an attribute, or forgets to, is one typed error."""
    with pytest.raises(InvalidName) as caught:
        QualifiedName.parse(text)
    assert (caught.value.value, caught.value.reason, caught.value.hint) == (text, reason, hint)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("numaNode", UNQUALIFIED, id="bare"),
        pytest.param("numa-1", f"{IDENTIFIER}; {UNQUALIFIED}", id="bare-hyphen"),
        pytest.param("", f"{IDENTIFIER}; {UNQUALIFIED}", id="empty"),
        pytest.param("d/", "the name must not be empty", id="no-id"),
        pytest.param("a/b/c", "must not contain more than one slash", id="two-slashes"),
    ],
)
def test_refuses_fully_qualified(text: str, reason: str) -> None:
    """A constraint names an attribute with its domain."""
    with pytest.raises(InvalidName) as caught:
        FullyQualifiedName.parse(text)
    assert caught.value.reason == reason


def test_fully_qualified() -> None:
    """A fully qualified name has two parts and orders by them."""
    name = FullyQualifiedName.parse("npu.rebellions.ai/type")
    assert (name.domain, name.id, str(name)) == ("npu.rebellions.ai", "type", "npu.rebellions.ai/type")
    assert FullyQualifiedName("a.b", "x") < name
    with pytest.raises(InvalidName):
        FullyQualifiedName("a/b", "x")


@pytest.mark.parametrize("text", ["a/b/c", "!/?/ "])
def test_forgotten_slashes(text: str) -> None:
    """The API server, up to 1.37, has nothing to say of a name with several slashes."""
    assert QualifiedName.complaints(text) == []
    assert FullyQualifiedName.complaints(text) == []


def test_complaints() -> None:
    """Complaints are data: the reason and the text of each."""
    assert label_complaints("D" * 64) == [Complaint("Invalid", "must be no more than 63 characters"), Complaint("Invalid", LABEL)]


@pytest.mark.parametrize("text", ["a" * 1_000_000, "a." * 500_000, "a-" * 500_000, "!" * 1_000_000], ids=["label", "dots", "hyphens", "noise"])
def test_bounded(text: str) -> None:
    """A long text is refused in linear time."""
    for kind in (DriverName, PoolName, DeviceName):
        with pytest.raises(InvalidName):
            kind.parse(text)
