"""Boards as text and as SVG."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import sqrt

from zermelo.draw.shape import Board
from zermelo.draw.svg import at, box, clipped, label, number, picture, text_of

_LETTERS = {"": ".", "x": "x", "o": "o", "black": "x", "white": "o"}

CELL = 44.0
MARGIN = 30.0
HEXAGON = 26.0  # the length of its sides, which is also its radius

Cell = tuple[int, int]


def column_letters(column: int) -> str:
    """The name of a column, from 0: a to z, then aa, ab and so on.

    >>> column_letters(0), column_letters(25), column_letters(26)
    ('a', 'z', 'aa')
    """
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("a") + letter) + name
    return name


def board_text(board: Board) -> str:
    """A board for the terminal; hexagonal ones lean to the right, and longer texts widen their column.

    >>> print(board_text(Board((("x", ""), ("o", "7")))))
    x .
    o 7
    """
    shown = [[_LETTERS.get(cell, cell) for cell in row] for row in board.cells]
    columns = max((len(row) for row in shown), default=0)
    widths = [max((len(row[c]) for row in shown if c < len(row)), default=1) for c in range(columns)]
    rows = [" ".join(cell.rjust(widths[c]) for c, cell in enumerate(row)) for row in shown]
    return "\n".join(" " * (i if board.shape == "hex" else 0) + row for i, row in enumerate(rows))


def board_svg(board: Board, marked: Collection[Cell] = (), *, coordinates: bool = True) -> str:
    """A board as an SVG picture, with ``marked`` cells (row, column, from 0) highlighted.

    ``x`` and ``o`` are a cross and a ring, ``black`` and ``white`` stones; other texts are written into their
    cell. Rows and columns are named as the board says; else columns are a, b, c from the left, rows 1, 2, 3 from the
    top.

    >>> svg = board_svg(Board((("x", ""), ("o", "7"))), marked=[(0, 0)])
    >>> svg.count('class="z-mark"'), ">7</text>" in svg, ">b</text>" in svg
    (1, True, True)
    >>> ">9</text>" in board_svg(Board((("x", "o"),), rows=("9",)))
    True
    """
    width, height, body = board_body(board, marked, coordinates=coordinates)
    return picture(width, height, body, "board")


def board_body(
    board: Board, marked: Collection[Cell] = (), *, coordinates: bool = True
) -> tuple[float, float, list[str]]:
    """The width, the height and the SVG elements of a board, for pictures that hold more than a board.

    >>> width, height, body = board_body(Board((("x", "o"),)), coordinates=False)
    >>> width, height
    (108.0, 64.0)
    """
    draw = _hex_body if board.shape == "hex" else _square_body
    return draw(board, frozenset(marked), coordinates)


def _names(board: Board, rows: int, columns: int) -> tuple[Sequence[str], Sequence[str]]:
    """What the rows and the columns are called."""
    numbers = [str(row + 1) for row in range(rows)]
    return board.rows or numbers, board.columns or [column_letters(column) for column in range(columns)]


def text_svg(text: str) -> str:
    """Any text as an SVG picture, line by line.

    >>> text_svg("a<b").count("&lt;")
    1
    """
    lines = text.splitlines() or [""]
    width, height = 9.7 * max(len(line) for line in lines) + 24, 20.0 * len(lines) + 20
    body = (
        f'<text class="z-ink" x="12" y="{number(25 + 20 * i)}" xml:space="preserve" text-anchor="start" '
        f'font-family="ui-monospace,monospace" font-size="16">{text_of(line)}</text>'
        for i, line in enumerate(lines)
    )
    return picture(max(width, 40), height, body)


def _square_body(board: Board, marked: frozenset[Cell], coordinates: bool) -> tuple[float, float, list[str]]:
    rows, columns = len(board.cells), max((len(row) for row in board.cells), default=0)
    left = top = MARGIN if coordinates else 10.0
    right, bottom = left + columns * CELL, top + rows * CELL
    body = [box(left, top, columns * CELL, rows * CELL, "cell")]
    body += [
        box(left + c * CELL, top + r * CELL, CELL, CELL, "mark")
        for r, c in sorted(marked)
        if 0 <= r < rows and 0 <= c < columns
    ]
    across = (f"M{number(left)} {number(top + r * CELL)}H{number(right)}" for r in range(rows + 1))
    down = (f"M{number(left + c * CELL)} {number(top)}V{number(bottom)}" for c in range(columns + 1))
    body.append(f'<path class="z-line" d="{"".join(across)}{"".join(down)}"/>')
    for r, row in enumerate(board.cells):
        for c, cell in enumerate(row):
            body += _content(cell, left + (c + 0.5) * CELL, top + (r + 0.5) * CELL, CELL)
    if coordinates:
        row_names, column_names = _names(board, rows, columns)
        for c, name in enumerate(column_names):
            body.append(label(left + (c + 0.5) * CELL, MARGIN / 2, name, 13, kind="faint"))
        for r, name in enumerate(row_names):
            body.append(label(MARGIN / 2, top + (r + 0.5) * CELL, name, 13, kind="faint"))
    return right + 10, bottom + 10, body


def _hex_body(board: Board, marked: frozenset[Cell], coordinates: bool) -> tuple[float, float, list[str]]:
    rows, columns = len(board.cells), max((len(row) for row in board.cells), default=0)
    step = sqrt(3) * HEXAGON
    left = top = MARGIN if coordinates else 12.0

    def centre(r: int, c: int) -> tuple[float, float]:
        return left + (c + r / 2 + 0.5) * step, top + HEXAGON + 1.5 * HEXAGON * r

    body = []
    for r, row in enumerate(board.cells):
        for c in range(len(row)):
            points = " ".join(f"{number(x)},{number(y)}" for x, y in _corners(*centre(r, c)))
            fill = "z-mark" if (r, c) in marked else "z-cell"
            body.append(f'<polygon class="{fill}" points="{points}"/><polygon class="z-line" points="{points}"/>')
    body += _hex_edges([[_corners(*centre(r, c)) for c in range(columns)] for r in range(rows)], board)
    for r, row in enumerate(board.cells):
        for c, cell in enumerate(row):
            body += _content(cell, *centre(r, c), 1.5 * HEXAGON)
    if coordinates:
        row_names, column_names = _names(board, rows, columns)
        body += [label(centre(0, c)[0], MARGIN / 2 - 2, name, 13, kind="faint") for c, name in enumerate(column_names)]
        body += [
            label(centre(r, 0)[0] - step / 2 - 13, centre(r, 0)[1], name, 13, kind="faint")
            for r, name in enumerate(row_names)
        ]
    width = left + (columns + max(rows - 1, 0) / 2) * step + 12
    return width, top + HEXAGON * (1.5 * max(rows - 1, 0) + 2) + 12, body


def _corners(x: float, y: float) -> list[tuple[float, float]]:
    """The corners of a hexagon that stands on a point: the top one first, then clockwise."""
    half, s = sqrt(3) / 2 * HEXAGON, HEXAGON
    return [
        (x, y - s),
        (x + half, y - s / 2),
        (x + half, y + s / 2),
        (x, y + s),
        (x - half, y + s / 2),
        (x - half, y - s / 2),
    ]


def _hex_edges(corners: list[list[list[tuple[float, float]]]], board: Board) -> Iterator[str]:
    """The four sides: top and bottom are the first role's to join, left and right the second's."""
    if not corners or not corners[0]:
        return
    crossed = any(cell in ("x", "o") for row in board.cells for cell in row)
    top = [cell[i] for cell in corners[0] for i in (5, 0, 1)]
    bottom = [cell[i] for cell in corners[-1] for i in (4, 3, 2)]
    left = [row[0][i] for row in corners for i in (5, 4)]
    right = [row[-1][i] for row in corners for i in (1, 2)]
    for points, first in ((left, False), (right, False), (top, True), (bottom, True)):
        path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        # White on white paper needs a rim: a wider line under the line.
        if crossed:
            layers = [("z-first-line" if first else "z-second-line", 5.0)]
        else:
            layers = [("z-rim", 6.0)] if first else [("z-rim", 6.0), ("z-pale", 3.5)]
        for kind, width in layers:
            yield f'<polyline class="{kind}" stroke-width="{number(width)}" stroke-linejoin="round" points="{path}"/>'


def _content(cell: str, x: float, y: float, size: float) -> list[str]:
    """What stands in a cell."""
    if cell == "":
        return []
    r, thick = size * 0.28, f'stroke-width="{number(size * 0.1)}" stroke-linecap="round"'
    centre = f'cx="{number(x)}" cy="{number(y)}"'
    if cell == "x":
        path = f"M{at(x - r, y - r)}L{at(x + r, y + r)}M{at(x + r, y - r)}L{at(x - r, y + r)}"
        return [f'<path class="z-first-line" {thick} d="{path}"/>']
    if cell == "o":
        return [f'<circle class="z-second-line" {thick} {centre} r="{number(r * 1.1)}"/>']
    if cell in ("black", "white"):
        disc = f'{centre} r="{number(size * 0.38)}"'
        return [f'<circle class="z-{cell}" {disc}/><circle class="z-rim" {disc}/>']
    shown = clipped(cell, 12)
    return [label(x, y, shown, min(size * 0.42, 1.5 * size / len(shown)))]
