"""
Room: which overload of a function gets a call at run time, and what it says when none does.

May touch: `values`, `types`, `library.rows`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from .values import PLAIN, CELError, Map, Value, elements, is_list, size_of, type_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .library.rows import Function, Implementation, Overload
    from .types import Type

_DYNAMIC = frozenset({"dyn", "any", "param"})


def assignable(type_: Type, value: Value) -> bool:
    """Tell whether a parameter takes a value at run time: types are erased but for the first element of a list and the first entry of a map."""
    kind = type_.kind
    if kind in _DYNAMIC:
        return True
    if kind == "wrapper":
        return value is None or assignable(type_.parameters[0], value)
    if type_.name != type_of(value).name:
        return False
    if kind == "list" and is_list(value) and size_of(value):
        return assignable(type_.parameters[0], value[0] if type(value) is tuple else value.element(0))
    if kind == "map" and isinstance(value, Map) and value.cel_size:
        first_key, first_value = next(iter(value.items()))
        return assignable(type_.parameters[0], first_key) and assignable(type_.parameters[1], first_value)
    return True


def takes(overload: Overload, arguments: Sequence[Value], *, guarded: bool) -> bool:
    """Tell whether an overload takes some arguments."""
    parameters = overload.parameters
    if len(parameters) != len(arguments):
        return False
    return all(
        not overload.strict if isinstance(argument, CELError) else not guarded or assignable(parameter, argument)
        for parameter, argument in zip(parameters, arguments, strict=True)
    )


def no_such_overload(function: str, arguments: Sequence[Value]) -> CELError:
    """Give the error of a call that no overload takes; an error among the arguments comes first."""
    for argument in arguments:
        if isinstance(argument, CELError):
            return argument
    return CELError(f"no such overload: {function}({', '.join(type_of(argument).name for argument in arguments)})")


@attrs.frozen
class Target:
    """
    What a call runs.

    Args:
        implementation: What it does; `None` when nothing is bound to the name.
        eager: All arguments are evaluated before the first error among them counts; otherwise evaluation ends at the first error.
        strict: An error in an argument is the result.
        views: The implementation takes lists that are not written out.
    """

    implementation: Implementation | None
    eager: bool
    strict: bool = True
    views: bool = False


def resolve(function: Function, overload_id: str, arguments: int) -> Target:
    """Find what a call runs, by the overload that the checker found (empty when it may be several)."""
    bound = [overload for overload in function.overloads if overload.implementation is not None]
    if not bound:
        # One implementation for all: it judges its arguments itself.
        return Target(function.implementation, arguments <= 2, views=function.views)
    chosen = next((overload for overload in bound if overload.id == overload_id), bound[0] if len(bound) == 1 else None)
    if chosen is not None:
        return Target(_guarded(function, chosen), chosen.eager and len(chosen.parameters) <= 2, chosen.strict, function.views)
    return Target(_dispatching(function, bound), eager=False, strict=all(overload.strict for overload in bound), views=function.views)


def _guarded(function: Function, overload: Overload) -> Implementation:
    return _choosing(function.name, [overload], guarded=function.guarded)


def _dispatching(function: Function, overloads: list[Overload]) -> Implementation:
    return _choosing(function.name, overloads, guarded=function.guarded)


def _choosing(name: str, overloads: list[Overload], *, guarded: bool) -> Implementation:
    #: What was chosen for arguments whose class says all: it is asked for again and again.
    chosen: dict[tuple[type, ...], Implementation] = {}

    def call(*arguments: Value) -> Value:
        classes = tuple(map(type, arguments))
        known = chosen.get(classes)
        if known is not None:
            return known(*arguments)
        for overload in overloads:
            if takes(overload, arguments, guarded=guarded):
                implementation: Implementation = overload.implementation  # type: ignore[assignment]
                if PLAIN.issuperset(classes):
                    chosen[classes] = implementation
                return implementation(*arguments)
        raise no_such_overload(name, arguments)

    return call


def written_out(arguments: Sequence[Value]) -> list[Value]:
    """Write out the lists among some arguments, for implementations that take tuples only."""
    return [elements(argument) if is_list(argument) else argument for argument in arguments]
