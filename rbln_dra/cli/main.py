"""
Room: the entry point: which subcommands there are, and what becomes of their errors.

May touch: the modules of the subcommands.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import Final

from .. import __version__
from ..errors import Error
from . import devices, inventory, select
from .command import Command, Console, Parser, described

COMMANDS: Final[tuple[Command, ...]] = (devices.COMMAND, inventory.COMMAND, select.COMMAND)

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
    try:
        return run(sys.argv[1:] if arguments is None else arguments, Console(sys.stdin, sys.stdout, sys.stderr))
    except BrokenPipeError:
        # Whoever reads has enough. What is still buffered goes nowhere, so that the interpreter's own flush stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
