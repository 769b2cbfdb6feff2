"""What a part of a game proves.

Positions that were met but not expanded may be worth anything. With all of them taken for worse than any score the
part has a value that the game's cannot fall below; with all of them better than any, one that it cannot exceed. Play
that goes round in circles within the part counts as endless play, as always.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from zermelo import _native
from zermelo.game import Game, Score, plain_score
from zermelo.graph import CHANCE_TURN, OVER_TURN, GameGraph, Growing
from zermelo.search.expectation import expected_bounds


@dataclass(frozen=True)
class Side:
    """The part with all open positions for the worst there is, or for the best: labelled, ready to tell a strategy."""

    search: _native.Search
    outcome: _native.Outcome
    shown: bool
    """Whether play shows the bound, and not what the rules say of scores."""


@dataclass(frozen=True)
class Part:
    """Proved bounds on the first role's score, ``None`` where there is none, and the move that secures the mover's."""

    bounds: tuple[Score | None, Score | None] = (None, None)
    move: int | None = None  # as a place in the list of legal moves
    total: Score = 0  # what the scores of all roles add up to
    sides: tuple[Side, ...] = ()  # where chance does not move: how the bounds are attained
    scores: tuple[Score, ...] = ()  # in rising order; the kernels count their places from 1
    turn: int = 0  # the number of the role to move

    @property
    def value(self) -> Score | None:
        """The value of the game, where both bounds are the same."""
        return self.bounds[0] if self.bounds[0] == self.bounds[1] else None

    @property
    def shown(self) -> bool:
        """Whether play shows anything."""
        return any(side.shown for side in self.sides) or (not self.sides and self.bounds != (None, None))

    def values(self, moves: int) -> list[Score | None]:
        """The value after each of so many first moves, where the part decides it too."""
        found = []
        for index in range(moves):
            both = {self.score(side.search.solve_move(index, _native.Control()).lower) for side in self.sides}
            found.append(both.pop() if len(both) == 1 else None)
        return found

    def score(self, rank: int) -> Score | None:
        """The score that a kernel's number stands for; ``None`` for one beyond all known scores."""
        return self.scores[rank - 1] if 1 <= rank <= len(self.scores) else None


def proved_by_part(game: Game, graph: GameGraph) -> Part:
    """Bounds on a game's value from a graph that was explored in part; linear in its edges.

    >>> from zermelo.graph import graph_of
    >>> from zermelo.errors import LimitReachedError
    >>> from zermelo.games import make_game
    >>> from zermelo.limits import Limits
    >>> nim, graph = make_game("nim:2"), GameGraph()
    >>> try:
    ...     graph_of(nim, Limits(nodes=3), into=graph)
    ... except LimitReachedError as error:
    ...     print(error)
    limit reached after 3 positions, 1 still to visit
    >>> proved_by_part(nim, graph).bounds
    (1, None)
    """
    results = {node: result for node, result in graph.results.items() if node < graph.rows}
    totals = {sum(scores, Fraction(0)) for scores in results.values()}
    if not graph.rows or len(game.roles) > 2 or (len(game.roles) == 2 and len(totals) > 1):
        return Part()
    total: Score = 0 if len(game.roles) == 1 else next(iter(totals), sum(_endless(game)))
    firsts = {node: Fraction(result[0]) for node, result in results.items()}
    if CHANCE_TURN in graph.turn[: graph.rows]:
        lower, upper = expected_bounds(
            graph.first_edge, graph.target, graph.turn, graph.probability, firsts.get, (None, None)
        )
        return Part((_plain(lower), _plain(upper)), None, plain_score(total))

    def native(rank: Mapping[Score, int], frontier: int, endless: int) -> _native.Game:
        ends = {node: rank[first] for node, first in firsts.items()}
        return _native_part(graph, ends, frontier, endless, len(game.roles))

    return _bounded(game, set(firsts.values()), total, game.score_range, native)


def proved_by_growing(game: Game, growing: Growing) -> Part:
    """Bounds on a game's value from what has grown of it; linear in its edges.

    >>> from zermelo.games import make_game
    >>> from zermelo.limits import Limits
    >>> from zermelo.search.growing import ByRules
    >>> nim = make_game("nim:2")
    >>> growing = ByRules(nim, Limits())
    >>> growing.ask(0)
    >>> growing.grow(3)
    >>> proved_by_growing(nim, growing).bounds
    (1, None)
    """

    def native(rank: Mapping[Score, int], frontier: int, endless: int) -> _native.Game:
        return growing.growth.part([rank[score] for score in growing.scores], frontier, endless)

    return _bounded(game, set(growing.scores), growing.total, growing.score_range, native)


def _bounded(
    game: Game,
    known: set[Score],
    total: Score,
    score_range: tuple[Score, Score] | None,
    native: Callable[[Mapping[Score, int], int, int], _native.Game],
) -> Part:
    """Both bounds, each by labelling the part with its open positions for the worst, or the best, that they can be."""
    endless = _endless(game)
    limits = () if score_range is None else (min(score_range[0], endless[0]), max(score_range[1], endless[0]))
    scores = tuple(sorted({*known, *limits, endless[0]}))
    rank = {score: number for number, score in enumerate(scores, 1)}
    frontiers = tuple(rank[score] for score in limits) or (0, len(scores) + 1)
    sides, move, turn = [], None, 0
    for side, frontier in enumerate(frontiers):
        part = native(rank, frontier, rank[endless[0]])
        if not part.acyclic and len(game.roles) == 2 and total != sum(endless):
            return Part()  # a mistake in the game, which is reported when all of it is explored
        search = part.search("dp", _native.SearchParams())
        outcome, turn = search.solve(_native.Control()), part.turn
        shown = outcome.lower != frontier
        sides.append(Side(search, outcome, shown))
        if shown and turn == side and outcome.move >= 0:
            move = outcome.move
    plain = tuple(plain_score(score) for score in scores)
    found = Part((None, None), move, plain_score(total), tuple(sides), plain, turn)
    lower, upper = (found.score(side.outcome.lower) for side in sides)
    return Part((lower, upper), move, found.total, found.sides, plain, turn)


def _endless(game: Game) -> tuple[Score, ...]:
    return game.endless or (0,) * len(game.roles)


def _plain(bound: Fraction | None) -> Score | None:
    return None if bound is None else plain_score(bound)


def _native_part(graph: GameGraph, ends: dict[int, int], frontier: int, endless: int, roles: int) -> _native.Game:
    """The rows of the graph with everything else for an end of the same score."""
    import numpy as np  # here, since most games are not explored

    rows, edges = graph.rows, graph.first_edge[-1]
    target = np.array(graph.target[:edges], np.uint32)
    nodes = max(rows, int(target.max(initial=0)) + 1)
    first_edge = np.full(nodes + 1, edges, np.uint64)
    first_edge[: rows + 1] = graph.first_edge
    turn = np.full(nodes, OVER_TURN, np.uint8)
    turn[:rows] = np.frombuffer(bytes(graph.turn[:rows]), np.uint8)
    score = np.full(nodes, frontier, np.int32)
    score[:rows] = 0
    for node, number in ends.items():
        score[node] = number
    scores = [*ends.values(), frontier]
    none = np.zeros(0, np.float64)
    return _native.graph(
        first_edge, target, turn, score, min(scores), max(scores), endless, 0, roles, np.zeros(nodes * roles), none
    )
