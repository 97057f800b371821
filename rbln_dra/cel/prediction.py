"""
Room: which alternative of a decision ANTLR takes (adaptive LL(*) prediction), and when it gives up.

A faithful account of the Go runtime: first without the rules that were entered ("SLL"), then, where that leaves several ways open that look the
same, with them ("LL"). What was found out once is kept in a table, as ANTLR does.

May touch: `grammar`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import attrs

from .grammar import EOF, RULES, STOP, Choice, Element, Move, Repeat, State

#: More table entries than this are thrown away before the next prediction.
MOST_ENTRIES = 20_000


@attrs.define(eq=False, repr=False, slots=True)
class Stack:
    """The states to go back to, as a graph: each with the stack below it. `NOTHING` is empty; without the entered rules it also means "any"."""

    below: tuple[tuple[State, Stack], ...]


NOTHING = Stack(())


@attrs.define(eq=False, repr=False, slots=True)
class Config:
    """
    Where one alternative can be.

    Args:
        state: The state.
        alternative: The alternative, from 1.
        stack: The states to go back to.
        outside: The decision's rule was left.
        kept: The filter of left-recursive rules leaves this alone.
    """

    state: State
    alternative: int
    stack: Stack
    outside: bool = False
    kept: bool = False

    def at(self, state: State, stack: Stack | None = None) -> Config:
        """Go to another state."""
        return Config(state, self.alternative, self.stack if stack is None else stack, self.outside, self.kept)


@attrs.define(eq=False, repr=False, slots=True)
class Entry:
    """
    What is known after some tokens.

    Args:
        configs: Where the alternatives can be.
        prediction: The alternative that is taken; `None` while there are several.
        ambiguous: The rules that were entered must be looked at.
        edges: What is known after one more token; `None` for nowhere.
    """

    configs: tuple[Config, ...]
    prediction: int | None = None
    ambiguous: bool = False
    edges: dict[int, Entry | None] = attrs.field(factory=dict)


class Tokens(Protocol):
    """The tokens as a prediction sees them."""

    def type_at(self, ahead: int) -> int:
        """Give the type of the token so far ahead, from 1; the last token stays the last."""
        ...


class Decision:
    """A place where ANTLR predicts."""

    def __init__(self, state: State, ways: Iterable[State], *, left_recursive: bool = False) -> None:
        """Keep the state of the decision, and where its alternatives begin."""
        self.state = state
        self.ways = tuple(ways)
        self.left_recursive = left_recursive


class NoWay(Exception):
    """No alternative is possible; `ahead` is how far ahead the token is that no alternative can read."""

    def __init__(self, ahead: int) -> None:
        """Keep the place."""
        super().__init__(ahead)
        self.ahead = ahead


class Predictor:
    """Predicts, and remembers."""

    def __init__(self) -> None:
        """Begin without knowledge."""
        self._stacks: dict[tuple[tuple[int, int], ...], Stack] = {}
        self._starts: dict[tuple[Decision, int], Entry] = {}
        self._entries: dict[frozenset[tuple[int, int, int, bool, bool]], Entry] = {}
        self._merged: dict[tuple[int, int, bool], Stack] = {}

    @property
    def full(self) -> bool:
        """Tell whether there is so much knowledge that it should be thrown away."""
        return len(self._entries) + len(self._stacks) > MOST_ENTRIES

    def push(self, stack: Stack, state: State) -> Stack:
        """Put a state on a stack."""
        return self._intern(((state, stack),))

    def predict(self, decision: Decision, tokens: Tokens, precedence: int, outer: Callable[[], Stack]) -> int:
        """
        Choose an alternative.

        Args:
            decision: The decision.
            tokens: What comes.
            precedence: What the current left-recursive rule was invoked with.
            outer: Gives the states to go back to from the current rule; only some predictions ask.

        Raises:
            NoWay: There is none.
        """
        entry = self._start(decision, precedence)
        ahead = 1
        while True:
            kind = tokens.type_at(ahead)
            try:
                following = entry.edges[kind]
            except KeyError:
                following = entry.edges[kind] = self._after(entry.configs, kind)
            if following is None:
                return _finished(entry.configs, ahead)
            if following.ambiguous:
                return self._predict_with(decision, tokens, precedence, outer())
            if following.prediction is not None:
                return following.prediction
            entry = following
            ahead += kind != EOF

    def _predict_with(self, decision: Decision, tokens: Tokens, precedence: int, outer: Stack) -> int:
        """Choose an alternative by the rules that were entered."""
        configs = self._close_ways(decision, precedence, outer, entered=True)
        ahead = 1
        while True:
            kind = tokens.type_at(ahead)
            reached = self._reach(configs, kind, entered=True)
            if not reached:
                # The Go runtime goes back to the first token before it complains.
                return _finished(configs, 1)
            configs = reached
            taken = _only(configs) or _least_common(_conflicts(configs))
            if taken:
                return taken
            ahead += kind != EOF

    def _start(self, decision: Decision, precedence: int) -> Entry:
        """Give what is known before the first token."""
        key = decision, precedence
        if key not in self._starts:
            configs = self._close_ways(decision, precedence, NOTHING, entered=False)
            if decision.left_recursive:
                first = {config.state.number: config.stack for config in configs if config.alternative == 1}
                configs = [one for one in configs if one.alternative == 1 or one.kept or first.get(one.state.number) is not one.stack]
            self._starts[key] = Entry(tuple(configs))
        return self._starts[key]

    def _close_ways(self, decision: Decision, precedence: int, stack: Stack, *, entered: bool) -> list[Config]:
        """Give where the alternatives of a decision begin."""
        found = _Configs(self, entered=entered)
        for number, way in enumerate(decision.ways, 1):
            closure = _Closure(self, found, entered=entered, precedence=precedence, decision=decision)
            closure.run(Config(way, number, stack))
        return found.configs

    def _after(self, configs: tuple[Config, ...], kind: int) -> Entry | None:
        """Give what is known after one more token."""
        reached = self._reach(configs, kind, entered=False)
        if not reached:
            return None
        key = frozenset((one.state.number, one.alternative, id(one.stack), one.outside, one.kept) for one in reached)
        entry = self._entries.get(key)
        if entry is None:
            entry = self._entries[key] = Entry(tuple(reached), _only(reached) or None)
            entry.ambiguous = entry.prediction is None and _stuck(reached)
        return entry

    def _reach(self, configs: Iterable[Config], kind: int, *, entered: bool) -> list[Config]:
        """Read one token."""
        read = _Configs(self, entered=entered)
        ended: list[Config] = []
        for config in configs:
            if config.state.kind == STOP:
                if entered or kind == EOF:
                    ended.append(config)
                continue
            for move in config.state.moves:
                if move.tokens is not None and kind in move.tokens:
                    read.add(config.at(move.target))
        if not ended and kind != EOF and _only(read.configs):
            return read.configs
        reached = _Configs(self, entered=entered)
        closure = _Closure(self, reached, entered=entered)
        for config in read.configs:
            closure.run(config)
        if kind == EOF:
            reached = _Configs(self, entered=entered, configs=[one for one in reached.configs if one.state.kind == STOP])
        if not entered or not any(one.state.kind == STOP for one in reached.configs):
            for config in ended:
                reached.add(config)
        return reached.configs

    def merge(self, left: Stack, right: Stack, *, entered: bool) -> Stack:
        """Join two stacks; without the entered rules, "any" swallows everything."""
        if left is right:
            return left
        if left is NOTHING or right is NOTHING:
            if not entered:
                return NOTHING
            return right if left is NOTHING else left
        key = id(left), id(right), entered
        merged = self._merged.get(key)
        if merged is None:
            below = {state.number: (state, stack) for state, stack in left.below}
            for state, stack in right.below:
                known = below.get(state.number)
                below[state.number] = (state, stack if known is None else self.merge(known[1], stack, entered=entered))
            merged = self._merged[key] = self._intern(tuple(below[number] for number in sorted(below)))
        return merged

    def _intern(self, below: tuple[tuple[State, Stack], ...]) -> Stack:
        """Give the one stack of this content."""
        key = tuple((state.number, id(stack)) for state, stack in below)
        stack = self._stacks.get(key)
        if stack is None:
            stack = self._stacks[key] = Stack(below)
        return stack


class _Configs:
    """Configs, joined where state and alternative are the same."""

    def __init__(self, predictor: Predictor, *, entered: bool, configs: Iterable[Config] = ()) -> None:
        """Begin with some."""
        self.predictor = predictor
        self.entered = entered
        self.configs: list[Config] = []
        self.known: dict[tuple[int, int], Config] = {}
        for config in configs:
            self.add(config)

    def add(self, config: Config) -> None:
        """Add one."""
        key = config.state.number, config.alternative
        known = self.known.get(key)
        if known is None:
            # A copy, since what is joined changes.
            self.known[key] = config = config.at(config.state)
            self.configs.append(config)
            return
        known.stack = self.predictor.merge(known.stack, config.stack, entered=self.entered)
        known.outside |= config.outside
        known.kept |= config.kept


class _Closure:
    """Follows all moves that read no token."""

    def __init__(
        self,
        predictor: Predictor,
        found: _Configs,
        *,
        entered: bool,
        precedence: int | None = None,
        decision: Decision | None = None,
    ) -> None:
        """Begin; guards are looked at only with a precedence, and only in the decision's own rule."""
        self.predictor = predictor
        self.found = found
        self.entered = entered
        self.precedence = precedence
        self.left_recursive = decision.state.rule if decision is not None and decision.left_recursive else None
        self.seen: set[tuple[int, int, int, bool]] = set()

    def run(self, config: Config) -> None:
        """Follow from one config: what is found first is followed first."""
        waiting = [(config, 0, False)]
        while waiting:
            config, depth, once = waiting.pop()
            if once:
                key = config.state.number, config.alternative, id(config.stack), config.kept
                if key in self.seen:
                    continue
                self.seen.add(key)
            if config.state.kind == STOP:
                if config.stack is not NOTHING:
                    for state, stack in config.stack.below:
                        waiting.append((Config(state, config.alternative, stack, config.outside), depth, False))
                    continue
                if self.entered:
                    self.found.add(config)
                    continue
            waiting += reversed(list(self._follow(config, depth)))

    def _follow(self, config: Config, depth: int) -> Iterable[tuple[Config, int, bool]]:
        """Make one step in all directions."""
        state = config.state
        if not state.silent:
            self.found.add(config)
        moves = state.moves[1:] if state.loop_end is not None and _only_back_to(state.loop_end, config.stack) else state.moves
        for move in moves:
            following = self._step(config, move, depth)
            if following is None:
                continue
            if state.kind == STOP:
                following.kept = config.kept or (move.outermost and self.left_recursive == state.rule)
                following.outside = True
                yield following, depth - 1, True
            else:
                yield following, depth + (move.follow is not None and depth >= 0), False

    def _step(self, config: Config, move: Move, depth: int) -> Config | None:
        """Make one step, if it can be made without a token."""
        if move.tokens is not None:
            return None
        if move.follow is not None:
            return config.at(move.target, self.predictor.push(config.stack, move.follow))
        if move.guard is not None and self.precedence is not None and depth == 0 and move.guard < self.precedence:
            return None
        return config.at(move.target)


