"""
Room: the tables of the pages, made from the code when the pages are built, so that none of them can be out of date.

A page says `{generated} products` for the rows of the function of that name here, and `{usage} select` for a command's help.

May touch: Sphinx, docutils, the package.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from rbln_dra import cel, products
from rbln_dra.attributes import ATTRIBUTES
from rbln_dra.cel.library import LIBRARIES
from rbln_dra.cli import main
from rbln_dra.devices import PROFILES
from rbln_dra.discovery.diagnostics import CODES
from rbln_dra.kubernetes import GATES, MINORS, Setting
from rbln_dra.validation import LIMITS, Limit
from rbln_dra.validation.advice import RULES

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: Cells as text; `code` between backquotes.
Row: TypeAlias = Sequence[str]
Table: TypeAlias = tuple[Row, Iterable[Row]]

ABSENT = "–"


def code(text: object) -> str:
    """Mark a text as code."""
    return f"`{text}`"


def product_rows() -> Table:
    """Give the cards by their PCI device id."""
    head = ("SKU", "PF id", "VF id", "Family", "Product", "RBLN SDK", "Memory of one NPU", "Status", "Source")
    return head, (
        (
            code(row.sku),
            code(row.pf_id),
            code(row.vf_id),
            row.family,
            row.marketing_name or ABSENT,
            str(row.sdk or ABSENT),
            row.memory.shown if row.memory else ABSENT,
            row.status,
            row.source,
        )
        for row in products.PRODUCTS
    )


def conflict_rows() -> Table:
    """Give what the sources of the product table disagree about."""
    return ("SKU", "About", "Sources", "What is used"), (
        (code(row.sku), conflict.subject, "; ".join(f"{source}: {value or 'nothing'}" for source, value in conflict.sources), conflict.note)
        for row in products.PRODUCTS
        for conflict in row.conflicts
    )


def resource_rows() -> Table:
    """Give the extended resources by which device plugins offer the cards."""
    return ("Resource", "SKU", "Family", "Function", "Status", "Source"), (
        (code(row.name), code(row.sku) if row.sku else ABSENT, row.family or ABSENT, row.function or ABSENT, row.status, row.source)
        for row in products.RESOURCE_NAMES
    )


def attribute_rows(device: str) -> Table:
    """Give what one kind of device publishes."""
    return ("Name", "Type", "Example", "Meaning", "Absent when", "In a selector", "Since", "Source"), (
        (
            code(row.name),
            row.type,
            code(str(row.example).lower() if isinstance(row.example, bool) else row.example),
            row.meaning,
            row.absent or ABSENT,
            code(row.expression),
            code(row.since),
            row.source,
        )
        for row in ATTRIBUTES
        if row.device == device
    )


def profile_rows() -> Table:
    """Give what each generation of the driver publishes."""
    return ("Profile", "Until", "Releases", "Passthrough", "Bus id", "PCIe root", "NUMA node", "Negative NUMA node"), (
        (
            code(row.name),
            code(row.until) if row.until else ABSENT,
            str(row.releases or ABSENT),
            "yes" if row.passthrough else "no",
            code(row.pci_bus_id),
            ABSENT if row.pcie_root is None else f"{code(row.pcie_root)}, {'a root port' if row.root_port else 'a root complex'}",
            ", ".join(map(code, row.numa_node)),
            "published" if row.negative_numa else "left out",
        )
        for row in PROFILES
    )


def diagnostic_rows() -> Table:
    """Give every kind of diagnostic."""
    return ("Code", "Effect", "Message", "Source"), ((code(row.name), row.effect.value, row.text, row.source) for row in CODES.values())


def gate_rows() -> Table:
    """Give the stage and default of every gate in every minor."""
    return ("Gate", *MINORS, "Needs", "What it is"), (
        (code(gate.name), *(_stage(gate.setting(minor)) for minor in MINORS), ", ".join(map(code, gate.requires)) or ABSENT, gate.summary)
        for gate in GATES.values()
    )


def _stage(setting: Setting | None) -> str:
    if setting is None:
        return ABSENT
    return f"{setting.stage}, {'on' if setting.default else 'off'}{', locked' if setting.locked else ''}"


def limit_rows() -> Table:
    """Give every limit of the API in every minor."""
    return ("Most", *MINORS, "Where", "In Kubernetes"), (
        (row.what, *(_most(row, minor) for minor in MINORS), code(row.field), code(row.constant)) for row in LIMITS.values()
    )


def advice_rows() -> Table:
    """Rows of the advice on objects."""
    return ("Code", "What it finds"), ((code(rule.name), rule.summary) for rule in RULES)


def _most(row: Limit, minor: str) -> str:
    most = row.most(int(minor.removeprefix("1.")))
    if most is None:
        return ABSENT
    return f"{most:,}" if row.unit != "bytes" else f"{most:,} B"


def function_rows() -> Table:
    """Give every function of the dialect: the minors that evaluate it, and those that admit it in new expressions."""
    environments = {(minor, kind): cel.Environment(kubernetes=minor, expressions=kind) for minor in MINORS for kind in ("stored", "new")}

    def where(name: str, overloads: frozenset[str], kind: str) -> str:
        having = [minor for minor in MINORS if _has(environments[minor, kind], name, overloads)]
        return ABSENT if not having else "all" if len(having) == len(MINORS) else ", ".join(having)

    rows = (
        (library.name, code(function.name), where(function.name, ids, "stored"), where(function.name, ids, "new"), function.summary or ABSENT)
        for library in LIBRARIES
        for function in library.functions
        for ids in (frozenset(overload.id for overload in function.overloads),)
    )
    return ("Library", "Function", "Evaluated in", "Admitted in", "What it does"), rows


def _has(environment: cel.Environment, name: str, overloads: frozenset[str]) -> bool:
    function = environment.functions.get(name)
    return function is not None and any(overload.id in overloads for overload in function.overloads)


def error_rows() -> Table:
    """Give the tree of errors."""
    errors = import_module("rbln_dra.errors")
    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, errors.Error)]
    return ("Error", "Is also", "Raised for"), (
        (
            code(each.__name__),
            ", ".join(code(base.__name__) for base in each.__mro__[1:] if base not in {object, BaseException, Exception, errors.Error}) or ABSENT,
            (each.__doc__ or "").strip().split("\n\n")[0],
        )
        for each in classes
    )


TABLES: dict[str, Callable[[], Table]] = {
    "products": product_rows,
    "conflicts": conflict_rows,
    "resources": resource_rows,
    "vfio": lambda: attribute_rows("vfio"),
    "npu": lambda: attribute_rows("npu"),
    "profiles": profile_rows,
    "diagnostics": diagnostic_rows,
    "gates": gate_rows,
    "limits": limit_rows,
    "advice": advice_rows,
    "functions": function_rows,
    "errors": error_rows,
}


def cell(text: str) -> nodes.entry:
    """Make a cell; what stands between backquotes is code."""
    paragraph = nodes.paragraph()
    for part in re.split(r"(`[^`]*`)", text):
        if part.startswith("`"):
            paragraph += nodes.literal(text=part.strip("`"))
        elif part:
            paragraph += nodes.Text(part)
    return nodes.entry("", paragraph)


def line(row: Row) -> nodes.row:
    """Make a row."""
    return nodes.row("", *map(cell, row))


class Generated(SphinxDirective):
    """The directive `{generated} NAME`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Make the table that the argument names."""
        head, rows = TABLES[self.arguments[0]]()
        body = list(rows)
        if not body:
            raise self.error(f"the table {self.arguments[0]} is empty")
        widths = [max(len(row[column]) for row in (head, *body)) for column in range(len(head))]
        group = nodes.tgroup("", *(nodes.colspec(colwidth=min(width, 40)) for width in widths), cols=len(head))
        group += nodes.thead("", line(head))
        group += nodes.tbody("", *map(line, body))
        return [nodes.table("", group, classes=["generated"])]


class Usage(SphinxDirective):
    """The directive `{usage} COMMAND`: what the command prints with `--help`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Ask the command."""
        os.environ["COLUMNS"] = "100"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
            main([self.arguments[0], "--help"])
        text = printed.getvalue()
        return [nodes.literal_block(text, text, language="text")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("generated", Generated)
    app.add_directive("usage", Usage)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
