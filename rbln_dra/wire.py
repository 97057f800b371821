"""
Room: the JSON form of Kubernetes objects, read as the API server reads it and written as it writes.

A `Codec` reads one kind of JSON value and writes it again; `struct` makes the codec of a class from rows of wire name, attribute name and codec.
The rules are those of `sigs.k8s.io/json`, the decoder of the API server: keys are case-sensitive, unknown keys are dropped, `null` gives the
zero value, an integer is a JSON number without fraction or exponent that fits 64 bits, and nothing is converted from one JSON type to another.
Where a key stands several times in one object, what comes later is put into what came before: fields into fields, items into items.

May touch: `documents`, `errors`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, Generic, NoReturn, TypeVar, cast

import attrs

from .documents import Repeating, pairs
from .errors import DecodeError, InvalidValue

T = TypeVar("T")
V = TypeVar("V")


class FrozenMap(Mapping[str, V]):
    """
    A mapping that nobody can change, in the order in which it was made: the value of a JSON object.

    Equality is that of mappings, whatever the order. It can be hashed when its values can, and pickled.

    >>> FrozenMap({"b": 1, "a": 2})
    FrozenMap({'b': 1, 'a': 2})
    """

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[str, V] = MappingProxyType({})) -> None:
        """
        Copy some entries.

        Raises:
            InvalidValue: They are no mapping.
        """
        try:
            self._entries = dict(entries)
        except (TypeError, ValueError):
            raise InvalidValue(entries, "a mapping", f"it is of type {type(entries).__name__}") from None

    def __getitem__(self, key: str) -> V:
        """Give the value of a key."""
        return self._entries[key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys in order."""
        return iter(self._entries)

    def __len__(self) -> int:
        """Count the entries."""
        return len(self._entries)

    def __contains__(self, key: object) -> bool:
        """Tell whether there is a key."""
        return key in self._entries

    def items(self) -> ItemsView[str, V]:
        """Give keys and values, faster than a mapping made of the methods above does."""
        return self._entries.items()

    def __eq__(self, other: object) -> bool:
        """Compare with any mapping."""
        return isinstance(other, Mapping) and self._entries == dict(cast("Mapping[str, object]", other))

    def __hash__(self) -> int:
        """Hash the entries, whatever their order."""
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        """Render as it is made."""
        return f"FrozenMap({self._entries!r})"


def frozen_map(entries: Mapping[str, V]) -> FrozenMap[V]:
    """Freeze a mapping."""
    return entries if isinstance(entries, FrozenMap) else FrozenMap(entries)


class Nil(tuple[Any, ...]):
    """
    The list that is not there, where Kubernetes tells it from the empty list. It equals the empty tuple, as Kubernetes takes the two for equal.

    >>> NIL == (), isinstance(NIL, Nil), isinstance((), Nil)
    (True, True, False)
    """

    __slots__ = ()


#: What a list is that nobody gave.
NIL: Final[tuple[Any, ...]] = Nil()


@attrs.frozen
class Reading:
    """
    How JSON is read.

    Args:
        minor: The number of the Kubernetes minor that reads; `None` means one that knows all fields that there ever were.
        slips: Where the unknown keys go that are found, with their paths from the value that is read; `None` when nobody asks.
    """

    minor: int | None = None
    slips: list[DecodeError] | None = None


#: What the values make together that stand under one key one after the other.
Fold = Callable[[Sequence[object]], object]


def _latest(values: Sequence[object]) -> object:
    """Give the last value but `null`, which changes nothing: of what is no pointer in Go."""
    return next((value for value in reversed(values) if value is not None), None)


def _last(values: Sequence[object]) -> object:
    """Give the last value, `null` too: of what Go resets."""
    return values[-1]


