"""
Room: how Go encodes a text.

May touch: nothing.
"""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def encoded(text: str) -> bytes:
    r"""
    Encode a text in UTF-8; a lone surrogate becomes the replacement character, as in what Go reads.

    >>> encoded("\ud800é")
    b'\xef\xbf\xbd\xc3\xa9'
    """
    return _SURROGATE.sub("\ufffd", text).encode()


def decoded(data: bytes) -> str:
    r"""
    Decode UTF-8; each byte that is none becomes the replacement character, as in what Go writes.

    >>> decoded(b"a\xe2\x82")
    'a\ufffd\ufffd'
    """
    return _SURROGATE.sub("\ufffd", data.decode("utf-8", "surrogateescape"))
