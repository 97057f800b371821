"""
Room: the values that expressions work on: which Python class stands for which CEL type, when two are equal, how they are ordered.

| CEL | Python | CEL | Python |
|---|---|---|---|
| null | `None` | bytes | `bytes` |
| bool | `bool` | list | `tuple`, or a `ListView` inside one evaluation |
| int | `int` | map | `Map` |
| uint | `Uint` | optional | `Optional` |
| double | `float` | timestamp, duration | `Timestamp`, `Duration` |
| string | `str` | type | `Type` |

`Quantity` and `Semver` stand for themselves. Other library values are classes with `cel_type`, `cel_equal(other)` and, when they have a size,
`cel_size`; `cel_key` is what they are found by as the key of a map.
Errors are values too while an expression is evaluated, since `&&`, `||` and macros absorb them.

May touch: `types`, `texts`, `ast` for `Uint`, `quantity`, `semver`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from typing import Any, ClassVar, TypeAlias

import attrs

from ..quantity import Quantity
from ..semver import Semver
from . import types
from .ast import Uint

#: Any of the above.
Value: TypeAlias = Any

INT_MIN, INT_MAX, UINT_MAX = -(2**63), 2**63 - 1, 2**64 - 1
#: Seconds since 1970 of the first and the last second that a timestamp can stand for: years 1 to 9999.
TIMESTAMP_MIN, TIMESTAMP_MAX = -62_135_596_800, 253_402_300_799
#: How long a list may be that is written out in memory: longer ones exist as views, and whatever looks at all of their elements costs too much.
MOST_ELEMENTS = 2_000_000

NO_SUCH_OVERLOAD = "no such overload"
COST_LIMIT = "operation cancelled: actual cost limit exceeded"


class CELError(Exception):
    """
    An error of CEL: an implementation raises it, an evaluation hands it on as a value. It never leaves `cel`.

    Args:
        message: cel-go's text.
    """

    def __init__(self, message: str) -> None:
        """Keep the text."""
        super().__init__(message)
        self.message = message


class Abort(CELError):
    """What ends an evaluation at once, where `||` and the like absorb nothing: Go panics there."""


class CostLimitExceeded(Abort):
    """
    The cost limit is exceeded, or certainly will be by the call that raises this.

    Args:
        cost: What the call that raises this would have cost; it is added to the cost reported.
    """

    def __init__(self, cost: int = 0) -> None:
        """Keep the cost."""
        super().__init__(COST_LIMIT)
        self.cost = cost


class Panic(Abort):
    """A panic of the Go code, as cel-go reports it."""

    def __init__(self, message: str) -> None:
        """Put cel-go's words before Go's."""
        super().__init__(f"internal error: {message}")


@attrs.frozen(slots=True, order=True)
class Timestamp:
    """
    A moment.

    Args:
        nanoseconds: Since 1970-01-01T00:00:00Z.
        offset: Seconds east of UTC of the zone that it was written in; it shows in its text only.
    """

    nanoseconds: int
    offset: int = attrs.field(default=0, eq=False, order=False)


@attrs.frozen(slots=True, order=True)
class Duration:
    """
    A length of time.

    Args:
        nanoseconds: A signed 64-bit number.
    """

    nanoseconds: int


@attrs.frozen(slots=True, eq=False)
class Optional:
    """
    A value that may not be there.

    Args:
        value: The value; `ABSENT` for `optional.none()`. It may be an error, which shows when it is taken out.
    """

    ABSENT: ClassVar[object] = object()

    value: Value = ABSENT

    @property
    def present(self) -> bool:
        """Whether there is a value."""
        return self.value is not Optional.ABSENT

    def get(self) -> Value:
        """Give the value, or the error that says that there is none."""
        return self.value if self.present else CELError("optional.none() dereference")


NONE = Optional()


class ListView:
    """A list that is not written out: a concatenation, or the list that a macro is building."""

    __slots__ = ()
    cel_type = types.list_of(types.DYN)

    @property
    def cel_size(self) -> int:
        """Number of elements."""
        raise NotImplementedError

    def element(self, index: int) -> Value:
        """Give an element by an index that is in range."""
        raise NotImplementedError

    def elements(self) -> tuple[Value, ...]:
        """Write the list out."""
        raise NotImplementedError


class Concatenation(ListView):
    """Two lists one after the other: made at a fixed cost, however long they are."""

    __slots__ = ("_elements", "_size", "left", "right")

    def __init__(self, left: tuple[Value, ...] | ListView, right: tuple[Value, ...] | ListView) -> None:
        """Keep both; the size is that of now, should the left one be a list that is still being built."""
        self.left, self.right = left, right
        self._size = size_of(left) + size_of(right)
        if self._size > INT_MAX:
            raise Panic("interface conversion: ref.Val is *types.Err, not types.Int")
        self._elements: tuple[Value, ...] | None = None

    @property
    def cel_size(self) -> int:
        """Number of elements."""
        return self._size

    def element(self, index: int) -> Value:
        """Give an element by walking down the side that holds it."""
        at: Value = self
        while type(at) is Concatenation:
            middle = size_of(at.left)
            at, index = (at.left, index) if index < middle else (at.right, index - middle)
        return at[index] if type(at) is tuple else at.element(index)

    def __iter__(self) -> Iterator[Value]:
        """Go over the elements without writing the list out."""
        waiting: list[Value] = [self]
        while waiting:
            part = waiting.pop()
            if type(part) is Concatenation:
                waiting += (part.right, part.left)
            else:
                yield from elements(part)

    def elements(self) -> tuple[Value, ...]:
        """Write the list out, once."""
        if self._elements is None:
            if self._size > MOST_ELEMENTS:
                raise CostLimitExceeded(self._size)
            self._elements = tuple(self)
        return self._elements


class ListBuilder(ListView):
    """
    The list that a macro builds: `+` appends to it in place.

    cel-go makes one of every empty list that an accumulator starts with, that of `cel.bind(x, [], …)` too, and so do we.
    """

    __slots__ = ("items",)

    def __init__(self) -> None:
        """Begin without elements."""
        self.items: list[Value] = []

    @property
    def cel_size(self) -> int:
        """Number of elements so far."""
        return len(self.items)

    def element(self, index: int) -> Value:
        """Give an element."""
        return self.items[index]

    def elements(self) -> tuple[Value, ...]:
        """Write out what is there now."""
        return tuple(self.items)

    def extend(self, other: tuple[Value, ...] | ListView) -> ListBuilder:
        """
        Append all elements of a list.

        Raises:
            CostLimitExceeded: The list becomes longer than anything that could look at it may be.
        """
        if len(self.items) + size_of(other) > MOST_ELEMENTS:
            raise CostLimitExceeded(size_of(other))
        self.items += elements(other)
        return self


class Map:
    """
    A map. Keys keep their CEL type: `1`, `1u`, `1.0` and `true` are four keys; a number finds a whole number of another type.

    Args:
        entries: Keys and values; a later entry replaces an earlier one with an equal key.
    """

    __slots__ = ("_keys", "_values")
    cel_type = types.map_of(types.DYN, types.DYN)

    def __init__(self, entries: Iterator[tuple[Value, Value]] | list[tuple[Value, Value]] | tuple[tuple[Value, Value], ...] = ()) -> None:
        """Take the entries in their order."""
        self._values: dict[Hashable, Value] = {}
        self._keys: dict[Hashable, Value] = {}
        for key, value in entries:
            self.put(key, value)

    def put(self, key: Value, value: Value) -> None:
        """Set an entry while the map is made."""
        slot = _slot(key)
        self._values[slot] = value
        self._keys.setdefault(slot, key)

    def remove(self, key: Value) -> None:
        """Remove an entry, if it is there, while the map is made."""
        slot = _slot(key)
        self._values.pop(slot, None)
        self._keys.pop(slot, None)

    def contains_exactly(self, key: Value) -> bool:
        """Tell whether a key is there with its type."""
        return _slot(key) in self._values

    @property
    def cel_size(self) -> int:
        """Number of entries."""
        return len(self._values)

    def __iter__(self) -> Iterator[Value]:
        """Go over the keys; Go's order is random, ours is that of insertion."""
        return iter(self._keys.values())

    def items(self) -> Iterator[tuple[Value, Value]]:
        """Go over keys and values."""
        return zip(self._keys.values(), self._values.values(), strict=True)

    def held(self, key: Value) -> Value:
        """
        Give the value of a key that is there, `Optional.ABSENT` otherwise.

        Raises:
            Panic: The key can be none in Go.
        """
        values = self._values
        if not values:
            return Optional.ABSENT
        found = values.get(_slot(key), Optional.ABSENT)
        if found is Optional.ABSENT and type(key) in (int, float, Uint):
            for other in _same_number(key):
                found = values.get((type(other), other), Optional.ABSENT)
                if found is not Optional.ABSENT:
                    break
        return found

    def find(self, key: Value) -> Value:
        """Give what looking up a key gives: like `held`, but for maps with a default."""
        return self.held(key)

    def inserted(self, key: Value, value: Value) -> Map:
        """
        Give the map with one entry more.

        Raises:
            CELError: The key is there.
        """
        if self.held(key) is not Optional.ABSENT:
            raise _taken(key)
        larger = Map(((key, value),))
        for other_key, other_value in self.items():
            larger.put(other_key, other_value)
        return larger


