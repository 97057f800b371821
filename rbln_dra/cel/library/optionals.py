"""
Room: the rows of cel-go's optional values: `.?`, `[?]`, `optional.of` and what works on optional values.

The macros `optMap` and `optFlatMap` stand with the other macros.

May touch: `rows`, `ast`, `types`, `values`, `texts`.
"""

from __future__ import annotations

import attrs

from ..ast import Uint
from ..texts import shown
from ..types import BOOL, DYN, INT, STRING, list_of, map_of, optional_of, parameter
from ..values import NONE, TIMESTAMP_MIN, CELError, Duration, Map, NativeMap, Optional, Timestamp, Value, elements, is_list, size_of
from .rows import Function, Implementation, Library, Overload

K, V = parameter("K"), parameter("V")
_OPTIONAL, _LIST, _MAP = optional_of(V), list_of(V), map_of(K, V)

#: The values of scalar types that count as empty.
_EMPTY: dict[type, Value] = {
    type(None): None,
    bool: False,
    int: 0,
    Uint: 0,
    float: 0.0,
    str: "",
    bytes: b"",
    Duration: Duration(0),
    # Go's zero time, not 1970.
    Timestamp: Timestamp(TIMESTAMP_MIN * 10**9),
}


def _of_non_zero(value: Value) -> Optional:
    if type(value) in _EMPTY:
        empty = value == _EMPTY[type(value)]
    elif isinstance(value, Map):
        # The outer maps of a device do not say whether they are empty.
        empty = not value.cel_size and not (isinstance(value, NativeMap) and value.default is not None)
    else:
        empty = (is_list(value) and not size_of(value)) or bool(getattr(value, "cel_empty", False))
    return NONE if empty else Optional(value)


def _value(optional: Optional) -> Value:
    held = optional.get()
    if isinstance(held, CELError):
        raise held
    return held


def _at(values: Value, index: int) -> Optional:
    return Optional(values[index] if type(values) is tuple else values.element(index))


def _last(values: Value) -> Optional:
    return _at(values, size_of(values) - 1) if size_of(values) else NONE


def _first(values: Value) -> Optional:
    return _at(values, 0) if size_of(values) else NONE


def _unwrap(values: Value) -> Value:
    held: list[Value] = []
    for value in elements(values):
        if type(value) is not Optional:
            raise CELError(f"value {shown(value)} is not optional")
        if value.present:
            held.append(value.value)
    return tuple(held)


def _row(name: str, overload: Overload, implementation: Implementation, summary: str) -> Function:
    return Function(name, (attrs.evolve(overload, implementation=implementation),), views=True, summary=summary)


_FUNCTIONS = (
    _row("optional.of", Overload("optional_of", (V,), _OPTIONAL), Optional, "An optional value that holds a value."),
    _row(
        "optional.ofNonZeroValue",
        Overload("optional_ofNonZeroValue", (V,), _OPTIONAL),
        _of_non_zero,
        "An optional value that holds a value unless that is empty, zero, false or null.",
    ),
    _row("optional.none", Overload("optional_none", (), _OPTIONAL), lambda: NONE, "The optional value that holds nothing."),
    _row("value", Overload("optional_value", (_OPTIONAL,), V, member=True), _value, "The value held; an error without one."),
    _row("hasValue", Overload("optional_hasValue", (_OPTIONAL,), BOOL, member=True), lambda optional: optional.present, "Whether a value is held."),
    Function(
        "or",
        (Overload("optional_or_optional", (_OPTIONAL, _OPTIONAL), _OPTIONAL, member=True),),
        summary="The receiver if it holds a value, else the argument.",
    ),
    Function(
        "orValue",
        (Overload("optional_orValue_value", (_OPTIONAL, V), V, member=True),),
        summary="The value held, else the argument.",
    ),
    Function(
        "_?._",
        (Overload("select_optional_field", (DYN, STRING), _OPTIONAL),),
        summary="The field, if it is there.",
    ),
    Function(
        "_[?_]",
        (
            Overload("list_optindex_optional_int", (_LIST, INT), _OPTIONAL),
            Overload("optional_list_optindex_optional_int", (optional_of(_LIST), INT), _OPTIONAL),
            Overload("map_optindex_optional_value", (_MAP, K), _OPTIONAL),
            Overload("optional_map_optindex_optional_value", (optional_of(_MAP), K), _OPTIONAL),
        ),
        summary="The element or value, if it is there.",
    ),
    Function(
        "_[_]",
        (
            Overload("optional_list_index_int", (optional_of(_LIST), INT), _OPTIONAL),
            Overload("optional_map_index_value", (optional_of(_MAP), K), _OPTIONAL),
        ),
        summary="The element or value of what is held, if it is there.",
    ),
    _row("last", Overload("list_last", (_LIST,), _OPTIONAL, member=True), _last, "The last element, if there is one."),
    _row("first", Overload("list_first", (_LIST,), _OPTIONAL, member=True), _first, "The first element, if there is one."),
    _row("optional.unwrap", Overload("optional_unwrap", (list_of(_OPTIONAL),), _LIST), _unwrap, "The values held by a list of optional values."),
    _row(
        "unwrapOpt",
        Overload("optional_unwrapOpt", (list_of(_OPTIONAL),), _LIST, member=True),
        _unwrap,
        "The values held by a list of optional values.",
    ),
)

LIBRARY = Library("optionals", "cel-go cel.OptionalTypes", _FUNCTIONS)
