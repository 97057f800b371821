"""
Room: the type checker, cel-go's rules and words.

What a name means, which overloads a call has, which type every node gets, and every reason to refuse an expression at compile time that is not
syntax. The order of checks is cel-go's, since type variables are bound in that order and error texts show it.

May touch: `ast`, `types`, `environment`, `unification`, `literal_checks`, `listing`, `nesting`, and `errors`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from ..errors import CompileError
from . import listing
from .ast import (
    Call,
    Comprehension,
    Entry,
    FieldInit,
    Ident,
    ListExpr,
    Literal,
    MapExpr,
    Node,
    Select,
    StructExpr,
    Uint,
)
from .environment import Environment, Signature
from .literal_checks import Literals
from .nesting import recursing
from .types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    ERROR,
    INT,
    NULL,
    STRING,
    UINT,
    Type,
    list_of,
    map_of,
    optional_of,
)
from .unification import Substitution, format_type, primitive_of

_LITERALS: Mapping[type, Type] = {type(None): NULL, bool: BOOL, int: INT, Uint: UINT, float: DOUBLE, str: STRING, bytes: BYTES}
#: The messages that stand for CEL values, by kind: `google.protobuf.Int64Value{}` is an `int`.
_WELL_KNOWN: Mapping[str, str] = {
    "any": "google.protobuf.Any",
    "bool": "google.protobuf.BoolValue",
    "bytes": "google.protobuf.BytesValue",
    "double": "google.protobuf.DoubleValue",
    "duration": "google.protobuf.Duration",
    "dyn": "google.protobuf.Value",
    "int": "google.protobuf.Int64Value",
    "list": "google.protobuf.ListValue",
    "map": "google.protobuf.Struct",
    "null": "google.protobuf.NullValue",
    "string": "google.protobuf.StringValue",
    "timestamp": "google.protobuf.Timestamp",
    "uint": "google.protobuf.UInt64Value",
}
_LOGIC = frozenset(("_&&_", "_||_"))


@attrs.frozen
class Reference:
    """
    What a node refers to.

    Args:
        name: The full name of a variable, type or constant; with a leading dot when only the global scope is meant.
        overloads: The overload ids that a call may have, in their order; more than one where an argument's type is dynamic.
        constant: The value of an enumeration's constant.
    """

    name: str | None = None
    overloads: tuple[str, ...] = ()
    constant: int | None = None


@attrs.frozen(eq=False)
class Checked:
    """
    An expression that type-checks.

    Args:
        expression: The tree, with qualified names resolved: `google.protobuf.Duration` is one `Ident`, `sets.contains(x, y)` a call without a target.
        source: The text.
        types: The type of every node.
        references: What names and calls refer to; literals and plain field selections have none.
        environment: What it was checked against.
    """

    expression: Node
    source: str
    types: Mapping[int, Type]
    references: Mapping[int, Reference]
    environment: Environment

    @property
    def output_type(self) -> Type:
        """The type of the whole."""
        return self.types[self.expression.id]


def check(expression: Node, source: str, environment: Environment) -> Checked:
    """
    Check an expression's types.

    Raises:
        CompileError: It is ill-typed; all complaints are in it.
    """
    return recursing(lambda: _check(expression, source, environment), expression)


def _check(expression: Node, source: str, environment: Environment) -> Checked:
    checker = _Checker(environment)
    expression = checker.check(expression)
    if not checker.complaints:
        substitution = checker.substitution
        types = checker.types
        for id_, type_ in types.items():
            if type_.generic:
                types[id_] = substitution.substitute(type_, to_dyn=True)
        checker.complaints.extend(checker.literals.complaints(types, environment))
    if checker.complaints:
        issues = checker.complaints
        raise CompileError("compilation failed: " + listing.render(issues, source), listing.issues(issues, source), source)
    return Checked(expression, source, checker.types, checker.references, environment)


class _Checker:
    """One pass over one expression."""

    __slots__ = ("complaints", "environment", "literals", "namespaces", "references", "scopes", "substitution", "types")

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        #: Selections that begin otherwise need not be tried as qualified names.
        self.namespaces = environment.namespaces
        self.types: dict[int, Type] = {}
        self.references: dict[int, Reference] = {}
        #: Offset and text, in the order of discovery.
        self.complaints: list[tuple[int, str]] = []
        self.scopes: list[dict[str, Type]] = []
        self.substitution = Substitution()
        self.literals = Literals()

    def check(self, node: Node) -> Node:
        """Check a node, and give it back with its names resolved."""
        return _CHECKS[type(node)](self, node)

    # Names.

    def literal(self, node: Literal) -> Node:
        self.types[node.id] = _LITERALS[type(node.value)]
        return node

    def ident(self, node: Ident) -> Node:
        found = self._resolve((node.name,), node.name)
        if found is None:
            self.types[node.id] = ERROR
            self._undeclared(node, node.name)
            return node
        return self._named(node, *found)

    def _named(self, node: Node, name: str, type_: Type, constant: int | None) -> Node:
        self.types[node.id] = type_
        self.references[node.id] = Reference(name, (), constant)
        return node if type(node) is Ident and node.name == name else Ident(name, id=node.id, offset=node.offset)

    def _resolve(self, qualifiers: tuple[str, ...], name: str) -> tuple[str, Type, int | None] | None:
        """Find what a name means: its full name, its type, and its value if it is a constant."""
        plain = name[1:] if name[0] == "." else name
        local = None
        if self.environment.local_names_first:
            local = self._local(qualifiers[0].removeprefix("."))
            if local is not None and name is plain:
                return None if len(qualifiers) > 1 else (plain, local, None)
        else:
            local = self._local(plain)
            if local is not None:
                return plain, local, None
        type_ = self.environment.identifiers.get(plain)
        full = plain if local is None else "." + plain
        if type_ is not None:
            return full, type_, None
        constant = self.environment.enums.get(plain)
        return None if constant is None else (full, INT, constant)

    def _local(self, name: str) -> Type | None:
        """Find a variable of a macro, the innermost first."""
        for scope in reversed(self.scopes):
            type_ = scope.get(name)
            if type_ is not None:
                return type_
        return None

    def _undeclared(self, node: Node, name: str) -> None:
        self.complaints.append((node.offset, f"undeclared reference to '{name}' (in container '')"))

    # Fields.

    def select(self, node: Select) -> Node:
        qualifiers = None if node.test_only else _qualifiers(node)
        if qualifiers is not None and qualifiers[0].removeprefix(".") in self.namespaces:
            found = self._resolve(qualifiers, ".".join(qualifiers))
            if found is not None:
                return self._named(node, *found)
        operand, type_ = self._field(node, node.operand, node.field, optional=False)
        self.types[node.id] = BOOL if node.test_only else self.substitution.substitute(type_)
        return node if operand is node.operand else Select(operand, node.field, node.test_only, id=node.id, offset=node.offset)

    def _field(self, node: Node, operand: Node, field: str, *, optional: bool) -> tuple[Node, Type]:
        """Give the checked operand and the type of its field."""
        operand = self.check(operand)
        target = self.substitution.substitute(self.types[operand.id])
        wrapped = target.kind == "optional"
        if wrapped:
            target = target.parameters[0] if target.parameters else DYN
        kind = target.kind
        if kind == "map":
            type_ = target.parameters[1]
        elif kind == "object":
            type_ = self._struct_field(node, target.name, field)
        elif kind == "param":
            self.substitution.assign(DYN, target)
            type_ = DYN
        else:
            if kind not in _DYNAMIC:
                self.complaints.append((node.offset, f"type '{format_type(target)}' does not support field selection"))
            type_ = DYN
        return operand, optional_of(type_) if wrapped or optional else type_

    def _struct_field(self, node: Node, name: str, field: str) -> Type:
        """Give the type of an object's or message's field."""
        fields = self.environment.fields.get(name)
        if fields is None:
            self.complaints.append((node.offset, f"unexpected failed resolution of '{name}'"))
            return ERROR
        if isinstance(fields, Type):
            return fields
        type_ = fields.get(field)
        if type_ is None:
            self.complaints.append((node.offset, f"undefined field '{field}'"))
            return ERROR
        return type_

    def _optional_select(self, node: Call) -> Node:
        operand, field = node.args
        if not isinstance(field, Literal) or not isinstance(field.value, str):
            self.complaints.append((field.offset, "unsupported optional field selection"))
            self.types[node.id] = ERROR
            return node
        checked, type_ = self._field(node, operand, field.value, optional=True)
        self.types[node.id] = self.substitution.substitute(type_)
        self.types[field.id] = STRING
        self.references[node.id] = Reference(None, ("select_optional_field",))
        return node if checked is operand else Call(node.function, (checked, field), id=node.id, offset=node.offset)

    # Calls.

    def call(self, node: Call) -> Node:
        name = node.function
        if name == "_?._":
            return self._optional_select(node)
        if name == "format":
            # The elements of its list may have several types: they are checked against the format string.
            return self.literals.exempt(lambda: self._call(node, name))
        return self._call(node, name)

    def _call(self, node: Call, name: str) -> Node:
        args = self._check_all(node.args)
        target = node.target
        environment = self.environment
        if target is None:
            known = name.removeprefix(".")
            signatures = environment.signatures.get((known, False))
            if signatures is None:
                self._undeclared(node, name)
                self.types[node.id] = ERROR
                return node if args is node.args else Call(name, args, id=node.id, offset=node.offset)
            return self._resolved(node, known, None, args, signatures)
        qualified = _qualified(target, name)
        if qualified is not None:
            signatures = environment.signatures.get((qualified, False))
            if signatures is not None:
                return self._resolved(node, qualified, None, args, signatures)
        target = self.check(target)
        signatures = environment.signatures.get((name, True))
        if signatures is not None:
            return self._resolved(node, name, target, args, signatures)
        self.types[node.id] = ERROR
        self._undeclared(node, name)
        return node

    def _check_all(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        """Check nodes in their order; the same tuple comes back when no name was resolved."""
        checked = tuple([_CHECKS[type(node)](self, node) for node in nodes])
        return nodes if all(map(_same, checked, nodes)) else checked

    def _resolved(self, node: Call, name: str, target: Node | None, args: tuple[Node, ...], signatures: tuple[Signature, ...]) -> Node:
        """Find the overloads of a call whose parts are checked."""
        if name in self.literals.functions:
            self.literals.call(name, args)
        types = self.types
        arguments = [types[argument.id] for argument in args]
        if target is not None:
            arguments.insert(0, types[target.id])
        if name in _LOGIC:
            overloads, result = self._logic(signatures[0].id, args, arguments) if len(args) == 2 else ((), None)
        else:
            overloads, result = self._overloads(name, target is not None, arguments, signatures)
        if result is None:
            types[node.id] = ERROR
        else:
            types[node.id] = result
            self.references[node.id] = Reference(name if target is None else None, overloads)
            if overloads == _FORMAT:
                self.literals.format(node)
        if overloads == () and name not in _LOGIC:
            shown = [format_type(self.substitution.substitute(type_, to_dyn=True)) for type_ in arguments]
            receiver = f"{shown.pop(0)}." if target is not None else ""
            self.complaints.append((node.offset, f"found no matching overload for '{name}' applied to '{receiver}({', '.join(shown)})'"))
        if name is node.function and target is node.target and args is node.args:
            return node
        return Call(name, args, target, id=node.id, offset=node.offset)

    def _logic(self, overload: str, args: tuple[Node, ...], types: list[Type]) -> tuple[tuple[str, ...], Type | None]:
        """Check the operands of `&&` and `||`, each by itself."""
        result: Type | None = BOOL
        for node, type_ in zip(args, types, strict=True):
            if not self.substitution.assign(type_, BOOL):
                self._mismatch(node, BOOL, type_)
                result = None
        return (overload,), result

    def _overloads(self, name: str, member: bool, arguments: list[Type], signatures: tuple[Signature, ...]) -> tuple[tuple[str, ...], Type | None]:  # noqa: FBT001
        """Find the overloads that take some types, and the type of their result; remembered for types without variables."""
        substitution = self.substitution
        for type_ in arguments:
            if type_.generic:
                return substitution.resolve(signatures, arguments)
        memory = self.environment.resolutions
        key = (name, member, tuple(arguments))
        known = memory.get(key)
        if known is not None:
            substitution.fresh += known[2]
            return known[0], known[1]
        before = substitution.fresh
        overloads, result = substitution.resolve(signatures, arguments)
        if result is None or not result.generic:
            if len(memory) > _REMEMBERED:
                memory.clear()
            memory[key] = (overloads, result, substitution.fresh - before)
        return overloads, result

    # Literals of several values.

    def list_literal(self, node: ListExpr) -> Node:
        elements = node.elements
        checked: list[Node] = []
        common: Type | None = None
        optional = frozenset(node.optional)
        for index, element in enumerate(elements):
            made = self.check(element)
            checked.append(made)
            type_ = self.types[made.id]
            if index in optional:
                type_ = self._unwrapped(made, type_)
            common = self._join(common, type_)
        self.types[node.id] = list_of(self.substitution.variable() if common is None else common)
        if len(checked) > 0:
            self.literals.list_literal(node)
        if all(map(_same, checked, elements)):
            return node
        return ListExpr(tuple(checked), node.optional, id=node.id, offset=node.offset)

    def map_literal(self, node: MapExpr) -> Node:
        entries: list[Entry] = []
        changed = False
        key_type: Type | None = None
        value_type: Type | None = None
        for entry in node.entries:
            key = self.check(entry.key)
            key_type = self._join(key_type, self.types[key.id])
            value = self.check(entry.value)
            type_ = self.types[value.id]
            if entry.optional:
                type_ = self._unwrapped(value, type_)
            value_type = self._join(value_type, type_)
            if key is not entry.key or value is not entry.value:
                changed = True
                entry = Entry(key, value, entry.optional, id=entry.id, offset=entry.offset)  # noqa: PLW2901 - the checked form of the same entry
            entries.append(entry)
        if key_type is None or value_type is None:
            key_type, value_type = self.substitution.variable(), self.substitution.variable()
        else:
            self.literals.map_literal(node)
        self.types[node.id] = map_of(key_type, value_type)
        return MapExpr(tuple(entries), id=node.id, offset=node.offset) if changed else node

    def _unwrapped(self, node: Node, type_: Type) -> Type:
        """Give what an optional element holds."""
        if type_.kind == "optional":
            return type_.parameters[0] if type_.parameters else DYN
        if type_.kind not in ("dyn", "any"):
            self._mismatch(node, optional_of(type_), type_)
        return type_

    def _join(self, previous: Type | None, current: Type) -> Type:
        """Give the common type of elements. That they have to have one is checked last, with the other literals."""
        if previous is None:
            return current
        if self.substitution.assign(previous, current):
            return self.substitution.more_general(previous, current)
        return DYN

    def struct(self, node: StructExpr) -> Node:
        name = node.type_name.removeprefix(".")
        declared = self.environment.structs.get(name)
        if declared is None and not self.environment.local_names_first:
            declared = self._local(name) or (INT if name in self.environment.enums else None)
        elif declared is not None and not self.environment.local_names_first:
            declared = self._local(name) or declared
        if declared is None:
            self._undeclared(node, node.type_name)
            self.types[node.id] = ERROR
            return node
        self.references[node.id] = Reference(name)
        result, message = self._message(node, name, declared)
        self.types[node.id] = result
        fields = [self._initializer(field, message) for field in node.fields]
        if name is node.type_name and all(map(_same, fields, node.fields)):
            return node
        return StructExpr(name, tuple(fields), id=node.id, offset=node.offset)

    def _message(self, node: Node, name: str, declared: Type) -> tuple[Type, str]:
        """Give the type of a message literal, and the name under which its fields are found."""
        if declared.kind == "error":
            return ERROR, name
        if declared.kind != "type":
            self.complaints.append((node.offset, f"'{_declared_name(declared)}' is not a type"))
            return ERROR, name
        result = declared.parameters[0]
        if _well_known(result):
            kind = result.kind
            return result, _WELL_KNOWN[primitive_of(result).name if kind == "wrapper" else kind]
        if result.kind == "object":
            return result, result.name
        self.complaints.append((node.offset, f"'{_declared_name(result)}' is not a message type"))
        return ERROR, name

    def _initializer(self, field: FieldInit, message: str) -> FieldInit:
        value = self.check(field.value)
        expected = self._struct_field(field, message, field.field)
        type_ = self.types[value.id]
        if field.optional:
            type_ = self._unwrapped(value, type_)
        if not self.substitution.assign(expected, type_):
            self.complaints.append(
                (field.offset, f"expected type of field '{field.field}' is '{format_type(expected)}' but provided type is '{format_type(type_)}'")
            )
        return field if value is field.value else FieldInit(field.field, value, field.optional, id=field.id, offset=field.offset)

    # Loops.

    def comprehension(self, node: Comprehension) -> Node:
        substitution = self.substitution
        iter_range = self.check(node.iter_range)
        accu_init = self.check(node.accu_init)
        range_type = substitution.substitute(self.types[iter_range.id])
        accumulated = self.types[accu_init.id]
        first, second = self._variables(node, iter_range, range_type)
        self.scopes.append({node.accu_var: accumulated})
        scope = {node.iter_var: first}
        if node.iter_var2 is not None:
            scope.setdefault(node.iter_var2, second)
        self.scopes.append(scope)
        condition = self.check(node.loop_condition)
        self._assert(condition, BOOL)
        step = self.check(node.loop_step)
        self._assert(step, accumulated)
        self.scopes.pop()
        result = self.check(node.result)
        self.scopes.pop()
        self.types[node.id] = substitution.substitute(self.types[result.id])
        parts = (iter_range, accu_init, condition, step, result)
        if all(map(_same, parts, (node.iter_range, node.accu_init, node.loop_condition, node.loop_step, node.result))):
            return node
        return Comprehension(
            iter_range,
            node.iter_var,
            node.accu_var,
            accu_init,
            condition,
            step,
            result,
            node.iter_var2,
            id=node.id,
            offset=node.offset,
        )

    def _variables(self, node: Comprehension, iter_range: Node, type_: Type) -> tuple[Type, Type]:
        """Give the types of a loop's variables."""
        kind = type_.kind
        two = node.iter_var2 is not None
        if kind == "list":
            element = type_.parameters[0]
            return (INT, element) if two else (element, element)
        if kind == "map":
            return type_.parameters[0], type_.parameters[1]
        if kind in ("dyn", "error", "param"):
            self.substitution.assign(DYN, type_)
            return DYN, DYN
        self.complaints.append(
            (iter_range.offset, f"expression of type '{format_type(type_)}' cannot be range of a comprehension (must be list, map, or dynamic)")
        )
        return ERROR, ERROR

    def _assert(self, node: Node, type_: Type) -> None:
        found = self.types[node.id]
        if not self.substitution.assign(type_, found):
            self._mismatch(node, type_, found)

    def _mismatch(self, node: Node, expected: Type, found: Type) -> None:
        self.complaints.append((node.offset, f"expected type '{format_type(expected)}' but found '{format_type(found)}'"))


