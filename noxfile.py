"""
Room: everything that is run on this repository; CI and the README only call it.

Plain `nox` is the test command: lint, types, docs and the wheel once, then the complete tests on every Python of 3.11–3.13 that this machine has.

May touch: nothing of the package; it runs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import nox

HERE = Path(__file__).parent
PYPROJECT = nox.project.load_toml("pyproject.toml")

os.environ.setdefault("PIP_DISABLE_PIP_VERSION_CHECK", "1")


def candidates(minor: str) -> Iterator[Path]:
    """Yield the places where an interpreter of `minor` may stand: this one, those on PATH, those that pyenv keeps to itself."""
    name = f"python{minor}"
    yield Path(sys.executable)
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        yield Path(folder, name)
    for root in (os.environ.get("PYENV_ROOT"), Path.home() / ".pyenv"):
        if root:
            yield from sorted(Path(root, "versions").glob(f"{minor}*/bin/{name}"), reverse=True)


def answers(python: Path, minor: str) -> bool:
    """Tell whether `python` really runs as `minor`: pyenv's shims stand on PATH for versions that they then refuse."""
    if not python.is_file():
        return False
    command = [str(python), "-c", "import sys, ssl, ctypes; print('%d.%d' % sys.version_info[:2])"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.returncode == 0 and result.stdout.strip() == minor


def pythons() -> list[str]:
    """Find the interpreters of the classifiers' minors that this machine has, and put those on PATH that were not."""
    found: list[str] = []
    for minor in nox.project.python_versions(PYPROJECT):
        python = next((each for each in candidates(minor) if answers(each, minor)), None)
        if python is None:
            continue
        found.append(minor)
        if python != Path(sys.executable) and shutil.which(f"python{minor}") != str(python):
            os.environ["PATH"] = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    return found


PYTHONS = pythons()
#: The complete tests take all cores.
PARALLEL = ("-n", "auto", "--dist", "worksteal")
#: Where a session that runs once runs: on the interpreter that runs nox.
ONCE = None

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "virtualenv"
nox.options.error_on_missing_interpreters = True
# The tests come last, so that their closing line is the last line of the output.
nox.options.sessions = ["lint", "typing", "docs", "build", *(f"tests-{minor}" for minor in PYTHONS)]


def install(session: nox.Session, group: str, *, package: bool = True) -> None:
    """Install a dependency group of pyproject.toml, and the package as it stands here."""
    # nox itself may stand in a folder that PYTHONPATH names (README); what is in there is not the session's.
    session.env["PYTHONPATH"] = None
    session.install("-q", *nox.project.dependency_groups(PYPROJECT, group), *(("-e", ".") if package else ()))


@nox.session(python=ONCE)
def lint(session: nox.Session) -> None:
    """Check style, spelling, docstrings and the layers."""
    install(session, "lint")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("typos", ".")
    session.run("interrogate", "--quiet", "rbln_dra", "tests", "benchmarks", "docs", "noxfile.py")
    session.run("lint-imports", "--no-cache")


@nox.session(python=ONCE)
def typing(session: nox.Session) -> None:
    """Check the types of package, tests, benchmarks, docs and this file, twice."""
    install(session, "typing")
    session.run("mypy")
    session.run("pyright", "--pythonpath", str(Path(session.bin, "python")))


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run all tests; arguments go to pytest."""
    install(session, "test")
    session.run("pytest", *PARALLEL, *session.posargs)


@nox.session(python=ONCE)
def coverage(session: nox.Session) -> None:
    """Run all tests once and say which branches none of them takes."""
    install(session, "test")
    session.run("pytest", *PARALLEL, "--cov", "--cov-report=term-missing", *session.posargs)


@nox.session(python=PYTHONS, name="property")
def properties(session: nox.Session) -> None:
    """Run the hypothesis suites with many more examples than the tests take."""
    install(session, "test")
    session.run("pytest", "tests/property", *PARALLEL, "--hypothesis-profile=long", *session.posargs)


@nox.session(python=PYTHONS)
def conformance(session: nox.Session) -> None:
    """Replay the recorded verdicts of Kubernetes and print the agreement per minor and environment."""
    install(session, "test")
    session.run("pytest", "tests/conformance", "-s", *session.posargs)


#: What is compared live with the real code.
COMPARISONS = ("compare", "compare-objects", "compare-statuses", "compare-allocations")


@nox.session(python=ONCE)
def oracle(session: nox.Session) -> None:
    """
    Build the real Kubernetes code (needs Go) and compare fresh random selectors, objects, status updates and allocations with it.

    Arguments go to `python -m tests.oracle`: a command such as `compare-allocations` is then the only one.
    """
    install(session, "test")
    named = bool(session.posargs) and not session.posargs[0].startswith("-")
    for command in [()] if named else [(each,) for each in COMPARISONS]:
        session.run("python", "-m", "tests.oracle", *command, *session.posargs)


@nox.session(python=ONCE)
def clients(session: nox.Session) -> None:
    """Read the objects of the real clients of Kubernetes."""
    install(session, "clients")
    session.run("pytest", "tests/clients/check.py", *session.posargs)


@nox.session(python=ONCE)
def docs(session: nox.Session) -> None:
    """Build the pages, every reference resolved, and the changelog of the next version."""
    install(session, "docs")
    session.run("sphinx-build", "-q", "-n", "-W", "--keep-going", "-b", "html", "docs", "docs/_build/html")
    session.run("towncrier", "build", "--draft", "--version", "next", silent=True)


def packaged(wheel: Path) -> set[str]:
    """List the files of the package that a wheel holds."""
    return {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("rbln_dra/")}


def kept(package: Path) -> set[str]:
    """List the files of the package that the repository holds."""
    return {str(path.relative_to(package.parent)) for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts}


@nox.session(python=ONCE)
def build(session: nox.Session) -> None:
    """Build sdist and wheel, compare the wheel with the tree, install it alone and run the main job from it, outside of the tree."""
    install(session, "build", package=False)
    folder = Path(session.create_tmp()).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(folder / "dist"), silent=True)
    (wheel,) = (folder / "dist").glob("*.whl")
    if difference := packaged(wheel) ^ kept(HERE / "rbln_dra"):
        session.error(f"wheel and tree differ: {sorted(difference)}")
    # Without pip of its own, since Debian's python3 has no ensurepip.
    session.run("python", "-m", "venv", "--without-pip", str(folder / "clean"))
    python = str(folder / "clean" / "bin" / "python")
    session.run("python", "-m", "pip", "--python", python, "install", "-q", str(wheel))
    session.chdir(folder)
    session.run(python, "-m", "rbln_dra", "inventory", "--tree", "rebel100", external=True)
    session.run(str(folder / "clean" / "bin" / "rbln-dra"), "select", "--tree", "atom", 'device.driver == "npu.rebellions.ai"', external=True)


@nox.session(python=ONCE)
def bench(session: nox.Session) -> None:
    """Print ratios measured in one run on this machine, and keep them as JSON in benchmarks/results."""
    install(session, "bench")
    for engine in nox.project.dependency_groups(PYPROJECT, "engines"):
        # An engine that has no wheel for this machine is left out.
        session.install("-q", "--only-binary", ":all:", engine, success_codes=[0, 1])
    session.run("python", "-m", "benchmarks", *session.posargs)
