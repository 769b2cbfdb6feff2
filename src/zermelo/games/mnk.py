"""k in a row: tic-tac-toe, gomoku without restrictions, and every other board.

x and o take turns to mark an empty cell; the first with k marks in a straight line wins, a full board
without such a line is a draw. x never loses (Nash's strategy-stealing argument: a mark of one's own does no
harm), and more than k in a row counts as well, which is what gomoku players call free style.

>>> game = MNK(3, 3, 3)
>>> print(game.text(game.play(game.start(), game.parse_move(game.start(), "b2"))))
. . .
. x .
. . .
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from zermelo.draw.shape import Board
from zermelo.errors import ArgumentError
from zermelo.game import DRAW, win_for
from zermelo.games.entry import Entry, integers
from zermelo.games.grid import EMPTY, cell_name, lines, square_board, whole_lines
from zermelo.games.ruled import Ruled

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.closing import ClosingRule, Images

LARGEST_SIDE = 100


class MNK(Ruled):
    """k in a row on a board of ``rows`` by ``columns``.

    A position is the string of cells, row by row from the top: ``x``, ``o`` or ``.``; whose turn it is
    follows from the number of marks. A move is the index of a cell in it, written ``b2``: second column,
    second row.

    >>> game = MNK(3, 3, 3)
    >>> game.result("xxxoo....")
    (1, -1)
    >>> [game.move_text(move) for move in game.moves("xxooox.x.")]
    ['a3', 'c3']
    """

    roles = ("x", "o")

    def __init__(self, rows: int, columns: int, k: int) -> None:
        self.rows, self.columns, self.k = rows, columns, k

    @cached_property
    def lines(self) -> list[slice]:
        """Every line of k cells, as a slice of a position."""
        return lines(self.rows, self.columns, self.k)

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
        return [cell for cell, mark in enumerate(position) if mark == EMPTY]

    def play(self, position: str, move: int) -> str:
        return position[:move] + self.turn(position) + position[move + 1 :]

    def result(self, position: str) -> tuple[int, int] | None:
        marks = "|".join([position[line] for line in self.whole_lines])
        for row, scores in self.won_by:
            if row in marks:
                return scores
        return None if EMPTY in position else DRAW

    def evaluate(self, position: str) -> Fraction:
        """The quality of the position, in units that a line won outweighs on boards of any size."""
        return Fraction(quality(self, position), max(600, 301 + len(self.lines)))

    def move_text(self, move: int) -> str:
        return cell_name(move, self.columns)

    def board(self, position: str) -> Board:
        return square_board(position, self.columns)

    def images(self) -> Images:
        from zermelo.games.board_images import squared

        return squared(self.rows, self.columns)

    def closing(self, rule: str) -> ClosingRule | None:
        from zermelo.games.closing_rules import K_IN_A_ROW

        return K_IN_A_ROW[rule](self) if rule in K_IN_A_ROW else None

    def native(self) -> _native.Game | None:
        from zermelo import _native

        return _native.game("mnk", [self.rows, self.columns, self.k])


def quality(game: MNK, position: str) -> int:
    """How good a position looks for x: the textbook quality function of tic-tac-toe, for any k.

    Each side has 600 points for a complete line, else 300 for two or more open lines that lack one mark, else
    200 for one such line; and one point for each line it can still complete, that is, without a mark of the
    other side. The quality is the difference: x's points minus o's.

    >>> quality(MNK(3, 3, 3), "x...o...x")    # 4 of the 8 lines are free of o's mark, 3 free of x's
    1
    """
    own, other = (_points(game, position, *marks) for marks in (("x", "o"), ("o", "x")))
    return own - other


def _points(game: MNK, position: str, own: str, other: str) -> int:
    counts = [marks.count(own) for line in game.lines if other not in (marks := position[line])]
    nearly = counts.count(game.k - 1)
    reward = 600 if game.k in counts else 300 if nearly > 1 else 200 if nearly else 0
    return reward + len(counts)


def _no_arguments(text: str) -> MNK:
    if text:
        raise ArgumentError("no arguments expected: tictactoe", file=f"tictactoe:{text}", line=1, column=11)
    return MNK(3, 3, 3)


def _gomoku(text: str) -> MNK:
    (side,) = integers(text, "gomoku:N", count=1, most=LARGEST_SIDE)
    return MNK(side, side, 5)


ENTRIES = (
    Entry(
        "mnk",
        "mnk:M,N,K",
        "K in a row on a board of M rows and N columns",
        "mnk:3,3,3",
        lambda text: MNK(*integers(text, "mnk:M,N,K", count=3, most=LARGEST_SIDE)),
    ),
    Entry("gomoku", "gomoku:N", "five in a row on N x N, six or more count as well", "gomoku:15", _gomoku),
    Entry("tictactoe", "tictactoe", "three in a row on 3 x 3", "tictactoe", _no_arguments),
)
