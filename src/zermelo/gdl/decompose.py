"""Rulesheets taken apart: which facts and moves have nothing to do with each other.

Two heaps of nim, or two boards on which one may move, are games of their own that are played side by side. They show
in the rules (Günther, Schiffel and Thielscher 2009, "Factoring general games"): no fact of one looks at facts of the
other, and no move in one changes anything in the other. Facts that no move changes, such as whose turn it is or how
many steps were made, belong to all of them.

The rules are looked at in the circuit of the ground game, in which constants are folded: a move is put in, and what
comes out for a fact is compared with what comes out for the other moves. Where it is the same function for all of
them, the fact does not tell these moves apart. So what is called independent here is: the next value of each fact of a
part is a function of the facts of that part, of the common ones, and of which of the part's own moves is made, if any.
Rules may hide more: functions that are equal without having the same form are taken for different ones.

By that alone the cells of tic-tac-toe would be nine games. So the parts that the end and the goals look at together
are one, unless each of these is put together from conditions on single parts, none of them used twice: nim is over
when all heaps are gone, and a heap is a game of its own.

>>> from zermelo.gdl.ground import ground
>>> from zermelo.gdl.library import rulesheet
>>> found = decompose(ground(rulesheet("nim", "2,3")))
>>> [part.described[0] for part in found.parts], found.over
(['(size a ·)', '(size b ·)'], 'all')
>>> found.common
('(turn first)', '(turn second)')
>>> len(decompose(ground(rulesheet("tictactoe"))).parts)
1
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from zermelo.errors import LimitReachedError
from zermelo.gdl.folding import FALSE, TRUE, Folding
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.kif import read_term
from zermelo.gdl.syntax import Function

LONGEST_ROUND: Final = 16
"""Common facts that come back after so many steps are told apart, such as whose turn it is; others, such as counters of
steps, may be anything at any time."""
MOST_WORK: Final = 2_000_000
"""Gates that are looked at."""


@dataclass(frozen=True)
class Part:
    """A game of its own within a rulesheet: facts, and the moves that change them, each as ``role move``."""

    facts: tuple[str, ...]
    moves: tuple[str, ...]

    @cached_property
    def described(self) -> tuple[str, ...]:
        """The facts in short, one text for each kind of them."""
        return in_short(self.facts)


@dataclass(frozen=True)
class Decomposition:
    """The parts of a rulesheet, what is common to them, and moves that belong to none."""

    parts: tuple[Part, ...]
    common: tuple[str, ...]
    idle: tuple[str, ...]
    """Moves that change no fact but common ones, each as ``role move``."""
    over: Literal["all", "any", ""]
    """Whether play is over when all parts say so, or when one does; empty where there is one part, or no such rule."""

    @property
    def headline(self) -> str:
        """How many parts there are, in words.

        >>> Decomposition((), (), (), "").headline
        'no move changes anything'
        """
        if len(self.parts) < 2:
            return "one game, which does not fall apart" if self.parts else "no move changes anything"
        ends = {"all": ", over when all of them are", "any": ", over when one of them is", "": ""}[self.over]
        return f"{len(self.parts)} games side by side{ends}"

    @property
    def common_in_short(self) -> tuple[str, ...]:
        """The common facts in short."""
        return in_short(self.common)

    def to_json(self) -> dict[str, Any]:
        """All of it for JSON.

        >>> Decomposition((Part(("(heap 1)",), ("x take",)),), (), (), "").to_json()["parts"]
        [{'described': ['(heap 1)'], 'facts': ['(heap 1)'], 'moves': ['x take']}]
        """
        parts = [
            {"described": list(part.described), "facts": list(part.facts), "moves": list(part.moves)}
            for part in self.parts
        ]
        return {"parts": parts, "common": list(self.common), "idle": list(self.idle), "over": self.over}


def decompose(game: GroundReasoner, look: Callable[[], None] = lambda: None) -> Decomposition:
    """The parts of a ground game; ``look`` is called now and then.

    ``LimitReachedError`` where the rules are too many.
    """
    work = _Work(game, look)
    groups = _Groups()
    for fact in work.facts:
        groups.join(fact)
    idle = set(range(len(game.moves)))
    for case in work.cases():
        for move, facts in case.legal_by.items():
            if facts and move in case.choices:
                groups.join(*facts, *([work.move_node(move)] if move in case.moved else []))
        for fact, (looked_at, told_apart) in case.next_by.items():
            groups.join(fact, *looked_at, *map(work.move_node, told_apart))
            idle -= told_apart
    whole = work.folded({})
    for root in (work.terminal, *work.goals):
        _join_what_is_seen_together(work, groups, whole, whole.image(root))
    return _told(game, work, groups, idle, _over(work, groups, whole))


def _tops(work: _Work, groups: _Groups, whole: Folding, image: int) -> frozenset[int]:
    """The parts that an image looks at."""
    return frozenset(groups.top(node) for node in whole.support(image) if work.is_fact(node))


def _join_what_is_seen_together(work: _Work, groups: _Groups, whole: Folding, root: int) -> None:
    """Joins the parts that a condition looks at, unless it is put together from conditions on one part each."""
    pending = [root]
    while pending:
        image = pending.pop()
        if len(tops := _tops(work, groups, whole, image)) < 2:
            continue
        inputs = whole.parts(image)
        seen = [_tops(work, groups, whole, each) for each in inputs]
        used = Counter(top for each in seen for top in each)
        work.did(len(inputs) + 1)
        if not inputs:
            groups.join(*tops)
        for each, looked_at in zip(inputs, seen, strict=True):
            if len(looked_at) > 1 and any(used[top] > 1 for top in looked_at):
                groups.join(*looked_at)
            else:
                pending.append(each)


def _over(work: _Work, groups: _Groups, whole: Folding) -> Literal["all", "any", ""]:
    """How the end is put together from the ends of the parts."""
    image = whole.image(work.terminal)
    if len(_tops(work, groups, whole, image)) < 2:
        return ""
    if any(len(_tops(work, groups, whole, each)) > 1 for each in whole.parts(image)):
        return ""
    return "any" if image & 1 else "all"


class _Groups:
    """Sets that are joined (union-find)."""

    def __init__(self) -> None:
        self.above: dict[int, int] = {}

    def top(self, node: int) -> int:
        self.above.setdefault(node, node)
        while self.above[node] != node:
            self.above[node] = node = self.above[self.above[node]]
        return node

    def join(self, *nodes: int) -> None:
        tops = [self.top(node) for node in nodes]
        for other in tops[1:]:
            self.above[self.top(other)] = self.top(tops[0])


@dataclass(frozen=True)
class _Case:
    """What is found while the common facts that come round have fixed values."""

    choices: frozenset[int]
    """Moves that may be legal."""
    moved: frozenset[int]
    """Those of them that some fact tells apart from others."""
    legal_by: dict[int, frozenset[int]]
    """The facts that a move's being legal looks at."""
    next_by: dict[int, tuple[frozenset[int], frozenset[int]]]
    """For each fact, the facts that its next value looks at, and the moves that it tells apart."""


