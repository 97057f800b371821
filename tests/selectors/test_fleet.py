"""Fleets: what an index of devices answers is what each device alone would."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from threading import Thread
from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

from rbln_dra import Device, Fleet, Kubernetes, Selector, Verdict, cel, matrix
from rbln_dra.attributes import DeviceAttribute
from rbln_dra.errors import EvaluationError

DRIVER = "a.example"
A = 'device.attributes["a.example"]'


def made(name: str, driver: str = DRIVER, *, capacity: str | None = None, shared: bool | None = None, **attributes: DeviceAttribute) -> Device:
    """Make a device; two underscores stand for the slash in a name."""
    wire: dict[str, Any] = {"name": name, "allowMultipleAllocations": shared}
    if capacity is not None:
        wire["capacity"] = {"memory": {"value": capacity}}
    named = {key.replace("__", "/"): value for key, value in attributes.items()}
    return attrs.evolve(Device.from_dict(wire, driver=driver, pool="node"), attributes=named)


TEXT, OTHER, ONE, TWO = DeviceAttribute(string_value="vfio"), DeviceAttribute(string_value="npu"), DeviceAttribute(1), DeviceAttribute(2)


def node(number: int) -> tuple[Device, ...]:
    """Make the four devices of a node, of which two are alike but for a serial number."""
    return (
        made(f"{number}-0", type=TEXT, serial=DeviceAttribute(number), numa=ONE),
        made(f"{number}-1", type=TEXT, serial=DeviceAttribute(number + 1000), numa=ONE),
        made(f"{number}-2", type=OTHER, numa=TWO, capacity="1Gi"),
        made(f"{number}-3", "b.example", a__x=ONE, shared=True, capacity="1"),
    )


def names(devices: Iterable[Device]) -> list[str]:
    """Give the devices' names."""
    return [device.name for device in devices]


def fleet_of(*numbers: int) -> Fleet:
    """Make a fleet of nodes."""
    fleet = Fleet()
    for number in numbers:
        fleet.put(number, node(number))
    return fleet


SELECTORS: tuple[tuple[str, list[str]], ...] = (
    ("true", ["0-0", "0-1", "0-2", "0-3", "1-0", "1-1", "1-2", "1-3"]),
    ("false", []),
    (f'device.driver == "{DRIVER}"', ["0-0", "0-1", "0-2", "1-0", "1-1", "1-2"]),
    ("device.allowMultipleAllocations", ["0-3", "1-3"]),
    (f'device.driver == "{DRIVER}" && {A}.type == "vfio"', ["0-0", "0-1", "1-0", "1-1"]),
    (f"{A}.?numa.orValue(0) == 2", ["0-2", "1-2"]),
    (f"{A}.?serial.orValue(0) == 1001", ["1-1"]),
    ('has(device.attributes["a"].x)', ["0-3", "1-3"]),
    ('"b.example" in device.capacity', ["0-3", "1-3"]),
    (f'device.capacity["{DRIVER}"].?memory.hasValue()', ["0-2", "1-2"]),
    ("device.attributes.exists(d, d == 'a')", ["0-3", "1-3"]),
    (f"{A}.size() == 3", ["0-0", "0-1", "1-0", "1-1"]),
)


@pytest.mark.parametrize(("expression", "expected"), SELECTORS)
def test_select(expression: str, expected: list[str]) -> None:
    """The devices that match come in the order of their slices, the first time and again."""
    fleet, selector = fleet_of(0, 1), Selector(expression)
    assert names(selector.select(fleet)) == expected
    for _ in range(2):
        assert names(fleet.select(selector)) == expected
        assert fleet.count(selector) == len(expected)
    assert fleet.tally(selector) == {Verdict.MATCH: len(expected), Verdict.NO_MATCH: 8 - len(expected), Verdict.ERROR: 0}


def test_devices_that_are_alike_are_judged_once() -> None:
    """A selector is evaluated once for each combination of the values that it can read."""
    fleet = fleet_of(*range(50))
    selector = Selector(f'{A}.?type.orValue("") == "vfio"')
    fleet.select(selector)
    (answer,) = fleet._answers.values()
    assert len(answer.known) == 3


def test_slices_come_and_go() -> None:
    """A slice that is put again comes last; a slice that is dropped is gone, and dropping it again does nothing."""
    fleet, selector = fleet_of(0, 1, 2), Selector(f'{A}.?type.orValue("") == "npu"')
    assert names(fleet.select(selector)) == ["0-2", "1-2", "2-2"]
    fleet.put(1, node(1)[:3])
    assert names(fleet.select(selector)) == ["0-2", "2-2", "1-2"]
    fleet.drop(0)
    fleet.drop(0)
    assert names(fleet.select(selector)) == ["2-2", "1-2"]
    assert (len(fleet), 0 in fleet, 1 in fleet) == (7, False, True)
    assert names(fleet) == ["2-0", "2-1", "2-2", "2-3", "1-0", "1-1", "1-2"]
    assert fleet.tally(selector) == {Verdict.MATCH: 2, Verdict.NO_MATCH: 5, Verdict.ERROR: 0}


