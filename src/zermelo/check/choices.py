"""What certificates say of a position where moves are weighed: exact numbers, and moves with their chances.

Everything about a certificate may be wrong, its shape too. Legal moves and the chances of chance come from the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from zermelo.certificate import parse_score
from zermelo.check.verdict import Fault
from zermelo.game import CHANCE, Game, Role, Score
from zermelo.limits import Limits, step_watch

Weighed = list[tuple[Fraction, int]]
"""Positions by number, each with the chance that it comes next; the chances add up to 1."""


def exact(text: Any) -> Fraction:
    """The exact number that a certificate writes.

    >>> exact("1/3")
    Fraction(1, 3)
    """
    if not isinstance(text, str):
        raise Fault("a number is not written as a text such as '1/3'")
    try:
        return parse_score(text)
    except ValueError as error:
        raise Fault(str(error)) from None


def mixture(said: Any, texts: Sequence[str], role: Role) -> list[Fraction]:
    """The chance of each of a role's moves, by the texts of the moves: one text, or some with their chances.

    >>> mixture({"rock": "1/3", "paper": "2/3"}, ["rock", "paper", "scissors"], "first")
    [Fraction(1, 3), Fraction(2, 3), Fraction(0, 1)]
    """
    weights = {said: "1"} if isinstance(said, str) else said
    if not isinstance(weights, Mapping):
        raise Fault(f"{role} has to move here, and the certificate does not say how")
    if len(set(texts)) < len(texts):
        raise Fault(f"two moves of {role} are written alike here")
    chances = {text: exact(weight) for text, weight in weights.items()}
    if strange := [text for text in chances if text not in texts]:
        raise Fault(f"the certificate has {role} play {strange[0]!r}, which is not legal")
    if any(chance < 0 for chance in chances.values()) or sum(chances.values()) != 1:
        raise Fault(f"the chances of {role}'s moves are not numbers from 0 to 1 that add up to 1")
    return [chances.get(text, Fraction(0)) for text in texts]


class Places:
    """The positions that have been met, by number, each with the move that first led to it."""

    def __init__(self, game: Game, limits: Limits) -> None:
        self.game, self.positions, self._came = game, list[Any](), list[tuple[int, Any]]()
        self._number: dict[Any, int] = {}
        self.look = step_watch(replace(limits, nodes=None), often=256)
        self.met(game.start(), -1, None)

    def met(self, position: Any, before: int, move: Any) -> int:
        """The number of a position."""
        number = self._number.setdefault(position, len(self.positions))
        if number == len(self.positions):
            self.positions.append(position)
            self._came.append((before, move))
        return number

    def after(self, number: int, move: Any) -> int:
        """The number of the position after a move."""
        return self.met(self.game.play(self.positions[number], move), number, move)

    def line(self, number: int) -> tuple[Any, ...]:
        """The moves that lead to a position."""
        moves = []
        while number > 0:
            number, move = self._came[number]
            moves.append(move)
        return tuple(reversed(moves))

    def chances(self, number: int) -> Weighed:
        """What follows where chance moves."""
        outcomes = list(self.game.chances(self.positions[number]))
        weights = [weight for _, weight in outcomes]
        # A mean over inexact or negative "chances" would prove anything.
        if not all(isinstance(weight, int | Fraction) and weight >= 0 for weight in weights) or sum(weights) != 1:
            raise Fault("the probabilities here are not exact numbers from 0 to 1 that add up to 1")
        return [(Fraction(weight), self.after(number, outcome)) for outcome, weight in outcomes if weight]

    def movers(self, number: int) -> list[tuple[Role, Sequence[Any], list[str]]]:
        """Who moves, with the legal moves of each and how they are written; nobody where chance moves."""
        position, turn = self.positions[number], self.game.turn(self.positions[number])
        if turn == CHANCE:
            return []
        if isinstance(turn, tuple):
            found = [(role, tuple(self.game.moves_of(position, role))) for role in turn]
        else:
            found = [(turn, tuple(self.game.moves(position)))]
        if not all(moves for _, moves in found) or len({role for role, _ in found}) < len(found):
            raise Fault("there is no legal move here, though the game is not over")
        return [(role, moves, [self.game.move_text(move) for move in moves]) for role, moves in found]

    def joint(self, number: int, places: Sequence[int], movers: Sequence[tuple[Role, Sequence[Any], Any]]) -> int:
        """The position after one move of each mover, by its place among the legal ones."""
        made = tuple(moves[place] for place, (_, moves, _) in zip(places, movers, strict=True))
        several = isinstance(self.game.turn(self.positions[number]), tuple)
        return self.after(number, made if several else made[0])

    def scores(self, number: int) -> tuple[Score, ...] | None:
        """What each role gets where the game is over."""
        scores = self.game.result(self.positions[number])
        if scores is not None and not all(isinstance(score, int | Fraction) for score in scores):
            raise Fault("the scores here are not exact numbers")
        return scores


def every_choice(movers: Sequence[tuple[Role, Sequence[Any], Any]]) -> list[tuple[int, ...]]:
    """One move of each mover, by places, in all combinations.

    >>> every_choice([("first", "ab", None), ("second", "c", None)])
    [(0, 0), (1, 0)]
    """
    return list(product(*(range(len(moves)) for _, moves, _ in movers)))
