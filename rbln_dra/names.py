"""
Room: the names of dynamic resource allocation, with the limits and the texts of the API server.

May touch: `errors`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar, Self, TypeAlias

import attrs

from .errors import InvalidName

#: The DRA driver of Rebellions NPUs. Its attributes without a domain are in this one.
DRIVER_NAME = "npu.rebellions.ai"
#: The domain of the attributes that Kubernetes itself defines (`pcieRoot`, `pciBusID`, `numaNode`).
RESOURCE_DOMAIN = "resource.kubernetes.io"

#: Limits of the API, in bytes of UTF-8.
DRIVER_NAME_LENGTH = 63
POOL_NAME_LENGTH = 253
LABEL_LENGTH = 63
SUBDOMAIN_LENGTH = 253
ID_LENGTH = 32

_LABEL_PATTERN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN_PATTERN = rf"{_LABEL_PATTERN}(\.{_LABEL_PATTERN})*"
_IDENTIFIER_PATTERN = "[A-Za-z_][A-Za-z0-9_]*"

_LABEL = re.compile(_LABEL_PATTERN)
_SUBDOMAIN = re.compile(_SUBDOMAIN_PATTERN)
_IDENTIFIER = re.compile(_IDENTIFIER_PATTERN)

_QUALIFIED = "an attribute name such as type or resource.kubernetes.io/pcieRoot"
_FULLY_QUALIFIED = "a fully qualified attribute name such as npu.rebellions.ai/type"

_LABEL_TEXT = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character "
    f"(e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL_PATTERN}')"
)
_SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric "
    f"character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN_PATTERN}')"
)
_IDENTIFIER_TEXT = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' "
    f"(e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '{_IDENTIFIER_PATTERN}')"
)


@attrs.frozen
class Complaint:
    """
    One thing that the API server has to say of a name.

    Args:
        reason: `Required`, `Too long` or `Invalid`.
        message: Its text, without the value; empty for a name that is required.
    """

    reason: str
    message: str = ""


#: What lists the complaints about a text; none when it is a name.
Judge: TypeAlias = Callable[[str], list[Complaint]]


def _size(text: str) -> int:
    """Count as the API server does: bytes of UTF-8."""
    InvalidName.unless_text(text, "a name")
    return len(text.encode("utf-8", "surrogatepass"))


def _limit(text: str, most: int) -> list[Complaint]:
    """Complain of a text that is longer than the API allows."""
    return [Complaint("Too long", f"may not be more than {most} bytes")] if _size(text) > most else []


def _dns_limit(text: str, most: int) -> list[Complaint]:
    """Complain of a text that is longer than DNS allows; Kubernetes says characters and counts bytes."""
    return [Complaint("Invalid", f"must be no more than {most} characters")] if _size(text) > most else []


def label_complaints(text: str) -> list[Complaint]:
    """
    What the API server says of a DNS label (RFC 1123): the name of a device, request, subrequest, counter or counter set.

    >>> [complaint.message for complaint in label_complaints("npu.0")]
    ['must not contain dots']
    """
    complaints = _dns_limit(text, LABEL_LENGTH)
    if not _LABEL.fullmatch(text):
        complaints.append(Complaint("Invalid", "must not contain dots" if _SUBDOMAIN.fullmatch(text) else _LABEL_TEXT))
    return complaints


def subdomain_complaints(text: str) -> list[Complaint]:
    """
    What the API server says of a DNS subdomain (RFC 1123): the name of an object.

    >>> subdomain_complaints("vfio-npu.rebellions.ai")
    []
    """
    complaints = _dns_limit(text, SUBDOMAIN_LENGTH)
    if not _SUBDOMAIN.fullmatch(text):
        complaints.append(Complaint("Invalid", _SUBDOMAIN_TEXT))
    return complaints


def identifier_complaints(text: str) -> list[Complaint]:
    """
    What the API server says of the last part of a qualified name: a C identifier of at most 32 bytes.

    >>> identifier_complaints("numaNode")
    []
    """
    return _limit(text, ID_LENGTH) + ([] if _IDENTIFIER.fullmatch(text) else [Complaint("Invalid", _IDENTIFIER_TEXT)])


@attrs.frozen(order=True)
class Name:
    """
    A name that the API server accepts: of an object here, of other things in the subclasses. A DNS subdomain, at most 253 bytes.

    Args:
        text: The name.

    Raises:
        InvalidName: The API server refuses it; `reason` is its text, several of them joined by semicolons.

    >>> str(Name.parse("node-atom"))
    'node-atom'
    """

    text: str

    #: What the text is, for errors.
    expected: ClassVar[str] = "an object name such as node-1"

    def __attrs_post_init__(self) -> None:
        """Refuse what the API server refuses."""
        InvalidName.unless_text(self.text, self.expected)
        _check(self.text, self.expected, self.complaints, meant=_dashed(self.text))

    @classmethod
    def parse(cls, text: str) -> Self:
        """
        Read a name.

        Raises:
            InvalidName: The API server refuses it.
        """
        return cls(text)

    @staticmethod
    def complaints(text: str) -> list[Complaint]:
        """List what the API server says of a text; nothing when it is such a name."""
        return subdomain_complaints(text) if text else [Complaint("Required")]

    def __str__(self) -> str:
        """Render the name."""
        return self.text


class DriverName(Name):
    """
    The name of a DRA driver: a DNS subdomain of at most 63 bytes, in which capital letters pass.

    >>> str(DriverName.parse("npu.rebellions.ai"))
    'npu.rebellions.ai'
    """

    expected = "a driver name such as npu.rebellions.ai"

    @staticmethod
    def complaints(text: str) -> list[Complaint]:
        """List what the API server says of a text; nothing when it is such a name."""
        if not text:
            return [Complaint("Required")]
        # Go's lower case of İ is the one letter i, Python's is two.
        return _limit(text, DRIVER_NAME_LENGTH) + subdomain_complaints(text.replace("İ", "i").lower())


class PoolName(Name):
    """
    The name of a pool of devices, usually the node's: DNS subdomains separated by slashes, at most 253 bytes in all.

    >>> str(PoolName.parse("node-atom"))
    'node-atom'
    """

    expected = "a pool name such as node-1"

    @staticmethod
    def complaints(text: str) -> list[Complaint]:
        """List what the API server says of a text; nothing when it is such a name."""
        if not text:
            return [Complaint("Required")]
        return _limit(text, POOL_NAME_LENGTH) + [complaint for part in text.split("/") for complaint in subdomain_complaints(part)]


class DeviceName(Name):
    """
    The name of a device in its pool: a DNS label, at most 63 bytes.

    >>> DeviceName.parse("worker-01-0000:01:00.0")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rbln_dra.errors.InvalidName: ... got 'worker-01-0000:01:00.0': a lowercase RFC 1123 label ...; did you mean worker-01-0000-01-00-0?
    """

    expected = "a device name such as vfio-0000-27-00-0"

    @staticmethod
    def complaints(text: str) -> list[Complaint]:
        """List what the API server says of a text; nothing when it is such a name."""
        return label_complaints(text)


class RequestName(DeviceName):
    """
    The name of a request or a subrequest of a claim: a DNS label, at most 63 bytes.

    >>> str(RequestName.parse("npu"))
    'npu'
    """

    expected = "a request name such as npu"


class DeviceClassName(Name):
    """
    The name of a DeviceClass: a DNS subdomain, at most 253 bytes.

    >>> str(DeviceClassName.parse(device_class_name("npu.rebellions.ai")))
    'vfio-npu.rebellions.ai'
    """

    expected = "a DeviceClass name such as vfio-npu.rebellions.ai"


@attrs.frozen(order=True)
class QualifiedName:
    """
    The name of an attribute or a capacity: `id`, or `domain/id`. Without a domain it belongs to the driver that publishes it.

    Args:
        domain: A driver name or another DNS subdomain, at most 63 bytes; `None` when the name has none.
        id: A C identifier, at most 32 bytes.

    Raises:
        InvalidName: The API server refuses the name, or lets it pass only because, up to 1.37, it does not look at one with several slashes.

    Source: QualifiedName of the resource.k8s.io API.

    >>> QualifiedName.parse("resource.kubernetes.io/pcieRoot")
    QualifiedName(domain='resource.kubernetes.io', id='pcieRoot')
    """

    domain: str | None
    id: str

    def __attrs_post_init__(self) -> None:
        """Refuse what the API server refuses, and a second slash."""
        for part in (self.id, "" if self.domain is None else self.domain):
            InvalidName.unless_text(part, _QUALIFIED)
        text = str(self)
        _check(text, _QUALIFIED, _with_slashes(self.complaints), meant=_underscored(text))

    @classmethod
    def parse(cls, text: str) -> QualifiedName:
        """
        Read a name.

        Raises:
            InvalidName: The API server refuses it, or it has a second slash.
        """
        InvalidName.unless_text(text, _QUALIFIED)
        return cls(*_split(text))

    @staticmethod
    def complaints(text: str) -> list[Complaint]:
        """List what the API server says of a text. With several slashes it says nothing."""
        domain, id = _split(text)
        if domain is None:
            return identifier_complaints(id)
        if "/" in id:
            return []
        return [
            *(DriverName.complaints(domain) if domain else [Complaint("Invalid", "the domain must not be empty")]),
            *(identifier_complaints(id) if id else [Complaint("Invalid", "the name must not be empty")]),
        ]

    def __str__(self) -> str:
        """Render the name."""
        return self.id if self.domain is None else f"{self.domain}/{self.id}"

    def within(self, driver: str) -> FullyQualifiedName:
        """
        Complete the name with the domain of the driver that publishes it, as the scheduler does.

        Raises:
            InvalidName: The driver's name is none.

        >>> str(QualifiedName.parse("type").within("npu.rebellions.ai"))
        'npu.rebellions.ai/type'
        """
        return FullyQualifiedName(driver if self.domain is None else self.domain, self.id)


@attrs.frozen(order=True)
class FullyQualifiedName:
    """
    The name of an attribute with its domain, as `matchAttribute` and `distinctAttribute` want it: `domain/id`.

    Args:
        domain: A driver name or another DNS subdomain, at most 63 bytes.
        id: A C identifier, at most 32 bytes.

    Raises:
        InvalidName: As for `QualifiedName`, or there is no domain.

    The texts are those of 1.35 and 1.36. 1.34 says "must include a domain"; 1.37 words them otherwise, and takes no capitals in this domain.

    Source: FullyQualifiedName of the resource.k8s.io API.

    >>> FullyQualifiedName.parse("numaNode")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    rbln_dra.errors.InvalidName: ... got 'numaNode': a fully qualified name must be a domain and a name separated by a slash
    """

    domain: str
    id: str

    def __attrs_post_init__(self) -> None:
        """Refuse what the API server refuses, and a second slash."""
        for part in (self.domain, self.id):
            InvalidName.unless_text(part, _FULLY_QUALIFIED)
        self._check(str(self))

    @classmethod
    def parse(cls, text: str) -> FullyQualifiedName:
        """
        Read a name.

        Raises:
            InvalidName: The API server refuses it, or it has a second slash.
        """
        InvalidName.unless_text(text, _FULLY_QUALIFIED)
        cls._check(text)
        domain, _, id = text.partition("/")
        return cls(domain, id)

    @staticmethod
    def complaints(text: str) -> list[Complaint]:
        """List what the API server says of a text. With several slashes it says nothing."""
        InvalidName.unless_text(text, _FULLY_QUALIFIED)
        missing = [] if "/" in text else [Complaint("Invalid", "a fully qualified name must be a domain and a name separated by a slash")]
        return QualifiedName.complaints(text) + missing

    @classmethod
    def _check(cls, text: str) -> None:
        """Raise for what there is to complain of."""
        _check(text, _FULLY_QUALIFIED, _with_slashes(cls.complaints), meant=_underscored(text))

    def __str__(self) -> str:
        """Render the name."""
        return f"{self.domain}/{self.id}"


def device_class_name(driver: str) -> str:
    """
    Name the DeviceClass that offers a driver's devices for passthrough.

    >>> device_class_name("npu.rebellions.ai")
    'vfio-npu.rebellions.ai'
    """
    return f"vfio-{driver}"


def _split(text: str) -> tuple[str | None, str]:
    """Split a name at its first slash, as the scheduler does."""
    InvalidName.unless_text(text, "a qualified name")
    domain, slash, id = text.partition("/")
    return (domain, id) if slash else (None, text)


def _with_slashes(judge: Judge) -> Judge:
    """Complain also of a second slash, which the API server forgets to do."""
    return lambda text: [Complaint("Invalid", "must not contain more than one slash")] if text.count("/") > 1 else judge(text)


def _check(text: str, expected: str, judge: Judge, *, meant: str) -> None:
    """Raise for what there is to complain of, and suggest what was probably meant if that is a name."""
    complaints = judge(text)
    if complaints:
        hint = None if judge(meant) else f"did you mean {meant}?"
        raise InvalidName(text, expected, "; ".join(complaint.message or "Required value" for complaint in complaints), hint=hint)


def _dashed(text: str) -> str:
    """Spell a text with what a DNS label may have."""
    return re.sub(r"[^0-9a-z]+", "-", text.lower()).strip("-")


def _underscored(text: str) -> str:
    """Spell the last part of a text with what a C identifier may have."""
    domain, slash, id = text.rpartition("/")
    return domain + slash + re.sub(r"[^0-9A-Za-z_]+", "_", id)
