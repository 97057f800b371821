"""
Room: what an allocation costs on the recorded scenarios, beside the scheduler's own allocator where Go is installed.

Two contests a minor: the median scenario, and all of them together, which is where a search that tries everything shows. Go's times are the
fastest of some rounds, measured right before; ours begin with values, not texts, as Go's do.

May touch: `go` for the minors, the recorded scenarios and the oracle of the tests, the package.
"""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

import attrs

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, Cluster, Node
from rbln_dra.allocation.objects import claims_of, classes_of, slices_of
from rbln_dra.allocation.pools import DeviceID
from rbln_dra.allocation.rules import rules_of
from rbln_dra.resources import DeviceClass, ResourceClaim, ResourceSlice
from tests.conformance.allocations import Recorded, load
from tests.oracle.judge import Judge

from .go import MINORS
from .measure import Contest, Contestant, known

#: How many of the recorded scenarios.
COUNT = 400
ROUNDS = 5
#: How long the Go program may take for one scenario, in seconds; it takes seconds for a few of them.
SECONDS = 5.0

Summary = Callable[[Iterable[float]], float]


@attrs.frozen
class Scenario:
    """
    A recorded scenario as values.

    Args:
        claims: The claims.
        classes: The classes.
        slices: The slices.
        node: The node.
        in_use: What is in use.
        cluster: Classes and slices, and what was found out about them.
    """

    claims: Sequence[ResourceClaim]
    classes: Sequence[DeviceClass]
    slices: Sequence[ResourceSlice]
    node: Node
    in_use: Sequence[DeviceID]
    cluster: Cluster

    @classmethod
    def of(cls, recorded: Recorded, release: Kubernetes) -> Scenario:
        """Read a recorded scenario."""
        given = recorded.objects
        classes = tuple(classes_of(given["Classes"], release).values())
        slices = slices_of(given["Slices"], release)
        in_use = [(driver, pool, device) for driver, pool, device in given["InUse"]]
        cluster = Cluster(classes=classes, slices=slices, kubernetes=release)
        return cls(claims_of(given["Claims"], release), classes, slices, Node.of(given["Node"]), in_use, cluster)

    def anew(self) -> Cluster:
        """Give classes and slices of which nothing is known."""
        return Cluster(classes=self.classes, slices=self.slices, kubernetes=self.cluster.kubernetes)

    def kept(self) -> Cluster:
        """Give classes and slices that were allocated from before."""
        return self.cluster


def contests() -> Iterator[Contest]:
    """Give two contests for each minor."""
    for minor in MINORS:
        recorded = load()[:COUNT]
        scenarios = [Scenario.of(each, Kubernetes(minor)) for each in recorded]
        real = go(minor, recorded)
        summaries: dict[str, Summary] = {"the median scenario": statistics.median, f"all of {len(scenarios)} scenarios": sum}
        for name, summary in summaries.items():
            contestants: dict[str, Contestant] = {"rbln_dra": timed(scenarios, Scenario.anew, summary)}
            if real:
                contestants[f"Go, Kubernetes {minor}"] = known(summary(real))
            contestants["a Cluster that is kept"] = timed(scenarios, Scenario.kept, summary)
            yield Contest(f"allocate {minor}, {name}", contestants, limit=1.0, rounds=ROUNDS)


def timed(scenarios: Sequence[Scenario], cluster: Callable[[Scenario], Cluster], summary: Summary) -> Contestant:
    """Make a contestant that gives the summary of what the scenarios took."""

    def contestant() -> float:
        return summary([seconds(scenario, cluster) for scenario in scenarios])

    return contestant


def seconds(scenario: Scenario, cluster: Callable[[Scenario], Cluster]) -> float:
    """Give what one allocation takes, an error included."""
    start = time.perf_counter()
    with suppress(AllocationError):
        cluster(scenario).allocate(scenario.claims, node=scenario.node, in_use=scenario.in_use)
    return time.perf_counter() - start


def go(minor: str, recorded: Sequence[Recorded]) -> list[float]:
    """Give the seconds of each scenario as the Go program measures them; nothing when it cannot be built here."""
    names = {"node": "Node", "slices": "Slices", "classes": "Classes", "claims": "Claims", "inUse": "InUse"}
    asked = {"features": sorted(rules_of(Kubernetes(minor)).features), "lists": False, "times": ROUNDS, "seconds": SECONDS}
    try:
        judge = Judge.of(minor)
        questions = [{**asked, **{name: each.objects[given] for name, given in names.items()}} for each in recorded]
        return [reply["nanoseconds"] / 1e9 for reply in judge.ask(questions, program="benchalloc")]
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        print(f"not measured: Go's allocator, Kubernetes {minor}: {error}")
        return []
