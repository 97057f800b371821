"""Kubernetes releases and the text of `--feature-gates`: what comes in comes out, and any text is one or one typed error."""

from __future__ import annotations

from hypothesis import given, strategies as st

from rbln_dra.errors import Error, InvalidFeatureGates
from rbln_dra.kubernetes import GATES, MINORS, Kubernetes, format_feature_gates, parse_feature_gates

NAMES = st.sampled_from(sorted(GATES)) | st.from_regex(r"[A-Za-z0-9]{1,12}", fullmatch=True)


class TestFeatureGates:
    """The text of `--feature-gates` is a map of names to booleans."""

    @given(st.dictionaries(NAMES, st.booleans()))
    def test_round_trip(self, gates: dict[str, bool]) -> None:
        """Every map is read back from its text."""
        assert parse_feature_gates(format_feature_gates(gates)) == gates

    @given(st.text() | st.text(alphabet="AB=,true false01", max_size=40))
    def test_noise(self, text: str) -> None:
        """Any text is a map or one typed error."""
        try:
            gates = parse_feature_gates(text)
        except InvalidFeatureGates:
            return
        assert parse_feature_gates(format_feature_gates(gates)) == gates


class TestKubernetes:
    """A release is a minor and what overrides its gates."""

    @given(st.sampled_from(MINORS), st.dictionaries(st.sampled_from([*GATES, "AllAlpha", "AllBeta"]), st.booleans(), max_size=4))
    def test_round_trip(self, minor: str, gates: dict[str, bool]) -> None:
        """Every release is read back from its text, and a gate that is set has its value; or a component would not start."""
        try:
            release = Kubernetes(minor, gates=gates)
        except Error:
            return
        assert Kubernetes.parse(str(release)) == release
        assert all(release.enabled(name) == value for name, value in gates.items() if name in GATES)

    @given(st.text() | st.text(alphabet="v1.3456789-+ abrc", max_size=20))
    def test_noise(self, text: str) -> None:
        """Any text is a release or one typed error on one line."""
        try:
            assert str(Kubernetes.parse(text).minor) in MINORS
        except Error as error:
            assert "\n" not in str(error)
