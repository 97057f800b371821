"""What an allocation gives: devices, nodes and configuration."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, ClaimAllocation, allocate
from tests.allocation.objects import CLASS, NPU, claim, device, published, request

MINORS = ("1.34", "1.35", "1.36", "1.37")
NODE = {"metadata": {"name": "n1", "labels": {"zone": "a", "rank": "3"}}}
BINDING = {"DRADeviceBindingConditions": True, "DRAResourceClaimDeviceStatus": True}


def selector(*expressions: tuple[str, str, list[str]], fields: list[str] | None = None) -> dict[str, Any]:
    """Make a node selector of one term."""
    term: dict[str, Any] = {}
    if expressions:
        term["matchExpressions"] = [{"key": key, "operator": operator, "values": values} for key, operator, values in expressions]
    if fields is not None:
        term["matchFields"] = [{"key": "metadata.name", "operator": "In", "values": fields}]
    return {"nodeSelectorTerms": [term]}


ZONE = ("zone", "In", ["a", "b"])
RANK = ("rank", "Gt", ["1"])
HERE = {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]}]}


def only(claims: Any, slices: Any, kubernetes: Any, **given: Any) -> ClaimAllocation:
    """Allocate one claim."""
    arguments: dict[str, Any] = {"classes": CLASS, "slices": slices, "node": NODE, "kubernetes": kubernetes, **given}
    found = allocate(claims, **arguments)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("slices", "expected"),
    [
        ([{"allNodes": True}, {"allNodes": True}], None),
        ([{"nodeName": "n1"}, {"nodeSelector": selector(ZONE)}], HERE),
        ([{"nodeSelector": selector(ZONE)}, {"allNodes": True}], selector(ZONE)),
        ([{"nodeSelector": selector(ZONE)}, {"nodeSelector": selector(RANK)}], selector(ZONE, RANK)),
        ([{"nodeSelector": selector(ZONE)}, {"nodeSelector": selector(("zone", "In", ["b", "a"]))}], selector(ZONE)),
        ([{"nodeSelector": selector(ZONE, fields=["n1"])}, {"nodeSelector": selector(fields=["n1"])}], selector(ZONE, fields=["n1"])),
    ],
    ids=["all nodes", "one node", "labels", "labels of two", "same labels", "fields"],
)
def test_nodes(minor: str, slices: list[dict[str, Any]], expected: dict[str, Any] | None) -> None:
    """The devices can be used where all of them can: at their node, or where all their selectors hold, each condition once."""
    published_ = [published(device("a"), name=f"s{number}", pool=f"p{number}", **where) for number, where in enumerate(slices)]
    found = only(claim(request(count=2)), published_, minor)
    assert found.to_dict().get("nodeSelector") == expected


def test_nodes_of_devices() -> None:
    """Where each device says which nodes reach it, that counts."""
    for minor in MINORS:
        release = Kubernetes(minor, gates={"DRAPartitionableDevices": True})
        slices = published(device("a", nodeSelector=selector(ZONE)), device("b", nodeName="n1"), perDeviceNodeSelection=True)
        assert only(claim(request()), slices, release).to_dict()["nodeSelector"] == selector(ZONE)
        assert only(claim(request(count=2)), slices, release).to_dict()["nodeSelector"] == HERE


@pytest.mark.parametrize("minor", MINORS)
def test_a_selector_of_two_terms(minor: str) -> None:
    """A slice's selector with more than one term is an error after all, which names the claim."""
    two = {"nodeSelectorTerms": selector(ZONE)["nodeSelectorTerms"] * 2}
    with pytest.raises(AllocationError) as caught:
        only(claim(request()), published(device("a"), nodeSelector=two), minor)
    assert caught.value.message == "create NodeSelector for claim c: unsupported ResourceSlice.NodeSelector with 2 terms"


def test_binding() -> None:
    """Where binding conditions are on, the result repeats them, and a device that binds to its node names it."""
    slices = published(device("a", bindsToNode=True, bindingConditions=["ready"], bindingFailureConditions=["failed"]), allNodes=True)
    for minor in MINORS:
        found = only(claim(request()), slices, Kubernetes(minor, gates=BINDING))
        assert (found.devices[0].binding_conditions, found.devices[0].binding_failure_conditions) == (("ready",), ("failed",))
        assert found.to_dict()["nodeSelector"] == HERE
    plain = published(device("a", bindsToNode=True), allNodes=True)
    off = {minor: Kubernetes(minor, gates={"DRADeviceBindingConditions": False}) for minor in MINORS}
    named = {minor: only(claim(request()), plain, release).node_selector is not None for minor, release in off.items()}
    assert named == {"1.34": False, "1.35": False, "1.36": True, "1.37": True}


