"""
Room: amounts that grow while the search goes on, in 1.34 to 1.36.

Where the policy of a capacity leaves an amount as it is, the allocators of these minors take the quantity of the claim itself, and add to it what
they have given of the device. A quantity that is held as 64 bits is copied by that; one that is not, such as `1.5Gi` or `9Ei`, is one number behind
all copies. So a request for 1.5Gi that looks at a device which has given 1.5Gi to another is one for 3Gi from then on, also for what it has got
already, and giving back gives back that much. 1.37 copies.

May touch: `capacity`, `pools`, `wishes`, `quantity`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..quantity import Quantity
from .capacity import by_reference
from .pools import Candidate
from .wishes import Wish


def possible(wishes: Iterable[Wish], candidates: Iterable[Candidate]) -> bool:
    """Tell whether an amount can grow: one that is not held as 64 bits, of a device that several may use, with a policy."""
    names = {name for wish in wishes for name, amount in (wish.amounts or {}).items() if amount.scale is not None}
    return bool(names) and any(
        each.device.allow_multiple_allocations is True and any(name in names and has.request_policy for name, has in each.device.capacity.items())
        for each in candidates
    )


class Amounts(dict[str, Quantity]):
    """What a request names, by capacity, with those who hold it by reference."""

    def __init__(self, wish: Wish) -> None:
        super().__init__(wish.amounts or {})
        self._holders: list[tuple[list[str], dict[str, Quantity]]] = []

    def __setitem__(self, name: str, amount: Quantity) -> None:
        """Replace an amount, also for those who hold it."""
        super().__setitem__(name, amount)
        for names, held in self._holders:
            if name in names:
                held[name] = amount

    def lend(self, candidate: Candidate, consumed: dict[str, Quantity]) -> Callable[[], object]:
        """Let a request hold its amounts by reference, where that is so; give what ends it. The last ends first."""
        capacity = candidate.device.capacity
        self._holders.append(([name for name, amount in consumed.items() if by_reference(self, name, amount, capacity[name])], consumed))
        return self._holders.pop
