"""
Room: many devices under one index, so that a selector is evaluated once for all that are alike in what it can read.

Devices come and go by slices, as ResourceSlices do. Of each device the index keeps one small number per attribute, in columns. A selector looks at
the columns that its program can read (`Program.references`), is evaluated once for each combination of values in them, and its answer for every
device is kept. Devices that come later are judged when the selector is asked again.

May touch: `selector`, `verdicts`, `devices`, `attributes`, `quantity`, `semver`, `errors`, and the `cel` room's references.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, repeat
from operator import mul
from threading import RLock
from typing import Any, Final

import attrs

from ..attributes import DeviceAttribute
from ..cel.references import References
from ..devices import Device
from ..errors import EvaluationError, InvalidSemver, InvalidValue
from ..quantity import Quantity
from ..semver import Semver
from .selector import Selector
from .verdicts import Verdict

#: How many selectors' answers are kept; the least recently asked goes first.
MOST_ANSWERS: Final = 16
#: Removed devices take room until they are more than these and more than half of all.
MOST_REMOVED: Final = 4096
_KEY: Final = "a key of a slice, which can be hashed"
_SELECTOR: Final = 'selectors such as Selector("true")'
_DEVICES: Final = "devices of an inventory"
#: How an answer is kept for each device.
_NO, _YES, _ERROR = range(3)
_CODES: Final = {Verdict.NO_MATCH: _NO, Verdict.MATCH: _YES, Verdict.ERROR: _ERROR}


class _Column:
    """One property of all devices, as codes of its values: 0 where a device has none."""

    __slots__ = ("codes", "gaps", "rows")

    def __init__(self) -> None:
        self.codes: dict[Hashable, int] = {}
        self.rows = array("I")
        #: Whether some device has no value.
        self.gaps = False

    def put(self, row: int, value: Hashable) -> None:
        """Note a device's value, and that the devices since the last one have none. The later of two values counts."""
        code = self.codes.get(value)
        if code is None:
            code = self.codes[value] = len(self.codes) + 1
        rows = self.rows
        if len(rows) == row:
            rows.append(code)
        elif len(rows) < row:
            self.pad(row)
            rows.append(code)
        else:
            rows[row] = code

    def pad(self, length: int) -> None:
        """Note that the devices up to a number have no value."""
        missing = length - len(self.rows)
        if missing > 0:
            self.gaps = True
            self.rows.frombytes(bytes(missing * self.rows.itemsize))

    def compact(self, alive: bytearray) -> None:
        """Forget the removed devices, and the values that only they had."""
        self.pad(len(alive))
        rows = array("I", compress(self.rows, alive))
        held = set(rows)
        self.gaps = 0 in held
        values = [(value, code) for value, code in self.codes.items() if code in held]
        self.codes = {value: number for number, (value, _) in enumerate(values, 1)}
        renumbered = {0: 0, **{code: number for number, (_, code) in enumerate(values, 1)}}
        self.rows = array("I", map(renumbered.__getitem__, rows))

    @property
    def varies(self) -> bool:
        """Whether devices differ in it."""
        return len(self.codes) + self.gaps > 1


class _Known(dict[Any, int]):
    """The verdict for each combination of values; those that only removed devices have stand for nothing."""

    __slots__ = ()

    def __missing__(self, combination: object) -> int:
        return _NO


@attrs.define(eq=False)
class _Answer:
    """
    What a selector says of the devices.

    Args:
        verdicts: The verdict for each device so far, as one of three numbers; 0 as well for what was removed.
        known: The verdict for each combination of values so far.
        columns: How many columns make a combination.
        matching: The devices that match, in order; `None` when that has to be found anew.
    """

    verdicts: bytearray = attrs.field(factory=bytearray)
    known: _Known = attrs.field(factory=_Known)
    columns: int = 0
    matching: tuple[Device, ...] | None = None