@attrs.frozen
class Codec(Generic[T]):
    """
    How one kind of JSON value is read and written.

    Args:
        zero: The zero value: what `null` or an absent key gives.
        read: Reads a value that is not `null`; its second argument says how. Raises `DecodeError`, with a path from the value.
        write: Gives the JSON form.
        fold: Puts together what stands under one key several times. Each of it was read for itself already.
    """

    zero: T
    read: Callable[[object, Reading], T]
    write: Callable[[T], Any]
    fold: Fold = _latest

    def from_json(self, value: object, *, path: str = "", strict: bool = False, minor: int | None = None) -> T:
        """
        Read a JSON value as `json.loads` gives it.

        Args:
            value: The value.
            path: Where it stands, for errors.
            strict: Whether unknown keys are errors, all in one; the API server drops them.
            minor: The number of the Kubernetes minor that reads, so 36 for 1.36; `None` means one that knows all fields that there ever were.

        Raises:
            DecodeError: The API server could not read it.
        """
        if value is None:
            return self.zero
        slips: list[DecodeError] | None = [] if strict else None
        try:
            made = self.read(value, Reading(minor, slips))
        except DecodeError as error:
            raise within(DecodeError.together([*(slips or ()), error]), path) from None
        if slips:
            raise within(DecodeError.together(slips), path)
        return made


def within(error: DecodeError, segment: str) -> DecodeError:
    """Put a segment before an error's path: a name, or an index or key in brackets."""
    inner = error.path
    joined = segment + inner if not segment or not inner or inner.startswith("[") else f"{segment}.{inner}"
    return attrs.evolve(error, path=joined, more=tuple(within(each, segment) for each in error.more))


def _place(slips: list[DecodeError], segment: str, start: int) -> None:
    """Put a segment before the paths of the unknown keys from number `start` on: they were found inside of it."""
    slips[start:] = [within(slip, segment) for slip in slips[start:]]


def refuse(value: object, expected: str, hint: str | None = None) -> NoReturn:
    """
    Say that a value is not what was expected; containers put the path before it.

    Raises:
        DecodeError: Always.
    """
    raise DecodeError("", value, expected, hint)


def _same(value: T) -> T:
    """Give a value that is its own JSON form."""
    return value


def _read_string(value: object, reading: Reading) -> str:  # noqa: ARG001 - the form of `Codec.read`
    """Read a string; what Go has no text for becomes U+FFFD."""
    if not isinstance(value, str):
        refuse(value, "a string", _meant(value, '"{}"'))
    # Go has no lone surrogates: its decoder puts U+FFFD for them.
    return value if value.isascii() else value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _read_integer(value: object, reading: Reading) -> int:  # noqa: ARG001 - the form of `Codec.read`
    """Read a number without fraction or exponent."""
    if isinstance(value, bool) or not isinstance(value, int):
        hint = None
        if (isinstance(value, float) and value.is_integer()) or (isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,18}", value)):
            hint = f"did you mean {int(value)}?"
        refuse(value, "an integer", hint)
    if not -(2**63) <= value < 2**63:
        refuse(value, "an integer of 64 bits")
    return value


def _read_boolean(value: object, reading: Reading) -> bool:  # noqa: ARG001 - the form of `Codec.read`
    """Read a truth value."""
    if not isinstance(value, bool):
        hint = f"did you mean {value.lower()}?" if isinstance(value, str) and value.lower() in {"true", "false"} else None
        refuse(value, "true or false", hint)
    return value


# RFC 3339 as Go's time.Parse reads it: one-digit hours and a fraction after a comma pass.
_TIME: Final = re.compile(
    r"""
    (?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2}) T (?P<hour>[0-9]{1,2}) : (?P<minute>[0-9]{2}) : (?P<second>[0-9]{2}) (?: [.,][0-9]+ )?
    (?: Z | (?P<sign>[+-]) (?P<hours>[0-9]{2}) : (?P<minutes>[0-9]{2}) )
    """,
    re.VERBOSE,
)


