"""
Room: the form in which Kubernetes shows what it keeps in its own types: the words of Go, every field, in their order.

May touch: `server`, `resources`, `quantity`, `wire`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, cast

import attrs

from .. import wire
from ..quantity import Quantity
from ..resources import (
    DeviceSelector,
    RawJSON,
    ResourceClaimSpec,
    ResourceClaimTemplateSpec,
)
from ..resources.metadata import METADATA
from .server import Server

#: Fields whose name in Go is not made of theirs.
_GO_NAMES: Final = {"cel": "CEL", "share_id": "ShareID", "terms": "NodeSelectorTerms"}
#: Fields that not all minors have: the number of the first.
_SINCE: Final = {"derived_attributes": 37, "skip_node_operations": 37}


def _go_name(name: str) -> str:
    """Give the Go name of a field."""
    return _GO_NAMES.get(name) or "".join(part.capitalize() for part in name.split("_"))


def _selector(item: Any, _server: Server) -> Any:
    """Show a selector."""
    return {"CEL": None if item.expression is None else {"Expression": item.expression}}


def _raw(item: Any, _server: Server) -> Any:
    """Show JSON that belongs to others."""
    return json.loads(item.text)


_SPECIAL: Final[Mapping[type, Callable[[Any, Server], Any]]] = {
    DeviceSelector: _selector,
    RawJSON: _raw,
    Quantity: lambda item, _server: str(item),
    datetime: lambda item, _server: wire.OPTIONAL_TIME.write(item),
}


def shown(item: object, server: Server) -> Any:
    """
    Show a value of the API.

    >>> from rbln_dra.resources import DeviceConstraint
    >>> shown(DeviceConstraint(match_attribute="a/b"), Server.of("1.35"))
    {'Requests': None, 'MatchAttribute': 'a/b', 'DistinctAttribute': None}
    """
    kind: type[object] = item.__class__
    special = _SPECIAL.get(kind)
    if special is not None:
        return special(item, server)
    if attrs.has(kind):
        fields = (field.name for field in attrs.fields(kind) if _SINCE.get(field.name, 0) <= server.minor)
        return {_go_name(name): shown(getattr(item, name), server) for name in fields}
    if isinstance(item, Mapping):
        entries = cast("Mapping[str, object]", item)
        return {key: shown(entries[key], server) for key in sorted(entries)} or None
    if isinstance(item, tuple):
        return None if isinstance(item, wire.Nil) else [shown(each, server) for each in cast("tuple[object, ...]", item)]
    return item


def shown_claim_spec(server: Server, spec: ResourceClaimSpec) -> Any:
    """Show the spec of a claim."""
    return shown(spec, server)


def shown_template_spec(server: Server, spec: ResourceClaimTemplateSpec) -> Any:
    """Show the spec of a template: the metadata of its claims stands at the top of it."""
    metadata: dict[str, Any] = METADATA.write(spec.metadata)
    return {**metadata, "Spec": shown(spec.spec, server)}
