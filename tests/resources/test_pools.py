"""
Room: from devices to slices.

May touch: `resources.pools`.
"""

from __future__ import annotations

from datetime import UTC, datetime

import attrs
import pytest

from rbln_dra import Device, ResourceSlice, TreeBackend, discover
from rbln_dra.attributes import DeviceAttribute
from rbln_dra.devices import DeviceCounterConsumption, DeviceTaint
from rbln_dra.errors import InvalidName, InvalidValue, UnknownKubernetes
from rbln_dra.names import DRIVER_NAME
from rbln_dra.resources import OwnerReference, ResourcePool, most_devices, pool_slices

TAINTED = (DeviceTaint("example.com/broken", "NoSchedule"),)
NOW = datetime(2026, 1, 31, tzinfo=UTC)


def devices(count: int, *, taints: tuple[DeviceTaint, ...] = ()) -> list[Device]:
    """Make devices."""
    return [Device(f"vfio-{number:04x}-00-00-0", DRIVER_NAME, taints=taints) for number in range(count)]


def sizes(slices: tuple[ResourceSlice, ...]) -> list[int]:
    """Count the devices of each slice."""
    return [len(each.spec.devices) for each in slices]


@pytest.mark.parametrize(
    ("count", "split"), [(0, [0]), (1, [1]), (128, [128]), (129, [128, 1]), (300, [128, 128, 44])], ids=["none", "one", "full", "one more", "many"]
)
def test_a_pool_is_split_where_a_slice_is_full(count: int, split: list[int]) -> None:
    """All slices have one generation, their number, and names of their own; an empty pool is one empty slice."""
    slices = pool_slices(devices(count), node="node-a")
    assert sizes(slices) == split
    assert {each.spec.pool for each in slices} == {ResourcePool("node-a", 1, len(split))}
    assert {each.spec.node_name for each in slices} == {"node-a"}
    assert [each.metadata.name for each in slices] == [f"node-a-npu.rebellions.ai-{number}" for number in range(len(split))]
    assert "devices" not in pool_slices([], node="n")[0].to_dict()["spec"]


@pytest.mark.parametrize(
    ("kubernetes", "device", "most"),
    [
        ("1.34", Device("a", "d", taints=TAINTED), 128),
        ("1.35", Device("a", "d", taints=TAINTED), 64),
        ("1.35", Device("a", "d", consumes_counters=(DeviceCounterConsumption("s"),)), 64),
        ("1.35", Device("a", "d", attributes={"l": DeviceAttribute.of([1])}), 128),
        ("1.36", Device("a", "d", attributes={"l": DeviceAttribute.of([1])}), 64),
        ("1.36", Device("a", "d", attributes={"l": DeviceAttribute.of(1)}), 128),
    ],
    ids=["taints in 1.34", "taints", "counters", "lists in 1.35", "lists", "scalars"],
)
def test_what_came_later_halves_the_limit(kubernetes: str, device: Device, most: int) -> None:
    """Taints and counters from 1.35, lists from 1.36."""
    assert most_devices([Device("b", "d"), device], kubernetes=kubernetes) == most


def test_what_a_release_drops_is_left_out() -> None:
    """Taints need a feature that is on by default from 1.36; without it they halve nothing."""
    tainted = devices(65, taints=TAINTED)
    assert sizes(pool_slices(tainted, node="n", kubernetes="1.35")) == [65]
    assert sizes(pool_slices(tainted, node="n", kubernetes="1.36")) == [64, 1]
    assert pool_slices(tainted, node="n", kubernetes="1.35")[0].spec.devices[0].taints == ()


def test_a_pool_that_did_not_change_stays() -> None:
    """Slices that say the same are given back, in order, with what the API server put into them."""
    made = pool_slices(devices(130, taints=TAINTED), node="n", kubernetes="1.36")
    kept = tuple(
        attrs.evolve(each, metadata=attrs.evolve(each.metadata, uid=str(number))).defaulted(now=NOW) for number, each in enumerate(reversed(made))
    )
    assert pool_slices(devices(130, taints=TAINTED), node="n", kubernetes="1.36", previous=kept) == tuple(reversed(kept))


