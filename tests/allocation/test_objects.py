"""Objects as values and dicts, and what is in use."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import DeviceClass, Kubernetes, ResourceClaim, ResourceSlice
from rbln_dra.allocation import allocate
from rbln_dra.documents import documents
from rbln_dra.errors import DecodeError, SearchLimitExceeded, UnknownKubernetes
from tests.allocation.objects import CLASS, NPU, claim, device, published, request

GROUP = {"apiVersion": "resource.k8s.io/v1"}
SLICES = published(device("a"), device("b"))


@pytest.mark.parametrize(
    ("claims", "classes", "slices"),
    [
        (claim(request()), CLASS, SLICES),
        ([claim(request())], [CLASS], [SLICES]),
        (
            {"kind": "List", "items": [claim(request())]},
            {"kind": "DeviceClassList", "items": [CLASS]},
            {"kind": "ResourceSliceList", "items": [SLICES]},
        ),
        (
            ResourceClaim.from_dict({**GROUP, "kind": "ResourceClaim", **claim(request())}),
            DeviceClass.from_dict({**GROUP, "kind": "DeviceClass", **CLASS}),
            (ResourceSlice.from_dict({**GROUP, "kind": "ResourceSlice", **SLICES}),),
        ),
    ],
    ids=["one", "many", "lists", "values"],
)
def test_forms(claims: Any, classes: Any, slices: Any) -> None:
    """Values, dicts, one or many, and list objects are the same."""
    found = allocate(claims, classes=classes, slices=slices, node="n1", kubernetes=Kubernetes("1.37"))
    assert found is not None
    assert found[0].results == (("r", NPU, "n1", "a"),)


@pytest.mark.parametrize(
    ("field", "value", "path"),
    [
        ("claims", "text", "claims"),
        ("claims", [1], "claims[0]"),
        ("claims", [{"spec": 1}], "claims[0].spec"),
        ("classes", 3, "classes"),
        ("slices", {"kind": "List", "items": [{"kind": "Pod"}]}, "slices.items[0].kind"),
        ("in_use", [("a", "b")], "in_use[0]"),
        ("in_use", [5], "in_use[0]"),
        ("in_use", [{"spec": 1}], "in_use[0].spec"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_cannot_be_read(field: str, value: Any, path: str) -> None:
    """Anything else is an error with its path."""
    given: dict[str, Any] = {"classes": CLASS, "slices": SLICES, "in_use": (), "claims": claim(request()), field: value}
    with pytest.raises(DecodeError) as caught:
        allocate(given.pop("claims"), node="n1", **given)
    assert caught.value.path == path


def test_unknown_kubernetes() -> None:
    """An unknown minor is an error."""
    with pytest.raises(UnknownKubernetes):
        allocate((), classes=(), slices=(), node="n1", kubernetes="1.20")


def test_no_claims() -> None:
    """Nothing that is wanted is nothing that is given."""
    assert allocate((), classes=(), slices=(), node="n1") == ()


def test_allocated_claims_are_in_use() -> None:
    """What a claim has is in use for the next; what an administrator has is not."""
    given: dict[str, Any] = {"classes": CLASS, "slices": SLICES, "node": "n1", "kubernetes": "1.36"}
    first = allocate(claim(request()), **given)
    assert first is not None
    second = allocate(claim(request()), in_use=[first[0].allocated], **given)
    assert second is not None
    assert second[0].results[0][3] == "b"
    watching = allocate(claim(request(adminAccess=True)), in_use=[each.allocated for each in (*first, *second)], **given)
    assert watching is not None
    assert (watching[0].results[0][3], watching[0].devices[0].admin_access) == ("a", True)
    third = allocate(claim(request()), in_use=[watching[0].allocated.to_dict()], **given)
    assert third is not None
    assert third[0].results[0][3] == "a"
    assert allocate(claim(request()), in_use=[claim(request()), (NPU, "n1", "a"), (NPU, "n1", "b")], **given) is None


def test_shares_are_in_use() -> None:
    """Shares of a device add up, over claims that have some already, and each is told apart."""
    slices = published(device("a", allowMultipleAllocations=True, capacity={"memory": {"value": "10Gi"}}))
    given: dict[str, Any] = {"classes": CLASS, "slices": slices, "node": "n1", "kubernetes": "1.37"}
    wanted = claim(request(capacity={"requests": {"memory": "4Gi"}}))
    first = allocate(wanted, **given)
    assert first is not None
    second = allocate(wanted, in_use=[first[0].allocated], **given)
    assert second is not None
    assert str(second[0].devices[0].consumed_capacity["memory"]) == "4Gi"
    assert allocate(wanted, in_use=[first[0].allocated, second[0].allocated], **given) is None
    both = allocate(claim(request("x", capacity={"requests": {"memory": "4Gi"}}), request("y", capacity={"requests": {"memory": "4Gi"}})), **given)
    assert both is not None
    assert len({each.share_id for each in both[0].devices}) == 2
    assert (both[0].node_selector is not None, both[0].config, len(both[0].to_dict()["devices"]["results"])) == (True, (), 2)


def test_a_search_is_bounded() -> None:
    """A search over its limit ends in an error that says so."""
    slices = published(*(device(f"d{index}", attributes={"v": index}) for index in range(30)))
    wanted = claim(request(count=10), request("s", count=10), constraints=[{"matchAttribute": f"{NPU}/v"}])
    with pytest.raises(SearchLimitExceeded) as caught:
        allocate(wanted, classes=CLASS, slices=slices, node="n1", steps=5)
    assert caught.value.steps == 5
    assert allocate(wanted, classes=CLASS, slices=slices, node="n1") is None


def test_many_claims() -> None:
    """Claims may want more devices than Python has room for calls."""
    slices = [published(*(device(f"d{index}") for index in range(128)), name=f"s{number}", pool=f"p{number}") for number in range(20)]
    found = allocate([claim(request(count=32), name=f"c{index}") for index in range(80)], classes=CLASS, slices=slices, node="n1")
    assert found is not None
    assert len({row[1:] for each in found for row in each.results}) == 80 * 32


def test_repeated_keys() -> None:
    """What stands under repeated keys of JSON is put together as the API server does: the selector stays."""
    (repeated,) = documents(
        '{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "npu"},'
        ' "spec": {"selectors": [{"cel": {"expression": "false"}}]}, "spec": {"config": []}}'
    )
    classes: Any = repeated
    assert allocate(claim(request()), classes=classes, slices=published(device()), node="n1") is None


@pytest.mark.parametrize("items", [5, {"a": 1}, "ab"])
def test_items_that_are_no_list(items: Any) -> None:
    """The items of a list object are a list."""
    with pytest.raises(DecodeError) as caught:
        allocate({"kind": "ResourceClaimList", "items": items}, classes=CLASS, slices=published(device()), node="n1")
    assert (caught.value.path, caught.value.expected) == ("claims.items", "a list of objects")