class Fleet:
    """
    Devices of many nodes, by slices, for selectors that are asked again and again.

    A first answer takes an evaluation for each *distinct* combination of the values that the selector can read, and a quick pass over the devices; a
    repeated one takes neither. Threads may share a fleet. It can be pickled; the answers are found again on the other side.

    >>> from rbln_dra import TreeBackend, discover
    >>> fleet = Fleet()
    >>> for number in range(100):
    ...     fleet.put(f"node-{number}", discover(TreeBackend("atom")).devices)
    >>> fleet.put("node-100", discover(TreeBackend("rebel100")).devices)
    >>> selector = Selector('device.attributes["npu.rebellions.ai"].productName == "RBLN-CR13"')
    >>> len(fleet), fleet.count(selector), [device.name for device in fleet.select(selector)]
    (1601, 1, ['vfio-0000-27-00-0'])
    """

    def __init__(self) -> None:
        """Begin without devices."""
        self._devices: list[Device | None] = []
        self._alive = bytearray()
        self._slices: dict[Hashable, range] = {}
        self._removed = 0
        self._columns: dict[tuple[str, str, str], _Column] = {}
        self._driver, self._shared, self._unreadable = _Column(), _Column(), _Column()
        self._places: dict[tuple[str, str, str], _Column] = {}
        self._answers: OrderedDict[Selector, _Answer] = OrderedDict()
        self._lock = RLock()

    def __getstate__(self) -> dict[str, Any]:
        """Pickle without the lock and the answers."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_lock", "_answers")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the state, with a lock of its own."""
        self.__dict__.update(state)
        self._answers, self._lock = OrderedDict(), RLock()

    def __len__(self) -> int:
        """Count the devices."""
        return len(self._devices) - self._removed

    def __contains__(self, key: Hashable) -> bool:
        """
        Tell whether there is a slice of that key.

        Raises:
            InvalidValue: The key cannot be one.
        """
        InvalidValue.unless(key, Hashable, _KEY)
        return key in self._slices

    def __iter__(self) -> Iterator[Device]:
        """Go over the devices in the order in which their slices came."""
        with self._lock:
            return iter([device for device in self._devices if device is not None])

    def put(self, key: Hashable, devices: Iterable[Device]) -> None:
        """
        Add a slice, or replace the one of that key: it then comes last.

        Args:
            key: What names the slice: its node, the name of the ResourceSlice, or whatever the caller knows it by.
            devices: Its devices, in their order.

        Raises:
            InvalidValue: One is no device, or the key cannot be one. The fleet stays as it was.
        """
        InvalidValue.unless(key, Hashable, _KEY)
        InvalidValue.unless(devices, Iterable, _DEVICES)
        given = tuple(devices)
        for device in given:
            InvalidValue.unless(device, Device, _DEVICES)
        with self._lock:
            self.drop(key)
            first = len(self._devices)
            for row, device in enumerate(given, first):
                self._devices.append(device)
                self._index(row, device)
            self._slices[key] = range(first, len(self._devices))
            self._alive.extend(b"\x01" * (len(self._devices) - first))

    def drop(self, key: Hashable) -> None:
        """
        Remove a slice, if it is there.

        Raises:
            InvalidValue: The key cannot be one.
        """
        InvalidValue.unless(key, Hashable, _KEY)
        with self._lock:
            rows = self._slices.pop(key, None)
            if not rows:
                return
            span, nothing = slice(rows.start, rows.stop), bytes(len(rows))
            self._devices[span] = [None] * len(rows)
            self._alive[span] = nothing
            for answer in self._answers.values():
                covered = len(answer.verdicts[span])
                answer.verdicts[rows.start : rows.start + covered] = nothing[:covered]
                answer.matching = None
            self._removed += len(rows)
            if self._removed > MOST_REMOVED and 2 * self._removed > len(self._devices):
                self._compact()

    def select(self, selector: Selector) -> tuple[Device, ...]:
        """
        Give the devices that match, in order.

        Raises:
            EvaluationError: There is no verdict on one of them, the first such device; Kubernetes then allocates nothing.
            InvalidValue: That is no selector.
        """
        with self._lock:
            answer = self._answer(selector)
            if answer.matching is None:
                failed = answer.verdicts.find(_ERROR)
                if failed >= 0:
                    device: Any = self._devices[failed]
                    raise selector.explain(device).error or EvaluationError("")
                matching: Iterable[Any] = compress(self._devices, answer.verdicts)
                answer.matching = tuple(matching)
            return answer.matching

    def count(self, selector: Selector) -> int:
        """
        Count the devices that match; those without a verdict do not.

        Raises:
            InvalidValue: That is no selector.
        """
        return self.tally(selector)[Verdict.MATCH]

    def tally(self, selector: Selector) -> Mapping[Verdict, int]:
        """
        Count the devices by verdict.

        Raises:
            InvalidValue: That is no selector.
        """
        with self._lock:
            verdicts = self._answer(selector).verdicts
            counts = {verdict: verdicts.count(code) for verdict, code in _CODES.items()}
            counts[Verdict.NO_MATCH] -= self._removed
            return counts

    # The index.

    def _index(self, row: int, device: Device) -> None:
        """Note a device's values."""
        driver = device.driver
        self._driver.put(row, driver)
        self._shared.put(row, device.allow_multiple_allocations is True)
        places = self._places
        unreadable: list[tuple[str, Hashable]] = []
        for name, attribute in device.attributes.items():
            column = places.get(("attributes", driver, name))
            if column is None:
                column = self._column("attributes", driver, name)
            value, fault = _attribute(attribute)
            if fault is not None:
                unreadable.append((name, fault))
            column.put(row, value)
        for name, capacity in device.capacity.items():
            column = places.get(("capacity", driver, name))
            if column is None:
                column = self._column("capacity", driver, name)
            column.put(row, _quantity(capacity.value))
        if unreadable:
            self._unreadable.put(row, tuple(unreadable))

    def _column(self, kind: str, driver: str, name: str) -> _Column:
        """Find the column of a name that a driver publishes."""
        domain, slash, id_ = name.partition("/")
        place = (kind, domain, id_) if slash else (kind, driver, name)
        column = self._columns.get(place)
        if column is None:
            column = self._columns[place] = _Column()
        self._places[kind, driver, name] = column
        return column

    def _read(self, references: References) -> list[_Column]:
        """Give the columns that make a difference to a program."""
        columns = [self._unreadable]
        if references.driver:
            columns.append(self._driver)
        if references.allow_multiple_allocations:
            columns.append(self._shared)
        for kind, keys in (("attributes", references.attributes), ("capacity", references.capacities)):
            for (where, domain, id_), column in self._columns.items():
                if where == kind and not keys.isdisjoint(((domain, id_), (domain, None), (None, None))):
                    columns.append(column)
        return columns

    def _answer(self, selector: Selector) -> _Answer:
        """
        Give what a selector says of all devices, after judging those that are new.

        Raises:
            InvalidValue: That is no selector.
        """
        InvalidValue.unless(selector, Selector, _SELECTOR)
        answer = self._answers.get(selector)
        if answer is None:
            answer = self._answers[selector] = _Answer()
            if len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
        self._answers.move_to_end(selector)
        first, last = len(answer.verdicts), len(self._devices)
        if first < last:
            self._judge(selector, answer, first, last)
        return answer

    def _judge(self, selector: Selector, answer: _Answer, first: int, last: int) -> None:
        """Judge the devices from a row on: one of each combination of values."""
        columns = self._read(selector.program.references)
        for column in columns:
            column.pad(last)
        columns = [column for column in columns if column.varies]
        if len(columns) != answer.columns:
            # Devices differ in more than before: what was known is said of other combinations.
            answer.known, answer.columns = _Known(), len(columns)
        known, answer.matching = answer.known, None
        rows: list[Sequence[int]] = [column.rows[first:last] if first else column.rows for column in columns]
        new, alive = range(first, last), self._alive[first:last]
        for combination, row in dict(compress(zip(_combined(rows, len(new)), new, strict=True), alive)).items():
            device = self._devices[row]
            if combination not in known and device is not None:
                known[combination] = _CODES[selector.verdict(device)]
        verdicts = map(known.__getitem__, _combined(rows, len(new)))
        answer.verdicts += bytes(map(mul, verdicts, alive) if self._removed else verdicts)

    def _compact(self) -> None:
        """Close the gaps that removed slices left."""
        alive = self._alive
        for column in (self._driver, self._shared, self._unreadable, *self._columns.values()):
            column.compact(alive)
        for answer in self._answers.values():
            judged = len(answer.verdicts)
            answer.verdicts = bytearray(compress(answer.verdicts, alive[:judged]))
            answer.columns = -1
        self._devices = list(compress(self._devices, alive))
        self._alive = bytearray(b"\x01" * len(self._devices))
        first = 0
        for key, rows in self._slices.items():
            self._slices[key] = range(first, first + len(rows))
            first += len(rows)
        self._removed = 0


