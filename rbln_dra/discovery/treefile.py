r"""
Room: a node's sysfs as one text that people read, write and review.

    # RBLN-CR13, the node of the documentation.
    node node-rebel100

    devices/pci0000:20/0000:20:01.0/0000:27:00.0/
        vendor = 0x1eff
        driver -> ../../../../bus/pci/drivers/vfio-pci
        numa_node ! EACCES

A line is blank, a comment (`#`), the node's name, a directory (a path that ends in a slash; it exists even when nothing follows), or an entry of
the directory above it: a file (`=`; its text ends in a newline, as sysfs writes it), a link (`->`) or a read that fails (`!` and an errno). Names
and values that would not survive that are JSON strings; a file whose value is a JSON string has exactly that text. Indentation has no meaning.

May touch: `access`, `errors`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from ..errors import DiscoveryError, InvalidValue
from .access import Entry, Fault, Link

EXPECTED = "expected `node NAME`, `FOLDER/`, `NAME = TEXT`, `NAME -> TARGET`, `NAME ! ERRNO` or a comment"

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_LINE = re.compile(
    rf"""
    (?P<name> {_QUOTED} | [^\s"\#] \S* )
    (?: \s+ (?P<sign> = | -> | ! ) (?: \s+ (?P<value> .* ) )? )?
    """,
    re.VERBOSE,
)
_SIGNS = frozenset({"=", "->", "!"})
_PLAIN_NAME = re.compile(r'[^\s"#]\S*')


def parse(text: str, *, source: str) -> tuple[str | None, dict[str, Entry]]:
    r"""
    Parse the text of a tree: the node's name, absent when the text has none, and what stands at each path.

    Args:
        text: The text.
        source: What to call it in errors.

    Raises:
        DiscoveryError: A line is not of this form, names something twice, or stands below a file; `place` has the number of the line.

    >>> parse("node a\nbus/pci/devices/\n  x -> ../y", source="example")
    ('a', {'bus/pci/devices/': '', 'bus/pci/devices/x': Link(target='../y')})
    """
    node: str | None = None
    folder = ""
    entries: dict[str, Entry] = {}
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        place = f"{source}:{number}"
        if stripped.startswith("node ") and not _sign_of(stripped):
            if node is not None:
                raise DiscoveryError(place, "the node has a name already", hint=f"it is {node}")
            node = _unquoted(stripped.removeprefix("node ").strip(), place)
            continue
        found = _LINE.fullmatch(stripped)
        if found is None:
            raise DiscoveryError(place, f"{EXPECTED}, got {_shown(stripped)}")
        name = _unquoted(found["name"], place)
        if found["sign"] is None:
            if not name.endswith("/"):
                raise DiscoveryError(place, f"{EXPECTED}, got {_shown(stripped)}", hint="a folder ends in a slash")
            folder = f"{name.strip('/')}/".lstrip("/")
            if folder:
                entries.setdefault(folder, "")
            continue
        path = f"{folder}{name}"
        if path in entries:
            raise DiscoveryError(place, f"{path} stands there already")
        entries[path] = _entry(found["sign"], found["value"] or "", place)
    return node, entries


def dump(node: str | None, entries: Mapping[str, Entry]) -> str:
    r"""
    Write a tree so that `parse` gives it back: directories and names in order, without comments.

    >>> print(dump("a", {"bus/pci/devices/x": Link("../y"), "y/vendor": "0x1eff\n", "y/odd": "no newline"}))
    node a
    <BLANKLINE>
    bus/pci/devices/
        x -> ../y
    <BLANKLINE>
    y/
        odd = "no newline"
        vendor = 0x1eff
    <BLANKLINE>
    """
    folders: dict[str, dict[str, Entry]] = {}
    for path, entry in entries.items():
        folder, _, name = path.rpartition("/")
        inner = folders.setdefault(f"{folder}/", {})
        if name:
            inner[name] = entry
    lines = [] if node is None else [f"node {_quoted_name(node)}", ""]
    for folder in sorted(folders):
        lines.append(_quoted_name(folder))
        lines += (f"    {_quoted_name(name)} {_written(entry)}" for name, entry in sorted(folders[folder].items()))
        lines.append("")
    return "\n".join(lines)


def _sign_of(line: str) -> str | None:
    """Find what makes a line an entry, so that a file may be called `node`."""
    found = _LINE.fullmatch(line)
    return found and found["sign"]


def _entry(sign: str, value: str, place: str) -> Entry:
    """Build what stands at a path."""
    if sign == "->":
        return Link(_unquoted(value, place))
    if sign == "!":
        try:
            return Fault.parse(value)
        except InvalidValue as error:
            raise DiscoveryError(place, str(error)) from error
    return _unquoted(value, place) if value.startswith('"') else f"{value}\n"


def _written(entry: Entry) -> str:
    """Write what stands at a path."""
    if isinstance(entry, Fault):
        return f"! {entry}"
    if isinstance(entry, Link):
        return f"-> {entry.target if _plain(entry.target) else json.dumps(entry.target)}"
    text = entry.removesuffix("\n")
    return f"= {text}" if text != entry and _plain(text) else f"= {json.dumps(entry)}"


def _plain(text: str) -> bool:
    """Tell whether a value survives as it is: one printable line, no space around it, no quote in front."""
    return bool(text) and text.isprintable() and text == text.strip() and not text.startswith('"')


def _quoted_name(name: str) -> str:
    """Write a name, as JSON if it would not survive."""
    return name if _PLAIN_NAME.fullmatch(name) and name not in _SIGNS and name.isprintable() else json.dumps(name)


def _unquoted(text: str, place: str) -> str:
    """Read a name or a value that may be a JSON string."""
    if not text.startswith('"'):
        return text
    try:
        read: object = json.loads(text)
    except ValueError as error:
        raise DiscoveryError(place, f"expected a JSON string, got {_shown(text)}: {error}") from error
    return str(read)


def _shown(text: str) -> str:
    """Show a line that may be of any length."""
    return repr(text) if len(text) <= 100 else f"{text[:80]!r}… ({len(text)} characters)"
