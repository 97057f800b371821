"""
Room: `rbln-dra allocate`: which devices claims get on a node, or why none.

May touch: `command`, `documents`, `files`, `sources` for `-`, `table`, `allocation`, `resources`, `kubernetes`, `errors`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import attrs

from ..errors import AllocationError, DecodeError
from ..kubernetes import DEFAULT_MINOR, MINORS, Kubernetes, parse_feature_gates
from .command import Command, Console, UsageError
from .documents import rendered
from .files import File, Given, entries
from .sources import STDIN
from .table import shortened, table

if TYPE_CHECKING:
    from ..allocation import AllocationExplanation, ClaimAllocation

FORMS: Final = ("table", "json", "yaml")

FITS: Final = 0
DOES_NOT_FIT: Final = 1
ERROR: Final = 2

#: What a file may hold.
_KINDS: Final = ("ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "ResourceSlice", "Node")


def _arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "claims", metavar="CLAIM", nargs="+", help="files with ResourceClaims or templates of them, JSON or YAML; - is standard input"
    )
    parser.add_argument("--slices", metavar="FILE|-", action="append", default=[], help="ResourceSlices as kubectl prints them")
    parser.add_argument("--classes", metavar="FILE|-", action="append", default=[], help="DeviceClasses; any file may hold some")
    parser.add_argument("--node", metavar="NAME|FILE", help="the node, or a file with the Node object (default: the one that the slices name)")
    parser.add_argument(
        "--in-use", metavar="DRIVER/POOL/DEVICE|FILE", action="append", default=[], help="a device that is allocated, or allocated claims"
    )
    parser.add_argument("--kubernetes", metavar="MINOR", default=DEFAULT_MINOR, help=f"{MINORS[0]} to {MINORS[-1]} (default: %(default)s)")
    parser.add_argument("--feature-gates", metavar="GATE=BOOL,…", default="", help="as the components of Kubernetes take them")
    parser.add_argument("--explain", action="store_true", help="say for each request and device what rules it out")
    parser.add_argument("-o", "--output", choices=FORMS, default="table", help="how to print: %(choices)s (default: %(default)s)")


def _run(options: argparse.Namespace, console: Console) -> int:
    """Allocate, and print what comes of it."""
    from ..allocation import explain

    release = Kubernetes(options.kubernetes, gates=parse_feature_gates(options.feature_gates))
    objects = _read((*options.claims, *options.slices, *options.classes), release, console)
    claims = [*objects["ResourceClaim"], *map(_claim_of, objects["ResourceClaimTemplate"])]
    if not claims:
        raise UsageError(f"there is no ResourceClaim in {', '.join(options.claims)}")
    in_use = list(_in_use(options.in_use, release, console))
    _look_for(in_use, objects["ResourceSlice"], console)
    found = explain(
        claims,
        classes=objects["DeviceClass"],
        slices=objects["ResourceSlice"],
        node=_node(options.node, objects, release, console),
        in_use=in_use,
        kubernetes=release,
    )
    if found.error is not None and options.output == "table" and not options.explain:
        raise AllocationError(found.error)
    if options.output != "table":
        console.line(rendered(_report(found, explained=options.explain), options.output))
    else:
        _print(found, console, explained=options.explain)
    if found.error is not None:
        return ERROR
    return FITS if found.fits else DOES_NOT_FIT


def _read(files: Iterable[str], release: Kubernetes, console: Console) -> dict[str, list[Mapping[str, Any]]]:
    """
    Read objects by kind; a file that is named twice is read once.

    Raises:
        DecodeError: Something is no such object.
        DiscoveryError: A file cannot be read.
    """
    found: dict[str, list[Mapping[str, Any]]] = {kind: [] for kind in _KINDS}
    for file in dict.fromkeys(files):
        for given in File.read(file, console).objects():
            kind = given.kind
            if kind is None or kind not in _KINDS:
                raise DecodeError("kind", kind, f"one of {', '.join(_KINDS)}", source=given.label)
            try:
                found[kind].append(_stored(given, release))
            except DecodeError as error:
                raise attrs.evolve(error, source=given.label) from error
    return found


def _stored(given: Given, release: Kubernetes) -> Mapping[str, Any]:
    """
    Give an object as the scheduler gets it from the API server, which writes amounts in its own way: `1536Mi` for `1.5Gi`.

    Raises:
        DecodeError: The API server could not read it.
    """
    from ..resources import from_dict

    if given.kind == "Node":
        return cast("Mapping[str, Any]", given.value)
    return from_dict(given.value, kubernetes=release).to_dict()


def _claim_of(template: Mapping[str, Any]) -> dict[str, Any]:
    """Make the claim that a template stands for, under the template's name."""
    from ..resources import ResourceClaim, ResourceClaimTemplate

    read = ResourceClaimTemplate.from_dict(template)
    return ResourceClaim(read.metadata, read.spec.spec).to_dict()


