"""
Room: a cluster, read once to allocate in again and again: its classes, its slices, and what they come to for each node.

May touch: `allocated`, `explanation`, `nodes`, `objects`, `pools`, `results`, `rules`, `search`, `wishes`, `cel`, `kubernetes`, `resources`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

import attrs
from packaging.version import Version

from ..cel import Environment
from ..kubernetes import DEFAULT, Kubernetes
from ..resources import DeviceClass, ResourceClaim, ResourceSlice
from .allocated import Allocated
from .explanation import AllocationExplanation, explained
from .nodes import Node
from .objects import claims_of, classes_of, slices_of
from .pools import DeviceID, Pool, Published, gather
from .results import ClaimAllocation, conclude
from .rules import rules_of
from .search import STEPS, Search
from .wishes import Condition, Setting, demands

#: An object as `json.loads` gives it.
Plain: TypeAlias = Mapping[str, Any]
Claims: TypeAlias = ResourceClaim | Plain | Iterable[ResourceClaim | Plain]
Classes: TypeAlias = DeviceClass | Plain | Iterable[DeviceClass | Plain]
Slices: TypeAlias = ResourceSlice | Plain | Iterable[ResourceSlice | Plain]
InUse: TypeAlias = Iterable[DeviceID | ResourceClaim | Plain]

#: Of how many nodes, and for how many lists of selectors on each, it is kept what was found out.
_NODES: Final = 4096
_SELECTORS: Final = 256


@attrs.frozen(eq=False)
class _Reached:
    """
    What a node can reach.

    Args:
        pools: The pools.
        verdicts: Selectors → position of a device → whether it matches.
    """

    pools: tuple[Pool, ...]
    verdicts: dict[Hashable, dict[int, bool]]


class Cluster:
    """
    The classes and slices of a cluster, to allocate claim after claim, node after node: `allocate` for those who ask more than once.

    What a node can reach and which devices selectors choose is found out once, and kept for some thousand nodes. A cluster whose slices or classes
    change is another one. Threads may share one.

    Args:
        classes: The DeviceClasses that there are, as for `allocate`.
        slices: The ResourceSlices that there are, of all nodes.
        kubernetes: Which Kubernetes allocates, with its gates.

    Raises:
        DecodeError: An object could not be read.
        UnknownKubernetes: The minor is not known.

    >>> pool = {"name": "node-atom", "generation": 1, "resourceSliceCount": 1}
    >>> published = {"metadata": {"name": "node-atom-x"}, "spec": {"driver": "npu.rebellions.ai", "nodeName": "node-atom", "pool": pool, "devices": [
    ...     {"name": "vfio-0000-27-00-0"}, {"name": "vfio-0000-28-00-0"}]}}
    >>> cluster = Cluster(classes={"metadata": {"name": "any"}}, slices=published)
    >>> claim = {"metadata": {"name": "npu"}, "spec": {"devices": {"requests": [{"name": "card", "exactly": {"deviceClassName": "any"}}]}}}
    >>> first = cluster.allocate(claim, node="node-atom")
    >>> second = cluster.allocate(claim, node="node-atom", in_use=[each.allocated for each in first])
    >>> second[0].results, cluster.allocate(claim, node="another")
    ((('card', 'npu.rebellions.ai', 'node-atom', 'vfio-0000-28-00-0'),), None)
    """

    def __init__(self, *, classes: Classes, slices: Slices, kubernetes: str | Version | Kubernetes = DEFAULT) -> None:
        self.kubernetes = Kubernetes.of(kubernetes)
        self.classes = classes_of(classes, self.kubernetes)
        self.slices = slices_of(slices, self.kubernetes)
        self._rules = rules_of(self.kubernetes)
        self._environment = Environment(self.kubernetes, expressions="stored")
        self._published = Published(self.slices)
        self._reached: dict[Node, _Reached] = {}
        self._of_classes: dict[str, list[Condition]] = {}

    def __repr__(self) -> str:
        """Show how much it has."""
        return f"Cluster({len(self.classes)} classes, {len(self.slices)} slices, kubernetes={str(self.kubernetes)!r})"

    def allocate(self, claims: Claims, *, node: str | Node | Plain, in_use: InUse = (), steps: int = STEPS) -> tuple[ClaimAllocation, ...] | None:
        """
        Allocate devices of one node to claims; see `rbln_dra.allocate`.

        Args:
            claims: The claims, in the order in which they are served.
            node: The node: its name, or a Node object where slices select nodes by labels.
            in_use: What is allocated already.
            steps: How many steps the search may take.

        Raises:
            AllocationError: The scheduler gives up with an error.
            SearchLimitExceeded: The search takes more steps.
            DecodeError: An object could not be read.
        """
        setting = self._setting(claims, node=node, in_use=in_use)
        return conclude(Search(setting, demands(setting), steps=steps))

    def explain(self, claims: Claims, *, node: str | Node | Plain, in_use: InUse = (), steps: int = STEPS) -> AllocationExplanation:
        """
        Allocate, and say for each request and device what rules it out; see `rbln_dra.allocation.explain`.

        Args:
            claims: As for `allocate`.
            node: As for `allocate`.
            in_use: As for `allocate`.
            steps: As for `allocate`.

        Raises:
            DecodeError: An object could not be read.
        """
        return explained(partial(self._setting, claims, node=node, in_use=in_use), steps=steps)

    def _setting(self, claims: Claims, *, node: str | Node | Plain, in_use: InUse) -> Setting:
        """
        Put together what a search is about.

        Raises:
            AllocationError: A node selector cannot be read.
            DecodeError: An object could not be read.
        """
        where = Node.of(node)
        wanted = claims_of(claims, self.kubernetes)
        reached = self._reached.get(where)
        if reached is None:
            reached = self._reached[where] = _Reached(gather(self._published, where, self._rules), {})
            for forgotten in list(self._reached)[:-_NODES]:
                self._reached.pop(forgotten, None)
        if len(reached.verdicts) > _SELECTORS:
            reached.verdicts.clear()
        return Setting(
            wanted,
            self.classes,
            reached.pools,
            where,
            self.kubernetes,
            self._rules,
            Allocated.of(in_use),
            self._environment,
            reached.verdicts,
            self._of_classes,
        )
