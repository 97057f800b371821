"""
Room: the function that the macros `transformMap` and `transformMapEntry` call.

May touch: `types`, `values`, `rows`.
"""

from __future__ import annotations

from ..types import map_of, parameter
from ..values import Map
from .rows import Function, Library, Overload, Value

_K, _V = parameter("K"), parameter("V")
_MAP = map_of(_K, _V)


def _insert(entries: Map, key: Value, value: Value) -> Map:
    return entries.inserted(key, value)


def _insert_all(entries: Map, others: Map) -> Map:
    for key, value in others.items():
        entries = entries.inserted(key, value)
    return entries


FUNCTIONS = (
    Function(
        "cel.@mapInsert",
        (
            Overload("@mapInsert_map_key_value", (_MAP, _K, _V), _MAP, implementation=_insert),
            Overload("@mapInsert_map_map", (_MAP, _MAP), _MAP, implementation=_insert_all),
        ),
        summary="What `transformMap` and `transformMapEntry` call: a map with an entry more.",
    ),
)
TWO_VARIABLES = Library("two-variable comprehensions", "cel-go ext.TwoVarComprehensions", FUNCTIONS)