def _read_time(value: object, reading: Reading) -> datetime:  # noqa: ARG001 - the form of `Codec.read`
    """Read a time between the years 1 and 9999: the few hours beyond that Go can hold and Python cannot are refused."""
    expected = "a time such as 2026-01-31T09:30:00Z"
    if isinstance(value, datetime):  # what YAML makes of an unquoted time
        local, offset = value.replace(tzinfo=None), value.utcoffset() or timedelta()
    else:
        match = _TIME.fullmatch(value) if isinstance(value, str) else None
        hours, minutes = (0, 0) if match is None else (int(match["hours"] or 0), int(match["minutes"] or 0))
        if match is None or hours > 24 or minutes > 60:  # the limits of Go
            refuse(value, expected)
        try:
            local = datetime.fromisoformat(f"{match['date']}T{match['hour']:0>2}:{match['minute']}:{match['second']}")
        except ValueError:
            refuse(value, expected)
        offset = timedelta(hours=hours, minutes=minutes) * (-1 if match["sign"] == "-" else 1)
    try:
        return (local - offset).replace(tzinfo=UTC, microsecond=0)
    except OverflowError:
        refuse(value, expected)


#: Go's zero time, which the API server writes as `null`.
_NO_TIME: Final = datetime(1, 1, 1, tzinfo=UTC)


def _read_set_time(value: object, reading: Reading) -> datetime | None:
    """Read a time; the zero time is none."""
    moment = _read_time(value, reading)
    return None if moment == _NO_TIME else moment


def _write_time(moment: datetime | None) -> str | None:
    """Write in UTC to the second, as the API server does."""
    if moment is None or moment == _NO_TIME:
        return None
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


STRING: Final = Codec("", _read_string, _same)
#: A signed integer of 64 bits.
INTEGER: Final = Codec(0, _read_integer, _same)
BOOLEAN: Final = Codec(False, _read_boolean, _same)
#: A moment in UTC, to the second; the zero time is none.
TIME: Final[Codec[datetime | None]] = Codec(None, _read_set_time, _write_time, _last)
#: The same behind a pointer, where Kubernetes tells the zero time from none: it writes `null` for it.
OPTIONAL_TIME: Final[Codec[datetime | None]] = Codec(None, _read_time, _write_time, _last)


def optional(codec: Codec[T]) -> Codec[T | None]:
    """Make a codec whose absence is `None`: a pointer in Go, which `null` resets."""

    def fold(values: Sequence[object]) -> object:
        start = next((index for index in range(len(values), 0, -1) if values[index - 1] is None), 0)
        return codec.fold(values[start:]) if start < len(values) else None

    return Codec(None, codec.read, lambda value: None if value is None else codec.write(value), fold)


def lasting(codec: Codec[T | None]) -> Codec[T | None]:
    """Make of a pointer's codec that of a value, which `null` does not reset."""
    return attrs.evolve(codec, fold=_latest)


def converted(codec: Codec[V], *, read: Callable[[V], T], write: Callable[[T], V]) -> Codec[T]:
    """Make the codec of what a value of another codec is converted to and from."""
    return Codec(read(codec.zero), lambda value, reading: read(codec.read(value, reading)), lambda value: codec.write(write(value)), codec.fold)


