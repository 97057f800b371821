"""Room: how Sphinx builds the pages. May touch: nothing but `tables`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rbln_dra

if TYPE_CHECKING:
    from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent))

project = "rbln-dra"
author = "the rbln-dra authors"
project_copyright = author
release = version = rbln_dra.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "tables"]
exclude_patterns = ["_build", "changes"]
html_theme = "furo"
html_title = "rbln-dra"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "separated"
napoleon_numpy_docstring = False
napoleon_use_ivar = True

nitpicky = True
# What other packages name has no page here, and none is fetched when these are built.
nitpick_ignore_regex = [
    (r"py:.*", r"(str|int|bool|float|bytes|object|None|tuple|list|dict|set|frozenset|type|Exception|ValueError|NotImplementedError|Any)"),
    (r"py:.*", r"(typing|collections|os|pathlib|enum|attrs|packaging|re|types|datetime|importlib|numbers|fractions|decimal)\..*"),
    # Not public: see not-public.md.
    (r"py:.*", r"rbln_dra\.(wire|cel\.(types|ast|environment|library|macros|values))\..*"),
    (r"py:.*", r"rbln_dra\..*\.Obj"),
    (r"py:.*", r"(Expander|MacroKey|Node|Runner|Source|T|V)"),
]


#: Stands for a colon while napoleon looks.
HIDDEN = "\N{BOX DRAWINGS HEAVY VERTICAL}"


def hide(_app: Sphinx, what: str, _name: str, _object: object, _options: Any, lines: list[str]) -> None:
    """Keep napoleon from taking what stands before the first colon of an attribute's docstring for its type."""
    if what in {"attribute", "data", "property"}:
        lines[:] = [line.replace(":", HIDDEN) for line in lines]


def show(_app: Sphinx, _what: str, _name: str, _object: object, _options: Any, lines: list[str]) -> None:
    """Undo it."""
    lines[:] = [line.replace(HIDDEN, ":") for line in lines]


def setup(app: Sphinx) -> None:
    """Register both, before and after napoleon's own."""
    app.connect("autodoc-process-docstring", hide, priority=400)
    app.connect("autodoc-process-docstring", show, priority=600)
