"""Endgames of Go, as the checker takes them apart: what is settled, and every region as a scored tree.

What stays open is played out move by move. What has to be believed beyond the rules are four things:

* *Life* (Benson, "Life in the game of Go", 1976): chains of one colour are alive for good if each has two regions that
  they enclose and all of whose empty points are liberties of it. Only regions count in which the other side can never
  live, so that nobody ever has to move there; chains given as alive need none. Points enclosed by living stones of one
  side are its territory if no two of them that touch no living stone lie apart: the other side finds no two eyes.
* *Parts.* What living stones keep apart is a sum of games (Yedwab 1985, chapter 6).
* *Repetition.* Every cycle has captures of both sides in it. If one side may capture only a few times within cycles,
  the other is at least as well off as by any rule about repetition. Where both sides would lose by moving, a seki is
  worth at least what Black gets by moving first there and at most what White has to leave him. If the worst reading
  for Black and the best give the same tree, neither such rules nor sekis matter; else the region is refused.
* *Scoring.* Trees are made by area, where passing is free. By territory every move costs its player a point: the tree
  is the area tree with a tax of a point a move (Berlekamp and Wolfe, *Mathematical Go*, 1994).

A position is a string with a letter for each point: ``.`` empty, ``x`` and ``o`` stones, ``X`` and ``O`` living ones,
``#`` (on the board also ``b`` and ``w``) what does not belong to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Literal

from zermelo.check.games import Games
from zermelo.check.groups import groups
from zermelo.check.trees import Trees, folded
from zermelo.check.walls import Corners, thermograph
from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.limits import Limits

MOST_EMPTY, MOST_POSITIONS, MOST_CAPTURES = 14, 10_000, 2
"""Regions of more empty points or positions are refused; so are those for which so many captures are too few."""
SCALE = 1 << 256
"""Corners of thermographs are whole numbers of such parts: walls meet halfway between two at worst, once a move."""
SIGN = {"x": 1, "o": -1, "X": 1, "O": -1, "b": 1, "w": -1}
OTHER = {"x": "o", "o": "x"}

Near = Sequence[Sequence[int]]
"""For each point its neighbours."""


def around(size: int) -> list[list[int]]:
    """The neighbours of all points of a board, row by row.

    >>> around(2)
    [[2, 1], [3, 0], [0, 3], [1, 2]]
    """
    near = []
    for row, column in product(range(size), repeat=2):
        beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        near.append([r * size + c for r, c in beside if 0 <= r < size and 0 <= c < size])
    return near


# Stones


def chain(near: Near, stones: str, point: int) -> list[int]:
    """The stones that hang together with one.

    >>> chain(around(2), "xx.o", 0)
    [0, 1]
    """
    found, own = [point], stones[point].lower()
    seen = {point}
    for stone in found:
        for other in near[stone]:
            if other not in seen and stones[other].lower() == own:
                seen.add(other)
                found.append(other)
    return found


def is_free(near: Near, stones: str, group: Iterable[int]) -> bool:
    """Has a chain a liberty, or a stone that lives anyway?

    >>> is_free(around(2), "xo.x", [0]), is_free(around(2), "xoox", [0])
    (True, False)
    """
    return any(stones[point].isupper() or any(stones[other] == "." for other in near[point]) for point in group)


def placed(near: Near, stones: str, point: int, stone: str) -> tuple[str, list[int]] | None:
    """The stones after a move and the points that it captured; None where it is suicide.

    >>> placed(around(2), "o.xx", 1, "x"), placed(around(2), ".xx.", 0, "o")
    (('.xxx', [0]), None)
    """
    board = stones[:point] + stone + stones[point + 1 :]
    captured: set[int] = set()
    for other in near[point]:
        if board[other] == OTHER[stone]:
            group = chain(near, board, other)
            if not is_free(near, board, group):
                captured.update(group)
    if captured:
        return "".join("." if at in captured else here for at, here in enumerate(board)), sorted(captured)
    return (board, []) if is_free(near, board, chain(near, board, point)) else None


def standing(near: Near, stones: str) -> int:
    """Black's area less White's as the stones stand, none of them dead; living ones are counted elsewhere.

    >>> standing(around(2), "x.x."), standing(around(2), "x..o")
    (4, 0)
    """
    score = stones.count("x") - stones.count("o")
    for area in groups((point for point, stone in enumerate(stones) if stone == "."), near.__getitem__):
        owners = {stones[other].lower() for point in area for other in near[point]} & {"x", "o"}
        score += len(area) * SIGN[owners.pop()] if len(owners) == 1 else 0
    return score


# What is settled


def no_room(near: Near, points: Iterable[int], stones: str, walls: str) -> bool:
    """Can nobody make two eyes among points apart from those that touch the walls?

    >>> no_room(around(3), range(9), ".........", "x")
    False
    """
    inner = [point for point in points if not any(stones[other] in walls for other in near[point])]
    return len(inner) < 2 or (len(inner) == 2 and inner[1] in near[inner[0]])


def alive(near: Near, stones: str, colour: str) -> set[int]:
    """The stones of a colour that live whatever happens: the largest set of chains that keep each other alive.

    >>> sorted(alive(around(3), "x.x" "xxx" ".x.", "x"))
    [0, 2, 3, 4, 5, 7]
    """
    own = colour + colour.upper()
    chains = groups((point for point, stone in enumerate(stones) if stone in own), near.__getitem__)
    of = {point: number for number, group in enumerate(chains) for point in group}
    given = {of[point] for point in of if stones[point].isupper()}
    enclosed: list[tuple[set[int], set[int]]] = []  # chains around an area; those that touch all its empty points
    others = [point for point, stone in enumerate(stones) if stone not in own and stone not in "#bw"]
    for area in groups(others, near.__getitem__):
        if OTHER[colour].upper() not in {stones[point] for point in area} and no_room(near, area, stones, own):
            touching = [{of[other] for other in near[point] if other in of} for point in area]
            empty = [found for point, found in zip(area, touching, strict=True) if stones[point] == "."]
            borders = set().union(*touching)
            enclosed.append((borders, borders.intersection(*empty)))
    living = set(range(len(chains)))
    while True:
        eyes = [vital for borders, vital in enclosed if borders <= living]
        kept = {number for number in living if number in given or sum(number in vital for vital in eyes) > 1}
        if kept == living:
            return {point for number in living for point in chains[number]}
        living = kept


@dataclass(frozen=True)
class Settled:
    """What a position falls into: labels of all points, the area that has become somebody's, and what stays open.

    >>> settle(around(3), "x.x" "xxx" ".x.")
    Settled(labels='XbXXXXbXb', score=9, parts=())
    """

    labels: str
    score: int
    parts: tuple[str, ...]


def settle(near: Near, stones: str) -> Settled:
    """Takes a position apart."""
    living = alive(near, stones, "x") | alive(near, stones, "o")
    labels = "".join(stone.upper() if point in living else stone for point, stone in enumerate(stones))
    score = sum(SIGN[stones[point]] for point in living if stones[point].islower())
    parts, owned = [], dict[int, str]()
    for group in groups((point for point, label in enumerate(labels) if label in ".xo"), near.__getitem__):
        walls = {labels[other] for point in group for other in near[point]} & {"X", "O"}
        if len(walls) == 1 and no_room(near, group, labels, *walls):
            owner = "b" if walls == {"X"} else "w"
            owned |= dict.fromkeys(group, owner)
            score += SIGN[owner] * len(group)
        else:
            kept = {other for point in group for other in (point, *near[point])}
            parts.append("".join(label if point in kept else "#" for point, label in enumerate(labels)))
    return Settled("".join(owned.get(point, label) for point, label in enumerate(labels)), score, tuple(parts))


def components(trees: Trees, stones: str, marked: str, settled: Fraction, *, by_area: bool) -> list[int]:
    """The endgame as a sum: what is settled, with what else is added to the score, and a tree for every region.

    ``NotApplicableError`` where a region has no tree: too large, or a ko or a seki matters.

    >>> trees = Trees()
    >>> found = components(trees, "x.ox.ox.o", "X.OX.OX.O", Fraction(0), by_area=False)
    >>> [trees.numbers[game] for game in found], trees.left[found[1]], trees.zero
    ([Fraction(0, 1), None], (0,), 0)
    """
    size = round(len(stones) ** 0.5)
    near = around(size)
    found = settle(near, marked)
    owned = [(stone, label) for stone, label in zip(stones, found.labels, strict=True) if label in "XObw"]
    score = settled + sum(SIGN[label] for _, label in owned)
    if not by_area:  # the area less the stones on it, so that dead stones count twice
        score -= sum(SIGN[stone] for stone, _ in owned if stone != ".")
    return [trees.number(score), *(region_tree(trees, near, part, by_area=by_area) for part in found.parts)]


# Regions


@dataclass(frozen=True)
class Step:
    """A move in a region: who makes it, whether it captures, the area that it settles and the parts that it leaves."""

    colour: str
    captures: bool
    score: int
    parts: tuple[str, ...]


def region_tree(trees: Trees, near: Near, part: str, *, by_area: bool) -> int:
    """The tree of a region; the same one that anybody finds who makes simplest forms, or none at all.

    >>> trees = Trees()
    >>> trees.left[region_tree(trees, around(3), "XXX..OXXX", by_area=False)], trees.number(Fraction(1))
    ((2,), 2)
    """
    places = [point for point, stone in enumerate(part) if stone not in "#bw"]
    number = {place: at for at, place in enumerate(places)}
    root = "".join(part[place] for place in places)
    if root.count(".") > MOST_EMPTY:
        raise NotApplicableError(f"a region of over {MOST_EMPTY} empty points is not played out")
    ground = [[number[other] for other in near[place] if other in number] for place in places]
    values = _Values(_Lines(ground, root, trees.tick), trees.tick)
    tree = values.tree()
    if not by_area:  # stones that stand there already have cost nothing
        tree = values.moved(values.cooled(tree), root.count("o") - root.count("x"))
    return trees.taken_over(values.games, tree)


class _Lines:
    """All lines of play in a region: the moves of every position, and which positions may come back."""

    def __init__(self, near: Near, root: str, tick: Callable[[], None]) -> None:
        self.near, self.root = near, root
        self.steps: dict[str, list[Step]] = {}
        self.settled = cache(partial(settle, near))
        waiting = [root]
        while waiting:
            position = waiting.pop()
            if position in self.steps:
                continue
            tick()
            if len(self.steps) >= MOST_POSITIONS:
                raise LimitReachedError(f"a region of over {MOST_POSITIONS:,} positions")
            self.steps[position] = self.moves(position)
            waiting += [part for step in self.steps[position] for part in step.parts]
        self.cycle = self.cycles()

    def moves(self, position: str) -> list[Step]:
        found = []
        for point in [at for at, stone in enumerate(position) if stone == "."]:
            for colour in "xo":
                after = placed(self.near, position, point, colour)
                if after is not None:
                    stones, captured = after
                    settled = self.settled(stones)
                    found.append(Step(colour, bool(captured), settled.score, settled.parts))
        return found

    def cycles(self) -> dict[str, int]:
        """A number for each position, the same for those that can lead to each other (Kosaraju, Sharir 1981)."""
        after = {position: [part for step in steps for part in step.parts] for position, steps in self.steps.items()}
        before: dict[str, list[str]] = {position: [] for position in after}
        for position, parts in after.items():
            for part in parts:
                before[part].append(position)
        ended, entered = list[str](), set[str]()
        stack = [(self.root, False)]
        while stack:
            position, done = stack.pop()
            if done:
                ended.append(position)
            elif position not in entered:
                entered.add(position)
                stack.append((position, True))
                stack += [(part, False) for part in after[position]]
        number: dict[str, int] = {}
        for last in reversed(ended):
            here, group = len(number), [last]  # a number that no other group has
            for position in group:
                if number.setdefault(position, here) == here:
                    group += [earlier for earlier in before[position] if earlier not in number]
        return number

    def comes_back(self, position: str, step: Step) -> bool:
        """May the position be met again after this move?"""
        return any(self.cycle[part] == self.cycle[position] for part in step.parts)


@dataclass(frozen=True)
class _Reading:
    """Who wins the kos, how often the other side may still capture in a cycle, and what sekis are worth."""

    winner: str
    captures: int
    seki: Literal["stands", "low", "high"]


State = tuple[str, int]
"""A position, and how often the loser of the kos may still capture in its cycle."""


class _Values:
    """What the positions of a region are worth by area.

    A game whose two stops are equal is taken for that number: what is left of it is infinitesimal and changes no score
    of any sum (Grossman and Siegel, "Reductions of partizan games", 2009).
    """

    def __init__(self, lines: _Lines, tick: Callable[[], None]) -> None:
        self.lines, self.games = lines, Games(Limits())
        self.games.tick = tick
        self.plus = cache(self._plus)
        self.moved = cache(lambda game, by: self.games.moved(game, Fraction(by)))
        self._cooled: dict[int, int] = {}
        self._corners: dict[int, Corners] = {}

    def tree(self) -> int:
        """The region by area; ``NotApplicableError`` where repetition or a seki matters.

        The first reading is the worst for Black, the second the best: whatever the rules say lies between them.
        """
        for captures in range(MOST_CAPTURES + 1):
            worst = self.under(_Reading("o", captures, "low"))
            best = self.under(_Reading("x", captures, "high"))
            if self.cooled(worst) == self.cooled(best):  # by parity that is equality for every score
                return self.under(_Reading("o", captures, "stands"))
        raise NotApplicableError("a region is worth no one tree: a ko, some other repetition or a seki matters")

    def under(self, reading: _Reading) -> int:
        """What the region is worth under a reading."""
        made: dict[State, int] = {}

        def afters(state: State) -> list[tuple[Step, list[State]]]:
            found = [(step, self.after(reading, state, step)) for step in self.lines.steps[state[0]]]
            return [(step, states) for step, states in found if states is not None]

        def inner(state: State) -> list[State]:
            return [after for _, states in afters(state) for after in states]

        def value(state: State) -> int:
            self.games.tick()
            return self.value(state[0], reading.seki, afters(state), made)

        return folded((self.lines.root, reading.captures), inner, made, value)

    def after(self, reading: _Reading, state: State, step: Step) -> list[State] | None:
        """The states that a move leads to; None where it is one capture too many."""
        position, left = state
        cycle = self.lines.cycle
        if step.colour != reading.winner and step.captures and self.lines.comes_back(position, step):
            left -= 1
        if left < 0:
            return None
        return [(part, left if cycle[part] == cycle[position] else reading.captures) for part in step.parts]

    def value(self, position: str, seki: str, afters: list[tuple[Step, list[State]]], made: dict[State, int]) -> int:
        """Where a side would lose by moving it passes; where both would, and the score as it stands is better for both
        than what moving gives them, that is a seki."""
        options: dict[str, list[int]] = {"x": [], "o": []}
        for step, states in afters:
            total = self.games.zero
            for state in states:
                total = self.plus(total, made[state])
            options[step.colour].append(self.moved(total, step.score))
        black = max((self.games.right_first[option][0] for option in options["x"]), default=None)
        white = min((self.games.left_first[option][0] for option in options["o"]), default=None)
        if black is not None and white is not None and black >= white:
            return self.node(options["x"], options["o"])
        stands = Fraction(standing(self.lines.near, position))
        if black is not None and white is not None and black < stands < white:
            return self.games.number({"low": black, "stands": stands, "high": white}[seki])
        least = stands if black is None else max(stands, black)
        return self.games.number(least if white is None else min(least, white))

    # Simplest forms

    def node(self, left: Sequence[int], right: Sequence[int]) -> int:
        made = self.games.canonical(left, right)
        high, low = self.games.left_first[made][0], self.games.right_first[made][0]
        return self.games.number(high) if high == low else made

    def _plus(self, one: int, other: int) -> int:
        """The sum; at most as deep as both games are, which are those of small regions."""
        games = self.games
        for game, rest in ((one, other), (other, one)):
            number = games.numbers[game]
            if number is not None:
                return games.moved(rest, number)
        left, right = (
            [self.plus(o, other) for o in side[one]] + [self.plus(one, o) for o in side[other]]
            for side in (games.left, games.right)
        )
        return self.node(left, right)

    def cooled(self, root: int) -> int:
        """The game with a tax of a point a move; where nobody gains by moving then, as in a number, it is its mean."""
        games, known = self.games, self._cooled

        def chilled(game: int) -> int:
            left = [self.moved(known[option], -1) for option in games.left[game]]
            right = [self.moved(known[option], 1) for option in games.right[game]]
            made = games.canonical(left, right)
            return made if games.numbers[made] is None else games.number(self.mean(game))

        return games.folded(root, known, chilled)

    def mean(self, root: int) -> Fraction:
        """Where the mast of the thermograph stands."""
        games, known = self.games, self._corners

        def drawn(game: int) -> Corners:
            number = games.numbers[game]
            if number is not None:
                scaled = int(number * SCALE)
                return ((0, scaled, scaled),)
            return thermograph([known[o] for o in games.left[game]], [known[o] for o in games.right[game]])

        return Fraction(games.folded(root, known, drawn)[-1][1], SCALE)
