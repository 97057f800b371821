"""
Room: the command `rbln-dra`: arguments, printing, exit codes.

A subcommand is one module with one row, `COMMAND`; the rows stand in `main.COMMANDS`. Each returns an exit code and raises the package's errors;
`main` turns those into one line.

May touch: every room below.
"""

from __future__ import annotations

from .main import main

__all__ = ["main"]
