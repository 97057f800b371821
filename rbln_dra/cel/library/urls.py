"""
Room: URLs in expressions.

May touch: `types`, `values`, `rows`, `costs`, `uri`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import attrs

from ..types import BOOL, STRING, URL as URL_TYPE, Type, list_of, map_of
from ..values import NO_SUCH_OVERLOAD, CELError, Map
from .costs import traversal, traversal_cost, unit, unit_cost
from .rows import Function, Library, Overload, Value
from .uri import Parsed, as_bytes, as_text, parse, parse_request


@attrs.frozen(eq=False)
class URL:
    """A URL as a value."""

    cel_type: ClassVar[Type] = URL_TYPE

    parsed: Parsed

    def cel_equal(self, other: Value) -> bool:
        """
        Compare the texts that Go writes.

        Raises:
            CELError: The other is no URL.
        """
        if not isinstance(other, URL):
            raise CELError(NO_SUCH_OVERLOAD)
        return str(self) == str(other)

    def __str__(self) -> str:
        """Render the text that Go writes."""
        return as_text(str(self.parsed))


def _parse(text: str) -> URL:
    written = as_bytes(text)
    try:
        parse_request(written)
        return URL(parse(written))
    except CELError as error:
        raise CELError(f"URL parse error during conversion from string: {error.message}") from None


def _is_url(text: str) -> bool:
    try:
        parse_request(as_bytes(text))
    except CELError:
        return False
    return True


def _query(parsed: Parsed) -> Map:
    return Map([(as_text(key), tuple(map(as_text, values))) for key, values in parsed.parameters().items()])


def _part(name: str, id_: str, part: Callable[[Parsed], Value], summary: str, *, result: Type = STRING) -> Function:
    """Give the row of a part of a URL."""

    def implementation(url: URL) -> Value:
        found = part(url.parsed)
        return as_text(found) if isinstance(found, str) else found

    overload = Overload(id_, (URL_TYPE,), result, member=True, implementation=implementation)
    return Function(name, (overload,), estimate=unit, cost=unit_cost, summary=summary)


FUNCTIONS = (
    Function(
        "url",
        (Overload("string_to_url", (STRING,), URL_TYPE, implementation=_parse),),
        estimate=traversal(sized=True),
        cost=traversal_cost(),
        summary="An absolute URL, or an absolute path, from its text.",
    ),
    _part("getScheme", "url_get_scheme", lambda url: url.scheme, "The scheme, without its colon."),
    _part("getHost", "url_get_host", lambda url: url.host, "The host, with the port and the brackets of an IPv6 address."),
    _part("getHostname", "url_get_hostname", lambda url: url.hostname_and_port[0], "The host, without port and brackets."),
    _part("getPort", "url_get_port", lambda url: url.hostname_and_port[1], "The port, empty without one."),
    _part("getEscapedPath", "url_get_escaped_path", lambda url: url.escaped_path, "The path, percent-encoded."),
    _part("getQuery", "url_get_query", _query, "The query's values by their keys.", result=map_of(STRING, list_of(STRING))),
    Function("isURL", (Overload("is_url_string", (STRING,), BOOL, implementation=_is_url),), summary="Whether a text is a URL."),
)
URLS = Library("urls", "Kubernetes URLs", FUNCTIONS)
