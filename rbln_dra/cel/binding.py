"""
Room: from a device to the variables of an expression, as the scheduler binds them.

May touch: `values`, `devices`, `attributes`, `semver`, `environment`, `errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..errors import EvaluationError, InvalidSemver, InvalidValue
from ..semver import Semver
from .values import NativeMap, Value, copied

if TYPE_CHECKING:
    from ..attributes import DeviceAttribute
    from ..devices import Device
    from .environment import Environment

#: What looking up an unknown domain gives.
_NOTHING = NativeMap({})


def bind(device: Device, environment: Environment) -> Mapping[str, Value]:
    """
    Give the variables of an expression that is evaluated for a device.

    An attribute or a capacity is found under its domain, which is the driver's name where its own name has none, and under the rest of the name.
    Where two names mean the same, the later one counts (in Kubernetes, either).

    Raises:
        EvaluationError: An attribute cannot be read: it has no value, a version that is none, or a list where the environment has no lists.
        InvalidValue: That is no device.
    """
    try:
        return _bound(device, environment)
    except AttributeError as error:
        raise no_device(device) from error


def no_device(device: object) -> InvalidValue:
    """Say that something is no device. It is asked when something went wrong: a good device shall not pay for it."""
    from ..devices import Device

    wrong = "what it holds is no DeviceAttribute or DeviceCapacity" if isinstance(device, Device) else f"it is of type {type(device).__name__}"
    return InvalidValue(device, "a device of an inventory, or Device.from_dict of one", wrong)


def _bound(device: Device, environment: Environment) -> Mapping[str, Value]:
    """Give the variables of an expression."""
    domains: dict[str, dict[str, Value]] = {}
    lists = environment.list_attributes
    for name, attribute in device.attributes.items():
        domain, id_ = _split(name, device.driver)
        domains.setdefault(domain, {})[id_] = _value(name, attribute, lists=lists)
    capacities: dict[str, dict[str, Value]] = {}
    for name, capacity in device.capacity.items():
        domain, id_ = _split(name, device.driver)
        # Comparing and adding may change a quantity; the device's own stays as it is.
        capacities.setdefault(domain, {})[id_] = copied(capacity.value)
    return {
        "device": NativeMap(
            {
                "driver": device.driver,
                "allowMultipleAllocations": device.allow_multiple_allocations is True,
                "attributes": _with_default(domains),
                "capacity": _with_default(capacities),
            }
        )
    }


def _with_default(domains: Mapping[str, dict[str, Value]]) -> NativeMap:
    return NativeMap({domain: NativeMap(values) for domain, values in domains.items()}, default=_NOTHING)


def _split(name: str, driver: str) -> tuple[str, str]:
    """Split at the first slash."""
    domain, slash, id_ = name.partition("/")
    return (domain, id_) if slash else (driver, name)


def _version(text: str) -> Semver:
    return Semver.parse(text)


#: Where the value of an attribute stands, lists first; the first that is there counts.
_LISTS: tuple[tuple[str, Callable[..., Value]], ...] = (
    ("int_values", tuple),
    ("bool_values", tuple),
    ("string_values", tuple),
    ("version_values", lambda texts: tuple(map(_version, texts))),
)
_SCALARS: tuple[tuple[str, Callable[..., Value]], ...] = (
    ("int_value", int),
    ("bool_value", bool),
    ("string_value", str),
    ("version_value", _version),
)


def _value(name: str, attribute: DeviceAttribute, *, lists: bool) -> Value:
    for field, convert in (*_LISTS, *_SCALARS) if lists else _SCALARS:
        held = getattr(attribute, field)
        if held is not None:
            try:
                return convert(held)
            except InvalidSemver as error:
                raise EvaluationError(f"attribute {name}: parse semantic version: {error.reason}") from None
    raise EvaluationError(f"attribute {name}: unsupported attribute value")