def list_of(codec: Codec[T]) -> Codec[tuple[T, ...]]:
    """Make the codec of a list; `null` among its items is the item's zero value, and in place of the list `NIL`."""

    def read(value: object, reading: Reading) -> tuple[T, ...]:
        if not isinstance(value, Sequence) or isinstance(value, str | bytes | bytearray):
            refuse(value, "a list", _meant(value, '["{}"]' if isinstance(value, str) else "[{}]"))
        items: list[T] = []
        slips = reading.slips
        for index, item in enumerate(cast("Sequence[object]", value)):
            start = len(slips) if slips else 0
            try:
                items.append(codec.zero if item is None else codec.read(item, reading))
            except DecodeError as error:
                raise within(error, f"[{index}]") from None
            finally:
                if slips:
                    _place(slips, f"[{index}]", start)
        return tuple(items)

    def fold(values: Sequence[object]) -> object:
        # Go decodes into the items that are there, even into those that a shorter list in between has only hidden.
        there: list[list[object]] = []
        for value in cast("Sequence[Sequence[object] | None]", values):
            there = there if value else []
            for index, item in enumerate(value or ()):
                if index == len(there):
                    there.append([])
                there[index].append(item)
        last = cast("Sequence[object] | None", values[-1])
        return None if last is None else [codec.fold(items) for items in there[: len(last)]]

    return Codec(NIL, read, lambda values: None if isinstance(values, Nil) else [codec.write(value) for value in values], fold)


def map_of(codec: Codec[T]) -> Codec[FrozenMap[T]]:
    """Make the codec of an object with any keys; `null` among its values is the value's zero value."""

    def read(value: object, reading: Reading) -> FrozenMap[T]:
        if not isinstance(value, Mapping):
            refuse(value, "an object")
        entries: dict[str, T] = {}
        slips = reading.slips
        for key, item in cast("Iterable[tuple[object, object]]", pairs(cast("Mapping[str, object]", value))):
            if not isinstance(key, str):
                refuse(key, "a string as key")
            start = len(slips) if slips else 0
            try:
                entries[key] = codec.zero if item is None else codec.read(item, reading)
            except DecodeError as error:
                raise within(error, f"[{key}]") from None
            finally:
                if slips:
                    _place(slips, f"[{key}]", start)
        return FrozenMap(entries)

    def fold(values: Sequence[object]) -> object:
        made: dict[str, object] | None = None
        for value in cast("Sequence[Mapping[str, object] | None]", values):
            made = None if value is None else {**(made or {}), **value}
        return made

    return Codec(FrozenMap(), read, lambda values: {key: codec.write(value) for key, value in values.items()}, fold)


#: The number of no Kubernetes minor.
_NEVER: Final = 1000


@attrs.frozen
class Field:
    """
    One field of an object.

    Args:
        wire: Its name in JSON.
        name: Its name in Python.
        codec: How its value is read and written.
        always: Whether it is written even with its zero value, as Go writes fields without `omitempty`.
        since: The number of the first Kubernetes minor that has it; 0 when all have it.
        until: The number of the last one.
    """

    wire: str
    name: str
    codec: Codec[Any]
    always: bool = False
    since: int = 0
    until: int = _NEVER

    def known(self, reading: Reading) -> bool:
        """Tell whether the minor that reads has the field."""
        return reading.minor is None or self.since <= reading.minor <= self.until


def struct(
    cls: Callable[..., T],
    *fields: Field,
    expected: str,
    near: Mapping[str, str] = MappingProxyType({}),
    hint: Callable[[object], str | None] = lambda _value: None,
) -> Codec[T]:
    """
    Make the codec of a class from its fields.

    Args:
        cls: The class, called with the fields as keyword arguments.
        fields: Its fields, in the order in which they are written.
        expected: What the errors call it, as a noun phrase.
        near: Names that people write in place of a wire name, for the hint.
        hint: Says of what is no object what was probably meant; `None` without a good guess.
    """
    known = {field.wire: field for field in fields}
    zeros = {field.name: field.codec.zero for field in fields}
    # What a class has as its own default need not be said, and most objects set few of their fields.
    needed = {name: zeros[name] for name in zeros if name not in _defaulted(cls)}

    def read(value: object, reading: Reading) -> T:
        if not isinstance(value, Mapping):
            refuse(value, expected, hint(value))
        arguments: dict[str, Any] = needed.copy()
        slips = reading.slips
        for key, item in _settled(cast("Mapping[str, object]", value), known, reading).items():
            field = known.get(key)
            if field is None or not field.known(reading):
                if slips is not None:
                    slips.append(within(_unknown(key, known, near) if field is None else _of_other_minor(field), str(key)))
            elif item is not None:
                arguments[field.name] = _field(field, item, reading)
        return cls(**arguments)

    def write(value: T) -> dict[str, Any]:
        written: dict[str, Any] = {}
        for field in fields:
            item = getattr(value, field.name)
            if field.always or item != field.codec.zero:
                written[field.wire] = field.codec.write(item)
        return written

    def fold(values: Sequence[object]) -> object:
        given = [value for value in cast("Sequence[Mapping[str, object] | None]", values) if value is not None]
        return Repeating(pair for value in given for pair in pairs(value)) if given else None

    return Codec(cls(**zeros), read, write, fold)


