"""
Room: from the facts of a host to the device that the NPU DRA driver publishes for it.

May touch: `capacity`, `device`, `npu`, `profiles`, `attributes`, `names`, `quantity`, `errors`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final

from ..attributes import DeviceAttribute
from ..errors import InvalidValue
from ..names import DRIVER_NAME
from ..quantity import Quantity
from .capacity import DeviceCapacity
from .device import Device
from .npu import CONTAINER_DRIVER, NPU, PASSTHROUGH_DRIVER
from .profiles import Profile, find


def publish(npu: NPU, *, pool: str | None = None, driver: str = DRIVER_NAME, profile: str | Profile | None = None) -> Device | None:
    """
    Make the device that the NPU DRA driver publishes for an NPU, or `None` when it publishes none.

    A card that is bound to `vfio-pci` and has an IOMMU group becomes a passthrough device, named by its PCI address. A card that is bound to
    `rebellions` becomes a container device, named by its device node, when the node is known. What is unknown of the card is absent from the device.

    Args:
        npu: The facts.
        pool: The pool, which is the node's name; `None` when it is not known.
        driver: The driver's name; the driver is `npu.rebellions.ai` unless it is installed under another.
        profile: A driver generation, where not the documented one is meant: see `profiles.find`.

    Raises:
        UnknownProfile: There is no such generation.
        InvalidValue: That is no NPU.

    Source: rbln-k8s-dra-driver, and the attribute table of the VM passthrough page.

    >>> from rbln_dra import NPU, PCIAddress
    >>> npu = NPU(PCIAddress.parse("0000:27:00.0"), pci_device_id="2130", driver="vfio-pci", iommu_group=42)
    >>> device = publish(npu)
    >>> device.name, device.attributes["productName"].string_value
    ('vfio-0000-27-00-0', 'RBLN-CR13')
    """
    InvalidValue.unless(npu, NPU, "an NPU, one of an inventory's `npus`")
    row = find(profile)
    if npu.driver == PASSTHROUGH_DRIVER:
        if not row.passthrough or npu.iommu_group is None or not _domain_taken(npu, row):
            return None
        return Device(npu.address.device_name, driver, pool, _attributes(npu, row, _PASSTHROUGH))
    if npu.driver == CONTAINER_DRIVER and npu.rbln is not None:
        memory = {"memory": DeviceCapacity(Quantity.parse(_binary(npu.memory)))} if npu.memory else {}
        return Device(npu.rbln, driver, pool, _attributes(npu, row, _CONTAINER), memory)
    return None


def _domain_taken(npu: NPU, profile: Profile) -> bool:
    """Tell whether the driver takes the card's PCI domain: four digits, and by an older generation decimal ones only."""
    digits = f"{npu.address.domain:04x}"
    return len(digits) == 4 and (digits.isdecimal() or not profile.decimal_domains)


def _binary(number: int) -> str:
    """Write a number of bytes with the largest binary suffix that divides it."""
    for power, suffix in ((60, "Ei"), (50, "Pi"), (40, "Ti"), (30, "Gi"), (20, "Mi"), (10, "Ki")):
        if number % (1 << power) == 0:
            return f"{number >> power}{suffix}"
    return str(number)


#: Rows of a device's attributes in their order: name (or how the profile names it), and the value, `None` when absent.
_Name = str | Callable[[Profile], tuple[str, ...]]
_Value = Callable[[NPU, Profile], "str | int | bool | None"]


def _product_name(npu: NPU, profile: Profile) -> str | None:
    """Give a passthrough device's product name: the table's, for the cards that the generation's table has."""
    product = npu.product
    return product.sku if product is not None and product.sku in profile.named else None


def _card_name(npu: NPU, profile: Profile) -> str | None:  # noqa: ARG001 - the form of a row
    """Give a container device's product name: what the kernel driver says, else the table's."""
    return npu.card_name or (npu.product.sku if npu.product is not None else None)


def _root(npu: NPU, profile: Profile) -> str | None:
    """Give the root in the generation's form."""
    root = npu.pcie_root
    if profile.root_port:
        root = str(npu.bridges[0]) if npu.bridges else str(npu.address) if npu.pcie_root is not None else None
    return "" if root is None and profile.empty_root else root


def _container_numa(npu: NPU, profile: Profile) -> int | None:
    """Give a container device's NUMA node, -1 where the generation publishes an unknown one so."""
    return -1 if npu.numa_node is None and profile.negative_numa else npu.numa_node


def _bus_id_name(profile: Profile) -> tuple[str, ...]:
    """Name the PCI address."""
    return (profile.pci_bus_id,)


def _root_name(profile: Profile) -> tuple[str, ...]:
    """Name the root, if it is published."""
    return () if profile.pcie_root is None else (profile.pcie_root,)


def _numa_names(profile: Profile) -> tuple[str, ...]:
    """Name the NUMA node."""
    return profile.numa_node


_PASSTHROUGH: Final[tuple[tuple[_Name, _Value], ...]] = (
    ("type", lambda _npu, _profile: "vfio"),
    ("iommuGroup", lambda npu, _profile: npu.iommu_group),
    ("pciDeviceID", lambda npu, _profile: npu.pci_device_id),
    ("productName", _product_name),
    ("vf", lambda npu, _profile: npu.vf),
    (_bus_id_name, lambda npu, _profile: str(npu.address)),
    (_root_name, _root),
    (_numa_names, lambda npu, _profile: npu.numa_node),
)

_CONTAINER: Final[tuple[tuple[_Name, _Value], ...]] = (
    ("type", lambda _npu, _profile: "npu"),
    ("productName", _card_name),
    ("sid", lambda npu, _profile: npu.sid),
    ("uuid", lambda npu, _profile: npu.uuid),
    ("pciDeviceID", lambda npu, _profile: npu.pci_device_id),
    (_bus_id_name, lambda npu, _profile: str(npu.address)),
    ("pciLinkSpeed", lambda npu, _profile: npu.link_speed),
    ("pciLinkWidth", lambda npu, _profile: npu.link_width),
    ("firmwareVersion", lambda npu, _profile: npu.firmware_version),
    ("driverVersion", lambda npu, _profile: npu.kernel_version),
    (_root_name, _root),
    (_numa_names, _container_numa),
)


def _attributes(npu: NPU, profile: Profile, rows: tuple[tuple[_Name, _Value], ...]) -> dict[str, DeviceAttribute]:
    """Fill the rows, leaving out what is unknown."""
    attributes: dict[str, DeviceAttribute] = {}
    for name, value_of in rows:
        value = value_of(npu, profile)
        if value is not None:
            for written in (name,) if isinstance(name, str) else name(profile):
                attributes[written] = _attribute(value)
    return attributes


@functools.lru_cache(maxsize=4096, typed=True)
def _attribute(value: str | int | bool) -> DeviceAttribute:  # noqa: FBT001 - any value of a row
    """Make an attribute, once for each value: the cards of a node have most of them in common."""
    return DeviceAttribute.of(value)
