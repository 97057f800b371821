"""
Room: the values of device attributes, and the schema of what the NPU DRA driver publishes.

May touch: `errors`, `names`, `semver`, `wire`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from . import wire
from .errors import InvalidValue
from .names import DRIVER_NAME, RESOURCE_DOMAIN
from .semver import Semver


def _items(values: Sequence[Any] | None) -> tuple[Any, ...] | None:
    """Freeze a list; no list stays none."""
    return None if values is None else tuple(values)


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
        items: Sequence[Any] = value if isinstance(value, list | tuple) else (value,)
        kinds = {type(item) for item in items}
        kind = kinds.pop() if len(kinds) == 1 else None
        name = _KINDS.get(kind) if kind is not None else None
        if name is None or (kind is int and not all(-(2**63) <= item < 2**63 for item in items)):
            raise InvalidValue(value, "a bool, an int of 64 bits, a str, a Semver or a list of one of these")
        if name == "version":
            items = [str(item) for item in items]
        return cls(**{f"{name}_values": items}) if listed else cls(**{f"{name}_value": items[0]})

    @property
    def value(self) -> bool | int | str | tuple[bool, ...] | tuple[int, ...] | tuple[str, ...] | None:
        """
        The value that Kubernetes sees: of several that are set the first of ints, bools, strings, versions, int, bool, string, version; `None` when none is.

        A version is its text.
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
    wire.Field("ints", "int_values", wire.optional(wire.list_of(wire.INTEGER))),
    wire.Field("bools", "bool_values", wire.optional(wire.list_of(wire.BOOLEAN))),
    wire.Field("strings", "string_values", wire.optional(wire.list_of(wire.STRING))),
    wire.Field("versions", "version_values", wire.optional(wire.list_of(wire.STRING))),
)

#: How an attribute is read and written.
ATTRIBUTE: Final = wire.struct(DeviceAttribute, *_FIELDS, expected='an attribute such as {"string": "vfio"}')