class _Work:
    """The circuit of a ground game, looked at for what depends on what."""

    def __init__(self, game: GroundReasoner, look: Callable[[], None]) -> None:
        kind, first_input, flat, block, following, legal, terminal, goal = game.native.circuit()
        begin, literals = first_input.tolist(), flat.tolist()
        self.look, self.work = look, 0
        self.roles = len(game.roles)
        self.first_move = list(game.native.first_move)
        self.fluents = len(game.fluents)
        self.first_gate = 1 + self.fluents + self.first_move[-1]
        self.is_or = kind.tolist()
        self.inputs = [tuple(literals[begin[gate] : begin[gate + 1]]) for gate in range(len(kind))]
        self.order = [(first, last, bool(cyclic)) for first, last, cyclic in block.reshape(-1, 3).tolist()]
        self.next, self.legal = following.tolist(), legal.tolist()
        self.terminal = terminal
        self.goals = [when for _, _, when in goal.reshape(-1, 3).tolist()]
        start = int.from_bytes(game.native.start(), "little")
        self.start = [bool(start >> fluent & 1) for fluent in range(self.fluents)]
        self.free = self._untouched()
        self.facts = [1 + fluent for fluent in range(self.fluents) if 1 + fluent not in self.free]

    def move_node(self, move: int) -> int:
        """The node of a move."""
        return 1 + self.fluents + move

    def is_fact(self, node: int) -> bool:
        """Whether a node is a fact that moves may change."""
        return 1 <= node <= self.fluents and node not in self.free

    def _untouched(self) -> set[int]:
        """Facts whose next values look at no move, nor at a fact that does: the common ones."""
        cones = [self.seen((literal,)) for literal in self.next]
        free = {1 + fluent for fluent in range(self.fluents)}
        while True:
            dropped = {fact for fact in free if not cones[fact - 1] <= free}
            if not dropped:
                return free
            free -= dropped

    def seen(self, roots: Iterable[int]) -> set[int]:
        """The facts and moves that literals look at."""
        pending, found, inputs = [literal >> 1 for literal in roots], set[int](), set[int]()
        while pending:
            node = pending.pop()
            if node in found:
                continue
            found.add(node)
            if node >= self.first_gate:
                pending.extend(literal >> 1 for literal in self.inputs[node - self.first_gate])
            elif node:
                inputs.add(node)
        self.did(len(found))
        return inputs

    def did(self, gates: int) -> None:
        """Takes note of work."""
        self.look()
        self.work += gates
        if self.work > MOST_WORK:
            raise LimitReachedError("the rules are too many to take them apart")

    def cases(self) -> Iterator[_Case]:
        """One case for each valuation of the common facts that come round."""
        for fixed in self._rounds():
            yield self._case(fixed)

    def _rounds(self) -> list[dict[int, int]]:
        """The valuations of the common facts that come back after a few steps, as they follow from the start."""
        kept: dict[int, list[bool]] = {}
        groups = _Groups()
        for fact in self.free:
            groups.join(fact, *self.seen((self.next[fact - 1],)))
        by_top = defaultdict(list)
        for fact in sorted(self.free):
            by_top[groups.top(fact)].append(fact)
        for facts in by_top.values():
            if (turns := self._come_round(facts)) is not None:
                kept |= turns
        if not kept:
            return [{}]
        length = max(len(turns) for turns in kept.values())
        seen = {}
        for step in range(LONGEST_ROUND * length):
            now = {fact: TRUE if turns[step % len(turns)] else FALSE for fact, turns in kept.items()}
            seen[tuple(now.values())] = now
        return list(seen.values())

    def _come_round(self, facts: Sequence[int]) -> dict[int, list[bool]] | None:
        """The values of facts step by step until they are those of the start again; nothing where that takes long."""
        now = {fact: self.start[fact - 1] for fact in facts}
        first, turns = dict(now), {fact: [value] for fact, value in now.items()}
        for _ in range(LONGEST_ROUND):
            folding = self.folded({fact: TRUE if value else FALSE for fact, value in now.items()})
            values = {fact: folding.image(self.next[fact - 1]) for fact in facts}
            if not set(values.values()) <= {TRUE, FALSE}:
                return None
            now = {fact: value == TRUE for fact, value in values.items()}
            if now == first:
                return turns
            for fact, value in now.items():
                turns[fact].append(value)
        return None

    def folded(self, fixed: dict[int, int]) -> Folding:
        """The circuit with some of its inputs fixed."""
        folding = Folding(self.first_gate, self.is_or, self.inputs, self.order, fixed)
        self.did(len(self.inputs))
        return folding

    def _case(self, fixed: dict[int, int]) -> _Case:
        base = self.folded(fixed)
        possible = [move for move, literal in enumerate(self.legal) if base.image(literal) != FALSE]
        by_role = [
            [move for move in possible if self.first_move[role] <= move < self.first_move[role + 1]]
            for role in range(self.roles)
        ]
        legal_by = {move: self._facts(base.support(base.image(self.legal[move]))) for move in possible}
        # Who has no choice makes the only move there is; what is not legal is not made.
        none = {self.move_node(move): FALSE for move in range(len(self.legal)) if move not in set(possible)}
        forced = {self.move_node(moves[0]): TRUE for moves in by_role if len(moves) == 1}
        next_by: dict[int, tuple[frozenset[int], frozenset[int]]] = {}
        looked: dict[int, set[int]] = defaultdict(set)
        apart: dict[int, set[int]] = defaultdict(set)
        choosing = [moves for moves in by_role if len(moves) > 1] or [[]]
        for moves in choosing:
            self._compare(fixed | none | forced, moves, looked, apart)
        for fact in self.facts:
            next_by[fact] = (frozenset(looked[fact]), frozenset(apart[fact]))
        moved = frozenset(move for told in apart.values() for move in told)
        return _Case(frozenset(possible), moved, legal_by, next_by)

    def _compare(
        self, fixed: dict[int, int], moves: Sequence[int], looked: dict[int, set[int]], apart: dict[int, set[int]]
    ) -> None:
        """Puts in one move of a role after the other, and compares what comes out for each fact."""
        base = self.folded(fixed | {self.move_node(move): FALSE for move in moves})
        by_fact: dict[int, list[int]] = defaultdict(list)
        made: Sequence[int | None] = moves or [None]
        for move in made:
            changed: dict[int, int] = {}
            if move is not None:
                above = base.above(self.move_node(move))
                self.did(len(above))
                changed = base.with_input(self.move_node(move), TRUE, above)
            for fact in self.facts:
                image = base.image(self.next[fact - 1], changed)
                by_fact[fact].append(image)
        for fact, images in by_fact.items():
            # The moves that a fact does not tell apart: those that leave it as it is, or else most of them.
            usual = 2 * fact if 2 * fact in images else Counter(images).most_common(1)[0][0]
            for move, image in zip(made, images, strict=True):
                if move is not None and image != usual:
                    apart[fact].add(move)
            for image in set(images):
                support = base.support(image)
                looked[fact] |= self._facts(support)
                # Moves of other roles that choose at the same time, and moves within recursive rules.
                apart[fact] |= {node - 1 - self.fluents for node in support if node > self.fluents}

    def _facts(self, support: Iterable[int]) -> frozenset[int]:
        return frozenset(node for node in support if self.is_fact(node))


