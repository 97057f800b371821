"""
Room: the tokens of a text with errors, one after the other, and what the tokenizer complains about between them.

Tokens are cut off only when somebody looks at them, since a parser that gives up has then seen, and told, no more than it looked at.

May touch: `grammar`, `lexis`.
"""

from __future__ import annotations

import re

import attrs

from .grammar import EOF, LITERAL_TYPES, TYPES
from .lexis import ESCAPE, HIDDEN, TOKEN

#: How many complaints of the tokenizer and of the parser are told.
MOST_REPORTS = 100

# How far a token goes that does not end well: everything up to the character that does not fit, and that character.
_BROKEN = re.compile(
    rf"""
    (?:
      (?P<quote>["'])(?:{ESCAPE}|(?!(?P=quote))[^\\\n\r])*+(?:\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{{0,3}}|U[0-9a-fA-F]{{0,7}}|[0-3][0-7]?)?)?
    | `[A-Za-z0-9_.\-/ ]*+
    | =
    | &
    | \|
    )?
    (?s:.)?
    """,
    re.VERBOSE,
)
_RESERVED = re.compile(r"no viable alternative at input '.(true|false|null)'")


@attrs.define(eq=False, repr=False, slots=True)
class Token:
    """
    A token.

    Args:
        type: Its type.
        text: Its text; `<EOF>` at the end.
        offset: Where it begins.
        index: Its number among the tokens; -1 of an invented one.
        hidden: White space and comments before it.
    """

    type: int
    text: str
    offset: int
    index: int = -1
    hidden: str = ""


class TokenStream:
    """The tokens of a text; `complaints` collects what is wrong, by whomever it is found."""

    def __init__(self, source: str) -> None:
        """Begin with a text."""
        self.complaints: list[tuple[int | None, str]] = []
        self.index = 0
        self._source = source
        self._position = 0
        self._tokens: list[Token] = []
        self._hidden = ""
        self._reports = 0

    @property
    def current(self) -> Token:
        """Give the next token."""
        return self.ahead(1)

    def ahead(self, count: int) -> Token:
        """Give the token so far ahead, from 1; behind the last there is nothing but the last."""
        while len(self._tokens) < self.index + count:
            if self._tokens and self._tokens[-1].type == EOF:
                return self._tokens[-1]
            self._fetch()
        return self._tokens[self.index + count - 1]

    def type_at(self, ahead: int) -> int:
        """Give the type of the token so far ahead."""
        return self.ahead(ahead).type

    def before(self) -> Token | None:
        """Give the token before the next."""
        return self._tokens[self.index - 1] if self.index else None

    def consume(self) -> None:
        """Go on to the next token; the end stays the end."""
        if self.current.type != EOF:
            self.index += 1
            self.ahead(1)

    def text(self, first: Token, last: Token) -> str:
        """Give the text from one token to another, with what is hidden between them and without what is no token."""
        parts = [first.text if first.type != EOF else ""]
        for token in self._tokens[first.index + 1 : last.index + 1]:
            parts += [token.hidden, token.text if token.type != EOF else ""]
        return "".join(parts)

    def complain(self, offset: int | None, message: str) -> None:
        """Note a complaint."""
        self.complaints.append((offset, message))

    def complain_syntax(self, offset: int, message: str) -> None:
        """Note a complaint of tokenizer or parser, of which there may be only so many."""
        self._reports += 1
        if self._reports > MOST_REPORTS:
            self.complain(offset, f"Syntax error: More than {MOST_REPORTS} syntax errors")
            raise TooMany
        # cel-go keeps an older wording here.
        self.complain(offset, "Syntax error: " + _RESERVED.sub(r"mismatched input '\1' expecting IDENTIFIER", message))

    def _fetch(self) -> None:
        """Cut off a token, and complain about what is none before it."""
        while True:
            hidden = HIDDEN.match(self._source, self._position)
            assert hidden is not None  # noqa: S101 - it matches nothing at all, too
            self._hidden += hidden[0]
            self._position = hidden.end()
            match = TOKEN.match(self._source, self._position)
            if match is not None:
                break
            broken = _BROKEN.match(self._source, self._position)
            assert broken is not None  # noqa: S101 - it matches any character
            self._position = broken.end()
            self.complain_syntax(broken.start(), f"token recognition error at: '{broken[0]}'")
        self._position = match.end()
        kind, text = match.lastgroup, match[0]
        number = EOF if kind == "end" else _type(kind or "", text)
        self._tokens.append(Token(number, "<EOF>" if number == EOF else text, match.start(), len(self._tokens), self._hidden))
        self._hidden = ""


class TooMany(Exception):
    """There are too many complaints to go on."""


def _type(kind: str, text: str) -> int:
    """Give the type of a token by its kind and text."""
    if kind == "string":
        return TYPES["BYTES" if text[0] in "bB" else "STRING"]
    if kind == "number":
        return TYPES["NUM_UINT" if text[-1] in "uU" else "NUM_INT" if text.isdigit() or text.startswith("0x") else "NUM_FLOAT"]
    if kind == "field":
        return TYPES["ESC_IDENTIFIER"]
    return LITERAL_TYPES.get(text, TYPES["IDENTIFIER"])
