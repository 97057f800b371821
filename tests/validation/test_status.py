"""Updates of the status of a claim, as the scheduler and drivers make them: what the API server says, and what it keeps."""

from __future__ import annotations

import itertools
from copy import deepcopy
from typing import Any

import pytest

from rbln_dra import Kubernetes, ResourceClaim, validate
from rbln_dra.errors import DecodeError, InvalidValue
from rbln_dra.kubernetes import GATES, MINORS
from rbln_dra.resources import ObjectMeta, stored_status

CLAIM: dict[str, Any] = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "npu", "namespace": "default", "resourceVersion": "1"},
    "spec": {"devices": {"requests": [{"name": "npu", "exactly": {"deviceClassName": "npu"}}]}},
}
DEVICE: dict[str, Any] = {"driver": "npu.rebellions.ai", "pool": "node-atom", "device": "vfio-0000-27-00-0"}
RESULT: dict[str, Any] = {"request": "npu", **DEVICE}
CONDITION: dict[str, Any] = {"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-31T09:30:00Z", "reason": "Bound", "message": ""}
CONSUMER: dict[str, Any] = {"resource": "pods", "name": "vm", "uid": "1"}
SHARE = "11111111-2222-3333-4444-55555555aaaa"


def allocated(*results: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Make the status of a claim that got devices."""
    return {"allocation": {"devices": {"results": list(results) or [RESULT]}}, **more}


def with_status(status: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    """Make a claim with a status."""
    return {**CLAIM, "metadata": {**CLAIM["metadata"], **metadata}, "status": status}


def said(status: dict[str, Any], *, old: dict[str, Any] | None = None, minor: str = "1.37", **arguments: Any) -> list[tuple[str, str]]:
    """Say field and reason of everything that is wrong with an update."""
    release = Kubernetes(minor, gates=arguments.pop("gates", {}))
    found = validate(with_status(status), old=with_status(old or {}), subresource="status", kubernetes=release, **arguments)
    return [(each.field, each.reason) for each in found]


@pytest.mark.parametrize("minor", MINORS)
def test_good_updates_are_admitted(minor: str) -> None:
    """A claim is allocated, reserved, reported on, released and deallocated."""
    first = allocated()
    reserved = allocated(reservedFor=[CONSUMER])
    network = {"interfaceName": "net1", "ips": ["10.9.8.7/24"], "hardwareAddress": "00:11:22:33:44:55"}
    reported = {**reserved, "devices": [{**DEVICE, "conditions": [CONDITION], "data": {"a": 1}, "networkData": network}]}
    steps: list[dict[str, Any]] = [{}, first, reserved, reported, first, {}]
    for old, new in itertools.pairwise(steps):
        assert said(new, old=old, minor=minor) == []


_RESULT = "status.allocation.devices.results[0]"
_DEVICE = "status.devices[0]"

CASES: list[tuple[str, dict[str, Any], list[tuple[str, str]]]] = [
    ("another request", allocated({**RESULT, "request": "other"}), [(f"{_RESULT}.request", "FieldValueInvalid")]),
    ("a path of three", allocated({**RESULT, "request": "a/b/c"}), [(f"{_RESULT}.request", "FieldValueInvalid")]),
    ("no driver", allocated({**RESULT, "driver": ""}), [(f"{_RESULT}.driver", "FieldValueRequired")]),
    ("no pool", allocated({**RESULT, "pool": ""}), [(f"{_RESULT}.pool", "FieldValueRequired")]),
    ("an empty part of a pool", allocated({**RESULT, "pool": "a//b"}), [(f"{_RESULT}.pool", "FieldValueInvalid")]),
    ("a long pool", allocated({**RESULT, "pool": "/".join(["a" * 63] * 5)}), [(f"{_RESULT}.pool", "FieldValueTooLong")]),
    ("a capital pool", allocated({**RESULT, "pool": "Node"}), [(f"{_RESULT}.pool", "FieldValueInvalid")]),
    ("a device with a colon", allocated({**RESULT, "device": "0000:27"}), [(f"{_RESULT}.device", "FieldValueInvalid")]),
    ("a capital share", allocated({**RESULT, "shareID": SHARE.upper()}), [(f"{_RESULT}.shareID", "FieldValueInvalid")]),
    ("33 results", allocated(*[RESULT] * 33), [("status.allocation.devices.results", "FieldValueTooMany")]),
    (
        "no source",
        {"allocation": {"devices": {"config": [{"opaque": {"driver": "a", "parameters": {}}}]}}},
        [("status.allocation.devices.config[0].source", "FieldValueRequired")],
    ),
    (
        "another source",
        {"allocation": {"devices": {"config": [{"source": "FromNode", "requests": ["npu", "x"], "opaque": {"driver": "a", "parameters": {}}}]}}},
        [
            ("status.allocation.devices.config[0].requests[1]", "FieldValueInvalid"),
            ("status.allocation.devices.config[0].source", "FieldValueNotSupported"),
        ],
    ),
    (
        "no terms",
        {"allocation": {"nodeSelector": {}}},
        [("status.allocation.nodeSelector.nodeSelectorTerms", "FieldValueRequired")],
    ),
    ("reserved without allocation", {"reservedFor": [CONSUMER]}, [("status.reservedFor", "FieldValueForbidden")]),
    ("a consumer of nothing", allocated(reservedFor=[{"resource": "pods", "name": "vm"}]), [("status.reservedFor[0].uid", "FieldValueRequired")]),
    ("a consumer twice", allocated(reservedFor=[CONSUMER] * 2), [("status.reservedFor[1]", "FieldValueDuplicate")]),
    ("257 consumers", allocated(reservedFor=[{**CONSUMER, "uid": str(each)} for each in range(257)]), [("status.reservedFor", "FieldValueTooMany")]),
    ("another device", allocated(devices=[{**DEVICE, "device": "other"}]), [(_DEVICE, "FieldValueInvalid")]),
    ("a device twice", allocated(devices=[DEVICE] * 2), [("status.devices[1]", "FieldValueDuplicate")]),
    ("a share of a whole device", allocated(devices=[{**DEVICE, "shareID": SHARE}]), [(_DEVICE, "FieldValueInvalid")]),
    (
        "no share at all",
        allocated(devices=[{**DEVICE, "shareID": "u"}]),
        [(_DEVICE, "FieldValueInvalid"), (f"{_DEVICE}.shareID", "FieldValueInvalid")],
    ),
    ("long data", allocated(devices=[{**DEVICE, "data": {"a": "x" * 10240}}]), [(f"{_DEVICE}.data", "FieldValueTooLong")]),
    ("data that is no object", allocated(devices=[{**DEVICE, "data": [1]}]), [(f"{_DEVICE}.data", "FieldValueInvalid")]),
    (
        "nine conditions",
        allocated(devices=[{**DEVICE, "conditions": [{**CONDITION, "type": f"C{each}"} for each in range(9)]}]),
        [(f"{_DEVICE}.conditions", "FieldValueTooMany")],
    ),
    (
        "a long interface name and address",
        allocated(devices=[{**DEVICE, "networkData": {"interfaceName": "x" * 257, "hardwareAddress": "é" * 65}}]),
        [(f"{_DEVICE}.networkData.interfaceName", "FieldValueTooLong"), (f"{_DEVICE}.networkData.hardwareAddress", "FieldValueTooLong")],
    ),
    (
        "addresses",
        allocated(devices=[{**DEVICE, "networkData": {"ips": ["10.0.0.1", "010.0.0.1/8"]}}]),
        [(f"{_DEVICE}.networkData.ips[0]", "FieldValueInvalid"), (f"{_DEVICE}.networkData.ips[1]", "FieldValueInvalid")],
    ),
    (
        "17 addresses",
        allocated(devices=[{**DEVICE, "networkData": {"ips": [f"10.0.0.{each}/8" for each in range(17)]}}]),
        [(f"{_DEVICE}.networkData.ips", "FieldValueTooMany")],
    ),
]


@pytest.mark.parametrize(("status", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_wrong_updates(status: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    """Each fault has its field and its reason, in 1.37."""
    assert sorted(said(status)) == sorted(expected)


def test_tolerations_are_checked_from_1_37_on() -> None:
    """Before, tolerations of a result pass as they are."""
    status = allocated({**RESULT, "tolerations": [{"operator": "Near"}]})
    assert said(status, minor="1.36") == []
    assert said(status) == [(f"{_RESULT}.tolerations[0].operator", "FieldValueNotSupported")]


def test_operations_that_are_skipped() -> None:
    """Preparing is not skipped without unpreparing; where the gate is off, none are kept."""
    status = allocated({**RESULT, "skipNodeOperations": ["NodePrepareResources", "x", "x"]})
    gates = {"DRAOptionalNodeOperations": True}
    assert said(status) == []
    assert sorted(said(status, gates=gates)) == [
        (f"{_RESULT}.skipNodeOperations", "FieldValueInvalid"),
        (f"{_RESULT}.skipNodeOperations[1]", "FieldValueNotSupported"),
        (f"{_RESULT}.skipNodeOperations[2]", "FieldValueDuplicate"),
        (f"{_RESULT}.skipNodeOperations[2]", "FieldValueNotSupported"),
    ]
    assert said(allocated({**RESULT, "skipNodeOperations": ["NodePrepareResources", "*"]}), gates=gates) == []
    assert said(allocated({**RESULT, "skipNodeOperations": ["*"]}), old=allocated({**RESULT, "skipNodeOperations": ["*"]})) == []


@pytest.mark.parametrize("minor", MINORS)
def test_admin_access_needs_the_label(minor: str) -> None:
    """The namespace must allow it, unless it was granted before."""
    status, gates = allocated({**RESULT, "adminAccess": True}), {} if minor > "1.35" else {"DRAAdminAccess": True}
    assert said(status, minor=minor, gates=gates) == [(f"{_RESULT}.adminAccess", "FieldValueForbidden")]
    assert said(status, minor=minor, gates=gates, admin_access=True) == []
    assert said(status, old=status, minor=minor, gates=gates) == []


@pytest.mark.parametrize(("minor", "text"), [("1.36", "field is immutable"), ("1.37", "field cannot be modified once set")])
def test_an_allocation_stays(minor: str, text: str) -> None:
    """What was allocated cannot be exchanged; it can only be given back."""
    new = allocated({**RESULT, "device": "other"}, {**RESULT, "consumedCapacity": {"memory": "1Gi"}})
    new["allocation"]["allocationTimestamp"] = "2026-01-31T09:30:00Z"
    (error,) = validate(with_status(new), old=with_status(allocated()), subresource="status", kubernetes=minor)
    assert (error.field, error.reason) == ("status.allocation", "FieldValueInvalid")
    assert error.message.endswith(text)
    assert said({}, old=allocated(), minor=minor) == []


def test_the_immutable_allocation_is_shown_as_kubernetes_keeps_it() -> None:
    """The message has the names of Go's fields, and all of them."""
    new = allocated({**RESULT, "shareID": SHARE})
    new["allocation"].update(
        nodeSelector={"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["a"]}]}]},
        allocationTimestamp="2026-01-31T09:30:00Z",
    )
    (error,) = validate(
        with_status(new), old=with_status(allocated()), subresource="status", kubernetes=Kubernetes("1.36", gates={"DRAConsumableCapacity": True})
    )
    assert error.message == (
        'Invalid value: {"Devices":{"Results":[{"Request":"npu","Driver":"npu.rebellions.ai","Pool":"node-atom","Device":"vfio-0000-27-00-0",'
        '"AdminAccess":null,"Tolerations":null,"BindingConditions":null,"BindingFailureConditions":null,'
        f'"ShareID":"{SHARE}","ConsumedCapacity":null}}],"Config":null}},"NodeSelector":{{"NodeSelectorTerms":[{{"MatchExpressions":null,'
        '"MatchFields":[{"Key":"metadata.name","Operator":"In","Values":["a"]}]}]},"AllocationTimestamp":"2026-01-31T09:30:00Z"}: field is immutable'
    )


def test_nobody_new_takes_what_is_to_be_deleted() -> None:
    """Consumers may go while a claim is to be deleted; they may not come."""
    old = with_status(allocated(reservedFor=[CONSUMER]), deletionTimestamp="2026-01-31T09:30:00Z", deletionGracePeriodSeconds=0)

    def fields(*consumers: dict[str, Any]) -> list[str]:
        found = validate({**old, "status": allocated(reservedFor=list(consumers))}, old=old, subresource="status")
        return [each.message for each in found]

    assert fields(CONSUMER) == fields() == []
    assert fields({**CONSUMER, "uid": "2"}) == [
        "Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
    ]


_BAD_CONDITION: dict[str, Any] = {"type": "", "status": "", "observedGeneration": -1, "reason": "", "message": "x" * 32769}


@pytest.mark.parametrize(
    ("minor", "expected"),
    [
        ("1.36", {"type": 2, "status": 1, "observedGeneration": 1, "lastTransitionTime": 1, "reason": 1, "message": 1}),
        ("1.37", {"type": 1, "status": 1, "observedGeneration": 1, "lastTransitionTime": 1, "reason": 1, "message": 1}),
    ],
)
def test_conditions(minor: str, expected: dict[str, int]) -> None:
    """Everything that is wrong with a condition is said, and in 1.37 once."""
    found = said(allocated(devices=[{**DEVICE, "conditions": [_BAD_CONDITION]}]), minor=minor)
    fields = [field.rpartition(".")[2] for field, _ in found]
    assert {field: fields.count(field) for field in fields} == expected


def test_reasons_and_types_of_conditions() -> None:
    """A reason is one word of at most 1,024 bytes; a type stands once."""
    conditions = [{**CONDITION, "reason": reason} for reason in ("a b", "x" * 1025)] + [{**CONDITION, "type": "a b", "status": "true"}]
    assert said(allocated(devices=[{**DEVICE, "conditions": conditions}])) == [
        (f"{_DEVICE}.conditions[0].reason", "FieldValueInvalid"),
        (f"{_DEVICE}.conditions[1]", "FieldValueDuplicate"),
        (f"{_DEVICE}.conditions[1].reason", "FieldValueTooLong"),
        (f"{_DEVICE}.conditions[2].type", "FieldValueInvalid"),
        (f"{_DEVICE}.conditions[2].status", "FieldValueNotSupported"),
    ]
    twice = allocated(devices=[{**DEVICE, "conditions": [CONDITION] * 2}])
    assert said(twice, minor="1.36") == [(f"{_DEVICE}.conditions[1].type", "FieldValueDuplicate")]


@pytest.mark.parametrize(("minor", "place"), [("1.34", "status.devices[1].deviceID"), ("1.35", "status.devices[1]")])
def test_repeated_devices_by_hand(minor: str, place: str) -> None:
    """Before 1.37 a device that stands twice is named by its parts."""
    found = validate(with_status(allocated(devices=[DEVICE] * 2)), old=CLAIM, subresource="status", kubernetes=minor)
    part = "{}" if minor == "1.34" else None
    names = {"Driver": DEVICE["driver"], "Pool": DEVICE["pool"], "Device": DEVICE["device"], "ShareID": ""}
    shown = ",".join(f'"{name}":{part or chr(34) + text + chr(34)}' for name, text in names.items())
    assert [str(each) for each in found] == [f"{place}: Duplicate value: {{{shown}}}"]


_SHARE_TEXTS: list[tuple[str, str]] = [
    ("u", "error validating uid: invalid UUID length: 1"),
    ("xrn:uuid:" + SHARE, 'error validating uid: invalid urn prefix: "xrn:uuid:"'),
    ("(" + SHARE + ")", "error validating uid: invalid bracketed UUID format"),
    ("g" * 32, "error validating uid: invalid UUID format"),
    ("g" * 36, "error validating uid: invalid UUID format"),
    *((text, "uid must be in RFC 4122 normalized form, ") for text in ("{" + SHARE + "}", "URN:uuid:" + SHARE, SHARE.upper(), "a" * 32)),
]


@pytest.mark.parametrize(("share", "text"), _SHARE_TEXTS, ids=[share for share, _ in _SHARE_TEXTS])
def test_shares(share: str, text: str) -> None:
    """What is no UUID is told from one in another form, up to 1.36."""
    gates = Kubernetes("1.36", gates={"DRAConsumableCapacity": True})
    (error,) = validate(with_status(allocated({**RESULT, "shareID": share})), old=CLAIM, subresource="status", kubernetes=gates)
    assert text in error.message


def test_metadata_of_another_claim_is_refused() -> None:
    """An update is one of the same claim; what a status update cannot change is not looked at."""
    changed = with_status({}, labels={"a b": "c d"}, finalizers=["x"])
    assert validate(changed, old=CLAIM, subresource="status") == ()
    found = validate(with_status({}, name="other", uid="1"), old=CLAIM, subresource="status")
    assert [each.field for each in found] == ["metadata.name", "metadata.uid"] * 2


def test_what_has_no_status() -> None:
    """Only a claim has one, and it is only updated."""
    made = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "a"}}
    for each, subresource in ((made, "status"), (CLAIM, "scale")):
        with pytest.raises(InvalidValue, match="expected ResourceClaim/status"):
            validate(each, old=each, subresource=subresource)
    with pytest.raises(InvalidValue, match="only ever updated"):
        validate(CLAIM, subresource="status")
    with pytest.raises(DecodeError):
        validate({**CLAIM, "status": []}, old=CLAIM, subresource="status")


