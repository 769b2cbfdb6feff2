"""A move by playing the rest of the game at random: for games too large to explore, without a native twin."""

from __future__ import annotations

import math
import random
from typing import Any

from zermelo.game import CHANCE, Game, Role, Score
from zermelo.limits import Limits

LONGEST_PLAYOUT = 2000


def sampled_move(
    game: Game, position: Any, role: Role, limits: Limits, *, chooser: random.Random, most: int = 10_000
) -> tuple[Any, int]:
    """The move of a role that did best in random playouts, and how many there were.

    UCB1 (Auer, Cesa-Bianchi and Fischer 2002) shares the playouts out among the moves. Takes every kind of
    game: any number of roles, chance, roles that move at once (the others then move at random). Proves
    nothing. Ctrl-C ends it early with the best move so far.

    >>> from zermelo.games import make_game
    >>> game = make_game("nim:1,1,1")
    >>> sampled_move(game, ((3, 0, 0), 0), "first", Limits(), chooser=random.Random(1), most=200)[0]
    (0, 3)
    """
    turn = game.turn(position)
    several = isinstance(turn, tuple)
    moves = list(game.moves_of(position, role) if several else game.moves(position))
    if len(moves) == 1:
        return moves[0], 0
    number = game.roles.index(role)
    visits, totals = [0] * len(moves), [0.0] * len(moves)
    low, high, played = math.inf, -math.inf, 0
    try:
        while played < most and not (played and limits.expired()):
            arm = _next_arm(visits, totals, low, high)
            chosen = moves[arm]
            if isinstance(turn, tuple):
                chosen = tuple(
                    moves[arm] if other == role else chooser.choice(game.moves_of(position, other)) for other in turn
                )
            score = float(_playout(game, game.play(position, chosen), chooser)[number])
            low, high = min(low, score), max(high, score)
            visits[arm] += 1
            totals[arm] += score
            played += 1
    except KeyboardInterrupt:
        pass
    best = max(
        range(len(moves)),
        key=lambda arm: (totals[arm] / visits[arm] if visits[arm] else -math.inf, visits[arm]),
    )
    return moves[best], played


def _next_arm(visits: list[int], totals: list[float], low: float, high: float) -> int:
    if 0 in visits:
        return visits.index(0)
    width, log = (high - low) or 1.0, math.log(sum(visits))
    return max(
        range(len(visits)),
        key=lambda arm: totals[arm] / visits[arm] / width + math.sqrt(2 * log / visits[arm]),
    )


def _playout(game: Game, position: Any, chooser: random.Random) -> tuple[Score, ...]:
    for _ in range(LONGEST_PLAYOUT):
        result = game.result(position)
        if result is not None:
            return result
        turn = game.turn(position)
        if turn == CHANCE:
            outcomes, weights = zip(*game.chances(position), strict=True)
            move: Any = chooser.choices(outcomes, [float(weight) for weight in weights])[0]
        elif isinstance(turn, tuple):
            move = tuple(chooser.choice(game.moves_of(position, role)) for role in turn)
        else:
            move = chooser.choice(game.moves(position))
        position = game.play(position, move)
    return game.endless or (0,) * len(game.roles)
