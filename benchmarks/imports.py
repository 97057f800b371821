"""Room: what `import rbln_dra` costs beside `import attrs`, each in a fresh interpreter. May touch: the interpreter."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from .measure import Contest, Contestant

PROGRAM = "from time import perf_counter; start = perf_counter(); {statement}; print(perf_counter() - start)"


def fresh(statement: str) -> Contestant:
    """Make a contestant of a statement: its time in a fresh interpreter, without that interpreter's own start."""
    command = [sys.executable, "-c", PROGRAM.format(statement=statement)]

    def contestant() -> float:
        return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    return contestant


def contests() -> Iterator[Contest]:
    """Give the contests."""
    yield Contest("import", {"import rbln_dra": fresh("import rbln_dra"), "import attrs": fresh("import attrs")}, limit=1.5)
    yield Contest("import, the values", {"PCIAddress": fresh("from rbln_dra import PCIAddress"), "import attrs": fresh("import attrs")})
    yield Contest(
        "import, every public name",
        {"from rbln_dra import *": fresh("from rbln_dra import *"), "import celpy": fresh("import celpy")},
    )
