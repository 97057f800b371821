"""
Room: when a type fits another, and what type variables then stand for.

cel-go's rules: `dyn` fits everything, null fits objects, lists and maps fit by their parts, and a variable is bound to the most general type it met.
Bindings of an attempt that fails are taken back.

May touch: `types`, and the signatures of `environment`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .types import DYN, Type, parameter

if TYPE_CHECKING:
    from .environment import Signature

_DYNAMIC = frozenset(("dyn", "any"))
_WILD = frozenset(("dyn", "any", "error"))
#: Kinds of which null is a value, for historic reasons.
_NULLABLE = frozenset(("opaque", "optional", "object", "any", "duration", "timestamp", "wrapper", "null"))
_BY_PARTS = frozenset(("opaque", "optional", "list", "map"))
_SIMPLE = frozenset(("primitive", "wrapper", "duration", "timestamp", "object"))
_SHOWN = {"any": "any", "duration": "duration", "error": "!error!", "null": "null", "timestamp": "timestamp"}


def format_type(type_: Type) -> str:
    """Render a type as error texts do."""
    shown = _SHOWN.get(type_.kind)
    if shown is not None:
        return shown
    if not type_.parameters:
        return type_.name
    return f"{type_.name}({', '.join(map(format_type, type_.parameters))})"


def primitive_of(type_: Type) -> Type:
    """Give the type without the wrapper that makes it nullable."""
    return type_.parameters[0] if type_.kind == "wrapper" else type_


def exact(left: Type, right: Type) -> bool:
    """Tell whether two types are the same; a wrapper is the same as what it wraps."""
    if left is right or left == right:
        return True
    left, right = primitive_of(left), primitive_of(right)
    if left.kind != right.kind or left.name != right.name or len(left.parameters) != len(right.parameters):
        return False
    return all(map(exact, left.parameters, right.parameters))


class Substitution:
    """
    What the type variables of one expression stand for.

    Attributes:
        fresh: Number of the next fresh variable.
    """

    __slots__ = ("_bound", "_trail", "fresh")

    def __init__(self) -> None:
        """Begin without bindings."""
        self._bound: dict[str, Type] = {}
        self._trail: list[tuple[str, Type | None]] = []
        self.fresh = 0

    def variable(self) -> Type:
        """Make a fresh type variable."""
        number = self.fresh
        self.fresh = number + 1
        return parameter(f"_var{number}")

    def substitute(self, type_: Type, *, to_dyn: bool = False) -> Type:
        """Replace variables by what they stand for, and with `to_dyn` the free ones by `dyn`."""
        if not type_.generic:
            return type_
        if type_.kind == "param":
            bound = self._bound.get(type_.name)
            if bound is not None:
                return self.substitute(bound, to_dyn=to_dyn)
            return DYN if to_dyn else type_
        return Type(type_.name, tuple([self.substitute(part, to_dyn=to_dyn) for part in type_.parameters]), type_.kind)

    def assign(self, left: Type, right: Type) -> bool:
        """Tell whether a `right` may stand where a `left` is expected, and bind what that needs."""
        if not left.generic and not right.generic:
            return self._fits(left, right)
        mark = len(self._trail)
        if self._fits(left, right):
            return True
        self._undo(mark)
        return False

    def resolve(self, signatures: tuple[Signature, ...], arguments: list[Type]) -> tuple[tuple[str, ...], Type | None]:
        """Find all overloads that take some types, and the type of their result; `()` and `None` when there is none."""
        found: list[str] = []
        result: Type | None = None
        for signature in signatures:
            parameters, given = signature.parameters, signature.result
            if signature.letters:
                fresh = {letter: self.variable() for letter in signature.letters}
                parameters = tuple([_instance(type_, fresh) for type_ in parameters])
                given = _instance(given, fresh)
            if not self._assign_all(arguments, parameters):
                continue
            found.append(signature.id)
            given = self.substitute(given)
            if result is None:
                result = given
            elif result.kind not in _DYNAMIC and not exact(given, result):
                result = DYN
        return tuple(found), result

    def more_general(self, left: Type, right: Type) -> Type:
        """Give the more general of two types that fit."""
        return left if _less_specific(left, right) else right

    def _assign_all(self, lefts: list[Type], rights: tuple[Type, ...]) -> bool:
        if len(lefts) != len(rights):
            return False
        mark = len(self._trail)
        if all(map(self._fits, lefts, rights)):
            return True
        self._undo(mark)
        return False

    def _undo(self, mark: int) -> None:
        """Take back the bindings made since a mark."""
        trail = self._trail
        while len(trail) > mark:
            name, before = trail.pop()
            if before is None:
                del self._bound[name]
            else:
                self._bound[name] = before

    def _bind(self, name: str, type_: Type) -> None:
        self._trail.append((name, self._bound.get(name)))
        self._bound[name] = type_

    def _fits(self, left: Type, right: Type) -> bool:
        """Tell whether one type fits another."""
        left_kind, right_kind = left.kind, right.kind
        if right_kind == "param":
            valid, bound = self._stands_for(left, right)
            if valid or bound:
                return valid
        if left_kind == "param":
            return self._stands_for(right, left)[0]
        if left_kind in _WILD or right_kind in _WILD:
            return True
        if left_kind == "null":
            return right_kind in _NULLABLE
        if right_kind == "null":
            return left_kind in _NULLABLE
        if left_kind in _SIMPLE:
            return primitive_of(left) == primitive_of(right)
        if left_kind == "type":
            return right_kind == "type"
        if left_kind in _BY_PARTS:
            return (
                left_kind == right_kind
                and left.name == right.name
                and len(left.parameters) == len(right.parameters)
                and all(map(self._fits, left.parameters, right.parameters))
            )
        return False

    def _stands_for(self, type_: Type, variable: Type) -> tuple[bool, bool]:
        """Tell whether a variable can stand for a type, and whether it stands for something already."""
        if type_ == variable:
            return True, True
        bound = self._bound.get(variable.name)
        if bound is not None:
            if exact(type_, bound):
                return True, True
            if self._fits(type_, bound):
                general = self.more_general(type_, bound)
                if self._independent(variable, general):
                    self._bind(variable.name, general)
                return True, True
            return False, True
        if self._independent(variable, type_):
            self._bind(variable.name, type_)
            return True, False
        return False, False

    def _independent(self, variable: Type, within: Type) -> bool:
        """Tell whether a variable does not stand within a type."""
        if not within.generic:
            return True
        if within == variable:
            return False
        if within.kind == "param":
            bound = self._bound.get(within.name)
            return bound is None or self._independent(variable, bound)
        return all(self._independent(variable, part) for part in within.parameters)


def _instance(type_: Type, fresh: dict[str, Type]) -> Type:
    """Put fresh variables into a signature's type."""
    if not type_.generic:
        return type_
    if type_.kind == "param":
        return fresh[type_.name]
    return Type(type_.name, tuple([_instance(part, fresh) for part in type_.parameters]), type_.kind)


def _less_specific(left: Type, right: Type) -> bool:
    """Tell whether one type is as general as another, or more so."""
    left_kind, right_kind = left.kind, right.kind
    if left_kind in _DYNAMIC or left_kind == "param":
        return True
    if right_kind in _DYNAMIC or right_kind == "param":
        return False
    left, right = primitive_of(left), primitive_of(right)
    if left.kind != right.kind:
        return False
    if left.kind in _BY_PARTS:
        alike = left.name == right.name and len(left.parameters) == len(right.parameters)
        return alike and all(map(_less_specific, left.parameters, right.parameters))
    return left.kind == "type" or exact(left, right)
