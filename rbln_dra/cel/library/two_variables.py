"""
Room: the function that the macros `transformMap` and `transformMapEntry` call.

May touch: `types`, `rows`.
"""

from __future__ import annotations

from ..types import map_of, parameter
from .rows import Function, Library, Overload

_K, _V = parameter("K"), parameter("V")
_MAP = map_of(_K, _V)

FUNCTIONS = (
    Function(
        "cel.@mapInsert",
        (
            Overload("@mapInsert_map_key_value", (_MAP, _K, _V), _MAP),
            Overload("@mapInsert_map_map", (_MAP, _MAP), _MAP),
        ),
        summary="What `transformMap` and `transformMapEntry` call: a map with an entry more.",
    ),
)
TWO_VARIABLES = Library("two-variable comprehensions", "cel-go ext.TwoVarComprehensions", FUNCTIONS)