def _field(field: Field, value: object, reading: Reading) -> Any:
    """Read the value of a field."""
    slips = reading.slips
    start = len(slips) if slips else 0
    try:
        return field.codec.read(value, reading)
    except DecodeError as error:
        raise within(error, field.wire) from None
    finally:
        if slips:
            _place(slips, field.wire, start)


def _settled(entries: Mapping[str, object], known: Mapping[str, Field], reading: Reading) -> Mapping[str, object]:
    """
    Put together what stands under one key several times.

    Raises:
        DecodeError: One of the values could not be read, though another comes later.
    """
    if not isinstance(entries, Repeating):
        return entries
    found: dict[str, list[object]] = {}
    for key, item in entries.pairs:
        found.setdefault(key, []).append(item)
    for key, values in found.items():
        field = known.get(key)
        if field is not None and field.known(reading) and len(values) > 1:
            for value in values:
                field.codec.from_json(value, path=key, minor=reading.minor)
            found[key] = [field.codec.fold(values)]
    return {key: values[-1] for key, values in found.items()}


def _defaulted(cls: Callable[..., object]) -> set[str]:
    """Name the fields that a class of attrs gives a default itself."""
    if not isinstance(cls, type) or not attrs.has(cls):
        return set()
    return {field.name for field in attrs.fields(cls) if field.default is not attrs.NOTHING}


def member(name: str, codec: Codec[T], *, expected: str) -> Codec[T]:
    """Make the codec of a value that stands alone in an object: `{"value": "4"}`."""
    fields = (Field(name, "only", codec, always=True),)
    boxed = struct(_Box, *fields, expected=expected)
    return Codec(codec.zero, lambda value, reading: boxed.read(value, reading).only, lambda value: {name: codec.write(value)}, boxed.fold)


@attrs.frozen
class _Box:
    """What `member` reads into."""

    only: Any


def _of_other_minor(field: Field) -> DecodeError:
    """Make the error for a key that the minor which reads does not know."""
    when = f"exists from 1.{field.since} on" if field.until == _NEVER else f"exists only in 1.{field.since}"
    return DecodeError("", field.wire, "a field of this Kubernetes minor", when)


def _unknown(key: object, known: Mapping[str, Field], near: Mapping[str, str]) -> DecodeError:
    """Make the error for an unknown key, with the name that was probably meant."""
    text = str(key)
    meant = near.get(text)
    if meant is None:
        folded = {name.lower(): name for name in known}
        found = difflib.get_close_matches(text.lower(), list(folded), n=1, cutoff=0.7)
        meant = folded[found[0]] if found else None
    return DecodeError("", key, f"one of {', '.join(sorted(known))}", None if meant is None else f"did you mean {meant}?")


#: A hint repeats no longer value than this, in characters.
LONGEST_HINT: Final = 80


def _meant(value: object, form: str) -> str | None:
    """Hint at a scalar in another form, `form` with its JSON text in place of `{}`."""
    if not isinstance(value, bool | float | str) and not (isinstance(value, int) and abs(value) < 2**63):
        return None
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"did you mean {form.format(text)}?" if len(text) <= LONGEST_HINT else None
