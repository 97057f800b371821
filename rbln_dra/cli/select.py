"""
Room: `rbln-dra select`: the verdict of a selector on each device, and why.

May touch: `command`, `sources`, `table`, `documents`, `devices`, `rbln_dra.devices`, `selectors`, `cel`, `kubernetes`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from ..kubernetes import DEFAULT_MINOR, MINORS, Kubernetes, parse_feature_gates
from .command import Command, Console
from .devices import name
from .documents import rendered
from .sources import add_source, read
from .table import shortened, table

if TYPE_CHECKING:
    from ..devices import Device
    from ..selectors import Explanation, Selector, Verdict

FORMS: Final = ("table", "wide", "name", "json", "yaml")

MATCHES: Final = 0
NO_MATCH: Final = 1
ERROR: Final = 2


def add_environment(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which Kubernetes judges."""
    group = parser.add_argument_group("which Kubernetes judges")
    group.add_argument(
        "--kubernetes", metavar="MINOR", default=DEFAULT_MINOR, help=f"{MINORS[0]} to {MINORS[-1]}, a patch release too (default: %(default)s)"
    )
    group.add_argument("--feature-gates", metavar="GATE=BOOL,…", default="", help="as the components of Kubernetes take them")
    group.add_argument(
        "--expressions",
        choices=("stored", "new"),
        default="stored",
        help="stored: as kube-scheduler evaluates; new: as the API server admits (default: %(default)s)",
    )


def _arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("expression", metavar="EXPR", help="the selector, in CEL; after -- when it begins with a minus")
    add_source(parser)
    add_environment(parser)
    parser.add_argument(
        "-o",
        "--output",
        choices=FORMS,
        default="table",
        help="how to print: %(choices)s (default: %(default)s); wide adds the value of every sub-expression, name prints what matches",
    )


def _run(options: argparse.Namespace, console: Console) -> int:
    """Judge every device."""
    from ..cel.environment import Environment
    from ..selectors import Selector

    release = Kubernetes(options.kubernetes, gates=parse_feature_gates(options.feature_gates))
    selector = Selector(options.expression, Environment(release, expressions=options.expressions))
    inventory = read(options, console)
    if options.output == "name":
        return _names(selector, inventory.devices, console, quiet=options.quiet)
    explanations = [selector.explain(device) for device in inventory.devices]
    verdicts = {explanation.verdict for explanation in explanations}
    if options.output in {"json", "yaml"}:
        console.line(rendered(_report(options.expression, explanations), options.output))
    elif explanations:
        _print(explanations, console, wide=options.output == "wide")
    else:
        console.remark("No devices found.")
    return _code(verdicts)


def _code(verdicts: Iterable[Verdict]) -> int:
    """Give the exit code of some verdicts."""
    given = {verdict.name for verdict in verdicts}
    return ERROR if "ERROR" in given else MATCHES if "MATCH" in given else NO_MATCH


def _names(selector: Selector, devices: Sequence[Device], console: Console, *, quiet: bool) -> int:
    """Print what matches, without the work of explaining it; only the first ERROR is explained, as a remark."""
    verdicts = [selector.verdict(device) for device in devices]
    for device, verdict in zip(devices, verdicts, strict=True):
        if verdict.name == "MATCH":
            console.line(name(device))
    code = _code(verdicts)
    if code == ERROR and not quiet:
        failed = next(device for device, verdict in zip(devices, verdicts, strict=True) if verdict.name == "ERROR")
        console.remark(f"rbln-dra: note: {name(failed)}: ERROR {shortened(selector.explain(failed).reason)}")
    return code


def _print(explanations: Sequence[Explanation], console: Console, *, wide: bool) -> None:
    """Print one row per device; in the wide form with its sub-expressions below."""
    rows = [[each.device.name, each.device.pool, each.verdict.value, shortened(each.reason)] for each in explanations]
    lines = table(rows, ["NAME", "POOL", "VERDICT", "WHY"])
    console.line(lines[0])
    for line, explanation in zip(lines[1:], explanations, strict=True):
        console.line(line)
        if wide:
            for step in table([[f"  {'  ' * step.depth}{shortened(step.text)}", shortened(step.result)] for step in explanation.steps]):
                console.line(step)


def _report(expression: str, explanations: Sequence[Explanation]) -> dict[str, Any]:
    """Make a document of the verdicts."""
    return {
        "expression": expression,
        "devices": [
            {
                "driver": each.device.driver,
                "pool": each.device.pool,
                "device": each.device.name,
                "verdict": each.verdict.value,
                **({} if each.error is None else {"error": each.error.message}),
                **({} if each.hint is None else {"hint": str(each.hint)}),
                "reasons": list(each.reasons),
                "cost": each.cost,
                "steps": [
                    {"expression": step.text, **({"evaluated": False} if not step.evaluated else {"result": step.result})} for step in each.steps
                ],
            }
            for each in explanations
        ],
    }


COMMAND: Final = Command(
    "select",
    "judge a selector on each device: match, no match or ERROR, and why",
    """\
ERROR is no "no match": Kubernetes then aborts the allocation of the whole claim.

exit codes: 0 a device matches, 1 none does, 2 an ERROR on a device, a selector that does not compile, a source that cannot be read

examples:
  rbln-dra select --tree atom 'device.attributes["npu.rebellions.ai"].productName == "RBLN-CA25"'
  kubectl get resourceslices -o json | rbln-dra select --slices - --kubernetes 1.36 EXPR
""",
    _arguments,
    _run,
)
