"""
Room: what the names, texts and links of a sysfs mean.

May touch: `readings`.
"""

from __future__ import annotations

import pytest

from rbln_dra.discovery.readings import address_of, card_number, driver_code, int64, last_name, resolved, shown_name


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-1", -1),
        ("+42", 42),
        ("007", 7),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("9223372036854775808", None),
        ("1" * 10_000, None),
        ("", None),
        ("1_0", None),
        ("٤", None),
        ("0x1", None),
        (" 1", None),
        ("1\n", None),
        ("1.0", None),
    ],
)
def test_integers_are_those_of_go(text: str, number: int | None) -> None:
    """A sign and ASCII digits, in 64 bits."""
    assert int64(text) == number


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("0000:27:00.0", "0000:27:00.0"),
        ("0000:B3:1F.7", "0000:b3:1f.7"),
        ("5d0505:01:00.0", "5d0505:01:00.0"),
        ("00000:27:00.0", None),
        ("0000:27:00", None),
        ("pci0000:20", None),
        ("", None),
    ],
)
def test_an_entry_is_called_as_the_kernel_calls_it(name: str, address: str | None) -> None:
    """An address has no zero that the kernel would not write."""
    found = address_of(name)
    assert (None if found is None else str(found)) == address


@pytest.mark.parametrize(
    ("driver", "code"),
    [
        ("rebellions", "host-driver"),
        ("vfio_pci", "vfio-spelling"),
        ("xe-vfio-pci", "vfio-variant"),
        ("nvgrace_gpu_vfio_pci", "vfio-variant"),
        ("mlx5_vfio_pci", "vfio-variant"),
        ("vfio", "other-driver"),
        ("rbln", "other-driver"),
        ("", "other-driver"),
    ],
)
def test_a_driver_has_its_code(driver: str, code: str) -> None:
    """Dash and underscore are one in the names of the VFIO family."""
    assert driver_code(driver) == code


@pytest.mark.parametrize(("target", "name"), [("../../drivers/vfio-pci", "vfio-pci"), ("42", "42"), ("a/b/", "b"), ("/", ""), ("", "")])
def test_the_last_name_of_a_target(target: str, name: str) -> None:
    """A slash at the end does not count."""
    assert last_name(target) == name


@pytest.mark.parametrize(
    ("target", "parts"),
    [
        ("../../../devices/pci0000:20/x", ["devices", "pci0000:20", "x"]),
        ("./x", ["bus", "pci", "devices", "x"]),
        ("/sys/devices/x", ["", "sys", "devices", "x"]),
        ("../../../../../..", []),
    ],
)
def test_a_target_is_resolved_by_names(target: str, parts: list[str]) -> None:
    """An absolute target is told by its empty first name."""
    assert resolved(target) == parts


def test_the_number_of_a_card() -> None:
    """Cards are ordered by number, and what has none comes first."""
    assert [card_number(name) for name in (None, "rbln0", "rbln10")] == [0, 0, 10]


@pytest.mark.parametrize(("name", "shown"), [("0000:B3:00.0", "0000:b3:00.0"), ("Odd", "Odd"), ("a\x01", "'a\\x01'"), ("\udcff", "'\\udcff'")])
def test_a_name_can_be_printed(name: str, shown: str) -> None:
    """Addresses in lower case, and what cannot be printed as Python writes it."""
    assert shown_name(name) == shown
