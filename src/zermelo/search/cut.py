"""A game cut at a horizon: play ends after so many plies, with what the position looks worth."""

from __future__ import annotations

from typing import Any

from zermelo.game import Game, Score
from zermelo.wrapper import Repositioned

Cut = tuple[int, Any]
"""The plies left and the position of the game."""


class Horizon(Repositioned):
    """The same game, over after ``depth`` plies with the first role's estimate and 0 for the others.

    A position is the plies left and the position of the game, so that nothing repeats and each position is looked
    at with exactly the plies that a line leaves for it.

    >>> from zermelo.games import make_game
    >>> cut = Horizon(make_game("nim:3"), 1)
    >>> cut.result(cut.play(cut.start(), (0, 1)))
    (0, 0)
    """

    def __init__(self, game: Game, depth: int) -> None:
        super().__init__(game)
        self._depth = depth

    @property
    def longest(self) -> int:  # type: ignore[override]
        """At least as long as the horizon is far."""
        return max(self.inner.longest, self._depth + 1)

    def inside(self, position: Cut) -> Any:
        return position[1]

    def start(self) -> Cut:
        return (self._depth, self.inner.start())

    def play(self, position: Cut, move: Any) -> Cut:
        left, here = position
        return (left - 1, self.inner.play(here, move))

    def result(self, position: Cut) -> tuple[Score, ...] | None:
        left, here = position
        scores = self.inner.result(here)
        if scores is not None or left > 0:
            return scores
        return (self.inner.evaluate(here), *(0 for _ in self.roles[1:]))

    def is_cut(self, position: Cut) -> bool:
        """Whether play is over here only because of the horizon."""
        return position[0] == 0 and self.inner.result(position[1]) is None

    def key(self, position: Cut) -> str:
        return f"{position[0]}: {self.inner.key(position[1])}"