FULL: dict[str, Any] = allocated(
    {
        **RESULT,
        "adminAccess": False,
        "bindingConditions": ["a"],
        "bindingFailureConditions": ["b"],
        "shareID": SHARE,
        "consumedCapacity": {"memory": "1"},
        "skipNodeOperations": ["*"],
    },
    devices=[{**DEVICE, "shareID": SHARE}],
)
FULL["allocation"]["allocationTimestamp"] = "2026-01-31T09:30:00Z"
_KEPT_34 = ("DRAAdminAccess", "DRAConsumableCapacity", "DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus")
_GATES: list[tuple[str, dict[str, bool], set[str]]] = [
    ("1.34", {"DRAResourceClaimDeviceStatus": False, "DRAAdminAccess": False}, {"request", "driver", "pool", "device"}),
    ("1.34", {"DRAConsumableCapacity": True}, {"request", "driver", "pool", "device", "adminAccess", "shareID", "consumedCapacity"}),
    (
        "1.34",
        dict.fromkeys(_KEPT_34, True),
        set(FULL["allocation"]["devices"]["results"][0]) - {"skipNodeOperations"},
    ),
    ("1.37", {"DRAOptionalNodeOperations": True}, set(FULL["allocation"]["devices"]["results"][0])),
    ("1.37", {}, set(FULL["allocation"]["devices"]["results"][0]) - {"skipNodeOperations"}),
]


