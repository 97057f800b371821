"""
Room: what a subcommand is, and the errors of its arguments.

May touch: `errors`.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable
from typing import NoReturn, TextIO

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


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of printing its usage."""

    @override
    def error(self, message: str) -> NoReturn:
        """
        Refuse the arguments.

        Raises:
            UsageError: Always.
        """
        raise UsageError(f"{message} (see {self.prog} --help)")


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
