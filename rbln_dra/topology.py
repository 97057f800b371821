"""
Room: a node as a tree: what lies between the root complexes and the NPUs, and how far its NUMA nodes are from each other.

Selectors see none of this but the ends: `pcieRoot` and `numaNode`. Two NPUs behind one switch and a third that shares only the root complex with
them have equal attributes, and no CEL expression and no `matchAttribute` tells them apart.

May touch: `devices`, `errors`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from .devices import NPU, NUMANode
from .errors import InvalidValue

#: From this distance on the kernel calls a NUMA node remote (REMOTE_DISTANCE). Parts of one socket (sub-NUMA clustering, NPS) are nearer.
REMOTE_DISTANCE: Final = 20

_NPU: Final = 'an NPU such as discover(TreeBackend("atom")).npus[0]'
_NO_ROOT: Final = "no PCIe root"


def path(npu: NPU) -> tuple[str, ...]:
    """
    Give the way to an NPU: the root complex and the bridges below it, the root port first; empty when the host does not say.

    Raises:
        InvalidValue: That is no NPU.

    >>> from rbln_dra import TreeBackend, discover
    >>> path(discover(TreeBackend("atom")).npus[0])
    ('pci0000:20', '0000:20:01.0', '0000:21:00.0', '0000:22:00.0')
    """
    InvalidValue.unless(npu, NPU, _NPU)
    return () if npu.pcie_root is None else (npu.pcie_root, *map(str, npu.bridges))


def common_ancestor(first: NPU, *others: NPU) -> str | None:
    """
    Give the nearest thing above all of these NPUs: a bridge such as `0000:21:00.0`, or a root complex such as `pci0000:20`.

    What two NPUs say to each other goes no further up than that. `None` when they share nothing, or the host does not say.

    Raises:
        InvalidValue: One is no NPU.

    >>> from rbln_dra import TreeBackend, discover
    >>> npus = discover(TreeBackend("atom")).npus
    >>> common_ancestor(*npus[:4]), common_ancestor(*npus[:8]), common_ancestor(*npus)
    ('0000:22:00.0', '0000:21:00.0', None)
    """
    shared = None
    for steps in zip(*map(path, (first, *others)), strict=False):
        if len(set(steps)) > 1:
            break
        shared = steps[0]
    return shared


@attrs.frozen
class Topology:
    """
    The NPUs and the NUMA nodes of one host.

    Its text is the host as a tree: root complexes, bridges, NPUs.

    Args:
        npus: The NPUs, as `Inventory.npus` has them.
        numa_nodes: The NUMA nodes by number, as `Inventory.numa_nodes` has them; empty when the host does not say.

    Raises:
        InvalidValue: Something is no NPU, or no NUMA node.

    >>> from rbln_dra import TreeBackend, discover
    >>> inventory = discover(TreeBackend("rebel100"))
    >>> print(Topology(inventory.npus, inventory.numa_nodes))
    pci0000:20
    └─ 0000:20:01.0
       └─ 0000:27:00.0  RBLN-CR13, NUMA node 0
    """

    npus: Sequence[NPU]
    numa_nodes: Sequence[NUMANode] = ()

    def __attrs_post_init__(self) -> None:
        """Refuse what is neither."""
        for given, kind, expected in ((self.npus, NPU, _NPU), (self.numa_nodes, NUMANode, "a NUMA node, one of `Inventory.numa_nodes`")):
            InvalidValue.unless(given, (tuple, list), f"a sequence of {kind.__name__}s")
            for each in given:
                InvalidValue.unless(each, kind, expected)

    def same_socket(self, number: int) -> tuple[int, ...]:
        """
        Give the numbers of the NUMA nodes on the socket of one of them, itself included.

        With sub-NUMA clustering (Intel) or NPS (AMD) a socket is several NUMA nodes, and a card is as near to the CPUs of one as of the others.
        Nodes below distance 20 count, which is where the kernel lets "remote" begin. What says nothing of its distances is alone.

        Args:
            number: Of a NUMA node.

        Raises:
            InvalidValue: There is none of that number.

        >>> two_by_two = [(10, 12, 32, 32), (12, 10, 32, 32), (32, 32, 10, 12), (32, 32, 12, 10)]
        >>> Topology((), [NUMANode(number, "0-7", row) for number, row in enumerate(two_by_two)]).same_socket(3)
        (2, 3)
        """
        return tuple(other.number for distance, other in self._around(number) if distance < REMOTE_DISTANCE)

    def nearest_with_cpus(self, number: int) -> int | None:
        """
        Give the number of the nearest NUMA node that has CPUs: itself, when it has some; of equally near ones the first.

        Args:
            number: Of a NUMA node; the memory of an accelerator is one without CPUs.

        Raises:
            InvalidValue: There is none of that number.

        >>> superchips = [NUMANode(0, "0-71", (10, 40, 80)), NUMANode(1, "72-143", (40, 10, 120)), NUMANode(4, "", (80, 120, 10))]
        >>> Topology((), superchips).nearest_with_cpus(4)
        0
        """
        near = [(distance, other.number) for distance, other in self._around(number) if other.cpus]
        return min(near)[1] if near else None

    def _around(self, number: int) -> list[tuple[int, NUMANode]]:
        """Give the nodes whose distance from one is known, that one among them, with the distance."""
        found = next((node for node in self.numa_nodes if node.number == number), None)
        if found is None:
            known = ", ".join(str(node.number) for node in self.numa_nodes) or "none is known"
            raise InvalidValue(number, f"the number of a NUMA node of this host ({known})")
        if len(found.distances) != len(self.numa_nodes):
            return [(0, found)]
        return [*zip(found.distances, self.numa_nodes, strict=True)]

    def __str__(self) -> str:
        """Render the tree."""
        return "\n".join(_rendered([((*(path(npu) or (_NO_ROOT,)), _leaf(npu))) for npu in self.npus], ""))


def _leaf(npu: NPU) -> str:
    """Describe an NPU in a few words."""
    product = npu.product
    facts = [*([] if product is None else [product.sku]), *([] if npu.numa_node is None else [f"NUMA node {npu.numa_node}"])]
    return f"{npu.address}  {', '.join(facts)}".rstrip()


def _rendered(paths: Sequence[tuple[str, ...]], margin: str, *, top: bool = True) -> Iterator[str]:
    """Yield the lines of a tree that is given by the ways to its leaves, in their order."""
    below: dict[str, list[tuple[str, ...]]] = {}
    for name, *rest in paths:
        below.setdefault(name, []).extend([tuple(rest)] if rest else [])
    for index, (name, deeper) in enumerate(below.items()):
        last = index == len(below) - 1
        mark, inner = ("", "") if top else ("└─ ", "   ") if last else ("├─ ", "│  ")
        yield f"{margin}{mark}{name}"
        yield from _rendered(deeper, margin + inner, top=False)
