"""What a position looks like, before anybody draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Board:
    """What a position looks like: rows of one-word cells, drawn as squares or as slanted hexagons.

    ``""`` is an empty cell, ``"x"`` and ``"black"`` the first role's stone, ``"o"`` and ``"white"`` the second's;
    any other text is written into the cell. ``rows`` and ``columns`` are what moves call them, from the top and from
    the left; without them rows are 1, 2, 3 and columns a, b, c.
    """

    cells: tuple[tuple[str, ...], ...]
    shape: Literal["square", "hex"] = "square"
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    checkered: bool = False
    """Whether every other square is dark, as on a chessboard."""

    sides: tuple[str, str] = ("black", "white")
    """The colours of the two pairs of sides of a hexagonal board: top and bottom, left and right."""

    def _repr_svg_(self) -> str:
        from zermelo.draw.board import board_svg

        return board_svg(self)

    def __repr__(self) -> str:
        filled = sum(cell != "" for row in self.cells for cell in row)
        return f"<Board: {len(self.cells)} x {len(self.cells[0]) if self.cells else 0}, {filled} filled>"

    def _repr_svg_(self) -> str:
        from zermelo.draw.board import board_svg

        return board_svg(self)
