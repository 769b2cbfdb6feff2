"""Play on boards, move by move, by the checker's own rules: what tables of moves are tried on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.check.boards.ruleset import Rules
from zermelo.errors import IllegalMoveError
from zermelo.game import Game, win_for

SIDES = ("left", "right")


class BoardGame(Game):
    """Boards side by side: who cannot move on any of them has lost. Left begins.

    >>> from zermelo.check.read.board import board_target
    >>> game = board_target("domineering:..|.#+1x2").game()
    >>> game.moves(game.start()), game.key(game.start())
    ([(0, 'a1a2')], '..|.#+.. left')
    """

    roles = SIDES

    def __init__(self, rules: Rules, boards: Sequence[Any]) -> None:
        self.rules, self.boards = rules, tuple(boards)

    def start(self) -> Any:
        return self.boards, 0

    def turn(self, position: Any) -> str:
        return SIDES[position[1]]

    def moves(self, position: Any) -> list[tuple[int, str]]:
        boards, side = position
        return [(place, name) for place, board in enumerate(boards) for name, _ in self.rules.moves(board, side)]

    def play(self, position: Any, move: tuple[int, str]) -> Any:
        boards, side = position
        place, name = move
        for found, after in self.rules.moves(boards[place], side):
            if found == name:
                return (*boards[:place], after, *boards[place + 1 :]), 1 - side
        raise IllegalMoveError(f"{name} is not a legal move here")

    def result(self, position: Any) -> tuple[int, int] | None:
        return None if self.moves(position) else win_for(1 - position[1])

    def move_text(self, move: tuple[int, str]) -> str:
        return move[1] if len(self.boards) == 1 else f"{move[0] + 1}:{move[1]}"

    def key(self, position: Any) -> str:
        return "+".join(map(self.rules.text, position[0])) + f" {SIDES[position[1]]}"
