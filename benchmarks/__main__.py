"""Room: `python -m benchmarks [NAME…]`: run the contests, print the table, keep the values. May touch: the contests."""

from __future__ import annotations

import argparse
import platform
import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs
import pyperf

from .measure import Result, run, summary

#: The modules that give contests, in the order of the table.
MODULES = ("imports", "scan", "matching", "compiling", "fleet", "allocating")
RESULTS = Path(__file__).parent / "results"


def main() -> int:
    """Run what the arguments name; everything by default."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Ratios measured in one run on this machine.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"only these of {', '.join(MODULES)} (default: all)")
    parser.add_argument("--rounds", type=int, help="how often each contestant runs")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.names if name not in MODULES]:
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    started = datetime.now(UTC)
    print(f"{started:%Y-%m-%d %H:%M} UTC, {platform.python_implementation()} {platform.python_version()}, {processor()}")
    kept: list[pyperf.Benchmark] = []
    for name in arguments.names or MODULES:
        results: list[Result] = []
        for contest in import_module(f".{name}", __package__).contests():
            result = run(contest if arguments.rounds is None else attrs.evolve(contest, rounds=min(arguments.rounds, contest.rounds)))
            print(*result.rows(), sep="\n", flush=True)
            results.append(result)
            kept += result.benchmarks()
        print(*summary(results), sep="\n", flush=True)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{started:%Y%m%d-%H%M%S}.json"
    suite: Any = pyperf.BenchmarkSuite(kept)
    suite.dump(str(path), replace=True)
    print(f"kept in {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")
    return 0


def processor() -> str:
    """Name the processor as the kernel does."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "unknown processor"
    models = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return f"{len(models)} × {models[0]}" if models else platform.machine()


sys.exit(main())
