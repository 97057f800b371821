"""
Room: Kubernetes' named formats of strings (`format.dns1123Label().validate(…)`).

May touch: `types`, `ranges`, `rows`, `costs`.
"""

from __future__ import annotations

from ..ranges import REGEX_LENGTH, STRING_TRAVERSAL
from ..types import FORMAT, STRING, list_of, optional_of
from .costs import search_cost, size, unit, unit_cost
from .rows import Estimate, Function, Library, Operand, Overload, Value

#: What the estimate takes for the length of a format's expression.
_LONGEST = 128
#: The formats, by the names that expressions call them.
NAMES = (
    "dns1123Label",
    "dns1123Subdomain",
    "dns1035Label",
    "qualifiedName",
    "dns1123LabelPrefix",
    "dns1123SubdomainPrefix",
    "dns1035LabelPrefix",
    "labelValue",
    "uri",
    "uuid",
    "byte",
    "date",
    "datetime",
)


def _estimate_validate(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate a search for the longest expression."""
    return Estimate(args[0].size.scaled(STRING_TRAVERSAL).scaled(_LONGEST * REGEX_LENGTH)) if args else None


FUNCTIONS = (
    Function(
        "validate",
        (Overload("format-validate", (FORMAT, STRING), optional_of(list_of(STRING)), member=True),),
        estimate=_estimate_validate,
        summary="What is wrong with a text, in words; nothing when it has the format.",
    ),
    Function(
        "format.named",
        (Overload("format-named", (STRING,), optional_of(FORMAT)),),
        estimate=unit,
        cost=unit_cost,
        summary="The format of a name, if there is one.",
    ),
    *(
        Function(f"format.{name}", (Overload(f"format.{name}", (), FORMAT),), summary=f"The format {name}.")
        for name in NAMES
    ),
)
FORMATS = Library("format", "Kubernetes format", FUNCTIONS)
