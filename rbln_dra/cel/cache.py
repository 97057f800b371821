"""
Room: a bounded memory of what was compiled.

May touch: nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

import attrs

T = TypeVar("T")


@attrs.frozen
class CacheInfo:
    """
    How a cache is doing.

    Args:
        hits: How often something was found.
        misses: How often nothing was.
        maximum: How many entries it keeps; the least recently used one goes first.
        entries: How many it has now.
    """

    hits: int
    misses: int
    maximum: int
    entries: int


class Cache(Generic[T]):
    """
    What was made for a text in an environment, the most recently used ones. Threads may share it.

    Args:
        maximum: How many entries it keeps.
        longest: Longer texts are not kept, in code points.
    """

    def __init__(self, *, maximum: int, longest: int) -> None:
        """Begin empty."""
        self._maximum = maximum
        self._longest = longest
        self._entries: OrderedDict[tuple[str, int], T] = OrderedDict()
        self._lock = Lock()
        self._hits = 0
        self._misses = 0

    def get(self, text: str, environment: int) -> T | None:
        """Give what was kept; `None` when nothing was."""
        key = (text, environment)
        with self._lock:
            found = self._entries.get(key)
            if found is None:
                self._misses += 1
            else:
                self._hits += 1
                self._entries.move_to_end(key)
        return found

    def put(self, text: str, environment: int, value: T) -> None:
        """Keep something; the least recently used entry makes room."""
        if len(text) > self._longest:
            return
        with self._lock:
            self._entries[text, environment] = value
            if len(self._entries) > self._maximum:
                self._entries.popitem(last=False)

    def info(self) -> CacheInfo:
        """Give the statistics since the last clearing."""
        with self._lock:
            return CacheInfo(self._hits, self._misses, self._maximum, len(self._entries))

    def clear(self) -> None:
        """Forget everything, the statistics too."""
        with self._lock:
            self._entries.clear()
            self._hits = self._misses = 0
