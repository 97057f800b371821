"""
Room: the entry point: claims, classes and slices in, devices out.

May touch: `cluster`, `explanation`, `nodes`, `results`, `search`, `kubernetes`.
"""

from __future__ import annotations

from packaging.version import Version

from ..kubernetes import DEFAULT, Kubernetes
from .cluster import Claims, Classes, Cluster, InUse, Plain, Slices
from .explanation import AllocationExplanation
from .nodes import Node
from .results import ClaimAllocation
from .search import STEPS


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
    one or many, or as a list object of kubectl; a dict may leave out `apiVersion` and `kind`, which are then those of v1. Who asks more than once
    of the same slices keeps a `Cluster`.

    Args:
        claims: The claims, in the order in which they are served. What their status says that they have does not count.
        classes: The DeviceClasses that there are.
        slices: The ResourceSlices that there are, those of other nodes too.
        node: The node: its name, or a Node object where slices select nodes by labels.
        in_use: What is allocated already: devices as (driver, pool, device), or claims whose status says what they have.
        kubernetes: Which Kubernetes allocates, with its gates.
        steps: How many steps the search may take, some ten microseconds each.

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
    return Cluster(classes=classes, slices=slices, kubernetes=kubernetes).allocate(claims, node=node, in_use=in_use, steps=steps)


def explain(
    claims: Claims,
    *,
    classes: Classes,
    slices: Slices,
    node: str | Node | Plain,
    in_use: InUse = (),
    kubernetes: str | Version | Kubernetes = DEFAULT,
    steps: int = STEPS,
) -> AllocationExplanation:
    """
    Allocate as `allocate` does, and say for each request and device what rules it out. An error of the scheduler is part of the answer.

    Args:
        claims: As for `allocate`.
        classes: As for `allocate`.
        slices: As for `allocate`.
        node: As for `allocate`.
        in_use: As for `allocate`.
        kubernetes: As for `allocate`.
        steps: As for `allocate`.

    Raises:
        DecodeError: An object could not be read.
        UnknownKubernetes: The minor is not known.

    >>> pool = {"name": "node-atom", "generation": 1, "resourceSliceCount": 1}
    >>> published = {"metadata": {"name": "node-atom-x"}, "spec": {
    ...     "driver": "npu.rebellions.ai", "nodeName": "node-atom", "pool": pool, "devices": [{"name": "vfio-0000-27-00-0"}]}}
    >>> claim = {"metadata": {"name": "npu"}, "spec": {"devices": {"requests": [{"name": "card", "exactly": {"deviceClassName": "any"}}]}}}
    >>> used = [("npu.rebellions.ai", "node-atom", "vfio-0000-27-00-0")]
    >>> print(explain(claim, classes={"metadata": {"name": "any"}}, slices=published, node="node-atom", in_use=used))
    does not fit
    claim npu, request card: wants 1, could take 0 (1 in use)
    hint: request card: 1 device that matches is in use
    """
    return Cluster(classes=classes, slices=slices, kubernetes=kubernetes).explain(claims, node=node, in_use=in_use, steps=steps)
