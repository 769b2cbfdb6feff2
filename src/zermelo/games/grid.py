"""Rectangular boards kept as strings of cells, row by row: names of cells and the lines on them."""

from __future__ import annotations

from zermelo.draw.shape import Board, column_letters

EMPTY = "."


def cell_name(cell: int, columns: int) -> str:
    """The name of a cell: its column's letters and its row's number, from 1 at the top.

    >>> cell_name(0, 3), cell_name(5, 3)
    ('a1', 'c2')
    """
    row, column = divmod(cell, columns)
    return f"{column_letters(column)}{row + 1}"


def lines(rows: int, columns: int, length: int) -> list[slice]:
    """Every straight line of so many cells (across, down, both diagonals), as a slice of the string of cells.

    >>> ["abcdefghi"[line] for line in lines(3, 3, 3)]
    ['abc', 'adg', 'aei', 'beh', 'cfi', 'ceg', 'def', 'ghi']
    """
    steps = ((0, 1), (1, 0), (1, 1), (1, -1)) if length > 1 else ((0, 1),)
    found = []
    for row in range(rows):
        for column in range(columns):
            for down, right in steps:
                last_row, last_column = row + down * (length - 1), column + right * (length - 1)
                if last_row < rows and 0 <= last_column < columns:
                    first, last = row * columns + column, last_row * columns + last_column
                    found.append(slice(first, last + 1, down * columns + right))
    return found


def whole_lines(rows: int, columns: int, least: int) -> list[slice]:
    """Every straight line from edge to edge of at least so many cells: a few slices instead of many overlapping ones.

    >>> ["abcdef"[line] for line in whole_lines(2, 3, 2)]
    ['abc', 'def', 'ad', 'be', 'cf', 'ae', 'bf', 'bd', 'ce']
    """
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row in range(rows):
            for column in range(columns):
                begins = row < down or not 0 <= column - right < columns
                across = rows if right == 0 else columns - column if right > 0 else column + 1
                length = min(across, rows - row) if down else across
                if begins and length >= least:
                    first, step = row * columns + column, max(down * columns + right, 1)
                    found.append(slice(first, first + (length - 1) * step + 1, step))
    return found


def square_board(cells: str, columns: int) -> Board:
    """A string of cells as a board to look at.

    >>> square_board("x.o...", 3).cells
    (('x', '', 'o'), ('', '', ''))
    """
    shown = ["" if cell == EMPTY else cell for cell in cells]
    return Board(tuple(tuple(shown[begin : begin + columns]) for begin in range(0, len(cells), columns)))
