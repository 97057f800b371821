"""
Room: selections and indexing: a value and the qualifiers that lead into it, as cel-go resolves them in one go.

`device.attributes["d"].x` is one attribute: the variable `device` with three qualifiers, each of which costs a unit, as does the whole.

May touch: `ast`, `values`, `texts`, `messages`, and the scope of `evaluation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from .ast import Uint
from .messages import MessageValue
from .texts import go_type, shown
from .values import (
    INT_MAX,
    NO_SUCH_OVERLOAD,
    NONE,
    CELError,
    Concatenation,
    Map,
    NativeMap,
    Optional,
    Value,
    elements,
    is_list,
    size_of,
    type_of,
)

if TYPE_CHECKING:
    from .evaluation import Scope, Step

#: What a qualifier may be made of.
QUALIFYING = (str, int, Uint, bool, float)
#: Library values that have no form outside of cel-go: what it says when it meets them there.
_NATIVE_TYPES = {
    "kubernetes.Quantity": "*resource.Quantity",
    "kubernetes.Semver": "semver.Version",
    "kubernetes.URL": "*url.URL",
    "net.IP": "netip.Addr",
    "net.CIDR": "netip.Prefix",
}


def unwrapped(value: Value) -> Value:
    """
    Give what is left of an optional's value in cel-go 0.26, which takes the Go value out of the CEL value and wraps that again.

    Library values do not survive it, types become their names, and a map loses its default.
    """
    if isinstance(value, NativeMap):
        return value.plain
    kind = type(value)
    if kind is Optional:
        return unwrapped(value.value) if value.present else None
    if kind is Concatenation:
        return tuple(map(unwrapped, elements(value)))
    if isinstance(value, CELError):
        return CELError(f"unsupported conversion to ref.Val: (*errors.errorString){value.message}")
    type_ = type_of(value)
    if type_.name == "type":
        return value.name
    native = _NATIVE_TYPES.get(type_.name)
    return value if native is None else CELError(f"unsupported conversion to ref.Val: ({native}){shown(value)}")


def index_of(index: Value) -> int | CELError:
    """Give a list index: a whole number of any type."""
    kind = type(index)
    if kind is int:
        return index  # type: ignore[no-any-return]
    if kind is Uint and index <= INT_MAX:
        return int(index)
    if kind is float and -(2.0**63) < index < 2.0**63 and index == int(index):
        return int(index)
    if kind in (Uint, float):
        return CELError(f"unsupported index value {shown(index)} in list")
    return CELError(f"unsupported index type '{type_of(index)}' in list")


def look_up(holder: Value, key: Value, *, testing: bool) -> Value:
    """Give what stands at a key or an index: a value, an error, or `Optional.ABSENT` when only presence is tested."""
    if isinstance(holder, Map):
        found = holder.find(key)
        if found is not Optional.ABSENT:
            return found
        return found if testing else CELError(f"no such key: {shown(key)}")
    if is_list(holder):
        index = index_of(key)
        if isinstance(index, CELError):
            return index
        if 0 <= index < size_of(holder):
            return holder[index] if type(holder) is tuple else holder.element(index)
        return Optional.ABSENT if testing else CELError(f"index out of bounds: {shown(key)}")
    if isinstance(holder, CELError):
        return holder
    if isinstance(holder, MessageValue):
        return CELError(f"no such field '{shown(key)}'")
    return Optional.ABSENT if testing else CELError(f"no such key: {shown(key)}")


class Constant:
    """
    A field, or an index that is a constant.

    Args:
        id_: The node of the whole selection.
        key: The field or the index.
        optional: Whether it was written `.?` or `[?]`.
    """

    __slots__ = ("id", "key", "optional")

    def __init__(self, id_: int, key: Value, *, optional: bool) -> None:
        """Keep all that."""
        self.id, self.key, self.optional = id_, key, optional

    def qualify(self, scope: Scope, holder: Value) -> Value:
        """Give the value or an error: both cost."""
        value = look_up(holder, self.key, testing=False)
        tracker = scope.tracker
        tracker.cost += 1
        tracker.push(self.id, value)
        return value

    def qualify_if_present(self, scope: Scope, holder: Value) -> Value:
        """Give the value, an error, or `Optional.ABSENT`: only a value costs."""
        value = look_up(holder, self.key, testing=True)
        if value is not Optional.ABSENT and not isinstance(value, CELError):
            tracker = scope.tracker
            tracker.cost += 1
            tracker.push(self.id, value)
        return value


class Presence(Constant):
    """The last field of `has(…)`."""

    __slots__ = ()

    def __init__(self, id_: int, key: Value) -> None:
        """Keep the field."""
        super().__init__(id_, key, optional=False)

    def qualify(self, scope: Scope, holder: Value) -> Value:
        """Tell whether the field is there."""
        value = look_up(holder, self.key, testing=True)
        if not isinstance(value, CELError):
            value = value is not Optional.ABSENT
        tracker = scope.tracker
        tracker.cost += 1
        tracker.push(self.id, value)
        return value


class Computed:
    """
    An index that is computed.

    Args:
        id_: The node of the whole index operation.
        attribute: What gives the index.
        optional: Whether it was written `[?]`.
        relative: The index is a call or the like, whose value is on the tracker's stack and comes off.
    """

    __slots__ = ("attribute", "id", "optional", "relative")

    def __init__(self, id_: int, attribute: Attribute, *, optional: bool, relative: bool) -> None:
        """Keep the attribute."""
        self.id, self.attribute, self.optional, self.relative = id_, attribute, optional, relative

    def _value(self, scope: Scope, holder: Value, *, testing: bool) -> Value:
        key = self.attribute.resolve(scope)
        if isinstance(key, CELError):
            return key
        if type(key) not in QUALIFYING:
            return CELError(f"invalid qualifier type: {go_type(key)}")
        return look_up(holder, key, testing=testing)

    def _note(self, scope: Scope, value: Value) -> None:
        tracker = scope.tracker
        if self.relative:
            tracker.drop(self.id)
        tracker.cost += 1
        tracker.push(self.id, value)

    def qualify(self, scope: Scope, holder: Value) -> Value:
        """Give the value or an error: both cost."""
        value = self._value(scope, holder, testing=False)
        self._note(scope, value)
        return value

    def qualify_if_present(self, scope: Scope, holder: Value) -> Value:
        """Give the value, an error, or `Optional.ABSENT`: only a value costs."""
        value = self._value(scope, holder, testing=True)
        if value is not Optional.ABSENT and not isinstance(value, CELError):
            self._note(scope, value)
        return value


class Attribute(Protocol):
    """A value that qualifiers are added to."""

    @property
    def id(self) -> int:
        """The node that it stands for: that of the last qualifier, else its own."""
        ...

    def add(self, qualifier: Constant | Computed) -> None:
        """Add a qualifier."""

    def resolve(self, scope: Scope) -> Value:
        """Give the value at the end, or an error."""


def applied(scope: Scope, value: Value, qualifiers: Sequence[Constant | Computed], *, begins: bool = True) -> Value:
    """
    Go along qualifiers. From an optional value, or an optional qualifier, on, everything is optional.

    Args:
        scope: Where they are evaluated.
        value: Where they begin.
        qualifiers: They are.
        begins: They are the first ones; later ones do not ask whether the value itself is optional.
    """
    optional = begins and type(value) is Optional
    if optional:
        if not value.present:
            return value
        value = unwrapped(value.value) if scope.unwraps_optionals else value.value
    for qualifier in qualifiers:
        optional = optional or qualifier.optional
        if optional:
            value = qualifier.qualify_if_present(scope, value)
            if value is Optional.ABSENT:
                return NONE
        else:
            value = qualifier.qualify(scope, value)
        if isinstance(value, CELError):
            return value
    return Optional(value) if optional else value


class Qualified:
    """A value with qualifiers that are applied one after the other."""

    __slots__ = ("_id", "qualifiers")

    def __init__(self, id_: int) -> None:
        """Begin without qualifiers."""
        self._id = id_
        self.qualifiers: list[Constant | Computed] = []

    @property
    def id(self) -> int:
        """The last qualifier's node, else its own."""
        return self.qualifiers[-1].id if self.qualifiers else self._id

    def add(self, qualifier: Constant | Computed) -> None:
        """Add a qualifier."""
        self.qualifiers.append(qualifier)


