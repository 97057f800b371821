"""Room: running a command in this process, with its three streams as texts."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from rbln_dra.cli.command import Console
from rbln_dra.cli.main import run

#: Run a command: exit code, standard output, standard error.
Invoke = Callable[..., tuple[int, str, str]]


@pytest.fixture
def invoke() -> Invoke:
    """Give what runs a command."""

    def call(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        stdout, stderr = io.StringIO(), io.StringIO()
        code = run(arguments, Console(io.StringIO(stdin), stdout, stderr))
        return code, stdout.getvalue(), stderr.getvalue()

    return call
