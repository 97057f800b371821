"""Every recorded answer of the scheduler's allocator, in every minor."""

from __future__ import annotations

import pytest

from .allocations import FILE, MINORS, VARYING, expected, load, ours, varying


@pytest.mark.parametrize("minor", MINORS)
def test_recorded_allocations(minor: str, agreement: dict[tuple[str, str], dict[str, tuple[int, int]]]) -> None:
    """Our allocator says what the real one said, one of its answers where these vary, and it always comes to an end."""
    compared = {FILE: 0, VARYING: 0}
    differing = {FILE: 0, VARYING: 0}
    texts = other_texts = 0
    unexpected: list[tuple[str, object, object]] = []
    given_up: list[str] = []
    for entry in load():
        answers, found = expected(entry, minor), ours(entry, minor)
        if found.given_up:
            given_up.append(entry.id)
        if not answers:
            continue
        file = VARYING if (minor, entry.id) in varying() else FILE
        compared[file] += 1
        texts += answers[0].error is not None
        if found not in answers:
            differing[file] += 1
            other_texts += answers[0].error is not None
            unexpected.append((entry.id, answers, found))
    for file, number in compared.items():
        if number:
            agreement[file, minor] = {"answer": (number - differing[file], number)}
    agreement[FILE, minor]["text"] = (texts - other_texts, texts)
    assert unexpected[:3] == []
    assert given_up == []
