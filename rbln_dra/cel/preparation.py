"""
Room: a device as generated code reads it: one flat mapping from places to values, made once per device and kept on it.

A place is a name such as `attribute_key("a.example", "type")`. Integers and strings stand for themselves there. Everything else that an
attribute can hold stands in a form that Python's operators cannot take for something else: where CEL and Python differ (`1 == true`, versions,
lists), an operator raises, and the interpreter decides.

May touch: `binding`, `devices`, `attributes`, `semver`, `quantity`, `errors`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from ..errors import InvalidSemver
from ..semver import Semver
from .binding import no_device

if TYPE_CHECKING:
    from ..attributes import DeviceAttribute
    from ..devices import Device
    from ..quantity import Quantity

#: Devices with a longer text than this are left to the interpreter, since the bound of what generated code costs counts with it.
LONGEST = 1024
#: How many names of attributes, and how many versions, are remembered.
_REMEMBERED = 4096
#: Comparable numbers up to here are integers.
_DIGITS = 18


class Slow(Exception):
    """Generated code cannot answer: the interpreter does."""


class Truth:
    """A truth value of a device. It is equal to itself only, where Python has `True == 1`, and has no order and no truth of its own."""

    __slots__ = ()

    def __bool__(self) -> bool:
        """Refuse to be a condition."""
        raise Slow


TRUE, FALSE = Truth(), Truth()
#: What a stored value means as a condition, and what its negation means.
TRUTHS: Mapping[Truth, bool] = {TRUE: True, FALSE: False}
NEGATIONS: Mapping[Truth, bool] = {TRUE: False, FALSE: True}


class Odd:
    """A value of which CEL has its own idea of equality."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        """Refuse to be compared."""
        raise Slow

    def __ne__(self, other: object) -> bool:
        """Refuse to be compared."""
        raise Slow

    def __hash__(self) -> int:
        """Refuse to be looked up."""
        raise Slow

    def __bool__(self) -> bool:
        """Refuse to be a condition."""
        raise Slow


class Version(Odd):
    """
    A semantic version.

    Args:
        version: The version.

    Attributes:
        precedence: What orders it among others.
    """

    __slots__ = ("precedence", "version")

    def __init__(self, version: Semver) -> None:
        """Keep the version and its order."""
        self.version = version
        self.precedence: tuple[object, ...] = version.precedence


class Listing(Odd):
    """
    A list.

    Args:
        items: Its items, stored.
    """

    __slots__ = ("items",)

    def __init__(self, items: tuple[Any, ...]) -> None:
        """Keep the items."""
        self.items = items


def attribute_key(domain: str, id_: str) -> str:
    """Name the place of an attribute."""
    return sys.intern(f"a\0{domain}\0{id_}")


def capacity_key(domain: str, id_: str) -> str:
    """Name the place of a capacity."""
    return sys.intern(f"c\0{domain}\0{id_}")


def domain_key(kind: str, domain: str) -> str:
    """Name the place that is there when the `attributes` or the `capacity` have a domain."""
    return sys.intern(f"{kind}\0{domain}")


def amount(quantity: Quantity) -> int | Decimal:
    """Give the number that compares as a quantity does."""
    number = quantity.number
    if number.adjusted() < _DIGITS:
        whole = int(number)
        if whole == number:
            return whole
    return number


def prepare(device: Device) -> bool:
    """
    Make a device's mappings and keep them on it: one for environments where attributes may be lists, and one for the others.

    Returns:
        Whether there is one now. There is none where an attribute cannot be read, which is an error that the interpreter words, and for a device that
        generated code is not made for: with texts longer than `LONGEST`, or NUL in a name.

    Raises:
        InvalidValue: That is no device.
    """
    try:
        values, listed = _values(device)
    except Slow:
        return False
    except AttributeError as error:
        raise no_device(device) from error
    if values is not None:
        object.__setattr__(device, "prepared", values)
    object.__setattr__(device, "prepared_with_lists", listed)
    return True


class _Names(dict[str, tuple[str, str, str, str]]):
    """The places that a name means for one driver: as an attribute and its domain, as a capacity and its domain."""

    __slots__ = ("driver",)

    def __init__(self, driver: str) -> None:
        super().__init__()
        self.driver = driver

    def __missing__(self, name: str) -> tuple[str, str, str, str]:
        domain, slash, id_ = name.partition("/")
        if not slash:
            domain, id_ = self.driver, name
        if "\0" in name or "\0" in self.driver:
            raise Slow
        if len(self) >= _REMEMBERED:
            self.clear()
        places = attribute_key(domain, id_), domain_key("attributes", domain), capacity_key(domain, id_), domain_key("capacity", domain)
        self[name] = places
        return places


_NAMES: dict[str, _Names] = {}
_VERSIONS: dict[str, Version] = {}


def _names(driver: str) -> _Names:
    found = _NAMES.get(driver)
    if found is None:
        if len(_NAMES) >= _REMEMBERED or len(driver) > LONGEST:
            _NAMES.clear()
        found = _NAMES[driver] = _Names(driver)
    return found


def version(text: str) -> Version:
    """
    Store a version.

    Raises:
        Slow: It is none.
    """
    found = _VERSIONS.get(text)
    if found is None:
        if len(_VERSIONS) >= _REMEMBERED:
            _VERSIONS.clear()
        found = _VERSIONS[text] = Version(_parsed(text))
    return found


def _parsed(text: str) -> Semver:
    if type(text) is not str or len(text) > LONGEST:
        raise Slow
    try:
        return Semver.parse(text)
    except InvalidSemver:
        raise Slow from None


def _values(device: Device) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """
    Read a device without and with lists.

    Raises:
        Slow: It is not for generated code.
    """
    driver = device.driver
    if type(driver) is not str or len(driver) > LONGEST:
        raise Slow
    names = _names(driver)
    values: dict[str, Any] = {"driver": driver, "shared": device.allow_multiple_allocations is True}
    lists: dict[str, Listing] = {}
    only_lists = False
    for name, attribute in device.attributes.items():
        place, domain, _, _ = names[name]
        values[domain] = True
        if (
            attribute.int_values is not None
            or attribute.string_values is not None
            or attribute.bool_values is not None
            or attribute.version_values is not None
        ):
            lists[place] = _listing(attribute)
            if _has_no_scalar(attribute):
                only_lists = True
                continue
        else:
            lists.pop(place, None)
        # The first that is set counts, in this order.
        value: Any = attribute.int_value
        if value is None:
            value = attribute.bool_value
            if value is None:
                value = attribute.string_value
                if value is None:
                    # Nothing at all is no version either.
                    value = version(attribute.version_value or "")
                elif type(value) is not str or len(value) > LONGEST:
                    raise Slow
            else:
                value = TRUE if value else FALSE
        elif type(value) is not int:
            raise Slow
        values[place] = value
    for name, capacity in device.capacity.items():
        _, _, place, domain = names[name]
        values[domain] = True
        values[place] = amount(capacity.value)
    listed = {**values, **lists} if lists else values
    return None if only_lists else values, listed


def _has_no_scalar(attribute: DeviceAttribute) -> bool:
    return attribute.int_value is None and attribute.bool_value is None and attribute.string_value is None and attribute.version_value is None


def _listing(attribute: DeviceAttribute) -> Listing:
    """Store the first list that is set."""
    if attribute.int_values is not None:
        items: tuple[Any, ...] = attribute.int_values
        plain = all(type(item) is int for item in items)
    elif attribute.bool_values is not None:
        items = tuple(TRUE if item else FALSE for item in attribute.bool_values)
        plain = True
    elif attribute.string_values is not None:
        items = attribute.string_values
        plain = all(type(item) is str and len(item) <= LONGEST for item in items)
    else:
        items = tuple(map(version, attribute.version_values or ()))
        plain = True
    if not plain or len(items) > LONGEST:
        raise Slow
    return Listing(items)
