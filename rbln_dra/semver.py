"""
Room: the semantic version as Kubernetes' CEL functions and device attributes read it, with the texts of its parser.

May touch: `errors`, `quoting`.
"""

from __future__ import annotations

import re

import attrs

from .errors import InvalidSemver
from .quoting import quoted

_EXPECTED = "a semantic version such as 1.2.3"
_UINT64 = 2**64 - 1

_DIGITS = re.compile(r"[0-9]*")
_IDENTIFIER = re.compile(r"[0-9A-Za-z-]*")


@attrs.frozen
class Semver:
    """
    A semantic version: `MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD]`.

    Two values are equal when their texts are. Kubernetes compares by precedence, which ignores the build: see `compare` and `equivalent`.

    Args:
        major: 0 to 2⁶⁴−1.
        minor: 0 to 2⁶⁴−1.
        patch: 0 to 2⁶⁴−1.
        prerelease: The dot-separated identifiers after `-`: ASCII letters, digits and hyphens; a number has no leading zeros and is below 2⁶⁴.
            Empty without any.
        build: The dot-separated identifiers after `+`. Empty without any.

    Raises:
        InvalidSemver: A part is not what its grammar allows.

    Source: semver.org 2.0.0 as github.com/blang/semver/v4 reads it.

    >>> version = Semver.parse("3.0.0-rc.1+build.5")
    >>> version.major, version.prerelease, version.build
    (3, ('rc', '1'), ('build', '5'))
    """

    major: int
    minor: int
    patch: int
    prerelease: tuple[str, ...] = ()
    build: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        """Refuse parts that the grammar does not allow."""
        for part, number in (("major", self.major), ("minor", self.minor), ("patch", self.patch)):
            InvalidSemver.unless(number, int, f"the {part} number of a version")
            if not 0 <= number <= _UINT64:
                raise InvalidSemver(number, _EXPECTED, f"{part} must be between 0 and {_UINT64}")
        for identifiers, fault in ((self.prerelease, _prerelease_fault), (self.build, _build_fault)):
            InvalidSemver.unless(identifiers, tuple, "identifiers of a version")
            for identifier in identifiers:
                InvalidSemver.unless_text(identifier, "an identifier of a version")
                reason = fault(identifier)
                if reason is not None:
                    raise InvalidSemver(identifier, _EXPECTED, reason)

    @classmethod
    def parse(cls, text: str) -> Semver:
        """
        Read a version as the CEL function `semver(text)` does: three numbers without leading zeros, no `v`, no white space.

        Raises:
            InvalidSemver: The text is anything else; `reason` is the text of Kubernetes' parser, `position` where the faulty part starts.

        >>> Semver.parse("550.127.08")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rbln_dra.errors.InvalidSemver: ... got '550.127.08': Patch number must not contain leading zeroes "08" (at character 9)
        """
        InvalidSemver.unless_text(text, _EXPECTED)
        return cls._read(text, text)

    @classmethod
    def parse_tolerant(cls, text: str) -> Semver:
        """
        Read a version as the CEL function `semver(text, true)` does: without a leading `v`, filled up to three numbers, without leading zeros.

        Raises:
            InvalidSemver: It is no version even so. `reason` speaks of the normalized text.

        >>> str(Semver.parse_tolerant("v550.127.08")), str(Semver.parse_tolerant("3"))
        ('550.127.8', '3.0.0')
        """
        InvalidSemver.unless_text(text, _EXPECTED)
        parts = [_unpadded(part) for part in text.removeprefix("v").split(".", 2)]
        if len(parts) < 3 and any(mark in parts[-1] for mark in "+-"):
            raise InvalidSemver(text, _EXPECTED, "short version cannot contain PreRelease/Build meta data")
        return cls._read(text, ".".join([*parts, "0", "0"][: max(3, len(parts))]))

    @classmethod
    def _read(cls, given: str, text: str) -> Semver:
        """Read the text, in Kubernetes' order of complaints; the error speaks of what was given."""

        def refusal(reason: str, position: int | None = None) -> InvalidSemver:
            """Build the error; a place in a normalized text would point nowhere."""
            return InvalidSemver(given, _EXPECTED, reason, position if given == text else None)

        if not text:
            raise refusal("Version string empty")
        numbers = text.split(".", 2)
        if len(numbers) != 3:
            raise refusal("No Major.Minor.Patch elements found")
        rest, plus, build = numbers[2].partition("+")
        numbers[2], hyphen, prerelease = rest.partition("-")
        position = 0
        for part, digits in zip(("Major", "Minor", "Patch"), numbers, strict=True):
            reason = _number_fault(part, digits)
            if reason is not None:
                raise refusal(reason, position)
            position += len(digits) + 1
        tail: list[tuple[str, ...]] = []
        for mark, joined, fault in ((hyphen, prerelease, _prerelease_fault), (plus, build, _build_fault)):
            identifiers = tuple(joined.split(".")) if mark else ()
            for identifier in identifiers:
                reason = fault(identifier)
                if reason is not None:
                    raise refusal(reason, position)
                position += len(identifier) + 1
            tail.append(identifiers)
        major, minor, patch = map(int, numbers)
        return cls(major, minor, patch, tail[0], tail[1])

    def __str__(self) -> str:
        """Render the version."""
        text = f"{self.major}.{self.minor}.{self.patch}"
        if self.prerelease:
            text += "-" + ".".join(self.prerelease)
        return text + "+" + ".".join(self.build) if self.build else text

    def compare(self, other: Semver) -> int:
        """
        Compare by precedence: −1, 0 or 1 as this version comes before, beside or after the other. The build does not count.

        >>> Semver.parse("1.0.0-rc.1").compare(Semver.parse("1.0.0"))
        -1
        """
        InvalidSemver.unless(other, Semver, _EXPECTED)
        mine, others = self.precedence, other.precedence
        return (mine > others) - (mine < others)

    def equivalent(self, other: Semver) -> bool:
        """
        Tell whether both have the same precedence, which is what `==` means in CEL.

        >>> Semver.parse("1.0.0+a").equivalent(Semver.parse("1.0.0+b"))
        True
        """
        InvalidSemver.unless(other, Semver, _EXPECTED)
        return self.precedence == other.precedence

    @property
    def precedence(self) -> tuple[object, ...]:
        """A key that orders as semver.org's rule 11 says: a prerelease before none, numbers before words, fewer identifiers before more."""
        return (self.major, self.minor, self.patch, not self.prerelease, *map(_rank, self.prerelease))


