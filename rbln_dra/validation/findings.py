"""
Room: one thing that the API server says of an object, and the words in which it says it.

A `FieldError` is what a caller gets. A `Finding` is that with two facts by which Kubernetes 1.37 tells what both its ways of validation found.

May touch: `quoting`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs

from ..quoting import quoted

#: The reasons, as the API server writes them, and the words that its messages begin with.
REASONS: Final[Mapping[str, str]] = {
    "FieldValueRequired": "Required value",
    "FieldValueInvalid": "Invalid value",
    "FieldValueNotSupported": "Unsupported value",
    "FieldValueDuplicate": "Duplicate value",
    "FieldValueNotFound": "Not found",
    "FieldValueForbidden": "Forbidden",
    "FieldValueTooLong": "Too long",
    "FieldValueTooMany": "Too many",
    "InternalError": "Internal error",
}


@attrs.frozen
class FieldError:
    """
    One thing that the API server has against an object.

    Args:
        reason: What kind of thing, such as `FieldValueRequired`: one of those that Kubernetes puts into `details.causes` of its answer.
        field: Where in the object, as Kubernetes writes paths: `spec.devices[0].attributes[type].string`.
        message: Its words: `Too long: may not be more than 64 bytes`.

    >>> str(FieldError("FieldValueRequired", "spec.driver", "Required value"))
    'spec.driver: Required value'
    """

    reason: str
    field: str
    message: str

    def __str__(self) -> str:
        """Render one line, as kubectl prints it."""
        return f"{self.field}: {self.message}" if self.field else self.message


@attrs.frozen
class Finding:
    """
    A field error on its way out.

    Args:
        error: The error.
        origin: The rule that found it: `maxItems`, `format=k8s-short-name`; empty when it has no name.
        covered: Whether the declarations of Kubernetes 1.37 may find the same; the error then gives way to theirs.
    """

    error: FieldError
    origin: str = ""
    covered: bool = False


#: What a check gives.
Findings = list[Finding]


@attrs.frozen
class Encoded:
    """A value that Kubernetes shows as JSON, where it would quote a text."""

    value: Any


def shown(value: Any) -> str:
    r"""
    Show a value as the API server does: texts and simple values as they are, all else as JSON.

    >>> shown("a\n"), shown(None), shown(Encoded(["<"])), shown(False)
    ('"a\\n"', 'null', '["\\u003c"]', 'false')
    """
    if isinstance(value, str):
        return quoted(value)
    plain = value.value if isinstance(value, Encoded) else value
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def found(reason: str, path: str, detail: str = "", *, value: Any = ..., origin: str = "", covered: bool = False) -> Finding:
    """
    Make a finding.

    Args:
        reason: One of `REASONS`.
        path: Where.
        detail: What is wrong, in Kubernetes' words; empty when the reason says it all.
        value: What stands there, where Kubernetes shows it.
        origin: The rule that found it.
        covered: Whether the declarations of 1.37 may find the same.
    """
    parts = [REASONS[reason], *([] if value is ... else [shown(value)]), *([detail] if detail else [])]
    return Finding(FieldError(reason, path, ": ".join(parts)), origin, covered)


def required(path: str, detail: str = "", *, origin: str = "", covered: bool = False) -> Finding:
    """Say that something must be there."""
    return found("FieldValueRequired", path, detail, origin=origin, covered=covered)


def invalid(path: str, value: Any, detail: str, *, origin: str = "", covered: bool = False) -> Finding:
    """Say that a value is wrong."""
    return found("FieldValueInvalid", path, detail, value=value, origin=origin, covered=covered)


def forbidden(path: str, detail: str) -> Finding:
    """Say that something must not be there."""
    return found("FieldValueForbidden", path, detail)


def duplicate(path: str, value: Any, *, covered: bool = False) -> Finding:
    """Say that something is there twice."""
    return found("FieldValueDuplicate", path, value=value, covered=covered)


def not_found(path: str, value: Any) -> Finding:
    """Say that what is referred to is not there."""
    return found("FieldValueNotFound", path, value=value)


def not_supported(path: str, value: str, supported: Iterable[str], *, covered: bool = False) -> Finding:
    """Say that a value is none of a few."""
    return found("FieldValueNotSupported", path, f"supported values: {', '.join(map(quoted, supported))}", value=Encoded(value), covered=covered)


def too_long(path: str, most: int, *, unit: str = "bytes", origin: str = "", covered: bool = False) -> Finding:
    """Say that a text is too long."""
    return found("FieldValueTooLong", path, f"may not be more than {most} {unit}", origin=origin, covered=covered)


def too_many(path: str, number: int, most: int, *, covered: bool = False) -> Finding:
    """Say that a list is too long."""
    return found("FieldValueTooMany", path, f"must have at most {most} items", value=number, origin="maxItems", covered=covered)


def size(text: str) -> int:
    """Count bytes of UTF-8, as every limit of the API does."""
    return len(text.encode("utf-8", "surrogatepass"))
