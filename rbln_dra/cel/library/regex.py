"""
Room: regular expressions, in RE2's syntax. The only module that touches google-re2, and only at call time.

May touch: `errors`, `types`, `ranges`, `values`, `rows`, `costs`, `gotext`, google-re2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from ...errors import MissingPackage, Unsupported
from ..ranges import Range
from ..types import INT, STRING, Type, list_of
from ..values import NO_SUCH_OVERLOAD, CELError, CostLimitExceeded, Optional
from .costs import afford, search, search_cost, size
from .gotext import decoded, encoded
from .rows import Estimate, Function, Implementation, Library, Operand, Overload, Value, alike

#: Memory of one compiled expression: Go takes larger ones still.
_MEMORY = 16 << 20
#: The most matches that are written out.
_MOST_MATCHES = 500_000
#: What Go says where RE2 says something else.
_GO_TEXTS = {
    "missing ]": "missing closing ]",
    "missing )": "missing closing )",
    "trailing \\": "trailing backslash at end of expression",
    "no argument for repetition operator": "missing argument to repetition operator",
    "invalid repetition size": "invalid repeat count",
    "bad repetition operator": "invalid nested repetition operator",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "invalid named capture group": "invalid named capture",
    "pattern too large - compile failed": "expression too large",
}
#: What is escaped, a text between `\Q` and `\E` included; the name of a Unicode class apart.
_ESCAPES = re.compile(r"\\Q(?:(?!\\E).)*(?:\\E)?|\\[pP](?:\{(?P<name>[^}]*)\}|(?P<letter>[^{]))|\\.", re.DOTALL)
#: Names of Unicode's categories that Go takes beside the short ones, as Go compares them: without separators, in lower case.
_CATEGORIES = {
    "closepunctuation": "Pe",
    "combiningmark": "M",
    "connectorpunctuation": "Pc",
    "control": "Cc",
    "cntrl": "Cc",
    "currencysymbol": "Sc",
    "dashpunctuation": "Pd",
    "decimalnumber": "Nd",
    "digit": "Nd",
    "enclosingmark": "Me",
    "finalpunctuation": "Pf",
    "format": "Cf",
    "initialpunctuation": "Pi",
    "letter": "L",
    "letternumber": "Nl",
    "lineseparator": "Zl",
    "lowercaseletter": "Ll",
    "mark": "M",
    "mathsymbol": "Sm",
    "modifierletter": "Lm",
    "modifiersymbol": "Sk",
    "nonspacingmark": "Mn",
    "number": "N",
    "openpunctuation": "Ps",
    "other": "C",
    "otherletter": "Lo",
    "othernumber": "No",
    "otherpunctuation": "Po",
    "othersymbol": "So",
    "paragraphseparator": "Zp",
    "privateuse": "Co",
    "punctuation": "P",
    "punct": "P",
    "separator": "Z",
    "spaceseparator": "Zs",
    "spacingmark": "Mc",
    "surrogate": "Cs",
    "symbol": "S",
    "titlecaseletter": "Lt",
    "uppercaseletter": "Lu",
}
#: Classes that Go has and RE2 has not.
_MISSING = frozenset({"casedletter", "lc", "unassigned", "cn", "assigned", "ascii"})


class Pattern:
    """
    A compiled regular expression.

    It works on UTF-8, since its positions are bytes: a text is encoded once, however many matches it has.
    """

    __slots__ = ("_regexp",)

    def __init__(self, regexp: Any) -> None:
        """Keep what google-re2 compiled."""
        self._regexp = regexp

    def search(self, text: str) -> tuple[int, int] | None:
        """Give the first match, in bytes; `None` without one."""
        return self._span(encoded(text), 0)

    def _span(self, written: bytes, start: int) -> tuple[int, int] | None:
        match = self._regexp.search(written, start)
        return None if match is None else match.span()

    def find(self, text: str) -> str:
        """Give the text of the first match; empty without one."""
        written = encoded(text)
        span = self._span(written, 0)
        return "" if span is None else decoded(written[slice(*span)])

    def find_all(self, text: str, limit: int) -> tuple[str, ...]:
        """Give the texts of the first matches, of all with a negative limit; an empty match next to the match before it does not count."""
        written = encoded(text)
        found: list[str] = []
        position, previous = 0, -1
        while (limit < 0 or len(found) < limit) and position <= len(written):
            span = self._span(written, position)
            if span is None:
                break
            start, end = span
            if end > position or start != previous:
                found.append(decoded(written[start:end]))
            if len(found) > _MOST_MATCHES:
                raise CostLimitExceeded(len(found))
            position = end if end > position else _next(written, position)
            previous = end
        return tuple(found)


def _next(written: bytes, position: int) -> int:
    """Give the position after the character at a position."""
    position += 1
    while position < len(written) and written[position] & 0xC0 == 0x80:
        position += 1
    return position


@lru_cache(maxsize=128)
def compiled(pattern: str) -> Pattern:
    """
    Compile a regular expression.

    Raises:
        CELError: Go does not read it; the text is Go's.
        MissingPackage: google-re2 is not installed.
    """
    try:
        # The package has no types.
        re2: Any = import_module("re2")
    except ImportError:
        raise MissingPackage("google-re2", "a regular expression") from None
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    # Nobody asks for groups, and RE2 takes quadratic time for thousands of them.
    options.never_capture = True
    written = _ESCAPES.sub(_rewritten, pattern)
    try:
        regexp = re2.compile(encoded(written), options)
    except re2.error as error:
        raise _translated(_message(error), pattern, written) from None
    if not pattern.isascii():
        _ascii_names(regexp.groupindex, pattern)
    return Pattern(regexp)


def _ascii_names(groups: Mapping[bytes, int], pattern: str) -> None:
    """
    Refuse names of groups that are letters to RE2 and none to Go.

    Raises:
        CELError: There is one; the text names the first.
    """
    for name in sorted(map(decoded, groups), key=lambda name: groups[encoded(name)]):
        if not name.isascii():
            raise _refusal("invalid named capture", f"(?P<{name}>" if f"(?P<{name}>" in pattern else f"(?<{name}>")


def _rewritten(escape: re.Match[str]) -> str:
    """
    Write an escape as RE2 knows it.

    Raises:
        CELError: Go does not know it.
        Unsupported: RE2 has no such class.
    """
    text = escape.group()
    if text == "\\C":
        raise _refusal("invalid escape sequence", text)
    name = escape["name"] or escape["letter"]
    if not name:
        return text
    bare = name.removeprefix("^")
    folded = bare.translate({ord(separator): None for separator in "_- "})
    if folded.lower() in _MISSING:
        raise Unsupported(f"the character class {text}")
    return f"{text[:2]}{{{'^' if name != bare else ''}{_CATEGORIES.get(folded.lower(), folded.capitalize())}}}"


def _message(error: Exception) -> str:
    """Give RE2's text."""
    text = error.args[0]
    return decoded(text) if isinstance(text, bytes) else str(text)