def _rank(identifier: str) -> tuple[bool, int, str]:
    """Order one identifier of a prerelease: numbers by value before words by ASCII."""
    return (False, int(identifier), "") if identifier.isdigit() else (True, 0, identifier)


def _unpadded(part: str) -> str:
    """Drop the leading zeros of a part, but leave it a digit to start with."""
    if len(part.encode("utf-8", "surrogatepass")) <= 1:
        return part
    bare = part.lstrip("0")
    return bare if bare[:1] in tuple("0123456789") else "0" + bare


def _number_fault(part: str, digits: str) -> str | None:
    """Say what is wrong with the number of a part."""
    if not _DIGITS.fullmatch(digits):
        return f"Invalid character(s) found in {part.lower()} number {quoted(digits)}"
    if len(digits) > 1 and digits[0] == "0":
        return f"{part} number must not contain leading zeroes {quoted(digits)}"
    return _uint_fault(digits)


def _uint_fault(digits: str) -> str | None:
    """Say why Go's `ParseUint` refuses the digits."""
    if not digits:
        return 'strconv.ParseUint: parsing "": invalid syntax'
    if len(digits) > 20 or int(digits) > _UINT64:
        return f'strconv.ParseUint: parsing "{digits}": value out of range'
    return None


def _prerelease_fault(identifier: str) -> str | None:
    """Say what is wrong with an identifier of a prerelease."""
    if not identifier:
        return "Prerelease is empty"
    if _DIGITS.fullmatch(identifier):
        if len(identifier) > 1 and identifier[0] == "0":
            return f"Numeric PreRelease version must not contain leading zeroes {quoted(identifier)}"
        return _uint_fault(identifier)
    if not _IDENTIFIER.fullmatch(identifier):
        return f"Invalid character(s) found in prerelease {quoted(identifier)}"
    return None


def _build_fault(identifier: str) -> str | None:
    """Say what is wrong with an identifier of a build."""
    if not identifier:
        return "Build meta data is empty"
    if not _IDENTIFIER.fullmatch(identifier):
        return f"Invalid character(s) found in build meta data {quoted(identifier)}"
    return None
