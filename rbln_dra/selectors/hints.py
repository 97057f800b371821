"""
Room: what to do about an error: what was probably meant, and the expression that asks first.

May touch: `cel`, `devices`, `attributes`, `names`, `quantity`, `semver`, `reading`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs

from ..attributes import AttributeSchema, Kind, schema
from ..cel.ast import Call, Literal, Node
from ..cel.program import Program
from ..cel.values import CELError, is_list
from ..devices import Device
from ..names import DRIVER_NAME
from ..quantity import Quantity
from ..semver import Semver
from .reading import UNSEEN, Scope, children, places, source_of

_MISSING: Final = re.compile(r"no such key: (?P<key>.*)", re.DOTALL)
_UNREADABLE: Final = re.compile(r"attribute (?P<name>.*): (?:unsupported attribute value|parse semantic version: .*)", re.DOTALL)


@attrs.frozen
class Hint:
    """
    Advice on an error.

    Args:
        text: What is wrong or what was probably meant, as clauses with semicolons between them.
        key: The key that the device does not have; `None` when the error is another.
        near: Names that the device has and that were probably meant, as they are published, best first.
        rewrite: The selector, asking first whether the key is there; `None` when that is no remedy.
    """

    text: str
    key: str | None = None
    near: tuple[str, ...] = ()
    rewrite: str | None = None

    def __str__(self) -> str:
        """Render one line."""
        return self.text if self.rewrite is None else f"{self.text}; to ask first: {self.rewrite}"


def advise(message: str, program: Program, device: Device, seen: Mapping[int, Any]) -> Hint | None:
    """
    Say what to do about the error of an evaluation.

    Args:
        message: Kubernetes' text.
        program: The selector.
        device: The device that it failed on.
        seen: The values of its nodes.
    """
    missing = _MISSING.fullmatch(message)
    if missing is not None:
        return _missing(missing["key"], program, device, seen)
    unreadable = _UNREADABLE.fullmatch(message)
    if unreadable is not None:
        return _unreadable(device, unreadable["name"])
    if message.startswith("no such overload"):
        call = _failing(program.checked.expression, message, seen)
        text = None if call is None else _overload(call, seen)
        return None if text is None else Hint(text)
    for start, text in _BY_TEXT:
        if message.startswith(start):
            return Hint(text)
    return None


_NO_VERSION: Final = "the text is no semantic version, three numbers with dots between them; isSemver(…) asks first, semver(…, true) is more lenient"

#: Advice by how the error begins.
_BY_TEXT: Final = (
    ("CEL result of type", "a selector has to be true or false: compare the attribute with something"),
    ("operation cancelled: actual cost limit exceeded", "the selector costs more than 1,000,000 units on this device; loop over less"),
    ("No Major.Minor.Patch elements found", _NO_VERSION),
    ("Invalid character(s) found in", _NO_VERSION),
    ("Version string empty", _NO_VERSION),
    ("index out of bounds", "the list is shorter on this device; ask for its size() first"),
    ("optional.none() dereference", "nothing is there on this device; .orValue(…) gives a value instead"),
    ("division by zero", "the divisor is 0 on this device"),
)


def _missing(key: str, program: Program, device: Device, seen: Mapping[int, Any]) -> Hint:
    """Advise on a key that is not there."""
    root = program.checked.expression
    failed = [place for place in places(root, Scope()) if place.leaf and key in place.path[2:] and isinstance(place.value(seen), CELError)]
    if not failed:
        return Hint(f"the device has no {key} there", key)
    place = failed[0]
    field, domain, *_ = place.path
    published = device.attributes if field == "attributes" else device.capacity
    domains = _domains(published, device.driver)
    near = _near(key, domain, domains, device.driver)
    clauses = [f"did you mean {' or '.join(near)}?"] if near else []
    if not near and domain not in domains:
        clauses.append(_no_domain(domain, domains, device))
    kinds: tuple[Kind, Kind] = ("npu", "vfio") if _is_container(device) else ("vfio", "npu")
    kind, other = kinds
    name = key if domain == DRIVER_NAME else f"{domain}/{key}"
    row, elsewhere = _row(name, kind, field), _row(name, other, field)
    if row is not None and row.absent is not None:
        clauses.append(f"{name} is not there when {row.absent}")
    elif row is None and elsewhere is not None:
        clauses.append(f"only devices of type {other} have {name}, this one is {kind}")
    elif not clauses:
        clauses.append(f"the device has {', '.join(sorted(domains[domain]))} there")
    guarded = f"({program.expression})" if isinstance(root, Call) and root.function in {"_||_", "_?_:_"} else program.expression
    asked = place.expression
    return Hint("; ".join(clauses), key, near, None if asked.endswith("]") else f"has({asked}) && {guarded}")


def _row(name: str, kind: Kind, field: str) -> AttributeSchema | None:
    """Give the row of an attribute, or of a capacity, of one kind of device."""
    row = schema(name, device=kind)
    return row if row is not None and row.capacity == (field == "capacity") else None


def _is_container(device: Device) -> bool:
    """Tell whether it is a container device of the NPU driver."""
    kind = device.attributes.get("type")
    return kind is not None and kind.value == "npu"


def _domains(published: Mapping[str, object], driver: str) -> dict[str, set[str]]:
    """Sort published names by domain, as the scheduler does."""
    domains: dict[str, set[str]] = {}
    for name in published:
        domain, slash, id_ = name.partition("/")
        domains.setdefault(domain if slash else driver, set()).add(id_ if slash else name)
    return domains


def _near(key: str, domain: str, domains: Mapping[str, set[str]], driver: str) -> tuple[str, ...]:
    """Give the published names that were probably meant: the same id elsewhere, then similar ones in the same domain."""

    def published(where: str, id_: str) -> str:
        return id_ if where == driver else f"{where}/{id_}"

    elsewhere = [published(where, key) for where, ids in domains.items() if where != domain and key in ids]
    folded = {id_.lower(): id_ for id_ in domains.get(domain, ())}
    similar = [published(domain, folded[match]) for match in difflib.get_close_matches(key.lower(), list(folded), n=2, cutoff=0.7)]
    return tuple(dict.fromkeys(similar + elsewhere))


def _no_domain(domain: str, domains: Mapping[str, set[str]], device: Device) -> str:
    """Say of a domain that the device does not have what was probably meant."""
    close = difflib.get_close_matches(domain, list(domains), n=1, cutoff=0.8)
    if close:
        return f"did you mean the domain {close[0]}?"
    if domain != device.driver and "." in domain:
        return f'the device is of driver {device.driver}; test device.driver == "{domain}" first'
    return f"the device has the domains {', '.join(sorted(domains))}" if domains else "the device has nothing of this kind"


def _unreadable(device: Device, name: str) -> Hint:
    """Advise on an attribute that makes the whole device unreadable."""
    attribute = device.attributes.get(name)
    if attribute is not None and isinstance(attribute.value, tuple):
        return Hint(f"{name} is a list: that takes Kubernetes 1.37, or 1.36 with the gate DRAListTypeAttributes; until then no selector can judge it")
    if attribute is not None and attribute.value is not None:
        return Hint(f"{name} is no semantic version: a driver has to leave it out, or publish it as a string; until then no selector can judge it")
    return Hint(f"{name} has no value set: a driver has to leave out what it does not know; until then no selector can judge the device")


def _failing(node: Node, message: str, seen: Mapping[int, Any]) -> Call | None:
    """Find the innermost call that failed with a message."""
    for child in children(node):
        found = _failing(child, message, seen)
        if found is not None:
            return found
    value = seen.get(node.id)
    return node if isinstance(node, Call) and isinstance(value, CELError) and value.message == message else None


def _overload(call: Call, seen: Mapping[int, Any]) -> str | None:
    """Advise on a call whose arguments are of types that it does not take."""
    arguments = call.args if call.target is None else (call.target, *call.args)
    values = [_value(argument, seen) for argument in arguments]
    for function, takes, text in _OVERLOADS:
        if function in {call.function, "*"} and takes(values):
            return text.format(*map(source_of, arguments))
    return None


def _value(node: Node, seen: Mapping[int, Any]) -> Any:
    """Give a node's value."""
    if isinstance(node, Literal):
        return node.value
    place = Scope().place(node)
    return seen.get(node.id, UNSEEN) if place is None else place.value(seen)


