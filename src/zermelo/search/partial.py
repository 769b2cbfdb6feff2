"""What the explored part of a game proves, when a limit stopped the exploration.

Positions that were met but not expanded may be worth anything. With all of them taken for worse than any score the
explored part has a value that the game's cannot fall below; with all of them better than any, one that it cannot
exceed. Play that goes round in circles within the explored part counts as endless play, as always.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from zermelo import _native
from zermelo.game import Game, Score, plain_score
from zermelo.graph import CHANCE_TURN, OVER_TURN, GameGraph
from zermelo.search.expectation import expected_bounds


@dataclass(frozen=True)
class Part:
    """Proved bounds on the first role's score, ``None`` where there is none, and the move that secures the mover's."""

    bounds: tuple[Score | None, Score | None] = (None, None)
    move: int | None = None  # as a place in the list of legal moves
    total: Score = 0  # what the scores of all roles add up to


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
    endless = game.endless or (0,) * len(game.roles)
    if not graph.rows or len(game.roles) > 2 or (len(game.roles) == 2 and len(totals) > 1):
        return Part()
    total: Score = 0 if len(game.roles) == 1 else next(iter(totals), sum(endless))
    firsts = {node: Fraction(result[0]) for node, result in results.items()}
    if CHANCE_TURN in graph.turn[: graph.rows]:
        lower, upper = expected_bounds(
            graph.first_edge, graph.target, graph.turn, graph.probability, firsts.get, (None, None)
        )
        return Part((_plain(lower), _plain(upper)), None, plain_score(total))
    scores = sorted({*firsts.values(), Fraction(endless[0])})
    rank = {score: number for number, score in enumerate(scores, 1)}
    ends = {node: rank[first] for node, first in firsts.items()}
    bounds: list[Score | None] = []
    move = None
    for side, frontier in enumerate((0, len(scores) + 1)):
        native = _native_part(graph, ends, frontier, rank[Fraction(endless[0])], len(game.roles))
        if not native.acyclic and len(game.roles) == 2 and total != sum(endless):
            return Part()  # a mistake in the game, which is reported when all of it is explored
        outcome = native.search("dp", _native.SearchParams()).solve(_native.Control())
        bounded = outcome.lower != frontier
        bounds.append(plain_score(scores[outcome.lower - 1]) if bounded else None)
        if bounded and graph.turn[0] == side and outcome.move >= 0:
            move = outcome.move
    return Part((bounds[0], bounds[1]), move, plain_score(total))


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
