"""
Room: the rows of cel-go's optional values: `.?`, `[?]`, `optional.of` and what works on optional values.

The macros `optMap` and `optFlatMap` stand with the other macros.

May touch: `rows`, `types`.
"""

from __future__ import annotations

from ..types import BOOL, DYN, INT, STRING, list_of, map_of, optional_of, parameter
from .rows import Function, Library, Overload

K, V = parameter("K"), parameter("V")
_OPTIONAL, _LIST, _MAP = optional_of(V), list_of(V), map_of(K, V)

_FUNCTIONS = (
    Function("optional.of", (Overload("optional_of", (V,), _OPTIONAL),), summary="An optional value that holds a value."),
    Function(
        "optional.ofNonZeroValue",
        (Overload("optional_ofNonZeroValue", (V,), _OPTIONAL),),
        summary="An optional value that holds a value unless that is empty, zero, false or null.",
    ),
    Function("optional.none", (Overload("optional_none", (), _OPTIONAL),), summary="The optional value that holds nothing."),
    Function("value", (Overload("optional_value", (_OPTIONAL,), V, member=True),), summary="The value held; an error without one."),
    Function("hasValue", (Overload("optional_hasValue", (_OPTIONAL,), BOOL, member=True),), summary="Whether a value is held."),
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
    Function("last", (Overload("list_last", (_LIST,), _OPTIONAL, member=True),), summary="The last element, if there is one."),
    Function("first", (Overload("list_first", (_LIST,), _OPTIONAL, member=True),), summary="The first element, if there is one."),
    Function(
        "optional.unwrap",
        (Overload("optional_unwrap", (list_of(_OPTIONAL),), _LIST),),
        summary="The values held by a list of optional values.",
    ),
    Function(
        "unwrapOpt",
        (Overload("optional_unwrapOpt", (list_of(_OPTIONAL),), _LIST, member=True),),
        summary="The values held by a list of optional values.",
    ),
)

LIBRARY = Library("optionals", "cel-go cel.OptionalTypes", _FUNCTIONS)
