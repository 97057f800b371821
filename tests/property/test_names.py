"""Names, sentence by sentence of their grammars."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from rbln_dra.errors import InvalidName
from rbln_dra.names import DeviceName, DriverName, FullyQualifiedName, Name, PoolName, QualifiedName

LABELS = st.from_regex(r"[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?", fullmatch=True)
DOMAINS = st.lists(LABELS, min_size=1, max_size=5).map(".".join)
IDS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,31}", fullmatch=True)
NOISE = st.text() | st.text(alphabet="abAB01-._/ ", max_size=80)


class TestRoundTrip:
    """A name of the grammar is accepted and written as it was read."""

    @given(LABELS)
    def test_label(self, text: str) -> None:
        """A label is the name of a device, of a driver, of a pool and of an object."""
        for kind in (DeviceName, DriverName, PoolName, Name):
            assert kind.parse(text).text == text

    @given(DOMAINS)
    def test_driver(self, text: str) -> None:
        """A driver's name may be in capitals."""
        assert str(DriverName.parse(text.upper())) == text.upper()

    @given(st.lists(DOMAINS, min_size=1, max_size=3).map("/".join))
    def test_pool(self, text: str) -> None:
        """A pool's name is subdomains set apart by slashes."""
        assert str(PoolName.parse(text)) == text

    @given(IDS)
    def test_bare(self, text: str) -> None:
        """A C identifier is the name of an attribute."""
        assert QualifiedName.parse(text) == QualifiedName(None, text)
        assert str(QualifiedName.parse(text)) == text

    @given(DOMAINS, IDS)
    def test_qualified(self, domain: str, id: str) -> None:
        """A domain and a C identifier are the name of an attribute, which is fully qualified."""
        text = f"{domain}/{id}"
        assert QualifiedName.parse(text) == QualifiedName(domain, id)
        assert FullyQualifiedName.parse(text) == FullyQualifiedName(domain, id) == QualifiedName.parse(text).within("other")
        assert str(FullyQualifiedName.parse(text)) == text


class TestNoise:
    """Any text is a name or one typed error."""

    @pytest.mark.parametrize("kind", [Name, DriverName, PoolName, DeviceName, QualifiedName, FullyQualifiedName])
    @given(text=NOISE)
    def test_noise(self, kind: type[Name | QualifiedName | FullyQualifiedName], text: str) -> None:
        """What parses is written as it was read; what does not is one line, and its hint, if it has one, parses."""
        try:
            assert str(kind.parse(text)) == text
        except InvalidName as error:
            assert "\n" not in str(error)
            meant = re.fullmatch(r"did you mean (.*)\?", error.hint or "")
            assert meant is None or str(kind.parse(meant[1])) == meant[1]
