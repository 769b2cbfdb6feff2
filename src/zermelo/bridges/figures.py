"""What other packages want to know of a game before it is played: how many actions there are, how long it may take."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.errors import LimitReachedError
from zermelo.game import Game
from zermelo.graph import CHANCE_TURN, graph_of
from zermelo.limits import Limits

MOST_ACTIONS = 10_000
"""How many actions others are told that there may be, where a game is too large to be explored for them."""
LONGEST = 10_000
"""The same for the length of play."""
EXPLORED = Limits(seconds=2.0, nodes=50_000)


@dataclass(frozen=True)
class Figures:
    """The figures of a game: exact for a small one, generous bounds for a large one."""

    actions: int = MOST_ACTIONS
    longest: int = LONGEST
    scores: tuple[float, float] = (-1e6, 1e6)
    total: float | None = None
    """What the scores add up to at every end, where they do."""
    chance: bool = True
    together: bool = False
    """Whether several players move at once."""
    players: tuple[int, int] = (1, 10)


def figures_of(game: Game) -> Figures:
    """The figures of a game: it is explored, if that is quickly done."""
    players = (len(game.roles), len(game.roles))
    start = game.start()
    if game.result(start) is None and isinstance(game.turn(start), tuple):
        return Figures(together=True, players=players)
    try:
        graph = graph_of(game, EXPLORED.restarted())
    except LimitReachedError:
        if game.native() is None or len(game.roles) != 2 or game.score_range is None:
            return Figures(players=players)
        low, high = map(float, game.score_range)
        return Figures(scores=(low, high), total=float(game.total), chance=False, players=players)
    widths = [graph.first_edge[node + 1] - graph.first_edge[node] for node in range(len(graph.turn))]
    scores = [float(score) for result in graph.results.values() for score in result]
    totals = {float(sum(result)) for result in graph.results.values()}
    return Figures(
        actions=max([1, *widths]),
        longest=max(1, len(graph.turn)) if game.endless is None else LONGEST,
        scores=(min(scores), max(scores)),
        total=totals.pop() if len(totals) == 1 else None,
        chance=CHANCE_TURN in graph.turn,
        players=players,
    )
