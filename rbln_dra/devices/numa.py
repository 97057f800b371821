"""
Room: the NUMA node: what a host says about one of its own.

May touch: nothing.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class NUMANode:
    """
    One NUMA node of a host. A fact that the host does not give is `None`, or empty.

    Args:
        number: Its number, from 0; what `numa_node` of a card says.
        cpus: Its CPUs as the kernel lists them: `0-15,32-47`; empty when it is memory alone, `None` when the host does not say.
        distances: How far each NUMA node of the host is, in the order of their numbers: 10 for itself; empty when the host does not say.

    >>> NUMANode(4, "", (80, 120, 10)).without_cpus
    True
    """

    number: int
    cpus: str | None = None
    distances: tuple[int, ...] = ()

    @property
    def without_cpus(self) -> bool:
        """Whether the host says that it has no CPUs, as of the memory of an accelerator."""
        return self.cpus == ""