def _combined(rows: Sequence[Sequence[int]], count: int) -> Iterable[Hashable]:
    """Give the combination of values of each device."""
    if not rows:
        return repeat((), count)
    return rows[0] if len(rows) == 1 else zip(*rows, strict=True)


def _attribute(attribute: DeviceAttribute) -> tuple[Hashable, Hashable]:
    """
    Give what stands for an attribute's value, and what stands for the error that it is for every selector; `None` when it is none.

    A list is an error where attributes may not be lists. Values that are the same to every selector are equal, others are not.
    """
    number = attribute.int_value
    truth = attribute.bool_value
    text = attribute.string_value
    if (
        attribute.int_values is not None
        or attribute.bool_values is not None
        or attribute.string_values is not None
        or attribute.version_values is not None
    ):
        alone = number is None and truth is None and text is None and attribute.version_value is None
        return attribute, "list" if alone and attribute.version_values is None else attribute
    if number is not None:
        return number, None
    if truth is not None:
        # Not as itself, since it would be equal to a number.
        return ("bool", bool(truth)), None
    if text is not None:
        return text, None
    return attribute, None if _version(attribute.version_value) else attribute


@lru_cache(maxsize=4096)
def _version(text: str | None) -> bool:
    try:
        Semver.parse(text or "")
    except InvalidSemver:
        return False
    return True


def _quantity(quantity: Quantity) -> Hashable:
    """Give what stands for a quantity: `1` and `1000m` are equal, but only one of them is an integer to selectors."""
    return str(quantity.number), quantity.scale, quantity.format


def matrix(selectors: Iterable[Selector], devices: Iterable[Device]) -> tuple[tuple[Verdict, ...], ...]:
    """
    Give the verdict of each selector on each device: a row for each selector.

    Raises:
        InvalidValue: One is no selector, or no device.

    >>> from rbln_dra import TreeBackend, discover
    >>> devices = discover(TreeBackend("atom")).devices[:2]
    >>> [[verdict.value for verdict in row] for row in matrix([Selector("true"), Selector("1 / 0 == 1")], devices)]
    [['match', 'match'], ['ERROR', 'ERROR']]
    """
    InvalidValue.unless(selectors, Iterable, _SELECTOR)
    InvalidValue.unless(devices, Iterable, _DEVICES)
    asked, given = tuple(selectors), tuple(devices)
    for selector in asked:
        InvalidValue.unless(selector, Selector, _SELECTOR)
    return tuple(tuple(map(selector.verdict, given)) for selector in asked)
