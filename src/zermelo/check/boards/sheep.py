"""Sheep: a herd of at least two splits, and a part of it walks over hexagons until something stops it."""

from __future__ import annotations

import re

from zermelo.check.boards.ruleset import Moves, Rules, Wrong, letters
from zermelo.check.groups import groups

Field = tuple[tuple[str, ...], ...]
"""Rows of cells: a number of sheep, Right's below 0, or ``#``."""
STEPS = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))
"""Up, to the upper right, right, down, to the lower left, left."""
LARGEST_HERD, MOST_CELLS = 50, 400


def _read(text: str, wrong: Wrong) -> Field:
    rows: list[tuple[str, ...]] = []
    begin = 0
    for line in text.split("|"):
        words = re.findall(r"[^\s,]+", line)
        for word in words:
            if word != "#" and not (re.fullmatch("-?[0-9]{1,2}", word) and abs(int(word)) <= LARGEST_HERD):
                wrong(begin + line.index(word), f"unexpected {word[:20]!r}, expected a herd or #")
        rows.append(tuple("#" if word == "#" else str(int(word)) for word in words))
        if not words or len(words) != len(rows[0]) or len(words) * len(rows) > MOST_CELLS:
            wrong(begin, f"row {len(rows)} has {len(words)} cells, expected {len(rows[0]) or 'at least 1'} as in row 1")
        begin += len(line) + 1
    return tuple(rows)


def _herd(field: Field, row: int, column: int) -> int | None:
    """The number on a cell; nothing where it is blocked or off the board."""
    inside = 0 <= row < len(field) and 0 <= column < len(field[0])
    return int(field[row][column]) if inside and field[row][column] != "#" else None


def _moves(field: Field, side: int) -> Moves:
    sign = -1 if side else 1
    for row in range(len(field)):
        for column in range(len(field[0])):
            sheep = sign * (_herd(field, row, column) or 0)
            for down, right in STEPS if sheep > 1 else ():
                steps = 0
                while _herd(field, row + (steps + 1) * down, column + (steps + 1) * right) == 0:
                    steps += 1
                end = row + steps * down, column + steps * right
                for walking in range(1, sheep if steps else 0):
                    cells = [list(line) for line in field]
                    cells[row][column] = str(sign * (sheep - walking))
                    cells[end[0]][end[1]] = str(sign * walking)
                    name = f"{letters(column)}{row + 1}{letters(end[1])}{end[0] + 1}*{walking}"
                    yield name, tuple(map(tuple, cells))


def _parts(field: Field) -> list[Field]:
    """Herds of one never move: they part the board as blocked cells do."""
    width = len(field[0])

    def beside(cell: int) -> list[int]:
        row, column = divmod(cell, width)
        return [(row + a) * width + column + b for a, b in STEPS if 0 <= column + b < width]

    cells = [at for at in range(len(field) * width) if field[at // width][at % width] not in ("#", "1", "-1")]
    found = []
    for part in groups(cells, beside):
        herds = {field[at // width][at % width] for at in part}
        if "0" in herds and len(herds) > 1:
            rows, columns = [at // width for at in part], [at % width for at in part]
            across = range(min(columns), max(columns) + 1)
            lines = range(min(rows), max(rows) + 1)
            found.append(tuple(tuple(field[r][c] if r * width + c in part else "#" for c in across) for r in lines))
    return found


RULES = {"sheep": Rules(_read, _moves, _parts, text=lambda field: "|".join(map(",".join, field)))}
"""The rules of each game by its name."""
