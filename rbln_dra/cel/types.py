"""
Room: the static types of the scheduler's CEL dialect.

A type is a name and parameters; equality is structural. The texts are cel-go's, since they stand in error messages and in `Program.output_type`.

May touch: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

import attrs


def _generic(type_: Type) -> bool:
    return type_.kind == "param" or any(parameter.generic for parameter in type_.parameters)


@attrs.frozen(slots=True, cache_hash=True)
class Type:
    """
    A CEL type.

    Args:
        name: cel-go's runtime type name: `int`, `list`, `google.protobuf.Timestamp`, `kubernetes.Quantity`, …; a type parameter's letter.
        parameters: The type's parameters: the element of a list, key and value of a map, the wrapped type of an optional, a wrapper or `type`.
        kind: One of the kinds listed below.
        generic: Whether a type parameter stands in it.

    >>> str(map_of(STRING, list_of(INT)))
    'map(string, list(int))'
    """

    name: str
    parameters: tuple[Type, ...] = ()
    kind: str = "primitive"
    generic: bool = attrs.field(init=False, eq=False, repr=False, default=attrs.Factory(_generic, takes_self=True))

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
# Kubernetes declares some of its types as objects, without fields, and some as opaque: field selection from them fails with different texts.
QUANTITY = Type("kubernetes.Quantity", kind="object")
SEMVER = Type("kubernetes.Semver", kind="object")
URL = Type("kubernetes.URL", kind="object")
IP = Type("net.IP", kind="opaque")
CIDR = Type("net.CIDR", kind="opaque")
FORMAT = Type("kubernetes.NamedFormat", kind="object")


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
    return Type("wrapper", (primitive,), "wrapper")


def parameters_in(types: Iterable[Type]) -> frozenset[str]:
    """Give the letters of all type parameters that stand in some types."""
    found: set[str] = set()
    for type_ in types:
        found |= {type_.name} if type_.kind == "param" else parameters_in(type_.parameters)
    return frozenset(found)
