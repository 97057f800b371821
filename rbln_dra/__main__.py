"""
Room: `python -m rbln_dra`.

May touch: `cli`.
"""

from __future__ import annotations

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
