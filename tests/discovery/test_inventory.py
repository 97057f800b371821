"""
Room: what discovery gives.

May touch: `inventory`, bundled trees.
"""

from __future__ import annotations

import pytest

from rbln_dra.discovery import Diagnostic, Inventory, Pool, TreeBackend, discover


@pytest.mark.parametrize(
    ("pool", "complete"),
    [
        pytest.param(Pool("d", "node"), True, id="a scanned node"),
        pytest.param(Pool("d", "p", generation=1, slice_count=2, slices=("a", "b")), True, id="all slices"),
        pytest.param(Pool("d", "p", generation=1, slice_count=2, slices=("a",)), False, id="one is missing"),
        pytest.param(Pool("d", "p", generation=1, slice_count=1, slices=("a", "b")), False, id="one too many"),
    ],
)
def test_a_pool_is_complete_when_all_its_slices_are_here(pool: Pool, complete: bool) -> None:
    """The count must be exact, as in the allocator."""
    assert pool.complete is complete


@pytest.mark.parametrize(
    ("code", "partial"),
    [("attribute-unreadable", True), ("unreadable", True), ("vanished", True), ("unbound", False), ("host-driver", False), ("shared-group", False)],
)
def test_an_inventory_is_partial_when_something_could_not_be_read(code: str, partial: bool) -> None:
    """A card that is rightly passed over leaves an inventory whole; a failed read does not."""
    assert Inventory(diagnostics=(Diagnostic("a", code),)).partial is partial


def test_devices_of_a_pool() -> None:
    """Each pool has its own devices."""
    inventory = discover(TreeBackend("sriov"))
    (pool,) = inventory.pools
    assert [device.name for device in inventory.devices_of(pool)] == ["rbln0", "vfio-0000-01-00-1", "vfio-0000-01-00-2"]
    assert inventory.devices_of(Pool("other.example.com", "node-sriov")) == ()
