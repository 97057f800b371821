"""The recorded texts that we do not give to the letter, with the reason. Verdict, type and cost agree for these too."""

from __future__ import annotations

#: Expression → why its text differs.
KNOWN: dict[str, str] = {}
