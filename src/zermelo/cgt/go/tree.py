"""The game tree of a region: every line of play in it until all is settled, as a scored tree.

Trees are built by *area*: a position is worth Black's points less White's. Passing is free there, so a position in
which both sides would lose by moving is worth what it scores as it stands; everything else follows from the moves.
*Territory* scores (prisoners, moves into one's own territory cost a point) are area scores less the moves that Black
made more than White, so a region's territory game is its area game with a tax of one point a move.

Positions may repeat. Every cycle has captures by both sides in it (what one side adds, the other must take away), so
it is cut by forbidding one side's captures within cycles, or more than a few of them: that gives a tree that is at
least as good for the other side as any rule about repetition (simple ko, superko, none) makes the region. If the trees
for the two sides are equal, repetition does not matter; else they are what the region is worth if Black, or White, wins
the ko.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from zermelo import _native
from zermelo.cgt.go.ground import BLACK, COLOURS, EMPTY, SIGN, WHITE, Ground, played, standing_score
from zermelo.cgt.go.life import Settled, settle
from zermelo.cgt.go.simplest import Simplifier
from zermelo.cgt.scores.scored import Tree, leaf
from zermelo.errors import LimitReachedError

MOST_POSITIONS = 10_000
"""Regions with more positions than this are given up."""

Seki = Literal["stands", "low", "high"]
"""What a position is taken for in which nobody may move: its score as it stands, or the worst or best for Black."""


@dataclass(frozen=True)
class Step:
    """A move in a region: the area that it settles and the parts that it leaves."""

    point: int
    colour: str
    captured: tuple[int, ...]
    score: int
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Lines:
    """All positions of a region with the moves in them, and which positions repeat each other."""

    ground: Ground
    root: str
    steps: dict[str, tuple[Step, ...]]
    cycles: dict[str, int]
    """The number of the cycle that a position lies on; positions on none are left out."""

    def in_cycle(self, position: str, step: Step) -> bool:
        """May the position come back after this move?"""
        cycle = self.cycles.get(position)
        return cycle is not None and any(self.cycles.get(part) == cycle for part in step.parts)


def steps_from(ground: Ground, position: str, known: dict[str, Settled] | None = None) -> tuple[Step, ...]:
    """Every legal move of both sides, repetition not looked at; ``known`` remembers what positions settle into.

    >>> from zermelo.cgt.go.ground import Ground
    >>> [(step.colour, step.score) for step in steps_from(Ground(((1,), (0, 2), (1,))), "X.O")]
    [('x', 1), ('o', -1)]
    """
    found = []
    known = {} if known is None else known
    for point, stone in enumerate(position):
        if stone != EMPTY:
            continue
        for colour in COLOURS:
            after = played(ground, position, point, colour)
            if after is not None:
                settled = known.get(after[0])
                if settled is None:
                    settled = known[after[0]] = settle(ground, after[0])
                found.append(Step(point, colour, after[1], settled.score, settled.parts))
    return tuple(found)


def explore(ground: Ground, root: str, stop: Callable[[], bool] = lambda: False) -> Lines:
    """All lines of a region; raises where there are too many or ``stop`` says so.

    >>> from zermelo.cgt.go.ground import Ground
    >>> len(explore(Ground(((1,), (0, 2), (1,))), "X.O").steps)
    1
    """
    if stop():
        raise LimitReachedError("the limit was reached while a region was explored")
    near = [list(points) for points in ground.neighbours]
    found = _native.go_explore(near, root, MOST_POSITIONS, _native.Control())
    if found is None:
        raise LimitReachedError(f"the region has more than {MOST_POSITIONS:,} positions")
    positions, rows = found
    steps = {
        position: tuple(
            Step(point, BLACK if black else WHITE, tuple(captured), score, tuple(positions[part] for part in parts))
            for point, black, captured, score, parts in row
        )
        for position, row in zip(positions, rows, strict=True)
    }
    return Lines(ground, root, steps, _cycles(steps))


def _cycles(steps: dict[str, tuple[Step, ...]]) -> dict[str, int]:
    """The strongly connected components of more than one position (Tarjan 1972), without recursion."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    open_positions: list[str] = []
    is_open: set[str] = set()
    found: dict[str, int] = {}

    def after(position: str) -> Iterator[str]:
        return (part for step in steps[position] for part in step.parts)

    for root in steps:
        if root in index:
            continue
        work = [(root, after(root))]
        index[root] = low[root] = len(index)
        open_positions.append(root)
        is_open.add(root)
        while work:
            position, rest = work[-1]
            part = next(rest, None)
            if part is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[position])
                if low[position] == index[position]:
                    cut = open_positions.index(position)
                    members = open_positions[cut:]
                    del open_positions[cut:]
                    is_open.difference_update(members)
                    if len(members) > 1:
                        found.update(dict.fromkeys(members, index[position]))
            elif part not in index:
                index[part] = low[part] = len(index)
                open_positions.append(part)
                is_open.add(part)
                work.append((part, after(part)))
            elif part in is_open:
                low[position] = min(low[position], index[part])
    return found


