"""Semantic versions, sentence by sentence of their grammar and their order."""

from __future__ import annotations

from hypothesis import given, strategies as st

from rbln_dra.errors import InvalidSemver
from rbln_dra.semver import Semver

NUMBERS = st.integers(0, 2**64 - 1) | st.integers(0, 3)
WORDS = st.from_regex(r"[0-9]{0,3}[A-Za-z-][0-9A-Za-z-]{0,5}", fullmatch=True)
PRERELEASES = st.lists(NUMBERS.map(str) | WORDS, max_size=4).map(tuple)
BUILDS = st.lists(st.from_regex(r"[0-9A-Za-z-]{1,6}", fullmatch=True), max_size=3).map(tuple)
VERSIONS = st.builds(Semver, NUMBERS, NUMBERS, NUMBERS, PRERELEASES, BUILDS)
NOISE = st.text() | st.text(alphabet="0123456789.-+vab", max_size=30)


class TestText:
    """A version is its text."""

    @given(VERSIONS)
    def test_round_trip(self, version: Semver) -> None:
        """Every version is read back from its text, strictly and tolerantly."""
        assert Semver.parse(str(version)) == version
        assert Semver.parse_tolerant(f"v{version}") == version

    @given(NOISE)
    def test_noise(self, text: str) -> None:
        """Any text is a version that is written just so, or one typed error on one line."""
        try:
            assert str(Semver.parse(text)) == text
        except InvalidSemver as error:
            assert "\n" not in str(error)

    @given(NOISE)
    def test_tolerant_takes_more(self, text: str) -> None:
        """What is a version strictly is the same version tolerantly."""
        try:
            version = Semver.parse(text)
        except InvalidSemver:
            return
        assert Semver.parse_tolerant(text) == version


class TestOrder:
    """Precedence is a total order that ignores the build."""

    @given(VERSIONS, VERSIONS, VERSIONS)
    def test_total(self, one: Semver, two: Semver, three: Semver) -> None:
        """It is antisymmetric and transitive, and equal exactly where it says neither before nor after."""
        assert one.compare(two) == -two.compare(one)
        assert one.equivalent(two) == (one.compare(two) == 0)
        first, second, third = sorted((one, two, three), key=lambda version: sum(version.compare(other) for other in (one, two, three)))
        assert first.compare(second) <= 0
        assert second.compare(third) <= 0
        assert first.compare(third) <= 0

    @given(VERSIONS, BUILDS)
    def test_build(self, version: Semver, build: tuple[str, ...]) -> None:
        """The build does not count."""
        assert version.equivalent(Semver(version.major, version.minor, version.patch, version.prerelease, build))

    @given(VERSIONS.filter(lambda version: bool(version.prerelease)))
    def test_prerelease_comes_first(self, version: Semver) -> None:
        """A prerelease comes before its release, and before itself with more identifiers."""
        assert version.compare(Semver(version.major, version.minor, version.patch)) == -1
        assert version.compare(Semver(version.major, version.minor, version.patch, (*version.prerelease, "0"))) == -1
