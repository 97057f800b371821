"""
Room: the one table of what an expression may name: fields of `device`, types, functions, macros, per Kubernetes minor, gates and environment.

Checker, cost estimate, interpreter and documentation read it; nothing else asks for a minor. What behaves differently between minors, beyond what
exists, is a flag of `Environment` with a word that says what it does.

May touch: `types`, `macros`, `library`, `kubernetes` for the release, and `errors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import count
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import attrs
from packaging.version import Version

from ..errors import InvalidValue
from ..kubernetes import Kubernetes
from .library import LIBRARIES
from .library.rows import ALWAYS, Estimate, Estimator, Function, Operand, Overload, RuntimeCost, Since, Value
from .macros import MACROS, Expander, MacroKey
from .types import (
    ANY,
    BOOL,
    BYTES,
    CIDR,
    DEVICE,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    IP,
    NULL,
    QUANTITY,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Type,
    list_of,
    map_of,
    parameter,
    type_of,
    wrapper_of,
)

LIST_ATTRIBUTES: Final = "DRAListTypeAttributes"
CONSUMABLE_CAPACITY: Final = "DRAConsumableCapacity"
_LISTS_OPTIONAL: Final = Version("1.36")
_CEL_GO_0_29: Final = Version("1.37")

# Longest values, in bytes or entries, as k8s.io/api/resource/v1 limits them.
_DOMAIN, _ID, _DRIVER, _ATTRIBUTE, _ENTRIES = 63, 32, 63, 64, 32


@attrs.frozen(eq=False)
class Declaration:
    """
    How long a value below `device` can be: what the static cost estimate knows beyond the type.

    Args:
        type: The declared type.
        size: The most code points, entries or elements; 0 where none is declared.
        key: The keys of a map.
        element: The values of a map.
        fields: The fields of an object.
    """

    type: Type
    size: int = 0
    key: Declaration | None = None
    element: Declaration | None = None
    fields: Mapping[str, Declaration] = attrs.field(factory=dict[str, Any])


def _map(key: int, element: Declaration) -> Declaration:
    """Declare a map from names of limited length."""
    return Declaration(map_of(STRING, element.type), _ENTRIES, Declaration(STRING, key), element)


#: The protobuf messages that an expression may name: their CEL type, and their fields.
_WRAPPERS: Final = {
    "BoolValue": BOOL,
    "BytesValue": BYTES,
    "DoubleValue": DOUBLE,
    "FloatValue": DOUBLE,
    "Int32Value": INT,
    "Int64Value": INT,
    "StringValue": STRING,
    "UInt32Value": UINT,
    "UInt64Value": UINT,
}
_STRUCT, _VALUES = map_of(STRING, DYN), list_of(DYN)
_SECONDS: Final = {"seconds": INT, "nanos": INT}
_MESSAGES: Final[Mapping[str, tuple[Type, Mapping[str, Type]]]] = {
    **{f"google.protobuf.{name}": (wrapper_of(type_), {"value": type_}) for name, type_ in _WRAPPERS.items()},
    "google.protobuf.Any": (ANY, {"type_url": STRING, "value": BYTES}),
    "google.protobuf.Duration": (DURATION, _SECONDS),
    "google.protobuf.Timestamp": (TIMESTAMP, _SECONDS),
    "google.protobuf.Empty": (Type("google.protobuf.Empty", kind="object"), {}),
    "google.protobuf.Struct": (_STRUCT, {"fields": _STRUCT}),
    "google.protobuf.Struct.FieldsEntry": (Type("google.protobuf.Struct.FieldsEntry", kind="object"), {"key": STRING, "value": DYN}),
    "google.protobuf.ListValue": (_VALUES, {"values": _VALUES}),
    "google.protobuf.Value": (
        DYN,
        {"null_value": INT, "number_value": DOUBLE, "string_value": STRING, "bool_value": BOOL, "struct_value": _STRUCT, "list_value": _VALUES},
    ),
}
_ENUMS: Final[Mapping[str, int]] = {"google.protobuf.NullValue.NULL_VALUE": 0}
_A, _B = parameter("A"), parameter("B")
#: The variables that are types, as cel-go 0.26 declares them: its lists and maps have type parameters, which error texts show.
_BASIC: Final = {type_.name: type_ for type_ in (BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIMESTAMP, TYPE, UINT)}
_TYPE_VARIABLES: Final = {**_BASIC, "list": list_of(_A), "map": map_of(_A, _B)}
#: The types that exist at run time by name.
_RUNTIME_TYPES: Final = {**_BASIC, "list": _VALUES, "map": map_of(DYN, DYN), IP.name: IP, CIDR.name: CIDR}
#: Kubernetes' own names of scalar types, as its provider of declared types finds them: objects without fields; a map has any field.
_SCALARS: Final = {
    "bool": BOOL,
    "bytes": BYTES,
    "double": DOUBLE,
    "duration": DURATION,
    "int": INT,
    "null_type": NULL,
    "string": STRING,
    "timestamp": TIMESTAMP,
    "uint": UINT,
    "list": list_of(ANY),
    "map": map_of(ANY, ANY),
}


#: The macros that are not everywhere.
_MACROS: Final[Mapping[MacroKey, Since]] = {("sortBy", 2, True): Since(new="1.35"), ("existsOne", 2, True): Since(new=None, stored=None)}


@attrs.frozen(eq=False)
class Signature:
    """
    An overload as the checker applies it.

    Args:
        id: cel-go's overload id.
        parameters: The arguments' types, the receiver first.
        result: The result's type.
        letters: The type parameters that stand in it.
    """

    id: str
    parameters: tuple[Type, ...]
    result: Type
    letters: tuple[str, ...]


#: Function, whether it is called as a member, types of the arguments → overload ids, type of the result, number of fresh type variables taken.
Resolutions: TypeAlias = dict[tuple[str, bool, tuple[Type, ...]], tuple[tuple[str, ...], "Type | None", int]]


@attrs.frozen(eq=False)
class _Tables:
    """What an environment has, made once per release and environment."""

    key: int
    device: Declaration
    functions: Mapping[str, Function]
    overloads: Mapping[str, tuple[Function, Overload]]
    signatures: Mapping[tuple[str, bool], tuple[Signature, ...]]
    macros: Mapping[MacroKey, Expander]
    identifiers: Mapping[str, Type]
    structs: Mapping[str, Type]
    fields: Mapping[str, Mapping[str, Type] | Type]
    type_values: Mapping[str, Type]
    namespaces: frozenset[str]
    resolutions: Resolutions = attrs.field(factory=dict[Any, Any])


@attrs.frozen(init=False, hash=True)
class Environment:
    """
    What an expression may name in one Kubernetes minor.

    kube-scheduler evaluates `stored` expressions with everything that its minor knows; the API server admits `new` ones with less.
    A new expression has only what the minor before has, too, and what an enabled gate adds, so that a rollback can still evaluate it.

    Args:
        kubernetes: A minor ("1.34" to "1.37") or a `Kubernetes` with gates.
        expressions: `stored` or `new`.

    Raises:
        UnknownKubernetes: The minor or a gate is not known.
        InvalidValue: `expressions` is neither of the two.

    >>> environment = Environment("1.35", expressions="new")
    >>> "sort" in environment.functions
    True
    >>> "sort" in Environment("1.34", expressions="new").functions
    False
    """

    release: Kubernetes
    expressions: str
    _tables: _Tables = attrs.field(eq=False, repr=False)
    #: What tells an environment with further names from all others; `None` of one without.
    _further: object = attrs.field(default=None, repr=False)

    def __init__(self, kubernetes: str | Kubernetes = "1.35", expressions: str = "stored") -> None:
        """See the class."""
        if expressions not in ("stored", "new"):
            raise InvalidValue(expressions, 'the expressions\' state, "stored" or "new"')
        release = Kubernetes.of(kubernetes)
        self._set(release, expressions, _tables(release, expressions), None)

    def _set(self, release: Kubernetes, expressions: str, tables: _Tables, further: object) -> None:
        for name, value in (("release", release), ("expressions", expressions), ("_tables", tables), ("_further", further)):
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[type[Environment], tuple[Kubernetes, str]]:
        """Pickle as release and expressions: the tables are made again."""
        if self._further is not None:
            raise TypeError("an environment with further names cannot be pickled")
        return Environment, (self.release, self.expressions)

    def with_names(self, *, variables: Mapping[str, Type], functions: Sequence[Function] = ()) -> Environment:
        """
        Give an environment in which expressions may name more. Kubernetes' are not such; it is for those who evaluate CEL over other data.

        Args:
            variables: Variables by name, which may be qualified, with their types; they hide what had that name.
            functions: Functions, which replace those of that name.

        >>> from .types import INT
        >>> Environment().with_names(variables={"a.b": INT}).identifiers["a.b"]
        Type(name='int', parameters=(), kind='primitive')
        """
        InvalidValue.unless(variables, Mapping, "variables by name with their types")
        InvalidValue.unless(functions, Sequence, "a list of functions")
        for function in functions:
            InvalidValue.unless(function, Function, "a function")
        tables = self._tables
        rows = {function.name: function for function in functions}
        overloads = {id_: held for id_, held in tables.overloads.items() if held[0].name not in rows}
        identifiers = {**tables.identifiers, **variables}
        further = attrs.evolve(
            tables,
            key=next(_KEYS),
            functions=MappingProxyType({**tables.functions, **rows}),
            overloads=MappingProxyType({**overloads, **{overload.id: (row, overload) for row in rows.values() for overload in row.overloads}}),
            signatures=MappingProxyType({**tables.signatures, **_signatures(rows)}),
            identifiers=MappingProxyType(identifiers),
            namespaces=_namespaces(identifiers),
            resolutions={},
        )
        made = object.__new__(Environment)
        made._set(self.release, self.expressions, further, object())
        return made

    # What exists.

    @property
    def key(self) -> int:
        """A number that equal environments share, in one process."""
        return self._tables.key

    @property
    def functions(self) -> Mapping[str, Function]:
        """The functions by name, with their overloads of all libraries."""
        return self._tables.functions

    @property
    def overloads(self) -> Mapping[str, tuple[Function, Overload]]:
        """The overloads by id, each with the row that it stands in."""
        return self._tables.overloads

    @property
    def signatures(self) -> Mapping[tuple[str, bool], tuple[Signature, ...]]:
        """The overloads of a function that are (True) or are not (False) called as members."""
        return self._tables.signatures

    @property
    def macros(self) -> Mapping[MacroKey, Expander]:
        """The macros, for the parser."""
        return self._tables.macros

    @property
    def identifiers(self) -> Mapping[str, Type]:
        """The global names, `device` and the names of types, with their types; some are qualified (`google.protobuf.Duration`)."""
        return self._tables.identifiers

    @property
    def enums(self) -> Mapping[str, int]:
        """The global names of constants."""
        return _ENUMS

    @property
    def structs(self) -> Mapping[str, Type]:
        """The names that may stand before `{field: value}`, with their types; up to 1.36 they are the `identifiers`."""
        return self._tables.structs

    @property
    def fields(self) -> Mapping[str, Mapping[str, Type] | Type]:
        """The fields of objects and messages by type name; where any field is right, the type of all of them."""
        return self._tables.fields

    @property
    def type_values(self) -> Mapping[str, Type]:
        """The types that a name gives at run time; other names of types type-check and fail when evaluated."""
        return self._tables.type_values

    @property
    def namespaces(self) -> frozenset[str]:
        """What qualified global names begin with."""
        return self._tables.namespaces

    @property
    def device(self) -> Declaration:
        """The declaration of `device`."""
        return self._tables.device

    @property
    def attribute_type(self) -> Type:
        """The declared type of every attribute: dynamic where lists are allowed, `any` elsewhere."""
        return _attribute_type(self.release, self.expressions)

    @property
    def resolutions(self) -> Resolutions:
        """The checker's memory of which overloads a call of a function on some types has; not part of the value."""
        return self._tables.resolutions

    # What behaves differently between minors.

    @property
    def backticks(self) -> bool:
        """Field names may be quoted by backticks."""
        return self._cel_go_0_29

    @property
    def local_names_first(self) -> bool:
        """A local variable hides qualified global names that begin as it does, and a leading dot means the global scope."""
        return self._cel_go_0_29

    @property
    def result_by_value(self) -> bool:
        """The result's type is compared by structure, so that a wrapper of bool passes for bool."""
        return self.release.minor >= _CEL_GO_0_29

    @property
    def list_attributes(self) -> bool:
        """Attributes may hold lists; without it a device with one is an error for every expression."""
        return self.release.minor >= _CEL_GO_0_29 or (self.release.minor >= _LISTS_OPTIONAL and self.release.enabled(LIST_ATTRIBUTES))

    @property
    def _cel_go_0_29(self) -> bool:
        return self.release.minor >= _CEL_GO_0_29


