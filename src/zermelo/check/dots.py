"""Dots and boxes, as the checker reads and plays it (docs/formats/boards.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.check.boards.ruleset import Wrong, letters, size_of
from zermelo.game import Game

SIDES = ("left", "right")
MOST_BOXES = 400
"""Larger boards are taken for mistakes."""


@dataclass(frozen=True)
class Dots:
    """Boards of dots and boxes side by side: rows of edges, across and down in turns.

    >>> Dots((".|..|.",)).canonical()
    'dots:.|..|.'
    """

    boards: tuple[str, ...]

    def canonical(self) -> str:
        """The edges of the boards."""
        return "dots:" + "+".join(self.boards)

    def game(self) -> Game:
        """Play on the boards, by rules of the checker's own."""
        return DotsGame(self.boards)


def read_dots(text: str, wrong: Wrong) -> str:
    """Rows of edges, ``.`` open and ``#`` drawn, across and down in turns; or a size in boxes."""
    if size := size_of(text, 4):
        rows, columns = size
        if not 0 < rows * columns <= MOST_BOXES:
            wrong(0, f"{rows} x {columns} boxes, expected 1 to {MOST_BOXES}")
        return "|".join("." * (columns + row % 2) for row in range(2 * rows + 1))
    found = text.split("|")
    columns = len(found[0])
    if set(text) - set(".#|"):
        wrong(0, "expected '.' (open), '#' (drawn) or '|'")
    if len(found) % 2 == 0 or len(found) < 3 or not columns:
        wrong(0, "expected an odd number of rows of edges, at least 3: across, down, across and so on")
    if any(len(row) != columns + place % 2 for place, row in enumerate(found)):
        wrong(0, f"expected {columns} and {columns + 1} edges in turns, as the first row has {columns}")
    if len(found) // 2 * columns > MOST_BOXES:
        wrong(0, f"over {MOST_BOXES} boxes")
    return text


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
