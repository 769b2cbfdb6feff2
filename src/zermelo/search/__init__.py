"""Exact search: dynamic programming, AND/OR, proof-number, minimax and alpha-beta, MTD(f), UCT; and who wins
without search, by symmetry, pairing and parity.

:func:`solve` is the way in. The kernels are native (``native/search``); this room chooses among them, maps their
answers back into the words of the game, and has every answer checked.
"""

from __future__ import annotations

from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.run import Progress, Watch, no_watch
from zermelo.search.solving import Options, solve_game
from zermelo.solution import Solution
from zermelo.targets import game_of

__all__ = ["Options", "Progress", "Watch", "solve", "solve_game"]


def solve(
    game: Game | str,
    engine: str = "auto",
    limits: Limits | None = None,
    options: Options | None = None,
    watch: Watch = no_watch,
) -> Solution:
    """Solves a game, given as an object or as a target.

    >>> solve("nim:3,4,5", "alphabeta").winner
    'first'
    """
    if isinstance(game, str):
        return solve_game(game_of(game), engine, limits, options, game, watch)
    return solve_game(game, engine, limits, options, watch=watch)
