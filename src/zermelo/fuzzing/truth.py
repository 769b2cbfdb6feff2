"""The value of a small game by trying everything, from its rules alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.game import CHANCE, Game, Score

MOST_POSITIONS = 3000
"""Larger games are not tried."""


class TooLargeError(Exception):
    """A game with more positions than are tried, or one whose positions repeat where chance moves."""


def truth(game: Game, most: int = MOST_POSITIONS) -> Score:
    """The first role's score under best play of one role or two; means where chance moves.

    Play is cut after ever more plies, and what is cut counts as endless play: with as many plies as positions nothing
    changes any more. Where chance moves, positions must not repeat.

    >>> from zermelo.games import make_game
    >>> truth(make_game("nim:1,2")), truth(make_game("nim:2,2"))
    (1, -1)
    """
    order, children = _positions(game, most)
    endless: Score = 0 if game.endless is None else game.endless[0]
    scores = {position: game.result(position) for position in order}
    values: dict[Any, Score] = {position: endless if end is None else end[0] for position, end in scores.items()}
    # Against the order in which positions were met, most are settled after few rounds.
    for _ in range(len(order) + 1):
        changed = False
        for position in reversed(order):
            if scores[position] is None:
                value = _step(game, position, [(values[child], weight) for child, weight in children[position]])
                changed, values[position] = changed or value != values[position], value
        if not changed:
            return values[order[0]]
    raise TooLargeError


def _step(game: Game, position: Any, below: list[tuple[Score, Fraction]]) -> Score:
    turn = game.turn(position)
    if turn == CHANCE:
        mean = sum((weight * value for value, weight in below), Fraction(0))
        return int(mean) if mean.denominator == 1 else mean
    values = [value for value, _ in below]
    return max(values) if turn == game.roles[0] else min(values)


def _positions(game: Game, most: int) -> tuple[list[Any], dict[Any, list[tuple[Any, Fraction]]]]:
    """All positions in the order in which they are met, and where each leads."""
    start = game.start()
    order, children = [start], dict[Any, list[tuple[Any, Fraction]]]()
    seen = {start}
    for position in order:
        if game.result(position) is not None:
            continue
        if game.turn(position) == CHANCE:
            moves = [(move, Fraction(weight)) for move, weight in game.chances(position)]
        else:
            moves = [(move, Fraction(1)) for move in game.moves(position)]
        children[position] = [(game.play(position, move), weight) for move, weight in moves]
        for child, _ in children[position]:
            if child not in seen:
                seen.add(child)
                order.append(child)
        if len(order) > most:
            raise TooLargeError
    return order, children
