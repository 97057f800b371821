"""`python -m tests.oracle compare|compare-allocations|compare-objects|compare-statuses|add`: compare live with the real Kubernetes code, or add a minor."""

from __future__ import annotations

import argparse
import sys

from . import allocations, apiserver, judge, objects
from .compare import ASPECTS, run, shrink

#: How many disagreements of an aspect are made small and shown.
SHOWN = 5


def main() -> int:
    """Run the command; the exit code is 1 when the engines disagree in verdict or type."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, run_of_one, what in (
        ("compare", _compare, "selectors"),
        ("compare-allocations", _compare_allocations, "allocations"),
        ("compare-objects", _compare_objects, "objects"),
        ("compare-statuses", _compare_statuses, "updates of claims' status"),
    ):
        comparing = commands.add_parser(name, help=f"compare N fresh random {what} a minor")
        comparing.add_argument("--count", type=int, default=20_000, help=f"{what} a minor (default: %(default)s)")
        comparing.add_argument("--seed", type=int, default=1, help="the same seed asks the same (default: %(default)s)")
        comparing.add_argument("--minor", action="append", help="only this minor (default: all)")
        comparing.set_defaults(of_one=run_of_one)
    adding = commands.add_parser("add", help="make the folder of a new minor")
    adding.add_argument("minor", help="such as 1.38")
    adding.add_argument("version", help="of the modules, such as v0.38.0")
    adding = commands.add_parser("add-objects", help="make the folder of a new minor for objects, which need Kubernetes whole")
    adding.add_argument("minor", help="such as 1.38")
    adding.add_argument("version", help="of k8s.io/kubernetes, such as v1.38.0")
    arguments = parser.parse_args()
    if arguments.command.startswith("add"):
        (judge if arguments.command == "add" else apiserver).add(arguments.minor, arguments.version)
        return 0
    codes: list[int] = [arguments.of_one(minor, count=arguments.count, seed=arguments.seed) for minor in arguments.minor or judge.minors()]
    return max(codes)


def _compare(minor: str, *, count: int, seed: int) -> int:
    real = judge.Judge.of(minor)
    counts, found = run(real, count=count, seed=seed)
    print(f"{minor}: {count} selectors, seed {seed}: " + ", ".join(f"{name} {number}" for name, number in sorted(counts.items())), flush=True)
    for aspect in ASPECTS:
        for disagreement in [entry for entry in found if entry.aspect == aspect][:SHOWN]:
            print(shrink(real, disagreement), flush=True)
    return int(any(entry.aspect in {"verdict", "type"} for entry in found))


def _compare_allocations(minor: str, *, count: int, seed: int) -> int:
    real = judge.Judge.of(minor)
    counts, found = allocations.run(real, count=count, seed=seed)
    print(f"{minor}: {count} allocations, seed {seed}: " + ", ".join(f"{name} {number}" for name, number in sorted(counts.items())), flush=True)
    for disagreement in found[:SHOWN]:
        print(allocations.shrink(real, disagreement), flush=True)
    return int(bool(found))


def _compare_statuses(minor: str, *, count: int, seed: int) -> int:
    return _compare_objects(minor, count=count, seed=seed, subresource="status")


def _compare_objects(minor: str, *, count: int, seed: int, subresource: str = "") -> int:
    real = apiserver.judge(minor)
    counts, found = objects.run(real, count=count, seed=seed, subresource=subresource)
    print(f"{minor}: {count} objects, seed {seed}: " + ", ".join(f"{name} {number}" for name, number in sorted(counts.items())), flush=True)
    for aspect in objects.ASPECTS:
        for disagreement in [entry for entry in found if entry.aspect == aspect][:SHOWN]:
            print(objects.shrink(real, disagreement), flush=True)
    return int(any(entry.aspect != "messages" for entry in found))


sys.exit(main())
