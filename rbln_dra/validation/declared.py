"""
Room: validation by declaration, as Kubernetes 1.37 does it beside the checks by hand: rules on the wire form of an object.

The rules stand in `declarations`, one row a field. Here is what each kind of rule means, and how an update spares what it does not change. What
the two ways of validation both find is said once, in the words of the declarations.

May touch: `findings`, `formats`, `server`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import attrs

from .findings import Encoded, Findings, duplicate, found, invalid, not_supported, required, size, too_long, too_many
from .formats import Format, identifier, in_bytes, label, label_key, subdomain
from .server import Server

#: What checks a value: it gets the server, the value and its path.
Rule = Callable[[Server, Any, str], Findings]


@attrs.frozen
class Declared:
    """
    The rules for one field.

    Args:
        name: Its wire name.
        required: Whether it must be there.
        most: How many items its list may have.
        key: The names of the fields that are the key of its list's items; none when the items are texts that must be different.
        rules: What the value must be.
        item: The rule for each text in its list.
        fields: The rules for the fields of its value, or of each item of its list or map.
        keys: The rule for the keys of its map.
        union: Fields of the value of which one must be set.
        mapping: Whether the value is a map.
        immutable: Whether no update may change it.
        settled: Whether no update may change it once it is set; it may be taken away.
        encoded: Whether Kubernetes shows its texts as JSON.
    """

    name: str
    required: bool = False
    most: int | None = None
    key: tuple[str, ...] | None = None
    rules: tuple[Rule, ...] = ()
    item: Rule | None = None
    fields: tuple[Declared, ...] = ()
    keys: Rule | None = None
    union: tuple[str, ...] = ()
    mapping: bool = False
    immutable: bool = False
    settled: bool = False
    encoded: bool = False


def _set(value: Any) -> bool:
    """Tell whether something is there."""
    return value is not None and value not in ([], {})


def _same(one: object, other: object) -> bool:
    """Compare wire forms as Kubernetes does: a list that is not there equals an empty one."""
    if isinstance(one, dict) and isinstance(other, dict):
        new, old = cast("dict[str, object]", one), cast("dict[str, object]", other)
        return all(_same(new.get(key), old.get(key)) for key in {*new, *old})
    if isinstance(one, list) and isinstance(other, list):
        left, right = cast("list[object]", one), cast("list[object]", other)
        return len(left) == len(right) and all(map(_same, left, right))
    return one == other or (one in ([], None) and other in ([], None))


#: Fields that are maps, of which Go shows the keys in order.
_MAPS: Final = frozenset({"counters", "requests"})


def _ordered(value: object) -> object:
    """Put the keys of maps in order."""
    if isinstance(value, list):
        return [_ordered(each) for each in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    entries = cast("dict[str, object]", value)
    return {key: _sorted(item) if key in _MAPS else _ordered(item) for key, item in entries.items()}


def _sorted(value: object) -> object:
    """Put the keys of a map in order; of the two fields that are called `requests` one is a list."""
    return dict(sorted(cast("dict[str, object]", value).items())) if isinstance(value, dict) else value


def _absent(field: Declared, value: object) -> bool:
    """Tell whether a field is not there: an empty list or map is not, an empty object is."""
    return value is None or (value in ([], {}) and (field.mapping or _listed(value)))


def _listed(value: object) -> bool:
    """Tell whether a value is a list."""
    return isinstance(value, list)


def check_fields(server: Server, fields: Sequence[Declared], new: Mapping[str, Any], old: Mapping[str, Any] | None, path: str) -> Findings:
    """
    Check the fields of an object.

    Args:
        server: Who checks.
        fields: The rules.
        new: The object.
        old: What it was before, in an update; `None` when there is nothing that it can be compared with.
        path: Where it stands; empty for the whole.
    """
    findings: Findings = []
    for field in fields:
        value = new.get(field.name)
        before = None if old is None else old.get(field.name)
        if old is not None and (_same(value, before) or (_absent(field, value) and _absent(field, before))):
            continue  # What is unchanged is not checked again.
        findings += _field(server, field, value, before, f"{path}.{field.name}" if path else field.name, changed=old is not None)
    return findings


def _field(server: Server, field: Declared, value: Any, before: Any, path: str, *, changed: bool) -> Findings:
    """Check a field that is new or changed."""
    if field.immutable and changed:
        return [invalid(path, None, "field is immutable", origin="immutable")]
    if field.settled and None not in (value, before):
        return [invalid(path, None, "field cannot be modified once set", origin="update")]
    if _absent(field, value) or (field.required and not value):
        return [required(path)] if field.required else []
    if field.most is not None and len(value) > field.most:
        return [too_many(path, len(value), field.most)]
    findings = [finding for rule in field.rules for finding in rule(server, value, path)]
    if field.mapping:
        return findings + _map(server, field, value, before or {}, path)
    if _listed(value):
        return findings + _list(server, field, value, before or [], path)
    findings += _union(field, value, before, path)
    return findings + check_fields(server, field.fields, value, before, path) if field.fields else findings


def _map(server: Server, field: Declared, value: Mapping[str, Any], before: Mapping[str, Any], path: str) -> Findings:
    """Check a map: its keys, and its values."""
    findings: Findings = []
    for key, item in value.items():
        if field.keys is not None and key not in before:
            findings += field.keys(server, key, path)
        if not _same(item, before.get(key)):
            findings += _union(field, item, before.get(key), f"{path}[{key}]")
            findings += check_fields(server, field.fields, item, before.get(key), f"{path}[{key}]")
    return findings


def _list(server: Server, field: Declared, value: Sequence[Any], before: Sequence[Any], path: str) -> Findings:
    """Check a list: its items, and that none is there twice."""
    findings: Findings = []
    if field.key is not None:
        first: dict[object, int] = {}
        plain = not field.key and not field.encoded
        findings += [
            duplicate(f"{path}[{index}]", item if plain else Encoded(_ordered(item)))
            for index, item in enumerate(value)
            if first.setdefault(_key(field.key, item), index) != index
        ]
    known = {_key(field.key, each): each for each in reversed(before)} if field.key else {}
    for index, item in enumerate(value):
        place = f"{path}[{index}]"
        if field.item is not None and item not in before:
            findings += field.item(server, item, place)
        if field.fields:
            old = known.get(_key(field.key, item)) if field.key else None
            if old is None or not _same(old, item):
                findings += check_fields(server, field.fields, item, old, place)
    return findings


def _key(names: tuple[str, ...], item: Any) -> object:
    """Give the key of an item: the values of some fields, or itself."""
    return tuple(item.get(name) for name in names) if names else item


def _union(field: Declared, item: Mapping[str, Any], before: Mapping[str, Any] | None, path: str) -> Findings:
    """Check that one of some fields is set."""
    if not field.union:
        return []
    given = [name for name in field.union if _set(item.get(name))]
    if len(given) == 1 or (before is not None and given == [name for name in field.union if _set(before.get(name))]):
        return []
    names = ", ".join(f"`{name}`" for name in field.union)
    if given:
        return [invalid(path, f"{{{', '.join(given)}}}", f"must specify exactly one of: {names}", origin="union")]
    return [invalid(path, "", f"must specify one of: {names}", origin="union")]


def formatted(complain: Format, origin: str) -> Rule:
    """Make the rule of a format."""
    return lambda _server, value, path: [invalid(path, value, message, origin=origin) for message in complain(value)]


_SUBDOMAIN: Final = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_CASELESS: Final = re.compile(_SUBDOMAIN, re.IGNORECASE)
_CASELESS_TEXT: Final = (
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character "
    f"(e.g. 'Example.com', regex used for validation is '{_SUBDOMAIN}')"
)


def _caseless(text: str) -> list[str]:
    """Complain of what is no DNS subdomain, whatever the case of its letters."""
    messages = ["must be no more than 253 bytes"] if size(text) > 253 else []
    return messages if _CASELESS.fullmatch(text) else [*messages, _CASELESS_TEXT]


short_name: Final = formatted(in_bytes(label), "format=k8s-short-name")
long_name: Final = formatted(in_bytes(subdomain), "format=k8s-long-name")
caseless_name: Final = formatted(_caseless, "format=k8s-long-name-caseless")


def label_name(server: Server, value: str, path: str) -> Findings:
    """Check a label's key."""
    return formatted(label_key(server), "format=k8s-label-key")(server, value, path)


