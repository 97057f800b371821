"""
Room: the one tree of errors that a caller of this package may see.

Every error carries its facts as fields and renders them as one line of prose: what was expected, what came, and where. No other exception
leaves the package for bad input; one that does is a bug.

May touch: nothing but the standard library and attrs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import attrs

#: So much of a text stands in a line: Kubernetes may quote all of a value, and a path may be of any length. The field has all of it.
_LONGEST: Final = 1000
#: So many of the things that are wrong with one text stand in a line. The field has all of them.
_MOST: Final = 3


class Error(Exception):
    """
    The root of the tree: catch it to catch everything that this package raises for bad input.

    Errors of one class with equal fields are equal, so that tests compare them by value.
    """

    def __eq__(self, other: object) -> bool:
        """Compare class and fields."""
        if type(other) is not type(self):
            return NotImplemented
        return self.args == other.args

    def __hash__(self) -> int:
        """Hash the class and the rendered line, since a field may hold an unhashable value."""
        return hash((type(self), str(self)))


@attrs.define
class InvalidValue(Error, ValueError):
    """
    A text that is not what its constructor parses.

    Args:
        value: What came, as it came.
        expected: What was expected, as a noun phrase ("a PCI address such as 0000:27:00.0").
        reason: Why it is not that, as a clause ("bus 100 is above ff"); `None` when the value speaks for itself.
        position: Where in the value, in code points from 0; `None` when the whole value is meant.
        hint: What was probably meant ("did you mean 0000:27:00.0?"); `None` without a good guess.
    """

    value: object
    expected: str
    reason: str | None = None
    position: int | None = None
    hint: str | None = None

    @classmethod
    def unless_text(cls, value: object, expected: str) -> None:
        """
        Refuse what is no text at all, before anything asks of it what only a text can do.

        Raises:
            InvalidValue: It is none; the class is the one that this is called of.

        >>> InvalidValue.unless_text(2130, "a PCI device id such as 2130")
        Traceback (most recent call last):
        rbln_dra.errors.InvalidValue: expected a PCI device id such as 2130, got 2130: it is of type int, not str
        """
        if not isinstance(value, str):
            raise cls(value, expected, f"it is of type {type(value).__name__}, not str")

    @classmethod
    def unless(cls, value: object, kind: type | tuple[type, ...], expected: str) -> None:
        """
        Refuse an object of another class, before anything asks of it what only that class can do.

        Raises:
            InvalidValue: It is of another class; the class of the error is the one that this is called of.

        >>> InvalidValue.unless("npu", dict, "an object")
        Traceback (most recent call last):
        rbln_dra.errors.InvalidValue: expected an object, got 'npu': it is of type str
        """
        if not isinstance(value, kind):
            raise cls(value, expected, f"it is of type {type(value).__name__}")

    def __str__(self) -> str:
        """Render one line."""
        text = f"expected {self.expected}, got {_shown(self.value)}"
        if self.reason is not None:
            text += f": {_cut(self.reason)}"
        if self.position is not None:
            text += f" (at character {self.position + 1})"
        return text if self.hint is None else f"{text}; {self.hint}"


class InvalidPCIAddress(InvalidValue):
    """A text that is no PCI address, or a device name that holds none."""


class InvalidName(InvalidValue):
    """A name that Kubernetes refuses; `reason` is the API server's text."""


class InvalidQuantity(InvalidValue):
    """A text that is no Kubernetes quantity; `reason` is the API machinery's text."""


class InvalidSemver(InvalidValue):
    """A text that is no semantic version; `reason` is the text of the parser that Kubernetes uses."""


class UnknownKubernetes(InvalidValue):
    """A Kubernetes minor or a feature gate that this package does not know."""


class InvalidFeatureGates(InvalidValue):
    """Feature gates with which a component of that minor does not start; `reason` is its text."""


class UnknownProfile(InvalidValue):
    """A driver generation that the attribute history does not have."""


