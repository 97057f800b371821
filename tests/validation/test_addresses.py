"""Addresses of interfaces: what Kubernetes reads, and its canonical form. The answers were taken from the API server's own code."""

from __future__ import annotations

import pytest

from rbln_dra.validation.addresses import canonical

CASES: list[tuple[str, str | None]] = [
    ("10.9.8.7/24", "10.9.8.7/24"),
    ("010.9.8.07/024", "10.9.8.7/24"),
    ("10.9.8.7/32", "10.9.8.7/32"),
    ("10.9.8.7/33", None),
    ("10.9.8.7/-1", None),
    ("10.9.8.7/+1", None),
    ("10.9.8.7/", None),
    ("10.9.8.7", None),
    ("10.9.8.256/24", None),
    ("10.9.8/24", None),
    ("10.9.8.7.6/24", None),
    ("10.9.8.7/24/1", None),
    ("١0.9.8.7/24", None),
    ("2001:db8::1/64", "2001:db8::1/64"),
    ("2001:DB8:0:0:0:0:0:1/64", "2001:db8::1/64"),
    ("00001::/16", "1::/16"),
    ("12345::/16", None),
    ("1::/129", None),
    ("::/0", "::/0"),
    ("1:2:3:4:5:6:7:8/64", "1:2:3:4:5:6:7:8/64"),
    ("1:2:3:4:5:6:7::/64", "1:2:3:4:5:6:7:0/64"),
    ("1:2:3:4:5:6:7::8/64", None),
    ("1:2:3:4:5:6:7:8:9/64", None),
    ("1:2:3/64", None),
    ("1::2::3/64", None),
    (":1/64", None),
    ("1:/64", None),
    (":/64", None),
    ("fe80::1%eth0/64", None),
    ("g::/16", None),
    ("::ffff:10.0.0.1/120", "10.0.0.1/24"),
    ("::ffff:a00:1/20", "10.0.0.1/20"),
    ("::10.0.0.1/96", "::a00:1/96"),
    ("1:2:3:4:5:6:10.0.0.1/96", "1:2:3:4:5:6:a00:1/96"),
    ("10.0.0.1::/96", None),
    ("1:0:0:2:0:0:0:3/64", "1:0:0:2::3/64"),
    ("/24", None),
    ("", None),
    (f"{'0' * 1001}.0.0.0/1", None),
]


@pytest.mark.parametrize(("text", "form"), CASES, ids=[text[:30] for text, _ in CASES])
def test_canonical(text: str, form: str | None) -> None:
    """An address has one form, or it is none."""
    assert canonical(text) == form
