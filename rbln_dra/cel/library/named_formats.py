"""
Room: Kubernetes' named formats of strings (`format.dns1123Label().validate(…)`).

May touch: `types`, `ranges`, `values`, `rows`, `costs`, `name_rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

import attrs

from ..ranges import REGEX_LENGTH, STRING_TRAVERSAL
from ..types import FORMAT, STRING, Type, list_of, optional_of
from ..values import NO_SUCH_OVERLOAD, NONE, CELError, Optional, Panic
from . import name_rules
from .costs import search_cost, size, unit, unit_cost
from .rows import Estimate, Function, Library, Operand, Overload, Since, Value

#: What the estimate takes for the length of a format's expression.
_LONGEST = 128


@attrs.frozen
class NamedFormat:
    """
    A format as a value.

    Args:
        name: Its name in Go, by which formats are equal.
        length: The length of its regular expression, or of one that would do; what `validate` is charged by.
    """

    cel_type: ClassVar[Type] = FORMAT

    name: str
    length: int

    @property
    def cel_key(self) -> None:
        """
        No key of a map.

        Raises:
            Panic: Always: in Go a format holds a function.
        """
        raise Panic("runtime error: hash of unhashable type cel.Format")

    def cel_equal(self, other: Value) -> bool:
        """
        Compare with another format.

        Raises:
            CELError: The other is none.
        """
        if not isinstance(other, NamedFormat):
            raise CELError(NO_SUCH_OVERLOAD)
        return self.name == other.name


#: Judges a text: what is wrong with it.
_Rule = Callable[[str], list[str]]


def _prefix(rule: _Rule) -> _Rule:
    """Judge the prefix of a name, which may end with a dash."""
    return lambda text: rule(name_rules.unmasked(text))


#: The formats by the names that expressions call them, with their rules in 1.35 and later.
_FORMATS: Mapping[str, tuple[NamedFormat, _Rule]] = {
    "dns1123Label": (NamedFormat("DNS1123Label", 30), name_rules.label),
    "dns1123Subdomain": (NamedFormat("DNS1123Subdomain", 60), name_rules.subdomain),
    "dns1035Label": (NamedFormat("DNS1035Label", 30), name_rules.label_1035),
    "qualifiedName": (NamedFormat("QualifiedName", 60), name_rules.label_key),
    "dns1123LabelPrefix": (NamedFormat("DNS1123LabelPrefix", 30), _prefix(name_rules.label)),
    "dns1123SubdomainPrefix": (NamedFormat("DNS1123SubdomainPrefix", 60), _prefix(name_rules.subdomain)),
    "dns1035LabelPrefix": (NamedFormat("DNS1035LabelPrefix", 30), _prefix(name_rules.label_1035)),
    "labelValue": (NamedFormat("LabelValue", 40), name_rules.label_value),
    "uri": (NamedFormat("URI", 1103), name_rules.uri),
    "uuid": (NamedFormat("uuid", 70), name_rules.uuid),
    "byte": (NamedFormat("byte", 84), name_rules.base64),
    "date": (NamedFormat("date", 71), name_rules.date),
    "datetime": (NamedFormat("datetime", 71), name_rules.date_time),
}
_RULES = {format_.name: rule for format_, rule in _FORMATS.values()}
#: In 1.34 the rules of labels had other words.
_EARLIER_RULES = {**_RULES, "QualifiedName": name_rules.qualified_name, "LabelValue": name_rules.label_value_1_34}


def _validating(rules: Mapping[str, _Rule]) -> Callable[[NamedFormat, str], Optional]:
    """Give what validates by some rules."""

    def validate(format_: NamedFormat, text: str) -> Optional:
        complaints = rules[format_.name](text)
        return Optional(tuple(complaints)) if complaints else NONE

    return validate


def _named(name: str) -> Optional:
    found = _FORMATS.get(name)
    return NONE if found is None else Optional(found[0])


def _constant(format_: NamedFormat) -> Callable[[], NamedFormat]:
    """Give what gives a format."""
    return lambda: format_


def _estimate_validate(_target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate a search for the longest expression."""
    return Estimate(args[0].size.scaled(STRING_TRAVERSAL).scaled(_LONGEST * REGEX_LENGTH)) if args else None


def _validate_cost(args: tuple[Value, ...], _result: Value) -> int | None:
    """Charge a search for the format's own expression."""
    return search_cost(size(args[1]), args[0].length) if len(args) >= 2 and isinstance(args[0], NamedFormat) else None


FUNCTIONS = (
    *(
        Function(
            "validate",
            (Overload("format-validate", (FORMAT, STRING), optional_of(list_of(STRING)), member=True, implementation=_validating(rules)),),
            since=since,
            estimate=_estimate_validate,
            cost=_validate_cost,
            summary="What is wrong with a text, in words; nothing when it has the format.",
        )
        for since, rules in ((Since(until="1.34"), _EARLIER_RULES), (Since(new="1.35", stored="1.35"), _RULES))
    ),
    Function(
        "format.named",
        (Overload("format-named", (STRING,), optional_of(FORMAT), implementation=_named),),
        estimate=unit,
        cost=unit_cost,
        summary="The format of a name, if there is one.",
    ),
    *(
        Function(
            f"format.{name}",
            (Overload(f"format.{name}", (), FORMAT, implementation=_constant(format_)),),
            summary=f"The format {name}.",
        )
        for name, (format_, _) in _FORMATS.items()
    ),
)
FORMATS = Library("format", "Kubernetes format", FUNCTIONS)
