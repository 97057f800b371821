"""
Room: the API server that judges: its minor, its gates, its limits.

May touch: `limits`, `kubernetes`.
"""

from __future__ import annotations

from typing import Self

import attrs
from packaging.version import Version

from ..kubernetes import Kubernetes
from .limits import LIMITS


@attrs.frozen
class Server:
    """
    An API server.

    Args:
        release: Its minor and gates.
    """

    release: Kubernetes

    @classmethod
    def of(cls, kubernetes: str | Version | Kubernetes) -> Self:
        """
        Make the server of a minor.

        Raises:
            UnknownKubernetes: The minor is not known.
        """
        return cls(Kubernetes.of(kubernetes))

    @property
    def minor(self) -> int:
        """The number of its minor: 36 for 1.36."""
        return self.release.minor.minor

    @property
    def declares(self) -> bool:
        """Whether the declarations of the API's types decide, beside the checks by hand."""
        return self.minor >= 37

    def enabled(self, gate: str) -> bool:
        """Tell whether a feature is on; one that the minor does not know is off."""
        return self.release.enabled(gate)

    def limit(self, name: str) -> int:
        """
        Give a limit by its name in `limits.LIMITS`.

        >>> Server.of("1.34").limit("taints"), Server.of("1.35").limit("taints")
        (4, 16)
        """
        most = LIMITS[name].most(self.minor)
        if most is None:
            raise LookupError(name)  # a check that asks for a limit which its minor does not have is a bug
        return most
