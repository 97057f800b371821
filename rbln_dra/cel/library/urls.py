"""
Room: URLs, parsed as Go's net/url does.

May touch: `types`, `rows`, `costs`.
"""

from __future__ import annotations

from ..types import BOOL, STRING, URL as URL_TYPE, list_of, map_of
from .costs import traversal, traversal_cost, unit, unit_cost
from .rows import Function, Library, Overload, Type


def _part(name: str, id_: str, summary: str, *, result: Type = STRING) -> Function:
    """Give the row of a part of a URL."""
    return Function(
        name,
        (Overload(id_, (URL_TYPE,), result, member=True),),
        estimate=unit,
        cost=unit_cost,
        summary=summary,
    )


FUNCTIONS = (
    Function(
        "url",
        (Overload("string_to_url", (STRING,), URL_TYPE),),
        estimate=traversal(sized=True),
        cost=traversal_cost(),
        summary="An absolute URL, or an absolute path, from its text.",
    ),
    _part("getScheme", "url_get_scheme", "The scheme, without its colon."),
    _part("getHost", "url_get_host", "The host, with the port and the brackets of an IPv6 address."),
    _part("getHostname", "url_get_hostname", "The host, without port and brackets."),
    _part("getPort", "url_get_port", "The port, empty without one."),
    _part("getEscapedPath", "url_get_escaped_path", "The path, percent-encoded."),
    _part("getQuery", "url_get_query", "The query's values by their keys.", result=map_of(STRING, list_of(STRING))),
    Function("isURL", (Overload("is_url_string", (STRING,), BOOL),), summary="Whether a text is a URL."),
)
URLS = Library("urls", "Kubernetes URLs", FUNCTIONS)
