"""PCI addresses: what parses, how it is written, what a near miss was meant to be."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra.errors import InvalidPCIAddress
from rbln_dra.pci import PCIAddress


@pytest.mark.parametrize(
    ("text", "numbers", "canonical"),
    [
        pytest.param("0000:27:00.0", (0, 0x27, 0, 0), "0000:27:00.0", id="seed"),
        pytest.param("0000:b3:1f.7", (0, 0xB3, 0x1F, 7), "0000:b3:1f.7", id="hexadecimal-bus"),
        pytest.param("000A:B3:0C.1", (10, 0xB3, 12, 1), "000a:b3:0c.1", id="upper-case"),
        pytest.param("10000:00:00.0", (0x10000, 0, 0, 0), "10000:00:00.0", id="VMD"),
        pytest.param("5d0505:01:00.0", (0x5D0505, 1, 0, 0), "5d0505:01:00.0", id="six-digits"),
        pytest.param("ffffffff:00:00.0", (0xFFFFFFFF, 0, 0, 0), "ffffffff:00:00.0", id="32-bits"),
        pytest.param("00000001:02:03.4", (1, 2, 3, 4), "0001:02:03.4", id="leading-zeros"),
    ],
)
def test_parses(text: str, numbers: tuple[int, int, int, int], canonical: str) -> None:
    """An address has four to eight digits of domain, two of bus, two of device and one of function, and is written in lower case."""
    address = PCIAddress.parse(text)
    assert address == PCIAddress(*numbers)
    assert str(address) == canonical


@pytest.mark.parametrize(
    ("text", "reason", "meant"),
    [
        pytest.param("0000:27:00", "the function is missing", "0000:27:00.0", id="no-function"),
        pytest.param("27:00.0", "the domain is missing", "0000:27:00.0", id="no-domain"),
        pytest.param("27:00", "the domain and the function are missing", "0000:27:00.0", id="no-domain-no-function"),
        pytest.param("vfio-0000-27-00-0", "that is the name of a device", "0000:27:00.0", id="device-name"),
        pytest.param("vfio-10000-00-00-0", "that is the name of a device", "10000:00:00.0", id="wide-device-name"),
        pytest.param("/sys/bus/pci/devices/0000:27:00.0", "that is a path", "0000:27:00.0", id="path"),
        pytest.param("0:27:00.0", "domain 0 has 1 digits, not 4 to 8", "0000:27:00.0", id="short-domain"),
        pytest.param("000000000:27:00.0", "domain 000000000 has 9 digits, not 4 to 8", "0000:27:00.0", id="long-domain"),
        pytest.param("0000:7:00.0", "bus 7 has 1 digits, not 2", "0000:07:00.0", id="short-bus"),
        pytest.param("0000:27:00.00", "function 00 has 2 digits, not 1", "0000:27:00.0", id="long-function"),
        pytest.param("0000:27:00:0", "its parts are set apart otherwise", "0000:27:00.0", id="separator"),
        pytest.param(" 0000:27:00.0\n", "its parts are set apart otherwise", "0000:27:00.0", id="white-space"),
        pytest.param("100000000:00:00.0", "domain 100000000 is above ffffffff", None, id="33-bits"),
        pytest.param("0000:100:00.0", "bus 100 is above ff", None, id="bus-too-high"),
        pytest.param("0000:27:20.0", "device 20 is above 1f", None, id="device-too-high"),
        pytest.param("0000:27:00.8", "function 8 is above 7", None, id="function-too-high"),
        pytest.param("pci0000:20", None, None, id="root"),
        pytest.param("", None, None, id="empty"),
        pytest.param("npu0", None, None, id="word"),
        pytest.param("0000:27:00.0.0", None, None, id="five-parts"),
        pytest.param("٠٠٠٠:٢٧:٠٠.٠", None, None, id="other-digits"),
        pytest.param("0000:27:00.0\x00\ud800", None, None, id="garbage"),
        pytest.param("a" * 100_000, None, None, id="long"),
    ],
)
def test_near_misses(text: str, reason: str | None, meant: str | None) -> None:
    """What is no address is one typed error that says why, and which address was meant where that can be told."""
    with pytest.raises(InvalidPCIAddress) as caught:
        PCIAddress.parse(text)
    hint = None if meant is None else f"did you mean {meant}?"
    assert caught.value == InvalidPCIAddress(text, "a PCI address such as 0000:27:00.0", reason, hint=hint)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        pytest.param((2**32, 0, 0, 0), "domain 100000000 is above ffffffff", id="domain"),
        pytest.param((0, 256, 0, 0), "bus 100 is above ff", id="bus"),
        pytest.param((0, 0, 32, 0), "device 20 is above 1f", id="device"),
        pytest.param((0, 0, 0, 8), "function 8 is above 7", id="function"),
        pytest.param((0, -1, 0, 0), "bus -1 is below 0", id="negative"),
    ],
)
def test_refuses_numbers(numbers: tuple[int, int, int, int], reason: str) -> None:
    """A number that does not fit its part is refused when an address is built."""
    with pytest.raises(InvalidPCIAddress, match=reason):
        PCIAddress(*numbers)


@pytest.mark.parametrize("number", [1.5, True, "0", None], ids=repr)
def test_refuses_what_is_no_integer(number: Any) -> None:
    """Parts are integers, and nothing that Python counts as one."""
    with pytest.raises(InvalidPCIAddress) as caught:
        PCIAddress(0, 0x27, number, 0)
    assert caught.value.reason == f"device is of type {type(number).__name__}, not int"


def test_orders_by_number() -> None:
    """Addresses order by domain, bus, device and function as numbers, not as text."""
    texts = ["0000:09:00.0", "0000:10:00.0", "0000:b3:00.1", "0000:b3:1f.0", "9999:00:00.0", "10000:00:00.0"]
    assert sorted(map(PCIAddress.parse, reversed(texts))) == list(map(PCIAddress.parse, texts))


@pytest.mark.parametrize(
    ("text", "name", "length"),
    [
        pytest.param("0000:27:00.0", "vfio-0000-27-00-0", 17, id="seed"),
        pytest.param("10000:00:00.0", "vfio-10000-00-00-0", 18, id="VMD"),
        pytest.param("ffffffff:ff:1f.7", "vfio-ffffffff-ff-1f-7", 21, id="longest"),
    ],
)
def test_device_name(text: str, name: str, length: int) -> None:
    """The name of the device follows from the address, has 17 to 21 characters, and gives the address back."""
    address = PCIAddress.parse(text)
    assert address.device_name == name
    assert len(name) == length
    assert PCIAddress.from_device_name(name) == address


@pytest.mark.parametrize(
    ("name", "reason", "meant"),
    [
        pytest.param("0000:27:00.0", None, "vfio-0000-27-00-0", id="address"),
        pytest.param("vfio-0000-27-00-0 ", None, "vfio-0000-27-00-0", id="white-space"),
        pytest.param("VFIO-0000-27-00-0", None, "vfio-0000-27-00-0", id="upper-case"),
        pytest.param("vfio-00000-27-00-0", None, "vfio-0000-27-00-0", id="leading-zeros"),
        pytest.param("vfio-0000-27-20-0", "device 20 is above 1f", None, id="out-of-range"),
        pytest.param("rbln0", None, None, id="container-device"),
    ],
)
def test_refuses_device_names(name: str, reason: str | None, meant: str | None) -> None:
    """Only the name that the driver gives is read as a device name; anything near it is a hint."""
    with pytest.raises(InvalidPCIAddress) as caught:
        PCIAddress.from_device_name(name)
    assert caught.value.reason == reason
    assert caught.value.hint == (None if meant is None else f"did you mean {meant}?")


@pytest.mark.parametrize(("text", "standard"), [("ffff:00:00.0", True), ("10000:00:00.0", False)], ids=["16-bits", "wider"])
def test_standard(text: str, *, standard: bool) -> None:
    """Only an address with a domain of four digits can stand in the standard attributes."""
    assert PCIAddress.parse(text).standard is standard
