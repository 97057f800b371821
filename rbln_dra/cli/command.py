"""
Room: what a subcommand is, and the errors of its arguments.

May touch: `errors`.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import re
import shlex
from collections.abc import Callable, Iterable
from typing import Any, Final, NoReturn, TextIO

import attrs
from typing_extensions import override

from ..errors import CompileError, DiscoveryError, Error


@attrs.frozen
class Console:
    """
    Where a command reads and writes.

    Args:
        stdin: What `-` means as a file.
        stdout: Results.
        stderr: Remarks and errors.
    """

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO

    def read(self) -> bytes:
        """
        Read all of standard input, as bytes: its encoding is what its bytes say, not what the terminal is set to.

        Raises:
            DiscoveryError: It cannot be read.
        """
        raw = getattr(self.stdin, "buffer", None)
        try:
            data: bytes = self.stdin.read().encode("utf-8", "surrogatepass") if raw is None else raw.read()
        except OSError as error:
            raise DiscoveryError("standard input", f"cannot be read: {trouble(error)}") from error
        return data

    def line(self, text: str = "") -> None:
        """Print a line of the result."""
        self.stdout.write(text + "\n")

    def remark(self, text: str) -> None:
        """Print a line that is not part of the result; where it cannot be printed, the result still can."""
        with contextlib.suppress(OSError):
            self.stderr.write(one_line(text) + "\n")


@attrs.frozen
class Command:
    """
    One subcommand.

    Args:
        name: As it is called.
        summary: One line for the list of commands.
        details: What its help says below the options: exit codes and examples.
        arguments: Adds its arguments to a parser.
        run: Does it, and gives the exit code.
    """

    name: str
    summary: str
    details: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Console], int]


class UsageError(Error):
    """Arguments that do not go together; the text is the whole message."""


#: What an option looks like: `-o`, `-ojson`, `--output`, `--output=json`.
_OPTION: Final = re.compile(r"-[a-z]+ | --[a-z][a-z-]* (?: = .* )?", re.VERBOSE | re.DOTALL)


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of printing its usage, and says what was probably meant."""

    _given: tuple[str, ...] = ()

    @override
    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """
        Parse the arguments. What it does not know is an error here, where the options are known that may have been meant.

        Raises:
            UsageError: The arguments are wrong.
        """
        self._given = tuple(args or ())
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}{self._near(unknown)}")
        return found, unknown

    @override
    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is no choice."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            raise argparse.ArgumentError(action, error.message + near(str(value), map(str, action.choices or ()))) from None

    def _near(self, unknown: list[str]) -> str:
        """Say which options resemble unknown ones."""
        options = [option for action in self._actions for option in action.option_strings if option.startswith("--")]
        return next((hint for given in unknown if given.startswith("--") and (hint := near(given.partition("=")[0], options))), "")

    def _behind_dashes(self) -> str:
        """Say what to do about an argument that begins with a minus and is no option: a selector such as `-1 == -1`."""
        before = self._given[: self._given.index("--")] if "--" in self._given else self._given
        odd = next((given for given in before if len(given) > 1 and given.startswith("-") and _OPTION.fullmatch(given) is None), None)
        takes_one = any(not action.option_strings for action in self._actions)
        return f"; what begins with a minus and is no option comes last, after --: -- {shlex.quote(odd)}" if odd is not None and takes_one else ""

    @override
    def error(self, message: str) -> NoReturn:
        """
        Refuse the arguments.

        Raises:
            UsageError: Always.
        """
        raise UsageError(f"{message}{self._behind_dashes()} (see {self.prog} --help)")


def near(text: str, names: Iterable[str]) -> str:
    """
    Say which name a text resembles, to put behind an error; nothing when none does.

    >>> near("jsn", ["json", "yaml"])
    '; did you mean json?'
    """
    found = difflib.get_close_matches(text[:100], list(names), n=1)
    return f"; did you mean {found[0]}?" if found else ""


def described(error: Error) -> str:
    """Give an error as one line: of a selector that does not compile, the places and what is wrong there."""
    if isinstance(error, CompileError) and error.issues:
        places = "; ".join(
            # What is wrong with the whole has no place: cel-go says line -1.
            f"line {issue.line}, column {issue.column}: {issue.message}" if issue.line > 0 else issue.message
            for issue in error.issues
        )
        return one_line(f"the selector does not compile: {places}")
    return one_line(str(error))


def trouble(error: OSError) -> str:
    """Say what the system says of a stream; a stream that the process was started without has no system to say it."""
    return error.strerror or "it is closed"


def one_line(text: str) -> str:
    r"""
    Put a text on one line, and show what a terminal would act on rather than print.

    >>> print(one_line("a\nb\x1b[31m"))
    a b\x1b[31m
    """
    joined = " ".join(text.split("\n"))
    return joined if joined.isprintable() else "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in joined)