def test_tolerations_and_admin_access() -> None:
    """Results repeat that a request is an administrator's, and its tolerations where the allocator does so."""
    tolerations = [{"key": "maintenance", "operator": "Exists"}]
    shown: dict[str, bool] = {}
    wanted = claim(request(adminAccess=True, tolerations=tolerations))
    for minor in MINORS:
        found = only(wanted, published(device("a")), Kubernetes(minor, gates={"DRAAdminAccess": True}))
        assert found.devices[0].admin_access is True
        shown[minor] = bool(found.devices[0].tolerations)
    assert shown == {"1.34": False, "1.35": True, "1.36": True, "1.37": True}


def test_node_operations() -> None:
    """From 1.37 on, behind its gate, a result repeats which operations of the node a slice skips, and the node must declare the feature."""
    release = Kubernetes("1.37", gates={"DRAOptionalNodeOperations": True})
    slices = published(device("a"), skipNodeOperations=["NodePrepareResources"])
    declared = {**NODE, "status": {"declaredFeatures": ["DRAOptionalNodeOperations"]}}
    assert only(claim(request()), slices, release, node=declared).devices[0].skip_node_operations == ("NodePrepareResources",)
    assert allocate(claim(request()), classes=CLASS, slices=slices, node=NODE, kubernetes=release) is None


def opaque(number: int) -> dict[str, Any]:
    """Make configuration."""
    return {"driver": NPU, "parameters": {"number": number}}


def configuration(found: ClaimAllocation) -> list[tuple[str, tuple[str, ...], Any]]:
    """Give source, requests and number of each configuration."""
    return [
        (each["source"], tuple(each.get("requests", ())), each["opaque"]["parameters"]["number"]) for each in found.to_dict()["devices"]["config"]
    ]


CONFIGURED = {"metadata": {"name": "npu"}, "spec": {"config": [{"opaque": opaque(1)}, {"opaque": opaque(2)}]}}


@pytest.mark.parametrize(
    ("own", "before", "once"),
    [
        ([], [], []),
        ([{"opaque": opaque(3)}], [("FromClaim", (), 3)], [("FromClaim", (), 3)]),
        ([{"requests": ["x"], "opaque": opaque(3)}], [("FromClaim", ("x",), 3)], [("FromClaim", ("x",), 3)]),
        ([{"requests": ["x", "y"], "opaque": opaque(3)}], [("FromClaim", ("x", "y"), 3)] * 2, [("FromClaim", (), 3)]),
        ([{"requests": ["z"], "opaque": opaque(3)}], [], []),
        ([{"requests": ["y"], "opaque": opaque(3)}, {"opaque": opaque(4)}], [("FromClaim", ("y",), 3), ("FromClaim", (), 4)], None),
    ],
    ids=["class", "all requests", "one request", "both requests", "no request", "two"],
)
def test_configuration(own: list[dict[str, Any]], before: list[Any], once: list[Any] | None) -> None:
    """Configuration of the class comes first, then the claim's for what it names; from 1.37 on once, and without requests where it is for all."""
    for minor in MINORS:
        found = only(claim(request("x"), request("y"), config=own), published(device("a"), device("b")), minor, classes=CONFIGURED)
        of_class = [("FromClass", () if minor == "1.37" else ("x", "y"), number) for number in (1, 2)]
        assert configuration(found) == [*of_class, *(before if once is None or minor != "1.37" else once)], minor


def test_configuration_of_the_chosen_subrequest() -> None:
    """Configuration may name a request with subrequests, or the one that was chosen; what names another is left out."""
    wishes = [{"name": "big", "deviceClassName": "npu", "count": 3}, {"name": "small", "deviceClassName": "npu"}]
    own = [{"requests": [name], "opaque": opaque(number)} for number, name in enumerate(("r", "r/small", "r/big"), 3)]
    wanted = claim({"name": "r", "firstAvailable": wishes}, request("s"), config=own)
    for minor in MINORS:
        found = only(wanted, published(device("a"), device("b")), minor, classes=CONFIGURED)
        assert [row[0] for row in found.results] == ["r/small", "s"]
        of_class = [("FromClass", () if minor == "1.37" else ("r/small", "s"), number) for number in (1, 2)]
        assert configuration(found) == [*of_class, ("FromClaim", ("r",), 3), ("FromClaim", ("r/small",), 4)]
