"""
Room: what generated code that counts calls: the steps of an evaluation that are no Python operators.

May touch: `evaluation`, `qualifiers`, `preparation`, `ledger`, `values`, `texts`, `tracker`, `quantity`, and `devices` for the device that it is
given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..quantity import Quantity
from . import evaluation as steps, qualifiers
from .ledger import exceeded
from .preparation import FALSE, TRUE, Listing, Version
from .texts import go_type
from .tracker import Uncounted
from .values import (
    NO_SUCH_OVERLOAD,
    NONE,
    Abort,
    CELError,
    Concatenation,
    ListBuilder,
    Map,
    MapBuilder,
    Optional,
    Value,
    copied,
    elements,
    is_list,
    size_of,
)

if TYPE_CHECKING:
    from ..devices import Device


class Irregular(Exception):
    """Generated code does not know what comes next would cost: the interpreter does."""


class _Units(Uncounted):
    """A tracker that only adds up."""

    __slots__ = ()

    def __init__(self) -> None:  # it has no stack
        self.cost = 0


class _Path(steps.Scope):
    """A scope in which qualifiers are counted."""

    __slots__ = ()

    def __init__(self, *, unwraps_optionals: bool) -> None:
        self.tracker = _Units()
        self.unwraps_optionals = unwraps_optionals


def walker(chain: Sequence[qualifiers.Constant], *, begins: bool, unwraps_optionals: bool) -> Callable[[Value], tuple[Value, int]]:
    """
    Give what goes along qualifiers that are constants: a value in, the value at the end and the number of units out.

    Args:
        chain: The qualifiers.
        begins: Whether a value that is optional makes all of them so.
        unwraps_optionals: See `qualifiers.unwrapped`.
    """
    qualify = list(chain)

    def walk(value: Value) -> tuple[Value, int]:
        if isinstance(value, CELError):
            return value, 0
        scope = _Path(unwraps_optionals=unwraps_optionals)
        return qualifiers.applied(scope, value, qualify, begins=begins), scope.tracker.cost

    return walk


def indexed(holder: Value, key: Value) -> Value:
    """Look up a computed index."""
    if isinstance(key, CELError):
        return key
    if type(key) not in qualifiers.QUALIFYING:
        return CELError(f"invalid qualifier type: {go_type(key)}")
    return qualifiers.look_up(holder, key, testing=False)


def there(value: Value) -> Value:
    """Give what `has` makes of what its last qualifier gave."""
    return value.present if type(value) is Optional else value


def failing(value: Value) -> CELError:
    """Give the error that something is where a bool is needed."""
    return value if isinstance(value, CELError) else CELError(NO_SUCH_OVERLOAD)


def truth(value: Value) -> Value:
    """Give a bool, else an error."""
    return value if value is True or value is False else failing(value)


def both(left: Value, right: Value) -> Value:
    """Give what a logical operator makes of two operands that do not decide."""
    return truth(right) if left is True or left is False else failing(left)


# Loops.


def entries(held: Value, names: int) -> Iterable[Any] | CELError:
    """Give what a loop with one or two names goes over: values, or pairs."""
    if isinstance(held, Map):
        return list(held.items()) if names == 2 else list(held)
    if not is_list(held):
        return CELError(f"got '{go_type(held)}', expected iterable type" if names == 1 else f"unsupported comprehension range type: {go_type(held)}")
    values = held if type(held) is Concatenation else elements(held)
    return enumerate(values) if names == 2 else values


def begun(value: Value) -> tuple[Value, bool]:
    """Give the first value of an accumulator, and whether that is a list or a map that grows."""
    if is_list(value) and not size_of(value):
        return ListBuilder(), True
    if isinstance(value, Map) and not value.cel_size:
        return MapBuilder(), True
    return value, False


def built(value: Value) -> Value:
    """Give a list or a map as one that no longer grows."""
    if type(value) is ListBuilder:
        return value.elements()
    return value.built() if type(value) is MapBuilder else value


# Devices.


def _list(value: Listing) -> tuple[Value, ...]:
    return tuple(map(real, value.items))


_REAL: Mapping[type, Callable[[Any], Value]] = {
    type(TRUE): lambda value: value is TRUE,
    Version: lambda value: value.version,
    Listing: _list,
}


def real(value: Any) -> Value:
    """Give the value of which a prepared device holds a stored form; anything else as it is."""
    form = _REAL.get(value.__class__)
    return value if form is None else form(value)


def quantity(device: Device, domain: str, id_: str) -> Quantity:
    """Give a copy of a capacity that a device has."""
    held: list[Quantity] = []
    for name, capacity in device.capacity.items():
        where, slash, rest = name.partition("/")
        if (rest == id_ and where == domain) if slash else (name == id_ and device.driver == domain):
            held.append(capacity.value)
    return copied(held[-1])


def stopped(error: Abort, cost: int) -> tuple[CELError, int]:
    """Give what an evaluation came to that ended at once."""
    return error, cost + getattr(error, "cost", 0)


#: The names of generated code, besides its constants.
NAMES: Mapping[str, Any] = {
    "__builtins__": {},
    "ABSENT": Optional.ABSENT,
    "Abort": Abort,
    "CELError": CELError,
    "FALSE": FALSE,
    "Irregular": Irregular,
    "ListBuilder": ListBuilder,
    "MapBuilder": MapBuilder,
    "NONE": NONE,
    "Optional": Optional,
    "begun": begun,
    "both": both,
    "built": built,
    "entries": entries,
    "exceeded": exceeded,
    "failing": failing,
    "indexed": indexed,
    "quantity": quantity,
    "real": real,
    "stopped": stopped,
    "there": there,
    "truth": truth,
}
