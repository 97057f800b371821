"""
Room: `rbln-dra validate`: what the API server has against the objects in files.

May touch: `command`, `documents`, `sources` for `-`, `files`, `validate_stored`, `resources`, `validation`, `kubernetes`, `wire`, `errors`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from ..errors import DecodeError
from ..kubernetes import DEFAULT_MINOR, MINORS, Kubernetes, parse_feature_gates
from ..wire import within
from .command import Command, Console, UsageError, one_line
from .documents import rendered
from .files import File, Given
from .sources import STDIN
from .validate_stored import Stored, updating

if TYPE_CHECKING:
    from ..validation import Advice

FORMS: Final = ("text", "json", "yaml")
#: The parts of objects that are updated for themselves.
SUBRESOURCES: Final = ("status",)

ADMITTED: Final = 0
REFUSED: Final = 1

#: The reason of what cannot be read; the API server gives none, it answers with a bad request.
UNREADABLE: Final = "Unreadable"
#: The reasons of what --strict finds; the API server drops the one and merges the other.
UNKNOWN: Final = "UnknownField"
REPEATED: Final = "DuplicateField"

#: Path, reason and message.
Said = tuple[str, str, str]


@attrs.frozen
class Judged:
    """
    What the API server says of one object.

    Args:
        given: The object with its place.
        errors: Path, reason and message of each error.
        readable: Whether the API server could read it.
    """

    given: Given
    errors: tuple[Said, ...]
    readable: bool


@attrs.frozen
class Judge:
    """
    The API server that judges, and what is asked of it.

    Args:
        release: Its minor and gates.
        admin_access: Whether the namespace allows admin access.
        strict: Whether unknown and repeated keys are errors.
        stored: What is stored, when all objects are updates; `None` when they are new.
        subresource: The part of the objects that is updated; empty for all the rest.
    """

    release: Kubernetes
    admin_access: bool
    strict: bool
    stored: Stored | None
    subresource: str

    def __call__(self, given: Given) -> Judged:
        """
        Judge one object.

        Raises:
            UsageError: It is no update of anything that is stored.
        """
        from ..validation import validate

        unreadable: DecodeError | None = None
        errors: list[Said] = []
        try:
            value, old = self._update(given)
            found = validate(value, kubernetes=self.release, old=old, admin_access=self.admin_access, subresource=self.subresource)
            errors += ((each.field, each.reason, each.message) for each in found)
        except DecodeError as error:
            unreadable = error
            errors.append((error.path, UNREADABLE, str(attrs.evolve(error, path="")).removeprefix("object: ")))
        slips = self._slips(given, unreadable) if self.strict else ()
        return Judged(given, (*slips, *errors), readable=unreadable is None)

    def _update(self, given: Given) -> tuple[object, object]:
        """
        Give what is judged, and what is stored of it; `None` for what is new.

        Raises:
            DecodeError: The API server could not read it.
            UsageError: Nothing is stored of it.
        """
        from ..resources import from_dict

        if self.stored is None:
            return given.value, None
        from_dict(given.value, kubernetes=self.release)
        return updating(given, self.stored.counterpart(given))

    def _slips(self, given: Given, unreadable: DecodeError | None) -> Iterator[Said]:
        """Yield what only a strict reader minds, with line and column."""
        from ..resources import from_dict

        for path, where in given.repeated:
            yield path, REPEATED, f"{where}the key stands twice"
        try:
            from_dict(given.value, strict=True, kubernetes=self.release)
        except DecodeError as error:
            for slip in error.every:
                if slip != unreadable:
                    where = given.file.where(given.document, within(slip, given.path).path)
                    yield slip.path, UNKNOWN, where + str(attrs.evolve(slip, path="")).removeprefix("object: ")


def _arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="objects of resource.k8s.io, JSON or YAML; - is standard input")
    parser.add_argument(
        "--old", metavar="FILE", action="append", default=[], help="the stored objects that they are updates of; may stand several times"
    )
    parser.add_argument("--subresource", choices=SUBRESOURCES, default="", help="with --old: only this part of claims is updated")
    parser.add_argument("--kubernetes", metavar="MINOR", default=DEFAULT_MINOR, help=f"{MINORS[0]} to {MINORS[-1]} (default: %(default)s)")
    parser.add_argument("--feature-gates", metavar="GATE=BOOL,…", default="", help="as the API server takes them")
    parser.add_argument("--admin-access", action="store_true", help="the namespace has the label resource.kubernetes.io/admin-access: true")
    parser.add_argument(
        "--strict", action="store_true", help="fields that the API does not know, or that stand twice, are errors, as for fieldValidation=Strict"
    )
    parser.add_argument("-o", "--output", choices=FORMS, default="text", help="how to print: %(choices)s (default: %(default)s)")


def _run(options: argparse.Namespace, console: Console) -> int:
    """
    Judge all objects.

    Raises:
        UsageError: The options do not go together, or an object is no update of what is stored.
    """
    release = Kubernetes(options.kubernetes, gates=parse_feature_gates(options.feature_gates))
    if options.subresource and not options.old:
        raise UsageError(f"--subresource {options.subresource} needs --old FILE: a {options.subresource} is only ever updated")
    if [*options.files, *options.old].count(STDIN) > 1:
        raise UsageError("standard input can be read once; give one of the files a name")
    stored = Stored.of((File.read(path, console) for path in options.old), release) if options.old else None
    judge = Judge(release, options.admin_access, options.strict, stored, options.subresource)
    judged: list[Judged] = []
    for path in options.files:
        for given in File.read(path, console).objects():
            if given.foreign:
                console.remark(f"rbln-dra: note: {given.label}: {given.kind} is no object of resource.k8s.io, not looked at")
            elif options.subresource and given.kind not in {None, "ResourceClaim"}:
                console.remark(f"rbln-dra: note: {given.label}: {given.kind} has no {options.subresource}, not looked at")
            else:
                judged.append(judge(given))
    advice = _advice(judged, release)
    if options.output == "text":
        for one, hints in zip(judged, advice, strict=True):
            for path, reason, message in one.errors:
                console.line(one_line(f"{one.given.label}: {f'{path}: ' if path else ''}{reason}: {message}"))
            for hint in hints:
                console.remark(f"rbln-dra: note: {one.given.label}: {hint.field}: {hint.message}")
    else:
        console.line(rendered([_report(one, hints) for one, hints in zip(judged, advice, strict=True)], options.output))
    return REFUSED if any(one.errors for one in judged) else ADMITTED


def _advice(judged: Sequence[Judged], release: Kubernetes) -> list[list[Advice]]:
    """Give advice on all that can be read, together, and sort it by object."""
    from ..validation import advise

    readable = [index for index, one in enumerate(judged) if one.readable]
    found: list[list[Advice]] = [[] for _ in judged]
    for hint in advise(*(judged[index].given.value for index in readable), kubernetes=release):
        found[readable[hint.index]].append(hint)
    return found


def _report(one: Judged, hints: Iterable[Advice]) -> dict[str, Any]:
    """Make a document of what is said of an object."""
    errors = [{"field": path, "reason": reason, "message": message} for path, reason, message in one.errors]
    advice = [{"field": hint.field, "code": hint.code, "message": hint.message} for hint in hints]
    whole = {**one.given.place, "kind": one.given.kind, "name": one.given.metadata("name"), "admitted": not errors, "errors": errors}
    return {**whole, "advice": advice} if advice else whole


COMMAND: Final = Command(
    "validate",
    "say what the API server has against objects",
    """\
One line for each error: file and document, path, reason and the API server's message.
What it admits and is odd nevertheless is a note on standard error, and no error.
With --old each object is an update, as `kubectl replace` sends it, of the stored object of
its kind, namespace and name; a missing resourceVersion is that of the stored object.

exit codes: 0 all objects are admitted, 1 one is not, 2 a file cannot be read, or --old lacks an object

examples:
  rbln-dra validate claim.yaml class.yaml --kubernetes 1.36
  kubectl get deviceclasses -o yaml >stored.yaml; rbln-dra validate class.yaml --old stored.yaml
  rbln-dra publish --tree atom --node node-1 | rbln-dra validate -
""",
    _arguments,
    _run,
)
