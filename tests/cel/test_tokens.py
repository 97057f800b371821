"""The tokens of a text with errors."""

from __future__ import annotations

import pytest

from rbln_dra.cel.grammar import EOF, TOKEN_NAMES
from rbln_dra.cel.tokens import TokenStream, TooMany


def cut(text: str) -> tuple[list[tuple[str, str]], list[tuple[int | None, str]]]:
    """Cut a text: names and texts of the tokens, and the complaints."""
    stream = TokenStream(text)
    found: list[tuple[str, str]] = []
    while stream.current.type != EOF:
        found.append((TOKEN_NAMES[stream.current.type], stream.current.text))
        stream.consume()
    return found, stream.complaints


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a _b C9", "IDENTIFIER IDENTIFIER IDENTIFIER"),
        ("in true false null", "'in' 'true' 'false' 'null'"),
        ("EOF STRING inn", "IDENTIFIER IDENTIFIER IDENTIFIER"),
        ("1 0x1f 1u 0xFU", "NUM_INT NUM_INT NUM_UINT NUM_UINT"),
        ("1.5 1e5 .5 1.5E-5 0.5e+5", "NUM_FLOAT NUM_FLOAT NUM_FLOAT NUM_FLOAT NUM_FLOAT"),
        ("1.a 1..5 0x 1.e5 1uu", "NUM_INT '.' IDENTIFIER NUM_INT '.' NUM_FLOAT NUM_INT IDENTIFIER NUM_INT '.' IDENTIFIER NUM_UINT IDENTIFIER"),
        ("'a' \"b\" r'c' '''d''' b'e' Br\"f\" rb'g'", "STRING STRING STRING STRING BYTES BYTES IDENTIFIER STRING"),
        ('\'\'\'a\'b\'\'\' """a"""""', "STRING STRING STRING"),
        ("`a-b/c.d e`", "ESC_IDENTIFIER"),
        ("<= >= == != && || < > ! - + * / %", "'<=' '>=' '==' '!=' '&&' '||' '<' '>' '!' '-' '+' '*' '/' '%'"),
        ("a//b\nc/d", "IDENTIFIER IDENTIFIER '/' IDENTIFIER"),
    ],
)
def test_kinds(text: str, kinds: str) -> None:
    """Each token has its type; the longest wins."""
    found, complaints = cut(text)
    assert " ".join(kind for kind, _ in found) == kinds
    assert complaints == []


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("#a", ["#"]),
        ("=a", ["=a"]),
        ("a & b", ["& "]),
        ("a | b", ["| "]),
        ("a =", ["="]),
        ("'a", ["'a"]),
        ("'a\nb", ["'a\n"]),
        ('"a\\qb', ['"a\\q']),
        ('"\\x4g', ['"\\x4g']),
        ('"\\u123', ['"\\u123']),
        ('"\\U1234567x', ['"\\U1234567x']),
        ('"\\08', ['"\\08']),
        ('"a\\', ['"a\\']),
        ("'''a", ["'a"]),
        ("`a#", ["`a#"]),
        ("``", ["``"]),
        ("é\x00", ["é", "\x00"]),
    ],
)
def test_what_is_no_token(text: str, broken: list[str]) -> None:
    """What is no token is told up to the character that does not fit."""
    _, complaints = cut(text)
    assert [message for _, message in complaints] == [f"Syntax error: token recognition error at: '{part}'" for part in broken]


def test_text_between_tokens() -> None:
    """The text between tokens has what is hidden, and not what is no token."""
    stream = TokenStream("a /*# b //c\n")
    first = stream.current
    last = stream.ahead(5)
    assert last.type == EOF
    assert stream.text(first, last) == "a /* b //c\n"
    assert stream.text(last, last) == ""
    assert stream.before() is None
    stream.consume()
    assert stream.before() is first


def test_nothing_is_cut_before_it_is_looked_at() -> None:
    """A complaint comes only when somebody looks so far."""
    stream = TokenStream("a #")
    assert stream.current.text == "a"
    assert stream.complaints == []
    assert stream.type_at(2) == EOF
    assert stream.complaints == [(2, "Syntax error: token recognition error at: '#'")]
    assert stream.ahead(9).type == EOF


def test_too_many_complaints() -> None:
    """After a hundred complaints there is one more, and an end."""
    stream = TokenStream("#" * 102)
    with pytest.raises(TooMany):
        stream.ahead(1)
    assert len(stream.complaints) == 101
    assert stream.complaints[-1] == (100, "Syntax error: More than 100 syntax errors")
