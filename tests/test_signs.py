"""
Room: the signs of the modules, held to what they import.

A sign names in backticks what its module may touch: a module or a package by the name that it has seen from there, nearest first (in `cli`,
`documents` is `cli.documents`, and `rbln_dra.documents` the one beside `cli`). A room stands for all that is in it; `rbln_dra` stands for no room.
"Everything in" before a name adds nothing to that. Three forms count as more:

- "every room" stands for everything;
- "the values below" stands for the rooms that lie below one of the named rooms, in the order of the import contracts;
- the sign of a package's `__init__.py` is that of a room: the modules of the package itself need no name.

What a sign says in other words ("the device that it is given", "the standard library") names nothing, and what it takes away again ("everything in
`allocation` but the results") is not held to. Names of what is not imported are no fault, since a sign says what a module may touch; nor is a name in
backticks that is no module's. Imports are read from the code, wherever they stand in it.

May touch: the texts of the package, and the order of the rooms in pyproject.toml.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path

import pytest

import rbln_dra

PACKAGE = Path(rbln_dra.__file__).parent


def dotted(path: Path) -> str:
    """Give the name that a module is imported by."""
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {dotted(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def layers() -> list[list[str]]:
    """Give the rooms, from the top to the bottom, as the import contract orders them."""
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    rooms = next(contract["layers"] for contract in contracts if contract["id"] == "rooms")
    return [[f"rbln_dra.{room}" for room in re.findall(r"\w+", layer)] for layer in rooms]


LAYERS = layers()


def within(module: str, package: str) -> bool:
    """Tell whether a module is a package, or is in it."""
    return f"{module}.".startswith(f"{package}.")


def surroundings(module: str) -> Iterator[str]:
    """Yield the packages that a module sees names from, the nearest first."""
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    while package:
        yield package
        package = package.rpartition(".")[0]


def imported(module: str, code: ast.Module) -> Iterator[str]:
    """Yield the modules of the package that a module imports."""
    package = next(surroundings(module))
    for node in ast.walk(code):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if within(alias.name, "rbln_dra"))
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            if within(source, "rbln_dra"):
                for alias in node.names:
                    inner = f"{source}.{alias.name}"
                    yield inner if inner in MODULES else source


def named(module: str, sign: str) -> Iterator[str]:
    """Yield the modules and packages that the sign of a module names."""
    for word in re.findall(r"`([\w.]+)`", sign):
        seen = (f"{package}.{word}" for package in surroundings(module))
        yield from [name for name in (*seen, word) if name in MODULES and name != module][:1]


def unnamed(module: str, code: ast.Module) -> list[str]:
    """Give what a module imports from the package and its sign does not name."""
    sign = " ".join((ast.get_docstring(code) or "").partition("May touch: ")[2].partition("\n\n")[0].split())
    allowed = set(named(module, sign))
    if "every room" in sign:
        allowed.update(MODULES)
    if "the values below" in sign:
        top = min((height for height, rooms in enumerate(LAYERS) if allowed.intersection(rooms)), default=len(LAYERS))
        allowed.update(*LAYERS[top + 1 :])
    if MODULES[module].name == "__init__.py":
        allowed.add(module)
    rooms = allowed - {"rbln_dra"}
    return sorted({name for name in imported(module, code) if name not in allowed and not any(within(name, room) for room in rooms)})


@pytest.mark.parametrize("module", MODULES)
def test_a_sign_names_what_the_module_imports(module: str) -> None:
    """Whatever a module imports from inside the package, its sign names."""
    missing = unnamed(module, ast.parse(MODULES[module].read_text(encoding="utf-8")))
    assert missing == []


@pytest.mark.parametrize(
    ("module", "sign", "code", "missing"),
    [
        pytest.param("rbln_dra.pci", "`errors`.", "from .errors import A", [], id="named"),
        pytest.param("rbln_dra.pci", "errors.", "from .errors import A", ["rbln_dra.errors"], id="in other words"),
        pytest.param("rbln_dra.pci", "`errors`.", "import rbln_dra.wire, os", ["rbln_dra.wire"], id="absolute"),
        pytest.param("rbln_dra.pci", "`errors`.", "def f():\n    from . import wire", ["rbln_dra.wire"], id="at call time"),
        pytest.param("rbln_dra.cli.table", "`cel`.", "from ..cel.ast import A", [], id="in a package"),
        pytest.param("rbln_dra.cli.table", "everything in `cel`.", "from ..cel.ast import A", [], id="everything in a package"),
        pytest.param("rbln_dra.cli.table", "`rbln_dra`.", "from .. import A, cel", ["rbln_dra.cel"], id="the whole"),
        pytest.param("rbln_dra.cel.checker", "`library.rows`.", "from .library import A, rows", ["rbln_dra.cel.library"], id="beside"),
        pytest.param("rbln_dra.cli.table", "`documents`.", "from ..documents import A", ["rbln_dra.documents"], id="the nearest"),
        pytest.param("rbln_dra.cli.table", "`rbln_dra.documents`.", "from ..documents import A", [], id="in full"),
        pytest.param("rbln_dra.cli.documents", "`documents`.", "from ..documents import A", [], id="never itself"),
        pytest.param("rbln_dra.cli.main", "every room below.", "from ..cel.ast import A", [], id="every room"),
        pytest.param("rbln_dra.cli.table", "`cel` and the values below.", "from ..wire import A", [], id="below"),
        pytest.param("rbln_dra.cli.table", "`cel` and the values below.", "from ..resources import A", ["rbln_dra.resources"], id="not below"),
        pytest.param("rbln_dra.cli.table", "the values below.", "from ..wire import A", ["rbln_dra.wire"], id="below nothing"),
        pytest.param("rbln_dra.cli", "nothing.", "from .main import A\nfrom ..wire import A", ["rbln_dra.wire"], id="a room"),
    ],
)
def test_what_counts_as_named(module: str, sign: str, code: str, missing: list[str]) -> None:
    """The forms of a sign count as the head of this module says."""
    assert unnamed(module, ast.parse(f'"""\nRoom: x.\n\nMay touch: {sign}\n"""\n{code}')) == missing
