"""Random selectors and devices: grammar-based and typed, from the rows of the function libraries themselves, and wrong on purpose a third of the time."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Any

from rbln_dra.cel import types
from rbln_dra.cel.types import Type

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from rbln_dra import cel
    from rbln_dra.cel.library.rows import Overload

STRINGS = (
    "",
    "a",
    "vfio",
    "npu",
    "RBLN-CR13",
    "RBLN-CA25",
    "2130",
    "0000:27:00.0",
    "pci0000:20",
    "1.2.3",
    "v1.2",
    "1.0.0-rc.1+b",
    "01.2.3",
    "16Gi",
    "1500m",
    "1e3",
    "100Ti",
    "-3",
    "0.5",
    "1Ki",
    "10.0.0.1",
    "::1",
    "fe80::1%eth0",
    "::ffff:1.2.3.4",
    "10.0.0.0/8",
    "2001:db8::/32",
    "10.0.0.1/8",
    "https://u@h.io:8443/p/a?x=1&x=2#f",
    "/path only",
    "http://[::1]:80/",
    "%zz",
    "^RBLN-C[AR][0-9]+$",
    "(",
    "[a-z]+",
    "(?i)r",
    "a*",
    "\\d",
    "2024-02-29T12:30:45.123Z",
    "2024-01-01T00:00:00+09:00",
    "1h30m",
    "-1.5s",
    "1h1",
    "true",
    "false",
    "TRUE",
    "héllo 😀",
    " x\t",
    "a,b,c",
    "America/New_York",
    "+02:30",
    "%s",
    "%d-%s",
    "%.2f",
    "%x",
    "%e %b %o",
    "%%",
    "%",
    "dns1123Label",
    "dns1123Subdomain",
    "uuid",
    "date",
    "labelValue",
    "0x10",
    "9223372036854775808",
    "npu.rebellions.ai",
    "Ünïcode",
    "a\nb",
)
INTS = ("0", "1", "-1", "2", "3", "7", "42", "64", "100", "9223372036854775807", "-9223372036854775808", "1000000", "0x1F", "-0x2")
UINTS = ("0u", "1u", "2u", "42u", "18446744073709551615u", "0xFFu")
DOUBLES = ("0.0", "1.0", "-1.5", "42.0", "0.1", "1e3", "1e300", "9007199254740992.0", ".5", "-0.0")
BYTES = ("b''", "b'a'", "b'\\xff'", "b'h\\303\\251'", "rb'\\x'")
DOMAINS = ("npu.rebellions.ai", "resource.kubernetes.io", "dra.net", "gpu.example.com")
ATTRIBUTES = (
    "type",
    "iommuGroup",
    "pciDeviceID",
    "productName",
    "vf",
    "pciBusID",
    "pcieRoot",
    "numaNode",
    "driverVersion",
    "i",
    "s",
    "b",
    "v",
    "ints",
    "strs",
    "bools",
    "vers",
    "missing",
)
CAPACITIES = ("memory", "cores", "missing")
IDENTIFIERS = ("x", "y", "k", "v", "acc", "device", "type", "int", "namespace", "__x__")
OPERATORS = {
    "_+_": "({} + {})",
    "_-_": "({} - {})",
    "_*_": "({} * {})",
    "_/_": "({} / {})",
    "_%_": "({} % {})",
    "-_": "-({})",
    "!_": "!({})",
    "_&&_": "({} && {})",
    "_||_": "({} || {})",
    "_==_": "({} == {})",
    "_!=_": "({} != {})",
    "_<_": "({} < {})",
    "_<=_": "({} <= {})",
    "_>_": "({} > {})",
    "_>=_": "({} >= {})",
    "@in": "({} in {})",
    "_[_]": "{}[{}]",
    "_?_:_": "({} ? {} : {})",
    "_[?_]": "{}[?{}]",
}
OPAQUE = {
    "kubernetes.Quantity": (
        'quantity("16Gi")',
        'quantity("1500m")',
        'device.capacity["npu.rebellions.ai"].memory',
        'device.capacity["npu.rebellions.ai"].missing',
    ),
    "kubernetes.Semver": ('semver("1.2.3")', 'semver("v1.2", true)', 'semver("1.0.0-rc.1")', 'semver("bad")'),
    "kubernetes.URL": ('url("https://u@h.io:8443/p/a?x=1&x=2#f")', 'url("/p")'),
    "net.IP": ('ip("10.0.0.1")', 'ip("::1")', 'ip("x")'),
    "net.CIDR": ('cidr("10.0.0.0/8")', 'cidr("2001:db8::/32")'),
    "kubernetes.NamedFormat": ("format.dns1123Label()", "format.uuid()", 'format.named("date").value()'),
    "google.protobuf.Timestamp": ('timestamp("2024-02-29T12:30:45.123Z")', "timestamp(0)", 'timestamp("2024-01-01T00:00:00+09:00")'),
    "google.protobuf.Duration": ('duration("1h30m")', 'duration("-1.5s")', 'duration("0s")'),
}
TOKEN = re.compile(r"""[rRbB]{0,2}"(?:[^"\\]|\\.)*"|[rRbB]{0,2}'(?:[^'\\]|\\.)*'|[A-Za-z_][A-Za-z_0-9.]*|\d[\w.]*|&&|\|\||[=!<>]=|\s+|.""", re.DOTALL)
#: What would fill the memory of the real code, which charges for a range only after making it.
ENORMOUS = re.compile(r"lists\.range(?!\([0-9]{1,3}\))")
SCALARS = (types.BOOL, types.INT, types.UINT, types.DOUBLE, types.STRING, types.BYTES, types.TIMESTAMP, types.DURATION, types.NULL)


