"""
Room: the PCI address, its two spellings, and what a near miss of either was meant to be.

May touch: `errors`.
"""

from __future__ import annotations

import re

import attrs

from .errors import InvalidPCIAddress

#: What stands before the address in the name of a passthrough device.
DEVICE_NAME_PREFIX = "vfio-"

_EXPECTED = "a PCI address such as 0000:27:00.0"
_EXPECTED_NAME = "the name of a passthrough device such as vfio-0000-27-00-0"

#: The parts of an address, most significant first: name, highest value, fewest and most hexadecimal digits.
_PARTS = (
    ("domain", 0xFFFF_FFFF, 4, 8),
    ("bus", 0xFF, 2, 2),
    ("device", 0x1F, 2, 2),
    ("function", 0x7, 1, 1),
)

_ADDRESS = re.compile(
    r"""
    ([0-9a-fA-F]{4,8})   # domain, 32 bits: VMD bridges and Hyper-V go beyond 16
    : ([0-9a-fA-F]{2})   # bus
    : ([01][0-9a-fA-F])  # device, the slot
    \. ([0-7])           # function
    """,
    re.VERBOSE,
)

_SEPARATOR = re.compile(r"[:.\-_]")
_HEXADECIMAL = re.compile(r"[0-9a-f]{1,16}")
#: No path that ends in an address is longer; a longer text is no near miss.
_NEAR_LENGTH = 4096


@attrs.frozen(order=True)
class PCIAddress:
    """
    Where a function sits on the PCI buses of one host, as sysfs names it: `DDDD:BB:DD.F`, hexadecimal.

    Addresses order by number: domain, bus, device, function. The text is lower case, with a domain of at least four digits.

    Args:
        domain: The PCI domain (segment), 0 to ffffffff. Firmware uses 16 bits; VMD and Hyper-V make up wider ones.
        bus: The bus, 0 to ff.
        device: The slot on the bus, 0 to 1f. This is not the DRA device.
        function: The function of the slot, 0 to 7.

    Raises:
        InvalidPCIAddress: A number does not fit its part.

    Source: the kernel's `pci_setup_device`, which names a function `%04x:%02x:%02x.%d`.

    >>> address = PCIAddress.parse("0000:B3:1f.7")
    >>> address.bus, address.device, str(address)
    (179, 31, '0000:b3:1f.7')
    >>> PCIAddress.parse("0000:9f:00.0") < PCIAddress.parse("10000:00:00.0")
    True
    """

    domain: int
    bus: int
    device: int
    function: int

    def __attrs_post_init__(self) -> None:
        """Refuse numbers that do not fit."""
        reason = _misfit(attrs.astuple(self))
        if reason is not None:
            given = attrs.astuple(self)
            written = all(type(number) is int for number in given)
            raise InvalidPCIAddress(":".join(f"{number:x}" for number in given) if written else given, _EXPECTED, reason)

    @classmethod
    def parse(cls, text: str) -> PCIAddress:
        """
        Read an address: four to eight digits of domain, two of bus, two of device, one of function; upper and lower case.

        Raises:
            InvalidPCIAddress: The text is anything else. The hint says which address was probably meant.

        >>> PCIAddress.parse("27:00.0")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rbln_dra.errors.InvalidPCIAddress: ... got '27:00.0': the domain is missing; did you mean 0000:27:00.0?
        """
        InvalidPCIAddress.unless_text(text, _EXPECTED)
        match = _ADDRESS.fullmatch(text)
        if match is None:
            reason, meant = _near(text)
            raise InvalidPCIAddress(text, _EXPECTED, reason, hint=None if meant is None else f"did you mean {meant}?")
        return cls(*(int(digits, 16) for digits in match.groups()))

    def __str__(self) -> str:
        """Render as sysfs does."""
        return f"{self.domain:04x}:{self.bus:02x}:{self.device:02x}.{self.function}"

    @property
    def device_name(self) -> str:
        """
        The name under which the driver publishes this function for passthrough: 17 characters, up to 21 with a wide domain.

        It is a DNS label and thus a valid DRA device name; it is no network interface name, for which 15 characters are the limit.

        >>> PCIAddress.parse("0000:27:00.0").device_name
        'vfio-0000-27-00-0'
        """
        return DEVICE_NAME_PREFIX + _SEPARATOR.sub("-", str(self))

    @classmethod
    def from_device_name(cls, name: str) -> PCIAddress:
        """
        Read the address in the name of a passthrough device, the inverse of `device_name`.

        Raises:
            InvalidPCIAddress: The text is no such name. The hint says which name was probably meant.

        >>> str(PCIAddress.from_device_name("vfio-10000-00-00-0"))
        '10000:00:00.0'
        """
        InvalidPCIAddress.unless_text(name, _EXPECTED_NAME)
        reason, meant = _near(name)
        if meant is not None and meant.device_name == name:
            return meant
        hint = None if meant is None else f"did you mean {meant.device_name}?"
        raise InvalidPCIAddress(name, _EXPECTED_NAME, None if meant is not None else reason, hint=hint)

    @property
    def standard(self) -> bool:
        """
        Whether the domain has four digits, as Kubernetes' `deviceattribute` helpers and KubeVirt require of a `pciBusID`.

        A device with a wider domain can be published, but without the standard PCI attributes, and KubeVirt cannot attach it.

        >>> PCIAddress.parse("10000:01:00.0").standard
        False
        """
        return self.domain <= 0xFFFF


def _misfit(numbers: tuple[int, ...]) -> str | None:
    """Say which number does not fit its part."""
    for number, (part, highest, _, _) in zip(numbers, _PARTS, strict=True):
        if type(number) is not int:
            return f"{part} is of type {type(number).__name__}, not int"
        if number < 0:
            return f"{part} {number} is below 0"
        if number > highest:
            return f"{part} {number:x} is above {highest:x}"
    return None


def _near(text: str) -> tuple[str | None, PCIAddress | None]:
    """Say what keeps the text from being an address, and which address it resembles."""
    near = text.strip().lower() if len(text) <= _NEAR_LENGTH else ""
    name = near.rpartition("/")[2]
    tokens = _SEPARATOR.split(name.removeprefix(DEVICE_NAME_PREFIX))
    if not 2 <= len(tokens) <= 4 or not all(map(_HEXADECIMAL.fullmatch, tokens)):
        return None, None
    missing: list[str] = []
    if len(tokens) == 2 or (len(tokens) == 3 and len(tokens[0]) < 4):
        tokens.insert(0, "0000")
        missing.append("domain")
    if len(tokens) < 4:
        tokens.append("0")
        missing.append("function")
    numbers = tuple(int(token, 16) for token in tokens)
    misfit = _misfit(numbers)
    if misfit is not None:
        return misfit, None
    return _shape(near, tokens, missing), PCIAddress(*numbers)


def _shape(near: str, tokens: list[str], missing: list[str]) -> str:
    """Say what is wrong with the spelling of an address whose numbers all fit."""
    if near.startswith(DEVICE_NAME_PREFIX):
        return "that is the name of a device"
    if "/" in near:
        return "that is a path"
    if missing:
        return f"the {' and the '.join(missing)} {'are' if missing[1:] else 'is'} missing"
    for token, (part, _, fewest, most) in zip(tokens, _PARTS, strict=True):
        if not fewest <= len(token) <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            return f"{part} {token} has {len(token)} digits, not {wanted}"
    return "its parts are set apart otherwise"
