"""What every node of a graph is worth to every role, from the ends backwards, where no position repeats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import product
from math import prod
from typing import Final

from zermelo.errors import NotApplicableError
from zermelo.exact.matrix_game import matrix_game
from zermelo.game import Score, plain_score
from zermelo.graph import AT_ONCE_TURN, CHANCE_TURN, OVER_TURN, GameGraph
from zermelo.options import TIES
from zermelo.search.expectation import weighted_mean

Vector = tuple[Score, ...]
"""What each role gets."""


class Interests(Enum):
    """How the scores of the roles of a game relate."""

    COMMON = "common"
    """One role, or several that have the same at every end."""
    OPPOSED = "opposed"
    """Two roles, and what one gains the other loses."""
    OWN = "own"
    """Everything else."""


def interests_of(graph: GameGraph, roles: int) -> Interests:
    """How the scores relate over all ends.

    >>> from zermelo.games import make_game
    >>> from zermelo.graph import graph_of
    >>> from zermelo.limits import Limits
    >>> interests_of(graph_of(make_game("nim:1"), Limits()), 2)
    <Interests.OPPOSED: 'opposed'>
    """
    scores = set(graph.results.values())
    if roles == 2 and len({sum(each) for each in scores}) <= 1:
        return Interests.OPPOSED
    return Interests.COMMON if all(len(set(each)) == 1 for each in scores) else Interests.OWN


@dataclass
class Payoffs:
    """For every node a vector; an edge where one role moves (else -1); a mixture of each mover where several do."""

    values: list[Vector]
    edges: list[int]
    mixtures: dict[int, tuple[tuple[Fraction, ...], ...]] = field(default_factory=dict)
    known: int = 0
    """How many nodes are final."""


class Induction:
    """Backward induction over a graph: :meth:`settle` gives one node its vector, once its successors have theirs."""

    def __init__(self, graph: GameGraph, roles: int, ties: str = TIES[0]) -> None:
        self.graph, self.interests = graph, interests_of(graph, roles)
        self.found = Payoffs([()] * len(graph.turn), [-1] * len(graph.turn))
        self._better: Callable[[Vector, Vector, int], bool] = _BETTER[ties]
        self._matrices: dict[tuple[int, int, tuple[Score, ...]], tuple[Fraction, tuple[tuple[Fraction, ...], ...]]] = {}

    def settle(self, node: int) -> None:
        """The vector of a node, and what is played there."""
        graph, found = self.graph, self.found
        begin, end, turn = graph.first_edge[node], graph.first_edge[node + 1], graph.turn[node]
        if turn == OVER_TURN:
            found.values[node] = graph.results[node]
        elif turn == CHANCE_TURN:
            weights = [graph.probability[edge] for edge in range(begin, end)]
            after = [found.values[child] for child in graph.target[begin:end]]
            found.values[node] = tuple(weighted_mean(weights, column) for column in zip(*after, strict=True))
        elif turn == AT_ONCE_TURN:
            self._at_once(node, begin)
        else:
            self._choose(node, range(begin, end), turn)
        found.known += 1

    def _choose(self, node: int, edges: range, mover: int) -> None:
        target, values, better = self.graph.target, self.found.values, self._better
        chosen = edges[0]
        best = values[target[chosen]]
        for edge in edges[1:]:
            after = values[target[edge]]
            if after[mover] > best[mover] or (after[mover] == best[mover] and better(after, best, mover)):
                chosen, best = edge, after
        self.found.edges[node], self.found.values[node] = chosen, best

    def _at_once(self, node: int, begin: int) -> None:
        movers, sizes = self.graph.together[node]
        values = self.found.values
        after = [values[child] for child in self.graph.target[begin : begin + prod(sizes)]]
        choosing = [mover for mover, size in zip(movers, sizes, strict=True) if size > 1]
        if len(choosing) <= 1 or self.interests is Interests.COMMON:
            mover = choosing[0] if choosing else movers[0]
            best = max(range(len(after)), key=lambda place: after[place][mover])
            places = next(places for place, places in enumerate(product(*map(range, sizes))) if place == best)
            self.found.values[node] = after[best]
            self.found.mixtures[node] = tuple(_only(place, size) for place, size in zip(places, sizes, strict=True))
            return
        if self.interests is Interests.OWN:
            raise NotApplicableError(
                "several roles whose scores do not add up to the same number move at once: values are defined by "
                "backward induction where one moves at a time, or where two opposed roles do"
            )
        first, mixtures = self._matrix(movers[0], sizes, tuple(vector[0] for vector in after))
        self.found.values[node] = (first, sum(after[0]) - first)
        self.found.mixtures[node] = mixtures

    def _matrix(
        self, mover: int, sizes: Sequence[int], firsts: tuple[Score, ...]
    ) -> tuple[Fraction, tuple[tuple[Fraction, ...], ...]]:
        """The first role's value of a matrix game, and the mixtures in the order of the movers; many come again."""
        rows, columns = sizes
        if (known := self._matrices.get((mover, rows, firsts))) is not None:
            return known
        gain = [firsts[place : place + columns] for place in range(0, len(firsts), columns)]
        if mover == 0:
            solved = matrix_game(gain)
            found = solved.value, (solved.rows, solved.columns)
        else:
            solved = matrix_game([[-entry for entry in row] for row in gain])
            found = -solved.value, (solved.rows, solved.columns)
        self._matrices[mover, rows, firsts] = found
        return found


def _only(place: int, size: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(number == place) for number in range(size))


def replies(mixtures: Sequence[Sequence[Fraction]], after: Sequence[Vector]) -> list[list[Vector]]:
    """For every mover what each of its moves comes to, while the others mix theirs; ``after`` is in order of the moves.

    >>> half = Fraction(1, 2)
    >>> rows, columns = replies([(half, half), (1, 0)], [(1, -1), (0, 0), (-1, 1), (4, -4)])
    >>> [(int(first), int(second)) for first, second in rows], [(int(first), int(second)) for first, second in columns]
    ([(1, -1), (-1, 1)], [(0, 0), (2, -2)])
    """
    found = [[[Fraction(0)] * len(after[0]) for _ in mixture] for mixture in mixtures]
    for places, vector in zip(product(*(range(len(mixture)) for mixture in mixtures)), after, strict=True):
        for mover, place in enumerate(places):
            others = (mixtures[other][at] for other, at in enumerate(places) if other != mover)
            if weight := prod(others, start=Fraction(1)):
                row = found[mover][place]
                found[mover][place] = [known + weight * score for known, score in zip(row, vector, strict=True)]
    return [[tuple(map(plain_score, vector)) for vector in moves] for moves in found]


def others_get(vector: Vector, mover: int) -> Score:
    """What all roles but one get together.

    >>> others_get((1, 2, 3), 1)
    4
    """
    return sum(vector) - vector[mover]


def _first(after: Vector, best: Vector, mover: int) -> bool:
    del after, best, mover
    return False


def _more(after: Vector, best: Vector, mover: int) -> bool:
    return others_get(after, mover) > others_get(best, mover)


def _less(after: Vector, best: Vector, mover: int) -> bool:
    return others_get(after, mover) < others_get(best, mover)


_BETTER: Final[dict[str, Callable[[Vector, Vector, int], bool]]] = dict(zip(TIES, (_first, _more, _less), strict=True))
"""For each rule for ties whether a move that is as good for the mover takes the place of the one before."""
