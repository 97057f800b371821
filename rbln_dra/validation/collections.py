"""
Room: what holds of every list, set and map: how many items, none twice, each item for itself.

May touch: `findings`, `server`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

import attrs

from .findings import Findings, duplicate, size, too_many
from .server import Server

T = TypeVar("T")

#: What checks one item; it gets the item and its path.
Check = Callable[[T, str], Findings]


def check_list(server: Server, items: Sequence[T], path: str, check: Check[T], *, most: int | None, covered: bool = True) -> Findings:
    """
    Check a list.

    From 1.35 on nothing more is said of a list that is too long; 1.34 says it after what it says of the items.

    Args:
        server: Who checks.
        items: The list.
        path: Where it stands.
        check: Checks an item.
        most: How many items it may have; `None` means any number.
        covered: Whether the declarations of 1.37 say too how many it may have.
    """
    surplus = [too_many(path, len(items), most, covered=covered)] if most is not None and len(items) > most else []
    if surplus and server.minor >= 35:
        return surplus
    findings = [finding for index, item in enumerate(items) for finding in check(item, f"{path}[{index}]")]
    return findings + surplus


def check_set(
    server: Server,
    items: Sequence[T],
    path: str,
    check: Check[T],
    *,
    key: Callable[[T], Hashable],
    most: int | None,
    named: str = "",
    covered: bool = True,
) -> Findings:
    """
    Check a list in which no two items may have one key.

    Args:
        server: Who checks.
        items: The list.
        path: Where it stands.
        check: Checks an item.
        key: Gives an item's key.
        most: How many items it may have; `None` means any number.
        named: The field that is the key, which 1.34 names.
        covered: Whether the declarations of 1.37 say the same of number and keys.
    """
    findings = check_list(server, items, path, check, most=most, covered=covered)
    if most is not None and len(items) > most and server.minor >= 35:
        return findings
    seen: set[Hashable] = set()
    for index, item in enumerate(items):
        found = key(item)
        if found in seen:
            place = f"{path}[{index}].{named}" if named and server.minor < 35 else f"{path}[{index}]"
            findings.append(duplicate(place, found, covered=covered))
        seen.add(found)
    return findings


def check_map(
    server: Server,
    entries: Mapping[str, Any],
    path: str,
    *,
    name: Check[str],
    value: Check[Any],
    longest_name: int,
    most: int | None = None,
    covered: bool = False,
) -> Findings:
    """
    Check a map. Kubernetes goes through it in random order.

    Args:
        server: Who checks.
        entries: The map.
        path: Where it stands.
        name: Checks a key.
        value: Checks a value.
        longest_name: A longer key is shortened in the paths of what is inside.
        most: How many entries it may have; `None` means any number.
        covered: Whether the declarations of 1.37 check the keys too.
    """
    findings = [too_many(path, len(entries), most)] if most is not None and len(entries) > most else []
    if findings:
        return findings
    for key, entry in entries.items():
        inside = f"{path}[{shortened(key, longest_name)}]"
        # From 1.36 on a bad key is reported for the map.
        keyed = name(key, path if server.minor >= 36 else inside)
        findings += [attrs.evolve(finding, covered=True) for finding in keyed] if covered else keyed
        findings += value(entry, inside)
    return findings


def shortened(text: str, most: int) -> str:
    """
    Cut the middle out of a text that is longer than so many bytes, as Kubernetes does in paths.

    >>> shortened("a" * 30, 8)
    'aaaaaaa...aaaaaa'
    """
    most = max(most, 16)
    if size(text) <= most:
        return text
    data, kept = text.encode("utf-8", "surrogatepass"), most - 3
    return (data[: (kept + 1) // 2] + b"..." + data[len(data) - kept // 2 :]).decode("utf-8", "replace")
