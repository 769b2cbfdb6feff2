"""Play on boards, move by move, by the checker's own rules: what tables of moves are tried on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.check.cells import letters
from zermelo.check.ruleset import Rules
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


class DotsGame(Game):
    """Dots and boxes on boards side by side: who completes a box moves again; the score is the boxes. Left begins.

    >>> game = DotsGame([".|##|#"])
    >>> game.moves(game.start()), game.play(game.start(), "a1b1")
    (['a1b1'], (('#|##|#',), 1, 0))
    """

    roles = SIDES

    def __init__(self, boards: Sequence[str]) -> None:
        self.boards = tuple(boards)

    def start(self) -> Any:
        return self.boards, 0, 0

    def turn(self, position: Any) -> str:
        return SIDES[position[2]]

    def _edges(self, boards: Sequence[str]) -> dict[str, tuple[int, int]]:
        """The open edges by name: the board, and the place in its text."""
        found = {}
        for number, board in enumerate(boards):
            prefix = f"{number + 1}:" if len(boards) > 1 else ""
            row = column = 0
            for place, edge in enumerate(board):
                if edge == ".":
                    across, down = (column, row // 2 + 2) if row % 2 else (column + 1, row // 2 + 1)
                    found[f"{prefix}{letters(column)}{row // 2 + 1}{letters(across)}{down}"] = number, place
                row, column = (row + 1, 0) if edge == "|" else (row, column + 1)
        return found

    def moves(self, position: Any) -> list[str]:
        return list(self._edges(position[0]))

    def play(self, position: Any, move: str) -> Any:
        boards, lead, turn = position
        number, place = self._edges(boards)[move]
        board = boards[number]
        after = f"{board[:place]}#{board[place + 1 :]}"
        taken = _boxes(after) - _boxes(board)
        now = (*boards[:number], after, *boards[number + 1 :])
        return now, lead + (-taken if turn else taken), turn if taken else 1 - turn

    def result(self, position: Any) -> tuple[int, int] | None:
        boards, lead, _ = position
        return None if any("." in board for board in boards) else (lead, -lead)


def _boxes(board: str) -> int:
    """How many boxes have all four sides."""
    rows = board.split("|")
    around = zip(rows[::2], rows[1::2], rows[2::2], strict=False)
    return sum(
        (above[place] + below[place] + sides[place : place + 2]).count("#") == 4
        for above, sides, below in around
        for place in range(len(above))
    )
