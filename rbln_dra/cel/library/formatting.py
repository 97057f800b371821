"""
Room: `string.format`: its clauses, what each writes, and the check of literal format strings at compile time.

The texts are those of cel-go's first version of `format`, which Kubernetes has: fixed-point numbers are grouped (`1,234.5`), and the
precision of `%e` is the width of its field. Neither depends on a locale.

May touch: `ast`, `types`, `values`, `format_values`, `costs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Protocol, TypeAlias

import attrs

from .. import ast
from ..types import Type
from ..values import CELError, Value, elements, type_of
from .costs import afford_text
from .format_values import NO_TEXT, plain

_DECIMAL_CLAUSE = "decimal clause can only be used on integers, was given {}"
_FIXED_CLAUSE = "fixed-point clause can only be used on doubles, was given {}"
_SCIENTIFIC_CLAUSE = "scientific clause can only be used on doubles, was given {}"
_BINARY_CLAUSE = "only integers and bools can be formatted as binary, was given {}"
_HEX_CLAUSE = "only integers, byte buffers, and strings can be formatted as hex, was given {}"
_OCTAL_CLAUSE = "octal clause can only be used on integers, was given {}"
#: Texts that `%f` and `%e` take in place of a double.
_SPECIAL = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
#: Digits of a fraction without a precision.
_PRECISION = 6
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Clause(Protocol):
    """What writes a value, with the precision that stands in the format string (`None` without one)."""

    def __call__(self, value: Value, precision: int | None, /) -> str:
        """Write it."""
        ...


# The clauses.


def _string(value: Value, _precision: int | None) -> str:
    return plain(value)


def _decimal(value: Value, _precision: int | None) -> str:
    return str(int(_checked(value, ("int", "uint"), _DECIMAL_CLAUSE)))


def _checked(value: Value, names: tuple[str, ...], message: str) -> Value:
    """Give the value if its type has one of the names."""
    name = type_of(value).name
    if name not in names:
        raise CELError(message.format(name))
    return value


def _double(value: Value, message: str) -> float:
    """Give a double, or what a special text stands for."""
    if isinstance(value, str) and value in _SPECIAL:
        return _SPECIAL[value]
    number: float = _checked(value, ("double",), message)
    return number


def _special(number: float) -> str | None:
    """Write what is no number."""
    if number != number:  # noqa: PLR0124
        return "NaN"
    if number in {float("inf"), float("-inf")}:
        return "∞" if number > 0 else "-∞"
    return None


def _fixed(value: Value, precision: int | None) -> str:
    """
    Write a double with a fixed number of digits after the point, in groups of three before it.

    Go's library takes the least and the most digits of the fraction in eight and in sixteen bits; a precision of nine digits is no clause to it.
    """
    number = _double(value, _FIXED_CLAUSE)
    digits = _PRECISION if precision is None else precision
    if _overlong(digits):
        return "%!(NOVERB)"
    special = _special(number)
    if special is not None:
        return special
    least, most = digits & 0xFF, _signed16(digits)
    magnitude = abs(number)
    text = f"{magnitude:.{most}f}" if most >= 0 else f"{Decimal(repr(magnitude)):f}"
    whole, _, fraction = text.partition(".")
    fraction = fraction.rstrip("0").ljust(least, "0")
    sign = "-" if number < 0 else ""
    return f"{sign}{int(whole):,}{'.' if fraction else ''}{fraction}"


def _scientific(value: Value, precision: int | None) -> str:
    """Write a double with six digits after the point and a power of ten, in a field as wide as the precision says."""
    number = _double(value, _SCIENTIFIC_CLAUSE)
    width = _PRECISION if precision is None else precision
    if _overlong(width):
        return "%!(NOVERB)"
    text = _special(number)
    if text is None:
        mantissa, _, exponent = f"{abs(number):.{_PRECISION}e}".partition("e")
        sign = "-" if number < 0 else ""
        text = f"{sign}{mantissa}×10{exponent.removeprefix('+').translate(_SUPERSCRIPT)}"
    return text.rjust(width & 0xFFFF)


def _overlong(number: int) -> bool:
    """Tell whether Go's scanner gives up on a number: one with a digit more after it had passed a million."""
    return number // 10 > 1_000_000


