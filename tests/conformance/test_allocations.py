"""Every recorded answer of the scheduler's allocator, in every minor."""

from __future__ import annotations

import pytest

from .allocations import FILE, KNOWN, MINORS, load, ours, recorded


@pytest.mark.parametrize("minor", MINORS)
def test_recorded_allocations(minor: str, agreement: dict[tuple[str, str], dict[str, tuple[int, int]]]) -> None:
    """Our allocator says what the real one said wherever that does not vary, and it always comes to an end."""
    compared = differing = texts = other_texts = 0
    unexpected: list[tuple[str, object, object]] = []
    given_up: list[str] = []
    for entry in load():
        expected, found = recorded(entry.answers[minor]), ours(entry, minor)
        if found.given_up:
            given_up.append(entry.id)
        if expected is None:
            continue
        compared += 1
        texts += expected.error is not None
        if found != expected:
            differing += 1
            other_texts += expected.error is not None
            if (minor, entry.id) not in KNOWN:
                unexpected.append((entry.id, expected, found))
    agreement[FILE, minor] = {"answer": (compared - differing, compared), "text": (texts - other_texts, texts)}
    assert unexpected[:3] == []
    assert given_up == []
