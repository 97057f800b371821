"""
Room: `rbln-dra devices`: what is published, one device a line.

May touch: `command`, `sources`, `table`, `documents`, `devices`, `names`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final

from ..devices import Device
from ..names import RESOURCE_DOMAIN
from .command import Command, Console
from .documents import rendered, slices
from .sources import add_source, read
from .table import table

FORMS: Final = ("table", "wide", "name", "json", "yaml")


def _attribute(*names: str) -> Callable[[Device], str | None]:
    """Make a column of the first attribute that a device has."""

    def value(device: Device) -> str | None:
        for name in names:
            found = device.attributes.get(name)
            if found is not None and found.value is not None:
                plain = found.value
                return ",".join(map(_text, plain)) if isinstance(plain, tuple) else _text(plain)
        return None

    return value


def _text(value: bool | int | str) -> str:  # noqa: FBT001 - any scalar
    """Write a scalar as CEL does."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _capacity(device: Device) -> str | None:
    """Give a device's capacities."""
    return ",".join(f"{name}={capacity.value}" for name, capacity in device.capacity.items()) or None


#: Columns: header, what stands there, and whether it takes `-o wide` to see it.
COLUMNS: Final[tuple[tuple[str, Callable[[Device], str | None], bool], ...]] = (
    ("NAME", lambda device: device.name, False),
    ("POOL", lambda device: device.pool, False),
    ("TYPE", _attribute("type"), False),
    ("PRODUCT", _attribute("productName"), False),
    ("PCI ADDRESS", _attribute(f"{RESOURCE_DOMAIN}/pciBusID", "pciBusID"), False),
    ("NUMA", _attribute(f"{RESOURCE_DOMAIN}/numaNode", "numaNode"), False),
    ("PCIE ROOT", _attribute(f"{RESOURCE_DOMAIN}/pcieRoot"), False),
    ("PCI ID", _attribute("pciDeviceID"), True),
    ("IOMMU GROUP", _attribute("iommuGroup"), True),
    ("VF", _attribute("vf"), True),
    ("CAPACITY", _capacity, True),
    ("DRIVER", lambda device: device.driver, True),
)


def name(device: Device) -> str:
    """
    Name a device in a cluster, as Kubernetes' messages do: driver, pool and device.

    >>> name(Device("vfio-0000-27-00-0", "npu.rebellions.ai", "node-rebel100"))
    'npu.rebellions.ai/node-rebel100/vfio-0000-27-00-0'
    """
    return f"{device.driver}/{device.pool or ''}/{device.name}"


def _arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_source(parser)
    parser.add_argument("-o", "--output", choices=FORMS, default="table", help="how to print: %(choices)s (default: %(default)s)")


def _run(options: argparse.Namespace, console: Console) -> int:
    """List the devices."""
    inventory = read(options, console)
    found = inventory.devices
    if options.output in {"json", "yaml"}:
        console.line(rendered(slices(inventory, found), options.output))
    elif options.output == "name":
        for device in found:
            console.line(name(device))
    elif found:
        shown = [(header, value) for header, value, wide in COLUMNS if not wide or options.output == "wide"]
        for line in table([[value(device) for _, value in shown] for device in found], [header for header, _ in shown]):
            console.line(line)
    else:
        console.remark("No devices found.")
    return 0


COMMAND: Final = Command(
    "devices",
    "list the devices that are published",
    """\
-o json and -o yaml print the ResourceSlices that publish them, which --slices reads again; -o name prints DRIVER/POOL/DEVICE.

exit codes: 0 done, 2 the source cannot be read

examples:
  rbln-dra devices
  rbln-dra devices --tree atom -o wide
  kubectl get resourceslices -o json | rbln-dra devices --slices - -o name
""",
    _arguments,
    _run,
)
