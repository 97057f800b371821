"""
Room: `rbln-dra validate`: what the API server has against the objects in files.

May touch: `command`, `documents`, `sources` for `-`, `resources`, `validation`, `kubernetes`, `rbln_dra.documents`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import attrs

from ..documents import decoded, documents, read_file
from ..errors import DecodeError, DiscoveryError
from ..kubernetes import DEFAULT_MINOR, MINORS, Kubernetes, parse_feature_gates
from .command import Command, Console, one_line
from .documents import rendered
from .sources import STDIN

FORMS: Final = ("text", "json", "yaml")

ADMITTED: Final = 0
REFUSED: Final = 1

#: The reason of what cannot be read; the API server gives none, it answers with a bad request.
UNREADABLE: Final = "Unreadable"


@attrs.frozen
class Judged:
    """
    What the API server says of one object.

    Args:
        place: Its file and the number of its document, from 1; for an item of a list that too.
        kind: Its kind; `None` when it has none.
        name: Its name; `None` when it has none.
        errors: Path, reason and message of each error.
    """

    place: dict[str, str | int]
    kind: str | None
    name: str | None
    errors: tuple[tuple[str, str, str], ...]


def _arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="objects of resource.k8s.io, JSON or YAML; - is standard input")
    parser.add_argument("--kubernetes", metavar="MINOR", default=DEFAULT_MINOR, help=f"{MINORS[0]} to {MINORS[-1]} (default: %(default)s)")
    parser.add_argument("--feature-gates", metavar="GATE=BOOL,…", default="", help="as the API server takes them")
    parser.add_argument("--admin-access", action="store_true", help="the namespace has the label resource.kubernetes.io/admin-access: true")
    parser.add_argument("--strict", action="store_true", help="fields that the API does not know are errors; kubectl warns of them")
    parser.add_argument("-o", "--output", choices=FORMS, default="text", help="how to print: %(choices)s (default: %(default)s)")


def _run(options: argparse.Namespace, console: Console) -> int:
    """Judge all objects."""
    release = Kubernetes(options.kubernetes, gates=parse_feature_gates(options.feature_gates))
    judged: list[Judged] = []
    for file in options.files:
        for place, each in _objects(file, console):
            if _foreign(each):
                console.remark(f"rbln-dra: note: {_label(place)}: {_entries(each)['kind']} is no object of resource.k8s.io, not looked at")
            else:
                judged.append(_judge(each, place, release, admin_access=options.admin_access, strict=options.strict))
    if options.output == "text":
        for one in judged:
            for path, reason, message in one.errors:
                console.line(one_line(f"{_label(one.place)}: {f'{path}: ' if path else ''}{reason}: {message}"))
    else:
        console.line(rendered([_report(one) for one in judged], options.output))
    return REFUSED if any(one.errors for one in judged) else ADMITTED


def _objects(file: str, console: Console) -> Iterator[tuple[dict[str, str | int], object]]:
    """
    Yield the objects of a file with their places; those of lists one by one.

    Raises:
        DecodeError: It is neither JSON nor YAML.
        DiscoveryError: It cannot be read, or there is nothing in it.
    """
    text = decoded(console.read()) if file == STDIN else read_file(file)
    name = "standard input" if file == STDIN else file
    try:
        parsed = documents(text)
    except DecodeError as error:
        raise attrs.evolve(error, source=name) from error
    if all(document is None for document in parsed):
        raise DiscoveryError(name, "is empty")
    for number, document in enumerate(parsed, start=1):
        place: dict[str, str | int] = {"file": name, "document": number}
        items = _items(document)
        if items is not None:
            yield from (({**place, "item": index}, item) for index, item in enumerate(items, start=1))
        elif document is not None:
            yield place, document


def _entries(value: object) -> Mapping[str, object]:
    """Give a mapping as it is, and none for what is none."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def _items(document: object) -> Sequence[object] | None:
    """Give the items of a list; `None` for what is none."""
    entries = _entries(document)
    items = entries.get("items")
    if not str(entries.get("kind")).endswith("List") or not isinstance(items, list):
        return None
    return cast("list[object]", items)


def _foreign(item: object) -> bool:
    """Tell an object of another API."""
    entries = _entries(item)
    version = entries.get("apiVersion")
    return isinstance(entries.get("kind"), str) and isinstance(version, str) and version.partition("/")[0] != "resource.k8s.io"


def _judge(item: object, place: dict[str, str | int], release: Kubernetes, *, admin_access: bool, strict: bool) -> Judged:
    """Judge one object."""
    from ..resources import read
    from ..validation import validate

    entries = _entries(item)
    name = _entries(entries.get("metadata")).get("name")
    errors: tuple[tuple[str, str, str], ...]
    try:
        if strict:
            read(item, strict=True, kubernetes=release)
        found = validate(item, kubernetes=release, admin_access=admin_access)
        errors = tuple((each.field, each.reason, each.message) for each in found)
    except DecodeError as error:
        errors = ((error.path, UNREADABLE, str(attrs.evolve(error, path="")).removeprefix("object: ")),)
    kind = entries.get("kind")
    return Judged(place, kind if isinstance(kind, str) else None, name if isinstance(name, str) else None, errors)


def _label(place: Mapping[str, str | int]) -> str:
    """Write a place: file, document and item."""
    item = f", item {place['item']}" if "item" in place else ""
    return f"{place['file']}: document {place['document']}{item}"


def _report(one: Judged) -> dict[str, Any]:
    """Make a document of what is said of an object."""
    errors = [{"field": path, "reason": reason, "message": message} for path, reason, message in one.errors]
    return {**one.place, "kind": one.kind, "name": one.name, "admitted": not errors, "errors": errors}


COMMAND: Final = Command(
    "validate",
    "say what the API server has against objects",
    """\
One line for each error: file and document, path, reason and the API server's message.

exit codes: 0 all objects are admitted, 1 one is not, 2 a file cannot be read

examples:
  rbln-dra validate claim.yaml class.yaml --kubernetes 1.36
  rbln-dra publish --tree atom --node node-1 | rbln-dra validate -
""",
    _arguments,
    _run,
)
