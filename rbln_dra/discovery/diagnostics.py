"""
Room: what a scan has to say about a card beside its facts: why it is not published, what is missing, what will not work.

May touch: `access`, `errors`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from ..errors import InvalidValue
from .access import Entry, Fault, Link


class Effect(enum.Enum):
    """What a diagnostic means for the devices that are published."""

    SKIPPED = "skipped"
    """The card is not published as a passthrough device."""
    INCOMPLETE = "incomplete"
    """The card is published, and lacks something."""
    ADVICE = "advice"
    """The card is published in full, and may not be what its user expects."""


@attrs.frozen
class Code:
    """
    A kind of diagnostic.

    Args:
        name: What a program tests.
        effect: What it means for the devices.
        text: The message, with `{found}` for what stands there and `{entry}` for where.
        source: The report or document that it comes from.
    """

    name: str
    effect: Effect
    text: str
    source: str


_ROWS: Final = (
    # The driver's filter, in its order.
    Code("not-pci-address", Effect.SKIPPED, "its name is no PCI address, so the driver passes it over", "driver, step 1"),
    Code(
        "wide-domain",
        Effect.SKIPPED,
        "its PCI domain has more than four digits: the driver passes it over, Kubernetes' helpers refuse it and KubeVirt cannot attach it",
        "driver, step 1; B61, B98",
    ),
    Code("vendor-unknown", Effect.SKIPPED, "vendor cannot be read ({found}), and neither uevent nor modalias names one", "driver, step 2; B83"),
    Code("not-an-npu", Effect.SKIPPED, "class {found} is not 0x120000: a Rebellions function that is no NPU", "driver, step 3"),
    Code("unbound", Effect.SKIPPED, "bound to no driver; passthrough needs vfio-pci", "driver, step 4; B70, B79"),
    Code("unbound-override", Effect.SKIPPED, "bound to no driver, though driver_override names {found}; probe it", "driver, step 4; B73"),
    Code("host-driver", Effect.SKIPPED, "bound to the host's driver rebellions: it serves containers, not virtual machines", "driver, step 4; B70"),
    Code("vfio-spelling", Effect.SKIPPED, "bound to {found}; the driver publishes vfio-pci in exactly this spelling", "driver, step 4; B71"),
    Code("vfio-variant", Effect.SKIPPED, "bound to the vfio variant driver {found}; the driver publishes vfio-pci only", "driver, step 4; B71"),
    Code("other-driver", Effect.SKIPPED, "bound to {found}; passthrough needs vfio-pci", "driver, step 4; B70"),
    Code("no-iommu-group", Effect.SKIPPED, "no IOMMU group: the IOMMU is off or unsupported", "driver, step 5; B64"),
    Code("odd-iommu-group", Effect.SKIPPED, "iommu_group points to {found}, which is no group number", "driver, step 5"),
    Code("unreadable", Effect.SKIPPED, "{entry} cannot be read ({found})", "B82"),
    Code("link-loop", Effect.SKIPPED, "{entry} cannot be read: too many links on the way ({found})", "B80"),
    Code("vanished", Effect.SKIPPED, "gone during the scan", "driver"),
    # What a published device lacks.
    Code("attribute-unreadable", Effect.INCOMPLETE, "{entry} cannot be read ({found}), so what it says is not published", "B82"),
    Code("odd-device-id", Effect.INCOMPLETE, "device is {found}, which is no PCI id, so pciDeviceID and productName are not published", "driver"),
    Code("no-product-name", Effect.INCOMPLETE, "the driver's table has no name for device id {found}, so productName is not published", "driver"),
    Code("odd-numa-node", Effect.INCOMPLETE, "numa_node is {found}, which is no number, so numaNode is not published", "B59"),
    Code(
        "no-pcie-root",
        Effect.INCOMPLETE,
        "the device's path {found} does not lead from a PCIe root to it, so pcieRoot is not published and matchAttribute never holds",
        "B56",
    ),
    Code("flat-entry", Effect.INCOMPLETE, "its entry in bus/pci/devices is no readable link, so pcieRoot is not published", "B56"),
    Code(
        "odd-physfn", Effect.INCOMPLETE, "physfn is no link, so vf is false here; the driver, which only looks whether it is there, says true", "B76"
    ),
    Code("no-class-entry", Effect.INCOMPLETE, "class/rebellions has no entry for it, so it has no device name to be published under", "driver"),
    Code("odd-card-fact", Effect.INCOMPLETE, "{entry} is {found}, which nothing can be made of, so what it says is not published", "B13"),
    # What is published and may surprise.
    Code("noiommu", Effect.ADVICE, "its group {found} has no IOMMU behind it (node /dev/vfio/noiommu-{found}): not safe for passthrough", "B65"),
    Code("vf-id-without-physfn", Effect.ADVICE, "device id {found} is that of a virtual function, but there is no physfn: vf is false", "B77"),
    Code("pf-id-with-physfn", Effect.ADVICE, "device id {found} is that of a physical function, but there is a physfn: vf is true", "B77"),
    Code("group-not-viable", Effect.ADVICE, "its IOMMU group cannot be opened while members are on other drivers: {found}", "B67"),
    Code("shared-group", Effect.ADVICE, "its IOMMU group also has {found}: they can only go to one virtual machine together", "B68"),
    Code(
        "numa-node-without-cpus",
        Effect.ADVICE,
        "its NUMA node {found} has no CPUs: numaNode is published as sysfs has it, and nothing that asks for CPUs of that node finds any",
        "B38",
    ),
    # What is odd about slices; the address is the name of the slice or of the pool.
    Code(
        "old-slice", Effect.SKIPPED, "a slice of generation {found}, and its pool has a newer one: its devices are gone", "k8s allocator, GatherPools"
    ),
    Code(
        "incomplete-pool",
        Effect.ADVICE,
        "{found} slices of the pool are here; the scheduler waits until they are as many as they say",
        "k8s allocator, GatherPools",
    ),
)

CODES: Final[Mapping[str, Code]] = MappingProxyType({row.name: row for row in _ROWS})
"""Every kind of diagnostic, by name, in the order in which a scan finds them."""


def _known(code: str) -> str:
    """Refuse a code that the table has not."""
    expected = f"a diagnostic's code, one of {', '.join(CODES)}"
    InvalidValue.unless_text(code, expected)
    if code not in CODES:
        raise InvalidValue(code, expected)
    return code


def _first_text(instance: Diagnostic) -> str:
    """Render the code's text with what was found."""
    return CODES[instance.code].text.format(entry=instance.entry, found=_shown(instance.found))


