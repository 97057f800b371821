"""
Room: semantic versions in expressions.

May touch: `errors`, `semver`, `types`, `values`, `rows`, `costs`.
"""

from __future__ import annotations

from functools import lru_cache

from ...errors import InvalidSemver
from ...semver import Semver
from ..types import BOOL, INT, SEMVER, STRING, Type
from ..values import INT_MAX, CELError
from .costs import traversal, traversal_cost, unit, unit_cost
from .rows import Function, Implementation, Library, Overload, alike

#: Texts up to this length are remembered with what they mean.
_SHORT = 64


@lru_cache(maxsize=1024)
def _short(text: str, normalize: bool) -> Semver:  # noqa: FBT001 - as the function that CEL calls
    return _read(text, normalize)


def _read(text: str, normalize: bool) -> Semver:  # noqa: FBT001 - as the function that CEL calls
    return Semver.parse_tolerant(text) if normalize else Semver.parse(text)


def _parse(text: str, normalize: bool = False) -> Semver:  # noqa: FBT001, FBT002 - CEL calls it so
    try:
        return (_short if len(text) <= _SHORT else _read)(text, normalize)
    except InvalidSemver as error:
        raise CELError(str(error.reason)) from None


def _is_semver(text: str, normalize: bool = False) -> bool:  # noqa: FBT001, FBT002 - CEL calls it so
    try:
        _parse(text, normalize)
    except CELError:
        return False
    return True


def _signed(number: int) -> int:
    """Wrap an unsigned number, as upstream's conversion does."""
    return number if number <= INT_MAX else number - 2**64


def _greater(left: Semver, right: Semver) -> bool:
    return left.compare(right) > 0


def _less(left: Semver, right: Semver) -> bool:
    return left.compare(right) < 0


def _major(version: Semver) -> int:
    return _signed(version.major)


def _minor(version: Semver) -> int:
    return _signed(version.minor)


def _patch(version: Semver) -> int:
    return _signed(version.patch)


def _number(name: str, implementation: Implementation, summary: str) -> Function:
    """Give the row of one of the three numbers."""
    overload = Overload(f"semver_{name}", (SEMVER,), INT, member=True, implementation=implementation)
    return Function(name, (overload,), estimate=unit, cost=unit_cost, summary=summary)


def _comparison(name: str, id_: str, result: Type, implementation: Implementation, summary: str) -> Function:
    """Give the row of a comparison of two versions."""
    overload = Overload(id_, (SEMVER, SEMVER), result, member=True, implementation=implementation)
    return Function(name, (overload,), estimate=unit, cost=unit_cost, summary=summary)


FUNCTIONS = (
    Function(
        "semver",
        alike(
            _parse,
            Overload("string_to_semver", (STRING,), SEMVER),
            Overload("string_bool_to_semver", (STRING, BOOL), SEMVER),
        ),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="A version from its text; with `true`, a `v`, leading zeros and missing numbers are tolerated.",
    ),
    Function(
        "isSemver",
        alike(
            _is_semver,
            Overload("is_semver_string", (STRING,), BOOL),
            Overload("is_semver_string_bool", (STRING, BOOL), BOOL),
        ),
        estimate=traversal(),
        cost=traversal_cost(),
        summary="Whether a text is a version.",
    ),
    _comparison(
        "isGreaterThan",
        "semver_is_greater_than",
        BOOL,
        _greater,
        "Whether a version comes after another.",
    ),
    _comparison(
        "isLessThan",
        "semver_is_less_than",
        BOOL,
        _less,
        "Whether a version comes before another.",
    ),
    _comparison(
        "compareTo",
        "semver_compare_to",
        INT,
        Semver.compare,
        "-1, 0 or 1, as a version comes before, with or after another.",
    ),
    _number("major", _major, "The first number."),
    _number("minor", _minor, "The second number."),
    _number("patch", _patch, "The third number."),
)
SEMVERS = Library("semver", "Kubernetes semver, version 1", FUNCTIONS)
