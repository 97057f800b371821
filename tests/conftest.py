"""
Room: what all tests share: the depth of the property suites, and the fence around the machine that runs them.

A test sees no `/sys` and no network but its own, so that it says the same on every machine. One that is about the machine itself is marked `host`
and runs with `--host` only.

May touch: pytest, hypothesis, the interpreter's audit events.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import hypothesis
import pytest

#: Audit events of opening a path, of listing a folder, and of reaching another machine.
PATHS = frozenset({"open", "os.listdir", "os.scandir", "os.readlink"})
NETWORK = frozenset({"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"})

# On CI a property test is a table of examples: the same ones every time, found without a clock.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, max_examples=100, print_blob=True, database=None)
hypothesis.settings.register_profile("dev", deadline=None, max_examples=50)
hypothesis.settings.register_profile("long", deadline=None, max_examples=2_000, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "dev")


class Fence:
    """What stands between a test and the machine; an audit hook cannot be taken away, so it is switched."""

    def __init__(self) -> None:
        self.closed = False

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        """Refuse an event that leaves the test's own world."""
        if not self.closed:
            return
        if event in NETWORK:
            raise AssertionError(f"a test reaches for the network: {event}{arguments}")
        if event in PATHS and arguments:
            path = arguments[0]
            text = os.fsdecode(path) if isinstance(path, (str, bytes)) else ""
            if text == "/sys" or text.startswith("/sys/"):
                raise AssertionError(f"a test reads this machine's {text}; give it a tree of its own or mark it host")


FENCE = Fence()
sys.addaudithook(FENCE)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--host`."""
    parser.addoption("--host", action="store_true", help="also run the tests that read this machine's own /sys")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about the machine, unless it was asked for."""
    if config.getoption("--host"):
        return
    about_the_host = [item for item in items if item.get_closest_marker("host")]
    if about_the_host:
        config.hook.pytest_deselected(items=about_the_host)
        items[:] = [item for item in items if item not in about_the_host]


@pytest.fixture(autouse=True)
def fence(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the fence around one test."""
    FENCE.closed = request.node.get_closest_marker("host") is None
    try:
        yield
    finally:
        FENCE.closed = False