def quoted(text: str) -> str:
    """Write a CEL string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def tokens(expression: str) -> list[str]:
    """Cut an expression roughly into tokens; joined they are the expression again."""
    return TOKEN.findall(expression)


class Generator:
    """
    A source of selectors for one environment.

    Args:
        random: Where chance comes from.
        environment: Whose functions are called.
    """

    def __init__(self, random: Random, environment: cel.Environment) -> None:
        """Index the overloads by the name of their result's type."""
        self.random = random
        self.variables: list[tuple[str, Type]] = []
        self.by_result: dict[str, list[tuple[str, Overload]]] = defaultdict(list)
        for function in environment.functions.values():
            for overload in function.overloads:
                self.by_result[overload.result.name].append((function.name, overload))
                if overload.result.kind == "param":
                    for type_ in (*SCALARS, types.QUANTITY, types.SEMVER):
                        self.by_result[type_.name].append((function.name, overload))
        self.leaves: dict[str, Callable[[], str]] = {
            "bool": lambda: self.random.choice(("true", "false", self.attribute("vf"), "device.allowMultipleAllocations", self.presence())),
            "int": lambda: self.random.choice((*INTS, self.attribute("iommuGroup"), self.attribute("numaNode"))),
            "uint": lambda: self.random.choice(UINTS),
            "double": lambda: self.random.choice(DOUBLES),
            "string": lambda: self.random.choice(
                (
                    quoted(self.random.choice(STRINGS)),
                    quoted(self.random.choice(STRINGS)),
                    "device.driver",
                    self.attribute("productName"),
                    self.attribute("type"),
                )
            ),
            "bytes": lambda: self.random.choice(BYTES),
            "null_type": lambda: "null",
            "dyn": lambda: self.random.choice((self.attribute(), f"dyn({self.of(self.random.choice(SCALARS), 0)})")),
            "google.protobuf.Any": self.attribute,
            "type": lambda: self.random.choice(("int", "string", "type(1)", f"type({self.attribute()})", "list", "map", "google.protobuf.Timestamp")),
            **{name: partial(self.random.choice, texts) for name, texts in OPAQUE.items()},
        }

    def selector(self) -> tuple[str, bool]:
        """Give a selector that the real code survives, and whether it was made wrong on purpose."""
        while True:
            expression, wrong = self.any_selector()
            if not ENORMOUS.search(expression):
                return expression, wrong

    def any_selector(self) -> tuple[str, bool]:
        """Give a selector, and whether it was made wrong on purpose."""
        self.variables = []
        depth = self.random.choice((1, 2, 2, 3, 3, 4))
        expression = (
            self.of(types.BOOL, depth) if self.random.random() < 0.9 else self.of(self.random.choice((types.DYN, types.STRING, types.INT)), depth)
        )
        if self.random.random() < 1 / 3:
            return self.broken(expression), True
        return expression, False

    def of(self, wanted: Type, depth: int) -> str:
        """Give an expression of a type, at most so deep."""
        if wanted.kind == "param":
            wanted = self.random.choice(SCALARS)
        bound = [name for name, type_ in self.variables if type_ == wanted]
        if bound and self.random.random() < 0.5:
            return self.random.choice(bound)
        if depth > 0 and self.random.random() < 0.85:
            return self.compound(wanted, depth - 1)
        return self.leaf(wanted)

    def leaf(self, wanted: Type) -> str:
        """Give an expression of a type that calls no further functions."""
        if wanted.kind == "list":
            return "[" + ", ".join(self.of(wanted.parameters[0], 0) for _ in range(self.random.randrange(4))) + "]"
        if wanted.kind == "map":
            key = types.STRING if wanted.parameters[0].kind in {"param", "dyn"} else wanted.parameters[0]
            return "{" + ", ".join(f"{self.of(key, 0)}: {self.of(wanted.parameters[1], 0)}" for _ in range(self.random.randrange(2))) + "}"
        if wanted.kind == "optional":
            return self.random.choice((f"optional.of({self.of(wanted.parameters[0], 0)})", "optional.none()", self.optional_attribute()))
        make = self.leaves.get(wanted.name)
        return make() if make is not None else self.attribute()

    def compound(self, wanted: Type, depth: int) -> str:
        """Give an expression of a type that is a call, a conditional, a macro or a chain of optionals."""
        choice = self.random.random()
        if choice < 0.06:
            return f"({self.of(types.BOOL, depth)} ? {self.of(wanted, depth)} : {self.of(wanted, depth)})"
        if choice < 0.10:
            return self.bind(wanted, depth)
        if choice < 0.14:
            return f"{self.optional_attribute()}.orValue({self.of(wanted, depth)})"
        if wanted == types.BOOL and choice < 0.28:
            return self.predicate(depth)
        if wanted.kind == "list" and choice < 0.4:
            return self.mapped(depth)
        candidates = self.by_result.get(wanted.name)
        if not candidates:
            return self.leaf(wanted)
        name, overload = self.random.choice(candidates)
        return self.call(name, overload, depth)

    def call(self, name: str, overload: Overload, depth: int) -> str:
        """Write a call of an overload."""
        if name == "lists.range":
            return f"lists.range({self.random.randrange(6)})"
        bindings: dict[str, Type] = {}
        args = [self.of(self.bound(parameter, bindings), depth) for parameter in overload.parameters]
        if self.random.random() < 0.12 and args:
            args[self.random.randrange(len(args))] = self.attribute()
        if name in OPERATORS:
            return OPERATORS[name].format(*args)
        if name == "_?._":
            return f"{args[0]}.?{self.random.choice(ATTRIBUTES)}"
        if overload.member:
            return f"{args[0]}.{name}({', '.join(args[1:])})"
        return f"{name}({', '.join(args)})"

    def bound(self, type_: Type, bindings: dict[str, Type]) -> Type:
        """Replace type parameters, the same letter by the same type."""
        if type_.kind == "param":
            return bindings.setdefault(type_.name, self.random.choice(SCALARS))
        return Type(type_.name, tuple(self.bound(parameter, bindings) for parameter in type_.parameters), type_.kind)

    def attribute(self, name: str | None = None) -> str:
        """Write the access of an attribute or a capacity."""
        if self.random.random() < 0.08:
            return f"device.capacity[{quoted(self.random.choice(DOMAINS[:2]))}].{self.random.choice(CAPACITIES)}"
        chosen = name if name is not None and self.random.random() < 0.7 else self.random.choice(ATTRIBUTES)
        domain = (
            "resource.kubernetes.io"
            if chosen in {"pciBusID", "pcieRoot", "numaNode"} and self.random.random() < 0.8
            else self.random.choice(DOMAINS[:1] * 6 + DOMAINS)
        )
        path = f"device.attributes[{quoted(domain)}]"
        return f"{path}[{quoted(chosen)}]" if self.random.random() < 0.15 else f"{path}.{chosen}"

    def optional_attribute(self) -> str:
        """Write the optional access of an attribute."""
        path = f"device.attributes[{'?' if self.random.random() < 0.3 else ''}{quoted(self.random.choice(DOMAINS))}]"
        return f"{path}.?{self.random.choice(ATTRIBUTES)}"

    def presence(self) -> str:
        """Write a presence test."""
        path = f"device.attributes[{quoted(self.random.choice(DOMAINS))}]"
        name = self.random.choice(ATTRIBUTES)
        return self.random.choice(
            (f"has({path}.{name})", f"({quoted(name)} in {path})", f"({quoted(self.random.choice(DOMAINS))} in device.attributes)")
        )

    def bind(self, wanted: Type, depth: int) -> str:
        """Write a local variable."""
        name, type_ = self.random.choice(IDENTIFIERS[:5]), self.random.choice(SCALARS)
        value = self.of(type_, depth)
        return f"cel.bind({name}, {value}, {self.scoped(((name, type_),), wanted, depth)})"

    def scoped(self, variables: tuple[tuple[str, Type], ...], wanted: Type, depth: int) -> str:
        """Write an expression that may use further variables."""
        self.variables.extend(variables)
        try:
            return self.of(wanted, depth)
        finally:
            del self.variables[-len(variables) :]

    def predicate(self, depth: int) -> str:
        """Write a macro that gives a bool."""
        element, name = self.random.choice(SCALARS), self.random.choice(("x", "y", "k"))
        ranged = self.random.choice(
            (
                self.of(types.list_of(element), depth),
                self.of(types.list_of(element), 0),
                self.attribute("ints"),
                f"device.attributes[{quoted(self.random.choice(DOMAINS))}]",
            )
        )
        macro = self.random.choice(("all", "exists", "exists_one"))
        if self.random.random() < 0.25:
            two = self.random.choice(("all", "exists", "existsOne"))
            return f"{ranged}.{two}(k, v, {self.scoped((('k', types.INT), ('v', element)), types.BOOL, depth)})"
        return f"{ranged}.{macro}({name}, {self.scoped(((name, element),), types.BOOL, depth)})"

    def mapped(self, depth: int) -> str:
        """Write a macro that gives a list."""
        element = self.random.choice(SCALARS)
        ranged = self.of(types.list_of(element), depth)
        condition = self.scoped((("x", element),), types.BOOL, depth)
        value = self.scoped((("x", element),), self.random.choice(SCALARS), depth)
        return self.random.choice((
            f"{ranged}.map(x, {value})", f"{ranged}.filter(x, {condition})", f"{ranged}.map(x, {condition}, {value})",
            f"{ranged}.transformList(k, x, {value})", f"{ranged}.sortBy(x, {value})",
        ))  # fmt: skip

    def broken(self, expression: str) -> str:
        """Make an expression wrong, most likely: drop, double, swap or replace tokens, or cut it off."""
        parts = tokens(expression)
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            if not parts:
                break
            at = self.random.randrange(len(parts))
            match self.random.randrange(6):
                case 0:
                    del parts[at]
                case 1:
                    parts.insert(at, parts[self.random.randrange(len(parts))])
                case 2:
                    other = self.random.randrange(len(parts))
                    parts[at], parts[other] = parts[other], parts[at]
                case 3:
                    parts[at] = self.leaf(self.random.choice(SCALARS))
                case 4:
                    parts.insert(
                        at,
                        self.random.choice(
                            (
                                "(",
                                ")",
                                "[",
                                "]",
                                "{",
                                "}",
                                ".",
                                ",",
                                "?",
                                ":",
                                "!",
                                "-",
                                "&",
                                "||",
                                "&&",
                                "=",
                                "==",
                                "in",
                                "`a`",
                                "@",
                                "#",
                                "\\",
                                "'",
                                '"',
                                "//",
                                "null",
                                "package",
                                "1.",
                                "1u",
                                "$",
                            )
                        ),
                    )
                case _:
                    parts = parts[:at]
        return "".join(parts)


