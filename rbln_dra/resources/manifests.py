"""
Room: from what a person, a file or a client has to objects: YAML and JSON texts of several documents, lists of every kind, objects of clients.

May touch: `objects`, `clients`, `versions`, `documents`, `positions`, `errors`, `kubernetes`, `wire`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from packaging.version import Version

from .. import wire
from ..documents import Repeating, check_depth, decoded, documents
from ..errors import DecodeError
from ..kubernetes import Kubernetes
from ..positions import placed, repeated
from .clients import plain
from .objects import Object, from_dict
from .versions import GROUP, KINDS

_EXPECTED: Final = f"a {', a '.join(KINDS)} or a list of them"


def read(
    source: object,
    *,
    strict: bool = False,
    kubernetes: str | Version | Kubernetes | None = None,
    others: bool = False,
) -> tuple[Object, ...]:
    r"""
    Read objects: of all kinds that this package knows, of all versions, in every form that they come in.

    Args:
        source: A text of YAML or JSON, of one or more documents (`str` or `bytes`); an object as `json.loads` gives it; an object of the clients
            `kubernetes`, `lightkube`, `kr8s` or `kopf`; or a sequence of these. A `List`, or a list of one kind such as `ResourceClaimList`, stands
            for its items.
        strict: Whether unknown and repeated keys are errors: one error, in which `every` has all of them. The API server drops unknown ones.
        kubernetes: The minor that reads: fields that it does not know are dropped. `None` knows all fields of all minors.
        others: Whether objects of other kinds are passed over; otherwise they are errors.

    Raises:
        DecodeError: The text cannot be parsed, or the API server could not read an object. Of a text, `line` and `column` say where.
        MissingPackage: The text is YAML, and PyYAML is not installed.
        UnknownKubernetes: The minor is not known.

    >>> text = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: npu}\nspec:\n  selector: []\n"
    >>> [each.metadata.name for each in read(text)]
    ['npu']
    >>> read(text, strict=True)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rbln_dra.errors.DecodeError: line 5, column 3: spec.selector: expected one of ..., got 'selector'; did you mean selectors?
    """
    if not isinstance(source, str | bytes | bytearray):
        check_depth(source)
        return tuple(_objects(source, strict=strict, kubernetes=kubernetes, others=others))
    text = source if isinstance(source, str) else decoded(bytes(source))
    parsed = documents(text)
    wrong = list(repeated(text)) if strict else []
    found: list[Object] = []
    for number, document in enumerate(parsed):
        if document is None:  # nothing between two `---`
            continue
        try:
            found.extend(_objects(document, strict=strict, kubernetes=kubernetes, others=others))
        except DecodeError as error:
            wrong.append((number, error))
            if not strict:
                break
    if wrong:
        raise DecodeError.together(placed(wrong, text))
    return tuple(found)


def _objects(source: object, *, strict: bool, kubernetes: str | Version | Kubernetes | None, others: bool) -> list[Object]:
    """
    Read the objects in a value, which may be a list of some kind.

    Raises:
        DecodeError: The API server could not read one; with `strict` what is wrong with any.
    """
    found: list[Object] = []
    wrong: list[DecodeError] = []
    for path, value in _unfolded(source):
        try:
            if not (others and _other(value)):
                found.append(from_dict(value, strict=strict, kubernetes=kubernetes))
        except DecodeError as error:
            wrong.append(wire.within(error, path))
            if not strict:
                break
    if wrong:
        raise DecodeError.together(wrong)
    return found


def _unfolded(source: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield what is no list, with its path."""
    pending: list[tuple[str, object]] = [("", source)]
    while pending:
        path, value = pending.pop()
        value = plain(value)
        items: object = value
        if isinstance(value, Mapping):
            listing = cast("Mapping[str, object]", value)
            kind = listing.get("kind")
            if not isinstance(kind, str) or not kind.endswith("List") or "items" not in listing:
                yield path, listing
                continue
            path, items = (f"{path}.items" if path else "items"), inherited(listing, kind)
        if items is None:
            continue
        if not isinstance(items, Sequence) or isinstance(items, str | bytes | bytearray):
            raise DecodeError(path, items, _EXPECTED)
        pending.extend((f"{path}[{index}]", item) for index, item in reversed(list(enumerate(cast("Sequence[object]", items)))))


def inherited(listing: Mapping[str, object], kind: str) -> object:
    """Give the items of a list; those of a list of one kind need not say their version and kind."""
    items, version = listing["items"], listing.get("apiVersion")
    if kind == "List" or not isinstance(items, list | tuple):
        return items
    said: dict[str, object] = {"apiVersion": version, "kind": kind.removesuffix("List")}
    return [_saying(said, plain(item)) for item in cast("list[object]", items)]


def _saying(said: Mapping[str, object], item: object) -> object:
    """Put something before what an object says; what is no object stays as it is."""
    if not isinstance(item, Mapping):
        return item
    given = cast("Mapping[str, object]", item)
    return Repeating([*said.items(), *given.pairs]) if isinstance(given, Repeating) else {**said, **given}


def _other(value: Mapping[str, object]) -> bool:
    """Tell an object of a kind that is none of ours."""
    kind, version = value.get("kind"), value.get("apiVersion")
    return isinstance(kind, str) and isinstance(version, str) and kind not in KINDS and version.partition("/")[0] != GROUP
