"""The NPU: facts of a host."""

from __future__ import annotations

import pytest

from rbln_dra.devices import NPU, vfio_driver
from rbln_dra.pci import PCIAddress

ADDRESS = PCIAddress.parse("0000:27:00.0")


@pytest.mark.parametrize(
    ("name", "vfio"),
    [
        ("vfio-pci", True),
        ("vfio_pci", True),
        ("xe-vfio-pci", True),
        ("nvgrace_gpu_vfio_pci", True),
        ("mlx5_vfio_pci", True),
        ("rebellions", False),
        ("vfio", False),
        ("notvfio-pci", False),
        ("", False),
        (None, False),
    ],
    ids=str,
)
def test_vfio_driver(name: str | None, vfio: bool) -> None:
    """VFIO drivers are known in both spellings, variant drivers included."""
    assert vfio_driver(name) is vfio


def test_product() -> None:
    """An NPU knows its row of the product table, by physical and virtual id alike."""
    products = [NPU(ADDRESS, pci_device_id=id_).product for id_ in ("2130", "2131")]
    assert [product and product.sku for product in products] == ["RBLN-CR13", "RBLN-CR13"]
    assert NPU(ADDRESS, pci_device_id="ffff").product is None
    assert NPU(ADDRESS).product is None
