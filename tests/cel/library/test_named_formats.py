"""Named formats: what they say of a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rbln_dra.cel.interpreter import Outcome
from rbln_dra.cel.values import Optional


@pytest.mark.parametrize(
    ("expression", "minor", "value"),
    [
        ('format.dns1123Label().validate("abc")', "1.37", ()),
        ('format.dns1123Label().validate("a.b")', "1.37", ("must not contain dots",)),
        (
            'format.dns1123Label().validate("A")',
            "1.37",
            (
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
            ),
        ),
        (
            'format.dns1123Label().validate("-")',
            "1.37",
            (
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
            ),
        ),
        ('format.dns1123Subdomain().validate("a.b")', "1.37", ()),
        (
            'format.dns1123Subdomain().validate("A_")',
            "1.37",
            (
                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            ),
        ),
        ('format.dns1035Label().validate("a1")', "1.37", ()),
        (
            'format.dns1035Label().validate("1a")',
            "1.37",
            (
                "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
            ),
        ),
        ('format.qualifiedName().validate("x.y/Z_1")', "1.37", ()),
        (
            'format.qualifiedName().validate("a/b/c")',
            "1.37",
            (
                "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
            ),
        ),
        (
            'format.qualifiedName().validate("a/b/c")',
            "1.34",
            (
                "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
            ),
        ),
        (
            'format.qualifiedName().validate("_")',
            "1.34",
            (
                "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            ),
        ),
        (
            'format.qualifiedName().validate("/")',
            "1.37",
            (
                "prefix part must be non-empty",
                "name part must be non-empty",
                "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            ),
        ),
        (
            'format.qualifiedName().validate("A/b")',
            "1.37",
            (
                "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            ),
        ),
        ('format.dns1123LabelPrefix().validate("a-")', "1.37", ()),
        (
            'format.dns1123LabelPrefix().validate("-")',
            "1.37",
            (
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
            ),
        ),
        ('format.dns1123SubdomainPrefix().validate("a.b-")', "1.37", ()),
        ('format.dns1035LabelPrefix().validate("a-")', "1.37", ()),
        ('format.labelValue().validate("")', "1.37", ()),
        (
            'format.labelValue().validate("-")',
            "1.37",
            (
                "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
            ),
        ),
        (
            'format.labelValue().validate("-")',
            "1.34",
            (
                "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
            ),
        ),
        ('format.uri().validate("http://a")', "1.37", ()),
        ('format.uri().validate("a")', "1.37", ('parse "a": invalid URI for request',)),
        ('format.uuid().validate("123E4567-e89b-12d3-a456-426614174000")', "1.37", ()),
        ('format.uuid().validate("x")', "1.37", ("does not match the UUID format",)),
        ('format.byte().validate("YQ==")', "1.37", ()),
        ('format.byte().validate("")', "1.37", ("invalid base64",)),
        ('format.date().validate("2020-02-29")', "1.37", ()),
        ('format.date().validate("2021-02-29")', "1.37", ("invalid date",)),
        ('format.date().validate("0000-02-29")', "1.37", ()),
        ('format.date().validate("2021-13-01")', "1.37", ("invalid date",)),
        ('format.date().validate("2021-1-1")', "1.37", ("invalid date",)),
        ('format.datetime().validate("2021-01-01T23:59:59.5z")', "1.37", ()),
        ('format.datetime().validate("2021-01-01T23:59:59+01:00tx")', "1.37", ()),
        ('format.datetime().validate("2021-01-01T24:00:00Z")', "1.37", ("invalid datetime",)),
        ('format.datetime().validate("2021-01-01T00:60:00Z")', "1.37", ("invalid datetime",)),
        ('format.datetime().validate("2021-01-01T00:00:60Z")', "1.37", ("invalid datetime",)),
        ('format.datetime().validate("2021-01-01")', "1.37", ("invalid datetime",)),
        ('format.datetime().validate("2021-13-01T00:00:00Z")', "1.37", ("invalid datetime",)),
        ('format.named("uri").value() == format.uri()', "1.37", True),
        ('format.named("nope").hasValue()', "1.37", False),
        ("format.uri() == format.uuid()", "1.37", False),
    ],
)
def test_values(evaluate: Callable[..., Outcome], expression: str, minor: str, value: Any) -> None:
    """A format has nothing to say of a text that has it."""
    outcome = evaluate(expression, minor)
    found = outcome.value
    if isinstance(found, Optional):
        found = found.value if found.present else ()
    assert (outcome.error, found) == (None, value)


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        ("dyn(format.uri()) == dyn(1)", "1.37", "no such overload"),
        ("{format.uri(): 1}", "1.37", "internal error: runtime error: hash of unhashable type cel.Format"),
        ('dyn(1).validate("x")', "1.37", "no such overload: validate(int, string)"),
    ],
)
def test_errors(evaluate: Callable[..., Outcome], expression: str, minor: str, message: str) -> None:
    """A format is no number, no key and no list."""
    error = evaluate(expression, minor).error
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(
    ("expression", "minor", "cost"),
    [
        ('format.dns1123Label().validate("abc")', "1.37", 9),
        ('format.dns1123Label().validate("-")', "1.37", 9),
        ('format.dns1035Label().validate("a1")', "1.37", 9),
        ('format.qualifiedName().validate("a/b/c")', "1.37", 16),
        ('format.qualifiedName().validate("/")', "1.37", 16),
        ('format.dns1123LabelPrefix().validate("-")', "1.37", 9),
        ('format.labelValue().validate("")', "1.37", 11),
        ('format.uri().validate("http://a")', "1.37", 277),
        ('format.uuid().validate("x")', "1.37", 19),
        ('format.date().validate("2020-02-29")', "1.37", 37),
        ('format.date().validate("2021-13-01")', "1.37", 37),
        ('format.datetime().validate("2021-01-01T23:59:59+01:00tx")', "1.37", 55),
        ('format.datetime().validate("2021-01-01T00:00:60Z")', "1.37", 55),
        ('format.named("uri").value() == format.uri()', "1.37", 4),
        ("dyn(format.uri()) == dyn(1)", "1.37", 3),
    ],
)
def test_costs(evaluate: Callable[..., Outcome], expression: str, minor: str, cost: int) -> None:
    """A call costs what the tracker of Kubernetes counts."""
    assert evaluate(expression, minor).cost == cost


@pytest.mark.parametrize(
    ("name", "text", "minor", "message"),
    [
        ("dns1123Label", "a" * 64, "1.37", "must be no more than 63 characters"),
        ("dns1123Subdomain", "a" * 254, "1.37", "must be no more than 253 characters"),
        ("dns1035Label", "é" * 32, "1.37", "must be no more than 63 characters"),
        ("qualifiedName", "a" * 64, "1.37", "name part must be no more than 63 bytes"),
        ("qualifiedName", "a" * 64, "1.34", "name part must be no more than 63 characters"),
        ("qualifiedName", "a" * 254 + "/b", "1.37", "prefix part must be no more than 253 bytes"),
        ("labelValue", "a" * 64, "1.37", "must be no more than 63 bytes"),
        ("labelValue", "a" * 64, "1.34", "must be no more than 63 characters"),
    ],
)
def test_length(evaluate: Callable[..., Outcome], name: str, text: str, minor: str, message: str) -> None:
    """Texts are measured in bytes, whatever the unit is called."""
    assert evaluate(f'format.{name}().validate("{text}").value()[0]', minor).value == message
