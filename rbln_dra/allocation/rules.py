"""
Room: which of the scheduler's allocators decides, and in what the allocators of the minors differ.

Kubernetes has three allocators: stable, incubating and experimental. The first one that supports every feature that is on is used. Each minor changes
them, so that what an allocation is depends on the minor and on the gates; one row of `ALLOCATORS` says how for one allocator of one minor.

May touch: `kubernetes`, `errors`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

import attrs

from ..errors import InvalidValue
from ..kubernetes import Kubernetes

_BASIC: Final = ("AdminAccess", "PrioritizedList", "PartitionableDevices", "DeviceTaints")
_SHARING: Final = (*_BASIC, "DeviceBindingAndStatus", "ConsumableCapacity")

#: What the allocators call a feature → the gates that it needs. In 1.34 `DRAResourceClaimDeviceStatus` alone would count as one, too; it changes
#: nothing by itself and is taken together with the binding conditions that it serves, as from 1.35 on.
FEATURES: Final[Mapping[str, tuple[str, ...]]] = {
    "AdminAccess": ("DRAAdminAccess",),
    "CompatibilityGroups": ("DRADeviceCompatibilityGroups",),
    "ConsumableCapacity": ("DRAConsumableCapacity",),
    "DerivedAttributes": ("DRADerivedAttributes",),
    "DeviceBindingAndStatus": ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"),
    "DeviceTaints": ("DRADeviceTaints",),
    "FractionalCapacityRange": ("DRAFractionalCapacityRange",),
    "ListTypeAttributes": ("DRAListTypeAttributes",),
    "OptionalNodeOperations": ("DRAOptionalNodeOperations",),
    "PartitionableDevices": ("DRAPartitionableDevices",),
    "PrioritizedList": ("DRAPrioritizedList",),
}


def _frozen(names: Iterable[str]) -> frozenset[str]:
    """Freeze names."""
    try:
        return frozenset(names)
    except TypeError:
        raise InvalidValue(names, "names of features") from None


@attrs.frozen
class Allocator:
    """
    One allocator of one minor.

    Args:
        name: `stable`, `incubating` or `experimental`.
        supports: The features that it knows.
        ordered: Whether pools are visited by driver and name, slices by name, and the devices of one request in that order only. Otherwise Go's
            random order of maps decides between pools (here: the order of their first slices), and every order of devices is tried.
        whole_pools: Whether a pool counts as complete when all its slices are there, be they of other nodes; otherwise those for this node must be.
        invalid_aborts: Whether reaching an invalid pool is an error at once; incomplete pools are then used. Otherwise both are passed over, and
            invalid ones are reported when nothing fits.
        counters: Where shared counters hold: in one `slice`, in all pools of one `name`, or in one `pool`.
        counters_relevant: Whether slices with shared counters belong to every node.
        counters_elsewhere: Whether those are looked for among the slices of other nodes.
        hides_groups: Whether slices with compatibility groups are left out while that feature is off.
        every_taint: Whether taints of any effect keep claims away; otherwise NoSchedule and NoExecute only.
        shows_tolerations: Whether results repeat the tolerations of their request.
        sharing: Whether binding conditions, capacities and distinctAttribute are known at all.
        binding_slices_last: Whether slices with binding conditions are moved behind the others.
        distinct: How distinctAttribute remembers: each value of each device (`all`), the last value of each request (`request`), or the very object
            (`identity`).
        lists_narrow_for_good: Whether a device that is given back leaves matchAttribute with what it had in common with the others.
        forgets_subrequest: Whether `All` goes on with the first subrequest after its first device.
        mixes_subrequests: Whether subrequests with `All` use the verdicts of the subrequest before the last.
        leaks: Whether a device that is refused or given back keeps its counters, and sometimes more.
        allocated_shares: Whether devices of which shares are allocated count as consumers of counters.
        shares_counted_once: Whether further shares of a device take no counters.
        idle_shares_counted: Whether that is so, too, where the share that is allocated already has no capacity.
        static_all: Whether `All` looks only at what a device has, not at what is left.
        rechecks_by_number: Whether the second look at capacity is at the slice's first device for a request's first device, and so on.
        amounts_grow: Whether the amount that a request names grows by what a shared device has given, each time that it is looked at (see `growth`).
        capacity_errors: Whether amounts that cannot be computed with are errors; otherwise the device is passed over.
        binds_to_node: Whether the result names the node where a device binds to it.
        configs_once: Whether a configuration is given once, and without requests where it is for all.
        names_subrequest: Whether an error of a subrequest's capacity names the subrequest, not its request.
        names_device: Whether errors of selectors name the device and give a hint.
    """

    name: str
    supports: frozenset[str] = attrs.field(converter=_frozen)
    ordered: bool = False
    whole_pools: bool = True
    invalid_aborts: bool = False
    counters: str = "pool"
    counters_relevant: bool = False
    counters_elsewhere: bool = False
    hides_groups: bool = False
    every_taint: bool = False
    shows_tolerations: bool = True
    sharing: bool = False
    binding_slices_last: bool = False
    distinct: str = "all"
    lists_narrow_for_good: bool = False
    forgets_subrequest: bool = False
    mixes_subrequests: bool = False
    leaks: bool = False
    allocated_shares: bool = False
    shares_counted_once: bool = True
    idle_shares_counted: bool = False
    static_all: bool = False
    rechecks_by_number: bool = False
    amounts_grow: bool = False
    capacity_errors: bool = False
    binds_to_node: bool = False
    configs_once: bool = False
    names_subrequest: bool = True
    names_device: bool = False


_34: Final = Allocator(
    "stable",
    (),
    whole_pools=False,
    invalid_aborts=True,
    counters="slice",
    every_taint=True,
    shows_tolerations=False,
    forgets_subrequest=True,
    mixes_subrequests=True,
    leaks=True,
    shares_counted_once=False,
    names_subrequest=False,
)
_34_INCUBATING: Final = attrs.evolve(_34, name="incubating", supports=_BASIC)
_34_EXPERIMENTAL: Final = attrs.evolve(
    _34_INCUBATING,
    name="experimental",
    supports=_SHARING,
    sharing=True,
    binding_slices_last=True,
    distinct="identity",
    rechecks_by_number=True,
    amounts_grow=True,
    binds_to_node=True,
)
_35: Final = attrs.evolve(_34, whole_pools=True, invalid_aborts=False, shares_counted_once=True, names_subrequest=True)
_35_INCUBATING: Final = attrs.evolve(
    _35,
    name="incubating",
    supports=_BASIC,
    counters="name",
    counters_relevant=True,
    every_taint=False,
    shows_tolerations=True,
)
_35_EXPERIMENTAL: Final = attrs.evolve(
    _35_INCUBATING,
    name="experimental",
    supports=_SHARING,
    sharing=True,
    binding_slices_last=True,
    distinct="request",
    amounts_grow=True,
    binds_to_node=True,
)
_36: Final = Allocator("stable", _BASIC, counters_relevant=True)
_36_INCUBATING: Final = attrs.evolve(
    _36,
    name="incubating",
    supports=_SHARING,
    ordered=True,
    sharing=True,
    distinct="request",
    allocated_shares=True,
    amounts_grow=True,
    binds_to_node=True,
)
_36_EXPERIMENTAL: Final = attrs.evolve(_36_INCUBATING, name="experimental", supports=(*_SHARING, "ListTypeAttributes"), lists_narrow_for_good=True)
_37: Final = attrs.evolve(_36, hides_groups=True, configs_once=True, names_device=True)
_37_INCUBATING: Final = attrs.evolve(
    _36_INCUBATING,
    supports=(*_SHARING, "FractionalCapacityRange"),
    counters_relevant=False,
    counters_elsewhere=True,
    hides_groups=True,
    distinct="all",
    idle_shares_counted=True,
    static_all=True,
    amounts_grow=False,
    capacity_errors=True,
    configs_once=True,
    names_device=True,
)
_37_EXPERIMENTAL: Final = attrs.evolve(_37_INCUBATING, name="experimental", supports=FEATURES)

#: Minor → its allocators, the most stable first. Source: k8s.io/dynamic-resource-allocation/structured, v0.34.13, v0.35.10, v0.36.6, v0.37.2.
ALLOCATORS: Final[Mapping[str, tuple[Allocator, ...]]] = {
    "1.34": (_34, _34_INCUBATING, _34_EXPERIMENTAL),
    "1.35": (_35, _35_INCUBATING, _35_EXPERIMENTAL),
    "1.36": (_36, _36_INCUBATING, _36_EXPERIMENTAL),
    "1.37": (_37, _37_INCUBATING, _37_EXPERIMENTAL),
}


@attrs.frozen
class Rules:
    """
    How one release allocates.

    Args:
        allocator: The allocator that is used.
        features: The features that are on.
    """

    allocator: Allocator
    features: frozenset[str]


@cache
def rules_of(release: Kubernetes) -> Rules:
    """
    Choose the allocator of a release: the most stable one that supports all its features.

    >>> rules_of(Kubernetes("1.36")).allocator.name, rules_of(Kubernetes("1.35")).allocator.ordered
    ('incubating', False)
    """
    allocators = ALLOCATORS[str(release.minor)]
    features = frozenset(name for name, gates in FEATURES.items() if all(release.enabled(gate) for gate in gates))
    return Rules(next(each for each in allocators if each.supports >= features), features)