def test_slices_that_went_before_the_question() -> None:
    """A selector that is asked for the first time does not see what was dropped before, whatever that was."""
    fleet = fleet_of(0, 1)
    fleet.put("odd", [made("odd", numa=DeviceAttribute(7))])
    fleet.drop("odd")
    fleet.drop(0)
    fleet.put("empty", [])
    fleet.drop("empty")
    selector = Selector(f"{A}.?numa.orValue(7) == 7 || true")
    assert names(fleet.select(selector)) == ["1-0", "1-1", "1-2", "1-3"]


def test_new_attributes() -> None:
    """An attribute that the first devices did not have is asked of those that do."""
    fleet, selector = fleet_of(0), Selector(f"{A}.?late.orValue(0) == 1")
    assert fleet.select(selector) == ()
    fleet.put("late", [made("late-0", late=ONE), made("late-1", late=TWO), made("late-2")])
    assert names(fleet.select(selector)) == ["late-0"]
    fleet.put(0, node(0))
    assert names(fleet.select(selector)) == ["late-0"]


def test_errors() -> None:
    """A device without a verdict is an error of the whole question, with the first such device; it is counted apart."""
    fleet, selector = fleet_of(0, 1), Selector(f"{A}.numa == 1")
    for _ in range(2):
        with pytest.raises(EvaluationError, match="no such key: numa") as caught:
            fleet.select(selector)
        assert caught.value.device == f"b.example/node/{node(0)[3].name}"
    assert fleet.tally(selector) == {Verdict.MATCH: 4, Verdict.NO_MATCH: 2, Verdict.ERROR: 2}


ODD = (
    ("nothing", DeviceAttribute(), "unsupported attribute value"),
    ("no version", DeviceAttribute(version_value="1.2"), "parse semantic version"),
    ("a list", DeviceAttribute(int_values=(1,)), "unsupported attribute value"),
    ("a list of versions", DeviceAttribute(version_values=("1.2.3",)), "unsupported attribute value"),
)


@pytest.mark.parametrize(("attribute", "text"), [row[1:] for row in ODD], ids=[row[0] for row in ODD])
def test_an_attribute_that_cannot_be_read(attribute: DeviceAttribute, text: str) -> None:
    """An attribute that is an error for every selector is one for those that do not read it, on its device only."""
    fleet = Fleet()
    fleet.put("good", [made("good", type=TEXT, odd=ONE), made("versioned", type=TEXT, odd=DeviceAttribute(version_value="1.2.3"))])
    fleet.put("bad", [made("bad", type=TEXT, odd=attribute)])
    selector = Selector(f'{A}.type == "vfio"')
    assert fleet.tally(selector) == {Verdict.MATCH: 2, Verdict.NO_MATCH: 0, Verdict.ERROR: 1}
    with pytest.raises(EvaluationError, match=text):
        fleet.select(selector)


def test_lists() -> None:
    """Where attributes may be lists, a list is a value; two lists that differ are two values."""
    fleet = Fleet()
    lists = {
        "ints": DeviceAttribute(int_values=(1, 2)),
        "bools": DeviceAttribute(bool_values=(True,)),
        "both": DeviceAttribute(1, string_values=("x",)),
    }
    fleet.put("node", [made(name, odd=attribute) for name, attribute in lists.items()] + [made("other", odd=DeviceAttribute(int_values=(3,)))])
    environment = cel.Environment(Kubernetes("1.36", gates={"DRAListTypeAttributes": True}))
    for expression, expected in ((f"{A}.odd.includes(1)", ["ints"]), (f"{A}.odd.includes(true)", ["bools"]), (f'{A}.odd.includes("x")', ["both"])):
        assert names(fleet.select(Selector(expression, environment))) == expected


def test_numbers_and_truth_values_are_kept_apart() -> None:
    """`1` and `true`, equal in Python, are two values; so are quantities that are equal and not alike."""
    fleet = Fleet()
    fleet.put(
        "node",
        [
            made("one", x=ONE, capacity="1"),
            made("true", x=DeviceAttribute(bool_value=True), capacity="1000m"),
            made("text", x=DeviceAttribute(string_value="1"), capacity="1.0"),
        ],
    )
    assert names(fleet.select(Selector(f"{A}.x == 1"))) == ["one"]
    assert names(fleet.select(Selector(f"{A}.x == true"))) == ["true"]
    assert names(fleet.select(Selector(f'device.capacity["{DRIVER}"].memory.isInteger()'))) == ["one"]


def test_the_later_of_two_names_counts() -> None:
    """`x` and `driver/x` mean the same."""
    fleet = Fleet()
    twice = {"x": ONE, f"{DRIVER}/x": TWO}
    fleet.put("node", [attrs.evolve(made("twice"), attributes=twice), made("once", x=ONE)])
    assert names(fleet.select(Selector(f"{A}.x == 2"))) == ["twice"]


