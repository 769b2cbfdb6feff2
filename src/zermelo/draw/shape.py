"""What a position looks like, before anybody draws it, and what cells and edges are called."""

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

    def __repr__(self) -> str:
        filled = sum(cell != "" for row in self.cells for cell in row)
        return f"<Board: {len(self.cells)} x {len(self.cells[0]) if self.cells else 0}, {filled} filled>"

    def _repr_svg_(self) -> str:
        from zermelo.draw.board import board_svg

        return board_svg(self)


def column_letters(column: int) -> str:
    """The name of a column, from 0: a to z, then aa, ab and so on, as in a spreadsheet.

    >>> [column_letters(column) for column in (0, 25, 26, 701, 702)]
    ['a', 'z', 'aa', 'zz', 'aaa']
    """
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("a") + letter) + name
    return name


def edge_name(index: int, column: int) -> str:
    """The name of an edge: its two dots. Rows of edges across and down take turns.

    >>> edge_name(0, 0), edge_name(1, 0)
    ('a1b1', 'a1a2')
    """
    row = index // 2 + 1
    across = (column, row + 1) if index % 2 else (column + 1, row)
    return f"{column_letters(column)}{row}{column_letters(across[0])}{across[1]}"