def _only_back_to(loop_end: State, stack: Stack) -> bool:
    """Tell whether all ways back lead to the end of this loop's body, so that the loop need not be entered here: it will be there."""
    return stack is not NOTHING and all(state is loop_end for state, _ in stack.below)


def _only(configs: Iterable[Config]) -> int:
    """Give the only alternative, or 0."""
    alternatives = {config.alternative for config in configs}
    return alternatives.pop() if len(alternatives) == 1 else 0


def _conflicts(configs: Iterable[Config]) -> Iterable[set[int]]:
    """Give the alternatives that are at the same state with the same stack."""
    together: dict[tuple[int, int], set[int]] = {}
    for config in configs:
        together.setdefault((config.state.number, id(config.stack)), set()).add(config.alternative)
    return together.values()


def _stuck(configs: list[Config]) -> bool:
    """Tell whether more tokens would not help."""
    if all(config.state.kind == STOP for config in configs):
        return True
    by_state: dict[int, set[int]] = {}
    for config in configs:
        by_state.setdefault(config.state.number, set()).add(config.alternative)
    return any(len(one) > 1 for one in _conflicts(configs)) and all(len(one) > 1 for one in by_state.values())


def _least_common(conflicts: Iterable[set[int]]) -> int:
    """Give the least alternative of all conflicts if it is the same everywhere, or 0."""
    least = {min(alternatives) for alternatives in conflicts}
    return least.pop() if len(least) == 1 else 0


def _finished(configs: Iterable[Config], ahead: int) -> int:
    """Give the least alternative that had come to the end of the decision's rule."""
    ended = [one.alternative for one in configs if one.outside or (one.state.kind == STOP and one.stack is NOTHING)]
    if not ended:
        raise NoWay(ahead)
    return min(ended)


def _decisions() -> Mapping[State, Decision]:
    """Find the decisions of the grammar by their states."""
    found: dict[State, Decision] = {}

    def look(elements: Iterable[Element]) -> None:
        for element in elements:
            match element:
                case Choice():
                    found[element.state] = Decision(element.state, [move.target for move in element.state.moves])
                    for alternative in element.alternatives:
                        look(alternative.body)
                case Repeat():
                    # A loop that must be entered decides where it goes back.
                    state = element.back if element.mark == "+" else element.state
                    found[state] = Decision(state, [move.target for move in state.moves])
                    look(element.body)
                case _:
                    pass

    for rule in RULES.values():
        look(rule.body)
        if rule.loop is not None:
            look((rule.loop,))
            found[rule.entry] = Decision(rule.entry, [move.target for move in rule.entry.moves], left_recursive=True)
    return found


DECISIONS = _decisions()
