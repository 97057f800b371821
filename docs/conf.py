"""Room: how Sphinx builds the pages. May touch: nothing but `tables`."""

from __future__ import annotations

import sys
from pathlib import Path

import rbln_dra

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
]
