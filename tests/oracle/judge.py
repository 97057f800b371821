"""Build the Go program for a minor, and ask it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent
PROGRAM = HERE / "program"
MINORS = HERE / "minors"
#: Where the built programs go; not under version control.
BUILT = HERE.parents[1] / "build" / "oracle"
#: The modules that a minor requires, all of one version.
MODULES = ("k8s.io/api", "k8s.io/apiserver", "k8s.io/dynamic-resource-allocation")


def minors() -> list[str]:
    """Give the minors that have a folder, in order."""
    return sorted((folder.name for folder in MINORS.iterdir()), key=lambda name: [int(part) for part in name.split(".")])


def add(minor: str, version: str) -> None:
    """Make the folder of a minor: its go.mod with the modules of `version`, and what they need."""
    folder = MINORS / minor
    folder.mkdir(exist_ok=True)
    requirements = "".join(f"\t{module} {version}\n" for module in MODULES)
    (folder / "go.mod").write_text(f"module rbln_dra/oracle\n\ngo 1.26\n\nrequire (\n{requirements})\n", encoding="utf-8")
    _go("mod", "tidy", f"-modfile={folder / 'go.mod'}")


def build(minor: str) -> Path:
    """Build the program of a minor (Go's own cache makes a second build quick) and give its path."""
    binary = BUILT / f"oracle-{minor}"
    BUILT.mkdir(parents=True, exist_ok=True)
    _go("build", f"-modfile={MINORS / minor / 'go.mod'}", "-o", str(binary), ".")
    return binary


def _go(*arguments: str) -> None:
    subprocess.run(["go", *arguments], cwd=PROGRAM, check=True)


@attrs.frozen
class Judge:
    """
    The real code of one minor.

    Args:
        minor: Which.
        binary: The built program.
    """

    minor: str
    binary: Path

    @classmethod
    def of(cls, minor: str) -> Judge:
        """Build the program of a minor."""
        return cls(minor, build(minor))

    def ask(self, questions: Iterable[dict[str, Any]], *, program: str = "cel") -> list[dict[str, Any]]:
        """Ask all questions in one run; the answers come in their order."""
        lines = "".join(json.dumps(question) + "\n" for question in questions)
        run = subprocess.run([str(self.binary), program], input=lines, capture_output=True, check=False, text=True, encoding="utf-8")
        if run.returncode != 0:
            message = f"the oracle of {self.minor} failed: {run.stderr.strip()[-2000:]}"
            raise RuntimeError(message)
        return [json.loads(line) for line in run.stdout.split("\n") if line]