class MapBuilder(Map):
    """The map that a macro builds: an insertion changes it in place."""

    __slots__ = ()

    def inserted(self, key: Value, value: Value) -> Map:
        """Insert in place."""
        if self.held(key) is not Optional.ABSENT:
            raise _taken(key)
        self.put(key, value)
        return self

    def built(self) -> Map:
        """Give the map as one that no longer changes."""
        return Map(self.items())


class NativeMap(Map):
    """
    A map of a device: its keys are strings, and everything else is simply not found in it.

    Args:
        entries: Keys and values.
        default: What looking up an unknown key gives; `None` without one. `in` does not see it.
    """

    __slots__ = ("default",)

    def __init__(self, entries: dict[str, Value], *, default: Map | None = None) -> None:
        """Take the dictionary as it is."""
        self._values = self._keys = entries  # type: ignore[assignment]
        self.default = default

    @property
    def plain(self) -> NativeMap:
        """The map without its default."""
        return self if self.default is None else NativeMap(self._values)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Value]:
        """Go over the keys."""
        return iter(self._values)

    def items(self) -> Iterator[tuple[Value, Value]]:
        """Go over keys and values."""
        return iter(self._values.items())

    def held(self, key: Value) -> Value:
        """Give the value of a key that is there."""
        return self._values.get(key, Optional.ABSENT) if type(key) is str else Optional.ABSENT

    def find(self, key: Value) -> Value:
        """Give the value of a key, or the default."""
        found = self.held(key)
        return self.default if found is Optional.ABSENT and self.default is not None else found


