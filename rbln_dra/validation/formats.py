"""
Room: what texts must look like: the names of Kubernetes beside those that `names` has, with the words of each minor.

A format gives the API server's complaints about a text, none when it is fine.

May touch: `names`, `quoting`, `server`, `findings`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from ..names import identifier_complaints, label_complaints, subdomain_complaints
from ..quoting import quoted
from .findings import Encoded, Finding, Findings, invalid, required, size, too_long
from .server import Server

#: What lists the complaints about a text.
Format = Callable[[str], list[str]]

_NAME: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_NAME_PATTERN: Final = re.compile(_NAME)
_NAME_TEXT: Final = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_NAME}')"
)
_VALUE_PATTERN: Final = re.compile(f"({_NAME})?")
_VALUE_TEXT: Final = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    f"character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '({_NAME})?')"
)
_LONGEST_NAME: Final = 63

# https://semver.org, as the API server has it. Go's \d is ASCII.
_NUMERIC: Final = "(0|[1-9][0-9]*)"
_PRERELEASE: Final = "(0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)"
_BUILD: Final = "[0-9a-zA-Z-]+"
_SEMVER: Final = re.compile(
    rf"{_NUMERIC}\.{_NUMERIC}\.{_NUMERIC}(-{_PRERELEASE}(\.{_PRERELEASE})*)?(\+{_BUILD}(\.{_BUILD})*)?",
)


def _longer(most: int, *, unit: str) -> str:
    """Say that a name is too long; Kubernetes counts bytes, whatever it says."""
    return f"must be no more than {most} {unit}"


def label(text: str) -> list[str]:
    """Complain of what is no DNS label."""
    return [complaint.message for complaint in label_complaints(text)]


def subdomain(text: str) -> list[str]:
    """Complain of what is no DNS subdomain."""
    return [complaint.message for complaint in subdomain_complaints(text)]


def in_bytes(complain: Format) -> Format:
    """Make a format complain in the words of Kubernetes' declarations, which call bytes by their name."""
    return lambda text: [re.sub(r"^(must be no more than \d+) characters$", r"\1 bytes", message) for message in complain(text)]


def identifier(text: str) -> list[str]:
    """Complain of what is no C identifier; its length is another matter."""
    return [complaint.message for complaint in identifier_complaints(text) if complaint.reason == "Invalid"]


