"""A move of one role by playing the rest of the game at random."""

from __future__ import annotations

import random
from typing import Any

from zermelo.game import Game, Role
from zermelo.limits import Limits
from zermelo.search.sampling import sample


def sampled_move(
    game: Game, position: Any, role: Role, limits: Limits, *, chooser: random.Random, most: int = 10_000
) -> tuple[Any, int]:
    """The move of a role that did best in random playouts, and how many there were.

    Takes every kind of game (:mod:`zermelo.search.sampling`); where roles move at once, the others move at random.
    Proves nothing. Ctrl-C ends it early with the best move so far.

    >>> from zermelo.games import make_game
    >>> game = make_game("nim:1,1,1")
    >>> sampled_move(game, ((3, 0, 0), 0), "first", Limits(), chooser=random.Random(1), most=200)[0]
    (0, 3)
    """
    several = isinstance(game.turn(position), tuple)
    moves = game.moves_of(position, role) if several else game.moves(position)
    if len(moves) == 1:
        return moves[0], 0
    found = sample(game, position, limits, chooser, most, only=role)
    return found.move[0] if several else found.move, found.playouts