def available(since: Since, release: Kubernetes, expressions: str) -> bool:
    """Tell whether what came with `since` exists in a release's stored or new expressions."""
    if since.until is not None and release.minor > Version(since.until):
        return False
    stored = since.stored is not None and release.minor >= Version(since.stored)
    if expressions == "stored" or (stored and since.gate is not None and release.enabled(since.gate)):
        return stored
    return since.new is not None and release.minor >= Version(since.new)


def _attribute_type(release: Kubernetes, expressions: str) -> Type:
    """Give the declared type of attributes."""
    if release.minor < _LISTS_OPTIONAL:
        return ANY
    return DYN if release.enabled(LIST_ATTRIBUTES) or (release.minor >= _CEL_GO_0_29 and expressions == "stored") else ANY


def _device(release: Kubernetes, expressions: str) -> Declaration:
    """Declare the variable `device`."""
    attribute = Declaration(_attribute_type(release, expressions), _ATTRIBUTE)
    fields = {
        "driver": Declaration(STRING, _DRIVER),
        "attributes": _map(_DOMAIN, _map(_ID, attribute)),
        "capacity": _map(_DOMAIN, _map(_ID, Declaration(QUANTITY))),
    }
    if expressions == "stored" or release.enabled(CONSUMABLE_CAPACITY):
        fields["allowMultipleAllocations"] = Declaration(BOOL, 1)
    return Declaration(DEVICE, fields=MappingProxyType(fields))


