"""
Room: what a scan of a large host costs beside the bare reads that it needs: the same files, links and folders, read by `os` alone.

May touch: the package's discovery, a temporary folder.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from rbln_dra import NPU, Inventory, PCIAddress, SysfsBackend, discover
from rbln_dra.discovery import HostSysfs, tree
from rbln_dra.discovery.sysfs import scan

from .measure import Contest, slow

COUNT = 256


def large_host() -> Path:
    """Write a host of 64 cards of four NPUs each, in eight PCIe roots, below a temporary folder."""
    npus = tuple(
        NPU(
            PCIAddress(0, 0x20 * (card // 8) + card % 8 + 1, 0, function),
            pci_device_id="1250",
            driver="vfio-pci",
            iommu_group=4 * card + function,
            numa_node=card // 32,
            pcie_root=f"pci0000:{0x20 * (card // 8):02x}",
            bridges=(PCIAddress(0, 0x20 * (card // 8), card % 8 + 1, 0),),
        )
        for card in range(COUNT // 4)
        for function in range(4)
    )
    folder = tempfile.TemporaryDirectory(prefix="rbln-dra-bench-")
    atexit.register(folder.cleanup)
    root = Path(folder.name, "sys")
    tree(Inventory(npus=npus, node="node-large")).write(root)
    return root


@attrs.frozen
class Recording:
    """A sysfs that notes what is read from it, failed reads included."""

    sysfs: HostSysfs
    reads: list[tuple[str, str]] = attrs.field(factory=list[tuple[str, str]])

    def read_text(self, path: str, /) -> str:
        """Note and read a file."""
        self.reads.append(("text", path))
        return self.sysfs.read_text(path)

    def read_link(self, path: str, /) -> str:
        """Note and read a link."""
        self.reads.append(("link", path))
        return self.sysfs.read_link(path)

    def list_dir(self, path: str, /) -> tuple[str, ...]:
        """Note and list a folder."""
        self.reads.append(("folder", path))
        return self.sysfs.list_dir(path)


def read_bytes(path: str) -> bytes:
    """Read a file with the fewest calls."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 4096)
    finally:
        os.close(descriptor)


BARE: dict[str, Callable[[str], object]] = {"text": read_bytes, "link": os.readlink, "folder": os.listdir}


def contests() -> Iterator[Contest]:
    """Give the contest."""
    root = large_host()
    recording = Recording(HostSysfs(root))
    inventory = scan(recording, place=str(root))
    if len(inventory.devices) != COUNT:
        raise AssertionError(f"the scan found {len(inventory.devices)} devices of {COUNT}: {inventory.diagnostics[:3]}")
    reads = [(BARE[kind], f"{root}/{path}") for kind, path in recording.reads]

    def bare() -> None:
        for read, path in reads:
            with contextlib.suppress(OSError):
                read(path)

    backend = SysfsBackend(root)
    yield Contest(f"scan of {COUNT} NPUs", {"discover": slow(lambda: discover(backend)), f"{len(reads)} bare reads": slow(bare)}, limit=2)
