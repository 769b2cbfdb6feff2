"""Random small games and plain oracles for them, against which every engine is tested."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from zermelo.certificate import Claim
from zermelo.errors import ZermeloError
from zermelo.game import CHANCE, NOBODY, Game, Score
from zermelo.tablegame import TableGame


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

    Cut play counts as endless play. With as many plies as nodes nothing changes any more (for games of chance
    the game must be acyclic).
    """
    return oracle_values(game, plies)[0]


def oracle_values(game: TableGame, plies: int | None = None) -> list[Score]:
    """The value of every node, in the same way."""
    count = len(game.turns)
    endless = 0 if game.endless is None else game.endless[0]
    values: list[Score] = [endless if score is None else score for score in game.scores]
    for _ in range(count + 1 if plies is None else plies):
        before, values = values, [_step(game, node, values) for node in range(count)]
        if values == before:
            break
    return values


def _step(game: TableGame, node: int, values: list[Score]) -> Any:
    score = game.scores[node]
    if score is not None:
        return score
    children = [values[child] for child in game.successors[node]]
    if game.turns[node] == CHANCE:
        return sum((weight * child for weight, child in zip(game.weights[node], children, strict=True)), Fraction(0))
    return max(children) if game.turns[node] == game.roles[0] else min(children)


def guaranteed(game: Game, claim: Claim) -> Score | None:
    """What a table really guarantees, by plain value iteration; ``None`` if it is silent or illegal somewhere.

    Written against the definition, not against the checker: all positions that can be met, then values of play
    cut after n plies (cut play counts as endless) until n exceeds the number of positions.
    """
    if claim.role not in game.roles and not (claim.role == NOBODY and len(game.roles) == 1):
        return None
    successors: dict[Any, list[tuple[Any, Fraction]]] = {}
    todo = [game.start()]
    while todo:
        position = todo.pop()
        if position in successors:
            continue
        children = _children(game, claim, position)
        if children is None:
            return None
        successors[position] = children
        todo += [child for child, _ in children]
    values: dict[Any, Score] = dict.fromkeys(successors, _share(game, claim, game.endless or (0,) * len(game.roles)))
    for _ in range(len(successors) + 1):
        fresh: dict[Any, Score] = {}
        for position, children in successors.items():
            result = game.result(position)
            if result is not None:
                fresh[position] = _share(game, claim, result)
            elif game.turn(position) == CHANCE:
                fresh[position] = sum((values[child] * weight for child, weight in children), Fraction(0))
            else:
                fresh[position] = min(values[child] for child, _ in children)
        values = fresh
    return values[game.start()]


def _children(game: Game, claim: Claim, position: Any) -> list[tuple[Any, Fraction]] | None:
    if game.result(position) is not None:
        return []
    if game.turn(position) == CHANCE:
        return [(game.play(position, move), weight) for move, weight in game.chances(position)]
    if game.turn(position) != claim.role:
        return [(game.play(position, move), Fraction(1)) for move in game.moves(position)]
    entry = claim.table.get(game.key(position))
    if entry is None:
        return None
    try:
        return [(game.play(position, game.parse_move(position, entry[0])), Fraction(1))]
    except ZermeloError:
        return None


def _share(game: Game, claim: Claim, scores: tuple[Score, ...]) -> Score:
    return -scores[0] if claim.role == NOBODY else scores[game.roles.index(claim.role)]