def _translated(message: str, pattern: str, written: str) -> CELError:
    """Say in Go's words what RE2 says."""
    code, _, part = message.partition(": ")
    if code == "invalid UTF-8":
        # What RE2 says of an escape that the end of the expression cuts off.
        return _refusal("invalid escape sequence", pattern[pattern.rfind("\\") :])
    if code == "invalid character class range" and part.startswith(("\\p", "\\P")):
        part = next((escape.group() for escape in _ESCAPES.finditer(pattern) if _is_class(escape) and _rewritten(escape) == part), part)
    return _refusal(_GO_TEXTS.get(code, code), pattern if part == written or code == "pattern too large - compile failed" else part)


def _is_class(escape: re.Match[str]) -> bool:
    return escape["name"] is not None or escape["letter"] is not None


def _refusal(code: str, part: str) -> CELError:
    return CELError(f"error parsing regexp: {code}: `{part}`")


def _native_text(value: Value) -> str:
    """Give the Go string that stands behind a value: that of a type is its name."""
    if isinstance(value, Optional) and value.present:
        return _native_text(value.value)
    if isinstance(value, Type):
        return value.name
    if not isinstance(value, str):
        raise CELError(NO_SUCH_OVERLOAD)
    return value


def _illegal(pattern: str) -> Pattern:
    """Compile an expression that is no literal."""
    try:
        return compiled(pattern)
    except CELError as error:
        raise CELError(f"Illegal regex: {error.message}") from None


def _find(text: str, pattern: str) -> str:
    expression = _illegal(pattern)
    afford(search_cost(len(text), len(pattern)))
    return expression.find(text)


def _find_all(text: str, pattern: str, limit: int = -1) -> tuple[str, ...]:
    expression = _illegal(pattern)
    afford(search_cost(len(text), len(pattern)))
    return expression.find_all(text, limit)


def _precompiled_find(pattern: str) -> Implementation:
    """Compile the expression when the program is made; the arguments are then looked at less closely."""
    expression = compiled(pattern)

    def find(text: Value, *_pattern: Value) -> str:
        return expression.find(_native_text(text))

    return find


def _precompiled_find_all(pattern: str) -> Implementation:
    """Compile the expression when the program is made."""
    expression = compiled(pattern)

    def find_all(text: Value, _pattern: Value, limit: Value = -1) -> tuple[str, ...]:
        found = _native_text(text)
        if isinstance(limit, Optional) and limit.present:
            limit = limit.value
        if type(limit) is not int:
            raise CELError(NO_SUCH_OVERLOAD)
        return expression.find_all(found, limit)

    return find_all


def _estimate(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate one search; at worst every character is a match of its own."""
    if target is None or not args:
        return None
    return Estimate(search(target.size, args[0].size), Range(0, target.size.high))


def _cost(args: tuple[Value, ...], _result: Value) -> int | None:
    return search_cost(size(args[0]), size(args[1])) if len(args) >= 2 else None


FUNCTIONS = (
    Function(
        "find",
        (Overload("string_find_string", (STRING, STRING), STRING, member=True, implementation=_find),),
        estimate=_estimate,
        cost=_cost,
        precompile=_precompiled_find,
        summary="The first match of a regular expression, empty without one.",
    ),
    Function(
        "findAll",
        alike(
            _find_all,
            Overload("string_find_all_string", (STRING, STRING), list_of(STRING), member=True),
            Overload("string_find_all_string_int", (STRING, STRING, INT), list_of(STRING), member=True),
        ),
        estimate=_estimate,
        cost=_cost,
        precompile=_precompiled_find_all,
        summary="All matches of a regular expression, at most so many.",
    ),
)
REGEX = Library("regex", "Kubernetes regex", FUNCTIONS)
