"""The conformance tests of the CEL specification: what our engine says of their expressions."""

from __future__ import annotations

import gzip
import json
import math
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rbln_dra import cel
from rbln_dra.cel import checker, interpreter, syntax, types
from rbln_dra.cel.types import Type
from rbln_dra.cel.values import CELError, equality, type_of as runtime_type
from rbln_dra.errors import CompileError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

VECTORS = Path(__file__).parents[1] / "vectors"
_NAMED = {
    type_.name: type_
    for type_ in (
        types.ANY, types.BOOL, types.BYTES, types.DOUBLE, types.DURATION, types.DYN, types.INT, types.NULL, types.STRING, types.TIMESTAMP, types.TYPE,
        types.UINT,
    )
}  # fmt: skip
_MADE: dict[str, Callable[..., Type]] = {
    "list": types.list_of,
    "map": types.map_of,
    "optional_type": types.optional_of,
    "wrapper": types.wrapper_of,
    "type": types.type_of,
}


@attrs.frozen
class Case:
    """
    One test.

    Args:
        topic: The file.
        section: The section.
        name: The name, unique in the section for the most part.
        expr: The expression.
        value: What it is, as CEL; `None` where it is an error, or only its type is asked for.
        error: Whether it is an error.
        type: The type that is deduced; `None` where none is asked for.
        variables: The variables, with their types, and their values as CEL or `None`.
        unchecked: Whether it is meant to be evaluated without a check of its types.
    """

    topic: str
    section: str
    name: str
    expr: str
    value: str | None = None
    error: bool = False
    type: str | None = None
    variables: Mapping[str, tuple[str, str | None]] = attrs.field(factory=dict[str, tuple[str, str | None]])
    unchecked: bool = False

    @property
    def id(self) -> str:
        """The name in full."""
        return f"{self.topic}/{self.section}/{self.name}"


@cache
def load() -> list[Case]:
    """Read all cases."""
    with gzip.open(VECTORS / "cel-spec.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [Case(**json.loads(line)) for line in lines]


def type_of(text: str) -> Type:
    """
    Read a type as cel-go writes it.

    >>> str(type_of("map(string, list(dyn))"))
    'map(string, list(dyn))'
    """
    name, _, rest = text.partition("(")
    if not rest:
        return _NAMED.get(text) or types.parameter(text)
    parts = re.findall(r"(?:[^,()]|\([^()]*(?:\([^()]*\))*[^()]*\))+", rest[:-1])
    return _MADE[name](*(type_of(part.strip()) for part in parts)) if name in _MADE else Type(name, tuple(map(type_of, parts)), "opaque")


def outcome(expression: str, environment: cel.Environment, variables: Mapping[str, Any]) -> tuple[str, Any]:
    """Give the type of an expression and its value, or its error."""
    node = syntax.parse(expression, backticks=environment.backticks, macros=environment.macros)
    checked = checker.check(node, expression, environment)
    result = interpreter.plan(checked).evaluate(variables)
    return str(checked.output_type), result.value if result.error is None else result.error


def difference(case: Case, environment: cel.Environment) -> str:
    """Say how our engine differs from a case; an empty text says that it does not."""
    named = environment.with_names(variables={name: type_of(kind) for name, (kind, _) in case.variables.items()})
    values = {name: outcome(text, environment, {})[1] for name, (_, text) in case.variables.items() if text is not None}
    try:
        found, value = outcome(case.expr, named, values)
    except CompileError as error:
        return "" if case.error else f"refused: {error.issues[0].message if error.issues else error.message}"
    if isinstance(value, CELError):
        return "" if case.error or case.value is None else f"error: {value}"
    if case.error:
        return "no error"
    if case.type is not None and case.type != found:
        return f"of type {found}"
    return "" if case.value is None else _unlike(value, outcome(case.value, environment, {})[1])


def _unlike(value: Any, expected: Any) -> str:
    """Say how a value differs from what it should be; a number of another type is another value, a NaN is not."""
    if isinstance(expected, float) and math.isnan(expected):
        same = isinstance(value, float) and math.isnan(value)
    else:
        same = type_name(value) == type_name(expected) and equality(value, expected) is True
    return "" if same else f"{value!r}"


def type_name(value: Any) -> str:
    """Name the type of a value."""
    return runtime_type(value).name