def _told(
    game: GroundReasoner, work: _Work, groups: _Groups, idle: set[int], over: Literal["all", "any", ""]
) -> Decomposition:
    """The groups as facts and moves in words, those of nothing but facts that never change left out."""
    facts, moves = defaultdict(list), defaultdict(list)
    for node in work.facts:
        facts[groups.top(node)].append(game.fluents[node - 1])
    owner = [role for role in range(work.roles) for _ in range(work.first_move[role], work.first_move[role + 1])]
    named = [f"{game.roles[role]} {move}" for role, move in zip(owner, game.moves, strict=True)]
    for move, name in enumerate(named):
        if move not in idle:
            moves[groups.top(work.move_node(move))].append(name)
    parts = {top: Part(tuple(sorted(facts[top])), tuple(moves[top])) for top in facts if moves[top]}
    still = [fact for top, group in facts.items() if not moves[top] for fact in group]
    common = sorted([game.fluents[node - 1] for node in work.free] + still)
    ordered = sorted(parts.values(), key=lambda part: part.facts)
    unowned = tuple(named[move] for move in sorted(idle))
    return Decomposition(tuple(ordered), tuple(common), unowned, over if len(ordered) > 1 else "")


def in_short(terms: Sequence[str]) -> tuple[str, ...]:
    """Terms with one word for those that differ in places only: what differs is a dot.

    >>> in_short(["(heap a 1)", "(heap a 2)", "(control x)"])
    ('(control x)', '(heap a ·)')
    """
    found: dict[tuple[str, int], list[Function]] = defaultdict(list)
    plain = []
    for term in terms:
        read = read_term(term)
        if isinstance(read, Function) and read.args:
            found[read.name, len(read.args)].append(read)
        else:
            plain.append(term)
    told = []
    for (name, arity), group in found.items():
        seen = [{str(each.args[place]) for each in group} for place in range(arity)]
        told.append(f"({name} {' '.join(each.pop() if len(each) == 1 else '·' for each in seen)})")
    return tuple(sorted(plain + told))
