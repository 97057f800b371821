"""
Room: the node that devices are allocated for, and which node selectors choose it.

May touch: `devices`, `quoting`, `wire`, `errors`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, cast

import attrs

from .. import wire
from ..devices import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from ..errors import AllocationError, DecodeError
from ..quoting import quoted
from ..wire import FrozenMap, frozen_map


def _labels(entries: Mapping[str, str]) -> Mapping[str, str]:
    """Freeze labels."""
    return frozen_map(entries)


@attrs.frozen
class Node:
    """
    What an allocation needs to know of a node.

    Args:
        name: Its name.
        labels: Its labels, which node selectors compare.
        declared_features: What its kubelet declares, from 1.37: `status.declaredFeatures`.

    >>> Node.of({"metadata": {"name": "node-atom", "labels": {"zone": "a"}}}).labels["zone"]
    'a'
    """

    name: str
    labels: Mapping[str, str] = attrs.field(factory=FrozenMap[str], converter=_labels)
    declared_features: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: object) -> Node:
        """
        Take a node's name, a Node object as `json.loads` gives it, or such a value.

        Raises:
            DecodeError: It is none of these.
        """
        if isinstance(given, Node):
            return given
        if isinstance(given, str):
            return cls(given)
        if not isinstance(given, Mapping):
            raise DecodeError("node", given, 'a name or a Node object such as {"metadata": {"name": "node-atom"}}')
        metadata = _mapping(cast("Mapping[str, object]", given), "metadata", "node")
        name = metadata.get("name")
        if not isinstance(name, str):
            raise DecodeError("node.metadata.name", name, "a string")
        labels = _mapping(metadata, "labels", "node.metadata")
        status = _mapping(cast("Mapping[str, object]", given), "status", "node")
        for key, value in labels.items():
            if not isinstance(value, str):
                raise DecodeError(f"node.metadata.labels[{key}]", value, "a string")
        return cls(name, cast("Mapping[str, str]", labels), _strings_of(status.get("declaredFeatures"), "node.status.declaredFeatures"))


def _mapping(owner: Mapping[str, object], name: str, path: str) -> Mapping[str, Any]:
    """Give a member that is a mapping, or nothing."""
    value = owner.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise DecodeError(f"{path}.{name}", value, "an object")
    return cast("Mapping[str, Any]", value)


def _strings_of(value: object, path: str) -> tuple[str, ...]:
    """Take a list of strings; `None` is an empty one."""
    return wire.list_of(wire.STRING).from_json(value, path=path)


def reaches(node: Node, *, node_name: str | None, all_nodes: bool | None, selector: NodeSelector | None) -> bool:
    """
    Tell whether what a slice or a device says of nodes means this one.

    Raises:
        AllocationError: The selector is none.
    """
    if node_name:
        return node.name == node_name
    if all_nodes:
        return True
    return selector is not None and matches(selector, node)


def matches(selector: NodeSelector, node: Node) -> bool:
    """
    Tell whether a selector chooses a node: one of its terms must hold; an empty term never does.

    Raises:
        AllocationError: A term cannot be read; the message is Kubernetes' text.

    >>> zone = NodeSelectorRequirement("zone", "In", ("a", "b"))
    >>> matches(NodeSelector((NodeSelectorTerm(match_expressions=(zone,)),)), Node("node-atom", {"zone": "a"}))
    True
    """
    terms = [term for term in selector.terms if term.match_expressions or term.match_fields]
    faults = [fault for index, term in enumerate(selector.terms) if term in terms for fault in _faults(term, f"nodeSelectorTerms[{index}]")]
    if faults:
        shown = _aggregate(faults)
        raise AllocationError(f"failed to parse node selector {_text(selector)}: {shown}")
    return any(_holds(term, node) for term in terms)


def _aggregate(faults: Iterable[str]) -> str:
    """Join errors as Kubernetes does: each once, several in brackets."""
    distinct = list(dict.fromkeys(faults))
    return distinct[0] if len(distinct) == 1 else f"[{', '.join(distinct)}]"


def _holds(term: NodeSelectorTerm, node: Node) -> bool:
    """Tell whether all conditions of a term hold."""
    fields = {"metadata.name": node.name}
    return all(_OPERATORS[each.operator](node.labels.get(each.key), each.values) for each in term.match_expressions) and all(
        (fields.get(each.key, "") in each.values) is (each.operator == "In") for each in term.match_fields
    )


def _integer(text: str) -> int | None:
    """Read a number of 64 bits."""
    if re.fullmatch(r"[+-]?[0-9]{1,4000}", text) is None:
        return None
    number = int(text)
    return number if -(2**63) <= number < 2**63 else None


def _compared(text: str | None, values: tuple[str, ...]) -> int:
    """Compare a label with a value as numbers: the sign of the difference, 0 where there is none."""
    number, other = (None if text is None else _integer(text)), _integer(values[0])
    return 0 if number is None or other is None else (number > other) - (number < other)


#: Operator → whether it holds of a label's value, `None` for one that is not there.
_OPERATORS: Final[Mapping[str, Callable[[str | None, tuple[str, ...]], bool]]] = {
    "In": lambda value, values: value in values,
    "NotIn": lambda value, values: value not in values,
    "Exists": lambda value, values: value is not None,  # noqa: ARG005 - one signature
    "DoesNotExist": lambda value, values: value is None,  # noqa: ARG005 - one signature
    "Gt": lambda value, values: _compared(value, values) > 0,
    "Lt": lambda value, values: _compared(value, values) < 0,
}

_SET: Final = "for 'in', 'notin' operators, values set can't be empty"
_NO_SET: Final = "values set must be empty for exists and does not exist"
_NUMBER: Final = "for 'Gt', 'Lt' operators, exactly one value is required"
#: Operator → how many values are too few or too many, and what is then said.
_COUNTS: Final[Mapping[str, tuple[Callable[[int], bool], str]]] = {
    "In": (lambda count: count > 0, _SET),
    "NotIn": (lambda count: count > 0, _SET),
    "Exists": (lambda count: count == 0, _NO_SET),
    "DoesNotExist": (lambda count: count == 0, _NO_SET),
    "Gt": (lambda count: count == 1, _NUMBER),
    "Lt": (lambda count: count == 1, _NUMBER),
}


def _faults(term: NodeSelectorTerm, path: str) -> list[str]:
    """Give what Kubernetes refuses in a term."""
    faults: list[str] = []
    for index, each in enumerate(term.match_expressions):
        here = f"{path}.matchExpressions[{index}]"
        if each.operator not in _OPERATORS:
            faults.append(f"{here}.operator: Unsupported value: {quoted(each.operator)}: supported values: {_listed(_OPERATORS)}")
            continue
        # The faults of one requirement are an error of their own, which is flattened with the others.
        faults += dict.fromkeys(_requirement_faults(each, here))
    for index, each in enumerate(term.match_fields):
        here = f"{path}.matchFields[{index}]"
        if each.operator not in {"In", "NotIn"}:
            faults.append(f'{here}.operator: Unsupported value: {quoted(each.operator)}: supported values: "In", "NotIn"')
        elif len(each.values) != 1:
            faults.append(f"{here}.values: Invalid value: {_strings(each.values)}: must have one element")
    return faults


def _requirement_faults(requirement: NodeSelectorRequirement, path: str) -> list[str]:
    """Give what Kubernetes refuses in a condition on a label."""
    faults = [f"{path}.key: Invalid value: {quoted(requirement.key)}: {'; '.join(complaints)}"] if (complaints := _key(requirement.key)) else []
    enough, reason = _COUNTS[requirement.operator]
    if not enough(len(requirement.values)):
        faults.append(f"{path}.values: Invalid value: {_strings(requirement.values)}: {reason}")
    if requirement.operator in {"Gt", "Lt"}:
        faults += [
            f"{path}.values[{index}]: Invalid value: {quoted(value)}: for 'Gt', 'Lt' operators, the value must be an integer"
            for index, value in enumerate(requirement.values)
            if _integer(value) is None
        ]
    for index, value in enumerate(requirement.values):
        complaints = _value(value)
        if complaints:
            faults.append(f"{path}.values[{index}][{requirement.key}]: Invalid value: {quoted(value)}: {'; '.join(complaints)}")
    return faults


_NAME: Final = re.compile(r"[A-Za-z0-9] (?: [-A-Za-z0-9_.]* [A-Za-z0-9] )?", re.VERBOSE)
_LABEL: Final = re.compile(r"[a-z0-9] (?: [-a-z0-9]* [a-z0-9] )?", re.VERBOSE)
_FORM: Final = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
_NAME_FORM: Final = (
    f"name part {_FORM} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
)
_VALUE_FORM: Final = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
)
_KEY_FORM: Final = (
    f"a qualified name {_FORM} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
)
_PREFIX_FORM: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)


def _bytes(text: str) -> int:
    """Count the bytes of a text."""
    return len(text.encode(errors="surrogatepass"))


def _key(key: str) -> list[str]:
    """Give what Kubernetes says of a label's key."""
    parts = key.split("/")
    if len(parts) > 2:
        return [_KEY_FORM]
    complaints: list[str] = []
    name = parts[-1]
    if len(parts) == 2:
        prefix = parts[0]
        if not prefix:
            complaints.append("prefix part must be non-empty")
        else:
            if _bytes(prefix) > 253:
                complaints.append("prefix part must be no more than 253 bytes")
            if not all(_LABEL.fullmatch(label) for label in prefix.split(".")):
                complaints.append(f"prefix part {_PREFIX_FORM}")
    if not name:
        complaints.append("name part must be non-empty")
    elif _bytes(name) > 63:
        complaints.append("name part must be no more than 63 bytes")
    if _NAME.fullmatch(name) is None:
        complaints.append(_NAME_FORM)
    return complaints


