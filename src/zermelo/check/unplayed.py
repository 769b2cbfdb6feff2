"""A game whose rules of play are fetched when somebody moves: a check of a value or of a strategy never does."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from zermelo.game import Game


def _asked(name: str) -> Callable[..., Any]:
    """A method of the game with its rules."""
    return lambda self, *given: getattr(self.played, name)(*given)


class Unplayed(Game):
    """Knows its roles; all else is left to a game that is made when it is first asked for.

    >>> from zermelo.check.dots import DotsGame
    >>> game = Unplayed(("left", "right"), lambda: DotsGame([".|##|#"]))
    >>> game.moves(game.start())
    ['a1b1']
    """

    def __init__(self, roles: tuple[str, ...], rules: Callable[[], Game]) -> None:
        self.roles, self._rules = roles, rules

    @cached_property
    def played(self) -> Game:
        """The game with its rules."""
        return self._rules()

    start, turn, moves = _asked("start"), _asked("turn"), _asked("moves")
    play, result, key, move_text = _asked("play"), _asked("result"), _asked("key"), _asked("move_text")
