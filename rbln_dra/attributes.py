"""
Room: the values of device attributes, and the schema of what the NPU DRA driver publishes.

May touch: `errors`, `names`, `semver`, `wire`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, cast

import attrs

from . import wire
from .errors import InvalidValue
from .names import DRIVER_NAME, RESOURCE_DOMAIN
from .semver import Semver


def _items(values: Sequence[Any] | None) -> tuple[Any, ...] | None:
    """Freeze a list; no list stays none."""
    try:
        return None if values is None else tuple(values)
    except TypeError:
        raise InvalidValue(values, "a list of values", f"it is of type {type(values).__name__}") from None


@attrs.frozen
class DeviceAttribute:
    """
    The value of one attribute, as a ResourceSlice holds it: `{"string": "vfio"}`.

    A valid attribute sets exactly one of these. Reading does not judge: several or none may be set, and a version may be no version.

    Args:
        int_value: 64 bits, signed.
        bool_value: A truth value.
        string_value: Up to 64 bytes in a valid attribute.
        version_value: A semantic version, as text.
        int_values: A list of integers; lists exist from Kubernetes 1.36, behind the gate DRAListTypeAttributes.
        bool_values: A list of truth values.
        string_values: A list of strings.
        version_values: A list of versions.

    Source: `DeviceAttribute` of `k8s.io/api/resource/v1`.

    >>> DeviceAttribute.from_dict({"string": "vfio"})
    DeviceAttribute(string_value='vfio')
    >>> DeviceAttribute.of(42).to_dict()
    {'int': 42}
    """

    int_value: int | None = None
    bool_value: bool | None = None
    string_value: str | None = None
    version_value: str | None = None
    int_values: tuple[int, ...] | None = attrs.field(default=None, converter=_items)
    bool_values: tuple[bool, ...] | None = attrs.field(default=None, converter=_items)
    string_values: tuple[str, ...] | None = attrs.field(default=None, converter=_items)
    version_values: tuple[str, ...] | None = attrs.field(default=None, converter=_items)

    def __repr__(self) -> str:
        """Render what is set."""
        return f"DeviceAttribute({', '.join(f'{field.name}={value!r}' for field, value in self._set())})"

    def _set(self) -> list[tuple[wire.Field, Any]]:
        """Give the fields that are set, with their values."""
        return [(field, value) for field in _FIELDS if (value := getattr(self, field.name)) is not None]

    @classmethod
    def from_dict(cls, obj: object, path: str = "", *, strict: bool = False) -> DeviceAttribute:
        """
        Read the form that it has in a ResourceSlice.

        Args:
            obj: A mapping of `int bool string version ints bools strings versions`, as `json.loads` gives it.
            path: Where it stands, for errors.
            strict: Whether an unknown key is an error; the API server drops it.

        Raises:
            DecodeError: The API server could not read it.
        """
        return ATTRIBUTE.from_json(obj, path=path, strict=strict)

    def to_dict(self) -> dict[str, Any]:
        """Give the form that it has in a ResourceSlice."""
        written: dict[str, Any] = ATTRIBUTE.write(self)
        return written

    @classmethod
    def of(cls, value: bool | int | str | Semver | Sequence[bool] | Sequence[int] | Sequence[str] | Sequence[Semver]) -> DeviceAttribute:  # noqa: FBT001
        """
        Make the attribute for a Python value, or for a list of values of one type.

        Raises:
            InvalidValue: No attribute can hold the value: another type, a mixed or empty list, an integer of more than 64 bits.

        >>> DeviceAttribute.of([0, 1])
        DeviceAttribute(int_values=(0, 1))
        """
        listed = isinstance(value, list | tuple)
        items: tuple[object, ...] = tuple(cast("Sequence[object]", value)) if listed else (value,)
        kinds = {type(item) for item in items}
        kind = kinds.pop() if len(kinds) == 1 else None
        name = _KINDS.get(kind) if kind is not None else None
        if name is None or (kind is int and not all(-(2**63) <= cast("int", item) < 2**63 for item in items)):
            raise InvalidValue(value, "a bool, an int of 64 bits, a str, a Semver or a list of one of these")
        if name == "version":
            items = tuple(str(item) for item in items)
        fields: dict[str, Any] = {f"{name}_values": items} if listed else {f"{name}_value": items[0]}
        return cls(**fields)

    @property
    def value(self) -> bool | int | str | tuple[bool, ...] | tuple[int, ...] | tuple[str, ...] | None:
        """
        The value that Kubernetes sees: of several that are set the first of ints, bools, strings, versions, int, bool, string, version.

        A version is its text; `None` when nothing is set.
        """
        for name in _PRECEDENCE:
            value: bool | int | str | tuple[bool, ...] | tuple[int, ...] | tuple[str, ...] | None = getattr(self, name)
            if value is not None:
                return value
        return None


#: The attribute's part of a field name by the Python type of a value.
_KINDS: Final[Mapping[type, str]] = {bool: "bool", int: "int", str: "string", Semver: "version"}

_PRECEDENCE: Final = ("int_values", "bool_values", "string_values", "version_values", "int_value", "bool_value", "string_value", "version_value")

_FIELDS: Final = (
    wire.Field("int", "int_value", wire.optional(wire.INTEGER)),
    wire.Field("bool", "bool_value", wire.optional(wire.BOOLEAN)),
    wire.Field("string", "string_value", wire.optional(wire.STRING)),
    wire.Field("version", "version_value", wire.optional(wire.STRING)),
    wire.Field("ints", "int_values", wire.optional(wire.list_of(wire.INTEGER)), since=36),
    wire.Field("bools", "bool_values", wire.optional(wire.list_of(wire.BOOLEAN)), since=36),
    wire.Field("strings", "string_values", wire.optional(wire.list_of(wire.STRING)), since=36),
    wire.Field("versions", "version_values", wire.optional(wire.list_of(wire.STRING)), since=36),
)

#: What people write in place of a wire name: the Go names, and the usual words for the types.
_NEAR: Final = {
    **{f"{field.wire}Value": field.wire for field in _FIELDS},
    **{f"{field.wire}Values": f"{field.wire}s" for field in _FIELDS[:4]},
    "integer": "int",
    "boolean": "bool",
    "str": "string",
    "semver": "version",
}


def _boxed(value: object) -> str | None:
    """Put a bare value into the box that it was meant to be in."""
    name = _KINDS.get(type(value))
    if not isinstance(value, bool | str) and not (isinstance(value, int) and abs(value) < 2**63):
        return None
    text = json.dumps(value, ensure_ascii=False)
    return f'did you mean {{"{name}": {text}}}?' if len(text) <= wire.LONGEST_HINT else None


#: How an attribute is read and written.
ATTRIBUTE: Final = wire.struct(DeviceAttribute, *_FIELDS, expected='an attribute such as {"string": "vfio"}', near=_NEAR, hint=_boxed)


#: Kinds of device, by the value of their attribute `type`: passthrough and container.
Kind: TypeAlias = Literal["vfio", "npu"]


@attrs.frozen
class AttributeSchema:
    """
    What is known of one attribute (or capacity) that the NPU DRA driver publishes.

    Args:
        device: `"vfio"` for passthrough devices, `"npu"` for container devices: the value of their attribute `type`.
        name: As it is published: `iommuGroup`, `resource.kubernetes.io/pciBusID`.
        type: `"string"`, `"int"`, `"bool"`; `"quantity"` for a capacity.
        example: A value, of the Rebel100™ node that the documentation shows where it shows one.
        meaning: What it says.
        absent: When it is not there, as a clause; `None` when it is always there.
        since: First commit of the driver generation that publishes it under this name in this form: see `devices.PROFILES`.
        source: Where the row comes from.
        capacity: Whether it is a capacity rather than an attribute.
    """

    device: Kind
    name: str
    type: Literal["string", "int", "bool", "quantity"]
    example: str | int | bool
    meaning: str
    absent: str | None
    since: str
    source: str
    capacity: bool = False

    @property
    def domain(self) -> str:
        """The domain under which a selector finds it: what stands before the slash, else the driver."""
        domain, slash, _ = self.name.partition("/")
        return domain if slash else DRIVER_NAME

    @property
    def id(self) -> str:
        """Its name inside the domain."""
        return self.name.rpartition("/")[2]

    @property
    def expression(self) -> str:
        """
        How a selector names it.

        >>> ATTRIBUTES[0].expression
        'device.attributes["npu.rebellions.ai"].type'
        """
        return f'device.{"capacity" if self.capacity else "attributes"}["{self.domain}"].{self.id}'


_DOCUMENTED: Final = "docs.rbln.ai, VM passthrough with the NPU DRA driver"
_DRIVER: Final = "rbln-k8s-dra-driver"
_BUS_ID: Final = f"{RESOURCE_DOMAIN}/pciBusID"
_ROOT: Final = f"{RESOURCE_DOMAIN}/pcieRoot"
_NUMA: Final = f"{RESOURCE_DOMAIN}/numaNode"
_DRANET_NUMA: Final = "dra.net/numaNode"
_NO_SMI: Final = "rbln-smi does not say; sysfs has no file for it"

#: All attributes of both kinds of device, in the order in which they are published.
ATTRIBUTES: Final = (
    AttributeSchema("vfio", "type", "string", "vfio", "kind of device", None, "4051b26", _DOCUMENTED),
    AttributeSchema("vfio", "iommuGroup", "int", 42, "IOMMU group ID", None, "4051b26", _DOCUMENTED),
    AttributeSchema(
        "vfio", "pciDeviceID", "string", "2130", "PCI device ID without the 0x prefix", "the file `device` is unreadable", "4051b26", _DOCUMENTED
    ),
    AttributeSchema(
        "vfio",
        "productName",
        "string",
        "RBLN-CR13",
        "NPU product name",
        "the driver's table has no name for the PCI device ID; the drivers that were read have none for 2130",
        "4051b26",
        _DOCUMENTED,
    ),
    AttributeSchema("vfio", "vf", "bool", False, "whether it is an SR-IOV virtual function", None, "4051b26", _DOCUMENTED),
    AttributeSchema("vfio", _BUS_ID, "string", "0000:27:00.0", "PCI bus address", None, "4051b26", _DOCUMENTED),
    AttributeSchema(
        "vfio", _ROOT, "string", "pci0000:20", "PCIe root complex", "the device's path in sysfs passes no root complex", "26adea5", _DOCUMENTED
    ),
    AttributeSchema("vfio", _NUMA, "int", 0, "NUMA node ID", "the node is unknown", "4051b26", _DOCUMENTED),
    AttributeSchema("vfio", _DRANET_NUMA, "int", 0, "same value as resource.kubernetes.io/numaNode", "the node is unknown", "26adea5", _DOCUMENTED),
    AttributeSchema("npu", "type", "string", "npu", "kind of device", None, "060937e", _DRIVER),
    AttributeSchema(
        "npu",
        "productName",
        "string",
        "RBLN-CA25",
        "NPU product name",
        "the kernel driver does not say and the PCI device ID is unknown",
        "060937e",
        _DRIVER,
    ),
    AttributeSchema("npu", "sid", "string", "a1b2c3", "serial ID, shared by the NPUs of one card", _NO_SMI, "060937e", _DRIVER),
    AttributeSchema("npu", "uuid", "string", "b1f0d7a2-3c4e-4f5a-8b6c-7d8e9f0a1b2c", "ID of this NPU alone", _NO_SMI, "060937e", _DRIVER),
    AttributeSchema("npu", "pciDeviceID", "string", "1250", "PCI device ID", "the file `device` is unreadable", "060937e", _DRIVER),
    AttributeSchema("npu", _BUS_ID, "string", "0000:01:00.0", "PCI bus address", None, "b5e360f", _DRIVER),
    AttributeSchema("npu", "pciLinkSpeed", "string", "16GT/s", "speed of the PCIe link", _NO_SMI, "060937e", _DRIVER),
    AttributeSchema("npu", "pciLinkWidth", "string", "x16", "width of the PCIe link", _NO_SMI, "060937e", _DRIVER),
    AttributeSchema("npu", "firmwareVersion", "string", "1.0.0", "version of the firmware, as text", _NO_SMI, "060937e", _DRIVER),
    AttributeSchema(
        "npu", "driverVersion", "string", "3.4.0", "version of the kernel driver, as text", "the kernel driver does not say", "060937e", _DRIVER
    ),
    AttributeSchema(
        "npu", _ROOT, "string", "pci0000:00", "PCIe root complex", "the device's path in sysfs passes no root complex", "26adea5", _DRIVER
    ),
    AttributeSchema("npu", _NUMA, "int", 0, "NUMA node ID", "the node is unknown", "744f5ba", _DRIVER),
    AttributeSchema("npu", _DRANET_NUMA, "int", 0, "same value as resource.kubernetes.io/numaNode", "the node is unknown", "26adea5", _DRIVER),
    AttributeSchema("npu", "memory", "quantity", "16482307Ki", "memory of this NPU", _NO_SMI, "060937e", _DRIVER, capacity=True),
)


def schema(name: str, *, device: Kind = "vfio") -> AttributeSchema | None:
    """
    Find an attribute or capacity of one kind of device by its published name; `None` when the driver publishes none of that name.

    A bare name may also be written with the driver's domain, as the scheduler takes both.

    >>> schema("vf").type
    'bool'
    """
    InvalidValue.unless_text(name, "the name of an attribute such as type")
    bare = name.removeprefix(f"{DRIVER_NAME}/")
    return next((row for row in ATTRIBUTES if row.device == device and row.name == bare), None)
