"""Boards of cells: how they are read, taken apart and turned.

A position is its own text: rows with ``|`` between them. Cell ``i`` has ``i + 1`` to its right, and ``i`` plus the
length of a row and its stroke below it; steps off the board meet a stroke.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from zermelo.check.boards.ruleset import Wrong, letters, size_of

MOST_SIGNED = 1 << 17
"""So many images of boards are remembered."""
MOST_CELLS = 10_000
"""Larger boards are taken for mistakes."""

# Reading


def empty(rows: int, columns: int) -> str:
    """A board without stones, of that size."""
    return "|".join(["." * columns] * rows)


def read_cells(
    allowed: str, start: Callable[[int, int], str] | None, text: str, wrong: Wrong, *, one_row: bool = False
) -> str:
    """Rows of cells, or a size such as ``4x5`` where the game has a usual start."""
    if size := size_of(text, 9):
        rows, columns = size
        if not 0 < rows * columns <= MOST_CELLS:
            wrong(0, f"a board of {rows} x {columns}, expected at least one cell and at most {MOST_CELLS:,}")
        if start is None:
            wrong(0, "this game has no board to start from, expected its cells")
        return start(rows, columns)
    if len(text) > MOST_CELLS:
        wrong(0, f"a board of over {MOST_CELLS:,} cells")
    rows_found = text.split("|")
    if len(rows_found) > 1 and one_row:
        wrong(len(rows_found[0]), "unexpected '|', expected one row")
    at = 0
    for row in rows_found:
        for place, cell in enumerate(row):
            if cell not in allowed + allowed.upper():
                wrong(at + place, f"unexpected {cell!r}, expected one of {' '.join(allowed)}")
        if not row or len(row) != len(rows_found[0]):
            wrong(at, f"a row of {len(row)} cells, expected {len(rows_found[0]) or 'at least 1'} as in the first row")
        at += len(row) + 1
    return text.lower()


# Cells


def below(board: str) -> int:
    """The step from a cell to the one below it."""
    wall = board.find("|")
    return (len(board) if wall < 0 else wall) + 1


@lru_cache(maxsize=1 << 14)
def _named(cell: int, down: int) -> str:
    row, column = divmod(cell, down)
    return f"{letters(column)}{row + 1}"


def named(board: str, *cells: int) -> str:
    """The names of cells, one after the other.

    >>> named("..|..", 0, 4)
    'a1b2'
    """
    down = below(board)
    return "".join([_named(cell, down) for cell in cells])


def at(board: str, cell: int) -> str:
    """What is on a cell; off the board a stroke."""
    return board[cell] if 0 <= cell < len(board) else "|"


def changed(board: str, changes: dict[int, str]) -> str:
    """The board with other contents of some cells."""
    cells = list(board)
    for cell, content in changes.items():
        cells[cell] = content
    return "".join(cells)


def straight(board: str) -> tuple[int, ...]:
    """The steps to the four neighbours of a cell."""
    return 1, -1, below(board), -below(board)


def around(board: str) -> tuple[int, ...]:
    """The steps of a king."""
    down = below(board)
    return *straight(board), down + 1, down - 1, 1 - down, -down - 1


# Parts


@lru_cache(maxsize=64)
def _marks(kinds: str) -> dict[int, str]:
    return {ord(content): str(int(content in kinds)) for content in ".#xo|" + kinds}


def cells_with(board: str, kinds: str) -> int:
    """The cells with contents of some kinds, as bits of a number: cell ``i`` is bit ``i``."""
    return int(board[::-1].translate(_marks(kinds)), 2)


def regions(board: str, kinds: str, steps: tuple[int, ...]) -> list[int]:
    """Cells of some kinds that steps join, each region as the bits of a number.

    >>> [bin(region) for region in regions("..#|##.", ".", straight("..#|##."))]
    ['0b11', '0b1000000']
    """
    left, found = cells_with(board, kinds), []
    while left:
        reached, before = left & -left, 0
        while reached != before:
            before = reached
            for step in steps:
                reached |= (reached << step if step > 0 else reached >> -step) & left
        found.append(reached)
        left ^= reached
    return found


def drawn(board: str, region: int, outside: str = "#") -> str:
    """The smallest board that holds a region; whatever else lies on it is outside.

    >>> drawn("x.#|..#", 0b100010)
    '.|.'
    """
    down = below(board)
    rows, columns, row_of = [], 0, (1 << down) - 1
    lowest, highest = (region & -region).bit_length() - 1, region.bit_length() - 1
    for first in range(lowest - lowest % down, highest + 1, down):
        cells = region >> first & row_of
        rows.append((first, cells))
        columns |= cells
    west, east = (columns & -columns).bit_length() - 1, columns.bit_length()
    return "|".join([_drawn_row(board[f + west : f + east], cells >> west, outside) for f, cells in rows])


@lru_cache(maxsize=1 << 14)
def _drawn_row(contents: str, cells: int, outside: str) -> str:
    return "".join([content if cells >> place & 1 else outside for place, content in enumerate(contents)])


def cut(board: str, part: set[int]) -> str:
    """The same of a part that is a set of cells."""
    return drawn(board, sum(1 << cell for cell in part))


# Symmetries


def transposed(board: str) -> str:
    """Rows as columns: what is upright lies flat.

    >>> transposed("x.|oo")
    'xo|.o'
    """
    return "|".join(map("".join, zip(*board.split("|"), strict=True)))


def mirrored(board: str) -> list[str]:
    """A board and its mirror images.

    >>> mirrored("x.|oo")
    ['x.|oo', 'oo|x.', '.x|oo', 'oo|.x']
    """
    rows = board.split("|")
    turned = [row[::-1] for row in rows]
    return ["|".join(lines) for lines in (rows, rows[::-1], turned, turned[::-1])]


def all_eight(board: str) -> list[str]:
    """A board, its mirror images and what turning makes of them."""
    return mirrored(board) + mirrored(transposed(board))


def exchanged(board: str) -> str:
    """A board with the colours exchanged.

    >>> exchanged("x.o")
    'o.x'
    """
    return board.translate({ord("x"): "o", ord("o"): "x"})


class Images:
    """The first of all images of a board that are worth the same, or the negative if there are such.

    >>> Images(mirrored, exchanged)("x."), Images(mirrored)("x.")
    (('.o', True), ('.x', False))
    """

    def __init__(self, same: Callable[[str], list[str]], negative: Callable[[str], str] | None = None) -> None:
        self.same, self.negative = same, negative
        self.known: dict[str, tuple[str, bool]] = {}

    def __call__(self, board: str) -> tuple[str, bool]:
        found = self.known.get(board)
        if found is None:
            if len(self.known) >= MOST_SIGNED:
                self.known.clear()
            found = min(self.same(board)), False
            if self.negative is not None:
                found = min(found, (min(self.same(self.negative(board))), True))
            self.known[board] = found
        return found


ALIKE = Images(all_eight)
"""Symmetries that hold whoever moves."""
BY_COLOURS = Images(all_eight, exchanged)
"""Those of games in which the two colours do the same."""
