"""
Room: where devices come from: a host's sysfs, a fixture of the same shape, or what `kubectl` prints.

May touch: `devices` and the values below it. Nothing here judges a selector.
"""

from __future__ import annotations
