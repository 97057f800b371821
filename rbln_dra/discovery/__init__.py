"""
Room: where devices come from: a host's sysfs, a fixture of the same shape, or what `kubectl` prints.

`discover` takes a backend and gives an `Inventory`. `SysfsBackend` reads a host, `TreeBackend` a bundled or an own fixture, `SliceBackend`
ResourceSlices; other packages add backends by the entry-point group `rbln_dra.backends`.

May touch: `devices` and the values below it. Nothing here judges a selector.
"""

from __future__ import annotations

from .access import Fault, HostSysfs, Link, Sysfs
from .backends import Backend, SysfsBackend, TreeBackend, discover, find_backends, make_backend
from .diagnostics import CODES, Code, Diagnostic, Effect
from .inventory import Inventory, Pool
from .memory import MemorySysfs, OverlaySysfs
from .slices import SliceBackend
from .trees import Tree, bundled, bundled_names, tree

__all__ = [
    "CODES",
    "Backend",
    "Code",
    "Diagnostic",
    "Effect",
    "Fault",
    "HostSysfs",
    "Inventory",
    "Link",
    "MemorySysfs",
    "OverlaySysfs",
    "Pool",
    "SliceBackend",
    "Sysfs",
    "SysfsBackend",
    "Tree",
    "TreeBackend",
    "bundled",
    "bundled_names",
    "discover",
    "find_backends",
    "make_backend",
    "tree",
]
