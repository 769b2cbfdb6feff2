"""Hex (Hein 1942, Nash 1948): join your two sides of a slanted board of hexagons.

The first role has the black stones and joins top and bottom, the second has the white ones and joins left and
right. Exactly one of them has done so when the board is full (the Hex theorem, Gale 1979), so there is no draw;
first wins from the empty board, because an extra stone does no harm and a second player's win could be stolen
(Nash). There is no swap rule here.

>>> game = Hex(3)
>>> print(game.text(game.play(game.start(), game.parse_move(game.start(), "b2"))))
. . .
 . x .
  . . .
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from zermelo.draw.shape import Board
from zermelo.game import Game, win_for
from zermelo.games.entry import Entry, integers
from zermelo.games.grid import EMPTY, cell_name

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.closing import ClosingRule, Images

LARGEST_SIDE = 100
STONES = {"b": "black", "w": "white", EMPTY: ""}


class Hex(Game):
    """Hex on ``size`` by ``size``.

    A position is the string of cells, row by row from the top: ``b``, ``w`` or ``.``. A move is the index of
    a cell in it, written ``b2``: second column, second row. A cell touches those left and right of it, the
    two above it (straight and to the right) and the two below it (straight and to the left).

    >>> game = Hex(2)
    >>> game.result(".bbw"), game.result("b..b"), game.result("wwb.")
    ((1, -1), None, (-1, 1))
    """

    def __init__(self, size: int) -> None:
        self.size = size

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """The cells that each cell touches."""
        size, steps = self.size, ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
        return [
            [
                (row + down) * size + column + right
                for down, right in steps
                if 0 <= row + down < size and 0 <= column + right < size
            ]
            for row in range(size)
            for column in range(size)
        ]

    def start(self) -> str:
        return EMPTY * self.size**2

    def turn(self, position: str) -> str:
        return self.roles[position.count("b") > position.count("w")]

    def moves(self, position: str) -> list[int]:
        return [cell for cell, stone in enumerate(position) if stone == EMPTY]

    def play(self, position: str, move: int) -> str:
        stone = "w" if position.count("b") > position.count("w") else "b"
        return position[:move] + stone + position[move + 1 :]

    def result(self, position: str) -> tuple[int, int] | None:
        for role, (stone, bands) in enumerate(self.bands):
            for band in bands:  # who has none in a band of cells between his sides cannot have joined them
                if stone not in position[band]:
                    break
            else:
                if self._joined(position, stone, bands):
                    return win_for(role)
        return None

    @cached_property
    def bands(self) -> tuple[tuple[str, list[slice]], ...]:
        """For each role its stone, and the rows or columns from one of its sides to the other."""
        size = self.size
        rows = [slice(row * size, (row + 1) * size) for row in range(size)]
        return ("b", rows), ("w", [slice(column, None, size) for column in range(size)])

    def _joined(self, position: str, stone: str, bands: list[slice]) -> bool:
        cells = range(len(position))
        side, opposite = cells[bands[0]], cells[bands[-1]]
        waiting = [cell for cell in side if position[cell] == stone]
        seen = set(waiting)
        while waiting:
            cell = waiting.pop()
            if cell in opposite:
                return True
            for near in self.neighbours[cell]:
                if near not in seen and position[near] == stone:
                    seen.add(near)
                    waiting.append(near)
        return False

    def move_text(self, move: int) -> str:
        return cell_name(move, self.size)

    def board(self, position: str) -> Board:
        shown = [STONES[stone] for stone in position]
        rows = (tuple(shown[begin : begin + self.size]) for begin in range(0, len(shown), self.size))
        return Board(tuple(rows), "hex")

    def images(self) -> Images:
        from zermelo.games.board_images import half_turned

        return half_turned()

    def closing(self, rule: str) -> ClosingRule | None:
        from zermelo.games.closing_rules import HEX

        return HEX[rule](self) if rule in HEX else None

    def native(self) -> _native.Game | None:
        from zermelo import _native

        return _native.game("hex", [self.size])


ENTRIES = (
    Entry(
        "hex",
        "hex:N",
        "join your two sides of an N x N board of hexagons",
        "hex:4",
        lambda text: Hex(*integers(text, "hex:N", count=1, most=LARGEST_SIDE)),
    ),
)