@pytest.mark.parametrize(
    ("count", "taints"),
    [(129, ()), (131, ()), (0, ()), (130, TAINTED), (130, (attrs.evolve(TAINTED[0], time_added=NOW),))],
    ids=["one less", "one more", "none", "taints", "taints with a time"],
)
def test_a_change_makes_a_new_generation(count: int, taints: tuple[DeviceTaint, ...]) -> None:
    """The new slices take the place of the old ones under their names."""
    old = pool_slices(devices(130), node="n", kubernetes="1.36")
    new = pool_slices(devices(count, taints=taints), node="n", kubernetes="1.36", previous=old)
    assert {each.spec.pool.generation for each in new} == {2}
    assert [each.metadata for each in new][: len(old)] == [each.metadata for each in old][: len(new)]
    assert len({each.metadata.name for each in new}) == len(new)


def test_a_slice_too_many_or_of_an_older_generation_is_a_change() -> None:
    """The newest generation counts, and it must be what is wanted, no more."""
    first = pool_slices(devices(1), node="n")
    second = pool_slices(devices(2), node="n", previous=first)
    assert second[0].spec.pool.generation == 2
    assert pool_slices(devices(2), node="n", previous=[*first, *second]) == second
    doubled = [*second, attrs.evolve(second[0], metadata=attrs.evolve(second[0].metadata, name="other"))]
    assert pool_slices(devices(2), node="n", previous=doubled)[0].spec.pool.generation == 3


def test_slices_of_others_do_not_count() -> None:
    """Another driver's or another node's slices are none of this pool."""
    others = [*pool_slices(devices(1), node="other"), *pool_slices(devices(1), node="n", driver="gpu.example.com")]
    assert pool_slices(devices(1), node="n", previous=others)[0].spec.pool.generation == 1


def test_a_made_name_is_new_and_short_enough() -> None:
    """Names that are taken are passed over, and a long one is cut."""
    (first,) = pool_slices(devices(1), node="n")
    renamed = attrs.evolve(first, metadata=attrs.evolve(first.metadata, name="n-npu.rebellions.ai-1"))
    assert [each.metadata.name for each in pool_slices(devices(129), node="n", previous=[renamed])] == [
        "n-npu.rebellions.ai-1",
        "n-npu.rebellions.ai-0",
    ]
    long = ".".join(["n" * 49] * 5)
    (only,) = pool_slices([], node=long, driver="NPU.Rebellions.ai")
    assert only.metadata.name == f"{long}-npu.rebellions.ai-"[:247] + "0"


def test_slices_are_deleted_with_their_node() -> None:
    """New slices have the owner that is given, and the pool can have another name than the node."""
    node = OwnerReference("v1", "Node", "n", "u", controller=True)
    (made,) = pool_slices([], node="n", pool="pool/a", owner=node)
    assert made.metadata.owner_references == (node,)
    assert (made.spec.pool.name, made.spec.node_name) == ("pool/a", "n")


@pytest.mark.parametrize("tree", ["atom", "ca22", "mixed", "rebel100", "sriov"])
def test_a_bundled_node_is_one_slice(tree: str) -> None:
    """The devices come back from the slice as they were published."""
    inventory = discover(TreeBackend(tree))
    assert inventory.node is not None
    (made,) = pool_slices(inventory.devices, node=inventory.node)
    assert ResourceSlice.from_dict(made.to_dict("v1beta1"), strict=True).spec.devices == inventory.devices


def test_names_are_checked() -> None:
    """What the API server would refuse is refused, before anything is made."""
    with pytest.raises(InvalidName):
        pool_slices([], node="Node_A")
    with pytest.raises(InvalidName):
        pool_slices([], node="n", driver="")
    with pytest.raises(InvalidName):
        pool_slices([], node="n", pool="a//b")
    with pytest.raises(InvalidName):
        pool_slices([Device("0000:27:00.0", DRIVER_NAME)], node="n")
    with pytest.raises(InvalidValue, match="expected device names that are unique in their pool, got 'a': 2 devices have it"):
        pool_slices([Device("a", DRIVER_NAME), Device("a", DRIVER_NAME)], node="n")
    with pytest.raises(UnknownKubernetes):
        pool_slices([], node="n", kubernetes="1.20")
