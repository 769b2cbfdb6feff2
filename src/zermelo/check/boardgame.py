"""Play on boards, move by move, by the checker's own rules: what tables of moves are tried on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from zermelo.check.boards.ruleset import Rules
from zermelo.errors import IllegalMoveError
from zermelo.game import Game, win_for

SIDES = ("left", "right")


class BoardGame(Game):
    """Positions side by side: who cannot move in any of them has lost. Left begins.

    >>> from zermelo.check.read.board import board_target
    >>> game = board_target("domineering:..|.#+1x2").game()
    >>> game.moves(game.start()), game.key(game.start())
    ([(0, 'a1a2')], '..|.#+.. left')
    """

    roles = SIDES

    def __init__(self, boards: Sequence[tuple[str, Rules, Any]]) -> None:
        self.boards = boards

    def start(self) -> Any:
        return tuple(board for _, _, board in self.boards), 0

    def turn(self, position: Any) -> str:
        return SIDES[position[1]]

    def _options(self, position: Any) -> Iterator[tuple[int, str, Any]]:
        for place, ((_, rules, _), board) in enumerate(zip(self.boards, position[0], strict=True)):
            for name, after in rules.moves(board, position[1]):
                yield place, name, after

    def moves(self, position: Any) -> list[tuple[int, str]]:
        return [(place, name) for place, name, _ in self._options(position)]

    def play(self, position: Any, move: tuple[int, str]) -> Any:
        for place, name, after in self._options(position):
            if (place, name) == move:
                return (*position[0][:place], after, *position[0][place + 1 :]), 1 - position[1]
        raise IllegalMoveError(f"{move[1]} is not a legal move here")

    def result(self, position: Any) -> tuple[int, int] | None:
        return None if self.moves(position) else win_for(1 - position[1])

    def move_text(self, move: tuple[int, str]) -> str:
        return f"{move[0] + 1}:{move[1]}" if len(self.boards) > 1 else move[1]

    def texts(self, position: Any) -> list[str]:
        """Each board as a text."""
        return [rules.text(board) for (_, rules, _), board in zip(self.boards, position[0], strict=True)]

    def key(self, position: Any) -> str:
        return f"{'+'.join(self.texts(position))} {SIDES[position[1]]}"


class MixedGame(BoardGame):
    """Positions of several games, each shown with the name of its game."""

    def move_text(self, move: tuple[int, str]) -> str:
        return f"{move[0] + 1}:{move[1]}"

    def key(self, position: Any) -> str:
        named = [f"{name}:{text}" for (name, _, _), text in zip(self.boards, self.texts(position), strict=True)]
        return f"{' + '.join(named)} {SIDES[position[1]]}"