def _value(value: str) -> list[str]:
    """Give what Kubernetes says of a label's value."""
    complaints = ["must be no more than 63 bytes"] if _bytes(value) > 63 else []
    if value and _NAME.fullmatch(value) is None:
        complaints.append(_VALUE_FORM)
    return complaints


def _listed(names: Iterable[str]) -> str:
    """Write supported values as field errors do."""
    return ", ".join(quoted(name) for name in names)


def _strings(values: tuple[str, ...]) -> str:
    """Write a list as field errors do: as JSON."""
    return json.dumps(list(values), ensure_ascii=False, separators=(",", ":")) if values else "null"


def _text(selector: NodeSelector) -> str:
    """Write a selector as Go's generated `String` does."""
    terms = "".join(
        f"NodeSelectorTerm{{MatchExpressions:{_requirements(term.match_expressions)},MatchFields:{_requirements(term.match_fields)},}},"
        for term in selector.terms
    )
    return f"&NodeSelector{{NodeSelectorTerms:[]NodeSelectorTerm{{{terms}}},}}"


def _requirements(requirements: tuple[NodeSelectorRequirement, ...]) -> str:
    """Write conditions as Go's generated `String` does."""
    texts = "".join(f"NodeSelectorRequirement{{Key:{each.key},Operator:{each.operator},Values:[{' '.join(each.values)}],}}," for each in requirements)
    return f"[]NodeSelectorRequirement{{{texts}}}"
