"""Messages in protobuf's text form, as far as the CEL specification's tests use it: fields of one message by name, each a list of its values."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, TypeAlias

#: Field → values: messages, `str` and `bytes` texts as bytes, and bare words (numbers, enumerations, `true`) as `str`.
Message: TypeAlias = "dict[str, list[Any]]"

_TOKEN = re.compile(
    r"""
    \s+ | \#[^\n]*                            # nothing
    | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<word>[-+.A-Za-z0-9_]+)
    | (?P<any>\[[^]\n]*/[^]\n]*\])            # the type of a packed message
    | (?P<sign>[][{}<>:,;])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_CLOSING = {"{": "}", "<": ">"}


def parse(text: str) -> Message:
    """
    Read a message.

    >>> parse('section { name: "a" "b" test { value: { int64_value: -1 } } }')
    {'section': [{'name': [b'ab'], 'test': [{'value': [{'int64_value': ['-1']}]}]}]}
    """
    reader = _Reader(text)
    return reader.message("")


class _Reader:
    """The tokens that are still to be read."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        position = 0
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise ValueError(f"no textproto: {text[position : position + 40]!r}")
            position = match.end()
            if match.lastgroup is not None:
                self.tokens.append((match.lastgroup, match.group()))
        self.tokens.append(("end", ""))
        self.at = 0

    def take(self) -> tuple[str, str]:
        """Take a token."""
        token = self.tokens[self.at]
        self.at += 1
        return token

    def skip(self, *signs: str) -> bool:
        """Take a sign if it is next."""
        found = self.tokens[self.at][1] in signs and self.tokens[self.at][0] == "sign"
        self.at += found
        return found

    def message(self, closing: str) -> Message:
        """Read fields up to a sign, or to the end."""
        fields: Message = defaultdict(list)
        while not self.skip(closing) and self.tokens[self.at][0] != "end":
            name = self.take()[1]
            self.skip(":")
            if self.skip("["):
                while not self.skip("]"):
                    fields[name].append(self.value())
                    self.skip(",")
            else:
                fields[name].append(self.value())
            self.skip(",", ";")
        return dict(fields)

    def value(self) -> Any:
        """Read a value."""
        kind, token = self.take()
        if kind == "sign":
            return self.message(_CLOSING[token])
        if kind == "word":
            return token
        content = _unescaped(token)
        while self.tokens[self.at][0] == "text":
            content += _unescaped(self.take()[1])
        return content


def _unescaped(token: str) -> bytes:
    """Read a quoted text."""

    def character(match: re.Match[bytes]) -> bytes:
        escape = match.group(1)
        if escape[:1] == b"x":
            return bytes([int(escape[1:], 16)])
        if escape[:1] in (b"u", b"U") and len(escape) > 1:
            return chr(int(escape[1:], 16)).encode()
        if escape.isdigit():
            return bytes([int(escape, 8) & 0xFF])
        return _LETTERS.get(escape, escape)

    return _ESCAPE.sub(character, token[1:-1].encode())
