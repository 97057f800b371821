"""
Room: advice on a selector without a device: what it asks for that the NPU DRA driver never publishes, or not always.

Each kind of advice is one row of `RULES`; the facts are those of the attribute schema and of the product table.

May touch: `cel`, `attributes`, `names`, `products`, `quantity`, `semver`, `reading`, `errors`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from typing import Final

import attrs

from ..attributes import ATTRIBUTES, AttributeSchema, Kind, schema
from ..cel.ast import Call, Comprehension, Literal, Node, Select
from ..cel.program import Program
from ..errors import InvalidQuantity, InvalidSemver
from ..names import DRIVER_NAME, RESOURCE_DOMAIN
from ..products import by_sku, near
from ..quantity import Quantity
from ..semver import Semver
from .reading import Place, Scope, binding, children, parts


@attrs.frozen
class Advice:
    """
    One thing about a selector that Kubernetes accepts and its author may not have meant.

    Args:
        code: The rule, a name of `RULES`.
        message: What it is and what to do, on one line.
        offset: Where in the selector, in code points from 0.
    """

    code: str
    message: str
    offset: int


@attrs.frozen
class Rule:
    """
    One kind of advice.

    Args:
        name: What a program tests.
        summary: What it finds, for the documentation.
        find: Finds it.
    """

    name: str
    summary: str
    find: Callable[[Source], Iterator[tuple[Node, str]]]


class Source:
    """A selector as the rules see it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.nodes = list(_walk(program.checked.expression, Scope()))
        found = [(scope.place(node), node) for node, scope in self.nodes]
        self.places = [place for place, _ in found if place is not None]
        self.leaves = [place for place in self.places if place.leaf]
        self.asked = {place.path for place in self.places if _asks(place.node)}

    def row(self, place: Place) -> AttributeSchema | None:
        """Give the schema of a place, of passthrough devices first."""
        return next((row for kind in _KINDS if (row := schema(_published(place), device=kind)) is not None and _fits(row, place)), None)


_KINDS: Final[tuple[Kind, ...]] = ("vfio", "npu")


def lint(program: Program) -> tuple[Advice, ...]:
    """Give all advice on a selector, by place."""
    source = Source(program)
    found = {Advice(rule.name, message, node.offset) for rule in RULES for node, message in rule.find(source)}
    return tuple(sorted(found, key=lambda advice: (advice.offset, advice.code, advice.message)))


def _walk(node: Node, scope: Scope) -> Iterator[tuple[Node, Scope]]:
    """Give all nodes, those inside loops too, with what their names stand for; of a place only the whole."""
    yield node, scope
    if scope.place(node) is not None:
        return
    if isinstance(node, Comprehension) and not binding(node):
        yield from _walk(node.iter_range, scope)
        inner = scope.below(node)
        yield from _walk(node.loop_step, inner)
        return
    for part, inner in parts(node, scope):
        yield from _walk(part, inner)


def _asks(node: Node) -> bool:
    """Tell whether a node asks whether something is there: `has(a.b)`, `a.?b`, `a[?"b"]`."""
    return (isinstance(node, Select) and node.test_only) or (isinstance(node, Call) and node.function in {"_?._", "_[?_]"})


def _published(place: Place) -> str:
    """Give the name under which a place is published."""
    return place.path[2] if place.path[1] == DRIVER_NAME else f"{place.path[1]}/{place.path[2]}"


def _fits(row: AttributeSchema, place: Place) -> bool:
    """Tell whether a row is of the field that a place is in."""
    return row.capacity == (place.path[0] == "capacity")


def _unknown_attributes(source: Source) -> Iterator[tuple[Node, str]]:
    """Find what the driver does not publish."""
    for place in source.leaves:
        domain, id_ = place.path[1:3]
        if domain not in {DRIVER_NAME, RESOURCE_DOMAIN} or source.row(place) is not None:
            continue
        rows = [row for row in ATTRIBUTES if _fits(row, place)]
        same = [row.name for row in rows if row.id.lower() == id_.lower()]
        like = [row.name for row in rows if row.domain == domain and difflib.SequenceMatcher(None, row.id.lower(), id_.lower()).ratio() > _ALIKE]
        meant = list(dict.fromkeys(same + like))
        yield place.node, f"the NPU DRA driver publishes no {place.named(DRIVER_NAME)}{_or_rather(meant)}"


#: How alike two names are of which one is taken for the other.
_ALIKE: Final = 0.7


def _or_rather(names: list[str]) -> str:
    """Ask whether another name was meant."""
    return f"; did you mean {' or '.join(names[:2])}?" if names else ""


def _unknown_domains(source: Source) -> Iterator[tuple[Node, str]]:
    """Find domains that are nearly right."""
    for place in source.places:
        if place.path[:1] in {("attributes",), ("capacity",)} and len(place.path) > 1:
            meant = _meant(place.path[1])
            if meant != place.path[1]:
                yield place.node, f"nothing is published in the domain {place.path[1]}; did you mean {meant}?"


def _meant(domain: str) -> str:
    """Give the domain that a mistyped one probably means, or itself."""
    known = sorted({row.domain for row in ATTRIBUTES})
    return domain if domain in known else next(iter(difflib.get_close_matches(domain, known, n=1, cutoff=0.8)), domain)


