"""
Room: the files with objects that commands look at: the objects one by one, each with its place.

May touch: `command`, `sources` for `-`, `resources`, `rbln_dra.documents`, `rbln_dra.positions`, `errors`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

import attrs

from ..documents import decoded, documents, pairs, read_file
from ..errors import DecodeError, DiscoveryError, MissingPackage
from ..positions import Positions, repeated
from .command import Console
from .sources import STDIN

_GROUP: Final = "resource.k8s.io"


@attrs.define(eq=False)
class File:
    """
    A file with objects.

    Args:
        name: How it is called in errors.
        text: Its text.
        documents: The values of its documents.
    """

    name: str
    text: str
    documents: tuple[object, ...]

    @classmethod
    def read(cls, path: str, console: Console) -> File:
        """
        Read a file, or standard input as `-`.

        Raises:
            DecodeError: It is neither JSON nor YAML.
            DiscoveryError: It cannot be read, or there is nothing in it.
        """
        text = decoded(console.read()) if path == STDIN else read_file(path)
        name = "standard input" if path == STDIN else path
        try:
            parsed = documents(text)
        except DecodeError as error:
            raise attrs.evolve(error, source=name) from error
        if all(document is None for document in parsed):
            raise DiscoveryError(name, "is empty")
        return cls(name, text, parsed)

    def objects(self) -> Iterator[Given]:
        """Yield the objects; those of lists one by one."""
        for number, document in enumerate(self.documents):
            items = _items(document)
            if items is not None:
                yield from (Given(self, number, item, index) for index, item in enumerate(items))
            elif document is not None:
                yield Given(self, number, document)

    @functools.cached_property
    def repeated(self) -> tuple[tuple[int, DecodeError], ...]:
        """The keys that stand twice in one object: number of the document, and the error."""
        return tuple(repeated(self.text))

    @functools.cached_property
    def _positions(self) -> Positions | None:
        """Where everything is; `None` where that cannot be told."""
        try:
            return Positions.of(self.text)
        except (DecodeError, MissingPackage):
            return None

    def where(self, document: int, path: str) -> str:
        """Say line and column of a path, with a colon behind; empty where that cannot be told."""
        if self._positions is None:
            return ""
        line, column = self._positions.find(document, path)
        return f"line {line}, column {column}: "


@attrs.frozen(eq=False)
class Given:
    """
    An object of a file.

    Args:
        file: The file.
        document: The number of its document, from 0.
        value: What stands there.
        item: Its number in a list, from 0; `None` for what is in none.
    """

    file: File
    document: int
    value: object
    item: int | None = None

    @property
    def path(self) -> str:
        """Its path in its document; empty for a whole one."""
        return "" if self.item is None else f"items[{self.item}]"

    @property
    def place(self) -> dict[str, str | int]:
        """The file, and the numbers of document and item from 1, for reports."""
        return {"file": self.file.name, "document": self.document + 1, **({} if self.item is None else {"item": self.item + 1})}

    @property
    def label(self) -> str:
        """The same in words."""
        item = "" if self.item is None else f", item {self.item + 1}"
        return f"{self.file.name}: document {self.document + 1}{item}"

    @property
    def kind(self) -> str | None:
        """Its kind; `None` when it has none."""
        return _last(self.value, "kind")

    def metadata(self, name: str) -> str | None:
        """Give a text of its metadata; `None` when it has none."""
        given = (_last(value, name) for key, value in pairs(entries(self.value)) if key == "metadata")
        return next((text for text in reversed(list(given)) if text is not None), None)

    @property
    def foreign(self) -> bool:
        """Whether it is an object of another API."""
        version = _last(self.value, "apiVersion")
        return self.kind is not None and version is not None and version.partition("/")[0] != _GROUP

    @property
    def repeated(self) -> Iterator[tuple[str, str]]:
        """Yield path and place of each key that stands twice in it. What is beside the items of a list is the first item's."""
        for number, error in self.file.repeated:
            if number != self.document:
                continue
            inside = error.path.removeprefix(self.path).lstrip(".")
            mine = error.path.startswith((f"{self.path}.", f"{self.path}[")) if self.path else True
            if mine or (self.item == 0 and not error.path.startswith("items[")):
                yield inside if mine else error.path, f"line {error.line}, column {error.column}: "


def entries(value: object) -> Mapping[str, object]:
    """Give a mapping as it is, and none for what is none."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def _last(value: object, key: str) -> str | None:
    """Give the text that stands under a key, the last of several; `None` when there is none."""
    found = [item for name, item in pairs(entries(value)) if name == key and item is not None]
    return found[-1] if found and isinstance(found[-1], str) else None


def _items(document: object) -> Sequence[object] | None:
    """Give the items of a list; `None` for what is none. Those of a list of one kind need not say their version and kind."""
    from ..resources.manifests import inherited

    listing = entries(document)
    kind = listing.get("kind")
    if not isinstance(kind, str) or not kind.endswith("List") or not isinstance(listing.get("items"), list):
        return None
    return cast("list[object]", inherited(listing, kind))
