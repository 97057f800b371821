"""
Room: `rbln-dra inventory`: pool, number of devices, first device; the lines that the documentation has a node checked with.

May touch: `command`, `sources`, `table`, `names`.
"""

from __future__ import annotations

import argparse
from typing import Final

from ..names import DRIVER_NAME
from .command import Command, Console
from .sources import add_source, read
from .table import table


def _run(options: argparse.Namespace, console: Console) -> int:
    """Print the pools."""
    if options.driver is None:
        options.driver = DRIVER_NAME
    inventory = read(options, console)
    rows = [(pool, inventory.devices_of(pool)) for pool in inventory.pools]
    for line in table([pool.name, str(len(devices)), devices[0].name if devices else None] for pool, devices in rows):
        console.line(line)
    if not rows:
        console.remark("No pools found.")
    return 0


COMMAND: Final = Command(
    "inventory",
    "print pool, number of devices and first device of each pool",
    """\
Only the pools of one driver are printed, that of --driver, by default npu.rebellions.ai.

exit codes: 0 done, 2 the source cannot be read

examples:
  rbln-dra inventory --tree rebel100
  kubectl get resourceslices -o json | rbln-dra inventory --slices -
""",
    add_source,
    _run,
)
