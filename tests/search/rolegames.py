"""Random small games of several roles with scores of their own, chance, moves at once and circles; plain oracles."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from zermelo.game import CHANCE, Game, Score


@dataclass(frozen=True)
class RoleGame(Game):
    """A game written out: for each node who moves and what it leads to by joint moves, or the scores of its end."""

    turns: tuple[Any, ...]
    sizes: tuple[tuple[int, ...], ...]
    successors: tuple[tuple[int, ...], ...]
    ends: tuple[tuple[Score, ...] | None, ...]
    weights: tuple[tuple[Fraction, ...], ...]
    roles: tuple[str, ...] = ("first", "second")
    endless: tuple[Score, ...] | None = None

    def start(self) -> int:
        return 0

    def turn(self, position: int) -> Any:
        return self.turns[position]

    def moves(self, position: int) -> list[Any]:
        sizes = self.sizes[position]
        return list(range(sizes[0])) if len(sizes) == 1 else list(product(*map(range, sizes)))

    def moves_of(self, position: int, role: str) -> list[int]:
        return list(range(self.sizes[position][self.turns[position].index(role)]))

    def play(self, position: int, move: Any) -> int:
        if isinstance(move, tuple):
            place = 0
            for part, size in zip(move, self.sizes[position], strict=True):
                place = place * size + part
            return self.successors[position][place]
        return self.successors[position][move]

    def result(self, position: int) -> tuple[Score, ...] | None:
        return self.ends[position]

    def chances(self, position: int) -> list[tuple[int, Fraction]]:
        return list(enumerate(self.weights[position]))


def random_role_game(
    seed: int,
    *,
    roles: int = 3,
    nodes: int = 14,
    chance: float = 0.2,
    at_once: float = 0.0,
    cyclic: bool = False,
    total: int | None = None,
    scores: int = 3,
) -> RoleGame:
    """A random game; with ``total`` the scores of two roles add up to it."""
    rng = random.Random(seed)
    names = ("ann", "bob", "cem", "dia", "eve")[:roles]
    count = rng.randint(2, nodes)
    turns, sizes, successors, ends, weights = [], [], [], [], []
    for node in range(count):
        targets = range(count) if cyclic else range(node + 1, count)
        over = not targets or (node > 0 and rng.random() < 0.3)
        kind = rng.random()
        if kind < chance:
            turn: Any = CHANCE
        elif kind < chance + at_once and roles > 1:
            turn = tuple(rng.sample(names, rng.randint(2, roles)))
        else:
            turn = rng.choice(names)
        size = tuple(rng.randint(1, 3) for _ in turn) if isinstance(turn, tuple) else (rng.randint(1, 3),)
        width = 1
        for part in size:
            width *= part
        end = [rng.randint(0, scores) for _ in names]
        if total is not None:
            end = [end[0], total - end[0]]
        shares = [rng.randint(0, 3) for _ in range(width)]
        shares[0] += not sum(shares)
        turns.append(turn)
        sizes.append(size)
        successors.append(() if over else tuple(rng.choice(targets) for _ in range(width)))
        ends.append(tuple(end) if over else None)
        weights.append(tuple(Fraction(share, sum(shares)) for share in shares))
    endless = None if total is None else (rng.randint(0, scores),)
    endless = None if endless is None else (endless[0], total - endless[0])  # type: ignore[operator]
    return RoleGame(*map(tuple, (turns, sizes, successors, ends, weights)), names, endless)  # type: ignore[arg-type]


def equilibria(game: RoleGame, node: int = 0) -> set[tuple[Score, ...]]:
    """The vectors of all pure subgame-perfect equilibria by their definition, over the tree of histories.

    Every choice of a vector for each successor is tried: the mover takes any move that is best for it then.
    """
    if (end := game.ends[node]) is not None:
        return {end}
    children = [equilibria(game, child) for child in game.successors[node]]
    found: set[tuple[Score, ...]] = set()
    for some in product(*children):
        if game.turns[node] == CHANCE:
            means = (
                sum(w * part for w, part in zip(game.weights[node], column, strict=True))
                for column in zip(*some, strict=True)
            )
            found.add(tuple(means))
        else:
            mover = game.roles.index(game.turns[node])
            best = max(vector[mover] for vector in some)
            found |= {vector for vector in some if vector[mover] == best}
    return found


def plain_induction(game: RoleGame, ties: str, node: int = 0) -> tuple[Score, ...]:
    """The vector of a node by recursion, with that rule for ties."""
    if (end := game.ends[node]) is not None:
        return end
    after = [plain_induction(game, ties, child) for child in game.successors[node]]
    if game.turns[node] == CHANCE:
        columns = zip(*after, strict=True)
        return tuple(sum(w * part for w, part in zip(game.weights[node], column, strict=True)) for column in columns)
    mover = game.roles.index(game.turns[node])
    sign = {"first": 0, "best-for-others": 1, "worst-for-others": -1}[ties]
    return max(after, key=lambda vector: (vector[mover], sign * (sum(vector) - vector[mover])))


def iterated(game: RoleGame, sweeps: int = 3000) -> list[float]:
    """What the first of two opposed roles gets, by value iteration in floating point from what endless play is worth.

    Exact in the limit only where play ends under some strategies that matter; see where it is used.
    """
    endless = float(game.endless[0]) if game.endless else 0.0
    values = [endless if end is None else float(end[0]) for end in game.ends]
    for _ in range(sweeps):
        before = list(values)
        for node, turn in enumerate(game.turns):
            if game.ends[node] is None:
                after = [values[child] for child in game.successors[node]]
                if turn == CHANCE:
                    values[node] = sum(float(w) * value for w, value in zip(game.weights[node], after, strict=True))
                else:
                    values[node] = max(after) if turn == game.roles[0] else min(after)
        if max(abs(a - b) for a, b in zip(values, before, strict=True)) < 1e-14:
            break
    return values