@attrs.define
class DecodeError(Error, ValueError):
    """
    An object that the API server could not read.

    Args:
        path: Where in the object, as Kubernetes writes paths (`spec.devices[0].attributes[type].int`); empty for the whole.
        value: What stands there.
        expected: What was expected there, as a noun phrase.
        hint: What was probably meant; `None` without a good guess.
        line: The line in the text that it was read from, from 1; `None` when it was read from no text.
        column: The column in that line, from 1, in code points.
        source: The file that it was read from; `None` when it was read from none.
        more: What else is wrong, where all of it is told at once: with `strict=True`. None of these has more itself.
    """

    path: str
    value: object
    expected: str
    hint: str | None = None
    line: int | None = None
    column: int | None = None
    source: str | None = None
    more: tuple[DecodeError, ...] = ()

    @classmethod
    def together(cls, errors: Iterable[DecodeError]) -> DecodeError:
        """
        Make one error of several, at least one: the first, with the others as `more`.

        >>> print(DecodeError.together([DecodeError("a", 1, "a text"), DecodeError("b", 2, "a list")]))
        a: expected a text, got 1; also b: expected a list, got 2
        """
        first, *rest = (each for error in errors for each in error.every)
        return attrs.evolve(first, more=tuple(rest))

    @property
    def every(self) -> tuple[DecodeError, ...]:
        """Everything that is wrong, one error for each."""
        return (attrs.evolve(self, more=()), *self.more) if self.more else (self,)

    def __str__(self) -> str:
        """Render one line; it tells no more than the first of many."""
        shown = [each._line() for each in self.every[:_MOST]]  # noqa: SLF001 - its own class
        left = len(self.every) - len(shown)
        return "; also ".join([*shown, *([f"{left} more"] if left else [])])

    def _line(self) -> str:
        """Render one of several."""
        position = None if self.line is None else f"line {self.line}, column {self.column}"
        places = [place for place in (self.source, position, self.path) if place] or ["object"]
        text = f"{': '.join(places)}: expected {self.expected}, got {_shown(self.value)}"
        return text if self.hint is None else f"{text}; {self.hint}"


@attrs.define
class DiscoveryError(Error):
    """
    A source of devices that cannot be read at all. What is odd about one card is a diagnostic, not an error.

    Args:
        place: The path, tree or text that was asked for.
        reason: Why it cannot be read, as a clause.
        hint: What to do about it; `None` without good advice.
    """

    place: str
    reason: str
    hint: str | None = None

    def __str__(self) -> str:
        """Render one line."""
        text = f"{_cut(self.place) or _shown(self.place)}: {_cut(self.reason)}"
        return text if self.hint is None else f"{text}; {self.hint}"


@attrs.frozen
class Issue:
    """
    One thing that is wrong with an expression.

    Args:
        line: Line from 1.
        column: Column from 1, in code points.
        message: Kubernetes' text, without position and source line.
    """

    line: int
    column: int
    message: str


@attrs.define
class CompileError(Error, ValueError):
    """
    An expression that Kubernetes refuses to compile.

    Args:
        message: Exactly the text that Kubernetes gives.
        issues: What is wrong, in the order of `message`; empty when the refusal has no place in the source.
        expression: The expression.
    """

    message: str
    issues: tuple[Issue, ...] = ()
    expression: str = ""

    def __str__(self) -> str:
        """Render Kubernetes' text."""
        return self.message


@attrs.define
class EvaluationError(Error):
    """
    An expression that failed on a device: Kubernetes then aborts the allocation, it does not treat it as "no match".

    Args:
        message: Exactly the text that Kubernetes gives.
        hint: What was probably meant; `None` without a good guess. Not part of Kubernetes' text.
        device: The device as driver/pool/name; `None` where whoever raises knows no device.
    """

    message: str
    hint: str | None = None
    device: str | None = None

    def __str__(self) -> str:
        """Render Kubernetes' text and the hint."""
        return self.message if self.hint is None else f"{self.message}; {self.hint}"


@attrs.define
class AllocationError(Error):
    """
    An allocation that the scheduler gives up with an error: it then schedules the pod on no node, and tries again later.

    Args:
        message: Exactly the text of the scheduler's allocator.
        node_only: Whether it concerns this node alone, so that the scheduler goes on with the others.
    """

    message: str
    node_only: bool = False

    def __str__(self) -> str:
        """Render Kubernetes' text."""
        return self.message


@attrs.define
class SearchLimitExceeded(AllocationError):
    """
    A search for devices that took more steps than it may. The scheduler then runs into its timeout.

    Args:
        message: What happened.
        node_only: Whether it concerns this node alone.
        steps: How many steps were taken.
    """

    steps: int = 0


@attrs.define
class Unsupported(Error, NotImplementedError):
    """
    Something that Kubernetes has and this version of the package has not: refused, so that it never gives a wrong answer.

    Args:
        what: The feature, as a noun phrase.
    """

    what: str

    def __str__(self) -> str:
        """Render one line."""
        return f"{self.what}: not supported yet"


@attrs.define
class MissingPackage(Error):
    """
    An optional package that is needed now and is not installed.

    Args:
        package: The distribution to install.
        needed_for: What needs it.
    """

    package: str
    needed_for: str

    def __str__(self) -> str:
        """Render one line."""
        return f"{self.needed_for} needs the package {self.package}: pip install {self.package}"


def _shown(value: object) -> str:
    """Show a value on one line of bounded length."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - Python writes no integers of more than 4,300 digits and no deep nests; and any class may fail in its own way
        return f"an integer of {value.bit_length()} bits" if isinstance(value, int) else f"a {type(value).__name__}"
    return text if len(text) <= 100 else f"{text[:80]}… ({len(text)} characters)"


def _cut(text: str) -> str:
    """Bound a text's length."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}… ({len(text)} characters)"
