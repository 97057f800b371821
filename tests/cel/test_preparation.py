"""Devices as generated code reads them: what stands where, what stands for what, and which devices are left alone."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from decimal import Decimal
from operator import eq, lt, ne
from typing import Any

import attrs
import pytest

from rbln_dra import Device, Quantity, Semver
from rbln_dra.attributes import DeviceAttribute
from rbln_dra.cel.preparation import (
    FALSE,
    LONGEST,
    TRUE,
    Listing,
    Slow,
    Truth,
    Version,
    amount,
    attribute_key,
    capacity_key,
    domain_key,
    prepare,
)
from rbln_dra.cel.runtime import real

DRIVER = "a.example"


def made(driver: str = DRIVER, /, **attributes: DeviceAttribute) -> Device:
    """Make a device with a memory of 1 Ki; two underscores stand for the slash in a name."""
    wire = {"name": "device", "capacity": {"memory": {"value": "1Ki"}}}
    named = {name.replace("__", "/"): value for name, value in attributes.items()}
    return attrs.evolve(Device.from_dict(wire, driver=driver), attributes=named)


def prepared(device: Device, *, lists: bool = False) -> dict[str, Any] | None:
    """Prepare a device and give what code reads; `None` when there is nothing."""
    prepare(device)
    found: dict[str, Any] | None = getattr(device, "prepared_with_lists" if lists else "prepared", None)
    return found


def test_places() -> None:
    """Values stand at the place of their domain and id; a name without a domain is the driver's."""
    device = made(
        text=DeviceAttribute(None, None, "vfio"),
        b__number=DeviceAttribute(42),
        yes=DeviceAttribute(bool_value=True),
        no=DeviceAttribute(bool_value=False),
    )
    assert prepared(device) == {
        "driver": DRIVER,
        "shared": False,
        domain_key("attributes", DRIVER): True,
        attribute_key(DRIVER, "text"): "vfio",
        domain_key("attributes", "b"): True,
        attribute_key("b", "number"): 42,
        attribute_key(DRIVER, "yes"): TRUE,
        attribute_key(DRIVER, "no"): FALSE,
        domain_key("capacity", DRIVER): True,
        capacity_key(DRIVER, "memory"): 1024,
    }


def test_the_later_of_two_names_counts() -> None:
    """`type` and `driver/type` mean the same, and the later one counts, also where only one of them is a list."""
    place = attribute_key(DRIVER, "type")
    one, two = DeviceAttribute(1), DeviceAttribute(2)
    device = attrs.evolve(made(), attributes={"type": one, f"{DRIVER}/type": two})
    assert (prepared(device) or {})[place] == 2
    both = DeviceAttribute(1, int_values=(5,))
    assert (prepared(attrs.evolve(made(), attributes={"type": both, f"{DRIVER}/type": two}), lists=True) or {})[place] == 2
    assert (prepared(attrs.evolve(made(), attributes={"type": two, f"{DRIVER}/type": both}), lists=True) or {})[place].items == (5,)


def test_of_several_values_the_first_counts() -> None:
    """An attribute with several values has the first of int, bool, string and version; lists come first where there are lists."""
    device = made(
        a=DeviceAttribute(1, True, "x", "1.2.3"),
        b=DeviceAttribute(None, True, "x", "1.2.3"),
        c=DeviceAttribute(None, None, "x", "bad"),
        d=DeviceAttribute(2, string_values=("y",)),
    )
    values = prepared(device)
    assert values is not None
    assert [values[attribute_key(DRIVER, name)] for name in "abcd"] == [1, TRUE, "x", 2]
    listed = prepared(device, lists=True)
    assert listed is not None
    assert listed[attribute_key(DRIVER, "d")].items == ("y",)


@pytest.mark.parametrize(
    ("attribute", "items"),
    [
        (DeviceAttribute(int_values=(1, 2)), (1, 2)),
        (DeviceAttribute(bool_values=(True, False)), (True, False)),
        (DeviceAttribute(string_values=()), ()),
        (DeviceAttribute(version_values=("1.2.3",)), (Semver.parse("1.2.3"),)),
    ],
    ids=["ints", "bools", "strings", "versions"],
)
def test_lists(attribute: DeviceAttribute, items: tuple[Any, ...]) -> None:
    """A list stands as its items where there are lists; where there are none, the device is left to the interpreter."""
    device = made(a=attribute)
    assert prepared(device) is None
    values = prepared(device, lists=True)
    assert values is not None
    stored = values[attribute_key(DRIVER, "a")]
    assert real(stored) == items
    assert [type(item) for item in stored.items] == [{bool: Truth, Semver: Version}.get(type(item), type(item)) for item in items]


