"""
Room: what an allocation gives: the devices of each claim, the nodes where they can be used, and the configuration for their drivers.

May touch: `search`, `wishes`, `devices`, `resources`, `errors`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import attrs

from ..devices import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from ..errors import AllocationError
from ..resources import (
    AllocationResult,
    DeviceAllocationConfiguration,
    DeviceAllocationResult,
    DeviceRequestAllocationResult,
    OpaqueDeviceConfiguration,
    ResourceClaim,
)

if TYPE_CHECKING:
    from .search import Grant, Search
    from .wishes import Wish

#: Request, driver, pool and device.
Row: TypeAlias = tuple[str, str, str, str]

FROM_CLASS: Final = "FromClass"
FROM_CLAIM: Final = "FromClaim"


@attrs.frozen
class ClaimAllocation:
    """
    What a claim gets.

    Args:
        claim: The claim.
        allocation: What it gets, as the scheduler writes it into `status.allocation`.
    """

    claim: ResourceClaim
    allocation: AllocationResult

    @property
    def results(self) -> tuple[Row, ...]:
        """The devices as (request, driver, pool, device), in the order in which they were found; a subrequest is `request/subrequest`."""
        return tuple((each.request, each.driver, each.pool, each.device) for each in self.devices)

    @property
    def devices(self) -> tuple[DeviceRequestAllocationResult, ...]:
        """The devices with all that is said of them: admin access, tolerations, share, consumed capacity, binding conditions."""
        return self.allocation.devices.results

    @property
    def config(self) -> tuple[DeviceAllocationConfiguration, ...]:
        """The configuration for the drivers: of the classes, then of the claim."""
        return self.allocation.devices.config

    @property
    def node_selector(self) -> NodeSelector | None:
        """The nodes where the devices can be used; `None` means all."""
        return self.allocation.node_selector

    def to_dict(self) -> dict[str, Any]:
        """Give the v1 form of the allocation: what the scheduler writes into `status.allocation`."""
        written: dict[str, Any] = self.allocated.to_dict()["status"]["allocation"]
        return written

    @property
    def allocated(self) -> ResourceClaim:
        """The claim with its allocation: what `in_use` of the next allocation takes."""
        return attrs.evolve(self.claim, status=attrs.evolve(self.claim.status, allocation=self.allocation))


def conclude(search: Search) -> tuple[ClaimAllocation, ...] | None:
    """
    Search, and give what each claim gets; `None` when they do not fit.

    Raises:
        AllocationError: The scheduler gives up with an error, or a slice's node selector has more terms than one.
        SearchLimitExceeded: The search takes too many steps.
    """
    if search.run():
        return tuple(_allocation(search, index) for index in range(len(search.demands)))
    setting = search.setting
    if setting.rules.allocator.whole_pools and any(pool.invalid is not None for pool in setting.pools):
        raise AllocationError("invalid resource pools were encountered", node_only=True)
    return None


def _allocation(search: Search, index: int) -> ClaimAllocation:
    """Give what one claim gets."""
    claim = search.setting.claims[index]
    grants = search.granted[index]
    results = tuple(_result(search, grant, claim, number) for number, grant in enumerate(grants))
    config = tuple(_configuration(search, index))
    try:
        selector = _node_selector(search, grants)
    except AllocationError as error:
        raise AllocationError(f"create NodeSelector for claim {claim.metadata.name}: {error.message}") from None
    return ClaimAllocation(claim, AllocationResult(DeviceAllocationResult(results, config), selector))


def _result(search: Search, grant: Grant, claim: ResourceClaim, number: int) -> DeviceRequestAllocationResult:
    """Say which device a request gets."""
    allocator, features = search.setting.rules.allocator, search.setting.rules.features
    device = grant.candidate.device
    binding = allocator.sharing and "DeviceBindingAndStatus" in features
    operations = "OptionalNodeOperations" in allocator.supports
    return DeviceRequestAllocationResult(
        grant.wish.full_name,
        *grant.candidate.id,
        admin_access=True if grant.wish.admin else None,
        tolerations=grant.wish.given.tolerations if allocator.shows_tolerations else (),
        binding_conditions=device.binding_conditions if binding else (),
        binding_failure_conditions=device.binding_failure_conditions if binding else (),
        share_id=None if grant.consumed is None else _share_id(grant, claim, number),
        consumed_capacity=grant.consumed or {},
        skip_node_operations=grant.candidate.slice.spec.skip_node_operations if operations else (),
    )


def _share_id(grant: Grant, claim: ResourceClaim, number: int) -> str:
    """Make the identity of a share. Kubernetes takes a random one; ours is always the same for the same claim and device."""
    from uuid import NAMESPACE_URL, uuid5

    owner = claim.metadata.uid or f"{claim.metadata.namespace}/{claim.metadata.name}"
    return str(uuid5(NAMESPACE_URL, f"{owner}/{grant.candidate.text}/{number}"))


def _node_selector(search: Search, grants: Iterable[Grant]) -> NodeSelector | None:
    """
    Say where devices can be used: at their node, or where all their selectors hold.

    Raises:
        AllocationError: A selector has more terms than one.
    """
    expressions: list[NodeSelectorRequirement] = []
    fields: list[NodeSelectorRequirement] = []
    for grant in grants:
        device, spec = grant.candidate.device, grant.candidate.slice.spec
        named, selector = (device.node_name, device.node_selector) if spec.per_device_node_selection else (spec.node_name, spec.node_selector)
        if named is not None or (search.setting.rules.allocator.binds_to_node and device.binds_to_node):
            only = NodeSelectorRequirement("metadata.name", "In", (search.setting.node.name,))
            return NodeSelector((NodeSelectorTerm(match_fields=(only,)),))
        terms = () if selector is None else selector.terms
        if len(terms) > 1:
            raise AllocationError(f"unsupported ResourceSlice.NodeSelector with {len(terms)} terms")
        for term in terms:
            _add(term.match_fields, fields)
            _add(term.match_expressions, expressions)
    return NodeSelector((NodeSelectorTerm(tuple(expressions), tuple(fields)),)) if expressions or fields else None


def _add(requirements: Iterable[NodeSelectorRequirement], known: list[NodeSelectorRequirement]) -> None:
    """Add the conditions that are not there yet; the order of values does not count."""
    for each in requirements:
        if all((each.key, each.operator, set(each.values)) != (other.key, other.operator, set(other.values)) for other in known):
            known.append(each)


def _configuration(search: Search, index: int) -> Iterator[DeviceAllocationConfiguration]:
    """Give the configuration of a claim: of each class once, for the requests that use it, then the claim's own where it is for what was chosen."""
    demand, claim = search.demands[index], search.setting.claims[index]
    once = search.setting.rules.allocator.configs_once
    chosen = [wishes[search.selected.get((index, number), 0)] for number, wishes in enumerate(demand.requests)]
    users: dict[str, list[Wish]] = {}
    for wish in chosen:
        users.setdefault(wish.device_class.metadata.name, []).append(wish)
    for wishes in users.values():
        for each in wishes[0].device_class.spec.config:
            yield _configured(FROM_CLASS, tuple(wish.full_name for wish in wishes), each.opaque, chosen, once=once)
    for own in claim.spec.devices.config:
        times = _times(own.requests, chosen)
        for _ in range(min(times, 1) if once else times):
            yield _configured(FROM_CLAIM, own.requests, own.opaque, chosen, once=once)


def _names(wish: Wish) -> tuple[str, ...]:
    """Give the names by which configuration can mean a request: its own, and with the subrequest that was chosen."""
    return wish.base, wish.full_name


def _times(requests: tuple[str, ...], chosen: list[Wish]) -> int:
    """Count how often the claim's configuration is given: without requests once, else for each request that it names."""
    return sum(any(name in requests for name in _names(wish)) for wish in chosen) if requests else 1


def _configured(
    source: str, requests: tuple[str, ...], opaque: OpaqueDeviceConfiguration | None, chosen: list[Wish], *, once: bool
) -> DeviceAllocationConfiguration:
    """Make one configuration; from 1.37 on, one that is for all requests names none."""
    everything = once and all(any(name in requests for name in _names(wish)) for wish in chosen)
    return DeviceAllocationConfiguration(source, () if everything else requests, opaque)