def test_room_is_given_back() -> None:
    """After many slices came and went, the index is as large as if they had never been."""
    fleet, selector = Fleet(), Selector(f"{A}.?serial.orValue(0) >= 2900 && {A}.?serial.orValue(0) < 2910")
    for number in range(1900, 5000):
        fleet.put(number, node(number))
        fleet.drop(number - 20)
        if number % 500 == 0:
            fleet.count(selector)
    assert len(fleet) == 80
    assert len(fleet._devices) < 10_000
    serial = fleet._columns["attributes", DRIVER, "serial"]
    assert len(serial.codes) < 10_000
    assert fleet.select(selector) == ()
    again = fleet_of(*range(4980, 5000))
    for expression, _ in SELECTORS:
        assert fleet.select(Selector(expression)) == again.select(Selector(expression))


def test_answers_are_bounded() -> None:
    """The answers of the selectors that were asked last are kept."""
    fleet = fleet_of(0)
    for number in range(40):
        assert fleet.count(Selector(f"{A}.?numa.orValue(0) == {number} || true")) == 4
    assert len(fleet._answers) == 16


def test_pickling() -> None:
    """A fleet goes to another process and goes on there."""
    fleet, selector = fleet_of(0, 1), Selector(f'{A}.?type.orValue("") == "npu"')
    fleet.select(selector)
    copied = pickle.loads(pickle.dumps(fleet))
    copied.put(2, node(2))
    assert names(copied.select(pickle.loads(pickle.dumps(selector)))) == ["0-2", "1-2", "2-2"]
    assert names(fleet.select(selector)) == ["0-2", "1-2"]


def judged(work: tuple[Selector, cel.Program, tuple[Device, ...], Fleet]) -> tuple[list[str], list[bool], list[str]]:
    """Judge in whatever process this is."""
    selector, program, devices, fleet = work
    return names(selector.select(devices)), [program.matches(device) for device in devices], names(fleet.select(selector))


def test_process_pool() -> None:
    """Selectors, programs, devices and fleets go to a pool of processes, prepared or not, and say the same there."""
    selector = Selector(f'{A}.?type.orValue("") == "vfio"')
    devices = node(0)
    work = (selector, selector.program, devices, fleet_of(0, 1))
    expected = judged(work)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(judged, [work] * 3)) == [expected] * 3


def test_threads() -> None:
    """Threads that ask while another puts see whole slices only."""
    fleet, selector = fleet_of(0), Selector("true")
    seen: list[int] = []
    threads = [Thread(target=lambda: seen.extend(len(fleet.select(selector)) for _ in range(50))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for number in range(1, 100):
        fleet.put(number, node(number))
    for thread in threads:
        thread.join()
    assert len(seen) == 400
    assert {count % 4 for count in seen} == {0}


VALUES = st.sampled_from(
    [
        ONE,
        TWO,
        TEXT,
        OTHER,
        DeviceAttribute(bool_value=True),
        DeviceAttribute(version_value="1.2.3"),
        DeviceAttribute(),
        DeviceAttribute(int_values=(1,)),
    ]
)
DEVICES = st.builds(
    lambda driver, attributes, capacity: attrs.evolve(made("device", driver, capacity=capacity), attributes=attributes),
    st.sampled_from([DRIVER, "b.example"]),
    st.dictionaries(st.sampled_from(["type", "numa", "x/y", f"{DRIVER}/type"]), VALUES, max_size=3),
    st.sampled_from([None, "1", "1000m"]),
)
EVENTS = st.lists(st.tuples(st.integers(0, 3), st.one_of(st.none(), st.lists(DEVICES, max_size=4))), max_size=12)


@given(
    events=EVENTS,
    selector=st.sampled_from([Selector(expression) for expression, _ in SELECTORS] + [Selector(f"{A}.type == {A}.numa", cel.Environment("1.37"))]),
)
def test_any_history(events: list[tuple[int, list[Device] | None]], selector: Selector) -> None:
    """Whatever came and went, and whenever it was asked, the fleet says of each device what the selector says."""
    fleet = Fleet()
    for key, devices in events:
        if devices is None:
            fleet.drop(key)
        else:
            fleet.put(key, devices)
        counts = dict.fromkeys(Verdict, 0)
        for device in fleet:
            counts[selector.verdict(device)] += 1
        assert fleet.tally(selector) == counts


def test_matrix() -> None:
    """A matrix has a row for each selector and a verdict for each device."""
    selectors = [Selector("true"), Selector(f'{A}.type == "vfio"')]
    assert matrix(selectors, iter(node(0))) == ((Verdict.MATCH,) * 4, (Verdict.MATCH, Verdict.MATCH, Verdict.NO_MATCH, Verdict.ERROR))
    assert matrix([], node(0)) == ()
