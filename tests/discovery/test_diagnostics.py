"""
Room: diagnostics and their table.

May touch: `diagnostics`, the bundled tree `mixed`.
"""

from __future__ import annotations

import pytest

from rbln_dra.discovery import CODES, Code, Diagnostic, Fault, Link, TreeBackend, discover
from rbln_dra.discovery.access import Entry


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        pytest.param("0x020000", "0x020000", id="a text"),
        pytest.param("vfio_pci\n", "vfio_pci", id="a text with its newline"),
        pytest.param(Link("a/b"), "a/b", id="a link"),
        pytest.param(Fault.parse("EIO"), "EIO, Input/output error", id="a fault"),
        pytest.param("", "''", id="an empty text"),
        pytest.param("\x00\xff", "'\\x00\\xff'", id="binary garbage"),
        pytest.param("a\nb", "'a\\nb'", id="two lines"),
        pytest.param("x" * 4096, "(4096 characters)", id="a page"),
        pytest.param(None, "''", id="nothing"),
    ],
)
def test_a_message_is_one_bounded_line(found: Entry | None, shown: str) -> None:
    """Whatever was found, the message is one line that can be printed."""
    message = Diagnostic("0000:27:00.0", "other-driver", found=found).message
    assert shown in message
    assert message.isprintable()
    assert len(message) < 300


def test_a_message_can_be_given() -> None:
    """A backend of another package may say it in its own words."""
    assert str(Diagnostic("a", "unbound", "in our words")) == "a: in our words"


def test_a_code_that_no_table_has_is_refused() -> None:
    """Programs test codes, so there are no others."""
    with pytest.raises(ValueError, match="unbund"):
        Diagnostic("a", "unbund")


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_the_mixed_node_shows_every_diagnostic_of_a_scan(code: Code) -> None:
    """The bundled node of odd cards has one for each kind, those of slices aside."""
    seen = {diagnostic.code for diagnostic in discover(TreeBackend("mixed")).diagnostics}
    assert code.name in seen | {"old-slice", "incomplete-pool"}


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_a_diagnostic_has_an_effect(code: Code) -> None:
    """The effect is that of the code, and the text needs nothing but what was found and where."""
    diagnostic = Diagnostic("a", code.name, entry="numa_node", found="x")
    assert diagnostic.effect is code.effect
    assert "{" not in diagnostic.message
