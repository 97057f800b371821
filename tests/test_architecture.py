"""Room: what holds of the package as a whole: its public names, the price of its import, and what the CEL engine may know."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

import pytest

import rbln_dra

PACKAGE = Path(rbln_dra.__file__).parent
#: The rooms below and beside the CEL engine that hold no fact of one vendor.
NEUTRAL = sorted([*PACKAGE.glob("cel/**/*.py"), *(PACKAGE / f"{room}.py" for room in ("errors", "pci", "quantity", "semver", "kubernetes"))])
#: A word that only a Rebellions fact has.
VENDOR = re.compile(r"rbln|rebel|1eff|atom™|(?<![a-z])npu", re.IGNORECASE)


def code_texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield names and strings of a module with their lines, without comments, docstrings and the package's own name."""
    source = path.read_text(encoding="utf-8")
    docstrings = {
        node.body[0].lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node) is not None
    }
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in {tokenize.NAME, tokenize.STRING} and token.start[0] not in docstrings:
            yield token.start[0], token.string.replace("rbln_dra", "")


@pytest.mark.parametrize("path", NEUTRAL, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_engine_knows_no_vendor(path: Path) -> None:
    """The CEL engine and the value types beside it would serve any DRA driver."""
    assert [(line, text) for line, text in code_texts(path) if VENDOR.search(text)] == []


@pytest.mark.parametrize("name", rbln_dra.__all__)
def test_a_public_name_is_there(name: str) -> None:
    """Every name of `__all__` can be imported, and `dir` lists it."""
    assert getattr(rbln_dra, name) is not None
    assert name in dir(rbln_dra)


def test_a_type_checker_sees_the_same_names() -> None:
    """The names that are loaded late are those that a type checker reads."""
    tree = ast.parse(Path(rbln_dra.__file__).read_text(encoding="utf-8"))
    late = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.asname for node in late.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert seen == set(rbln_dra.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A name that the package does not have fails as in any module."""
    with pytest.raises(AttributeError, match="module 'rbln_dra' has no attribute 'Rebel'"):
        attrgetter("Rebel")(rbln_dra)


def loaded(statement: str) -> set[str]:
    """Give the top-level names of what a fresh interpreter has loaded after `statement`."""
    program = f"import sys; before = set(sys.modules); {statement}; print(*{{name.split('.')[0] for name in set(sys.modules) - before}})"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(result.stdout.split())


def test_import_loads_no_engine() -> None:
    """`import rbln_dra` loads none of the packages that only some callers need, and none of its own rooms."""
    assert loaded("import rbln_dra") & {"celpy", "lark", "yaml", "re2", "attr", "typing", "rbln_dra"} == {"rbln_dra"}


def test_no_room_loads_what_it_may_not_need() -> None:
    """Not even all public names together load celpy, lark, yaml or re2."""
    assert loaded("from rbln_dra import *") & {"celpy", "lark", "yaml", "re2"} == set()


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_opens_with_its_sign(path: Path) -> None:
    """Every module says which room it is and what it may touch."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert docstring.startswith("Room: ")
    assert "May touch: " in docstring
