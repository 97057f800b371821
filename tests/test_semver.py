"""Semantic versions: what Kubernetes reads, with the texts of its parser, and how it compares."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rbln_dra.errors import InvalidSemver
from rbln_dra.semver import Semver

VECTORS = Path(__file__).parent / "vectors" / "versions.jsonl.gz"


def answers(question: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    """Answer a recorded question: what is asked, Kubernetes' answer, ours."""
    versions: list[Semver] = []
    for text, answer in zip(question["versions"], question["parsed"], strict=True):
        try:
            versions.append(Semver.parse(text))
        except InvalidSemver as error:
            yield repr(text), answer, {"error": error.reason}
        else:
            yield repr(text), answer, {"text": str(versions[-1])}
    if len(versions) == 2:
        yield f"order of {question['versions']}", question["compare"], versions[0].compare(versions[1])
        yield f"equality of {question['versions']}", question["compare"] == 0, versions[0].equivalent(versions[1])


def test_recorded_answers() -> None:
    """Text, error and order of the recorded versions are those of the parser that Kubernetes uses."""
    with gzip.open(VECTORS, "rt", encoding="utf-8") as lines:
        found = [answer for line in lines for answer in answers(json.loads(line))]
    assert len(found) > 2_500
    assert [answer for answer in found if answer[1] != answer[2]] == []


def test_parts() -> None:
    """A version has three numbers, and identifiers of a prerelease and of a build."""
    assert Semver.parse("1.22.333-rc.1.x-y+build.05") == Semver(1, 22, 333, ("rc", "1", "x-y"), ("build", "05"))


@pytest.mark.parametrize(
    ("text", "reason", "position"),
    [
        pytest.param("", "Version string empty", None, id="empty"),
        pytest.param("1.2", "No Major.Minor.Patch elements found", None, id="two-numbers"),
        pytest.param("v1.2.3", 'Invalid character(s) found in major number "v1"', 0, id="v"),
        pytest.param("550.127.08", 'Patch number must not contain leading zeroes "08"', 8, id="leading-zero"),
        pytest.param("1..3", 'strconv.ParseUint: parsing "": invalid syntax', 2, id="no-minor"),
        pytest.param("1.2.18446744073709551616", 'strconv.ParseUint: parsing "18446744073709551616": value out of range', 4, id="beyond-64-bits"),
        pytest.param("1.2.3-a..b", "Prerelease is empty", 8, id="empty-identifier"),
        pytest.param("1.2.3-a.01", 'Numeric PreRelease version must not contain leading zeroes "01"', 8, id="padded-identifier"),
        pytest.param("1.2.3-é", 'Invalid character(s) found in prerelease "é"', 6, id="prerelease-letter"),
        pytest.param("1.2.3-a+", "Build meta data is empty", 8, id="empty-build"),
        pytest.param("1.2.3-a+b.c_d", 'Invalid character(s) found in build meta data "c_d"', 10, id="build-letter"),
        pytest.param('1.2.3-"\n\\\x01\u200b\U000e0001', r'Invalid character(s) found in prerelease "\"\n\\\x01\u200b\U000e0001"', 6, id="quoting"),
        pytest.param("1.2.3\ud800", r'Invalid character(s) found in patch number "3\ufffd"', 4, id="surrogate"),
    ],
)
def test_refuses(text: str, reason: str, position: int | None) -> None:
    """What is no version is one typed error with the parser's text and the place of the faulty part."""
    with pytest.raises(InvalidSemver) as caught:
        Semver.parse(text)
    assert caught.value == InvalidSemver(text, "a semantic version such as 1.2.3", reason, position)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("v1.2.3", "1.2.3"),
        ("1", "1.0.0"),
        ("v1.2", "1.2.0"),
        ("01.002.0003", "1.2.3"),
        ("000.00.0", "0.0.0"),
        ("550.127.08", "550.127.8"),
        ("1.2.03-rc.1+b", "1.2.3-rc.1+b"),
        ("1.2.00-rc", "1.2.0-rc"),
        ("1.2.-rc", "1.2.0-rc"),
    ],
)
def test_tolerant(text: str, normal: str) -> None:
    """Normalizing drops a v and leading zeros and fills up the numbers."""
    assert str(Semver.parse_tolerant(text)) == normal


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("", 'strconv.ParseUint: parsing "": invalid syntax', id="empty"),
        pytest.param("V1.2.3", 'Invalid character(s) found in major number "0V1"', id="capital-v"),
        pytest.param("vv1", 'Invalid character(s) found in major number "0v1"', id="two-v"),
        pytest.param(" 1.2.3", 'Invalid character(s) found in major number "0 1"', id="space"),
        pytest.param("é.1.1", 'Invalid character(s) found in major number "0é"', id="one-wide-letter"),
        pytest.param("x.1.1", 'Invalid character(s) found in major number "x"', id="one-letter"),
        pytest.param("1.2.3.4", 'Invalid character(s) found in patch number "3.4"', id="four-numbers"),
        pytest.param("1.2-rc", "short version cannot contain PreRelease/Build meta data", id="short-prerelease"),
        pytest.param("1+b", "short version cannot contain PreRelease/Build meta data", id="short-build"),
        pytest.param("1.2.3-01", 'Numeric PreRelease version must not contain leading zeroes "01"', id="padded-identifier"),
    ],
)
def test_tolerant_refuses(text: str, reason: str) -> None:
    """What is no version even when normalized is an error about the normalized text, which shows the text that was given."""
    with pytest.raises(InvalidSemver) as caught:
        Semver.parse_tolerant(text)
    assert (caught.value.value, caught.value.reason) == (text, reason)


