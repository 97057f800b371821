"""
Room: what a question to a whole fleet costs: an index of devices beside judging them one by one, from 1,000 devices to 100,000 nodes of 16 NPUs.

The devices differ in node, bus address, IOMMU group, product, NUMA node and PCIe root; the selector can tell 40 kinds of them apart.

May touch: the package.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

from rbln_dra import Device, Fleet, Quantity, Selector
from rbln_dra.attributes import DeviceAttribute
from rbln_dra.devices import DeviceCapacity

from .measure import Contest, Contestant, known, slow
from .selectors import DRIVER

#: Devices of a node.
NODE = 16
SIZES = (1_000, 10_000, 100_000, 1_600_000)
#: Up to here the devices are also judged one by one.
MOST_ONE_BY_ONE = 100_000
#: What a device and its place in an index take at most, in bytes: larger fleets are left out where there is no room for them.
ROOM = 2_500
EXPRESSION = " && ".join(
    (
        f'device.driver == "{DRIVER}"',
        f'device.attributes["{DRIVER}"].productName == "RBLN-C3"',
        'device.attributes["resource.kubernetes.io"].numaNode == 0',
    )
)

_MEMORY = {"memory": DeviceCapacity(Quantity.parse("16Gi"))}
_TYPE, _ID, _VF = DeviceAttribute.of("vfio"), DeviceAttribute.of("2130"), DeviceAttribute.of(False)


def node(number: int) -> tuple[Device, ...]:
    """Make the devices of a node."""
    return tuple(
        Device(
            name=f"npu-{place}",
            driver=DRIVER,
            pool=f"node-{number}",
            attributes={
                "type": _TYPE,
                "iommuGroup": DeviceAttribute.of(16 * (number % 4) + place),
                "pciDeviceID": _ID,
                "productName": DeviceAttribute.of(f"RBLN-C{number % 10}"),
                "vf": _VF,
                "resource.kubernetes.io/pciBusID": DeviceAttribute.of(f"0000:{place:02x}:00.0"),
                "resource.kubernetes.io/pcieRoot": DeviceAttribute.of(f"pci0000:{place // 2}0"),
                "resource.kubernetes.io/numaNode": DeviceAttribute.of(place // 4),
            },
            capacity=_MEMORY,
        )
        for place in range(NODE)
    )


def resident() -> int:
    """Give the memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def available() -> int:
    """Give the memory that is left on this machine in bytes."""
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def contests() -> Iterator[Contest]:
    """Give the contests of each size."""
    for size in SIZES:
        if available() < size * ROOM:
            print(f"not measured: a fleet of {size:,} devices, for want of memory")
            continue
        yield from of_size(size)


def of_size(size: int) -> Iterator[Contest]:
    """Give the contests of one size."""
    slices = [node(number) for number in range(size // NODE)]
    fleet, before = Fleet(), resident()

    def index() -> None:
        for number, devices in enumerate(slices):
            fleet.put(number, devices)

    indexing = slow(index)()
    each = (resident() - before) / size
    name = f"fleet of {size:,}"
    yield Contest(f"{name}, indexing", {f"{each:.0f} bytes a device": known(indexing)}, rounds=1)
    fresh = count()

    def first() -> int:
        # A selector that was never asked: blanks make it another one.
        return fleet.count(Selector(EXPRESSION + " " * next(fresh)))

    one_by_one: dict[str, Contestant] = {}
    if size <= MOST_ONE_BY_ONE:
        devices = [device for devices in slices for device in devices]
        one_by_one["Selector.select, one by one"] = slow(partial(Selector(EXPRESSION).select, devices))
    yield Contest(f"{name}, first answer", {"Fleet.count": slow(first), **one_by_one}, rounds=7)
    selector = Selector(EXPRESSION)

    def changed() -> int:
        fleet.put(0, slices[0])
        return len(fleet.select(selector))

    yield Contest(
        f"{name}, repeated answer",
        {"Fleet.select": slow(partial(fleet.select, selector)), "after one node has changed": slow(changed)},
        rounds=7,
    )
