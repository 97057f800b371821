"""
Room: from a tree back to a text that parses to the same tree.

Expansions of macros are written as the macro calls that they come from, which is found out from their form.

May touch: `ast`, `errors`, `macros`, `steps`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..errors import Unsupported
from .ast import Call, Comprehension, Entry, FieldInit, Ident, ListExpr, Literal, MapExpr, Node, Select, StructExpr, Uint
from .macros import ACCUMULATOR, SORTED, UNUSED
from .steps import Steps, each, run

# How tightly a text holds together.
_CONDITIONAL, _OR, _AND, _RELATION, _SUM, _PRODUCT, _UNARY, _MEMBER = range(8)
_BINARY: Mapping[str, tuple[str, int]] = {
    **{f"_{text}_": (text, _RELATION) for text in ("<", "<=", ">=", ">", "==", "!=")},
    "@in": ("in", _RELATION),
    **{f"_{text}_": (text, _SUM) for text in "+-"},
    **{f"_{text}_": (text, _PRODUCT) for text in "*/%"},
}
_LOGIC: Mapping[str, tuple[str, int]] = {"_&&_": ("&&", _AND), "_||_": ("||", _OR)}
_PREFIX: Mapping[str, str] = {"!_": "!", "-_": "-"}
_INDEX: Mapping[str, str] = {"_[_]": "[", "_[?_]": "[?"}
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_WORDS = frozenset(("in", "true", "false", "null"))
_QUOTES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})

#: A text, and how tightly it holds together.
_Text = tuple[str, int]


def unparse(node: Node) -> str:
    """
    Write an expression.

    Args:
        node: A tree as the parser gives it.

    Returns:
        A text in one line that parses to an equal tree; field names that need backticks get them.

    Raises:
        Unsupported: No text parses to this tree.

    >>> from .macros import MACROS
    >>> from .syntax import parse
    >>> unparse(parse("a.all(x,x  in(b))", backticks=False, macros=MACROS))
    'a.all(x, x in b)'
    """
    text: str = run(_text(node, _CONDITIONAL))
    return text


def _text(node: Node, binds: int) -> Steps:
    """Write a node, in parentheses where its place needs them."""
    text, own = yield _written(node)
    return text if own >= binds else f"({text})"


def _written(node: Node) -> Steps:
    """Write a node."""
    match node:
        case Literal():
            return _literal(node)
        case Ident():
            return node.name, _MEMBER
        case Select():
            operand = yield _text(node.operand, _MEMBER)
            text = f"{operand}.{_field(node.field)}"
            return (f"has({text})" if node.test_only else text), _MEMBER
        case Call():
            return (yield _call(node))
        case ListExpr():
            elements = yield _texts(node.elements)
            marked = ("?" + text if index in node.optional else text for index, text in enumerate(elements))
            return f"[{', '.join(marked)}]", _MEMBER
        case MapExpr():
            entries = yield _texts(node.entries)
            return f"{{{', '.join(entries)}}}", _MEMBER
        case StructExpr():
            fields = yield _texts(node.fields)
            return f"{node.type_name}{{{', '.join(fields)}}}", _MEMBER
        case Entry():
            key = yield _text(node.key, _CONDITIONAL)
            value = yield _text(node.value, _CONDITIONAL)
            return f"{'?' * node.optional}{key}: {value}", _CONDITIONAL
        case FieldInit():
            value = yield _text(node.value, _CONDITIONAL)
            return f"{'?' * node.optional}{_field(node.field)}: {value}", _CONDITIONAL
        case Comprehension():
            return (yield _loop(node))
        case _:
            raise Unsupported(f"writing {node!r}")


def _texts(nodes: tuple[Node, ...]) -> Steps:
    """Write several."""
    return (yield each(_text(node, _CONDITIONAL) for node in nodes))


def _literal(node: Literal) -> _Text:
    """Write a constant."""
    value = node.value
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value], _MEMBER
    if isinstance(value, str):
        return f'"{value.translate(_QUOTES)}"', _MEMBER
    if isinstance(value, bytes):
        return 'b"' + "".join(f"\\x{byte:02x}" for byte in value) + '"', _MEMBER
    if isinstance(value, float):
        text = repr(value)
        return (text if "." in text or "e" in text else f"{text}.0"), _MEMBER
    return f"{int(value)}{'u' * isinstance(value, Uint)}", _MEMBER


def _field(name: str) -> str:
    """Write the name of a field."""
    return name if _NAME.fullmatch(name) and name not in _WORDS else f"`{name}`"


def _call(node: Call) -> Steps:
    """Write a call."""
    function, args = node.function, node.args
    if node.target is not None:
        target = yield _text(node.target, _MEMBER)
        return f"{target}.{function}({', '.join((yield _texts(args)))})", _MEMBER
    if function == "_?_:_":
        if (macro := _optional_macro(node)) is not None:
            return (yield _macro_call(macro))
        parts = [(yield _text(args[0], _OR)), (yield _text(args[1], _OR)), (yield _text(args[2], _CONDITIONAL))]
        return f"{parts[0]} ? {parts[1]} : {parts[2]}", _CONDITIONAL
    if function in _BINARY:
        word, binds = _BINARY[function]
        left = yield _text(args[0], binds)
        right = yield _text(args[1], binds + 1)
        return f"{left} {word} {right}", binds
    if function in _LOGIC:
        return (yield _chain(node))
    if function in _PREFIX:
        return (yield _prefixed(node))
    if function in _INDEX:
        operand = yield _text(args[0], _MEMBER)
        return f"{operand}{_INDEX[function]}{(yield _text(args[1], _CONDITIONAL))}]", _MEMBER
    if function == "_?._" and isinstance(args[1], Literal):
        operand = yield _text(args[0], _MEMBER)
        return f"{operand}.?{_field(str(args[1].value))}", _MEMBER
    return f"{function}({', '.join((yield _texts(args)))})", _MEMBER


def _prefixed(node: Call) -> Steps:
    """Write `!` or `-`; a number behind `-` would take it as its sign."""
    operand = yield _text(node.args[0], _MEMBER)
    if node.function == "-_" and operand[0] in "-.0123456789":
        operand = f"({operand})"
    return _PREFIX[node.function] + operand, _UNARY


def _chain(node: Call) -> Steps:
    """Write `&&` or `||`: as a chain where a chain parses to this shape, else with parentheses."""
    word, binds = _LOGIC[node.function]
    terms: list[Node] = []
    if _balanced(node, node.function, terms):
        texts = yield each(_text(term, binds + 1) for term in terms)
        return f" {word} ".join(texts), binds
    left = yield _text(node.args[0], binds + 1)
    right = yield _text(node.args[1], binds + 1)
    return f"{left} {word} {right}", binds


def _balanced(node: Node, function: str, terms: list[Node]) -> int:
    """
    Give the number of terms of a chain and add them, if the parser makes this shape of that many; 0 if it does not.

    The parser puts one term more to the left when their number is odd, so the depth is that of the logarithm and calls may nest.
    """
    if not (isinstance(node, Call) and node.function == function and node.target is None):
        terms.append(node)
        return 1
    left = _balanced(node.args[0], function, terms)
    right = _balanced(node.args[1], function, terms) if left else 0
    return left + right if right and left - right in (0, 1) else 0


def _macro_call(macro: tuple[Node | str, str, tuple[Node | str, ...]]) -> Steps:
    """Write a macro call: receiver, name, and arguments, of which the names of variables come first."""
    receiver, name, args = macro
    target = receiver if isinstance(receiver, str) else (yield _text(receiver, _MEMBER))
    names = [argument for argument in args if isinstance(argument, str)]
    texts = yield _texts(tuple(argument for argument in args if not isinstance(argument, str)))
    return f"{target}.{name}({', '.join((*names, *texts))})", _MEMBER


def _optional_macro(node: Call) -> tuple[Node | str, str, tuple[Node | str, ...]] | None:
    """Tell the call of `optMap` or `optFlatMap` that a conditional comes from; `None` if it comes from none."""
    present, value, absent = node.args
    if not (isinstance(absent, Call) and absent.function == "optional.none" and isinstance(present, Call) and present.target is not None):
        return None
    name = "optFlatMap"
    if isinstance(value, Call) and value.function == "optional.of":
        name, value = "optMap", value.args[0]
    if not isinstance(value, Comprehension):
        return None
    return present.target, name, (value.accu_var, value.result)


def _loop(node: Comprehension) -> Steps:
    """Write the macro call that a comprehension comes from."""
    if node.accu_var == SORTED and isinstance(node.result, Call) and isinstance(keys := node.result.args[0], Comprehension):
        return (yield _macro_call((node.accu_init, "sortBy", (keys.iter_var, *_looped(keys)[1]))))
    if node.iter_var == UNUSED:
        return (yield _macro_call(("cel", "bind", (node.accu_var, node.accu_init, node.result))))
    variables = (node.iter_var,) if node.iter_var2 is None else (node.iter_var, node.iter_var2)
    name, args = _looped(node)
    return (yield _macro_call((node.iter_range, name, (*variables, *args))))


def _looped(node: Comprehension) -> tuple[str, tuple[Node, ...]]:
    """Tell name and last arguments of the macro that a comprehension comes from."""
    step, first = node.loop_step, node.accu_init
    if node.accu_var == ACCUMULATOR and isinstance(step, Call):
        if isinstance(first, Literal):
            if first.value is True or first.value is False:
                return ("all" if first.value else "exists"), (step.args[1],)
            return "exists_one", (step.args[0],)
        condition = step.args[:1] if step.function == "_?_:_" else ()
        made = step.args[1] if condition else step
        if isinstance(made, Call):
            if isinstance(first, MapExpr):
                return ("transformMap" if len(made.args) == 3 else "transformMapEntry"), (*condition, made.args[-1])
            if isinstance(made.args[1], ListExpr):
                return ("map" if node.iter_var2 is None else "transformList"), (*condition, *made.args[1].elements)
    raise Unsupported(f"writing {node!r}")