def _signed16(number: int) -> int:
    """Wrap a number into sixteen bits with a sign."""
    return (number + 0x8000) % 0x10000 - 0x8000


def _binary(value: Value, _precision: int | None) -> str:
    return f"{int(_checked(value, ('int', 'uint', 'bool'), _BINARY_CLAUSE)):b}"


def _octal(value: Value, _precision: int | None) -> str:
    return f"{int(_checked(value, ('int', 'uint'), _OCTAL_CLAUSE)):o}"


def _hex(value: Value, _precision: int | None) -> str:
    _checked(value, ("int", "uint", "string", "bytes"), _HEX_CLAUSE)
    if isinstance(value, str):
        value = value.encode("utf-8", "surrogatepass")
    return value.hex() if isinstance(value, bytes) else f"{int(value):x}"


def _upper_hex(value: Value, precision: int | None) -> str:
    return _hex(value, precision).upper()


@attrs.frozen
class _Kind:
    """
    What a letter stands for.

    Args:
        write: What writes a value at run time.
        kinds: The kinds of types that a literal call may have there.
        message: What is said of others.
    """

    write: Clause
    kinds: frozenset[str]
    message: str


_INTEGERS = frozenset({"int", "uint"})
#: `%s` takes lists and maps of what it takes.
_TEXTS = frozenset(
    {"list", "map", "int", "uint", "double", "bool", "string", "bytes", "timestamp", "duration", "type", "null"},
)
_DOUBLES = frozenset({"double", "string"})
_KINDS: Mapping[str, _Kind] = {
    "s": _Kind(_string, _TEXTS, NO_TEXT),
    "d": _Kind(_decimal, _INTEGERS, _DECIMAL_CLAUSE),
    "f": _Kind(_fixed, _DOUBLES, _FIXED_CLAUSE),
    "e": _Kind(_scientific, _DOUBLES, _SCIENTIFIC_CLAUSE),
    "b": _Kind(_binary, _INTEGERS | {"bool"}, _BINARY_CLAUSE),
    "x": _Kind(_hex, _INTEGERS | {"string", "bytes"}, _HEX_CLAUSE),
    "X": _Kind(_upper_hex, _INTEGERS | {"string", "bytes"}, _HEX_CLAUSE),
    "o": _Kind(_octal, _INTEGERS, _OCTAL_CLAUSE),
}

#: A part of a format string: a text, or a clause with its precision.
_Part: TypeAlias = "str | tuple[_Kind, int | None]"


def _parts(template: str, count: int, *, literal: bool = False) -> Iterator[_Part]:
    """
    Split a format string, as far as it can be read. In a literal the end of the string is seen before a missing argument, else after it.

    Raises:
        CELError: A clause cannot be read, or there is no argument for it.
    """
    position = taken = 0
    while position < len(template):
        clause = template.find("%", position)
        if clause < 0:
            yield template[position:]
            return
        if clause > position:
            yield template[position:clause]
        if template.startswith("%", clause + 1):
            yield "%"
            position = clause + 2
            continue
        missing, ended = taken >= count, clause + 1 == len(template)
        if missing and not (ended and literal):
            raise CELError(f"index {taken} out of range")
        if ended:
            raise CELError("unexpected end of string")
        kind, precision, position = _clause(template, clause + 1)
        yield kind, precision
        taken += 1


def _clause(template: str, start: int) -> tuple[_Kind, int | None, int]:
    """Read one clause from just after its `%`."""
    precision, position = _precision(template, start)
    letter = template[position]
    kind = _KINDS.get(letter)
    if kind is None:
        # Go takes the first byte for the character.
        shown = chr(letter.encode("utf-8", "surrogatepass")[0])
        raise CELError(f'could not parse formatting clause: unrecognized formatting clause "{shown}"')
    return kind, precision, position + 1


