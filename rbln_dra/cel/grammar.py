"""
Room: cel-go's grammar as data, and the state machine that ANTLR makes of it.

Needed only to say what is wrong with a text, since ANTLR's complaints follow from the states of this machine. Every element of a rule knows its
state; a decision is taken by looking at one token, or predicted (`adaptive`), as in the code that ANTLR generates for cel-go.

May touch: nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import attrs

EOF, EPSILON = -1, -2
_LITERALS = (
    *("==", "!=", "in", "<", "<=", ">=", ">", "&&", "||", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!", "?", ":", "+", "*", "/", "%"),
    *("true", "false", "null"),
)
_SYMBOLS = ("WHITESPACE", "COMMENT", "NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "IDENTIFIER", "ESC_IDENTIFIER")
#: Names of the token types as complaints show them; the index is the type.
TOKEN_NAMES = ("<INVALID>", *(f"'{text}'" for text in _LITERALS), *_SYMBOLS)
#: The types of the tokens that have but one text.
LITERAL_TYPES = {text: number for number, text in enumerate(_LITERALS, 1)}
#: The types of tokens by their text or name.
TYPES = {**LITERAL_TYPES, **{name: number for number, name in enumerate(_SYMBOLS, len(_LITERALS) + 1)}, "EOF": EOF}

# Kinds of states that differ in how ANTLR recovers there.
BASIC, BLOCK, LOOP_BACK, STOP = "basic", "block", "loop back", "stop"


@attrs.define(eq=False, repr=False)
class State:
    """
    A state of the machine.

    Args:
        number: Its number.
        rule: The name of its rule.
        kind: How ANTLR recovers here.
        moves: What leads out of it.
        loop_end: Of the entry of a left-recursive rule's loop, the end of the loop's body.
    """

    number: int
    rule: str
    kind: str = BASIC
    moves: list[Move] = attrs.field(factory=list)
    loop_end: State | None = None

    @property
    def silent(self) -> bool:
        """Tell whether only moves without a token lead out of it."""
        return bool(self.moves) and all(move.tokens is None for move in self.moves)


@attrs.define(eq=False, repr=False)
class Move:
    """
    A move between states.

    Args:
        target: Where to.
        tokens: The types of which one is read on the way; `None` when nothing is read.
        follow: Of the invocation of a rule, the state after it.
        guard: The precedence that the rule must not have been invoked above.
        outermost: Of the way back from a left-recursive rule: it was invoked from outside.
    """

    target: State
    tokens: frozenset[int] | None = None
    follow: State | None = None
    guard: int | None = None
    outermost: bool = False


@attrs.define(eq=False)
class Token:
    """One token of some types."""

    types: frozenset[int]
    label: str
    state: State = attrs.field(init=False)


@attrs.define(eq=False)
class Invoke:
    """Another rule."""

    rule: str
    label: str
    precedence: int
    state: State = attrs.field(init=False)


@attrs.define(eq=False)
class Repeat:
    """A part that may be missing (`?`), may stand any number of times (`*`), or at least once (`+`)."""

    mark: str
    body: tuple[Element, ...]
    adaptive: bool
    state: State = attrs.field(init=False)
    back: State = attrs.field(init=False)


@attrs.define(eq=False)
class Alternative:
    """One of several: the kind of node, the elements, and what precedence it needs."""

    kind: str
    body: tuple[Element, ...]
    guard: int | None = None


@attrs.define(eq=False)
class Choice:
    """One of several."""

    alternatives: tuple[Alternative, ...]
    adaptive: bool = True
    state: State = attrs.field(init=False)


@attrs.define(eq=False)
class Rule:
    """A rule. A left-recursive one reads its body, then any number of the alternatives of its loop."""

    name: str
    body: tuple[Element, ...]
    loop: Choice | None = None
    start: State = attrs.field(init=False)
    stop: State = attrs.field(init=False)
    entry: State = attrs.field(init=False)
    back: State = attrs.field(init=False)


Element: TypeAlias = "Token | Invoke | Repeat | Choice"


def _token(texts: str, label: str = "") -> Token:
    """Make a token of one of some types."""
    return Token(frozenset(TYPES[text] for text in texts.split()), label)


def _rule(name: str, label: str = "", precedence: int = 0) -> Invoke:
    """Make an invocation."""
    return Invoke(name, label, precedence)


def _maybe(*body: Element) -> Repeat:
    """Make a part that may be missing."""
    return Repeat("?", body, adaptive=False)


def _many(*body: Element, adaptive: bool = False) -> Repeat:
    """Make a part that may stand any number of times."""
    return Repeat("*", body, adaptive)


def _some(*body: Element, adaptive: bool = False) -> Repeat:
    """Make a part that stands at least once."""
    return Repeat("+", body, adaptive)


def _literal(kind: str, text: str, *before: Element) -> Alternative:
    """Make the alternative of a literal."""
    return Alternative(kind, (*before, _token(text, "tok")))


_EXPR, _OPT_EXPR = "expr", "optExpr"
# A label with `*` collects.
_RULES = (
    Rule("start", (_rule(_EXPR, "e"), _token("EOF"))),
    Rule(_EXPR, (_rule("conditionalOr", "e"), _maybe(_token("?", "op"), _rule("conditionalOr", "e1"), _token(":"), _rule(_EXPR, "e2")))),
    Rule("conditionalOr", (_rule("conditionalAnd", "e"), _many(_token("||", "*ops"), _rule("conditionalAnd", "*e1")))),
    Rule("conditionalAnd", (_rule("relation", "e"), _many(_token("&&", "*ops"), _rule("relation", "*e1")))),
    Rule(
        "relation",
        (_rule("calc"),),
        Choice((Alternative("Relation", (_token("== != in < <= >= >", "op"), _rule("relation", "", 2)), 1),)),
    ),
    Rule(
        "calc",
        (_rule("unary"),),
        Choice(
            (
                Alternative("Calc", (_token("* / %", "op"), _rule("calc", "", 3)), 2),
                Alternative("Calc", (_token("+ -", "op"), _rule("calc", "", 2)), 1),
            )
        ),
    ),
    Rule(
        "unary",
        (
            Choice(
                (
                    Alternative("MemberExpr", (_rule("member"),)),
                    Alternative("LogicalNot", (_some(_token("!", "*ops")), _rule("member"))),
                    Alternative("Negate", (_some(_token("-", "*ops"), adaptive=True), _rule("member"))),
                )
            ),
        ),
    ),
    Rule(
        "member",
        (_rule("primary"),),
        Choice(
            (
                Alternative("Select", (_token(".", "op"), _maybe(_token("?", "opt")), _rule("escapeIdent", "id")), 3),
                Alternative(
                    "MemberCall",
                    (_token(".", "op"), _token("IDENTIFIER", "id"), _token("(", "open"), _maybe(_rule("exprList", "args")), _token(")")),
                    2,
                ),
                Alternative("Index", (_token("[", "op"), _maybe(_token("?", "opt")), _rule(_EXPR, "index"), _token("]")), 1),
            )
        ),
    ),
    Rule(
        "primary",
        (
            Choice(
                (
                    Alternative("Ident", (_maybe(_token(".", "leadingDot")), _token("IDENTIFIER", "id"))),
                    Alternative(
                        "GlobalCall",
                        (
                            _maybe(_token(".", "leadingDot")),
                            _token("IDENTIFIER", "id"),
                            _token("(", "op"),
                            _maybe(_rule("exprList", "args")),
                            _token(")"),
                        ),
                    ),
                    Alternative("Nested", (_token("("), _rule(_EXPR, "e"), _token(")"))),
                    Alternative("CreateList", (_token("[", "op"), _maybe(_rule("listInit", "elems")), _maybe(_token(",")), _token("]"))),
                    Alternative(
                        "CreateStruct", (_token("{", "op"), _maybe(_rule("mapInitializerList", "entries")), _maybe(_token(",")), _token("}"))
                    ),
                    Alternative(
                        "CreateMessage",
                        (
                            _maybe(_token(".", "leadingDot")),
                            _token("IDENTIFIER", "*ids"),
                            _many(_token("."), _token("IDENTIFIER", "*ids")),
                            _token("{", "op"),
                            _maybe(_rule("fieldInitializerList", "entries")),
                            _maybe(_token(",")),
                            _token("}"),
                        ),
                    ),
                    Alternative("ConstantLiteral", (_rule("literal"),)),
                )
            ),
        ),
    ),
    Rule("exprList", (_rule(_EXPR, "*e"), _many(_token(","), _rule(_EXPR, "*e")))),
    Rule("listInit", (_rule(_OPT_EXPR, "*elems"), _many(_token(","), _rule(_OPT_EXPR, "*elems"), adaptive=True))),
    Rule(
        "fieldInitializerList",
        (
            _rule("optField", "*fields"),
            _token(":", "*cols"),
            _rule(_EXPR, "*values"),
            _many(_token(","), _rule("optField", "*fields"), _token(":", "*cols"), _rule(_EXPR, "*values"), adaptive=True),
        ),
    ),
    Rule("optField", (_maybe(_token("?", "opt")), _rule("escapeIdent"))),
    Rule(
        "mapInitializerList",
        (
            _rule(_OPT_EXPR, "*keys"),
            _token(":", "*cols"),
            _rule(_EXPR, "*values"),
            _many(_token(","), _rule(_OPT_EXPR, "*keys"), _token(":", "*cols"), _rule(_EXPR, "*values"), adaptive=True),
        ),
    ),
    Rule(
        "escapeIdent",
        (
            Choice(
                (
                    Alternative("SimpleIdentifier", (_token("IDENTIFIER", "id"),)),
                    Alternative("EscapedIdentifier", (_token("ESC_IDENTIFIER", "id"),)),
                ),
                adaptive=False,
            ),
        ),
    ),
    Rule(_OPT_EXPR, (_maybe(_token("?", "opt")), _rule(_EXPR, "e"))),
    Rule(
        "literal",
        (
            Choice(
                (
                    _literal("Int", "NUM_INT", _maybe(_token("-", "sign"))),
                    _literal("Uint", "NUM_UINT"),
                    _literal("Double", "NUM_FLOAT", _maybe(_token("-", "sign"))),
                    _literal("String", "STRING"),
                    _literal("Bytes", "BYTES"),
                    _literal("BoolTrue", "true"),
                    _literal("BoolFalse", "false"),
                    _literal("Null", "null"),
                )
            ),
        ),
    ),
)


class _Machine:
    """Builds the states of the rules."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        """Build them all."""
        self.rules = {rule.name: rule for rule in rules}
        self.states: list[State] = []
        for rule in rules:
            rule.start, rule.stop = self.state(rule.name), self.state(rule.name, STOP)
        for rule in rules:
            self.rule(rule)

    def state(self, rule: str, kind: str = BASIC) -> State:
        """Make a state."""
        made = State(len(self.states), rule, kind)
        self.states.append(made)
        return made

    def rule(self, rule: Rule) -> None:
        """Build a rule."""
        first, last = self.state(rule.name), self.state(rule.name)
        rule.start.moves.append(Move(first))
        self.sequence(rule.body, first, last)
        if rule.loop is not None:
            rule.entry, rule.back = last, self.state(rule.name, LOOP_BACK)
            last.kind = BLOCK
            rule.loop.state, end, last = self.state(rule.name, BLOCK), self.state(rule.name), self.state(rule.name)
            rule.entry.moves += [Move(rule.loop.state), Move(last)]
            rule.entry.loop_end = end
            self.alternatives(rule.loop, end)
            end.moves.append(Move(rule.back))
            rule.back.moves.append(Move(rule.entry))
        last.moves.append(Move(rule.stop))

    def sequence(self, elements: tuple[Element, ...], left: State, right: State, *, alternative: bool = False) -> None:
        """
        Build elements between two states.

        In an alternative ANTLR lets the last element lead straight to the end, if no rule stands before it. That matters where a rule is the last
        element: ways that go back to the same state are the same.
        """
        straight = alternative
        for index, element in enumerate(elements):
            after = right if straight and index == len(elements) - 1 else self.state(left.rule)
            self.element(element, left, after)
            left = after
            straight = straight and not isinstance(element, Invoke)
        if left is not right:
            left.moves.append(Move(right))

    def element(self, element: Element, left: State, right: State) -> None:
        """Build one element."""
        element.state = left
        match element:
            case Token():
                left.moves.append(Move(right, element.types))
            case Invoke():
                invoked = self.rules[element.rule]
                left.moves.append(Move(invoked.start, follow=right))
                invoked.stop.moves.append(Move(right, outermost=invoked.loop is not None and element.precedence == 0))
            case Choice():
                left.kind = BLOCK
                end = self.state(left.rule)
                self.alternatives(element, end)
                end.moves.append(Move(right))
            case _:
                self.repeat(element, left, right)

    def alternatives(self, choice: Choice, end: State) -> None:
        """Build alternatives."""
        for alternative in choice.alternatives:
            first = self.state(end.rule)
            choice.state.moves.append(Move(first))
            if alternative.guard is not None:
                guarded = self.state(end.rule)
                first.moves.append(Move(guarded, guard=alternative.guard))
                first = guarded
            self.sequence(alternative.body, first, end, alternative=True)

    def repeat(self, element: Repeat, left: State, right: State) -> None:
        """Build a part that may be missing or repeat."""
        left.kind = BLOCK
        first, end = self.state(left.rule), self.state(left.rule)
        self.sequence(element.body, first, end, alternative=True)
        if element.mark == "?":
            left.moves += [Move(first), Move(right)]
            end.moves.append(Move(right))
            return
        element.back = self.state(left.rule, LOOP_BACK)
        end.moves.append(Move(element.back))
        if element.mark == "*":
            left.moves += [Move(first), Move(right)]
            element.back.moves.append(Move(left))
        else:
            left.moves.append(Move(first))
            element.back.moves += [Move(left), Move(right)]


RULES = _Machine(_RULES).rules


@cache
def next_types(state: State) -> frozenset[int]:
    """Give the types of tokens that can come at a state, with `EPSILON` when the rule can end there."""
    found: set[int] = set()
    waiting = [state]
    while waiting:
        # There are no circles without a token.
        here = waiting.pop()
        if here.kind == STOP:
            # No rule can be empty: only the rule of the first state can end here.
            found.add(EPSILON)
        else:
            for move in here.moves:
                if move.tokens is None:
                    waiting.append(move.target)
                else:
                    found |= move.tokens
    return frozenset(found)


def show(types: frozenset[int] | set[int]) -> str:
    """Show types as complaints do."""
    names = ["<EOF>" if number == EOF else TOKEN_NAMES[number] for number in sorted(types)]
    return "{" + ", ".join(names) + "}" if len(names) > 1 else names[0]
