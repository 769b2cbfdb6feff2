"""Harary's animals: polyominoes by name, and the rules that find them on a board.

>>> sorted(POLYOMINOES["tippy"])
[(0, 0), (1, 0), (1, 1), (2, 1)]
>>> len(orientations(POLYOMINOES["elly"])), len(orientations(POLYOMINOES["tippy"]))
(8, 4)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Cells = frozenset[tuple[int, int]]


def _cells(*rows: str) -> Cells:
    return frozenset((x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "x")


POLYOMINOES: Final[Mapping[str, Cells]] = {
    "domino": _cells("xx"),
    "tic": _cells("xxx"),
    "el": _cells("x", "xx"),
    "skinny": _cells("xxxx"),
    "elly": _cells("x", "x", "xx"),
    "knobby": _cells("xxx", ".x"),
    "tippy": _cells("xx", ".xx"),
    "fatty": _cells("xx", "xx"),
}
"""The animals of two to four cells (Gardner, Scientific American, April 1979), as (column, row)."""


def orientations(animal: Cells) -> list[Cells]:
    """An animal turned and turned over in every way, each once, in its upper left corner.

    >>> [sorted(cells) for cells in orientations(POLYOMINOES["domino"])]
    [[(0, 0), (0, 1)], [(0, 0), (1, 0)]]
    """
    found: set[Cells] = set()
    cells = animal
    for _ in range(4):
        cells = frozenset((-y, x) for x, y in cells)
        found |= {_cornered(cells), _cornered(frozenset((-x, y) for x, y in cells))}
    return sorted(found, key=sorted)


def _cornered(cells: Cells) -> Cells:
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - top) for x, y in cells)


def shape_rules(animal: Cells, rows: int, columns: int) -> str:
    """The rules that find an animal of one player, in the orientations that fit on the board.

    >>> print(shape_rules(POLYOMINOES["domino"], 1, 2))
    (<= (shape ?p)
        (right ?c0 ?c1) (row ?r0)
        (true (cell ?c0 ?r0 ?p)) (true (cell ?c1 ?r0 ?p)))
    """
    rules = []
    for cells in orientations(animal):
        width, height = max(x for x, _ in cells) + 1, max(y for _, y in cells) + 1
        if width > columns or height > rows:
            continue
        across = [f"(right ?c{x} ?c{x + 1})" for x in range(width - 1)] or ["(column ?c0)"]
        down = [f"(below ?r{y} ?r{y + 1})" for y in range(height - 1)] or ["(row ?r0)"]
        marks = [f"(true (cell ?c{x} ?r{y} ?p))" for x, y in sorted(cells)]
        rules.append(f"(<= (shape ?p)\n    {' '.join(across + down)}\n    {' '.join(marks)})")
    return "\n".join(rules)
