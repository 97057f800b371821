"""
Room: contests: the same job done in several ways, in interleaved rounds, so that a busy machine slows all of them alike.

pyperf keeps the values and names the machine; its own runner measures one way after the other, which a shared machine does not forgive.

May touch: pyperf.
"""

from __future__ import annotations

import statistics
import timeit
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import attrs
import pyperf

#: One way of doing the job: does it once and gives the seconds that it took.
Contestant: TypeAlias = Callable[[], float]

#: How long one value of a quick job is measured at least, in seconds.
SLICE = 0.01


@attrs.frozen
class Contest:
    """
    One job and the ways of doing it.

    Args:
        name: The job, as a line of the table.
        contestants: The ways by name; the first is ours, the ratio of each other one is ours to it.
        limit: The ratio to the second contestant that the project has set itself; `None` without one.
        rounds: How often each contestant runs.
    """

    name: str
    contestants: Mapping[str, Contestant]
    limit: float | None = None
    rounds: int = 21


@attrs.frozen
class Result:
    """
    What a contest gave.

    Args:
        contest: The contest.
        values: The seconds of each round by contestant.
    """

    contest: Contest
    values: Mapping[str, Sequence[float]]

    def median(self, name: str) -> float:
        """Give the median of a contestant in seconds."""
        return statistics.median(self.values[name])

    def rows(self) -> list[str]:
        """Render one line for each contestant: its median, and ours as a multiple of it."""
        ours, *others = self.values
        lines = [f"{self.contest.name:<44}{ours:<28}{_seconds(self.median(ours)):>12}"]
        for number, other in enumerate(others):
            limit = f"  (limit {self.contest.limit:g})" if number == 0 and self.contest.limit is not None else ""
            lines.append(f"{'':<44}{other:<28}{_seconds(self.median(other)):>12}{_ratio(self.median(ours) / self.median(other))}{limit}")
        return lines

    def benchmarks(self) -> list[pyperf.Benchmark]:
        """Give the values in pyperf's form."""
        return [
            pyperf.Benchmark(
                [pyperf.Run(list(values), metadata={"name": f"{self.contest.name}: {name}", "unit": "second"}, collect_metadata=True)],
            )
            for name, values in self.values.items()
        ]


def summary(results: Sequence[Result]) -> list[str]:
    """
    Render the geometric means over contests of one job, such as "match, selector 1" to "9": for each contestant of ours to each other one.

    A contestant that was not in all of them is compared where it was.
    """
    jobs: dict[str, list[Result]] = {}
    for result in results:
        job, numbered, _ = result.contest.name.partition(", selector ")
        if numbered:
            jobs.setdefault(job, []).append(result)
    lines: list[str] = []
    for job, group in jobs.items():
        ours = next(iter(group[0].values))
        title = f"{job}, geometric mean of {len(group)}"
        for other in dict.fromkeys(name for result in group for name in result.values if name != ours):
            ratios = [result.median(ours) / result.median(other) for result in group if other in result.values]
            mean, worst = statistics.geometric_mean(ratios), max(ratios)
            of = f", of {len(ratios)}" if len(ratios) < len(group) else ""
            lines.append(f"{title:<44}{'to ' + other:<40}{_ratio(mean)}  (worst{_ratio(worst)}{of})")
            title = ""
    return lines


def quick(job: Callable[[], object]) -> Contestant:
    """Make a contestant of a job of less than a few milliseconds: it is repeated until the clock can see it."""
    timer = timeit.Timer(job)
    number = 1
    while timer.timeit(number) < SLICE:
        number *= 2

    def contestant() -> float:
        return timer.timeit(number) / number

    return contestant


def slow(job: Callable[[], object]) -> Contestant:
    """Make a contestant of a job that takes milliseconds or more."""
    timer = timeit.Timer(job)

    def contestant() -> float:
        return timer.timeit(1)

    return contestant


def known(seconds: float) -> Contestant:
    """Make a contestant of a time that something else has measured."""
    return lambda: seconds


def run(contest: Contest) -> Result:
    """Run all contestants in turn, once without counting and then `rounds` times."""
    values: dict[str, list[float]] = {name: [] for name in contest.contestants}
    for count in range(contest.rounds + 1):
        for name, contestant in contest.contestants.items():
            seconds = contestant()
            if count:
                values[name].append(seconds)
    return Result(contest, values)


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.2f} {unit}"
    return f"{value * 1e9:.0f} ns"


def _ratio(ratio: float) -> str:
    """Render ours as a multiple of another's, small ones as a fraction."""
    return f"{ratio:>9.2f} ×" if ratio >= 0.1 else f"{f'1/{1 / ratio:.1f}':>9} ×"