#: Numbers of environments, for those who keep something for each.
_KEYS = count()


@lru_cache(maxsize=256)
def _tables(release: Kubernetes, expressions: str) -> _Tables:
    """Make the tables of an environment."""
    device = _device(release, expressions)
    rows: dict[str, list[Function]] = {}
    for library in LIBRARIES:
        for row in library.functions:
            if available(row.since, release, expressions):
                rows.setdefault(row.name, []).append(row)
    functions = {name: joined(found) for name, found in rows.items()}
    declared = {DEVICE.name: DEVICE, **{f"{DEVICE.name}.{name}": field.type for name, field in device.fields.items() if field.element is not None}}
    provided = {**declared, **_SCALARS, **{name: type_ for name, (type_, _) in _MESSAGES.items()}}
    later = release.minor >= _CEL_GO_0_29
    runtime = {**_RUNTIME_TYPES, "optional_type": Type("optional_type", (DYN,) if later else (), "optional")}
    runtime.update({name: type_ for name, (type_, _) in _MESSAGES.items() if type_.kind == "object"})
    named = {**provided, **runtime} if later else {**runtime, **provided, **_TYPE_VARIABLES}
    identifiers = {**{name: type_of(type_) for name, type_ in named.items()}, "device": DEVICE}
    # Before a name stood for a type only, any declared variable did.
    structs = {name: type_of(type_) for name, type_ in {**provided, **runtime}.items()} if later else identifiers
    return _Tables(
        key=next(_KEYS),
        device=device,
        functions=MappingProxyType(functions),
        overloads=MappingProxyType({overload.id: (row, overload) for found in rows.values() for row in found for overload in row.overloads}),
        signatures=MappingProxyType(_signatures(functions)),
        macros=MappingProxyType({key: macro for key, macro in MACROS.items() if available(_MACROS.get(key, ALWAYS), release, expressions)}),
        identifiers=MappingProxyType(identifiers),
        structs=MappingProxyType(structs),
        fields=MappingProxyType(_fields(device, declared)),
        type_values=MappingProxyType(runtime),
        namespaces=_namespaces(identifiers),
    )