def _taken(key: Value) -> CELError:
    # `texts` stands above this room, since it writes these values.
    from .texts import shown

    return CELError(f"insert failed: key {shown(key)} already exists")


class _Same:
    """A key that is compared by identity, as Go compares pointers."""

    __slots__ = ("key",)

    def __init__(self, key: Value) -> None:
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.key is other.key

    def __hash__(self) -> int:
        return id(self.key)


def _slot(key: Value) -> Hashable:
    """Give what stands for a key in a dictionary."""
    kind: type[Any] = type(key)
    if kind is str:
        return key  # type: ignore[no-any-return]
    if kind in (int, bool, Uint, type(None), Duration):
        return (kind, key)
    if kind is float:
        return (kind, key) if key == key else object()  # noqa: PLR0124 - a NaN equals nothing, not even itself
    if kind is types.Type:
        return (kind, key.name)
    if kind is Timestamp and not key.offset % 3600 and -12 <= key.offset // 3600 <= 14:
        return (kind, key, key.offset)  # Go makes the zones of whole hours once, and others anew each time
    if kind in _UNHASHABLE:
        raise Panic(f"runtime error: hash of unhashable type {_UNHASHABLE[kind]}")
    if key == ():
        return object()  # Python has one empty tuple, Go has many empty lists
    own: Hashable = getattr(key, "cel_key", None)
    return _Same(key) if own is None else (kind, own)


#: What can be no key of a Go map: it panics.
_UNHASHABLE = {bytes: "types.Bytes", Semver: "cel.Semver"}


def _same_number(key: Value) -> Iterator[Value]:
    """Give the numbers of other types that a map may hold in place of a number, in the order in which they are tried."""
    kind: type[Any] = type(key)
    if kind is int:
        if key >= 0:
            yield Uint(key)
    elif kind is Uint:
        if key <= INT_MAX:
            yield int(key)
    elif math.isfinite(key) and key == int(key):
        # The least int is out of range, since Go's check is for more than it.
        if -(2.0**63) < key < 2.0**63:
            yield int(key)
        if 0 <= key < 2.0**64:
            yield Uint(key)


