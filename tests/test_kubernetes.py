"""Kubernetes releases: minors, gates with their defaults, what overrides them, and the text of `--feature-gates`."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise
from typing import Any

import pytest
from packaging.version import Version

from rbln_dra.errors import InvalidFeatureGates, UnknownKubernetes
from rbln_dra.kubernetes import DEFAULT, GATES, MINORS, Kubernetes, Setting, format_feature_gates, parse_feature_gates

KNOWN = "a Kubernetes minor from 1.34 to 1.37"

#: Gate → on by default in 1.34, 1.35, 1.36, 1.37, as the released components have it; `?` says that the minor does not know the gate.
DEFAULTS = {
    "DRAAdminAccess": "1111",
    "DRAConsumableCapacity": "0011",
    "DRADerivedAttributes": "???0",
    "DRADeviceBindingConditions": "0011",
    "DRADeviceCompatibilityGroups": "???0",
    "DRADeviceTaintRules": "?001",
    "DRADeviceTaints": "0011",
    "DRAExtendedResource": "0011",
    "DRAFractionalCapacityRange": "???0",
    "DRAListTypeAttributes": "??00",
    "DRANodeAllocatableResources": "??00",
    "DRAOptionalNodeOperations": "???0",
    "DRAPartitionableDevices": "0011",
    "DRAPartitionableDevicesType": "???0",
    "DRAPrioritizedList": "1111",
    "DRAResourceClaimDeviceStatus": "1111",
    "DRAResourceClaimGranularStatusAuthorization": "??11",
    "DRAResourcePoolStatus": "??00",
    "DRASchedulerFilterTimeout": "1111",
    "DRAWorkloadResourceClaims": "??00",
    "DynamicResourceAllocation": "1111",
    "GenericWorkload": "?000",
    "KubeletPodResourcesDynamicResources": "1111",
    "KubeletPodResourcesGet": "1111",
    "NodeDeclaredFeatures": "?011",
    "ResourceHealthStatus": "0011",
    "ResourceHealthStatusMessage": "??11",
}
LOCKED = {
    "1.34": set[str](),
    "1.35": {"DynamicResourceAllocation"},
    "1.36": {"DynamicResourceAllocation", "DRAAdminAccess", "KubeletPodResourcesDynamicResources", "KubeletPodResourcesGet"},
    "1.37": {
        "DynamicResourceAllocation",
        "DRAAdminAccess",
        "DRAExtendedResource",
        "DRAPrioritizedList",
        "DRAResourceClaimDeviceStatus",
        "KubeletPodResourcesDynamicResources",
        "KubeletPodResourcesGet",
        "NodeDeclaredFeatures",
    },
}


@pytest.mark.parametrize("minor", MINORS)
def test_defaults(minor: str) -> None:
    """Every gate has, in every minor, the default of the released components; one that the minor does not know is off."""
    release = Kubernetes(minor)
    column = MINORS.index(minor)
    assert {name: release.enabled(name) for name in GATES} == {name: marks[column] == "1" for name, marks in DEFAULTS.items()}
    assert {name for name, gate in GATES.items() if gate.setting(minor) is None} == {name for name, marks in DEFAULTS.items() if marks[column] == "?"}


@pytest.mark.parametrize("minor", MINORS)
def test_locks(minor: str) -> None:
    """A gate that is locked takes its default and refuses the other value, with the component's text."""
    settings = {name: setting for name, gate in GATES.items() if (setting := gate.setting(minor)) is not None}
    locked = {name for name, setting in settings.items() if setting.locked}
    assert locked == LOCKED[minor]
    for name in locked:
        assert Kubernetes(minor, gates={name: True}).enabled(name)
        with pytest.raises(InvalidFeatureGates) as caught:
            Kubernetes(minor, gates={name: False})
        assert caught.value.reason == f"cannot set feature gate {name} to false, feature is locked to true"


def test_history_is_in_order() -> None:
    """A gate's history is written oldest first, its rows differ, and every gate it requires is known."""
    for gate in GATES.values():
        assert list(gate.history) == sorted(gate.history, key=Version)
        settings = list(gate.history.values())
        assert all(one != other for one, other in pairwise(settings))
        assert set(gate.requires) <= set(GATES)
        assert gate.summary


@pytest.mark.parametrize(
    ("text", "minor"),
    [
        ("1.34", "1.34"),
        ("v1.35", "1.35"),
        ("1.36.2", "1.36"),
        ("v1.36.2-gke.1001", "1.36"),
        ("v1.35.0-eks-1a2b3c", "1.35"),
        ("v1.37.1+k3s1", "1.37"),
        ("1.36+", "1.36"),
        (" 1.37\n", "1.37"),
    ],
)
def test_reads_minors(text: str, minor: str) -> None:
    """A minor is read with a v, a patch release and a vendor's suffix, and these are dropped."""
    assert Kubernetes(text) == Kubernetes(minor)
    assert Kubernetes(text).minor == Version(minor)
    assert str(Kubernetes(text)) == minor


