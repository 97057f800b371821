"""
Room: configuration for drivers, in their own words.

May touch: `findings`, `formats`, `server`, `resources`.
"""

from __future__ import annotations

from ..resources import OpaqueDeviceConfiguration
from .findings import Findings, invalid, required, size, too_long
from .formats import driver_name
from .server import Server


def configuration(server: Server, item: OpaqueDeviceConfiguration | None, path: str, *, stored: bool) -> Findings:
    """Check a configuration; one that is stored may have parameters that are too long by now."""
    if item is None:
        return [required(f"{path}.opaque")]
    path = f"{path}.opaque"
    return driver_name(server, f"{path}.driver", item.driver, covered=True) + _parameters(server, item, f"{path}.parameters", stored=stored)


def _parameters(server: Server, item: OpaqueDeviceConfiguration, path: str, *, stored: bool) -> Findings:
    """Check parameters: a JSON object."""
    if item.parameters is None:
        return [required(path)]
    most = server.limit("parameters")
    if not stored and size(item.parameters.text) > most:
        return [too_long(path, most)]
    return [] if item.parameters.text.startswith("{") else [invalid(path, "<value omitted>", "must be a valid JSON object")]
