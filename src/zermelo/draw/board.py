"""Boards as text and as scenes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from math import sqrt

from zermelo.draw.pieces import piece
from zermelo.draw.scene import Place, Point, Scene, polygon_place, square_place, stacked
from zermelo.draw.shape import Board, column_letters
from zermelo.draw.svg import box, label, number, picture

_LETTERS = {"": ".", "x": "x", "o": "o", "black": "x", "white": "o"}

CELL = 44.0
MARGIN = 30.0
IN_LINE = 30
"""A longer row of cells is broken into lines."""
MOST_IN_ROW = 600
HEXAGON = 26.0  # the length of its sides, which is also its radius

Cell = tuple[int, int]


def board_text(board: Board, *, coordinates: bool = False) -> str:
    """A board for the terminal; hexagonal ones lean to the right, and longer texts widen their column.

    ``coordinates`` writes the names of the columns above the board and those of the rows beside it.

    >>> print(board_text(Board((("x", ""), ("o", "7")))))
    x .
    o 7
    >>> print(board_text(Board((("white-king", ""), ("o", "7"))), coordinates=True))
       a b
    1 wK .
    2  o 7
    """
    shown = [[_in_short(cell) for cell in row] for row in board.cells]
    names, letters = board_names(board) if coordinates else ([], [])
    columns = max((len(row) for row in shown), default=0)
    tall = [*([list(letters)] if coordinates else []), *shown]
    widths = [max((len(row[c]) for row in tall if c < len(row)), default=1) for c in range(columns)]
    rows = [" ".join(cell.rjust(widths[c]) for c, cell in enumerate(row)) for row in tall]
    if coordinates:
        margin = max(map(len, names), default=0)
        rows = [f"{name.rjust(margin)} {row}" for name, row in zip(["", *names], rows, strict=True)]
    first = 1 if coordinates else 0
    return "\n".join(" " * (max(i - first, 0) if board.shape == "hex" else 0) + row for i, row in enumerate(rows))


def _in_short(cell: str) -> str:
    """What stands in a cell, as one or two letters where it is a man of a colour.

    >>> _in_short("white"), _in_short("black-knight"), _in_short("white-man")
    ('o', 'bN', 'wM')
    """
    colour, dash, man = cell.partition("-")
    if dash and man and colour in ("black", "white"):
        return colour[0] + ("N" if man == "knight" else man[0].upper())
    return _LETTERS.get(cell, cell)


def board_svg(board: Board, marked: Collection[Cell] = (), *, coordinates: bool = True) -> str:
    """A board as an SVG picture, with ``marked`` cells (row, column, from 0) highlighted.

    ``x`` and ``o`` are a cross and a ring, ``black`` and ``white`` stones; :mod:`zermelo.draw.pieces` knows more, and
    other texts are written into their cell. Rows and columns are named as the board says; else columns are a, b, c from
    the left, rows 1, 2, 3 from the top.

    >>> svg = board_svg(Board((("x", ""), ("o", "7"))), marked=[(0, 0)])
    >>> svg.count('class="z-mark"'), ">7</text>" in svg, ">b</text>" in svg
    (1, True, True)
    >>> ">9</text>" in board_svg(Board((("x", "o"),), rows=("9",)))
    True
    """
    scene = board_scene(board)
    rows, columns = board_names(board)
    names = {columns[c] + rows[r] for r, c in marked if r < len(rows) and c < len(columns)}
    marks = [place.outline("mark") for place in scene.places if place.name in names]
    body = [*scene.under, *marks, *scene.over, *(scene.labels if coordinates else ())]
    return picture(scene.width, scene.height, body, "board")


def board_names(board: Board) -> tuple[Sequence[str], Sequence[str]]:
    """What the rows and the columns are called.

    >>> board_names(Board((("x", "o"),)))
    (['1'], ['a', 'b'])
    """
    rows, columns = len(board.cells), max((len(row) for row in board.cells), default=0)
    numbers = [str(row + 1) for row in range(rows)]
    return board.rows or numbers, board.columns or [column_letters(column) for column in range(columns)]


def board_scene(board: Board) -> Scene:
    """A board with a place for every cell, named as moves name it: column, then row.

    >>> [place.name for place in board_scene(Board((("x", "o"),))).places]
    ['a1', 'b1']
    """
    if board.shape == "square" and len(board.cells) == 1 and len(board.cells[0]) > IN_LINE:
        return _strips(board)
    scene = (_hex_scene if board.shape == "hex" else _square_scene)(board)
    return replace(scene, over=tuple(_contents(board, scene.places)))


def _strips(board: Board) -> Scene:
    """A long row in several lines; of a very long one the first cells, and how many more there are."""
    (cells,), (rows, columns) = board.cells, board_names(board)
    starts = range(0, min(len(cells), MOST_IN_ROW), IN_LINE)
    lines = [
        board_scene(Board((cells[i : i + IN_LINE],), rows=tuple(rows), columns=tuple(columns[i : i + IN_LINE])))
        for i in starts
    ]
    if len(cells) > MOST_IN_ROW:
        note = f"and {len(cells) - MOST_IN_ROW:,} more cells"
        lines.append(Scene(220, 26, over=(label(110, 12, note, 13, kind="faint"),)))
    return stacked(lines, gap=-10)


def _contents(board: Board, places: Sequence[Place]) -> Iterator[str]:
    full = [cell for row in board.cells for cell in row]
    for place, cell in zip(places, full, strict=True):
        if cell:
            yield piece(cell, place.x, place.y, place.size)


def _square_scene(board: Board) -> Scene:
    rows, columns = len(board.cells), max((len(row) for row in board.cells), default=0)
    names, letters = board_names(board)
    left = top = MARGIN
    right, bottom = left + columns * CELL, top + rows * CELL
    under = [box(left, top, columns * CELL, rows * CELL, "cell")]
    places = []
    for r, row in enumerate(board.cells):
        for c, cell in enumerate(row):
            x, y = left + c * CELL, top + r * CELL
            if board.checkered and (rows - r + c) % 2:
                under.append(box(x, y, CELL, CELL, "shade"))
            places.append(square_place(letters[c] + names[r], x, y, CELL, CELL, cell))
    across = (f"M{number(left)} {number(top + r * CELL)}H{number(right)}" for r in range(rows + 1))
    down = (f"M{number(left + c * CELL)} {number(top)}V{number(bottom)}" for c in range(columns + 1))
    under.append(f'<path class="z-line" d="{"".join(across)}{"".join(down)}"/>')
    labels = [label(left + (c + 0.5) * CELL, MARGIN / 2, name, 13, kind="faint") for c, name in enumerate(letters)]
    labels += [label(MARGIN / 2, top + (r + 0.5) * CELL, name, 13, kind="faint") for r, name in enumerate(names)]
    return Scene(right + 14, bottom + 14, tuple(under), tuple(places), labels=tuple(labels), title="board")


def _hex_scene(board: Board) -> Scene:
    rows, columns = len(board.cells), max((len(row) for row in board.cells), default=0)
    names, letters = board_names(board)
    step = sqrt(3) * HEXAGON
    left = top = MARGIN

    def centre(r: int, c: int) -> Point:
        return left + (c + r / 2 + 0.5) * step, top + HEXAGON + 1.5 * HEXAGON * r

    places = [
        polygon_place(letters[c] + names[r], hexagon(*centre(r, c)), 1.5 * HEXAGON, cell)
        for r, row in enumerate(board.cells)
        for c, cell in enumerate(row)
    ]
    under = [place.outline(kind) for place in places for kind in ("cell", "line")]
    under += _hex_edges([[hexagon(*centre(r, c)) for c in range(columns)] for r in range(rows)], board)
    labels = [label(centre(0, c)[0], MARGIN / 2 - 2, name, 13, kind="faint") for c, name in enumerate(letters)]
    labels += [
        label(centre(r, 0)[0] - step / 2 - 13, centre(r, 0)[1], name, 13, kind="faint") for r, name in enumerate(names)
    ]
    width = left + (columns + max(rows - 1, 0) / 2) * step + 14
    height = top + HEXAGON * (1.5 * max(rows - 1, 0) + 2) + 14
    return Scene(width, height, tuple(under), tuple(places), labels=tuple(labels), title="board")


def hexagon(x: float, y: float, side: float = HEXAGON) -> list[Point]:
    """The corners of a hexagon that stands on a point: the top one first, then clockwise.

    >>> hexagon(0, 0, 2)[0]
    (0, -2)
    """
    half, s = sqrt(3) / 2 * side, side
    return [
        (x, y - s),
        (x + half, y - s / 2),
        (x + half, y + s / 2),
        (x, y + s),
        (x - half, y + s / 2),
        (x - half, y - s / 2),
    ]


def _hex_edges(corners: list[list[list[Point]]], board: Board) -> Iterator[str]:
    """The four sides: top and bottom are the first role's to join, left and right the second's."""
    if not corners or not corners[0]:
        return
    crossed = any(cell in ("x", "o") for row in board.cells for cell in row)
    colours = ("first", "second") if crossed else board.sides
    top = [cell[i] for cell in corners[0] for i in (5, 0, 1)]
    bottom = [cell[i] for cell in corners[-1] for i in (4, 3, 2)]
    left = [row[0][i] for row in corners for i in (5, 4)]
    right = [row[-1][i] for row in corners for i in (1, 2)]
    for points, colour in ((left, colours[1]), (right, colours[1]), (top, colours[0]), (bottom, colours[0])):
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        # White on white paper needs a rim: a wider line under the line.
        layers = {"black": [("z-rim", 6.0)], "white": [("z-rim", 6.0), ("z-pale", 3.5)]}
        for kind, width in layers.get(colour, [(f"z-{colour}-line", 5.0)]):
            dashes = ' stroke-dasharray="11 4"' if colour == "second" else ""  # also in print they are to differ
            look = f'class="{kind}" stroke-width="{number(width)}" stroke-linejoin="round"{dashes}'
            yield f'<polyline {look} points="{path}"/>'