@pytest.mark.parametrize(
    ("text", "reason", "hint"),
    [
        pytest.param("1.33", "1.33 is older", None, id="older"),
        pytest.param("v1.38.0", "1.38 is newer", None, id="newer"),
        pytest.param("2.0", "2.0 is newer", None, id="major"),
        pytest.param("1.37.0-rc.1", "it is a pre-release", None, id="release-candidate"),
        pytest.param("1.36.0a1", "it is a pre-release", None, id="alpha"),
        pytest.param("1,36", None, "did you mean 1.36?", id="comma"),
        pytest.param("136", "136.0 is newer", "did you mean 1.36?", id="no-dot"),
        pytest.param("latest", None, None, id="word"),
        pytest.param("", None, None, id="empty"),
        pytest.param("1." + "9" * 5000, None, None, id="long"),
        pytest.param("1.36\x00", None, "did you mean 1.36?", id="garbage"),
    ],
)
def test_refuses_minors(text: str, reason: str | None, hint: str | None) -> None:
    """A minor that is not known is one typed error that says why, and which was probably meant."""
    with pytest.raises(UnknownKubernetes) as caught:
        Kubernetes(text)
    assert caught.value == UnknownKubernetes(text, KNOWN, reason, hint=hint)


def test_of() -> None:
    """Wherever a release is wanted a minor will do, and a release is itself."""
    release = Kubernetes("1.36", gates={"DRAListTypeAttributes": True})
    assert Kubernetes.of(release) is release
    assert Kubernetes.of("1.36.1") == Kubernetes("1.36")
    assert Kubernetes.of(Version("1.37.2")) == Kubernetes("1.37")
    assert Kubernetes() == DEFAULT == Kubernetes("1.35")


def test_values() -> None:
    """Releases with the same minor and overrides are equal, hash alike, and can be copied and pickled."""
    one = Kubernetes("1.36", gates={"DRADeviceTaints": False, "DRAListTypeAttributes": True})
    other = Kubernetes("1.36", gates={"DRAListTypeAttributes": True, "DRADeviceTaints": False})
    assert one == other
    assert len({one, other, Kubernetes("1.36")}) == 2
    assert copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)).enabled("DRAListTypeAttributes")
    assert one.gates == {"DRADeviceTaints": False, "DRAListTypeAttributes": True}


@pytest.mark.parametrize(
    ("minor", "gates", "expected"),
    [
        pytest.param("1.36", {"DRAListTypeAttributes": True}, {"DRAListTypeAttributes": True}, id="on"),
        pytest.param("1.36", {"DRAConsumableCapacity": False}, {"DRAConsumableCapacity": False}, id="off"),
        pytest.param(
            "1.34", {"DynamicResourceAllocation": False}, {"DynamicResourceAllocation": False, "DRAAdminAccess": True}, id="no-requirements-yet"
        ),
        pytest.param(
            "1.36",
            {"AllAlpha": True, "GenericWorkload": False, "DRAWorkloadResourceClaims": False},
            {"DRAListTypeAttributes": True, "GenericWorkload": False},
            id="all-alpha",
        ),
        pytest.param("1.35", {"AllBeta": False}, {"DRASchedulerFilterTimeout": False, "DynamicResourceAllocation": True}, id="no-beta"),
        pytest.param("1.35", {"AllBeta": False, "DRAPrioritizedList": True}, {"DRAPrioritizedList": True, "DRAAdminAccess": False}, id="but-one"),
        pytest.param("1.37", {"AllBeta": True}, {"DRAFractionalCapacityRange": True, "DRAListTypeAttributes": False}, id="all-beta"),
    ],
)
def test_overrides(minor: str, gates: dict[str, bool], expected: dict[str, bool]) -> None:
    """A gate that is set has that value; the gates of a stage set those that are not set themselves."""
    release = Kubernetes(minor, gates=gates)
    assert {name: release.enabled(name) for name in expected} == expected


@pytest.mark.parametrize(
    ("minor", "gates", "reason"),
    [
        pytest.param(
            "1.37",
            {"DRADeviceTaints": False},
            "DRADeviceTaintRules is enabled, but depends on features that are disabled: [DRADeviceTaints]",
            id="default-needs-it",
        ),
        pytest.param(
            "1.37",
            {"DRAPartitionableDevicesType": True, "DRAPartitionableDevices": False},
            "DRAPartitionableDevicesType is enabled, but depends on features that are disabled: [DRAPartitionableDevices DRAResourcePoolStatus]",
            id="two",
        ),
        pytest.param(
            "1.36",
            {"AllAlpha": True, "GenericWorkload": False},
            "DRAWorkloadResourceClaims is enabled, but depends on features that are disabled: [GenericWorkload]",
            id="stages",
        ),
    ],
)
def test_requirements(minor: str, gates: dict[str, bool], reason: str) -> None:
    """From 1.35 on a component does not start when a gate that is on needs one that is off."""
    with pytest.raises(InvalidFeatureGates) as caught:
        Kubernetes(minor, gates=gates)
    assert caught.value == InvalidFeatureGates(format_feature_gates(gates), f"feature gates that Kubernetes {minor} lets one set", reason)


