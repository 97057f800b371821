"""
Room: the examples in the documentation, run as tests: those in docstrings, and those in README and pages.

A page's Python blocks share one namespace from top to bottom; a console block's commands are run one by one, and print what the page says.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import io
import pkgutil
import shlex
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

import rbln_dra

ROOT = Path(__file__).parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = sorted(module.name for module in pkgutil.walk_packages(rbln_dra.__path__, "rbln_dra.") if not module.name.endswith("__main__"))


def run_console(example: Example) -> None:
    """Run the `$ rbln-dra …` lines of a console block and compare what they print with what stands below them."""
    from rbln_dra.cli import main

    checker = doctest.OutputChecker()
    for command in str(example.parsed).removeprefix("$ ").split("\n$ "):
        line, _, expected = command.partition("\n")
        program, *arguments = shlex.split(line)
        if program != "rbln-dra":
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), contextlib.suppress(SystemExit):
            main(arguments)
        got = "\n".join(line.rstrip() for line in printed.getvalue().splitlines())
        want = "\n".join(line.rstrip() for line in expected.splitlines())
        if not checker.check_output(want + "\n", got + "\n", doctest.ELLIPSIS):
            raise AssertionError(f"$ {line}\nexpected:\n{want}\ngot:\n{got}")


SYBIL = Sybil(parsers=[PythonCodeBlockParser(doctest_optionflags=FLAGS), CodeBlockParser(language="console", evaluator=run_console)])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every block of a page runs and gives what the page shows."""
    monkeypatch.chdir(tmp_path)
    for example in SYBIL.parse(page).examples():
        example.evaluate()


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    """Every example in a module's docstrings runs and gives what it shows."""
    module = importlib.import_module(name)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    report = io.StringIO()
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        runner.run(test, out=report.write)
    assert runner.failures == 0, report.getvalue()
