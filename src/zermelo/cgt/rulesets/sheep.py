"""Sheep: a herd splits, and a part of it walks as far as it can (after the game Battle Sheep, Francesco Rotta 2010).

The board is a grid of hexagons: a cell has neighbours above, to the upper right, to the right, below, to the lower left
and to the left. (The game ``sheep`` of MCGS, the solver of the University of Alberta.)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side
from zermelo.cgt.rulesets.cells import components
from zermelo.draw.shape import column_letters
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

Field = tuple[tuple[int | None, ...], ...]
"""Rows of herds: Left's above 0, Right's below, ``None`` for a blocked cell."""
STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
LARGEST_HERD = 50
MOST_CELLS = 400


class Sheep(Ruleset):
    """Some sheep of a herd, not all of it, walk in one direction until something stops them.

    >>> rules = Sheep()
    >>> [(option.move, rules.text(option.position)) for option in rules.options(rules.parse("3,0,0", ""), "left")]
    [('a1c1*1', '2,0,1'), ('a1c1*2', '1,0,2')]
    """

    name = "sheep"
    summary = "split a herd, and let a part of it walk as far as it can over hexagons"
    form = "sheep:ROW|ROW|... of numbers with commas: Left's herds above 0, Right's below, # blocked"
    example = "sheep:5,0,0|0,0,0|0,0,-5"

    def parse(self, text: str, place: str, column: int = 1) -> Field:
        """Numbers with commas or blanks between them, rows with strokes."""
        rows: list[tuple[int | None, ...]] = []
        begin = 0
        for line in text.split("|"):
            row: list[int | None] = []
            for word in re.finditer(r"[^\s,]+", line):
                number = word[0]
                fits = re.fullmatch("-?[0-9]{1,2}", number) and abs(int(number)) <= LARGEST_HERD
                if not fits and number != "#":
                    message = f"unexpected {number[:20]!r}, expected a herd from -{LARGEST_HERD} to {LARGEST_HERD} or #"
                    raise InputError(message, file=place, line=1, column=column + begin + word.start())
                row.append(None if number == "#" else int(number))
            rows.append(tuple(row))
            if not row or len(row) != len(rows[0]) or len(row) * len(rows) > MOST_CELLS:
                message = f"row {len(rows)} has {len(row)} cells, expected {len(rows[0]) or 'at least 1'} as in row 1"
                raise InputError(message, file=place, line=1, column=column + begin)
            begin += len(line) + 1
        return tuple(rows)

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """Where a herd may go, and how many of it."""
        sign = 1 if side == "left" else -1
        found = []
        for row, line in enumerate(position):
            for column, herd in enumerate(line):
                if herd is None or herd * sign < 2:
                    continue
                for step in STEPS:
                    end = _end(position, (row, column), step)
                    if end != (row, column):
                        for walking in range(1, herd * sign):
                            name = f"{_name(row, column)}{_name(*end)}*{walking}"
                            changes = {(row, column): herd - walking * sign, end: walking * sign}
                            found.append(Option(name, _changed(position, changes)))
        return found

    def regions(self, position: Position) -> Sequence[Position]:
        """Cells that hang together, without herds of one, which never move; those with a herd and room."""
        width = len(position[0])
        open_cells = [
            row * width + column
            for row, line in enumerate(position)
            for column, herd in enumerate(line)
            if herd is not None and abs(herd) != 1
        ]

        def beside(cell: int) -> list[int]:
            row, column = divmod(cell, width)
            return [(row + a) * width + column + b for a, b in STEPS if 0 <= column + b < width]

        found = []
        for part in components(open_cells, beside):
            herds = {position[cell // width][cell % width] for cell in part}
            if 0 in herds and len(herds) > 1:
                found.append(_cut(position, {divmod(cell, width) for cell in part}))
        return found

    def text(self, position: Position) -> str:
        """As it is read."""
        return "|".join(",".join("#" if herd is None else str(herd) for herd in row) for row in position)

    def shown(self, position: Position) -> str:
        """Rows below each other, moved to the right like hexagons."""
        cells = [["#" if herd is None else str(herd) for herd in row] for row in position]
        wide = max(len(cell) for row in cells for cell in row)
        return "\n".join(" " * at + " ".join(cell.rjust(wide) for cell in row) for at, row in enumerate(cells))

    def scene(self, position: Position) -> Scene:
        """Hexagons, each row half a cell further to the right; herds as stones of their side with a number."""
        from zermelo.draw.board import HEXAGON, hexagon
        from zermelo.draw.pieces import piece
        from zermelo.draw.scene import Scene, polygon_place
        from zermelo.draw.svg import label

        half, under, over, names, places = 3**0.5 / 2 * HEXAGON, [], [], [], []
        rows, columns = len(position), len(position[0])
        for row, line in enumerate(position):
            for column, herd in enumerate(line):
                x, y = 12 + half * (1 + 2 * column + row), 12 + HEXAGON * (1 + 1.5 * row)
                place = polygon_place(_name(row, column), hexagon(x, y), 1.5 * HEXAGON, str(herd or ""))
                places.append(place)
                under += [place.outline("shade" if herd is None else "cell"), place.outline("line")]
                if herd:
                    over.append(piece("black" if herd > 0 else "white", x, y, 1.4 * HEXAGON))
                    over.append(label(x, y, str(abs(herd)), 15, kind="white" if herd > 0 else "black"))
                if herd is not None:
                    names.append(label(x, y + HEXAGON * 0.72, place.name, 9, kind="faint"))
        width, height = 24 + half * (2 * columns + rows - 1), 24 + HEXAGON * (1.5 * rows + 0.5)
        return Scene(width, height, tuple(under), tuple(places), tuple(over), tuple(names), "sheep")


def _name(row: int, column: int) -> str:
    return f"{column_letters(column)}{row + 1}"


def _end(field: Field, start: tuple[int, int], step: tuple[int, int]) -> tuple[int, int]:
    """The last empty cell in a direction, or the start."""
    row, column = start
    while True:
        after = row + step[0], column + step[1]
        inside = 0 <= after[0] < len(field) and 0 <= after[1] < len(field[0])
        if not inside or field[after[0]][after[1]] != 0:
            return row, column
        row, column = after


def _changed(field: Field, changes: dict[tuple[int, int], int]) -> Field:
    return tuple(
        tuple(changes.get((row, column), herd) for column, herd in enumerate(line)) for row, line in enumerate(field)
    )


def _cut(field: Field, part: set[tuple[int, int]]) -> Field:
    rows, columns = ([cell[axis] for cell in part] for axis in (0, 1))
    return tuple(
        tuple(field[row][column] if (row, column) in part else None for column in range(min(columns), max(columns) + 1))
        for row in range(min(rows), max(rows) + 1)
    )
