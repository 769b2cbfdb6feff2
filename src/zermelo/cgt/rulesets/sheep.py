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
        """Cells as discs, each row half a cell further to the right; herds as numbers."""
        from zermelo.draw.scene import Scene, disc_place
        from zermelo.draw.svg import label, number

        over, places = [], []
        for row, line in enumerate(position):
            for column, herd in enumerate(line):
                x, y = 24.0 + 36 * column + 18 * row, 24.0 + 32 * row
                kind = "ink" if herd is None else "cell"
                over.append(f'<circle class="z-{kind}" cx="{number(x)}" cy="{number(y)}" r="16"/>')
                over += [label(x, y + 4, str(herd), 12)] if herd else []
                places.append(disc_place(_name(row, column), x, y, 16))
        rows, columns = len(position), len(position[0])
        return Scene(48.0 + 36 * columns + 18 * rows, 32.0 + 32 * rows, (), tuple(places), tuple(over), (), "sheep")


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
