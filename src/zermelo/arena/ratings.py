"""Elo ratings of several players at once: the model of Bradley and Terry, with draws as Davidson (1970) has them.

A player of strength s beats one of strength t with odds e^((s-t)/2) to e^((t-s)/2), and they draw with odds v between
the two; v is estimated along with the strengths. The likelihood is concave in the strengths and log v, so Newton's
method finds its maximum. A game of more than two seats counts as one between each two of its players, all of them
together as much as k - 1 games: that is its number of independent comparisons.

So that there is always one answer, and a finite one, each player also has half a win and half a loss against a player
of strength 0, and draws have half a game for and half a game against them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from zermelo.arena.record import GameRecord
from zermelo.arena.statistics import ELO_SCALE, Z95, Interval, is_alone

PRIOR = 0.5
"""How much of a game each of the outcomes counts that are added to those seen."""
LONGEST_STEP = 2.0
"""Newton's steps are cut to this length, far beyond which the quadratic no longer tells anything."""


@dataclass(frozen=True)
class Rating:
    """A player's Elo above the mean of all players, with an interval, and how many games it had."""

    player: str
    elo: float
    interval: Interval
    games: int


def ratings(records: Iterable[GameRecord], z: float = Z95) -> list[Rating]:
    """The players of these games, the strongest first; where one has all the seats, nothing is compared.

    >>> games = [GameRecord("g", ("a", "b"), n, n, "1s", "", ("1", "0") if n % 4 else ("0", "1"), 7, (9, 9), (9, 9),
    ...     (1.0, 1.0)) for n in range(400)]
    >>> [(rating.player, round(rating.elo)) for rating in ratings(games)]
    [('a', 95), ('b', -95)]
    """
    counted: dict[str, int] = {}
    duels: dict[tuple[str, str], list[float]] = {}
    for record in records:
        if is_alone(record):
            continue
        for player in set(record.players):
            counted[player] = counted.get(player, 0) + 1
        scores = [Fraction(score) for score in record.scores]
        weight = 2 / len(record.players)
        for i, j in combinations(range(len(scores)), 2):
            a, b = record.players[i], record.players[j]
            if a != b:
                outcome = 1 if scores[i] == scores[j] else 0 if (scores[i] > scores[j]) == (a < b) else 2
                duels.setdefault((min(a, b), max(a, b)), [0.0, 0.0, 0.0])[outcome] += weight
    names = sorted({name for duel in duels for name in duel})
    if not names:
        return []
    strengths, covariance = _fit(names, duels)
    centre = np.eye(len(names)) - 1 / len(names)
    elo = ELO_SCALE * (centre @ strengths)
    wide = z * ELO_SCALE * np.sqrt(np.diag(centre @ covariance @ centre))
    found = [
        Rating(name, float(e), Interval(float(e - w), float(e + w)), counted[name])
        for name, e, w in zip(names, elo, wide, strict=True)
    ]
    return sorted(found, key=lambda rating: (-rating.elo, rating.player))


def _fit(
    names: list[str], duels: dict[tuple[str, str], list[float]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The most likely strengths and their covariance, the inverse of the observed information."""
    place = {name: i for i, name in enumerate(names)}
    point = np.zeros(len(names) + 1)
    information = np.eye(len(point))
    for _ in range(200):
        slope, information = _derivatives(point, [(place[a], place[b], counts) for (a, b), counts in duels.items()])
        step = np.linalg.solve(information, slope)
        step *= min(1.0, LONGEST_STEP / max(float(np.abs(step).max()), 1e-300))
        point += step
        if float(np.abs(step).max()) < 1e-10:
            break
    covariance: NDArray[np.float64] = np.linalg.inv(information).astype(np.float64)
    return point[:-1], covariance[:-1, :-1]


def _derivatives(
    point: NDArray[np.float64], duels: list[tuple[int, int, list[float]]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The gradient of the log-likelihood and minus its Hessian; the last coordinate is log v."""
    slope, information = np.zeros(len(point)), np.zeros((len(point), len(point)))

    def add(a: int | None, b: int | None, counts: list[float]) -> None:
        """One exponential family: statistics (who won, whether it was drawn), natural parameters (s - t, log v)."""
        apart = (0.0 if a is None else point[a]) - (0.0 if b is None else point[b])
        odds = np.array([math.exp(apart / 2), math.exp(point[-1]), math.exp(-apart / 2)])
        chance = odds / odds.sum()
        statistics = np.array([[0.5, 0.0, -0.5], [0.0, 1.0, 0.0]])
        mean = statistics @ chance
        spread = (statistics * chance) @ statistics.T - np.outer(mean, mean)
        direction = np.zeros((2, len(point)))
        direction[1, -1] = 1.0
        for player, sign in ((a, 1.0), (b, -1.0)):
            if player is not None:
                direction[0, player] = sign
        slope[:] += direction.T @ (statistics @ np.array(counts) - sum(counts) * mean)
        information[:] += sum(counts) * direction.T @ spread @ direction

    for a, b, counts in duels:
        add(a, b, counts)
    add(None, None, [PRIOR / 2, PRIOR, PRIOR / 2])
    for player in range(len(point) - 1):
        # Win or lose without a draw: the logistic curve of Bradley and Terry.
        won = 1 / (1 + math.exp(-point[player]))
        slope[player] += PRIOR * (1 - 2 * won)
        information[player, player] += 2 * PRIOR * won * (1 - won)
    return slope, information
