"""
Room: the entry point: claims, classes and slices in, devices out.

May touch: everything in `allocation`, `kubernetes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from packaging.version import Version

from ..errors import AllocationError
from ..kubernetes import DEFAULT, Kubernetes
from ..resources import DeviceClass, ResourceClaim, ResourceSlice
from .allocated import Allocated
from .nodes import Node
from .objects import claims_of, classes_of, slices_of
from .pools import DeviceID, gather
from .results import ClaimAllocation, allocations
from .rules import rules_of
from .search import STEPS, Search
from .wishes import Setting, demands

#: An object as `json.loads` gives it.
Plain: TypeAlias = Mapping[str, Any]
Claims: TypeAlias = ResourceClaim | Plain | Iterable[ResourceClaim | Plain]
Classes: TypeAlias = DeviceClass | Plain | Iterable[DeviceClass | Plain]
Slices: TypeAlias = ResourceSlice | Plain | Iterable[ResourceSlice | Plain]
InUse: TypeAlias = Iterable[DeviceID | ResourceClaim | Plain]


def allocate(
    claims: Claims,
    *,
    classes: Classes,
    slices: Slices,
    node: str | Node | Plain,
    in_use: InUse = (),
    kubernetes: str | Version | Kubernetes = DEFAULT,
    steps: int = STEPS,
) -> tuple[ClaimAllocation, ...] | None:
    """
    Allocate devices of one node to claims, as the scheduler's allocator does: all claims get what they want, or none gets anything.

    The devices are those that the allocator of the minor takes: the first that go, in its order. Where 1.34 and 1.35 visit pools in random order,
    they are visited here in the order of their first slices, which is one of the orders of Kubernetes. Objects may be given as values or as dicts,
    one or many, or as a list object of kubectl; a dict may leave out `apiVersion` and `kind`, which are then those of v1.

    Args:
        claims: The claims, in the order in which they are served. What their status says that they have does not count.
        classes: The DeviceClasses that there are.
        slices: The ResourceSlices that there are, those of other nodes too.
        node: The node: its name, or a Node object where slices select nodes by labels.
        in_use: What is allocated already: devices as (driver, pool, device), or claims whose status says what they have.
        kubernetes: Which Kubernetes allocates, with its gates.
        steps: How many steps the search may take, some twenty microseconds each.

    Returns:
        What each claim gets, in the order of the claims; `None` when the node cannot serve them all. See `explain` for why.

    Raises:
        AllocationError: The scheduler gives up with an error, such as a selector without an answer; `message` is its text.
        SearchLimitExceeded: The search takes more steps.
        DecodeError: An object could not be read.
        UnknownKubernetes: The minor is not known.

    Source: k8s.io/dynamic-resource-allocation/structured.

    >>> pool = {"name": "node-atom", "generation": 1, "resourceSliceCount": 1}
    >>> published = {"metadata": {"name": "node-atom-x"}, "spec": {
    ...     "driver": "npu.rebellions.ai", "nodeName": "node-atom", "pool": pool, "devices": [{"name": "vfio-0000-27-00-0"}]}}
    >>> claim = {"metadata": {"name": "npu"}, "spec": {"devices": {"requests": [
    ...     {"name": "card", "exactly": {"deviceClassName": "vfio-npu.rebellions.ai"}}]}}}
    >>> allocated = allocate(claim, classes={"metadata": {"name": "vfio-npu.rebellions.ai"}}, slices=published, node="node-atom")
    >>> allocated[0].results
    (('card', 'npu.rebellions.ai', 'node-atom', 'vfio-0000-27-00-0'),)
    """
    setting = setting_of(claims, classes=classes, slices=slices, node=node, in_use=in_use, kubernetes=kubernetes)
    return conclude(Search(setting, demands(setting), steps=steps))


def conclude(search: Search) -> tuple[ClaimAllocation, ...] | None:
    """
    Search, and give what each claim gets; `None` when they do not fit.

    Raises:
        AllocationError: The scheduler gives up with an error.
        SearchLimitExceeded: The search takes too many steps.
    """
    if search.run():
        return allocations(search)
    setting = search.setting
    if setting.rules.allocator.whole_pools and any(pool.invalid is not None for pool in setting.pools):
        raise AllocationError("invalid resource pools were encountered", node_only=True)
    return None


def setting_of(
    claims: Claims, *, classes: Classes, slices: Slices, node: str | Node | Plain, in_use: InUse, kubernetes: str | Version | Kubernetes
) -> Setting:
    """
    Read what an allocation is about, and gather the pools.

    Raises:
        AllocationError: A node selector cannot be read.
        DecodeError: An object could not be read.
        UnknownKubernetes: The minor is not known.
    """
    release = Kubernetes.of(kubernetes)
    rules = rules_of(release)
    where = Node.of(node)
    published = slices_of(slices, release)
    return Setting(
        claims_of(claims, release),
        classes_of(classes, release),
        gather(published, where, rules),
        where,
        release,
        rules,
        Allocated.of(in_use),
    )
