"""Random small games and plain oracles for them, against which every engine is tested."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.game import CHANCE, Game, Score


@dataclass(frozen=True)
class TableGame(Game):
    """A game written out as tables: for each node whose turn it is, its successors, or the score of the first role."""

    turns: tuple[str, ...]
    successors: tuple[tuple[int, ...], ...]
    scores: tuple[Score | None, ...]
    weights: tuple[tuple[Fraction, ...], ...] = ()
    roles: tuple[str, ...] = ("first", "second")

    def start(self) -> int:
        return 0

    def turn(self, position: int) -> str:
        return self.turns[position]

    def moves(self, position: int) -> list[int]:
        return list(range(len(self.successors[position])))

    def play(self, position: int, move: int) -> int:
        return self.successors[position][move]

    def result(self, position: int) -> tuple[Score, ...] | None:
        score = self.scores[position]
        if score is None:
            return None
        return (score, -score)[: len(self.roles)]

    def chances(self, position: int) -> list[tuple[int, Fraction]]:
        return list(enumerate(self.weights[position]))


def random_game(
    seed: int,
    *,
    nodes: int = 12,
    cyclic: bool = False,
    chance: bool = False,
    values: tuple[Score, ...] = (-1, 0, 1),
    roles: tuple[str, ...] = ("first", "second"),
) -> TableGame:
    """A random game; acyclic ones have edges only from lower to higher nodes."""
    rng = random.Random(seed)
    count = rng.randint(2, nodes)
    turns: list[str] = []
    successors: list[tuple[int, ...]] = []
    scores: list[Score | None] = []
    weights: list[tuple[Fraction, ...]] = []
    for node in range(count):
        targets = range(count) if cyclic else range(node + 1, count)
        over = not targets or (node > 0 and rng.random() < 0.3)
        turns.append(CHANCE if chance and rng.random() < 0.3 else rng.choice(roles))
        width = 0 if over else rng.randint(1, min(4, len(targets)))
        successors.append(tuple(rng.choice(targets) for _ in range(width)))
        scores.append(rng.choice(values) if over else None)
        shares = [rng.randint(1, 5) for _ in range(width)]
        weights.append(tuple(Fraction(share, sum(shares)) for share in shares))
    return TableGame(tuple(turns), tuple(successors), tuple(scores), tuple(weights), roles)


def oracle(game: TableGame, plies: int | None = None) -> Score:
    """The value by its definition: what the first role gets when play is cut after ever more plies.

    Cut play counts as endless play, 0. With as many plies as nodes nothing changes any more (for games of
    chance the game must be acyclic).
    """
    count = len(game.turns)
    values: list[Score] = [0 if score is None else score for score in game.scores]
    for _ in range(count + 1 if plies is None else plies):
        values = [_step(game, node, values) for node in range(count)]
    return values[0]


def _step(game: TableGame, node: int, values: list[Score]) -> Any:
    score = game.scores[node]
    if score is not None:
        return score
    children = [values[child] for child in game.successors[node]]
    if game.turns[node] == CHANCE:
        return sum((weight * child for weight, child in zip(game.weights[node], children, strict=True)), Fraction(0))
    return max(children) if game.turns[node] == game.roles[0] else min(children)
