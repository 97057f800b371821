"""Random allocations of devices that several may share, with amounts that policies round, refuse or leave as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .scenarios import NODE

if TYPE_CHECKING:
    from random import Random

DRIVER = "npu.rebellions.ai"
POLICIES: tuple[dict[str, Any] | None, ...] = (
    None,
    {},
    {"default": "1Gi", "validRange": {"min": "1Gi"}},
    {"validRange": {"min": "1Gi", "max": "30Gi"}},
    {"default": "500m", "validRange": {"min": "500m"}},
    {"default": "1Gi", "validValues": ["1Gi", "4Gi"]},
    {"default": "1.5Gi", "validValues": ["1.5Gi", "3Gi"]},
    {"default": "1Gi", "validRange": {"min": "500Mi", "step": "1500Mi"}},
    {"default": "500m", "validRange": {"min": "500m", "max": "100Gi", "step": "250m"}},
)
#: Most are not held as 64 bits.
AMOUNTS = ("1.5Gi", "0.75Gi", "2.25Gi", "0.5Ki", "1.5", "0.1", "1500m", "4Gi", "9Ei")


class Sharing:
    """
    Makes one scenario.

    Args:
        random: Where it is chosen from.
    """

    def __init__(self, random: Random) -> None:
        self.random = random

    def chance(self, share: float) -> bool:
        """Tell whether something rare happens."""
        return self.random.random() < share

    def make(self) -> dict[str, Any]:
        """Give the objects."""
        slices = [self.slice(number) for number in range(self.random.randint(1, 2))]
        claims = [self.claim(number) for number in range(self.random.randint(1, 2))]
        taken = {"id": "x", "device": [DRIVER, "p0", "d0-0"], "consumed": {"memory": self.random.choice(("1.5Gi", "2Gi"))}}
        return {
            "node": {"metadata": {"name": NODE}},
            "slices": slices,
            "classes": [{"metadata": {"name": "npu"}, "spec": {}}],
            "claims": claims,
            "inUse": [],
            "shares": [taken] if self.chance(0.3) else [],
        }

    def slice(self, number: int) -> dict[str, Any]:
        """Make a pool of one slice."""
        devices = [self.device(f"d{number}-{each}") for each in range(self.random.randint(1, 3))]
        pool = {"name": f"p{number}", "generation": 1, "resourceSliceCount": 1}
        return {"metadata": {"name": f"s{number}"}, "spec": {"driver": DRIVER, "pool": pool, "nodeName": NODE, "devices": devices}}

    def device(self, name: str) -> dict[str, Any]:
        """Make a device."""
        made: dict[str, Any] = {"name": name, "capacity": {}}
        for capacity in ("memory", "slots")[: 2 if self.chance(0.2) else 1]:
            policy = self.random.choice(POLICIES)
            value = self.random.choice(("40Gi", "16Gi", "10Gi", "8Gi"))
            made["capacity"][capacity] = {"value": value} if policy is None else {"value": value, "requestPolicy": policy}
        if self.chance(0.85):
            made["allowMultipleAllocations"] = True
        if self.chance(0.5):
            made["attributes"] = {"a": {"string": self.random.choice("xy")}}
        return made

    def claim(self, number: int) -> dict[str, Any]:
        """Make a claim."""
        requests = [self.request(f"r{each}") for each in range(self.random.randint(1, 3))]
        devices = {"requests": requests, **({"constraints": [{"matchAttribute": f"{DRIVER}/a"}]} if self.chance(0.15) else {})}
        return {"metadata": {"name": f"claim{number}"}, "spec": {"devices": devices}}

    def request(self, name: str) -> dict[str, Any]:
        """Make a request, some of them with two subrequests."""
        if self.chance(0.2):
            return {"name": name, "firstAvailable": [{"name": f"s{each}", **self.wish()} for each in range(2)]}
        return {"name": name, "exactly": self.wish()}

    def wish(self) -> dict[str, Any]:
        """Make what a request wants."""
        every = self.chance(0.1)
        made: dict[str, Any] = {"deviceClassName": "npu", "allocationMode": "All" if every else "ExactCount"}
        if not every:
            made["count"] = self.random.randint(1, 3)
        if self.chance(0.8):
            made["capacity"] = {"requests": {"memory": self.random.choice(AMOUNTS)}}
        if self.chance(0.2):
            made["selectors"] = [{"cel": {"expression": f'device.attributes["{DRIVER}"].?a.orValue("") == "x"'}}]
        return made
