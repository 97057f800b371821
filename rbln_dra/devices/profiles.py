"""
Room: what each generation of the NPU DRA driver publishes.

Attribute names and forms changed several times; a node may run any of them. A profile is one row.

May touch: `errors`.
"""

from __future__ import annotations

import difflib
from typing import Final

import attrs
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from ..errors import UnknownProfile

_CODE: Final = "rbln-k8s-dra-driver"


@attrs.frozen
class Profile:
    """
    What one generation of the driver publishes.

    Args:
        name: `"documented"`, or the first commit of the generation.
        until: The last commit that is known to publish so; `None` when it is the newest read, or no commit is known.
        releases: Driver releases that are known to belong to it; `None` when none is.
        passthrough: Whether it publishes passthrough devices at all.
        pci_bus_id: Name of the attribute with the PCI address.
        pcie_root: Name of the attribute with the root; `None` when there is none.
        root_port: The root is the root port's address (`0000:00:01.0`) rather than the root complex (`pci0000:20`).
        empty_root: An unknown root is published as `""`.
        numa_node: Names of the attributes with the NUMA node.
        negative_numa: Container devices publish an unknown NUMA node as -1.
        named: SKUs that passthrough devices have as `productName`; others have none.
        decimal_domains: PCI domains with a hex letter are skipped.
        source: Where the row comes from.
    """

    name: str
    until: str | None = None
    releases: SpecifierSet | None = None
    passthrough: bool = True
    pci_bus_id: str = "resource.kubernetes.io/pciBusID"
    pcie_root: str | None = "resource.kubernetes.io/pcieRoot"
    root_port: bool = False
    empty_root: bool = False
    numa_node: tuple[str, ...] = ("resource.kubernetes.io/numaNode", "dra.net/numaNode")
    negative_numa: bool = False
    named: frozenset[str] = frozenset({"RBLN-CA22", "RBLN-CA25"})
    decimal_domains: bool = False
    source: str = _CODE


DOCUMENTED: Final = Profile(
    "documented",
    releases=SpecifierSet(">=0.2.1"),
    named=frozenset({"RBLN-CR13", "RBLN-CA22", "RBLN-CA25"}),
    source="docs.rbln.ai, VM passthrough with the NPU DRA driver",
)

#: All profiles, oldest first; the documented one, which is the default, at the end.
PROFILES: Final = (
    Profile("060937e", "44257b1", passthrough=False, pci_bus_id="pciBusID", pcie_root=None, numa_node=("numaNode",), negative_numa=True),
    Profile("b5e360f", "744f5ba", passthrough=False, root_port=True, empty_root=True, numa_node=("numaNode",), negative_numa=True),
    Profile(
        "744f5ba",
        "dd9af1b",
        SpecifierSet(">=0.1,<0.2"),
        passthrough=False,
        root_port=True,
        empty_root=True,
        numa_node=("resource.kubernetes.io/numaNode",),
        negative_numa=True,
    ),
    Profile("4051b26", root_port=True, numa_node=("resource.kubernetes.io/numaNode",), negative_numa=True, decimal_domains=True),
    Profile("26adea5", negative_numa=True),
    Profile("5397ed8", "0d204dd"),
    DOCUMENTED,
)


def find(profile: str | Profile | None) -> Profile:
    """
    Find a profile.

    Args:
        profile: A profile, its name, its last commit, a driver release (`"0.1.2"`), or `None` for the documented one.

    Raises:
        UnknownProfile: There is no such generation, or nothing is known of the release.

    >>> find("0.1.2").name
    '744f5ba'
    """
    if profile is None:
        return DOCUMENTED
    if isinstance(profile, Profile):
        return profile
    UnknownProfile.unless_text(profile, "the name of a driver generation, or one of its releases such as 0.1.2")
    for row in PROFILES:
        if profile == row.name:
            return row
    for row in PROFILES:
        if profile == row.until:
            return row
    release = _release(profile)
    for row in PROFILES:
        if release is not None and row.releases is not None and row.releases.contains(release, prereleases=True):
            return row
    names = [row.name for row in PROFILES]
    close = difflib.get_close_matches(profile, names, n=1)
    raise UnknownProfile(
        profile,
        f"a generation of the NPU DRA driver ({', '.join(names)}) or one of its releases",
        hint=f"did you mean {close[0]}?" if close else None,
    )


def _release(text: str) -> Version | None:
    """Read a release; a commit such as 4051b26 would be one too, if dots were not asked for."""
    try:
        return Version(text) if "." in text else None
    except InvalidVersion:
        return None