# What a value is.

_TYPES: dict[type, types.Type] = {
    type(None): types.NULL,
    bool: types.BOOL,
    int: types.INT,
    Uint: types.UINT,
    float: types.DOUBLE,
    str: types.STRING,
    bytes: types.BYTES,
    tuple: types.list_of(types.DYN),
    Optional: types.Type("optional_type", (), "optional"),
    Timestamp: types.TIMESTAMP,
    Duration: types.DURATION,
    types.Type: types.TYPE,
    Quantity: types.QUANTITY,
    Semver: types.SEMVER,
}


#: The classes whose values are neither errors nor hold others: the class says which overloads take them.
PLAIN = frozenset({type(None), bool, int, Uint, float, str, bytes, Timestamp, Duration, Quantity, Semver})


def type_of(value: Value) -> types.Type:
    """Give a value's type at run time, where the parameters of containers are unknown."""
    found = _TYPES.get(type(value))
    if found is None:
        found = value.cel_type
    return found


def is_list(value: Value) -> bool:
    """Whether a value is a list."""
    return type(value) is tuple or isinstance(value, ListView)


def elements(value: Value) -> tuple[Value, ...]:
    """
    Write a list out.

    Raises:
        CostLimitExceeded: It is longer than anything that could look at it may be.
    """
    return value if type(value) is tuple else value.elements()


def size_of(value: Value) -> int:
    """Give the size that cel-go's cost tracker sees: code points, bytes, elements, entries; that of what an optional holds; 1 of what has none."""
    while type(value) is Optional and value.present:
        value = value.value
    plain: Any = value
    if type(plain) in (str, tuple, bytes):
        return len(plain)
    own: int = getattr(value, "cel_size", 1)
    return own


def copied(quantity: Quantity) -> Quantity:
    """Give a quantity of its own: some functions change theirs."""
    fresh: Quantity = object.__new__(Quantity)
    put = object.__setattr__
    put(fresh, "number", quantity.number)
    put(fresh, "format", quantity.format)
    put(fresh, "scale", quantity.scale)
    put(fresh, "text", quantity.text)
    return fresh


# Equality.


def equal(left: Value, right: Value) -> bool:
    """
    Tell whether two values are equal.

    Raises:
        CELError: They cannot be compared: the left one is a `Semver`, a `Quantity` or the like, and the right one is not.
    """
    result = equality(left, right)
    if isinstance(result, CELError):
        raise result
    return result


def equality(left: Value, right: Value) -> bool | CELError:
    """Tell whether two values are equal, with an error as a value."""
    if left is None or right is None:
        return left is right
    return receiver_equality(left, right)


def receiver_equality(left: Value, right: Value) -> bool | CELError:
    """Ask the left value, as some of Go's code does without the care for null."""
    rule = _EQUALITY.get(type(left))
    if rule is not None:
        return rule(left, right)
    if isinstance(left, Map):
        return _equal_maps(left, right)
    try:
        own: bool = left.cel_equal(right)
    except CELError as error:
        return error
    return own


def _equal_plain(left: Value, right: Value) -> bool:
    return type(left) is type(right) and left == right


def _equal_number(left: float, right: Value) -> bool:
    kind: type[Any] = type(right)
    if kind is type(left):
        return left == right  # type: ignore[no-any-return]
    if kind is float or type(left) is float:
        return kind in (int, Uint, float) and left == left and right == right and order_numbers(left, right) == 0  # noqa: PLR0124
    return kind in (int, Uint) and int(left) == int(right)


#: What is known of the pairs of values inside two that are being compared, by their identities: a list may stand at very many places of another.
_Known: TypeAlias = "dict[tuple[int, int], bool | CELError]"


def _equal_lists(left: Value, right: Value, known: _Known | None = None) -> bool | CELError:
    if not is_list(right) or size_of(left) != size_of(right):
        return False
    failure: CELError | None = None
    for one, other in zip(elements(left), elements(right), strict=True):
        if isinstance(one, _HOLDERS):
            known = {} if known is None else known
            same = _equal_held(one, other, known)
        else:
            same = equality(one, other)
        if same is False:
            return False
        # A plain list takes elements that cannot be compared for equal; only a concatenation reports them.
        if failure is None and same is not True and type(left) is Concatenation:
            failure = same
    return True if failure is None else failure


