"""
Room: Kubernetes' rules for names and other strings that have a format, with its texts.

May touch: `values`, `uri`.
"""

from __future__ import annotations

import re
from calendar import monthrange

from ..values import CELError
from .uri import as_bytes, parse_request

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_DNS_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE = f"({_QUALIFIED})?"
_UUID = re.compile(r"(?i:[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12})", re.ASCII)
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))")

_LABEL_TEXT = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character"
)
_SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an "
    "alphanumeric character"
)
_DNS_1035_TEXT = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an "
    "alphanumeric character"
)
_QUALIFIED_TEXT = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
_VALUE_TEXT = f"a valid label must be an empty string or {_QUALIFIED_TEXT.removeprefix('must ')}"


def _shape(text: str, pattern: str, *examples: str) -> str:
    """Say what a name must look like."""
    shown = " or ".join(f"'{example}', " for example in examples)
    return f"{text} (e.g. {shown}regex used for validation is '{pattern}')"


def _length(text: str, most: int, unit: str) -> list[str]:
    """Complain of a text that is too long in bytes, whatever the unit is called."""
    return [f"must be no more than {most} {unit}"] if len(as_bytes(text)) > most else []


def label(text: str) -> list[str]:
    """Judge a DNS label of RFC 1123."""
    complaints = _length(text, 63, "characters")
    if not re.fullmatch(_LABEL, text):
        complaints.append("must not contain dots" if re.fullmatch(_SUBDOMAIN, text) else _shape(_LABEL_TEXT, _LABEL, "my-name", "123-abc"))
    return complaints


def subdomain(text: str, *, unit: str = "characters") -> list[str]:
    """Judge a DNS subdomain of RFC 1123."""
    complaints = _length(text, 253, unit)
    if not re.fullmatch(_SUBDOMAIN, text):
        complaints.append(_shape(_SUBDOMAIN_TEXT, _SUBDOMAIN, "example.com"))
    return complaints


def label_1035(text: str) -> list[str]:
    """Judge a DNS label of RFC 1035."""
    complaints = _length(text, 63, "characters")
    if not re.fullmatch(_DNS_1035, text):
        complaints.append(_shape(_DNS_1035_TEXT, _DNS_1035, "my-name", "abc-123"))
    return complaints


def unmasked(text: str) -> str:
    """Give a name in place of a prefix: a dash at the end, and what is before it, count as a letter."""
    written = as_bytes(text)
    return written[:-2] + "a" if len(written) > 1 and text.endswith("-") else text


def label_key(text: str, *, kind: str = "a valid label key", unit: str = "bytes") -> list[str]:
    """Judge a name with an optional prefix, as labels and annotations have it."""
    parts = text.split("/")
    shape = _shape(_QUALIFIED_TEXT, _QUALIFIED, "MyName", "my.name", "123-abc")
    if len(parts) > 2:
        return [f"{kind} {shape} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
    name = parts[-1]
    complaints: list[str] = []
    if len(parts) == 2:
        found = subdomain(parts[0], unit=unit) if parts[0] else ["must be non-empty"]
        complaints += [f"prefix part {complaint}" for complaint in found]
    found = _length(name, 63, unit) if name else ["must be non-empty"]
    if not re.fullmatch(_QUALIFIED, name):
        found.append(shape)
    return [*complaints, *(f"name part {complaint}" for complaint in found)]


def qualified_name(text: str) -> list[str]:
    """Judge a name with an optional prefix in the words of 1.34."""
    return label_key(text, kind="a qualified name", unit="characters")


def label_value(text: str, *, unit: str = "bytes") -> list[str]:
    """Judge the value of a label."""
    complaints = _length(text, 63, unit)
    if not re.fullmatch(_VALUE, text):
        complaints.append(_shape(_VALUE_TEXT, _VALUE, "MyValue", "my_value", "12345"))
    return complaints


def label_value_1_34(text: str) -> list[str]:
    """Judge the value of a label in the words of 1.34."""
    return label_value(text, unit="characters")


def uri(text: str) -> list[str]:
    """Judge a URL."""
    try:
        parse_request(as_bytes(text))
    except CELError as error:
        return [error.message]
    return []


def uuid(text: str) -> list[str]:
    """Judge a UUID, with or without dashes."""
    return [] if _UUID.fullmatch(text) else ["does not match the UUID format"]


def base64(text: str) -> list[str]:
    """Judge a text in base64 that is not empty."""
    return [] if _BASE64.fullmatch(text) else ["invalid base64"]


def date(text: str) -> list[str]:
    """Judge a date."""
    return [] if _is_date(text) else ["invalid date"]


def _is_date(text: str) -> bool:
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    # Go has a year 0, which is a leap year like 400.
    return 1 <= month <= 12 and 1 <= day <= monthrange(year or 400, month)[1]


def date_time(text: str) -> list[str]:
    """Judge a date with a time; what follows a second T is not looked at."""
    parts = text.lower().split("t")
    match = _TIME.fullmatch(parts[1]) if len(parts) > 1 else None
    if match is None or not _is_date(parts[0]) or match[1] > "23" or match[2] > "59" or match[3] > "59":
        return ["invalid datetime"]
    return []
