"""
Room: what discovery gives: devices, the hardware behind them, the pools that they are in, and what is odd.

May touch: `devices`, `diagnostics`, `errors`.
"""

from __future__ import annotations

import attrs

from ..devices import NPU, Device, NUMANode
from ..errors import InvalidValue
from .diagnostics import Diagnostic, Effect


@attrs.frozen
class Pool:
    """
    A pool of devices, as ResourceSlices make it up; a node that is scanned is one pool.

    Args:
        driver: The DRA driver whose pool it is.
        name: Its name, for the NPU driver the node's; absent when a scan was not told the node.
        node: The node that has its devices; absent when it is unknown, or when they belong to several nodes.
        generation: The newest generation that was seen; absent for a scanned node.
        slice_count: Of how many slices that generation says it is made; absent for a scanned node.
        slices: The names of the slices of that generation that were seen, in their order; empty for a scanned node.
    """

    driver: str
    name: str | None = None
    node: str | None = None
    generation: int | None = None
    slice_count: int | None = None
    slices: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every slice of the pool was seen; the allocator waits for the missing ones. A scanned node is complete."""
        return self.slice_count is None or len(self.slices) == self.slice_count


@attrs.frozen
class Inventory:
    """
    What a backend found.

    Args:
        devices: What is published: of a scanned node the container devices by number, then the passthrough devices by address, as the driver
            lists them; of slices the devices as the slices list them.
        npus: The hardware, by address, published or not; empty when only slices were read.
        diagnostics: What is odd, by address; beside the devices, never instead of them.
        node: The node's name, absent when the source does not say it or speaks of several nodes.
        pools: The pools, also those without a device.
        numa_nodes: The NUMA nodes of the host, by number; empty when it says nothing of them, or when only slices were read.

    >>> from rbln_dra import discover, TreeBackend
    >>> inventory = discover(TreeBackend("rebel100"))
    >>> [(pool.name, len(inventory.devices_of(pool)), inventory.devices_of(pool)[0].name) for pool in inventory.pools]
    [('node-rebel100', 1, 'vfio-0000-27-00-0')]
    """

    devices: tuple[Device, ...] = ()
    npus: tuple[NPU, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    node: str | None = None
    pools: tuple[Pool, ...] = ()
    numa_nodes: tuple[NUMANode, ...] = ()

    def devices_of(self, pool: Pool) -> tuple[Device, ...]:
        """
        Give the devices of one pool, in order.

        Raises:
            InvalidValue: That is no pool.
        """
        InvalidValue.unless(pool, Pool, "a pool, one of `pools`")
        return tuple(device for device in self.devices if device.driver == pool.driver and device.pool == pool.name)

    @property
    def partial(self) -> bool:
        """Whether a read failed or gave nothing usable, so that the hardware may have more than is listed here."""
        return any(diagnostic.effect is Effect.INCOMPLETE or diagnostic.code in _MISSED for diagnostic in self.diagnostics)


_MISSED = frozenset({"vendor-unknown", "unreadable", "link-loop", "vanished", "odd-iommu-group"})