def device(random: Random) -> dict[str, Any]:
    """Give a device as a ResourceSlice has it, with its driver: `{"driver", "device"}`."""
    attributes: dict[str, Any] = {}
    for name in ATTRIBUTES[:-1]:
        if random.random() < 0.6:
            key = f"resource.kubernetes.io/{name}" if name in {"pciBusID", "pcieRoot", "numaNode"} and random.random() < 0.8 else name
            attributes[key] = _value(random, name)
    capacity = {
        name: {"value": random.choice(("16Gi", "8", "1500m", "0", "100Ti", "16482307Ki"))} for name in CAPACITIES[:-1] if random.random() < 0.6
    }
    made: dict[str, Any] = {"attributes": attributes, "capacity": capacity}
    if random.random() < 0.3:
        made["allowMultipleAllocations"] = random.random() < 0.5
    return {"driver": random.choice(("npu.rebellions.ai",) * 5 + ("gpu.example.com",)), "device": made}


def _value(random: Random, name: str) -> dict[str, Any]:
    """Give an attribute's value, usually of the type that its name lets expect."""
    kinds = {
        "iommuGroup": "int",
        "numaNode": "int",
        "i": "int",
        "vf": "bool",
        "b": "bool",
        "driverVersion": "version",
        "v": "version",
        "ints": "ints",
        "strs": "strings",
        "bools": "bools",
        "vers": "versions",
    }
    kind = kinds.get(name, "string") if random.random() < 0.9 else random.choice(("int", "string", "bool", "version"))
    if kind.endswith("s") and random.random() < 0.7:
        kind = kind[:-1]
    scalar: dict[str, Callable[[], Any]] = {
        "int": lambda: random.choice((0, 1, 2, 7, 42, -1, 9223372036854775807)),
        "bool": lambda: random.random() < 0.5,
        "string": lambda: random.choice(STRINGS),
        "version": lambda: random.choice(("1.2.3", "1.0.0-rc.1+b", "10.0.0", "0.0.1")),
    }
    return {kind: [scalar[kind[:-1]]() for _ in range(random.randrange(1, 4))]} if kind.endswith("s") else {kind: scalar[kind]()}
