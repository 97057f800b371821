"""PCI addresses, sentence by sentence of their grammar."""

from __future__ import annotations

import attrs
from hypothesis import given, strategies as st

from rbln_dra.errors import InvalidPCIAddress
from rbln_dra.pci import PCIAddress

ADDRESSES = st.builds(PCIAddress, st.integers(0, 2**32 - 1), st.integers(0, 255), st.integers(0, 31), st.integers(0, 7))
TEXTS = st.from_regex(r"[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[01][0-9a-fA-F]\.[0-7]", fullmatch=True)
NOISE = st.text() | st.text(alphabet="0123456789abcdefABCDEF:.-/vio \n", max_size=30)


class TestAddress:
    """An address is its text and its numbers."""

    @given(ADDRESSES)
    def test_text_round_trip(self, address: PCIAddress) -> None:
        """Every address is read back from its text."""
        assert PCIAddress.parse(str(address)) == address

    @given(TEXTS)
    def test_grammar(self, text: str) -> None:
        """Every text of the grammar is an address, whose text is the same but for case and leading zeros."""
        domain, rest = text.lower().split(":", 1)
        assert str(PCIAddress.parse(text)) == f"{domain.lstrip('0').rjust(4, '0')}:{rest}"

    @given(ADDRESSES, ADDRESSES)
    def test_order(self, one: PCIAddress, other: PCIAddress) -> None:
        """Addresses order as their numbers do."""
        assert (one < other) == (attrs.astuple(one) < attrs.astuple(other))

    @given(NOISE)
    def test_noise(self, text: str) -> None:
        """Any text is an address or one typed error on one line."""
        try:
            assert PCIAddress.parse(text) == PCIAddress.parse(text.upper())
        except InvalidPCIAddress as error:
            assert "\n" not in str(error)


class TestDeviceName:
    """A device name is another spelling of an address."""

    @given(ADDRESSES)
    def test_round_trip(self, address: PCIAddress) -> None:
        """Every address is read back from its device name, which is a DNS label."""
        assert PCIAddress.from_device_name(address.device_name) == address
        assert len(address.device_name) <= 21

    @given(NOISE)
    def test_one_name_per_address(self, name: str) -> None:
        """What is read as a device name is exactly the name that its address has."""
        try:
            address = PCIAddress.from_device_name(name)
        except InvalidPCIAddress:
            return
        assert address.device_name == name

    @given(ADDRESSES)
    def test_near_miss(self, address: PCIAddress) -> None:
        """Giving one spelling where the other is wanted names the right one."""
        try:
            PCIAddress.parse(address.device_name)
        except InvalidPCIAddress as error:
            assert error.hint == f"did you mean {address}?"