@dataclass(frozen=True)
class Reading:
    """How kos and sekis are read: who wins the kos, how often the other side may still capture, what sekis are worth.

    >>> Reading(BLACK).captures
    0
    """

    ko_winner: str
    captures: int = 0
    """How many captures in one cycle the side has that does not win the ko."""
    seki: Seki = "stands"
    taxed: bool = False
    """Are trees with a tax of a point a move wanted as well?"""


Simplifiers = tuple[Simplifier, Simplifier]
"""For area trees, and for trees with a tax of a point a move."""


def simplifiers() -> Simplifiers:
    """New ones, for one region.

    >>> len(simplifiers())
    2
    """
    return Simplifier(by_stops=True), Simplifier()


State = tuple[str, int]
"""A position and the captures that the loser of the ko has left in its cycle."""


@dataclass(frozen=True)
class Worth:
    """What positions of a region are worth by area, under one reading of its kos and sekis."""

    lines: Lines
    reading: Reading
    trees: dict[State, Tree]
    """By area."""
    taxed: dict[State, Tree]
    """With a tax of a point a move, and so that who wins a ko has to fill it; empty where it is not asked for."""
    sekis: frozenset[str]
    """Positions in which whoever moves loses by it, and which are worth something else as they stand."""

    def of(self, position: str) -> Tree | None:
        """The tree of a position, None where this reading never comes to it."""
        return self.trees.get((position, self.reading.captures))

    @property
    def root(self) -> Tree:
        """The tree of the region."""
        return self.trees[self.lines.root, self.reading.captures]

    @property
    def taxed_root(self) -> Tree:
        """The tree of the region with a tax of a point a move, where that is asked for."""
        return self.taxed[self.lines.root, self.reading.captures]

    def after(self, values: Simplifiers, step: Step) -> Tree | None:
        """What a first move leaves, taxed where that is asked for, else by area; None where the reading forbids it."""
        states = states_after(self.lines, self.reading, (self.lines.root, self.reading.captures), step)
        if states is None:
            return None
        if self.reading.taxed:
            return _taxed(values[1], self.taxed, step, states)
        return _total(values[0], self.trees, step, states)


def states_after(lines: Lines, reading: Reading, state: State, step: Step) -> list[State] | None:
    """The states that a move leads to; None where it is one capture too many by the loser of a ko."""
    position, left = state
    if step.colour != reading.ko_winner and step.captured and lines.in_cycle(position, step):
        left -= 1
        if left < 0:
            return None
    cycle = lines.cycles.get(position)
    same = (cycle is not None and lines.cycles.get(part) == cycle for part in step.parts)
    return [(part, left if stays else reading.captures) for part, stays in zip(step.parts, same, strict=True)]


