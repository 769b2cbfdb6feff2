"""Amazons: queens move and shoot arrows that block a cell for good (Walter Zamkauskas 1988)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from zermelo.cgt.boards.ruleset import Position, Side
from zermelo.cgt.rulesets.cells import (
    BLOCKED,
    EMPTY,
    ROOM,
    STONES,
    CellRuleset,
    around,
    cell_name,
    cut_mask,
    mask_of,
    neighbourhoods,
    put,
    stride_of,
    walled,
)


def reached(cells: str, start: int, steps: Sequence[int]) -> Iterator[int]:
    """The empty cells that a queen sees."""
    for step in steps:
        cell = start + step
        while cells[cell] == EMPTY:
            yield cell
            cell += step


class Amazons(CellRuleset):
    """A queen moves like a chess queen over empty cells, then shoots the same way; the cell shot at is blocked.

    >>> [option.move for option in Amazons().options("x..", "left")]
    ['a1b1/c1', 'a1b1/a1', 'a1c1/b1', 'a1c1/a1']
    """

    name = "amazons"
    summary = "move a queen, then block a cell that it sees"
    form = "amazons:ROW|ROW|... of . x o #"
    example = "amazons:x...|....|....|...o"
    cells = ".xo#"
    pieces: ClassVar[dict[str, str]] = {"x": "black-queen", "o": "white-queen"}
    negative = "colours"
    uses = ROOM

    def start(self, rows: int, columns: int) -> str | None:
        """Boards differ in where the queens stand."""
        return None

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """A queen's step and shot; it may shoot where it came from, and beyond."""
        cells, stride, queen = walled(board), stride_of(board), STONES[side]
        steps = around(stride)
        for cell, content in enumerate(board):
            if content != queen:
                continue
            without = put(cells, (cell, EMPTY))
            for target in reached(cells, cell, steps):
                for shot in reached(without, target, steps):
                    name = f"{cell_name(cell, stride)}{cell_name(target, stride)}/{cell_name(shot, stride)}"
                    yield name, put(board, (cell, EMPTY), (target, queen), (shot, BLOCKED))

    def regions(self, position: Position) -> Sequence[Position]:
        """Cells joined by king's moves, not blocked, with a queen and room: nothing moves or shoots across."""
        parts = neighbourhoods(mask_of(position, ".xo"), around(stride_of(position)))
        boards = [cut_mask(position, part) for part in parts]
        return [board for board in boards if EMPTY in board and ("x" in board or "o" in board)]