_REMEMBERED = 4096
_FORMAT = ("string_format",)
_DYNAMIC = frozenset(("dyn", "any", "error"))
_CHECKS: Mapping[type, Callable[[_Checker, Node], Node]] = {
    Literal: _Checker.literal,  # type: ignore[dict-item]
    Ident: _Checker.ident,  # type: ignore[dict-item]
    Select: _Checker.select,  # type: ignore[dict-item]
    Call: _Checker.call,  # type: ignore[dict-item]
    ListExpr: _Checker.list_literal,  # type: ignore[dict-item]
    MapExpr: _Checker.map_literal,  # type: ignore[dict-item]
    StructExpr: _Checker.struct,  # type: ignore[dict-item]
    Comprehension: _Checker.comprehension,  # type: ignore[dict-item]
}


def _same(left: object, right: object) -> bool:
    return left is right


def _qualifiers(node: Node) -> tuple[str, ...] | None:
    """Give the names of a chain of selections from an identifier."""
    names: list[str] = []
    while type(node) is Select and not node.test_only:
        names.append(node.field)
        node = node.operand
    if type(node) is not Ident:
        return None
    names.append(node.name)
    names.reverse()
    return tuple(names)


def _qualified(target: Node, function: str) -> str | None:
    """Give the qualified name of a function whose namespace was parsed as a receiver."""
    if type(target) is Ident:
        return f"{target.name}.{function}".removeprefix(".")
    if type(target) is Select:
        names = _qualifiers(target)
        return None if names is None else f"{'.'.join(names)}.{function}".removeprefix(".")
    return None


def _well_known(type_: Type) -> bool:
    """Tell whether a message of this type is a CEL value of another kind."""
    kind = type_.kind
    if kind == "list":
        return type_.parameters[0] == DYN
    if kind == "map":
        return type_.parameters == (STRING, DYN)
    return kind in ("any", "timestamp", "duration", "dyn", "null", "wrapper")


def _declared_name(type_: Type) -> str:
    """Name a type without its parameters."""
    return str(type_) if type_.kind == "wrapper" else type_.name
