"""
Room: the NPU: what a host says about one function of a card.

May touch: `pci`, `products`, `errors`.
"""

from __future__ import annotations

from typing import Final

import attrs

from ..errors import InvalidValue
from ..pci import PCIAddress
from ..products import Product, by_pci_id

#: The kernel driver that runs containers on an NPU.
CONTAINER_DRIVER: Final = "rebellions"
#: The kernel driver that hands an NPU to a VM: the only name that the DRA driver takes for it.
PASSTHROUGH_DRIVER: Final = "vfio-pci"
#: PCI class of an NPU function: a processing accelerator.
NPU_CLASS: Final = "120000"


def vfio_driver(name: str | None) -> bool:
    """
    Tell whether a kernel driver is one of the VFIO family, in whichever spelling.

    Drivers and modules are spelled with `-` or `_`; variant drivers end like the plain one (`nvgrace-gpu-vfio-pci`). The DRA driver itself takes
    `vfio-pci` only.

    >>> vfio_driver("vfio_pci"), vfio_driver("xe-vfio-pci"), vfio_driver("rebellions")
    (True, True, False)
    """
    if name is None:
        return False
    InvalidValue.unless_text(name, "the name of a kernel driver such as vfio-pci")
    folded = name.replace("_", "-")
    return folded == PASSTHROUGH_DRIVER or folded.endswith(f"-{PASSTHROUGH_DRIVER}")


@attrs.frozen
class NPU:
    """
    One function of an NPU card, as a host shows it. A fact that the host does not give is `None`.

    Args:
        address: PCI address.
        vendor_id: File `vendor` without `0x`; `1eff` for every NPU.
        pci_device_id: File `device` without `0x`, its case untouched: `2130`.
        pci_class: File `class` without `0x`; `120000` for every NPU.
        driver: Name of the kernel driver that is bound; `None` when none is.
        iommu_group: Number of the IOMMU group.
        iommu_group_name: The group's `name`: `vfio-noiommu` when VFIO runs without an IOMMU; mostly absent.
        numa_node: NUMA node, from 0; the kernel's -1 is `None`.
        pcie_root: The PCIe root complex: `pci0000:20`.
        bridges: Bridges between root complex and NPU, root port first.
        vf: Whether it is an SR-IOV virtual function: it has a link `physfn`. Never told by the id.
        physfn: The physical function of a virtual one; `None` when the link leads nowhere.
        sriov_numvfs: How many virtual functions are enabled.
        sriov_totalvfs: How many it can have.
        rbln: Name of the card's device node under the driver `rebellions`: `rbln0`.
        card_name: Card model as that driver says: `RBLN-CR13`.
        kernel_version: Version of that driver: `3.4.0`, `1.2.92-6d00b56`.
        status: Its state number: 0 ready, 1 busy, 2 starting, 3 fault, 4 finished.
        sid: Serial id, shared by the NPUs of one card; `rbln-smi` has it, sysfs has not.
        uuid: Unique id, from `rbln-smi`.
        firmware_version: From `rbln-smi`.
        link_speed: As `rbln-smi` has it: `16GT/s`.
        link_width: As `rbln-smi` has it: `x16`.
        memory: Bytes of memory, from `rbln-smi`.

    >>> NPU(PCIAddress.parse("0000:27:00.0"), pci_device_id="2130").product.sku
    'RBLN-CR13'
    """

    address: PCIAddress
    vendor_id: str = "1eff"
    pci_device_id: str | None = None
    pci_class: str = NPU_CLASS
    driver: str | None = None
    iommu_group: int | None = None
    iommu_group_name: str | None = None
    numa_node: int | None = None
    pcie_root: str | None = None
    bridges: tuple[PCIAddress, ...] = ()
    vf: bool = False
    physfn: PCIAddress | None = None
    sriov_numvfs: int | None = None
    sriov_totalvfs: int | None = None
    rbln: str | None = None
    card_name: str | None = None
    kernel_version: str | None = None
    status: int | None = None
    sid: str | None = None
    uuid: str | None = None
    firmware_version: str | None = None
    link_speed: str | None = None
    link_width: str | None = None
    memory: int | None = None

    @property
    def product(self) -> Product | None:
        """The row of the product table for its PCI id; `None` when the table has none."""
        return None if self.pci_device_id is None else by_pci_id(self.pci_device_id)