def _one(values: list[Any], kind: type) -> bool:
    """Tell whether one of the values is of a type."""
    return any(isinstance(value, kind) for value in values)


#: Advice by function and argument values; `{0}` and `{1}` are the arguments' texts.
_OVERLOADS: Final[tuple[tuple[str, Callable[[list[Any]], bool], str], ...]] = (
    ("_==_", lambda values: _one(values, Semver), "a version is compared with a version: {0}.compareTo(semver({1})) == 0"),
    ("@in", lambda values: not is_list(values[-1]), "{1} is no list: compare with {1} == {0}, or from Kubernetes 1.36 with {1}.includes({0})"),
    ("isGreaterThan", lambda values: isinstance(values[0], str), "{0} is a string: semver({0}).isGreaterThan(…)"),
    ("isLessThan", lambda values: isinstance(values[0], str), "{0} is a string: semver({0}).isLessThan(…)"),
    ("compareTo", lambda values: isinstance(values[0], str), "{0} is a string: semver({0}).compareTo(…)"),
    ("_&&_", lambda _values: True, "both sides of && have to be true or false"),
    ("_||_", lambda _values: True, "both sides of || have to be true or false"),
    ("*", lambda values: _one(values, Quantity), "quantities are compared by .compareTo(), .isGreaterThan() and .isLessThan()"),
    ("*", lambda values: _one(values, str) and _one(values, int), "a string and a number are not compared: int(…) makes a number of a string"),
)
