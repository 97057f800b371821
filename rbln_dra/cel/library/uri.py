"""
Room: URLs as Go's net/url reads and writes them, with its error texts.

Inside, a text is a string of bytes (code points up to 255), since URLs are cut and decoded by bytes.

May touch: `values`, `addresses`, `gotext`, `quoting`.
"""

from __future__ import annotations

import re
import string

import attrs

from ...quoting import quoted
from ..values import CELError
from .addresses import parse_address
from .gotext import decoded, encoded

_UNRESERVED = frozenset(string.ascii_letters + string.digits + "-_.~")
_HOST = _UNRESERVED | frozenset("!$&'()*+,;=:[]<>\"")
_PATH = _UNRESERVED | frozenset("$&+,/:;=@")
_USER = _UNRESERVED | frozenset("$&+,;=")
_FRAGMENT = _UNRESERVED | frozenset("$&+,/:;=?@!()*")
#: What may stand in a path or fragment that was written so, beside what needs no escape.
_WRITTEN = frozenset("!$&'()*+,;=:@[]%")
_USERINFO = frozenset(string.ascii_letters + string.digits + "-._:~!$&'()*+,;=%@")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PORT = re.compile(r"(?::[0-9]*)?")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
#: The most parameters of a query; one with more is taken for empty.
_MOST_PARAMETERS = 10_000


def as_bytes(text: str) -> str:
    """Write a text as the bytes of its UTF-8 form."""
    return encoded(text).decode("latin-1")


def as_text(written: str) -> str:
    """Read bytes as UTF-8."""
    return decoded(written.encode("latin-1"))


def _raw_text(written: str) -> str:
    """Read bytes as UTF-8; each byte that is none is kept as a lone surrogate, for quoting."""
    return written.encode("latin-1").decode("utf-8", "surrogateescape")


@attrs.frozen
class Parsed:
    """
    The parts of a URL, as Go's `URL` has them.

    Args:
        scheme: In lower case; empty without one.
        opaque: What follows a scheme without a slash.
        user: Name and password, escaped; `None` without.
        host: Host and port.
        path: The path, decoded.
        raw_path: The path as it was written where that is not how Go would write it.
        query: The query as it was written.
        fragment: The fragment, decoded.
        raw_fragment: The fragment as it was written where that is not how Go would write it.
        omit_host: A scheme was followed by one slash.
        force_query: An empty query was written.
    """

    scheme: str = ""
    opaque: str = ""
    user: str | None = None
    host: str = ""
    path: str = ""
    raw_path: str = ""
    query: str = ""
    fragment: str = ""
    raw_fragment: str = ""
    omit_host: bool = False
    force_query: bool = False

    @property
    def escaped_path(self) -> str:
        """The path as it was written if that is a way to write it, else as Go would."""
        if _is_written(self.raw_path, _PATH):
            return self.raw_path
        return self.path if self.path == "*" else _escaped(self.path, _PATH)

    @property
    def _escaped_fragment(self) -> str:
        return self.raw_fragment if _is_written(self.raw_fragment, _FRAGMENT) else _escaped(self.fragment, _FRAGMENT)

    @property
    def hostname_and_port(self) -> tuple[str, str]:
        """The host without its brackets, and the port."""
        host, port = self.host, ""
        colon = host.rfind(":")
        if colon >= 0 and _PORT.fullmatch(host, colon):
            host, port = host[:colon], host[colon + 1 :]
        if host.startswith("[") and host.endswith("]"):
            host = host[1:-1]
        return host, port

    def parameters(self) -> dict[str, list[str]]:
        """The values of the query by their keys; a parameter that cannot be read is left out."""
        found: dict[str, list[str]] = {}
        if self.query.count("&") + 1 > _MOST_PARAMETERS:
            return found
        for parameter in self.query.split("&"):
            if not parameter or ";" in parameter:
                continue
            key, _, value = parameter.partition("=")
            try:
                key, value = _unescaped(key.replace("+", " ")), _unescaped(value.replace("+", " "))
            except CELError:
                continue
            found.setdefault(key, []).append(value)
        return found

    def __str__(self) -> str:
        """Write the URL."""
        text = f"{self.scheme}:" if self.scheme else ""
        if self.opaque:
            text += self.opaque
        else:
            text += self._authority
            path = self.escaped_path
            if path and path[0] != "/" and self.host:
                text += "/"
            if not text and ":" in path.partition("/")[0]:
                text += "./"
            text += path
        if self.force_query or self.query:
            text += f"?{self.query}"
        return f"{text}#{self._escaped_fragment}" if self.fragment else text

    @property
    def _authority(self) -> str:
        named = bool(self.host) or self.user is not None
        if not (self.scheme or named) or (self.omit_host and not named):
            return ""
        text = "//" if named or self.path else ""
        if self.user is not None:
            text += f"{self.user}@"
        return text + _escaped(self.host, _HOST)


def parse_request(text: str) -> Parsed:
    """
    Read an absolute URL or an absolute path; a fragment is part of what precedes it.

    Raises:
        CELError: It is neither.
    """
    try:
        return _parse(text, request=True)
    except CELError as error:
        raise _refusal(text, error) from None


