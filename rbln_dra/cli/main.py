"""
Room: the entry point: which subcommands there are, and what becomes of their errors.

May touch: `command`, the modules of the subcommands (`allocate`, `devices`, `inventory`, `publish`, `select`, `validate`), `errors`, and `rbln_dra`
for its version.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Sequence
from typing import Final, TextIO, cast

from .. import __version__
from ..errors import Error
from . import allocate, devices, inventory, publish, select, validate
from .command import Command, Console, Parser, described, trouble

COMMANDS: Final[tuple[Command, ...]] = (
    devices.COMMAND,
    inventory.COMMAND,
    select.COMMAND,
    allocate.COMMAND,
    validate.COMMAND,
    publish.COMMAND,
)

#: Exit codes: of a failure, and of the two ways in which a shell ends a program (128 + the signal).
FAILED: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


def parser() -> argparse.ArgumentParser:
    """Make the parser of all commands."""
    top = Parser(
        prog="rbln-dra",
        description="What the NPU DRA driver publishes of Rebellions NPUs, and which devices a selector matches.",
        epilog="Errors are one line on standard error, with exit code 2.",
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", dest="command", required=True, parser_class=Parser)
    for command in COMMANDS:
        sub = commands.add_parser(
            command.name,
            help=command.summary,
            description=command.summary[:1].upper() + command.summary[1:] + ".",
            epilog=command.details,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.arguments(sub)
        sub.set_defaults(run=command.run)
    return top


def run(arguments: Sequence[str], console: Console) -> int:
    """
    Run one command and give its exit code; what the package raises becomes one line on standard error.

    Args:
        arguments: The arguments, without the program's name.
        console: Where it reads and writes.
    """
    try:
        options = parser().parse_args(arguments)
        code: int = options.run(options, console)
        console.stdout.flush()
    except Error as error:
        console.remark(f"rbln-dra: error: {described(error)}")
        return FAILED
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the command line: what `rbln-dra` and `python -m rbln_dra` do.

    Args:
        arguments: The arguments, without the program's name; by default the process's own.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A selector or a slice may hold what the terminal's encoding has not.
            stream.reconfigure(errors="backslashreplace")
    # A process can be started without one of its streams; Python then has `None` there.
    closed = cast("TextIO", io.TextIOBase())
    console = Console(sys.stdin or closed, sys.stdout or closed, sys.stderr or closed)
    try:
        return _run(sys.argv[1:] if arguments is None else arguments, console)
    except BrokenPipeError:
        _discard()
        return BROKEN_PIPE
    except OSError as error:
        _discard()
        console.remark(f"rbln-dra: error: standard output: cannot be written: {trouble(error)}")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(arguments: Sequence[str], console: Console) -> int:
    """Run one command, and see to it that what `--help` and `--version` print is out as well before it ends."""
    try:
        return run(arguments, console)
    except SystemExit:
        console.stdout.flush()
        raise


def _discard() -> None:
    """Let what is still buffered go nowhere, so that the interpreter's own flush at the end stays quiet."""
    if sys.stdout:
        with contextlib.suppress(OSError):  # A stream without a file keeps nothing.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
