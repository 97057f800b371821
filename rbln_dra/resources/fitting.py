"""
Room: texts that are longer than an attribute may be.

May touch: `errors`.
"""

from __future__ import annotations

from typing import Final

from ..errors import InvalidValue

#: How long the text of an attribute may be, in bytes.
LONGEST: Final = 64


def fit(text: str) -> str:
    """
    Cut a text to what an attribute may hold: 64 bytes of UTF-8, and no half characters. The same text is always cut in the same way.

    The API server refuses a whole slice for one attribute that is too long. Nothing in this package cuts by itself: a selector that compares the
    whole text does not match what is left of it, so compare with `startsWith`, or with what `fit` gives.

    Raises:
        InvalidValue: It is no text.

    >>> fit("RBLN-CR13"), len(fit("x" * 65)), fit("é" * 33) == "é" * 32
    ('RBLN-CR13', 64, True)
    """
    InvalidValue.unless_text(text, "a text")
    return text.encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")