def parse(text: str) -> Parsed:
    """
    Read any URL.

    Raises:
        CELError: It is none.
    """
    before, _, fragment = text.partition("#")
    try:
        parsed = _parse(before, request=False)
    except CELError as error:
        raise _refusal(before, error) from None
    if not fragment:
        return parsed
    try:
        name = _unescaped(fragment)
    except CELError as error:
        raise _refusal(text, error) from None
    return attrs.evolve(parsed, fragment=name, raw_fragment="" if fragment == _escaped(name, _FRAGMENT) else fragment)


def _refusal(text: str, error: CELError) -> CELError:
    return CELError(f"parse {quoted(_raw_text(text))}: {error.message}")


def _parse(text: str, *, request: bool) -> Parsed:
    """Read a URL without a fragment."""
    if any(character < " " or character == "\x7f" for character in text):
        raise CELError("net/url: invalid control character in URL")
    if not text and request:
        raise CELError("empty url")
    if text == "*":
        return Parsed(path="*")
    match = _SCHEME.match(text)
    if match is None and text.startswith(":"):
        raise CELError("missing protocol scheme")
    scheme, rest = (match[1].lower(), text[match.end() :]) if match else ("", text)
    forced = rest.endswith("?") and rest.count("?") == 1
    rest, _, query = rest.partition("?")
    if not rest.startswith("/"):
        if scheme:
            return Parsed(scheme=scheme, opaque=rest, query=query, force_query=forced)
        if request:
            raise CELError("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise CELError("first path segment in URL cannot contain colon")
    user, host = None, ""
    named = rest.startswith("//") and (bool(scheme) or not (request or rest.startswith("///")))
    if named:
        authority, slash, path = rest[2:].partition("/")
        rest = slash + path
        user, host = _authority(scheme, authority)
    path = _unescaped(rest)
    return Parsed(
        scheme=scheme,
        user=user,
        host=host,
        path=path,
        raw_path="" if rest == _escaped(path, _PATH) else rest,
        query=query,
        omit_host=bool(scheme) and not named and rest.startswith("/"),
        force_query=forced,
    )


def _authority(scheme: str, authority: str) -> tuple[str | None, str]:
    """Read user and host."""
    before, at, after = authority.rpartition("@")
    host = _host(scheme, after)
    if not at:
        return None, host
    if not _USERINFO.issuperset(before):
        raise CELError("net/url: invalid userinfo")
    name, colon, password = before.partition(":")
    return colon.join(_escaped(_unescaped(part), _USER) for part in ((name, password) if colon else (name,))), host


def _host(scheme: str, host: str) -> str:
    """Read host and port."""
    bracket = host.rfind("[")
    if bracket > 0:
        raise CELError("invalid IP-literal")
    if bracket == 0:
        return _literal_host(host)
    colon = host.find(":")
    if colon >= 0:
        # Several colons were long allowed, and are still where the scheme is not the web's.
        _check_port(host[colon if scheme in {"http", "https"} else host.rfind(":") :])
    return _unescaped_host(host)


def _check_port(port: str) -> None:
    if not _PORT.fullmatch(port):
        raise CELError(f"invalid port {quoted(_raw_text(port))} after host")


def _literal_host(host: str) -> str:
    """Read an IPv6 address in brackets, with a zone after `%25` and a port."""
    end = host.rfind("]")
    if end < 0:
        raise CELError("missing ']' in host")
    port = host[end + 1 :]
    _check_port(port)
    name = host[1:end]
    zone = name.find("%25")
    if zone >= 0:
        name = _unescaped_host(name[:zone]) + _unescaped_host(name[zone:], zone=True)
    else:
        name = _unescaped_host(name)
    try:
        address = parse_address(_raw_text(name))
    except CELError as error:
        raise CELError(f"invalid host: {error.message}") from None
    if address.bits == 32:
        raise CELError("invalid IP-literal")
    return f"[{name}]{port}"


def _unescaped(written: str) -> str:
    """Decode the percent escapes of anything but a host."""

    def decoded(match: re.Match[str]) -> str:
        if match[1] is None:
            raise _bad_escape(written, match.start())
        return chr(int(match[1], 16))

    return _ESCAPE.sub(decoded, written)


def _unescaped_host(written: str, *, zone: bool = False) -> str:
    """Decode a host, where only bytes outside of ASCII may be escaped, or a zone, where what may be written may be escaped."""
    result: list[str] = []
    position = 0
    while position < len(written):
        character = written[position]
        if character == "%":
            match = _ESCAPE.match(written, position)
            code = int(match[1], 16) if match is not None and match[1] is not None else None
            if code is None or (chr(code) != "%" and not _may_escape(code, zone=zone)):
                raise _bad_escape(written, position)
            result.append(chr(code))
            position += 3
        elif character < "\x80" and character not in _HOST:
            raise CELError(f"invalid character {quoted(character)} in host name")
        else:
            result.append(character)
            position += 1
    return "".join(result)


def _may_escape(code: int, *, zone: bool) -> bool:
    """Tell whether a byte may be written as an escape in a host or a zone."""
    return code == 0x20 or chr(code) in _HOST if zone else code >= 0x80


def _bad_escape(written: str, position: int) -> CELError:
    return CELError(f"invalid URL escape {quoted(_raw_text(written[position : position + 3]))}")


def _escaped(text: str, allowed: frozenset[str]) -> str:
    return "".join(character if character in allowed else f"%{ord(character):02X}" for character in text)


def _is_written(written: str, allowed: frozenset[str]) -> bool:
    """Tell whether something written needs no escapes beside those that it has; it was decoded when it was read."""
    return bool(written) and (allowed | _WRITTEN).issuperset(written)
