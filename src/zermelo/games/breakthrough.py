"""Breakthrough: pawns step and capture forward; the first to reach the far row wins (Dan Troyka 2000)."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from zermelo.draw.shape import Board
from zermelo.errors import ArgumentError
from zermelo.game import Game, win_for
from zermelo.games.entry import Entry, integers

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.closing import Images

_PAWNS = "bw"
_NAMES = {"b": "black", "w": "white", ".": ""}

BreakthroughPosition = tuple[str, int]
"""The cells row by row from the top (``b``, ``w`` or ``.``), and the role to move."""


class Breakthrough(Game):
    """Breakthrough on a board of rows x columns.

    Black, the first to move, starts on the top rows and moves down; white moves up. A pawn steps one row
    forward, straight or diagonally, onto an empty cell, or diagonally onto an enemy pawn, which it captures.
    Who reaches the last row or captures every enemy pawn wins; there are no draws, and a player always has a
    move: with two columns or more the most advanced pawn can step diagonally. Each side has two rows of
    pawns, one on boards of fewer than six rows, unless ``pawns`` says otherwise. A move names the two cells,
    ``a2b3``: row 1 is at the bottom.

    >>> game = Breakthrough(3, 2)
    >>> print(game.text(game.start()))
    x x
    . .
    o o
    >>> game.moves(game.start())
    ['a3a2', 'a3b2', 'b3a2', 'b3b2']
    """

    roles = ("black", "white")

    def __init__(self, rows: int, columns: int, pawns: int | None = None) -> None:
        self.rows, self.columns = rows, columns
        self.pawns = (2 if rows >= 6 else 1) if pawns is None else pawns
        if not 2 <= columns <= len(ascii_lowercase):
            raise ArgumentError(f"breakthrough needs 2 to {len(ascii_lowercase)} columns, not {columns}")
        if not 2 <= 2 * self.pawns <= rows:
            raise ArgumentError(f"breakthrough on {rows} rows has no room for {self.pawns} rows of pawns on each side")
        # For each role, every step that its pawns could make: name, from, to, straight ahead.
        self._steps = tuple(tuple(self._steps_of(role)) for role in (0, 1))
        self._cells = {name: (source, target) for steps in self._steps for name, source, target, _ in steps}

    def _steps_of(self, role: int) -> list[tuple[str, int, int, bool]]:
        down = 1 if role == 0 else -1
        steps = []
        for row in range(self.rows):
            for column in range(self.columns):
                for side in (-1, 0, 1):
                    to_row, to_column = row + down, column + side
                    if 0 <= to_row < self.rows and 0 <= to_column < self.columns:
                        source, target = row * self.columns + column, to_row * self.columns + to_column
                        steps.append((self._name(source) + self._name(target), source, target, side == 0))
        return steps

    def _name(self, cell: int) -> str:
        row, column = divmod(cell, self.columns)
        return f"{ascii_lowercase[column]}{self.rows - row}"

    def start(self) -> BreakthroughPosition:
        filled = self.pawns * self.columns
        return ("b" * filled + "." * (self.rows * self.columns - 2 * filled) + "w" * filled, 0)

    def turn(self, position: BreakthroughPosition) -> str:
        return self.roles[position[1]]

    def moves(self, position: BreakthroughPosition) -> list[str]:
        cells, role = position
        own = _PAWNS[role]
        return [
            name
            for name, source, target, straight in self._steps[role]
            if cells[source] == own and (cells[target] == "." or (cells[target] != own and not straight))
        ]

    def play(self, position: BreakthroughPosition, move: str) -> BreakthroughPosition:
        cells, role = position
        source, target = self._cells[move]
        board = list(cells)
        board[source], board[target] = ".", _PAWNS[role]
        return ("".join(board), 1 - role)

    def result(self, position: BreakthroughPosition) -> tuple[int, int] | None:
        cells, _ = position
        if "b" in cells[-self.columns :] or "w" not in cells:
            return win_for(0)
        if "w" in cells[: self.columns] or "b" not in cells:
            return win_for(1)
        return None

    def board(self, position: BreakthroughPosition) -> Board:
        cells, width = position[0], self.columns
        rows = (cells[at : at + width] for at in range(0, len(cells), width))
        names = tuple(str(self.rows - row) for row in range(self.rows))
        return Board(tuple(tuple(_NAMES[cell] for cell in row) for row in rows), rows=names)

    def images(self) -> Images:
        from zermelo.games.board_images import mirrored

        return mirrored(self.rows, self.columns, with_role=True)

    def native(self) -> _native.Game | None:
        from zermelo import _native

        return _native.game("breakthrough", [self.rows, self.columns, self.pawns])


_USAGE = "breakthrough:R,C[,PAWNS]"


def _make(text: str) -> Breakthrough:
    return Breakthrough(*integers(text, _USAGE, count=3 if text.count(",") == 2 else 2))


ENTRIES = (Entry("breakthrough", _USAGE, "pawns race to the far row, capturing diagonally", "breakthrough:4,4", _make),)