@pytest.mark.parametrize(
    "build",
    [
        pytest.param(lambda: Semver(-1, 0, 0), id="negative"),
        pytest.param(lambda: Semver(0, 2**64, 0), id="beyond-64-bits"),
        pytest.param(lambda: Semver(0, 0, 0, ("a.b",)), id="dot"),
        pytest.param(lambda: Semver(0, 0, 0, ("",)), id="empty"),
        pytest.param(lambda: Semver(0, 0, 0, ("1",), ("a+b",)), id="plus"),
    ],
)
def test_refuses_parts(build: Callable[[], Semver]) -> None:
    """A part that the grammar does not allow is refused when a version is built."""
    with pytest.raises(InvalidSemver):
        build()


def test_order() -> None:
    """Versions order as rule 11 of semver.org says."""
    texts = [
        "0.9.9",
        "1.0.0-1",
        "1.0.0-2",
        "1.0.0-10",
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
        "1.0.0",
    ]
    versions = list(map(Semver.parse, texts))
    assert [[one.compare(other) for other in versions] for one in versions] == [
        [(i > j) - (i < j) for j in range(len(texts))] for i in range(len(texts))
    ]


def test_build_does_not_count() -> None:
    """Versions that differ in their build are different values of the same precedence."""
    one, other = Semver.parse("1.0.0+a"), Semver.parse("1.0.0+b")
    assert one != other
    assert one.equivalent(other)
    assert one.compare(other) == 0


@pytest.mark.parametrize(
    "text",
    ["9" * 10_000 + ".1.1", "1.1.1-" + "1" * 10_000, "1.1.1-" + "a." * 50_000, "0" * 100_000 + ".0.0", "1.1.1+" + "é" * 100_000, "1" * 100_000],
)
@pytest.mark.parametrize("parse", [Semver.parse, Semver.parse_tolerant], ids=["strict", "tolerant"])
def test_bounded(parse: Callable[[str], Semver], text: str) -> None:
    """A long text is read or refused, and without Python's limit for integers being met."""
    try:
        assert parse(text).major == 0
    except InvalidSemver as error:
        assert error.reason
