"""Othello: outflank the other's discs and turn them over; who has more at the end wins."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

from zermelo.draw.shape import Board
from zermelo.errors import ArgumentError
from zermelo.game import DRAW, Game, win_for
from zermelo.games.entry import Entry, integers

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.closing import Images

PASS: Final = "pass"
_DISCS = "bw"
_NAMES = {"b": "black", "w": "white", ".": ""}

OthelloPosition = tuple[str, int]
"""The cells row by row from the top (``b``, ``w`` or ``.``), and the role to move."""


class Othello(Game):
    """Othello on a board of rows x columns, both even and at least 4.

    Black moves first. A disc goes on an empty cell from which, in some direction, a run of enemy discs ends
    at one of one's own; all such runs are turned over. A player without such a cell passes, which is a move:
    ``pass``. When neither has one the game is over, and more discs win: the score is 1, 0 or -1. Cells are
    named from the top left corner ``a1``.

    >>> game = Othello()
    >>> game.moves(game.start())
    ['d3', 'c4', 'f5', 'e6']
    >>> small = Othello(4, 4)
    >>> print(small.text(small.play(small.start(), "b1")))
    . x . .
    . x x .
    . x o .
    . . . .
    """

    roles = ("black", "white")

    def __init__(self, rows: int = 8, columns: int = 8) -> None:
        for size in (rows, columns):
            if size % 2 or not 4 <= size <= len(ascii_lowercase):
                raise ArgumentError(f"othello needs even sides from 4 to {len(ascii_lowercase)}, not {size}")
        self.rows, self.columns = rows, columns
        self._names = [f"{ascii_lowercase[column]}{row + 1}" for row in range(rows) for column in range(columns)]
        self._cells = {name: cell for cell, name in enumerate(self._names)}
        self._rays = [self._rays_from(*divmod(cell, columns)) for cell in range(rows * columns)]

    def _rays_from(self, row: int, column: int) -> list[list[int]]:
        rays = []
        for down, right in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
            ray, r, c = [], row + down, column + right
            while 0 <= r < self.rows and 0 <= c < self.columns:
                ray.append(r * self.columns + c)
                r, c = r + down, c + right
            rays.append(ray)
        return rays

    def _outflanked(self, cells: str, role: int, cell: int) -> list[int]:
        """The enemy discs that a disc placed on an empty cell turns over."""
        own, found = _DISCS[role], []
        for ray in self._rays[cell]:
            length = 0
            while length < len(ray) and cells[ray[length]] not in (own, "."):
                length += 1
            if length < len(ray) and cells[ray[length]] == own:
                found.extend(ray[:length])
        return found

    def _placements(self, cells: str, role: int) -> list[str]:
        return [
            self._names[cell] for cell, disc in enumerate(cells) if disc == "." and self._outflanked(cells, role, cell)
        ]

    def start(self) -> OthelloPosition:
        board = ["."] * (self.rows * self.columns)
        corner = (self.rows // 2 - 1) * self.columns + self.columns // 2 - 1
        board[corner] = board[corner + self.columns + 1] = "w"
        board[corner + 1] = board[corner + self.columns] = "b"
        return ("".join(board), 0)

    def turn(self, position: OthelloPosition) -> str:
        return self.roles[position[1]]

    def moves(self, position: OthelloPosition) -> list[str]:
        cells, role = position
        placements = self._placements(cells, role)
        if placements:
            return placements
        return [PASS] if self._placements(cells, 1 - role) else []

    def play(self, position: OthelloPosition, move: str) -> OthelloPosition:
        cells, role = position
        if move == PASS:
            return (cells, 1 - role)
        cell = self._cells[move]
        board = list(cells)
        for turned in (cell, *self._outflanked(cells, role, cell)):
            board[turned] = _DISCS[role]
        return ("".join(board), 1 - role)

    def result(self, position: OthelloPosition) -> tuple[int, int] | None:
        if self.moves(position):
            return None
        black, white = position[0].count("b"), position[0].count("w")
        return DRAW if black == white else win_for(0 if black > white else 1)

    def board(self, position: OthelloPosition) -> Board:
        cells, width = position[0], self.columns
        rows = (cells[at : at + width] for at in range(0, len(cells), width))
        return Board(tuple(tuple(_NAMES[cell] for cell in row) for row in rows))

    def images(self) -> Images:
        from zermelo.games.board_images import squared

        return squared(self.rows, self.columns, with_role=True)

    def native(self) -> _native.Game | None:
        from zermelo import _native

        return _native.game("othello", [self.rows, self.columns])


_USAGE = "othello:R,C"


def _make(text: str) -> Othello:
    return Othello(*integers(text, _USAGE, count=2)) if text else Othello()


ENTRIES = (
    Entry(
        "othello",
        _USAGE,
        "outflank discs and turn them over; more discs win; 8 x 8 if no size is given",
        "othello:4,4",
        _make,
    ),
)
