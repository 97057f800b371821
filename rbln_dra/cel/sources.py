"""
Room: how generated code that counts reads a prepared device, and what that is charged.

May touch: `qualifiers`, `ledger`, `preparation` for keys, `phrases` for `Inexpressible`, `values`, `texts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import qualifiers
from .ledger import Atom, Ledger
from .phrases import Inexpressible
from .preparation import attribute_key, capacity_key
from .texts import shown
from .values import CELError, Optional


class WholeMap(Inexpressible):
    """A selector uses a map of the device as a whole, which a prepared device does not have."""


class Prepared:
    """
    What reads a prepared device, under the name `source`.

    Args:
        ledger: The function that is written.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._quantities: dict[tuple[str, str], str] = {}

    def read(self, chain: Sequence[Any], paid: int) -> tuple[Atom, Sequence[Any]]:
        """
        Read a value, and give it with the qualifiers that are left.

        Whatever leads to a value is always there: an unknown domain is an empty map.

        Args:
            chain: The qualifiers after `device`.
            paid: How many of them have been charged.

        Raises:
            WholeMap: They lead to a map, or through an optional value.
        """
        ledger = self._ledger
        keys: tuple[Any, ...] = tuple(qualifier.key if isinstance(qualifier, qualifiers.Constant) else None for qualifier in chain)
        if keys in (("driver",), ("allowMultipleAllocations",)):
            return self._field(chain[0]), ()
        if len(keys) < 3 or keys[0] not in ("attributes", "capacity") or not (type(keys[1]) is type(keys[2]) is str):
            raise WholeMap("a whole map of the device")
        last, rest = chain[2], chain[3:]
        optional = any(qualifier.optional for qualifier in chain[:3])
        if optional and (rest or type(last) is qualifiers.Presence):
            raise WholeMap("something inside of an optional value")
        kind, domain, id_ = keys[:3]
        key = ledger.constant((attribute_key if kind == "attributes" else capacity_key)(domain, id_))
        ledger.unit(2 - paid)
        if optional:
            return self._optional(self._attribute(key, "ABSENT") if kind == "attributes" else self._capacity(key, domain, id_, "ABSENT")), ()
        ledger.unit()
        if type(last) is qualifiers.Presence:
            return ledger.value(f"{key} in source", bool), rest
        missing = ledger.constant(CELError(f"no such key: {shown(id_)}"))
        return self._attribute(key, missing) if kind == "attributes" else self._capacity(key, domain, id_, missing), rest

    def _field(self, qualifier: Any) -> Atom:
        """Read what every device has."""
        ledger = self._ledger
        ledger.unit()
        if type(qualifier) is qualifiers.Presence:
            return ledger.fixed(value=True)
        value = ledger.value('source["driver"]', str) if qualifier.key == "driver" else ledger.value('source["shared"]', bool)
        return ledger.value(f"Optional({value.text})", Optional) if qualifier.optional else value

    def _attribute(self, key: str, missing: str) -> Atom:
        value = self._ledger.value(f"source.get({key}, {missing})")
        self._ledger.line(f"if {value.text}.__class__ is not str and {value.text}.__class__ is not int: {value.text} = real({value.text})")
        return value

    def _capacity(self, key: str, domain: str, id_: str, missing: str) -> Atom:
        """Read a capacity: one evaluation has one copy of each quantity, since functions may change it."""
        ledger = self._ledger
        name = self._quantities.get((domain, id_))
        if name is None:
            name = self._quantities[domain, id_] = ledger.local()
            ledger.beginnings.append(f"{name} = None")
        where = f"{ledger.constant(domain)}, {ledger.constant(id_)}"
        ledger.line(f"if {name} is None and {key} in source: {name} = quantity(device, {where})")
        return ledger.value(f"{missing} if {name} is None else {name}")

    def _optional(self, value: Atom) -> Atom:
        """Put a value into an optional one, which costs a unit if it is there."""
        ledger = self._ledger
        charges = ledger.taken()
        with ledger.block(f"if {value.text} is ABSENT:", charges):
            ledger.line(f"{value.text} = NONE")
        with ledger.block("else:", charges):
            ledger.unit()
            ledger.line(f"{value.text} = Optional({value.text})")
        return Atom(value.text, Optional, fallible=False)