def _precision(template: str, start: int) -> tuple[int | None, int]:
    """Read a precision, if there is one."""
    if template[start] != ".":
        return None, start
    end = start + 1
    while end < len(template) and template[end] in "0123456789":
        end += 1
    context = "could not parse formatting clause: error while parsing precision: "
    if end == len(template):
        raise CELError(f"{context}could not find end of precision specifier")
    digits = template[start + 1 : end]
    significant = digits.lstrip("0")
    fault = None
    if not digits:
        fault = "invalid syntax"
    elif len(significant) > 19 or int(significant or "0") > 2**63 - 1:
        fault = "value out of range"
    if fault is not None:
        raise CELError(f'{context}error while converting precision to integer: strconv.Atoi: parsing "{digits}": {fault}')
    return int(significant or "0"), end


def formatted(template: str, values: Value) -> str:
    """
    Write a format string with values in place of its clauses.

    Raises:
        CELError: A clause cannot be read, has no value, or does not take its value.
    """
    arguments = iter(given := elements(values))
    written: list[str] = []
    length = 0
    for part in _parts(template, len(given)):
        if isinstance(part, str):
            text = part
        else:
            kind, precision = part
            try:
                text = kind.write(next(arguments), precision)
            except CELError as error:
                if type(error) is not CELError:
                    raise
                raise CELError(f"error during formatting: {error.message}") from None
        length += len(text)
        afford_text(length)
        written.append(text)
    return "".join(written)


# The check at compile time.


def literal_fault(call: ast.Call, types: Mapping[int, Type]) -> tuple[int, str] | None:
    """
    Say what is wrong with a call of `format` whose format string and list are literals: the id of the node to report, and the text.

    Args:
        call: A call that was resolved to `string_format`, or not resolved to one overload.
        types: The checked types of nodes by id.
    """
    target = call.target
    if call.function != "format" or not isinstance(target, ast.Literal) or not isinstance(target.value, str) or len(call.args) != 1:
        return None
    listed = call.args[0]
    if not isinstance(listed, ast.ListExpr):
        return None
    taken = 0
    try:
        for part in _parts(target.value, len(listed.elements), literal=True):
            if isinstance(part, str):
                continue
            element = listed.elements[taken]
            taken += 1
            fault = _element_fault(part[0], element, types)
            if fault is not None:
                return fault
    except CELError as error:
        return call.id, error.message
    if len(listed.elements) > taken:
        return call.id, f"too many arguments supplied to string.format (expected {taken}, got {len(listed.elements)})"
    return None


def _element_fault(kind: _Kind, element: ast.Node, types: Mapping[int, Type]) -> tuple[int, str] | None:
    """Say why a clause does not take an element."""
    found = _type_kind(types[element.id])
    if found != "dyn" and found not in kind.kinds:
        return element.id, f"error during formatting: {kind.message.format(_type_name(types[element.id]))}"
    if kind.message is not NO_TEXT:
        return None
    for inner in _inner(element):
        fault = _element_fault(kind, inner, types)
        if fault is not None:
            return fault
    return None


def _inner(element: ast.Node) -> Iterator[ast.Node]:
    """Give the elements of a list literal, or the keys and values of a map literal."""
    if isinstance(element, ast.ListExpr):
        yield from element.elements
    elif isinstance(element, ast.MapExpr):
        for entry in element.entries:
            yield entry.key
            yield entry.value


def _type_kind(type_: Type) -> str:
    if type_.kind == "wrapper":
        return type_.parameters[0].name
    return type_.name if type_.kind == "primitive" else type_.kind


def _type_name(type_: Type) -> str:
    """Give the name of a type without its parameters."""
    return type_.parameters[0].name if type_.kind == "wrapper" else type_.name