def characters(most: int) -> Rule:
    """Make the rule that a text has no more than so many characters."""

    def rule(_server: Server, value: str, path: str) -> Findings:
        return [too_long(path, most, unit="characters", origin="maxLength")] if len(value) > most else []

    return rule


def in_size(most: int) -> Rule:
    """Make the rule that a text has no more than so many bytes."""
    return lambda _server, value, path: [too_long(path, most, origin="maxBytes")] if size(value) > most else []


_UID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def _lower_uid(text: str) -> list[str]:
    """Complain of what is no UUID in lower case."""
    return [] if _UID.fullmatch(text) else ["must be a lowercase UUID in 8-4-4-4-12 format"]


lower_uid: Final = formatted(_lower_uid, "format=k8s-uuid")


def resource_pool(server: Server, value: str, path: str) -> Findings:
    """Check the name of a pool, part by part."""
    most = server.limit("pool")
    findings = [too_long(path, most)] if size(value) > most else []
    for index, part in enumerate(value.split("/")):
        if not part:
            findings.append(invalid(path, value, f"segment {index}: must not be empty"))
        else:
            findings += [invalid(path, part, f"segment {index}: {message}") for message in in_bytes(subdomain)(part)]
    return [attrs.evolve(finding, origin="format=k8s-resource-pool-name") for finding in findings]