def _namespaces(identifiers: Mapping[str, Type]) -> frozenset[str]:
    """Give what the qualified ones among the global names begin with."""
    return frozenset(name.partition(".")[0] for name in (*identifiers, *_ENUMS) if "." in name)


def _fields(device: Declaration, declared: Mapping[str, Type]) -> dict[str, Mapping[str, Type] | Type]:
    """Give the fields of everything that may stand before `.field` or `{field: value}`."""
    fields: dict[str, Mapping[str, Type] | Type] = {name: known for name, (_, known) in _MESSAGES.items()}
    for name, type_ in {**_SCALARS, **declared}.items():
        fields[name] = type_.parameters[1] if type_.kind == "map" else {}
    fields[DEVICE.name] = {name: field.type for name, field in device.fields.items()}
    return fields


def _signatures(functions: Mapping[str, Function]) -> dict[tuple[str, bool], tuple[Signature, ...]]:
    """Sort each function's overloads by how they are called."""
    return {
        (name, member): tuple(
            Signature(overload.id, overload.parameters, overload.result, _letters((*overload.parameters, overload.result)))
            for overload in function.overloads
            if overload.member is member
        )
        for name, function in functions.items()
        for member in (False, True)
    }


def _letters(types: tuple[Type, ...]) -> tuple[str, ...]:
    """Give the type parameters that stand in some types, in the order in which they first do."""
    found: dict[str, None] = {}
    for type_ in types:
        if type_.kind == "param":
            found[type_.name] = None
        elif type_.generic:
            found.update(dict.fromkeys(_letters(type_.parameters)))
    return tuple(found)


