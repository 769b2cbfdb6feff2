"""Search to a horizon in games without a native twin: only what lies within it is explored."""

from __future__ import annotations

from collections.abc import Callable

from zermelo.game import Game
from zermelo.graph import graph_of
from zermelo.limits import Limits
from zermelo.search.cut import Horizon
from zermelo.search.problem import Problem, problem_of_graph

HORIZON_ENGINES = ("alphabeta", "minimax", "mtdf")
"""The engines that take a horizon, the one that ``auto`` chooses first."""


def problem_at_horizon(
    game: Game, depth: int, limits: Limits, visit: Callable[[int], None] = lambda count: None
) -> Problem:
    """The game up to a horizon, as a problem of its own: its value is an estimate of the game's.

    >>> from zermelo.games import make_game
    >>> problem_at_horizon(make_game("nim:3,4"), 2, Limits()).native.acyclic
    True
    """
    cut = Horizon(game.explorer(limits), depth)
    graph = graph_of(cut, limits, visit)
    # An estimate is the first role's: the other gets the rest of what the scores of a real end add up to.
    guesses = {node for node in graph.results if cut.is_cut(graph.positions[node])}
    totals = [sum(scores) for node, scores in graph.results.items() if node not in guesses]
    total = totals[0] if totals else sum(game.endless or ())
    if len(game.roles) == 2:
        for node in guesses:
            first = graph.results[node][0]
            graph.results[node] = (first, total - first)
    return problem_of_graph(cut, graph)
