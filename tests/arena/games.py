"""Finished games made up for tests: their results are what the test says, everything else is plain."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from zermelo.arena.record import GameRecord


def game(
    number: int,
    players: Sequence[str],
    scores: Sequence[str],
    *,
    name: str = "gdl:tictactoe",
    clock: str = "0.02s",
    seed: int | None = None,
) -> GameRecord:
    """A game of that number; the rotations of the same players share a seed."""
    seats = len(players)
    return GameRecord(
        name,
        tuple(players),
        number,
        number // seats if seed is None else seed,
        clock,
        "abc1234",
        tuple(scores),
        7,
        (1000,) * seats,
        (300,) * seats,
        (0.05,) * seats,
    )


def duel(number: int, result: Fraction, a: str = "a", b: str = "b", **more: str) -> GameRecord:
    """A game of two in which ``a`` has that result; it has the first seat in games of even number."""
    scores = (str(result), str(1 - result))
    return game(number, (a, b), scores, **more) if number % 2 == 0 else game(number, (b, a), scores[::-1], **more)


def duels(results: Sequence[Fraction | int | float], a: str = "a", b: str = "b", **more: str) -> list[GameRecord]:
    """A match in which ``a`` has these results."""
    return [duel(number, Fraction(result), a, b, **more) for number, result in enumerate(results)]


def drawn_results(win: float, draw: float, games: int, dice: random.Random) -> list[Fraction]:
    """Independent results of a player that wins and draws with these probabilities."""
    rolls = [dice.random() for _ in range(games)]
    return [Fraction(1) if roll < win else Fraction(1, 2) if roll < win + draw else Fraction(0) for roll in rolls]