def evaluate(lines: Lines, values: Simplifiers, reading: Reading, stop: Callable[[], bool] = lambda: False) -> Worth:
    """The trees of all positions of a region; raises where ``stop`` says so.

    >>> from zermelo.cgt.go.ground import Ground
    >>> lines = explore(Ground(((1,), (0, 2), (1,))), "X.O")
    >>> str(evaluate(lines, simplifiers(), Reading(BLACK)).root)
    '{1|-1}'
    """
    trees: dict[State, Tree] = {}
    taxed: dict[State, Tree] = {}
    sekis: set[str] = set()
    stack = [(lines.root, reading.captures)]
    while stack:
        state = stack[-1]
        if state in trees:
            stack.pop()
            continue
        afters = [(step, states_after(lines, reading, state, step)) for step in lines.steps[state[0]]]
        missing = [after for _, states in afters if states is not None for after in states if after not in trees]
        if missing:
            stack += missing
            continue
        if stop():
            raise LimitReachedError("the limit was reached while a region was valued")
        options: dict[str, list[Tree]] = {BLACK: [], WHITE: []}
        for step, states in afters:
            if states is not None:
                options[step.colour].append(_total(values[0], trees, step, states))
        stands = standing_score(lines.ground, state[0])
        trees[state], doubtful = _valued(values[0], options, stands, reading.seki)
        if reading.taxed:
            taxed[state] = _taxed_tree(values[1], reading.ko_winner, trees[state], taxed, afters)
        if doubtful:
            sekis.add(state[0])
        stack.pop()
    return Worth(lines, reading, trees, taxed, frozenset(sekis))


def _taxed_tree(
    simplifier: Simplifier,
    winner: str,
    by_area: Tree,
    taxed: dict[State, Tree],
    afters: list[tuple[Step, list[State] | None]],
) -> Tree:
    """The tree with a tax; a quiet position is its score, but who wins a ko there still has to end it."""
    options: dict[str, list[Tree]] = {BLACK: [], WHITE: []}
    for step, states in afters:
        if states is not None:
            options[step.colour].append(_taxed(simplifier, taxed, step, states))
    if by_area.number is None:
        return simplifier.node(options[BLACK], options[WHITE])
    if all(states is not None for _, states in afters) or not options[winner]:
        return by_area
    return _filled(options[winner], winner)


def _filled(options: list[Tree], winner: str) -> Tree:
    """A quiet position in which the loser of a ko would capture if it might: the winner still has to end the ko."""
    if winner == BLACK:
        return leaf(max(option.right_stop for option in options))
    return leaf(min(option.left_stop for option in options))


def _taxed(simplifier: Simplifier, trees: dict[State, Tree], step: Step, states: list[State]) -> Tree:
    """What a move leaves, less its cost."""
    return _total(simplifier, trees, step, states, -SIGN[step.colour])


def _total(simplifier: Simplifier, trees: dict[State, Tree], step: Step, states: list[State], extra: int = 0) -> Tree:
    """What a move leaves, with the area that it settles."""
    if len(states) == 1:
        return simplifier.moved(trees[states[0]], step.score + extra)
    return simplifier.moved(simplifier.total(trees[state] for state in states), step.score + extra)


def _valued(simplifier: Simplifier, options: dict[str, list[Tree]], stands: int, seki: Seki) -> tuple[Tree, bool]:
    """The tree with these options, and whether it is a seki.

    Where the best that Black gets by moving is less than the best that White gets, both pass: neither can be made to
    move, and each may move where that is better for it than the score as it stands.
    """
    black = max((option.right_stop for option in options[BLACK]), default=None)
    white = min((option.left_stop for option in options[WHITE]), default=None)
    if black is not None and white is not None and black >= white:
        return simplifier.node(options[BLACK], options[WHITE]), False
    if black is not None and white is not None and black < stands < white:
        return leaf({"low": black, "stands": Fraction(stands), "high": white}[seki]), True
    value = Fraction(stands) if black is None else max(Fraction(stands), black)
    return leaf(value if white is None else min(value, white)), False
