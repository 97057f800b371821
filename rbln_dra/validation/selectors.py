"""
Room: what the API server says of CEL expressions, new ones and stored ones.

A new selector may use only what the minor before its API server's knows too. One that is stored, which is one that an update leaves alone, may
use all that the minor knows.

May touch: `collections`, `findings`, `server`, `cel`, `resources`, `quoting`, `errors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .. import cel
from ..errors import CompileError
from ..quoting import quoted
from ..resources import DeviceSelector
from .collections import check_list
from .findings import FieldError, Finding, Findings, forbidden, required, size, too_long
from .server import Server

_TOO_COMPLEX: Final = "too complex, exceeds cost limit"


def selectors(server: Server, items: Sequence[DeviceSelector], path: str, *, stored: bool) -> Findings:
    """Check the selectors of a request or a class."""
    return check_list(server, items, path, lambda each, place: _selector(server, each, place, stored=stored), most=server.limit("selectors"))


def _selector(server: Server, item: DeviceSelector, path: str, *, stored: bool) -> Findings:
    """Check a selector."""
    if item.expression is None:
        return [required(f"{path}.cel")]
    path = f"{path}.cel.expression"
    if not stored:
        answer = cel.admit(item.expression, server.release)
        return [] if answer.reason is None else [Finding(FieldError(answer.reason, path, answer.message))]
    return [] if server.minor >= 37 else _stored(server, item.expression, path)


def _stored(server: Server, expression: str, path: str) -> Findings:
    """Check an expression as the scheduler will compile it; from 1.37 on what is stored is not looked at again."""
    most = server.limit("expression")
    if size(expression) > most:
        return [too_long(path, most)]
    try:
        program = cel.compile(expression, cel.Environment(server.release, expressions="stored"))
    except CompileError as error:
        if error.message.startswith("program instantiation failed: "):
            return [Finding(FieldError("InternalError", path, f"Internal error: {error.message}"))]
        return [Finding(FieldError("FieldValueInvalid", path, f"Invalid value: {quoted(expression)}: {error.message}"))]
    return [forbidden(path, _TOO_COMPLEX)] if program.max_cost > server.limit("expression cost") else []