def _equal_maps(left: Map, right: Value, known: _Known | None = None) -> bool:
    if not isinstance(right, Map) or left.cel_size != right.cel_size:
        return False
    for key, value in left.items():
        other = right.find(key)
        if other is Optional.ABSENT:
            return False
        if isinstance(value, _HOLDERS):
            known = {} if known is None else known
            same = _equal_held(value, other, known)
        else:
            same = equality(value, other)
        if same is False:
            return False
    return True


def _equal_optionals(left: Optional, right: Value, known: _Known | None = None) -> bool | CELError:
    if type(right) is not Optional or left.present is not right.present:
        return False
    if not left.present:
        return True
    if isinstance(left.value, CELError):
        return left.value
    if isinstance(right.value, CELError):
        return False
    if left.value is None:
        return right.value is None
    if isinstance(left.value, _HOLDERS):
        return _equal_held(left.value, right.value, {} if known is None else known)
    return receiver_equality(left.value, right.value)


#: What holds other values.
_HOLDERS = (tuple, ListView, Map, Optional)


def _equal_held(left: Value, right: Value, known: _Known) -> bool | CELError:
    """Compare a value that holds others, inside another such; each pair once."""
    pair = id(left), id(right)
    same = known.get(pair)
    if same is None:
        if isinstance(left, Map):
            same = _equal_maps(left, right, known)
        elif isinstance(left, Optional):
            same = _equal_optionals(left, right, known)
        else:
            same = _equal_lists(left, right, known)
        known[pair] = same
    return same


def _equal_types(left: types.Type, right: Value) -> bool:
    return isinstance(right, types.Type) and left.name == right.name


def _equal_quantities(left: Quantity, right: Value) -> bool | CELError:
    return left == right if type(right) is Quantity else CELError(NO_SUCH_OVERLOAD)


def _equal_semvers(left: Semver, right: Value) -> bool | CELError:
    return left.equivalent(right) if type(right) is Semver else CELError(NO_SUCH_OVERLOAD)


_EQUALITY: dict[type, Callable[[Value, Value], bool | CELError]] = {
    type(None): _equal_plain,
    bool: _equal_plain,
    int: _equal_number,
    Uint: _equal_number,
    float: _equal_number,
    str: _equal_plain,
    bytes: _equal_plain,
    tuple: _equal_lists,
    Concatenation: _equal_lists,
    ListBuilder: _equal_lists,
    Optional: _equal_optionals,
    Timestamp: _equal_plain,
    Duration: _equal_plain,
    types.Type: _equal_types,
    Quantity: _equal_quantities,
    Semver: _equal_semvers,
}


# Order.


def order_numbers(left: float, right: float) -> int:
    """Compare two numbers that are no NaN: by value, but in double precision as soon as one is a double."""
    if type(left) is float or type(right) is float:
        return _order_doubles(left, right)
    return (int(left) > int(right)) - (int(left) < int(right))


def _order_doubles(left: float, right: float) -> int:
    if type(left) is not float:
        return -_order_doubles(right, left)
    if type(right) is int and not -(2.0**63) <= left <= 2.0**63:
        return 1 if left > 0 else -1
    if type(right) is Uint and not 0 <= left <= 2.0**64:
        return 1 if left > 0 else -1
    other = float(right)
    return (left > other) - (left < other)


def compare(left: Value, right: Value) -> int:
    """
    Compare two values of a type with an order: -1, 0 or 1.

    Raises:
        CELError: `no such overload`, or one is a NaN.
    """
    kind: type[Any] = type(left)
    if kind in (int, Uint, float) and type(right) in (int, Uint, float):
        if left != left or right != right:  # noqa: PLR0124
            raise CELError("NaN values cannot be ordered")
        return order_numbers(left, right)
    if kind is float and left != left:  # noqa: PLR0124
        raise CELError("NaN values cannot be ordered")
    if kind is not type(right) or kind not in (bool, str, bytes, Timestamp, Duration):
        raise CELError(NO_SUCH_OVERLOAD)
    order: int = (left > right) - (left < right)
    return order
