"""A game whose rules of play are fetched when somebody moves: a check of a value or of a strategy never does."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any

from zermelo.game import Game


def _left_to_it(name: str) -> Any:
    return lambda game, *arguments: getattr(game.played, name)(*arguments)


class Unplayed(Game):
    """Knows its roles; all else is left to a game that is made when it is first asked for.

    >>> game = Unplayed(("left", "right"), "zermelo.check.dots", "DotsGame", [".|##|#"])
    >>> game.moves(game.start())
    ['a1b1']
    """

    def __init__(self, roles: tuple[str, ...], module: str, name: str, *arguments: Any) -> None:
        self.roles = roles
        self._stated = module, name, arguments

    @cached_property
    def played(self) -> Game:
        """The game with its rules."""
        module, name, arguments = self._stated
        game: Game = getattr(import_module(module), name)(*arguments)
        return game

    start, turn, moves, play, result, move_text, key = map(
        _left_to_it, ("start", "turn", "moves", "play", "result", "move_text", "key")
    )
