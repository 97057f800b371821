"""
Room: where in a text a value stands, and which keys a text repeats.

May touch: `documents`, `errors`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import attrs

from .documents import nodes
from .errors import DecodeError, MissingPackage

# A path as Kubernetes writes it: names, and indices and keys in brackets.
_SEGMENT: Final = re.compile(r"\[ (?P<inner> [^\]]* ) \] | (?P<name> [^.\[]+ )", re.VERBOSE)


@attrs.frozen
class Positions:
    r"""
    The values of a text with their places.

    Args:
        documents: The nodes of the text's documents.

    >>> Positions.of("a:\n  b: [1, x]\n").find(0, "a.b[1]")
    (2, 10)
    """

    documents: tuple[Any, ...] = attrs.field(repr=False)

    @classmethod
    def of(cls, text: str) -> Positions:
        """
        Take a text that can be parsed.

        Raises:
            DecodeError: It is no YAML: see `documents.nodes`.
            MissingPackage: PyYAML is not installed.
        """
        return cls(nodes(text))

    def find(self, document: int, path: str) -> tuple[int, int]:
        """
        Give line and column, from 1, of what a path leads to, or of the last value on its way that there is. Of a field it is where its key stands.

        Args:
            document: The number of the document in the text, from 0.
            path: `spec.devices[0].attributes[type]`.
        """
        node = self.documents[document]
        mark = node.start_mark
        for segment in _SEGMENT.finditer(path):
            found = _child(node, segment["name"] if segment["inner"] is None else segment["inner"])
            if found is None:
                break
            node, mark = found
        return mark.line + 1, mark.column + 1

    def repeated(self) -> Iterator[DecodeError]:
        """Yield an error for each key that stands in an object already."""
        pending = [(node, "") for node in reversed(self.documents)]
        seen: set[int] = set()
        while pending:
            node, path = pending.pop()
            if id(node) in seen:  # an alias
                continue
            seen.add(id(node))
            children = list(_children(node))
            keys: set[str] = set()
            for key, _, mark in children:
                if node.id == "mapping" and key in keys and key != "<<":
                    yield DecodeError(_joined(node, path, key), key, "a key that the object does not have yet", None, mark.line + 1, mark.column + 1)
                keys.add(key)
            pending.extend((child, _joined(node, path, key)) for key, child, _ in reversed(children))


def _children(node: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield key, value and place of what a container holds."""
    if node.id == "mapping":
        for key, value in node.value:
            yield str(key.value), value, key.start_mark
    elif node.id == "sequence":
        for index, value in enumerate(node.value):
            yield str(index), value, value.start_mark


def _child(node: Any, key: str) -> tuple[Any, Any] | None:
    """Find a value in a container, with its place; the last of several."""
    found = [(value, mark) for name, value, mark in _children(node) if name == key]
    return found[-1] if found else None


def _joined(node: Any, path: str, key: str) -> str:
    """Lengthen a path."""
    if node.id == "sequence":
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key


def repeated(text: str) -> Iterator[DecodeError]:
    """
    Yield an error for each key that stands twice in an object of a text.

    JSON in which none does is told at JSON's speed, which is many times YAML's; in JSON that YAML cannot read none is found.

    Raises:
        MissingPackage: The text is YAML, or JSON with such keys, and PyYAML is not installed.

    >>> [error.path for error in repeated('{"a": 1, "b": {"c": 1, "c": 2}}')]
    ['b.c']
    """
    if text.lstrip().startswith(("{", "[")) and not _repeats(text):
        return
    try:
        positions = Positions.of(text)
    except DecodeError:
        return
    yield from positions.repeated()


def _repeats(text: str) -> bool:
    """Tell whether JSON has a key twice in one object; what is no JSON may."""
    found = False

    def made(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal found
        entries = dict(pairs)
        found = found or len(entries) < len(pairs)
        return entries

    try:
        json.loads(text, object_pairs_hook=made)
    except (ValueError, RecursionError):
        return True
    return found


def placed(error: DecodeError, text: str, document: int) -> DecodeError:
    """Say of an error where in the text it is, if that can be told."""
    try:
        line, column = Positions.of(text).find(document, error.path)
    except (DecodeError, MissingPackage):
        return error
    return attrs.evolve(error, line=line, column=column)
