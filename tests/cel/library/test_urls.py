"""URLs: parts, equality, and what is none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel.interpreter import Outcome
from rbln_dra.cel.library.uri import Parsed, as_bytes, parse
from rbln_dra.cel.values import CELError


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ('url("HTTP://u:p@Example.com:80/a%2fb?x=1#f").getScheme()', "1.37", "http"),
        ('url("http://u:p@Example.com:80/a").getHost()', "1.37", "Example.com:80"),
        ('url("http://Example.com:80/a").getHostname()', "1.37", "Example.com"),
        ('url("http://[::1]:80/").getHostname()', "1.37", "::1"),
        ('url("http://[fe80::1%25en0]:80/").getHost()', "1.37", "[fe80::1%en0]:80"),
        ('url("http://a:80").getPort()', "1.37", "80"),
        ('url("http://a:").getPort()', "1.37", ""),
        ('url("http://a").getPort()', "1.37", ""),
        ('url("/a%2fb").getEscapedPath()', "1.37", "/a%2fb"),
        ('url("/é b").getEscapedPath()', "1.37", "/%C3%A9%20b"),
        ('url("/a[x]").getEscapedPath()', "1.37", "/a[x]"),
        ('url("*").getEscapedPath()', "1.37", "*"),
        ('url("http://a/%41").getEscapedPath()', "1.37", "/%41"),
        ('url("mailto:a@b").getEscapedPath()', "1.37", ""),
        ('url("/?x=1&x=2&y&a;b&%zz=1&=v&z=a+b%20c&w=%zz").getQuery() == {"x": ["1", "2"], "y": [""], "": ["v"], "z": ["a b c"]}', "1.37", True),
        ('url("/?x=%ff").getQuery() == {"x": ["\\ufffd"]}', "1.37", True),
        ('url("/").getQuery() == {}', "1.37", True),
        ('isURL("http://a")', "1.37", True),
        ('isURL("a")', "1.37", False),
        ('isURL("")', "1.37", False),
        ('isURL("/x#y")', "1.37", True),
        ('url("http://a") == url("http://a")', "1.37", True),
        ('url("http://a") == url("http://a/")', "1.37", False),
        ('url("http://a?") == url("http://a")', "1.37", False),
        ('url("ftp://a:1:2/").getPort()', "1.37", "2"),
        ('url("http://[::1%25%41]/").getHost()', "1.37", "[::1%A]"),
        ('url("http://%C3%A9/").getHost()', "1.37", "é"),
        ('url("http://a%25/").getHost()', "1.37", "a%"),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """The parts of a URL are Go's."""
    outcome = evaluate(expression, minor)
    assert (outcome.error, outcome.value) == (None, value)
    assert type(outcome.value) is type(value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ('dyn(url("http://a")) == dyn(1)', "1.37", "no such overload"),
        ('[dyn(""), dyn(url("http://u@a/b?x#%41!"))].join()', "1.37", "join: invalid input: http://u@a/b?x#%41!"),
        ('[dyn(""), dyn(url("a:/b"))].join()', "1.37", "join: invalid input: a:/b"),
        ('[dyn(""), dyn(url("a:b?"))].join()', "1.37", "join: invalid input: a:b?"),
        ('[dyn(""), dyn(url("http://u:p:q@a:1"))].join()', "1.37", "join: invalid input: http://u:p%3Aq@a:1"),
        ('[dyn(""), dyn(url("//x"))].join()', "1.37", "join: invalid input: //x"),
        ('[dyn(""), dyn(url("http://a/x#a b"))].join()', "1.37", "join: invalid input: http://a/x#a%20b"),
        ('[dyn(""), dyn(url("file:///x"))].join()', "1.37", "join: invalid input: file:///x"),
        ('[dyn(""), dyn(url("http:///"))].join()', "1.37", "join: invalid input: http:///"),
        ('url("")', "1.37", 'URL parse error during conversion from string: parse "": empty url'),
        ('url("a")', "1.37", 'URL parse error during conversion from string: parse "a": invalid URI for request'),
        ('url("http://a b/")', "1.37", 'URL parse error during conversion from string: parse "http://a b/": invalid character " " in host name'),
        ('url("http://a/%zz")', "1.37", 'URL parse error during conversion from string: parse "http://a/%zz": invalid URL escape "%zz"'),
        ('url("http://%41/")', "1.37", 'URL parse error during conversion from string: parse "http://%41/": invalid URL escape "%41"'),
        ('url("http://a:b/")', "1.37", 'URL parse error during conversion from string: parse "http://a:b/": invalid port ":b" after host'),
        ('url("http://a:1:2/")', "1.37", 'URL parse error during conversion from string: parse "http://a:1:2/": invalid port ":1:2" after host'),
        ('url("http://x[")', "1.37", 'URL parse error during conversion from string: parse "http://x[": invalid IP-literal'),
        ('url("http://[::1")', "1.37", "URL parse error during conversion from string: parse \"http://[::1\": missing ']' in host"),
        ('url("http://[1.2.3.4]/")', "1.37", 'URL parse error during conversion from string: parse "http://[1.2.3.4]/": invalid IP-literal'),
        (
            'url("http://[x]/")',
            "1.37",
            'URL parse error during conversion from string: parse "http://[x]/": invalid host: ParseAddr("x"): unable to parse IP',
        ),
        ('url("http://[::1]x/")', "1.37", 'URL parse error during conversion from string: parse "http://[::1]x/": invalid port "x" after host'),
        (
            'url("http://[::1%25%zz]/")',
            "1.37",
            'URL parse error during conversion from string: parse "http://[::1%25%zz]/": invalid URL escape "%zz"',
        ),
        (
            'url("http://[::1%25%7f]/")',
            "1.37",
            'URL parse error during conversion from string: parse "http://[::1%25%7f]/": invalid URL escape "%7f"',
        ),
        ('url(":a")', "1.37", 'URL parse error during conversion from string: parse ":a": missing protocol scheme'),
        ('url("/\\u0001")', "1.37", 'URL parse error during conversion from string: parse "/\\x01": net/url: invalid control character in URL'),
        ('url("http://ü@a")', "1.37", 'URL parse error during conversion from string: parse "http://ü@a": net/url: invalid userinfo'),
        ('url("http://u%zz@a")', "1.37", 'URL parse error during conversion from string: parse "http://u%zz@a": invalid URL escape "%zz"'),
        ('url("/a#%zz")', "1.37", 'URL parse error during conversion from string: parse "/a#%zz": invalid URL escape "%zz"'),
        ('url("http://a/%4")', "1.37", 'URL parse error during conversion from string: parse "http://a/%4": invalid URL escape "%4"'),
        ('url("1a://b")', "1.37", 'URL parse error during conversion from string: parse "1a://b": invalid URI for request'),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """What is no URL is refused in Go's words."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ('url("HTTP://u:p@Example.com:80/a%2fb?x=1#f").getScheme()', "1.37", 5),
        ('url("http://[::1]:80/").getHostname()', "1.37", 3),
        ('url("http://a:").getPort()', "1.37", 2),
        ('url("/é b").getEscapedPath()', "1.37", 2),
        ('url("http://a/%41").getEscapedPath()', "1.37", 3),
        ('url("/?x=%ff").getQuery() == {"x": ["\\ufffd"]}', "1.37", 3),
        ('isURL("a")', "1.37", 1),
        ('url("http://a") == url("http://a")', "1.37", 3),
        ('dyn(url("http://a")) == dyn(1)', "1.37", 3),
        ('[dyn(""), dyn(url("a:b?"))].join()', "1.37", 13),
        ('[dyn(""), dyn(url("http://a/x#a b"))].join()', "1.37", 14),
        ('url("")', "1.37", 0),
        ('url("http://a/%zz")', "1.37", 2),
        ('url("http://a:1:2/")', "1.37", 2),
        ('url("http://[::1")', "1.37", 2),
        ('url("http://[::1]x/")', "1.37", 2),
        ('url("http://[::1%25%7f]/")', "1.37", 2),
        ('url("http://ü@a")', "1.37", 1),
        ('url("http://a/%4")', "1.37", 2),
        ('url("http://a%25/").getHost()', "1.37", 3),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost


@pytest.mark.parametrize(
    ("text", "written"),
    [("a:b", ""), ("./a:b", "./a:b"), ("", ""), ("x/y", "x/y"), ("#é", "#%C3%A9"), ("#%41", "#%41")],
)
def test_relative(text: str, written: str) -> None:
    """A relative URL is read and written, too; a first segment with a colon needs a dot before it."""
    parsed = parse(as_bytes(text)) if text != "a:b" else Parsed(path="a:b")
    assert str(parsed) == (written or ("./a:b" if text == "a:b" else ""))


def test_relative_with_colon() -> None:
    """A first segment with a colon is no relative URL."""
    with pytest.raises(CELError, match="first path segment in URL cannot contain colon"):
        parse("1a:b")


def test_many_parameters() -> None:
    """A query of more than ten thousand parameters is taken for empty."""
    assert parse("/?" + "a&" * 9_999).parameters() != {}
    assert parse("/?" + "a&" * 10_000).parameters() == {}


def test_fragment() -> None:
    """A fragment is decoded, too."""
    with pytest.raises(CELError, match='parse "/a#%zz": invalid URL escape "%zz"'):
        parse("/a#%zz")


def test_rooted_host() -> None:
    """A path without a slash is set apart from the host."""
    assert str(Parsed(scheme="http", host="a", path="b")) == "http://a/b"


def test_lone_surrogate() -> None:
    """A text that is no Unicode is read all the same."""
    assert parse(as_bytes("/\ud800")).path == "/\xef\xbf\xbd"
