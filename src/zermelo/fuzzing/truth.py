"""The value of a small game by trying everything, from its rules alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

from zermelo.game import CHANCE, Game, Score, plain_score

MOST_POSITIONS = 3000
"""Larger games are not tried."""
MOST_STRATEGIES = 96
"""More pairs of strategies are not tried where positions repeat under chance."""

Vector = tuple[Score, ...]
Edges = list[tuple[Any, Fraction]]


class TooLargeError(Exception):
    """A game that is too large to be tried, or of which it is not known what its value is."""


def truth(game: Game, most: int = MOST_POSITIONS) -> Score:
    """The first role's score under best play; means where chance moves.

    >>> from zermelo.games import make_game
    >>> truth(make_game("nim:1,2")), truth(make_game("nim:2,2"))
    (1, -1)
    """
    return truths(game, most=most)[0]


def truths(game: Game, ties: str = "first", most: int = MOST_POSITIONS) -> Vector:
    """The score of every role under best play of each for itself, ties taken as ``--ties`` says.

    Play is cut after ever more plies, and what is cut counts as endless play: with as many plies as positions nothing
    changes any more. Where chance moves in positions that repeat, all pairs of strategies are tried instead.

    >>> from zermelo.games import make_game
    >>> truths(make_game("nim:1,2")), truths(make_game("pig:2,2"))
    ((1, -1), (Fraction(2, 3), Fraction(1, 3)))
    """
    rules = _Rules(game, ties, most)
    if rules.chance and rules.repeats():
        return rules.by_strategies()
    values = {place: rules.endless if end is None else end for place, end in rules.ends.items()}
    # Against the order in which positions were met, most are settled after few rounds.
    for _ in range(len(rules.ends) + 1):
        changed = False
        for place in reversed(rules.children):
            value = rules.step(place, [values[child] for child, _ in rules.children[place]])
            changed, values[place] = changed or value != values[place], value
        if not changed:
            return values[rules.start]
    raise TooLargeError


class _Rules:
    """A game with all its positions, and where each leads."""

    def __init__(self, game: Game, ties: str, most: int) -> None:
        self.game, self.roles, self.start = game, game.roles, game.start()
        self.endless: Vector = game.endless or (0,) * len(game.roles)
        self.sign = {"first": 0, "best-for-others": 1, "worst-for-others": -1}[ties]
        self.turns: dict[Any, Any] = {}
        self.ends: dict[Any, Vector | None] = {}
        self.children: dict[Any, Edges] = {}
        self.explore(most)
        self.chance = CHANCE in self.turns.values()
        scores = [end for end in self.ends.values() if end is not None]
        self.opposed = len(self.roles) == 2 and len({sum(end) for end in scores}) <= 1
        self.common = all(len(set(end)) == 1 for end in scores)

    def explore(self, most: int) -> None:
        game, order, seen = self.game, [self.start], {self.start}
        for place in order:
            self.ends[place] = game.result(place)
            if self.ends[place] is not None:
                continue
            turn = self.turns[place] = game.turn(place)
            if turn == CHANCE:
                moves = [(move, Fraction(weight)) for move, weight in game.chances(place)]
            elif isinstance(turn, tuple):
                moves = [(move, Fraction(1)) for move in product(*(game.moves_of(place, role) for role in turn))]
            else:
                moves = [(move, Fraction(1)) for move in game.moves(place)]
            self.children[place] = [(game.play(place, move), weight) for move, weight in moves]
            for child, _ in self.children[place]:
                if child not in seen:
                    seen.add(child)
                    order.append(child)
            if len(order) > most:
                raise TooLargeError

    def step(self, place: Any, after: Sequence[Vector]) -> Vector:
        """What a position is worth, from what follows its moves."""
        turn = self.turns[place]
        if turn == CHANCE:
            weights = [weight for _, weight in self.children[place]]
            return tuple(_mean(weights, column) for column in zip(*after, strict=True))
        if isinstance(turn, tuple):
            return self.at_once(place, turn, after)
        mover = self.roles.index(turn)
        if not self.sign or self.opposed:
            return max(after, key=lambda vector: vector[mover])
        return max(after, key=lambda vector: (vector[mover], self.sign * (sum(vector) - vector[mover])))

    def at_once(self, place: Any, turn: tuple[str, ...], after: Sequence[Vector]) -> Vector:
        """What a position is worth in which several roles move."""
        sizes = [len(self.game.moves_of(place, role)) for role in turn]
        if self.common or sum(size > 1 for size in sizes) <= 1:
            mover = self.roles.index(next((role for role, size in zip(turn, sizes, strict=True) if size > 1), turn[0]))
            return max(after, key=lambda vector: vector[mover])
        if not self.opposed:
            raise TooLargeError
        first = [vector[0] for vector in after]
        rows = [first[begin : begin + sizes[1]] for begin in range(0, len(first), sizes[1])]
        if turn[0] != self.roles[0]:
            rows = [list(column) for column in zip(*rows, strict=True)]
        value = plain_score(mixed_value(rows))
        return (value, plain_score(Fraction(sum(after[0]) - value)))

    def repeats(self) -> bool:
        """Whether some position can come back: what has no way in is taken away until nothing is left."""
        into = dict.fromkeys(self.ends, 0)
        for edges in self.children.values():
            for child, _ in edges:
                into[child] += 1
        free = [place for place, count in into.items() if not count]
        for place in free:
            for child, _ in self.children.get(place, ()):
                into[child] -= 1
                if not into[child]:
                    free.append(child)
        return len(free) < len(into)

    def by_strategies(self) -> Vector:
        """Of one role or two opposed ones: the best strategy against the best reply, both by the position alone."""
        choices = {place: range(len(edges)) for place, edges in self.children.items() if self.turns[place] != CHANCE}
        several = any(isinstance(self.turns[place], tuple) for place in choices)
        if several or not (self.opposed or len(self.roles) == 1) or prod(map(len, choices.values())) > MOST_STRATEGIES:
            raise TooLargeError
        mine = [place for place in choices if self.turns[place] == self.roles[0]]
        yours = [place for place in choices if self.turns[place] != self.roles[0]]
        first = max(
            min(
                self.expected(dict(zip([*mine, *yours], [*own, *other], strict=True)))
                for other in product(*(choices[place] for place in yours))
            )
            for own in product(*(choices[place] for place in mine))
        )
        total = sum(next((end for end in self.ends.values() if end is not None), self.endless))
        value = plain_score(first)
        return (value,) if len(self.roles) == 1 else (value, plain_score(Fraction(total - value)))

    def expected(self, chosen: dict[Any, int]) -> Fraction:
        """The first role's mean where everybody plays so; who cannot come to an end has what endless play scores."""
        after = {
            place: [edges[chosen[place]]] if place in chosen else [edge for edge in edges if edge[1]]
            for place, edges in self.children.items()
        }
        known = {place: Fraction(end[0]) for place, end in self.ends.items() if end is not None}
        ending, grown = set(known), True
        while grown:
            more = {place for place, edges in after.items() if any(child in ending for child, _ in edges)} - ending
            ending, grown = ending | more, bool(more)
        known |= dict.fromkeys(set(self.ends) - ending, Fraction(self.endless[0]))
        if self.start in known:
            return known[self.start]
        open_ = [place for place in self.ends if place not in known]
        rows = []
        for place in open_:
            row = {place: Fraction(1)}
            constant = Fraction(0)
            for child, weight in after[place]:
                if child in known:
                    constant += weight * known[child]
                else:
                    row[child] = row.get(child, Fraction(0)) - weight
            rows.append([row.get(other, Fraction(0)) for other in open_] + [constant])
        solved = solution_of_equations(rows)
        assert solved is not None, "from every open position there is a way to a known one"
        return solved[open_.index(self.start)]