@pytest.mark.parametrize(("minor", "gates", "kept"), _GATES, ids=[f"{minor} {' '.join(gates)}" for minor, gates, _ in _GATES])
def test_gates_drop_fields(minor: str, gates: dict[str, bool], kept: set[str]) -> None:
    """What needs a feature that is off is dropped."""
    release = Kubernetes(minor, gates=gates)
    new, old = (ResourceClaim.from_dict(each, kubernetes=release) for each in (with_status(FULL), CLAIM))
    left = stored_status(new, old=old, kubernetes=release).to_dict()["status"]
    assert set(left["allocation"]["devices"]["results"][0]) == kept
    assert ("devices" in left) == release.enabled("DRAResourceClaimDeviceStatus")
    assert ("allocationTimestamp" in left["allocation"]) == (minor > "1.34" or "bindingConditions" in kept)


@pytest.mark.parametrize("minor", MINORS)
def test_what_is_in_use_is_kept(minor: str) -> None:
    """Features that are off keep what the claim has of them already; an empty status has nothing to drop."""
    settings = {gate: GATES[gate].setting(minor) for gate in (*_KEPT_34, "DRAOptionalNodeOperations", "DRAResourceClaimGranularStatusAuthorization")}
    release = Kubernetes(minor, gates={gate: False for gate, setting in settings.items() if setting is not None and not setting.locked})
    claim = ResourceClaim.from_dict(with_status(FULL), kubernetes=release)
    assert stored_status(claim, old=claim, kubernetes=release).status == claim.status
    empty = ResourceClaim.from_dict(CLAIM, kubernetes=release)
    assert stored_status(empty, old=empty, kubernetes=release).status == empty.status


def test_news_of_devices_that_are_given_back_is_dropped() -> None:
    """Who deallocates need not know of the status of devices; of devices that were never allocated it is an error."""
    reported = allocated(devices=[DEVICE])
    given_back = with_status({"devices": [DEVICE]})
    old = ResourceClaim.from_dict(with_status(reported))
    assert stored_status(ResourceClaim.from_dict(given_back), old=old).status.devices == ()
    assert validate(given_back, old=with_status(reported), subresource="status") == ()
    assert [each.field for each in validate(given_back, old=CLAIM, subresource="status")] == ["status.devices[0]"]


def test_nothing_else_is_taken() -> None:
    """Spec, labels and finalizers stay as they are stored."""
    old = ResourceClaim.from_dict(with_status({}, labels={"a": "b"}))
    new = deepcopy(with_status(allocated(), labels={"c": "d"}))
    new["spec"]["devices"]["requests"] = []
    kept = stored_status(ResourceClaim.from_dict(new), old=old)
    assert (kept.spec, kept.metadata) == (old.spec, ObjectMeta("npu", namespace="default", resource_version="1", labels={"a": "b"}))
    assert len(kept.status.allocation.devices.results) == 1  # type: ignore[union-attr]
