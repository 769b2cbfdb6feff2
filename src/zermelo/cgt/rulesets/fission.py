"""Fission: a stone with room on both sides splits in two (Albert, Nowakowski, Wolfe, *Lessons in Play*)."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.cgt.boards.ruleset import Side
from zermelo.cgt.rulesets.cells import EMPTY, ROOM, CellRuleset, cell_name, put, stride_of, walled


class Fission(CellRuleset):
    """Left splits a stone upwards and downwards, Right to both sides; its own cell is left empty.

    >>> [option.position for option in Fission().options("...|.x.|...", "left")]
    ['.x.|...|.x.']
    """

    name = "fission"
    summary = "split a stone into its two neighbouring cells, Left up and down, Right to the sides"
    form = "fission:ROW|ROW|... of . x #"
    example = "fission:..x.|.x..|...."
    cells = ".x#"
    symmetry = "mirrors"
    negative = "turned"
    uses = ROOM

    def meaning(self, cell: str) -> str:
        """Stones belong to both sides here."""
        return "a stone" if cell == "x" else super().meaning(cell)

    def start(self, rows: int, columns: int) -> str:
        """One stone in the middle, the upper left one of the middles."""
        stride = columns + 1
        empty = "|".join([EMPTY * columns] * rows)
        return put(empty, ((rows - 1) // 2 * stride + (columns - 1) // 2, "x"))

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """Stones with both neighbours empty along the side's line."""
        cells, stride = walled(board), stride_of(board)
        step = stride if side == "left" else 1
        for cell, content in enumerate(board):
            if content == "x" and cells[cell - step] == cells[cell + step] == EMPTY:
                after = put(board, (cell - step, "x"), (cell, EMPTY), (cell + step, "x"))
                yield cell_name(cell, stride), after
