"""
Room: the static types of the scheduler's CEL dialect.

A type is a name and parameters; equality is structural. The texts are cel-go's, since they stand in error messages and in `Program.output_type`.

May touch: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs


@attrs.frozen(slots=True)
class Type:
    """
    A CEL type.

    Args:
        name: cel-go's runtime type name: `int`, `list`, `google.protobuf.Timestamp`, `kubernetes.Quantity`, …; a type parameter's letter.
        parameters: The type's parameters: the element of a list, key and value of a map, the wrapped type of an optional or of `type`.
        kind: One of the `Kind` letters below.

    >>> str(map_of(STRING, list_of(INT)))
    'map(string, list(int))'
    """

    name: str
    parameters: tuple[Type, ...] = ()
    kind: str = "primitive"

    def __str__(self) -> str:
        """Render as cel-go does."""
        if not self.parameters:
            return self.name
        return f"{self.name}({', '.join(map(str, self.parameters))})"


# kind is one of: primitive · dyn · any · error · null · list · map · optional · type · param · opaque · object · wrapper · timestamp · duration

BOOL = Type("bool")
INT = Type("int")
UINT = Type("uint")
DOUBLE = Type("double")
STRING = Type("string")
BYTES = Type("bytes")
NULL = Type("null_type", kind="null")
DYN = Type("dyn", kind="dyn")
#: What attribute values are declared as where lists are not allowed: like `dyn`, but no range of a comprehension.
ANY = Type("google.protobuf.Any", kind="any")
ERROR = Type("*error*", kind="error")
TIMESTAMP = Type("google.protobuf.Timestamp", kind="timestamp")
DURATION = Type("google.protobuf.Duration", kind="duration")
#: The type of types, without saying of which.
TYPE = Type("type", kind="type")

DEVICE = Type("kubernetes.DRADevice", kind="object")
QUANTITY = Type("kubernetes.Quantity", kind="opaque")
SEMVER = Type("kubernetes.Semver", kind="opaque")
URL = Type("kubernetes.URL", kind="opaque")
IP = Type("net.IP", kind="opaque")
CIDR = Type("net.CIDR", kind="opaque")
FORMAT = Type("kubernetes.NamedFormat", kind="opaque")


def list_of(element: Type) -> Type:
    """Give the type of lists of `element`."""
    return Type("list", (element,), "list")


def map_of(key: Type, value: Type) -> Type:
    """Give the type of maps from `key` to `value`."""
    return Type("map", (key, value), "map")


def optional_of(wrapped: Type) -> Type:
    """Give the type of optional values of `wrapped`."""
    return Type("optional_type", (wrapped,), "optional")


def type_of(wrapped: Type) -> Type:
    """Give the type of `wrapped` as a value."""
    return Type("type", (wrapped,), "type")


def parameter(letter: str) -> Type:
    """Give a type parameter, for the signatures of overloads."""
    return Type(letter, (), "param")


def wrapper_of(primitive: Type) -> Type:
    """Give the nullable type of a protobuf wrapper message."""
    return Type(f"wrapper({primitive.name})", (primitive,), "wrapper")


def parameters_in(types: Iterable[Type]) -> frozenset[str]:
    """Give the letters of all type parameters that stand in some types."""
    found: set[str] = set()
    for type_ in types:
        found |= {type_.name} if type_.kind == "param" else parameters_in(type_.parameters)
    return frozenset(found)
