"""Connect k: drop a stone into a column, it falls to the lowest empty cell; k in a straight line win.

``connect:6,7,4`` is the game sold as Connect Four, a win for the first player in the middle column (Allis
1988, Allen 1988). A full board without a line of k is a draw.

>>> game = Connect(4, 4, 3)
>>> position = game.start()
>>> for text in ("b", "b", "c"):
...     position = game.play(position, game.parse_move(position, text))
>>> print(game.text(position))
. . . .
. . . .
. o . .
. x x .
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from zermelo.draw.shape import Board, column_letters
from zermelo.game import DRAW, win_for
from zermelo.games.entry import Entry, integers
from zermelo.games.grid import EMPTY, square_board, whole_lines
from zermelo.games.ruled import Ruled

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.closing import ClosingRule, Images

LARGEST_SIDE = 100


class Connect(Ruled):
    """Connect k on ``rows`` by ``columns``.

    A position is the string of cells, row by row from the top: ``x``, ``o`` or ``.``. A move is a column,
    counted from 0 and written as its letter: ``a`` is the leftmost.

    >>> game = Connect(2, 3, 2)
    >>> game.play(game.play(game.start(), 0), 0)
    'o..x..'
    >>> [game.move_text(move) for move in game.moves("o..x..")]
    ['b', 'c']
    """

    roles = ("x", "o")

    def __init__(self, rows: int, columns: int, k: int) -> None:
        self.rows, self.columns, self.k = rows, columns, k

    @cached_property
    def whole_lines(self) -> list[slice]:
        """The lines that have room for k marks, from edge to edge."""
        return whole_lines(self.rows, self.columns, self.k)

    @cached_property
    def won_by(self) -> list[tuple[str, tuple[int, int]]]:
        """What wins: k marks of a role, and the scores."""
        return [(mark * self.k, win_for(role)) for role, mark in enumerate(self.roles)]

    def start(self) -> str:
        return EMPTY * (self.rows * self.columns)

    def turn(self, position: str) -> str:
        return "o" if position.count("x") > position.count("o") else "x"

    def moves(self, position: str) -> list[int]:
        return [column for column in range(self.columns) if position[column] == EMPTY]

    def play(self, position: str, move: int) -> str:
        cell = move + (position[move :: self.columns].count(EMPTY) - 1) * self.columns
        return position[:cell] + self.turn(position) + position[cell + 1 :]

    def result(self, position: str) -> tuple[int, int] | None:
        marks = "|".join([position[line] for line in self.whole_lines])
        for row, scores in self.won_by:
            if row in marks:
                return scores
        return None if EMPTY in position else DRAW

    def move_text(self, move: int) -> str:
        return column_letters(move)

    def board(self, position: str) -> Board:
        return square_board(position, self.columns)

    def images(self) -> Images:
        from zermelo.games.board_images import mirrored

        return mirrored(self.rows, self.columns)

    def closing(self, rule: str) -> ClosingRule | None:
        from zermelo.games.closing_rules import CONNECT

        return CONNECT[rule](self) if rule in CONNECT else None

    def native(self) -> _native.Game | None:
        from zermelo import _native

        return _native.game("connect", [self.rows, self.columns, self.k])


ENTRIES = (
    Entry(
        "connect",
        "connect:ROWS,COLS,K",
        "stones fall down their column; K in a row win",
        "connect:6,7,4",
        lambda text: Connect(*integers(text, "connect:ROWS,COLS,K", count=3, most=LARGEST_SIDE)),
    ),
)