@pytest.mark.parametrize(
    ("minor", "name", "hint"),
    [
        pytest.param("1.35", "DRAListTypeAttributes", "it exists from 1.36 on", id="later"),
        pytest.param("1.36", "DRAListTypeAttribute", "did you mean DRAListTypeAttributes?", id="typo"),
        pytest.param("1.36", "InPlacePodVerticalScaling", None, id="of-something-else"),
        pytest.param("1.36", "", None, id="empty"),
    ],
)
def test_unknown_gates(minor: str, name: str, hint: str | None) -> None:
    """A gate that the minor does not know is refused as the component does, with the nearest name or the minor that has it."""
    with pytest.raises(UnknownKubernetes) as caught:
        Kubernetes(minor, gates={name: True})
    assert (caught.value.value, caught.value.reason) == (name, f"unrecognized feature gate: {name}")
    assert caught.value.hint == hint


def test_asking_for_an_unknown_gate() -> None:
    """A gate that no minor has is no feature that is off, but a mistake."""
    with pytest.raises(UnknownKubernetes, match="did you mean DRAAdminAccess"):
        DEFAULT.enabled("DRAadminAccess")


@pytest.mark.parametrize(
    ("text", "gates"),
    [
        ("", {}),
        (",,", {}),
        ("A=true", {"A": True}),
        ("B=false,A=true", {"B": False, "A": True}),
        (" A = T , B=0,", {"A": True, "B": False}),
        ("A=true,A=false", {"A": False}),
        ("A=TRUE,B=True,C=1,D=t", {"A": True, "B": True, "C": True, "D": True}),
        ("A=FALSE,B=False,C=0,D=f,E=F", {"A": False, "B": False, "C": False, "D": False, "E": False}),
    ],
)
def test_feature_gates_text(text: str, gates: dict[str, bool]) -> None:
    """The text of `--feature-gates` is read as Kubernetes reads it, and written sorted."""
    assert parse_feature_gates(text) == gates
    assert parse_feature_gates(format_feature_gates(gates)) == gates


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("A", "missing bool value for A", id="no-value"),
        pytest.param(" , A=true", "missing bool value for ", id="blank"),
        pytest.param("A=maybe", 'invalid value of A=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax', id="no-boolean"),
        pytest.param("A=", 'invalid value of A=, err: strconv.ParseBool: parsing "": invalid syntax', id="empty-value"),
        pytest.param("A=tRUE", 'invalid value of A=tRUE, err: strconv.ParseBool: parsing "tRUE": invalid syntax', id="mixed-case"),
        pytest.param("A=\u200b\a", 'invalid value of A=\u200b\a, err: strconv.ParseBool: parsing "\\u200b\\a": invalid syntax', id="unprintable"),
        pytest.param("A=true=false", 'invalid value of A=true=false, err: strconv.ParseBool: parsing "true=false": invalid syntax', id="two-values"),
        pytest.param(
            "A=true;B=false", 'invalid value of A=true;B=false, err: strconv.ParseBool: parsing "true;B=false": invalid syntax', id="semicolon"
        ),
    ],
)
def test_refuses_feature_gates_text(text: str, reason: str) -> None:
    """What Kubernetes does not read is one typed error with its text."""
    with pytest.raises(InvalidFeatureGates) as caught:
        parse_feature_gates(text)
    assert (caught.value.value, caught.value.reason) == (text, reason)


def test_text_round_trip() -> None:
    """A release is read back from its text, gates included."""
    release = Kubernetes.parse("v1.36.1 DRAListTypeAttributes=true,DRADeviceTaints=f")
    assert str(release) == "1.36 DRADeviceTaints=false,DRAListTypeAttributes=true"
    assert release.feature_gates == "DRADeviceTaints=false,DRAListTypeAttributes=true"
    assert Kubernetes.parse(str(release)) == release
    assert Kubernetes.parse("1.37") == Kubernetes("1.37")


def test_setting() -> None:
    """A gate's setting has a stage, a default and a lock; a minor before the gate has none."""
    gate = GATES["DRADeviceTaintRules"]
    assert [gate.setting(minor) for minor in MINORS] == [
        None,
        Setting("alpha", default=False),
        Setting("beta", default=False),
        Setting("GA", default=True),
    ]


@pytest.mark.parametrize("minor", ["1.x", "", "v1.36", None, 1.36], ids=repr)
def test_a_gate_in_what_is_no_minor(minor: Any) -> None:
    """A gate has settings in minors only."""
    with pytest.raises(UnknownKubernetes):
        GATES["DRAAdminAccess"].setting(minor)


@pytest.mark.parametrize("gates", [3, None, "DRAAdminAccess", ["DRAAdminAccess"], {"DRAAdminAccess": "true"}], ids=repr)
def test_gates_that_are_none(gates: Any) -> None:
    """Gates are names with truth values, to set them and to write them."""
    for call in (lambda: Kubernetes("1.36", gates=gates), lambda: format_feature_gates(gates)):
        with pytest.raises(InvalidFeatureGates):
            call()
