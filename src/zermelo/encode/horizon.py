"""A game cut at a horizon: play ends after so many plies, with what the position looks worth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zermelo.game import Game, Role, Score


class Horizon(Game):
    """The same game, over after ``depth`` plies with the first role's estimate and 0 for the others.

    A position is the plies left and the position of the game, so that nothing repeats and each position is looked
    at with exactly the plies that a line leaves for it.

    >>> from zermelo.games import make_game
    >>> cut = Horizon(make_game("nim:3"), 1)
    >>> cut.result(cut.play(cut.start(), (0, 1)))
    (0, 0)
    """

    def __init__(self, game: Game, depth: int) -> None:
        self._game, self._depth = game, depth
        self.roles, self.endless, self.longest = game.roles, game.endless, max(game.longest, depth + 1)

    def start(self) -> tuple[int, Any]:
        return (self._depth, self._game.start())

    def turn(self, position: tuple[int, Any]) -> Role | tuple[Role, ...]:
        return self._game.turn(position[1])

    def moves(self, position: tuple[int, Any]) -> Sequence[Any]:
        return self._game.moves(position[1])

    def chances(self, position: tuple[int, Any]) -> Sequence[tuple[Any, Fraction]]:
        return self._game.chances(position[1])

    def play(self, position: tuple[int, Any], move: Any) -> tuple[int, Any]:
        left, here = position
        return (left - 1, self._game.play(here, move))

    def result(self, position: tuple[int, Any]) -> tuple[Score, ...] | None:
        left, here = position
        scores = self._game.result(here)
        if scores is not None or left > 0:
            return scores
        return (self._game.evaluate(here), *(0 for _ in self.roles[1:]))

    def is_cut(self, position: tuple[int, Any]) -> bool:
        """Whether play is over here only because of the horizon."""
        return position[0] == 0 and self._game.result(position[1]) is None

    def move_text(self, move: Any) -> str:
        return self._game.move_text(move)
