"""
Room: what is wrong with a text that is no expression, in ANTLR's words.

ANTLR goes on after a complaint: it drops a token, invents one, or skips to where an open rule can go on, and then complains again. All of that is
followed here as the Go runtime does it, with cel-go's limits, since the complaints about one text depend on each other. What comes out is the tree
that ANTLR would have built, for `diagnosis` to look at.

May touch: `grammar`, `prediction`, `steps`, `tokens`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from .grammar import (
    BLOCK,
    EOF,
    EPSILON,
    RULES,
    TOKEN_NAMES,
    Alternative,
    Choice,
    Element,
    Invoke,
    Repeat,
    Rule,
    State,
    Token as TokenElement,
    next_types,
    show,
)
from .prediction import DECISIONS, NOTHING, NoWay, Predictor, Stack
from .steps import Steps, run
from .tokens import Token, TokenStream

#: How deep a rule may nest.
DEEPEST = 250
#: How often a parse may recover.
MOST_RECOVERIES = 30
#: How many tokens one recovery may skip.
MOST_SKIPPED = 256


class Stopped(Exception):
    """The parser gave up; what it had to say is said."""


class _Mismatch(Exception):
    """A rule is left because of a complaint, which is told where it is left."""

    def __init__(self, message: str, token: Token) -> None:
        """Keep the complaint."""
        super().__init__(message)
        self.message = message
        self.token = token


@attrs.define(eq=False, repr=False, slots=True)
class Tree:
    """
    A node of ANTLR's parse tree.

    Args:
        rule: The rule.
        parent: The node it was invoked from; `None` of the outermost.
        invoker: The state it was invoked from.
        start: Its first token.
        kind: The label of the alternative; the rule's name until one is chosen.
        labels: Tokens and nodes by their labels; lists for labels that collect.
        children: The nodes below, in order.
        outer: The states to go back to from here, for the predictor; found out when it asks.
    """

    rule: str
    parent: Tree | None
    invoker: State | None
    start: Token
    kind: str
    labels: dict[str, Any] = attrs.field(factory=dict)
    children: list[Tree] = attrs.field(factory=list)
    outer: Stack | None = None

    def child(self, rule: str, index: int = 0) -> Tree | None:
        """Give a child by its rule."""
        found = [child for child in self.children if child.rule == rule]
        return found[index] if index < len(found) else None

    def note(self, label: str, value: Token | Tree) -> None:
        """Set a label, or add to it."""
        if label.startswith("*"):
            self.labels.setdefault(label[1:], []).append(value)
        elif label:
            self.labels[label] = value


_predictor = Predictor()


class Parser:
    """
    ANTLR's parser for cel-go's grammar.

    Args:
        stream: The tokens.
    """

    def __init__(self, stream: TokenStream) -> None:
        """Begin a parse."""
        global _predictor  # noqa: PLW0603 - what a parse learns helps the next
        if _predictor.full:
            _predictor = Predictor()
        self._predictor = _predictor
        self._stream = stream
        self._tree: Tree | None = None
        self._state = RULES["start"].start
        self._precedences = [0]
        self._depths = dict.fromkeys(RULES, 0)
        self._recovering = False
        self._last_error = -1
        self._last_states: set[State] = set()
        self._recoveries = 0
        #: How many tokens may still be skipped; ANTLR counts only in some places.
        self._skips: int | None = None

    def parse(self) -> Tree:
        """
        Parse everything.

        Raises:
            Stopped: A limit was met.
        """
        tree: Tree = run(self._rule(RULES["start"], 0))
        return tree

    # Rules.

    def _rule(self, rule: Rule, precedence: int) -> Steps:
        """Parse a rule."""
        parent, invoker = self._tree, self._state
        tree = Tree(rule.name, parent, invoker if parent is not None else None, self._stream.current, rule.name)
        self._tree, self._state = tree, rule.start
        if rule.loop is None:
            if parent is not None:
                parent.children.append(tree)
        else:
            self._precedences.append(precedence)
        self._enter(rule)
        try:
            yield from self._sequence(rule.body)
            if rule.loop is not None:
                yield from self._loop(rule, parent, invoker)
        except _Mismatch as error:
            self._report(error.message, error.token)
            self._recover()
        self._leave(rule)
        tree = self._current
        if rule.loop is not None and parent is not None:
            self._precedences.pop()
            parent.children.append(tree)
        self._tree, self._state = parent, invoker
        return tree

    def _enter(self, rule: Rule) -> None:
        """Count how deep a rule is nested."""
        self._depths[rule.name] += 1
        if self._depths[rule.name] > DEEPEST:
            self._stream.complain(None, f"expression recursion limit exceeded: {DEEPEST}")
            raise Stopped

    def _leave(self, rule: Rule) -> None:
        """Count how deep a rule is nested."""
        self._depths[rule.name] -= self._depths[rule.name] > 0

    def _choose_loop(self, loop: Choice) -> Alternative:
        """Choose how the loop of a left-recursive rule goes on."""
        if len(loop.alternatives) == 1:
            return loop.alternatives[0]
        self._state = loop.state
        self._sync()
        return loop.alternatives[self._predict(loop.state) - 1]

    def _loop(self, rule: Rule, parent: Tree | None, invoker: State) -> Steps:
        """Parse the loop of a left-recursive rule: every round wraps the node so far."""
        assert rule.loop is not None  # noqa: S101 - asked for by the caller
        self._state = rule.entry
        self._sync()
        while self._predict(rule.entry) == 1:
            # ANTLR leaves the rule before it knows how it goes on: after a complaint here it leaves it twice.
            self._leave(rule)
            alternative = self._choose_loop(rule.loop)
            inner = self._current
            self._tree = Tree(rule.name, parent, invoker, inner.start, alternative.kind, children=[inner])
            self._enter(rule)
            yield from self._sequence(alternative.body)
            self._state = rule.back
            self._sync()
        return None

    @property
    def _current(self) -> Tree:
        """Give the node of the current rule."""
        assert self._tree is not None  # noqa: S101 - set while a rule runs
        return self._tree

    # Elements.

    def _sequence(self, elements: Iterable[Element]) -> Steps:
        """Parse elements one after the other."""
        for element in elements:
            self._state = element.state
            match element:
                case TokenElement():
                    self._current.note(element.label, self._match(element.types))
                case Invoke():
                    self._current.note(element.label, (yield self._rule(RULES[element.rule], element.precedence)))
                case Choice():
                    yield from self._sequence(self._choose(element).body)
                case _:
                    yield from self._repeat(element)
        return None

    def _choose(self, choice: Choice) -> Alternative:
        """Choose an alternative, whose node replaces the rule's."""
        self._sync()
        if choice.adaptive:
            number = self._predict(choice.state)
        else:
            # One of the two alternatives comes: that was just made sure.
            number = 1 if self._stream.current.type in next_types(choice.state.moves[0].target) else 2
        alternative = choice.alternatives[number - 1]
        self._current.kind = alternative.kind
        return alternative

    def _repeat(self, element: Repeat) -> Steps:
        """Parse a part that may be missing or repeat."""
        self._sync()
        first = next_types(element.state.moves[0].target)
        again = element.mark == "+" or self._goes_on(element, element.state, first)
        while again:
            yield from self._sequence(element.body)
            if element.mark == "?":
                break
            self._state = element.back
            self._sync()
            again = self._goes_on(element, element.back if element.mark == "+" else element.state, first)
        return None

    def _goes_on(self, element: Repeat, decision: State, first: frozenset[int]) -> bool:
        """Tell whether the part stands here."""
        return self._predict(decision) == 1 if element.adaptive else self._stream.current.type in first

    def _predict(self, state: State) -> int:
        """Predict a decision."""
        start = self._stream.current
        try:
            return self._predictor.predict(DECISIONS[state], self._stream, self._precedences[-1], self._outer)
        except NoWay as error:
            offending = self._stream.ahead(error.ahead)
            text = "<EOF>" if start.type == EOF else self._text(start, offending)
            raise _Mismatch(f"no viable alternative at input {_quoted(text)}", offending) from None

    def _outer(self) -> Stack:
        """Give the states to go back to, for the predictor."""
        trees: list[Tree] = []
        tree: Tree | None = self._current
        while tree is not None and tree.outer is None:
            trees.append(tree)
            tree = tree.parent
        stack = NOTHING if tree is None or tree.outer is None else tree.outer
        for tree in reversed(trees):
            if tree.invoker is not None:
                stack = self._predictor.push(stack, _follow(tree.invoker))
            tree.outer = stack
        return stack

    def _match(self, types: frozenset[int]) -> Token:
        """Read a token of some types."""
        token = self._stream.current
        if token.type in types:
            self._end_recovery()
            self._stream.consume()
            return token
        return self._recover_inline()

    # Recovery.

    def _end_recovery(self) -> None:
        """Complain again from now on."""
        self._recovering = False
        self._last_states = set()
        self._last_error = -1

    def _sync(self) -> None:
        """Look whether the next token can come at a decision, and do something about it if not."""
        if self._recovering:
            return
        self._skips = None
        expected = next_types(self._state)
        if EPSILON in expected or self._stream.current.type in expected:
            return
        if self._state.kind == BLOCK:
            if not self._drop_token():
                raise self._unexpected()
        else:
            self._report_unwanted()
            self._skip_to(self._expected() | self._recovery_types())

    def _recover(self) -> None:
        """Skip to a token with which an open rule can go on."""
        self._count_recovery()
        if self._last_error == self._stream.index and self._state in self._last_states:
            self._skip()
        self._last_error = self._stream.index
        self._last_states.add(self._state)
        self._skip_to(self._recovery_types())

    def _recover_inline(self) -> Token:
        """Get by without the expected token: drop one, or invent one."""
        self._count_recovery()
        if self._drop_token():
            token = self._stream.current
            self._skip()
            return token
        following = self._state.moves[0].target
        if self._stream.current.type in self._types_after(following):
            self._report_missing()
            return self._invented()
        raise self._unexpected()

    def _count_recovery(self) -> None:
        """Give up after too many recoveries."""
        if self._recoveries == MOST_RECOVERIES:
            self._complain(f"error recovery attempt limit exceeded: {MOST_RECOVERIES}", self._stream.current)
            raise Stopped
        self._recoveries += 1
        self._skips = MOST_SKIPPED

    def _skip(self) -> None:
        """Skip a token in a recovery."""
        if self._skips is not None:
            if not self._skips:
                self._stream.complain(None, f"error recovery token lookahead limit exceeded: {MOST_SKIPPED}")
                raise Stopped
            self._skips -= 1
        self._stream.consume()

    def _skip_to(self, types: frozenset[int]) -> None:
        """Skip to a token of some types."""
        while self._stream.current.type != EOF and self._stream.current.type not in types:
            self._skip()

    def _drop_token(self) -> bool:
        """Drop a token if the one after it is expected."""
        if self._stream.type_at(2) not in self._expected():
            return False
        self._report_unwanted()
        self._skip()
        self._end_recovery()
        return True

    def _expected(self) -> frozenset[int]:
        """Give the types that can come now."""
        return self._types_after(self._state)

    def _types_after(self, state: State) -> frozenset[int]:
        """Give the types that can come at a state of the current rule, or after the rules that can end there."""
        expected = next_types(state)
        tree: Tree | None = self._current
        while EPSILON in expected and tree is not None and tree.invoker is not None:
            expected = (expected - {EPSILON}) | next_types(_follow(tree.invoker))
            tree = tree.parent
        return (expected - {EPSILON}) | {EOF} if EPSILON in expected else expected

    def _recovery_types(self) -> frozenset[int]:
        """Give the types with which any of the open rules can go on."""
        types: set[int] = set()
        tree: Tree | None = self._current
        while tree is not None and tree.invoker is not None:
            types |= next_types(_follow(tree.invoker))
            tree = tree.parent
        return frozenset(types - {EPSILON})

    def _invented(self) -> Token:
        """Invent the expected token."""
        current = self._stream.current
        kind = min(self._expected())
        name = "EOF" if kind == EOF else TOKEN_NAMES[kind] if TOKEN_NAMES[kind].startswith("'") else "undefined"
        if current.type == EOF:
            current = self._stream.before() or current
        return Token(kind, f"<missing {name}>", current.offset)

    # Complaints.

    def _unexpected(self) -> _Mismatch:
        """Make the complaint about a token that cannot come."""
        token = self._stream.current
        return _Mismatch(f"mismatched input {_shown(token)} expecting {show(self._expected())}", token)

    def _report_unwanted(self) -> None:
        """Complain about a token that should not be there."""
        token = self._stream.current
        self._report(f"extraneous input {_shown(token)} expecting {show(self._expected())}", token)

    def _report_missing(self) -> None:
        """Complain about a token that is not there."""
        token = self._stream.current
        self._report(f"missing {show(self._expected())} at {_shown(token)}", token)

    def _report(self, message: str, token: Token) -> None:
        """Complain, unless the last complaint is not yet overcome."""
        if not self._recovering:
            self._recovering = True
            self._complain(message, token)

    def _complain(self, message: str, token: Token) -> None:
        """Complain in any case."""
        self._stream.complain_syntax(token.offset, message)

    def _text(self, first: Token, last: Token) -> str:
        """Give the text between two tokens, as the Go runtime gives it."""
        return self._stream.text(first, last)


def _follow(invoker: State) -> State:
    """Give the state after an invocation."""
    follow = invoker.moves[0].follow
    assert follow is not None  # noqa: S101 - an invoker invokes
    return follow


def _shown(token: Token) -> str:
    """Show a token in a complaint."""
    return _quoted(token.text)


def _quoted(text: str) -> str:
    """Quote a text in a complaint."""
    return "'" + text.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r") + "'"
