"""A game whose rules of play are fetched when somebody moves: a check of a value or of a strategy never does."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Any

from zermelo.game import Game


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

    def start(self) -> Any:
        return self.played.start()

    def turn(self, position: Any) -> Any:
        return self.played.turn(position)

    def moves(self, position: Any) -> Any:
        return self.played.moves(position)

    def play(self, position: Any, move: Any) -> Any:
        return self.played.play(position, move)

    def result(self, position: Any) -> Any:
        return self.played.result(position)

    def move_text(self, move: Any) -> str:
        return self.played.move_text(move)

    def key(self, position: Any) -> str:
        return self.played.key(position)