def _domain_asked(source: Source) -> Iterator[tuple[Node, str]]:
    """Find `has()` of a domain."""
    for place in source.places:
        if len(place.path) == 2 and place.path[0] in {"attributes", "capacity"} and isinstance(place.node, Select) and place.node.test_only:
            yield place.node, f'has() of a domain is always true; ask "{place.path[1]}" in device.{place.path[0]}, or has() of an attribute'


_COMPARISONS: Final = frozenset({"_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_"})
_TYPES: Final[dict[str, tuple[type, ...]]] = {"string": (str,), "int": (int, float), "bool": (bool,)}
_TYPE_NAMES: Final[dict[type, str]] = {bool: "a bool", int: "a number", float: "a number", str: "a string"}


def _comparisons(source: Source) -> Iterator[tuple[Call, Place, Literal]]:
    """Give the comparisons of an attribute with a constant."""
    for node, scope in source.nodes:
        if isinstance(node, Call) and node.function in _COMPARISONS:
            for attribute, constant in (node.args, node.args[::-1]):
                place = scope.place(attribute)
                if place is not None and place.leaf and isinstance(constant, Literal):
                    yield node, place, constant


def _types(source: Source) -> Iterator[tuple[Node, str]]:
    """Find comparisons with a constant of another type."""
    for node, place, constant in _comparisons(source):
        row = source.row(place)
        expected = None if row is None else _TYPES.get(row.type)
        if row is None or expected is None:
            continue
        value = constant.value
        if not isinstance(value, expected) or (isinstance(value, bool) and row.type == "int"):
            result = {"_==_": "always false", "_!=_": "always true"}.get(node.function, "an error")
            yield node, f"{row.name} is of type {row.type}, so comparing it with {_TYPE_NAMES.get(type(value), 'such a value')} is {result}"


def _products(source: Source) -> Iterator[tuple[Node, str]]:
    """Find names that are no product."""
    for node, place, constant in _comparisons(source):
        value = constant.value
        if _published(place) != "productName" or place.path[0] != "attributes" or not isinstance(value, str) or value == "":
            continue
        product = by_sku(value)
        if product is None or product.sku != value:
            meant = [product.sku] if product is not None else [name for name in near(value) if by_sku(name) is not None]
            yield node, f"there is no product {value}{_or_rather(meant)}"


def _absent(source: Source) -> Iterator[tuple[Node, str]]:
    """Find what some devices do not have."""
    for place in source.leaves:
        row = source.row(place)
        if row is None or place.path in source.asked:
            continue
        if row.absent is not None:
            yield place.node, f"{row.name} is not there when {row.absent}, which is an error then; ask first: has({place.expression}) && …"
        elif schema(row.name, device="npu" if row.device == "vfio" else "vfio") is None and ("attributes", DRIVER_NAME, "type") not in {
            leaf.path for leaf in source.leaves
        }:
            yield place.node, f"only devices of type {row.device} have {row.name}; test the type first, else it is an error on the others"


def _drivers(source: Source) -> Iterator[tuple[Node, str]]:
    """Find the first read that another driver's devices fail."""
    if source.program.references.driver:
        return
    for place in source.leaves:
        if place.path not in source.asked:
            domain = _meant(place.path[1])
            driver = DRIVER_NAME if domain in _SHARED or "." not in domain else domain
            test = f'device.driver == "{driver}" && …'
            yield place.node, f"an error on other drivers' devices, unless the DeviceClass excludes them; test first: {test}"
            return


#: Domains of attributes that drivers share.
_SHARED: Final = frozenset({RESOURCE_DOMAIN, "dra.net"})

_PARSERS: Final[dict[str, tuple[Callable[[str], object], type[Exception]]]] = {
    "semver": (Semver.parse, InvalidSemver),
    "quantity": (Quantity.parse, InvalidQuantity),
}


def _constants(source: Source) -> Iterator[tuple[Node, str]]:
    """Find constants that cannot be converted."""
    for node, _ in source.nodes:
        if isinstance(node, Call) and node.function in _PARSERS and node.target is None and len(node.args) == 1:
            (argument,) = children(node)
            if isinstance(argument, Literal) and isinstance(argument.value, str):
                parse, refusal = _PARSERS[node.function]
                try:
                    parse(argument.value)
                except refusal as error:
                    yield node, f"an error on every device: {error}"


#: All kinds of advice.
RULES: Final = (
    Rule("unknown-attribute", "an attribute or capacity that the driver does not publish", _unknown_attributes),
    Rule("unknown-domain", "a domain that is nearly one that the driver publishes in", _unknown_domains),
    Rule("domain-asked", "`has()` of a whole domain, which is always true", _domain_asked),
    Rule("other-type", "a comparison with a constant of another type than the attribute's", _types),
    Rule("unknown-product", "a product name that is no product", _products),
    Rule("may-be-absent", "an attribute that some devices do not have, and that is not asked for", _absent),
    Rule("no-driver", "attributes are read and the driver is not tested", _drivers),
    Rule("bad-constant", "a constant that is no version or quantity: an error at run time only", _constants),
)
