"""
Room: where in a text a value stands, and which keys a text repeats.

May touch: `documents`, `errors`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import attrs

from .documents import nodes
from .errors import DecodeError, MissingPackage

# A path as Kubernetes writes it: names, and indices and keys in brackets.
_SEGMENT: Final = re.compile(r"\[ (?P<inner> [^\]]* ) \] | (?P<name> [^.\[]+ )", re.VERBOSE)


#: What an error expects where a key stands twice.
REPEATED: Final = "a key that the object does not have yet"


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

    def repeated(self) -> Iterator[tuple[int, DecodeError]]:
        """Yield an error for each key that stands in an object already, with the number of the document, from 0."""
        pending = [(number, node, "") for number, node in reversed(list(enumerate(self.documents)))]
        seen: set[int] = set()
        while pending:
            number, node, path = pending.pop()
            if id(node) in seen:  # an alias
                continue
            seen.add(id(node))
            children = list(_children(node))
            keys: set[str] = set()
            for key, _, mark in children:
                if node.id == "mapping" and key in keys and key != "<<":
                    error = DecodeError(_joined(node, path, key), key, REPEATED, None, mark.line + 1, mark.column + 1)
                    yield number, error
                keys.add(key)
            pending.extend((number, child, _joined(node, path, key)) for key, child, _ in reversed(children))


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


def repeated(text: str) -> Iterator[tuple[int, DecodeError]]:
    """
    Yield an error for each key that stands twice in an object of a text, with the number of the document, from 0.

    JSON in which none does is told at JSON's speed, which is many times YAML's; in JSON that YAML cannot read none is found.

    Raises:
        MissingPackage: The text is YAML, or JSON with such keys, and PyYAML is not installed.

    >>> [error.path for _, error in repeated('{"a": 1, "b": {"c": 1, "c": 2}}')]
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


def placed(errors: Iterable[tuple[int, DecodeError]], text: str) -> list[DecodeError]:
    """
    Say of errors where in a text they are, if that can be told, and put those of which it can in the order of the text.

    Args:
        errors: The number of a document of the text, from 0, and an error of it.
        text: The text.
    """
    found = [(document, each) for document, error in errors for each in error.every]
    try:
        positions = Positions.of(text)
    except (DecodeError, MissingPackage):
        return [error for _, error in found]
    whole: list[DecodeError] = []
    for document, error in found:
        line, column = (error.line, error.column) if error.line is not None else positions.find(document, error.path)
        whole.append(attrs.evolve(error, line=line, column=column))
    return sorted(whole, key=lambda error: (error.line or 0, error.column or 0))