class Variable(Qualified):
    """
    A variable with qualifiers.

    Args:
        id_: Its node.
        name: Its name; with a leading dot where only the global scope counts.
    """

    __slots__ = ("name", "outermost")

    def __init__(self, id_: int, name: str) -> None:
        """Begin without qualifiers."""
        super().__init__(id_)
        self.outermost = name.startswith(".")
        self.name = name.removeprefix(".")

    def resolve(self, scope: Scope) -> Value:
        """Look the variable up and go along the qualifiers."""
        where = scope.globals() if self.outermost else scope
        value = where.variable(self.name)
        if value is Optional.ABSENT:
            return CELError(f"no such attribute(s): {self.name}")
        if isinstance(value, CELError):
            return value
        return applied(where, value, self.qualifiers)


class Relative(Qualified):
    """The value of a step with qualifiers."""

    __slots__ = ("step",)

    def __init__(self, id_: int, step: Step) -> None:
        """Begin without qualifiers."""
        super().__init__(id_)
        self.step = step

    def resolve(self, scope: Scope) -> Value:
        """Evaluate the step and go along the qualifiers."""
        value = self.step.evaluate(scope)
        if isinstance(value, CELError):
            return value
        return applied(scope, value, self.qualifiers)


class Conditional:
    """`condition ? yes : no`, where qualifiers go to both branches."""

    __slots__ = ("_id", "condition", "no", "yes")

    def __init__(self, id_: int, condition: Step, yes: Attribute, no: Attribute) -> None:
        """Keep the three parts."""
        self._id, self.condition, self.yes, self.no = id_, condition, yes, no

    @property
    def id(self) -> int:
        """The node of a qualifier after the whole, else its own."""
        return self.yes.id if self.yes.id == self.no.id else self._id

    def add(self, qualifier: Constant | Computed) -> None:
        """Add a qualifier to both branches."""
        self.yes.add(qualifier)
        self.no.add(qualifier)

    def resolve(self, scope: Scope) -> Value:
        """Evaluate the condition and one branch."""
        condition = self.condition.evaluate(scope)
        if condition is True:
            return self.yes.resolve(scope)
        if condition is False:
            return self.no.resolve(scope)
        return condition if isinstance(condition, CELError) else CELError(NO_SUCH_OVERLOAD)
