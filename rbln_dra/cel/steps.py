"""
Room: running steps that invoke each other more deeply than Python's calls may nest.

A step is a generator: it yields the steps that it needs, gets back what each returned, and returns its own value.

May touch: nothing.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeAlias

#: Steps; what they return is known only to those that yield them.
Steps: TypeAlias = Generator["Steps", Any, Any]


def each(many: Iterable[Steps]) -> Steps:
    """Run several steps and return what they return."""
    values: list[Any] = []
    for steps in many:
        values.append((yield steps))  # noqa: PERF401 - a comprehension cannot yield
    return tuple(values)


def run(steps: Steps) -> Any:
    """
    Run steps to their end and give what they return.

    >>> def length(nested):
    ...     return 0 if nested is None else 1 + (yield length(nested[0]))
    >>> run(length(((None,),)))
    2
    """
    running = [steps]
    value: Any = None
    while running:
        try:
            running.append(running[-1].send(value))
            value = None
        except StopIteration as stop:
            running.pop()
            value = stop.value
    return value
