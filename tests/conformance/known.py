"""
The recorded texts that we do not give to the letter, with the reason. Verdict, type and cost agree for these too.

A reason is a rule, not a list: it looks at the device and says whether the recorded text is as true of it as ours.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rbln_dra import Device, cel
from rbln_dra.cel.binding import bind
from rbln_dra.errors import EvaluationError

if TYPE_CHECKING:
    from .selectors import Difference

#: Where a device has several attributes that cannot be read, Go's map gives any of them first; ours, the first of the device.
ORDER = "another attribute of the device cannot be read either, and Go visits them in random order"
_UNREADABLE = re.compile("attribute (?P<name>[^:]+): ")


def reason(difference: Difference, device: Device, environment: cel.Environment) -> str | None:
    """Give the reason for a text that is not ours; `None` when there is none."""
    named = [_UNREADABLE.match(str(text)) for text in (difference.recorded, difference.ours)]
    if difference.aspect != "text" or not all(named):
        return None
    names = [match["name"] for match in named if match is not None]
    said = [complaint(device, name, environment) for name in names]
    return ORDER if names[0] != names[1] and said == [difference.recorded, difference.ours] else None


def complaint(device: Device, name: str, environment: cel.Environment) -> str | None:
    """Say why an attribute of a device cannot be read, looking at nothing else of the device; `None` when it can be, or is not there."""
    if name not in device.attributes:
        return None
    alone = Device(name=device.name, driver=device.driver, attributes={name: device.attributes[name]})
    try:
        bind(alone, environment)
    except EvaluationError as error:
        return error.message
    return None
