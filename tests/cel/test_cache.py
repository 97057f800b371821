"""The memory of compiled programs: bounded, shared by threads, honest about itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from rbln_dra.cel.cache import Cache, CacheInfo


def test_what_was_kept_is_found_for_its_environment_only() -> None:
    """Text and environment are the key."""
    cache: Cache[str] = Cache(maximum=2, longest=3)
    cache.put("a", 1, "one")
    assert cache.get("a", 1) == "one"
    assert cache.get("a", 2) is None
    assert cache.info() == CacheInfo(hits=1, misses=1, maximum=2, entries=1)


def test_the_least_recently_used_entry_makes_room() -> None:
    """Finding an entry is using it."""
    cache: Cache[int] = Cache(maximum=2, longest=3)
    cache.put("a", 0, 1)
    cache.put("b", 0, 2)
    cache.get("a", 0)
    cache.put("c", 0, 3)
    assert (cache.get("a", 0), cache.get("b", 0), cache.get("c", 0)) == (1, None, 3)


def test_long_texts_are_not_kept() -> None:
    """A text above the limit would make the memory large."""
    cache: Cache[int] = Cache(maximum=2, longest=3)
    cache.put("abcd", 0, 1)
    assert cache.info().entries == 0


def test_clearing_forgets_the_statistics_too() -> None:
    """After it, everything is as at the beginning."""
    cache: Cache[int] = Cache(maximum=2, longest=3)
    cache.put("a", 0, 1)
    cache.get("a", 0)
    cache.clear()
    assert cache.info() == CacheInfo(0, 0, 2, 0)


def test_threads_may_share_a_cache() -> None:
    """No entry is lost or mixed up."""
    cache: Cache[int] = Cache(maximum=8, longest=3)

    def use(number: int) -> bool:
        cache.put(str(number % 10), 0, number % 10)
        return cache.get(str(number % 10), 0) in (None, number % 10)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(2000)))
    assert cache.info().entries == 8
