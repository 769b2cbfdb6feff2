"""A game taken up at a later position."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zermelo.game import Board, Game, Role, Score, play_line


class Later(Game):
    """The same game with the position after some moves as its start.

    >>> from zermelo.games import make_game
    >>> Later(make_game("nim:3,4"), [(0, 3)]).start()
    ((0, 4), 1)
    """

    def __init__(self, game: Game, line: Sequence[Any]) -> None:
        self._game = game
        self.line = tuple(line)
        self._start = play_line(game, line)
        self.roles, self.endless, self.longest = game.roles, game.endless, game.longest

    @property
    def whole(self) -> Game:
        """The game that this is the rest of."""
        return self._game

    def start(self) -> Any:
        return self._start

    def turn(self, position: Any) -> Role | tuple[Role, ...]:
        return self._game.turn(position)

    def moves(self, position: Any) -> Sequence[Any]:
        return self._game.moves(position)

    def play(self, position: Any, move: Any) -> Any:
        return self._game.play(position, move)

    def result(self, position: Any) -> tuple[Score, ...] | None:
        return self._game.result(position)

    def chances(self, position: Any) -> Sequence[tuple[Any, Fraction]]:
        return self._game.chances(position)

    def moves_of(self, position: Any, role: Role) -> Sequence[Any]:
        return self._game.moves_of(position, role)

    def move_text(self, move: Any) -> str:
        return self._game.move_text(move)

    def parse_move(self, position: Any, text: str) -> Any:
        return self._game.parse_move(position, text)

    def evaluate(self, position: Any) -> Score:
        return self._game.evaluate(position)

    def key(self, position: Any) -> str:
        return self._game.key(position)

    def board(self, position: Any) -> Board | None:
        return self._game.board(position)

    def text(self, position: Any) -> str:
        return self._game.text(position)

    def svg(self, position: Any) -> str:
        return self._game.svg(position)
