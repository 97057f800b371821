"""Build the program that asks the API server's own code, and ask it. It needs k8s.io/kubernetes whole, so it is a module of its own."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from .judge import BUILT, Judge

HERE = Path(__file__).parent
PROGRAM = HERE / "validation"
MINORS = PROGRAM / "minors"
#: The first minor in which the strategy of claims takes an authorizer.
AUTHORIZER = 36


def minors() -> list[str]:
    """Give the minors that have a folder, in order."""
    return sorted((folder.name for folder in MINORS.iterdir()), key=lambda name: [int(part) for part in name.split(".")])


def add(minor: str, version: str) -> None:
    """
    Make the folder of a minor.

    Args:
        minor: Such as 1.38.
        version: Of k8s.io/kubernetes, such as v1.38.0. The modules that are developed inside it have the same number with a zero before it.
    """
    folder = MINORS / minor
    folder.mkdir(parents=True, exist_ok=True)
    downloaded = subprocess.run(["go", "mod", "download", "-json", f"k8s.io/kubernetes@{version}"], check=True, capture_output=True, text=True)
    inside = Path(json.loads(downloaded.stdout)["Dir"]) / "go.mod"
    staged = re.findall(r"^\s+(k8s\.io/[a-z-]+) v0\.0\.0(?=\s)", inside.read_text(encoding="utf-8"), re.MULTILINE)
    staging = f"v0{version.removeprefix('v1')}"
    replaced = "".join(f"replace {module} => {module} {staging}\n" for module in staged)
    (folder / "go.mod").write_text(
        f"module rbln_dra/oracle/validation\n\ngo 1.26\n\nrequire k8s.io/kubernetes {version}\n\n{replaced}", encoding="utf-8"
    )
    _go("mod", "tidy", f"-modfile={folder / 'go.mod'}")


def judge(minor: str) -> Judge:
    """Build the program of a minor, which takes minutes the first time."""
    binary = BUILT / f"validation-{minor}"
    BUILT.mkdir(parents=True, exist_ok=True)
    tags = ["-tags=authorizer"] if int(minor.partition(".")[2]) >= AUTHORIZER else []
    _go("build", f"-modfile={MINORS / minor / 'go.mod'}", *tags, "-o", str(binary), ".")
    return Judge(minor, binary)


def ask_texts(judge: Judge, texts: list[str], gates: list[dict[str, bool]]) -> list[dict[str, Any]]:
    """Ask what becomes of new objects in JSON texts, which may repeat keys; the namespace is labelled for admin access."""
    asked = zip(texts, gates, strict=True)
    lines = "".join(f'{{"object":{text},"gates":{json.dumps(chosen)},"admin":true,"stored":true}}\n' for text, chosen in asked)
    run = subprocess.run([str(judge.binary)], input=lines, capture_output=True, check=True, text=True, encoding="utf-8")
    return [json.loads(line) for line in run.stdout.split("\n") if line]


def _go(*arguments: str) -> None:
    subprocess.run(["go", *arguments], cwd=PROGRAM, check=True)