@attrs.frozen
class Diagnostic:
    """
    One thing about one card, or about one slice. It is no error: the scan went on.

    Args:
        address: The card, as `bus/pci/devices` names it; of slices, the name of the slice or the pool.
        code: The kind; a name of `CODES`.
        message: One line of prose, without the address; made from the code when it is not given.
        entry: Where below the card's directory something is odd; absent when the card as a whole is meant.
        found: What stands there: a text, a link, or the fault of reading it; absent when there is nothing to show.

    Raises:
        InvalidValue: The table has no such code.

    >>> diagnostic = Diagnostic("0000:27:00.0", "attribute-unreadable", entry="numa_node", found=Fault.parse("EACCES"))
    >>> print(diagnostic)
    0000:27:00.0: numa_node cannot be read (EACCES, Permission denied), so what it says is not published
    """

    address: str
    code: str = attrs.field(converter=_known)
    entry: str | None = attrs.field(default=None, kw_only=True)
    found: Entry | None = attrs.field(default=None, kw_only=True)
    message: str = attrs.field(default=attrs.Factory(_first_text, takes_self=True))

    @property
    def effect(self) -> Effect:
        """What it means for the published devices."""
        return CODES[self.code].effect

    def __str__(self) -> str:
        """Render one line."""
        return f"{self.address}: {self.message}"


def _shown(found: Entry | None) -> str:
    """Show what was found, on one line of bounded length."""
    if isinstance(found, Fault):
        return f"{found}, {found.prose}"
    if isinstance(found, Link):
        found = found.target
    text = (found or "").strip()
    if text and text.isprintable() and len(text) <= 200:
        return text
    shown = ascii(text)
    return shown if len(shown) <= 100 else f"{shown[:80]}… ({len(text)} characters)"
