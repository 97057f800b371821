r"""
Room: what the tokens of CEL look like.

The patterns are cel-go's lexer rules; which of two rules wins (the longer token does) is settled by their order.

May touch: nothing.
"""

from __future__ import annotations

import re

#: Names that stand for nothing, since they are words of languages that CEL may become.
RESERVED = frozenset(
    {
        *(
            "as",
            "break",
            "const",
            "continue",
            "else",
            "false",
            "for",
            "function",
            "if",
            "import",
            "in",
            "let",
            "loop",
            "package",
            "namespace",
            "null",
        ),
        *("return", "true", "var", "void", "while"),
    }
)

#: An escape in a string or bytes literal.
ESCAPE = r"""\\(?:[abfnrtv"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7][0-7])"""

_HIDDEN = r"(?:[ \t\r\n\f]++|//[^\n]*+)*+"
_TOKEN = rf"""
    (?:
      (?P<operator>[=!<>]=|&&|\|\||[\[\](){{}},?:+*%<>!/-]|\.(?![0-9]))
    | (?P<string>[bB]?(?:
        [rR](?:\"\"\"(?s:.*?)\"\"\"|'''(?s:.*?)'''|"[^"\n\r]*+"|'[^'\n\r]*+')
      | \"\"\"[^\\"]*+(?:(?:{ESCAPE}|"(?!""))[^\\"]*+)*+\"\"\"
      | '''[^\\']*+(?:(?:{ESCAPE}|'(?!''))[^\\']*+)*+'''
      | "[^\\"\n\r]*+(?:{ESCAPE}[^\\"\n\r]*+)*+"
      | '[^\\'\n\r]*+(?:{ESCAPE}[^\\'\n\r]*+)*+'
      ))
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*+)
    | (?P<number>(?:[0-9]++\.[0-9]++|\.[0-9]++)(?:[eE][+-]?[0-9]++)?|[0-9]++[eE][+-]?[0-9]++|0x[0-9a-fA-F]++[uU]?|[0-9]++[uU]?)
    | (?P<field>`[A-Za-z0-9_.\-/\ ]++`)
    | (?P<end>\Z)
    )
    """

#: White space and comments, or nothing.
HIDDEN = re.compile(_HIDDEN)
#: A token; the group says which kind.
TOKEN = re.compile(_TOKEN, re.VERBOSE)
#: A token behind whatever is hidden before it. (The blank in the first set is escaped by the set.)
HIDDEN_TOKEN = re.compile(_HIDDEN + _TOKEN, re.VERBOSE)
