"""
Room: how a runtime value is written: as CEL would have it, short enough to read.

May touch: `cel`, `quantity`, `semver`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from ..cel.ast import Uint
from ..cel.values import CELError, ListView, Map, Optional
from ..quantity import Quantity
from ..semver import Semver

#: A value is written with no more code points than this.
LONGEST: Final = 80


def shown(value: Any) -> str:
    """
    Write a runtime value as CEL would have it, on one line of bounded length.

    >>> shown((1, "a", True)), shown(Semver.parse("1.2.3"))
    ('[1, "a", true]', 'semver("1.2.3")')
    """
    text = _written(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _written(value: Any) -> str:
    """Write a value by its class."""
    return next((write(value) for kind, write in _WRITERS if isinstance(value, kind)), None) or str(value)


def _text(value: str) -> str:
    """Write a string, no longer than is shown."""
    return json.dumps(value[: LONGEST + 1], ensure_ascii=False)


def _list(value: ListView) -> str:
    """Write a list that is not written out."""
    return _items(value.element(index) for index in range(min(value.cel_size, LONGEST)))


def _items(values: Any) -> str:
    """Write the items of a list."""
    return f"[{', '.join(map(_written, values))}]"


def _map(value: Map) -> str:
    """Write a map."""
    pairs: list[str] = []
    for key, item in value.items():
        if len(pairs) == LONGEST:
            break
        pairs.append(f"{_written(key)}: {_written(item)}")
    return f"{{{', '.join(pairs)}}}"


def _optional(value: Optional) -> str:
    """Write a value that may not be there."""
    return f"optional.of({_written(value.get())})" if value.present else "optional.none()"


#: How values are written, by the first class that fits: `bool` and `Uint` are integers too.
_WRITERS: Final[tuple[tuple[type | tuple[type, ...], Callable[[Any], str]], ...]] = (
    (CELError, lambda value: f"ERROR {value.message}"),
    ((bool, type(None)), json.dumps),
    (Uint, repr),
    ((int, float), str),
    (str, _text),
    (bytes, lambda value: "b" + _text(value[: LONGEST + 1].decode("latin-1"))),
    (Quantity, lambda value: f'quantity("{value}")'),
    (Semver, lambda value: f'semver("{value}")'),
    (tuple, lambda value: _items(value[:LONGEST])),
    (ListView, _list),
    (Map, _map),
    (Optional, _optional),
)