def label_key(server: Server) -> Format:
    """Make the format of a label's key: a name, maybe behind a DNS subdomain and a slash."""
    old = server.minor < 35
    unit, what = ("characters", "a qualified name") if old else ("bytes", "a valid label key")
    prefixed = subdomain if old else in_bytes(subdomain)

    def complain(text: str) -> list[str]:
        prefix, slash, name = text.rpartition("/")
        if "/" in prefix:
            return [f"{what} {_NAME_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
        messages: list[str] = []
        if slash:
            messages += [f"prefix part {message}" for message in (prefixed(prefix) if prefix else ["must be non-empty"])]
        if not name:
            messages.append("name part must be non-empty")
        elif size(name) > _LONGEST_NAME:
            messages.append(f"name part {_longer(_LONGEST_NAME, unit=unit)}")
        if not _NAME_PATTERN.fullmatch(name):
            messages.append(f"name part {_NAME_TEXT}")
        return messages

    return complain


def label_value(server: Server) -> Format:
    """Make the format of a label's value."""
    unit = "characters" if server.minor < 35 else "bytes"

    def complain(text: str) -> list[str]:
        messages = [_longer(_LONGEST_NAME, unit=unit)] if size(text) > _LONGEST_NAME else []
        return messages if _VALUE_PATTERN.fullmatch(text) else [*messages, _VALUE_TEXT]

    return complain


def semver(text: str) -> list[str]:
    """Complain of what is no semantic version. Numbers of any size pass."""
    return [] if _SEMVER.fullmatch(text) else ["must be a string compatible with semver.org spec 2.0.0"]


def check(path: str, text: str, complain: Format, *, origin: str = "", covered: bool = False, value: object = ...) -> Findings:
    """Give a finding for each complaint."""
    return [invalid(path, text if value is ... else value, message, origin=origin, covered=covered) for message in complain(text)]


def extended_resource(server: Server) -> Callable[[str], bool]:
    """Make what tells the names of extended resources: such that containers can ask for, and quotas can limit."""
    key = label_key(server)
    return lambda text: "/" in text and "kubernetes.io/" not in text and not text.startswith("requests.") and not key(f"requests.{text}")


def driver_name(server: Server, path: str, text: str, *, covered: bool = False) -> Findings:
    """Check the name of a driver; 1.34 finds two things wrong with an empty one."""
    findings: Findings = []
    if not text:
        findings.append(required(path, covered=covered))
        if server.minor >= 35:
            return findings
    most = server.limit("driver")
    if size(text) > most:
        # Only from 1.36 on do the declarations count too.
        findings.append(too_long(path, most, origin="maxLength" if covered else "", covered=covered))
    origin = "format=k8s-long-name-caseless" if covered else ""
    # Go's lower case of İ is the one letter i, Python's is two.
    return findings + check(path, text, lambda name: subdomain(name.replace("İ", "i").lower()), origin=origin, covered=covered)


def pool_name(server: Server, path: str, text: str, *, covered: bool = False) -> Findings:
    """Check the name of a pool: DNS subdomains with slashes between them."""
    if not text:
        return [required(path, covered=covered)]
    most, origin = server.limit("pool"), "format=k8s-resource-pool-name" if covered else ""
    findings = [too_long(path, most, origin=origin, covered=covered)] if size(text) > most else []
    return findings + [finding for part in text.split("/") for finding in check(path, part, subdomain, origin=origin, covered=covered)]


_HEX: Final = "[0-9A-Fa-f]"
_UID: Final = re.compile(f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}")
_BARE_UID: Final = re.compile(f"{_HEX}{{32}}")
_URN: Final = "urn:uuid:"
_UID_TEXT: Final = "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters"


def uid(text: str) -> list[str]:
    """Complain of what is no UUID, or one in another form than that of Kubernetes."""
    length = size(text)
    if length not in {36, 36 + len(_URN), 38, 32}:
        return [f"error validating uid: invalid UUID length: {length}"]
    inner, form = text, _BARE_UID if length == 32 else _UID
    if length == 36 + len(_URN):
        prefix = text.encode("utf-8", "surrogatepass")[: len(_URN)]
        if prefix.lower() != _URN.encode():
            return [f"error validating uid: invalid urn prefix: {quoted(prefix.decode('utf-8', 'replace'))}"]
        inner = text[len(_URN) :]
    if length == 38:
        if not (text.startswith("{") and text.endswith("}")):
            return ["error validating uid: invalid bracketed UUID format"]
        inner = text[1:-1]
    if not form.fullmatch(inner):
        return ["error validating uid: invalid UUID format"]
    return [] if length == 36 and text == text.lower() else [_UID_TEXT]


def qualified_name(server: Server, path: str, text: str) -> Findings:
    """Check the name of an attribute or a capacity; one with several slashes passes."""
    old = server.minor < 35
    if not text and old:
        return [required(path, "name required")]

    def missing(detail: str) -> Finding:
        return required(path, detail) if old else invalid(path, "", detail)

    parts = text.split("/")
    if len(parts) == 1:
        return _identifier(server, path, text)
    if len(parts) > 2:
        return []
    domain, name = parts
    findings = driver_name(server, path, domain) if domain else [missing("the domain must not be empty")]
    return findings + (_identifier(server, path, name) if name else [missing("the name must not be empty")])


def _identifier(server: Server, path: str, text: str) -> Findings:
    """Check the last part of a qualified name."""
    most = server.limit("id")
    return ([too_long(path, most)] if size(text) > most else []) + check(path, text, identifier)


def fully_qualified_name(server: Server, path: str, text: str) -> Findings:
    """Check the name of an attribute with its domain."""
    findings = qualified_name(server, path, text)
    if "/" not in text and (text or server.minor >= 35):
        text_34, text_35 = "must include a domain", "a fully qualified name must be a domain and a name separated by a slash"
        findings.append(invalid(path, Encoded(text), text_34 if server.minor < 35 else text_35))
    return [Finding(each.error, "format=k8s-resource-fully-qualified-name", covered=True) for each in findings]