def joined(rows: Sequence[Function]) -> Function:
    """Join the rows of one function that stand in several libraries: what a row says of all its overloads is then said by each of them."""
    if len(rows) == 1:
        return rows[0]
    overloads = tuple(
        attrs.evolve(
            overload,
            implementation=overload.implementation or row.implementation,
            estimate=_first_estimate(row, overload),
            cost=_first_cost(row, overload),
            overrides=False,
        )
        for row in rows
        for overload in row.overloads
    )
    summary = "; ".join(dict.fromkeys(row.summary for row in rows if row.summary))
    return Function(rows[0].name, overloads, summary=summary, guarded=all(row.guarded for row in rows))


def _first_estimate(row: Function, overload: Overload) -> Estimator | None:
    """Join what a row and its overload say of the static cost."""
    first, second = (overload.estimate, row.estimate) if overload.overrides else (row.estimate, overload.estimate)
    if first is None or second is None:
        return first or second

    def estimate(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
        found = first(target, args)
        return second(target, args) if found is None else found

    return estimate


def _first_cost(row: Function, overload: Overload) -> RuntimeCost | None:
    """Join what a row and its overload say of the runtime cost."""
    first, second = (overload.cost, row.cost) if overload.overrides else (row.cost, overload.cost)
    if first is None or second is None:
        return first or second

    def cost(args: tuple[Value, ...], result: Value) -> int | None:
        found = first(args, result)
        return second(args, result) if found is None else found

    return cost
