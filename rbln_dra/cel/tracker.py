"""
Room: what an evaluation costs, as cel-go's cost tracker counts it.

The tracker watches every step and keeps its values on a stack, since a call is charged by the values of its arguments. Taking values off by the id of
their node also takes off everything above; an argument that is not on the stack (an earlier one failed) makes the call free. Both show in costs,
so the stack is kept as upstream keeps it.

May touch: `values`, `library.rows`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .values import UINT_MAX, CostLimitExceeded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .values import Value

LIST, MAP, STRUCT = 10, 30, 40


class Tracker:
    """
    The cost of one evaluation.

    Args:
        limit: The most that it may cost.
    """

    __slots__ = ("_ids", "_places", "_values", "cost", "limit")

    def __init__(self, limit: int) -> None:
        """Begin at 0."""
        self.limit = limit
        self.cost = 0
        self._ids: list[int] = []
        self._values: list[Value] = []
        #: Where each id stands in the stack, lowest first: a search must not depend on the stack's height.
        self._places: dict[int, list[int]] = {}

    def push(self, node: int, value: Value) -> None:
        """
        Note the value of a step.

        Raises:
            CostLimitExceeded: The cost is above the limit.
        """
        places = self._places.get(node)
        if places is None:
            self._places[node] = [len(self._ids)]
        else:
            places.append(len(self._ids))
        self._ids.append(node)
        self._values.append(value)
        if self.cost > self.limit:
            raise CostLimitExceeded

    def _cut(self, height: int) -> None:
        ids, places = self._ids, self._places
        while len(ids) > height:
            places[ids.pop()].pop()
        del self._values[height:]

    def drop(self, node: int) -> None:
        """Take a step's latest value off, with everything above it, if it is there."""
        places = self._places.get(node)
        if places:
            self._cut(places[-1])

    def take(self, nodes: Sequence[int]) -> tuple[Value, ...] | None:
        """Take off the values of a call's arguments, the last first; `None` as soon as one is not there."""
        taken: list[Value] = []
        for node in reversed(nodes):
            places = self._places.get(node)
            if not places:
                return None
            place = places[-1]
            taken.append(self._values[place])
            self._cut(place)
        taken.reverse()
        return tuple(taken)


class Uncounted(Tracker):
    """A tracker for what costs nothing."""

    __slots__ = ()

    def __init__(self) -> None:
        """Have no limit."""
        super().__init__(UINT_MAX)

    def push(self, node: int, value: Value) -> None:
        """Note nothing."""


class Recorder(Tracker):
    """A tracker that remembers the last value of every step, for explanations."""

    __slots__ = ("seen",)

    def __init__(self, limit: int) -> None:
        """Begin with nothing seen."""
        super().__init__(limit)
        self.seen: dict[int, Value] = {}

    def push(self, node: int, value: Value) -> None:
        """Note the value of a step, and remember it."""
        self.seen[node] = value
        super().push(node, value)
