"""
Room: what is allocated already.

May touch: `objects`, `pools` for what a device is called, `resources`, `quantity`, `errors`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

import attrs

from ..errors import DecodeError
from ..quantity import Quantity
from ..resources import ResourceClaim
from .objects import claim_of
from .pools import DeviceID


@attrs.frozen
class Allocated:
    """
    What other claims have.

    Args:
        devices: The devices that are allocated as a whole.
        shared: The devices of which shares are allocated.
        capacity: What shares consume, by device and capacity.
    """

    devices: frozenset[DeviceID] = frozenset()
    shared: frozenset[DeviceID] = frozenset()
    capacity: Mapping[DeviceID, Mapping[str, Quantity]] = attrs.field(factory=dict[DeviceID, Mapping[str, Quantity]])

    @classmethod
    def of(cls, given: Iterable[object]) -> Allocated:
        """
        Take devices as (driver, pool, device), and claims: of these, what their status says that they have. What an administrator has does not count.

        Raises:
            DecodeError: One is neither.
        """
        if not isinstance(given, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DecodeError("in_use", given, "devices as (driver, pool, device) triples, or ResourceClaims")
        devices: set[DeviceID] = set()
        shared: set[DeviceID] = set()
        capacity: dict[DeviceID, dict[str, Quantity]] = {}
        for index, each in enumerate(given):
            if isinstance(each, ResourceClaim | Mapping):
                _add(claim_of(cast("object", each), f"in_use[{index}]"), devices, shared, capacity)
                continue
            given_one: object = each
            triple = tuple(cast("Iterable[object]", each)) if isinstance(each, tuple | list) else ()
            if len(triple) != 3 or not all(isinstance(part, str) for part in triple):
                raise DecodeError(f"in_use[{index}]", given_one, "a (driver, pool, device) triple or a ResourceClaim")
            devices.add(cast("DeviceID", triple))
        return cls(frozenset(devices), frozenset(shared), capacity)


def _add(claim: ResourceClaim, devices: set[DeviceID], shared: set[DeviceID], capacity: dict[DeviceID, dict[str, Quantity]]) -> None:
    """Add what a claim has."""
    allocation = claim.status.allocation
    for result in () if allocation is None else allocation.devices.results:
        if result.admin_access:
            continue
        id_ = (result.driver, result.pool, result.device)
        if result.share_id is None:
            devices.add(id_)
            continue
        shared.add(id_)
        if result.consumed_capacity:
            amounts = capacity.setdefault(id_, {})
            for name, amount in result.consumed_capacity.items():
                amounts[name] = amount if name not in amounts else amounts[name].add(amount)