LEFT_ALONE = (
    ("no value", made(a=DeviceAttribute())),
    ("no version", made(a=DeviceAttribute(version_value="1.2"))),
    ("a long version", made(a=DeviceAttribute(version_value="1.2.3-" + "a" * LONGEST))),
    ("a long text", made(a=DeviceAttribute(string_value="x" * (LONGEST + 1)))),
    ("a text of another class", made(a=DeviceAttribute(string_value=type("Text", (str,), {})("x")))),
    ("an integer of another class", made(a=DeviceAttribute(int_value=True))),
    ("a long driver", made("x" * (LONGEST + 1))),
    ("a driver with NUL", made("a\0b", a=DeviceAttribute(1))),
    ("a name with NUL", made(**{"a\0b": DeviceAttribute(1)})),
    ("a long list", made(a=DeviceAttribute(int_values=(1,) * (LONGEST + 1)))),
    ("a list with a long text", made(a=DeviceAttribute(string_values=("x" * (LONGEST + 1),)))),
    ("a list of other integers", made(a=DeviceAttribute(int_values=(True,)))),
    ("a list with no version", made(a=DeviceAttribute(version_values=("x",)))),
)


@pytest.mark.parametrize("device", [device for _, device in LEFT_ALONE], ids=[name for name, _ in LEFT_ALONE])
def test_devices_left_to_the_interpreter(device: Device) -> None:
    """A device that cannot be read, or is beyond what the cost bound assumes, is not prepared."""
    assert prepare(device) is False
    assert not hasattr(device, "prepared")
    assert not hasattr(device, "prepared_with_lists")


def test_what_is_kept_is_no_part_of_the_device() -> None:
    """A prepared device equals, shows, copies and pickles as before."""
    device, other = made(a=DeviceAttribute(1)), made(a=DeviceAttribute(1))
    text, size = repr(device), len(pickle.dumps(device))
    assert prepare(device)
    assert (device, repr(device), len(pickle.dumps(device))) == (other, text, size)
    for made_of_it in (pickle.loads(pickle.dumps(device)), copy.copy(device), attrs.evolve(device)):
        assert made_of_it == device
        assert not hasattr(made_of_it, "prepared")


@pytest.mark.parametrize(
    "operation",
    [eq, ne, lambda left, _: hash(left), lambda left, _: bool(left), lambda left, right: left in ("x", right)],
    ids=["==", "!=", "hash", "bool", "in"],
)
@pytest.mark.parametrize("odd", [Version(Semver.parse("1.2.3")), Listing((1,))], ids=["version", "list"])
def test_odd_values_refuse(odd: object, operation: Callable[[object, object], object]) -> None:
    """Whatever Python would answer of a version or a list is refused."""
    for other in ("1.2.3", 1, TRUE, Version(Semver.parse("1.2.3"))):
        with pytest.raises(Slow):
            operation(odd, other)


def test_truth_values_are_no_numbers() -> None:
    """A stored truth value is equal to itself only, has no order, and is no condition."""
    assert (eq(TRUE, TRUE), eq(TRUE, FALSE), eq(TRUE, 1), eq(FALSE, 0), TRUE in {1, "x"}) == (True, False, False, False, False)
    stored: Any = TRUE
    with pytest.raises(TypeError):
        lt(stored, 2)
    with pytest.raises(Slow):
        bool(TRUE)


@pytest.mark.parametrize(
    ("text", "expected"), [("16Gi", 17179869184), ("1500m", Decimal("1.5")), ("-3", -3), ("1e3", 1000), ("1e30", Decimal("1e30")), ("0", 0)], ids=str
)
def test_amounts(text: str, expected: float | Decimal) -> None:
    """A quantity stands as its number: an integer where it is a small one."""
    number = amount(Quantity.parse(text))
    assert number == expected
    assert type(number) is type(expected)


def test_memories_are_bounded() -> None:
    """Any number of names, drivers and versions can be prepared."""
    for number in range(5000):
        assert prepare(made(f"driver-{number}", **{f"a{number}": DeviceAttribute(version_value=f"1.0.{number}")}))
    many = attrs.evolve(made(), attributes={f"a{number}": DeviceAttribute(number) for number in range(5000)})
    values = prepared(many)
    assert values is not None
    assert values[attribute_key(DRIVER, "a4999")] == 4999
