"""Moves by playing the rest of the game at random: for games too large to explore, without a native twin.

UCB1 (Auer, Cesa-Bianchi and Fischer, Finite-time analysis of the multiarmed bandit problem, 2002) shares the playouts
out among the moves of each role that moves at the start. Takes every kind of game: any number of roles, chance, roles
that move at once. Proves nothing. A playout costs as many moves as the rest of the game has.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import LimitReachedError
from zermelo.game import CHANCE, Game, Role, Score
from zermelo.limits import Limits

LONGEST_PLAYOUT = 2000
"""Play that is longer counts as endless."""


@dataclass
class Bandit:
    """The moves of one role and how they did: ``sums[m][r]`` is what role ``r`` got in all playouts of move ``m``."""

    role: int
    moves: Sequence[Any]
    visits: list[int] = field(default_factory=list)
    sums: list[list[float]] = field(default_factory=list)
    untried: list[int] = field(default_factory=list)

    def next_arm(self, played: int, width: float) -> int:
        """The move to try next, as a place in the list of moves: each of them once, then by UCB1."""
        if self.untried:
            return self.untried.pop()
        log = math.log(played)
        visits, sums, role = self.visits, self.sums, self.role
        return max(
            range(len(visits)),
            key=lambda arm: (
                sums[arm][role] / visits[arm] / width + math.sqrt(2 * log / visits[arm]) if visits[arm] else math.inf
            ),
        )

    def best(self) -> int:
        """The move tried most often; of several the one with the best mean."""
        return max(
            range(len(self.moves)),
            key=lambda arm: (
                self.visits[arm],
                self.sums[arm][self.role] / self.visits[arm] if self.visits[arm] else 0.0,
            ),
        )


@dataclass(frozen=True)
class Sample:
    """What random playouts say of a position: a move, the mean score of each role after it, and how many there were.

    ``move`` is ``None`` where chance moves; where several roles move at once, it has a move of each.
    """

    move: Any
    means: tuple[float, ...] | None
    playouts: int
    steps: int


def sample(
    game: Game,
    position: Any,
    limits: Limits,
    chooser: random.Random,
    most: int = 10_000,
    only: Role | None = None,
    first: Limits | None = None,
) -> Sample:
    """Plays at random until a limit of time comes, or so many games; Ctrl-C ends it early with the best so far.

    Of roles that move at once each has its own bandit, or ``only`` the one named while the others move at random. The
    first game may have limits of its own.

    >>> from zermelo.games import make_game
    >>> found = sample(make_game("nim:1,1,1"), ((3, 0, 0), 0), Limits(), random.Random(1), most=200)
    >>> found.move, found.means[0] > 0, found.playouts
    ((0, 3), True, 200)
    """
    bandits = _bandits(game, position, chooser, only)
    low, high, played, steps = math.inf, -math.inf, 0, 0
    total = [0.0] * len(game.roles)
    try:
        while played < most:
            arms = [bandit.next_arm(played, (high - low) or 1.0) for bandit in bandits]
            move = _first_move(game, position, bandits, arms, chooser)
            within = limits if played or first is None else first
            result, length = playout(game, game.play(position, move), chooser, within)
            scores = [_sample(score) for score in result]
            low, high = min(low, *scores), max(high, *scores)
            for bandit, arm in zip(bandits, arms, strict=True):
                bandit.visits[arm] += 1
                bandit.sums[arm] = [a + b for a, b in zip(bandit.sums[arm], scores, strict=True)]
            total = [a + b for a, b in zip(total, scores, strict=True)]
            played += 1
            steps += length + 1
    except (KeyboardInterrupt, LimitReachedError):
        pass
    return _found(game, position, bandits, total, played, steps)


def _found(game: Game, position: Any, bandits: Sequence[Bandit], total: list[float], played: int, steps: int) -> Sample:
    if not bandits:
        return Sample(None, tuple(score / played for score in total) if played else None, played, steps)
    best = [bandit.best() for bandit in bandits]
    chosen = tuple(bandit.moves[arm] for bandit, arm in zip(bandits, best, strict=True))
    sums, visits = bandits[0].sums[best[0]], bandits[0].visits[best[0]]
    means = tuple(score / visits for score in sums) if visits else None
    several = isinstance(game.turn(position), tuple)
    return Sample(chosen if several else chosen[0], means, played, steps)


def _bandits(game: Game, position: Any, chooser: random.Random, only: Role | None) -> list[Bandit]:
    turn = game.turn(position)
    if turn == CHANCE:
        return []
    roles = turn if isinstance(turn, tuple) else (turn,)
    found = []
    for role in roles:
        if only is not None and role != only:
            continue
        moves = game.moves_of(position, role) if isinstance(turn, tuple) else game.moves(position)
        bandit = Bandit(game.roles.index(role), moves, [0] * len(moves), [[0.0] * len(game.roles)] * len(moves))
        bandit.untried = chooser.sample(range(len(moves)), len(moves))
        found.append(bandit)
    return found


def _first_move(
    game: Game, position: Any, bandits: Sequence[Bandit], arms: Sequence[int], chooser: random.Random
) -> Any:
    turn = game.turn(position)
    if not isinstance(turn, tuple):
        return bandits[0].moves[arms[0]] if bandits else _random_move(game, position, chooser)
    chosen = {game.roles[bandit.role]: bandit.moves[arm] for bandit, arm in zip(bandits, arms, strict=True)}
    return tuple(chosen[role] if role in chosen else chooser.choice(game.moves_of(position, role)) for role in turn)


def _random_move(game: Game, position: Any, chooser: random.Random) -> Any:
    turn = game.turn(position)
    if turn == CHANCE:
        outcomes, weights = zip(*game.chances(position), strict=True)
        return chooser.choices(outcomes, [float(weight) for weight in weights])[0]
    if isinstance(turn, tuple):
        return tuple(chooser.choice(game.moves_of(position, role)) for role in turn)
    return chooser.choice(game.moves(position))


def playout(game: Game, position: Any, chooser: random.Random, limits: Limits) -> tuple[tuple[Score, ...], int]:
    """The scores at the end of one random game, and its length; ``LimitReachedError`` if the time ends before it.

    >>> from zermelo.games import make_game
    >>> playout(make_game("nim:1"), ((1,), 0), random.Random(1), Limits())
    ((1, -1), 1)
    """
    for length in range(LONGEST_PLAYOUT):
        result = game.result(position)
        if result is not None:
            return result, length
        if limits.expired():
            raise LimitReachedError("stopped at the limit of time")
        position = game.play(position, _random_move(game, position, chooser))
    return game.endless or (0,) * len(game.roles), LONGEST_PLAYOUT


def _sample(score: Score) -> float:
    try:
        return float(score)
    except OverflowError:
        return math.copysign(1e300, score)