def among(*names: str) -> Rule:
    """Make the rule that a text is one of a few."""
    return lambda _server, value, path: [] if value in names else [not_supported(path, value, sorted(names))]


def attribute_name(server: Server, value: str, path: str) -> Findings:
    """Check a fully qualified name: what the declarations say of it is not quite what the checks by hand say."""
    findings: Findings = []
    parts = value.split("/")
    if len(parts) == 2:
        domain, _ = parts
        if not domain:
            findings.append(invalid(path, "", "prefix must not be empty"))
        else:
            if size(domain) > server.limit("domain"):
                findings.append(too_long(path, server.limit("domain")))
            findings += [invalid(path, domain, f"prefix: {message}") for message in in_bytes(subdomain)(domain)]
    if len(parts) < 3:
        name = parts[-1]
        if not name and len(parts) == 2:
            findings.append(invalid(path, "", "name must not be empty"))
        else:
            if size(name) > server.limit("id"):
                findings.append(too_long(path, server.limit("id")))
            findings += [invalid(path, name, message) for message in identifier(name)]
    if len(parts) == 1:
        findings.append(invalid(path, value, "a fully qualified name must be a domain and a name separated by a slash"))
    return [attrs.evolve(finding, origin="format=k8s-resource-fully-qualified-name") for finding in findings]


def partition_type(server: Server, value: str, path: str) -> Findings:
    """Check the attribute that tells the kind of partition: with its gate off there must be none, though an old one was kept."""
    if not server.enabled("DRAPartitionableDevicesType"):
        return [found("FieldValueForbidden", path)]
    return attribute_name(server, value, path)


def extended_resource_name(server: Server, value: str, path: str) -> Findings:
    """Check the name of an extended resource."""
    messages: list[str] = []
    if "/" not in value:
        messages.append("a name must be a domain-prefixed path, such as 'example.com/my-prop'")
    elif "kubernetes.io/" in value:
        messages.append('must not have "kubernetes.io/" domain')
    if value.startswith("requests."):
        messages.append('must not have "requests." prefix')
    messages += label_key(server)(f"requests.{value}")
    return [invalid(path, value, message, origin="format=k8s-extended-resource-name") for message in messages]


#: Paths of v1beta1 → those of the checks by hand, which know one version only. The first that fits is taken.
_PATHS: Final = (
    (
        re.compile(r"spec\.devices\.requests\[(\d+)\]\.(deviceClassName|selectors|allocationMode|count|adminAccess|tolerations|derivedAttributes)"),
        r"spec.devices.requests[\1].exactly.\2",
    ),
    (
        re.compile(
            r"spec\.spec\.devices\.requests\[(\d+)\]\.(deviceClassName|selectors|allocationMode|count|adminAccess|tolerations|derivedAttributes)"
        ),
        r"spec.spec.devices.requests[\1].exactly.\2",
    ),
    (re.compile(r"spec\.devices\[(\d+)\]\.basic\."), r"spec.devices[\1]."),
)


def _normal(path: str) -> str:
    """Give the path that the checks by hand have for a path of any version."""
    return next((changed for pattern, new in _PATHS if (changed := pattern.sub(new, path)) != path), path)


def merged(by_hand: Findings, declared: Findings) -> Findings:
    """
    Put together what was found by hand and by declaration.

    What the declarations say too is left out: what is of the same kind, in the same place, by the same rule, where an invalid value is so by a rule
    that has a name. What was found twice by hand is said once.
    """

    def keys(finding: Any) -> set[tuple[str, str, str]]:
        paths = {finding.error.field, _normal(finding.error.field)}
        return {(finding.error.reason, path, finding.origin) for path in paths}

    said = {key for finding in declared for key in keys(finding)}

    def repeated(finding: Any) -> bool:
        named = bool(finding.origin) or finding.error.reason != "FieldValueInvalid"
        return finding.covered and named and (finding.error.reason, finding.error.field, finding.origin) in said

    once = {str(finding.error): finding for finding in reversed(by_hand)}
    return [finding for finding in by_hand if once[str(finding.error)] is finding and not repeated(finding)] + declared