def mixed_value(rows: Sequence[Sequence[Score]]) -> Fraction:
    """The value of a matrix game for the one who chooses the row.

    Its best guarantee is reached at a corner: some rows that are played make some columns worth the same. All choices
    of as many rows as columns are tried.

    >>> mixed_value([[1, -1], [-1, 1]]), mixed_value([[0, 2], [3, 1]])
    (Fraction(0, 1), Fraction(3, 2))
    """
    best: Fraction | None = None
    for size in range(1, min(len(rows), len(rows[0])) + 1):
        for played in combinations(range(len(rows)), size):
            for tied in combinations(range(len(rows[0])), size):
                # Shares and the value: each tied column gives the value, and the shares add up to one.
                equations = [[Fraction(rows[row][column]) for row in played] + [Fraction(-1), Fraction(0)]
                             for column in tied]  # fmt: skip
                solved = solution_of_equations([*equations, [Fraction(1)] * size + [Fraction(0), Fraction(1)]])
                if solved is None or min(solved[:size]) < 0:
                    continue
                sure = min(
                    sum((share * rows[row][column] for row, share in zip(played, solved, strict=False)), Fraction(0))
                    for column in range(len(rows[0]))
                )
                best = sure if best is None else max(best, sure)
    assert best is not None, "one row and one column always give a corner"
    return best


def solution_of_equations(rows: Sequence[Sequence[Fraction]]) -> list[Fraction] | None:
    """The solution of as many linear equations as unknowns, each with its constant last; ``None`` without just one.

    >>> solution_of_equations([[Fraction(2), Fraction(1)]])
    [Fraction(1, 2)]
    """
    table = [list(row) for row in rows]
    count = len(table)
    for place in range(count):
        pivot = next((row for row in range(place, count) if table[row][place]), None)
        if pivot is None:
            return None
        table[place], table[pivot] = table[pivot], table[place]
        scale = table[place][place]
        table[place] = [entry / scale for entry in table[place]]
        for row in range(count):
            if row != place and (factor := table[row][place]):
                table[row] = [entry - factor * own for entry, own in zip(table[row], table[place], strict=True)]
    return [row[-1] for row in table]


def _mean(weights: Sequence[Fraction], values: Sequence[Score]) -> Score:
    return plain_score(sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0)))