def _node(given: str | None, objects: Mapping[str, Sequence[Mapping[str, Any]]], release: Kubernetes, console: Console) -> str | Mapping[str, Any]:
    """
    Find the node.

    Raises:
        UsageError: It is not said, and the slices do not say it.
    """
    known = [*objects["Node"]]
    if given is not None and ("/" in given or given.endswith((".json", ".yaml", ".yml"))):
        known = _read((given,), release, console)["Node"]
        given = None
    named = [each for each in known if given is None or entries(each.get("metadata")).get("name") == given]
    if named:
        return named[0]
    if given is not None:
        return given
    specs = (each["spec"] for each in objects["ResourceSlice"])
    names = sorted({str(spec["nodeName"]) for spec in specs if spec.get("nodeName")})
    if len(names) != 1:
        raise UsageError(f"say which node with --node: the slices name {', '.join(names[:5]) or 'none'}")
    return names[0]


def _in_use(given: Iterable[str], release: Kubernetes, console: Console) -> Iterator[tuple[str, str, str] | Mapping[str, Any]]:
    """Take devices as driver/pool/device, where a pool may have slashes, and files with claims."""
    for each in given:
        if each == STDIN or each.endswith((".json", ".yaml", ".yml")) or each.count("/") < 2:
            yield from _read((each,), release, console)["ResourceClaim"]
        else:
            driver, _, rest = each.partition("/")
            pool, _, device = rest.rpartition("/")
            yield driver, pool, device


def _look_for(in_use: Iterable[tuple[str, str, str] | Mapping[str, Any]], slices: Iterable[Mapping[str, Any]], console: Console) -> None:
    """Remark devices in use that no slice has: a slip of the pen frees the device that was meant."""
    named = [each for each in in_use if isinstance(each, tuple)]
    specs = [each["spec"] for each in slices] if named else []
    published = {(spec["driver"], spec["pool"]["name"], device["name"]) for spec in specs for device in spec.get("devices", ())}
    for each in named:
        if each not in published:
            console.remark(f"rbln-dra: note: --in-use {'/'.join(each)}: no slice has this device")


def _print(found: AllocationExplanation, console: Console, *, explained: bool) -> None:
    """Print the devices, or that there are none and why."""
    if found.allocations is not None:
        rows = [(_name(each), *row) for each in found.allocations for row in each.results]
        for line in table(rows, ["CLAIM", "REQUEST", "DRIVER", "POOL", "DEVICE"]):
            console.line(line)
    else:
        console.line("does not fit" if found.error is None else f"ERROR: {found.error}")
    if explained:
        _print_reasons(found, console)
    elif not found.fits:
        for hint in found.advice:
            console.remark(f"rbln-dra: hint: {hint}")


def _print_reasons(found: AllocationExplanation, console: Console) -> None:
    """Print for each request what rules out each device."""
    for pool in found.pools:
        console.line(pool)
    for request in found.requests:
        console.line()
        console.line(str(request))
        rows = [(*ruling.device, ruling.reason.value, shortened(ruling.detail)) for ruling in request.rulings]
        for line in table(rows, ["DRIVER", "POOL", "DEVICE", "WHY NOT", "DETAIL"]) if rows else ():
            console.line(f"  {line}")
    if found.advice:
        console.line()
    for hint in found.advice:
        console.line(f"hint: {hint}")


def _name(allocation: ClaimAllocation) -> str:
    """Give a claim's name with its namespace."""
    metadata = allocation.claim.metadata
    return f"{metadata.namespace}/{metadata.name}" if metadata.namespace else metadata.name


def _report(found: AllocationExplanation, *, explained: bool) -> dict[str, Any]:
    """Make a document of what came of it."""
    report: dict[str, Any] = {
        "fits": found.fits,
        **({} if found.error is None else {"error": found.error}),
        "claims": [{"claim": _name(each), "allocation": each.to_dict()} for each in found.allocations or ()],
        "hints": list(found.advice),
    }
    if explained:
        report["pools"] = list(found.pools)
        report["requests"] = [
            {
                "claim": request.claim,
                "request": request.request,
                "wanted": request.wanted,
                "usable": request.usable,
                "devices": [
                    {
                        "driver": ruling.device[0],
                        "pool": ruling.device[1],
                        "device": ruling.device[2],
                        "reason": ruling.reason.value,
                        "detail": ruling.detail,
                    }
                    for ruling in request.rulings
                ],
            }
            for request in found.requests
        ]
    return report


COMMAND: Final = Command(
    "allocate",
    "tell which devices claims get on a node, as kube-scheduler decides, or why none",
    """\
All claims get what they want, or none gets anything.

exit codes: 0 the claims fit, 1 they do not, 2 the scheduler gives up with an error, or something cannot be read

examples:
  rbln-dra allocate claim.yaml --slices slices.json --classes classes.yaml
  kubectl get resourceslices -o json | rbln-dra allocate claim.yaml --slices - --classes classes.yaml --node node-atom --explain
""",
    _arguments,
    _run,
)
