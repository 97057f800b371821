"""
Room: what the names, texts and links of a sysfs mean, read as the driver's Go code reads them.

May touch: `pci`, `devices`, `errors`. Reads nothing.
"""

from __future__ import annotations

import functools
import re
from typing import Final

from ..devices import CONTAINER_DRIVER, PASSTHROUGH_DRIVER, vfio_driver
from ..errors import InvalidPCIAddress
from ..pci import PCIAddress

_INT64: Final = re.compile(r"[+-]?[0-9]{1,19}")

ID: Final = re.compile(r"[0-9a-fA-F]{4}")
"""A PCI id, without `0x`."""

ROOT: Final = re.compile(r"pci[0-9a-fA-F]{4}:[0-9a-fA-F]{2}")
"""A PCIe root in a device's path."""

CARD: Final = re.compile(r"rbln(?:0|[1-9][0-9]{0,5})")
"""The name of a card's device node."""

WORDS: Final = re.compile(r"[!-~](?:[ -~]{0,62}[!-~])?")
"""What an attribute can hold: up to 64 printable ASCII characters."""

NUMA_NODE: Final = re.compile(r"node(0|[1-9][0-9]{0,8})")
"""The directory of a NUMA node."""

CPUS: Final = re.compile(r"(?:[0-9]+(?:-[0-9]+)?(?:,[0-9]+(?:-[0-9]+)?)*)?")
"""A list of CPUs, which may be empty."""

DISTANCES: Final = re.compile(r"[0-9]{1,9}(?: [0-9]{1,9})*")
"""The distances of a NUMA node."""

STATUS: Final = re.compile(r"[0-9]{1,9}")
"""The state of a card."""

UEVENT_VENDOR: Final = re.compile(r"^PCI_ID=([0-9A-Fa-f]{4}):", re.MULTILINE)
"""The vendor in a `uevent`."""

MODALIAS_VENDOR: Final = re.compile(r"pci:v0000([0-9A-Fa-f]{4})d")
"""The vendor in a `modalias`."""


@functools.lru_cache(maxsize=8192)
def address_of(name: str) -> PCIAddress | None:
    """Parse the name of an entry; `None` for what the kernel would not call a function. Kept, since bridges come again and again."""
    try:
        address = PCIAddress.parse(name)
    except InvalidPCIAddress:
        return None
    return address if str(address) == name.lower() else None


def last_name(target: str) -> str:
    """Give the last name of a link's target."""
    return target.rstrip("/").rpartition("/")[2]


def resolved(target: str) -> list[str]:
    """Resolve the target of an entry of `bus/pci/devices` by names alone; an absolute one keeps its leading slash as an empty name."""
    parts: list[str] = [] if target.startswith("/") else ["bus", "pci", "devices"]
    for part in target.split("/"):
        if part == "..":
            del parts[-1:]
        elif part != ".":
            parts.append(part)
    return parts


def int64(text: str) -> int | None:
    """Parse a decimal integer as Go does: a sign, ASCII digits, 64 bits."""
    if _INT64.fullmatch(text) is None:
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None


def card_number(rbln: str | None) -> int:
    """Give the number in the name of a device node."""
    return int((rbln or "").removeprefix("rbln") or 0)


def shown_name(name: str) -> str:
    """Give the name of an entry as an address is written, or so that it can be printed."""
    return name.lower() if address_of(name) is not None else name if name.isprintable() else ascii(name)


def driver_code(driver: str) -> str:
    """Choose what to say of a card that is bound to something else than `vfio-pci`."""
    if driver == CONTAINER_DRIVER:
        return "host-driver"
    if driver.replace("_", "-") == PASSTHROUGH_DRIVER:
        return "vfio-spelling"
    return "vfio-variant" if vfio_driver(driver) else "other-driver"
