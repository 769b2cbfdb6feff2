"""Col and Snort: colour the cells of a map; neighbours differ in the one, agree in the other (Conway 1976)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from zermelo.cgt.boards.ruleset import Position, Side
from zermelo.cgt.rulesets.cells import (
    EMPTY,
    OPPONENT,
    ROOM,
    STONES,
    CellRuleset,
    beside,
    cell_name,
    cut_mask,
    linked_parts,
    mask_of,
    put,
    straight,
    stride_of,
    walled,
)


class Colouring(CellRuleset):
    """A cell may be coloured unless a neighbour has the colour that the rules do not want beside it."""

    cells = ".xo#"
    negative = "colours"
    uses = ROOM
    unwanted: ClassVar[dict[str, str]]
    """For each colour the one that must not be next to it."""

    def allowed(self, board: str, cell: int, stone: str, steps: Sequence[int]) -> bool:
        """May the (walled) board's empty cell take this colour?"""
        unwanted = self.unwanted[stone]
        return all(board[cell + step] != unwanted for step in steps)

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """Cells that may take the side's colour."""
        cells, stride, stone = walled(board), stride_of(board), STONES[side]
        steps = straight(stride)
        for cell, content in enumerate(board):
            if content == EMPTY and self.allowed(cells, cell, stone, steps):
                yield cell_name(cell, stride), put(board, (cell, stone))

    def regions(self, position: Position) -> Sequence[Position]:
        """Empty cells that still bear on each other, with the coloured cells around them.

        Two empty neighbours bear on each other if they may yet take two colours that must not be side by side. What a
        cell may take only ever shrinks, so such links never come back.
        """
        stride, unwanted = stride_of(position), self.unwanted
        empty = mask_of(position, EMPTY)
        stones = {stone: mask_of(position, stone) for stone in "xo"}
        may = {stone: empty & ~beside(stones[unwanted[stone]], stride) for stone in "xo"}

        def reached(part: int) -> int:
            x, o = may[unwanted["x"]], may[unwanted["o"]]
            return beside(part & may["x"], stride) & x | beside(part & may["o"], stride) & o

        coloured = stones["x"] | stones["o"]
        parts = linked_parts(may["x"] | may["o"], reached)
        return [cut_mask(position, part | beside(part, stride) & coloured) for part in parts]


class Col(Colouring):
    """Neighbours must not have the same colour.

    >>> [option.move for option in Col().options("x..", "left")]
    ['c1']
    """

    name = "col"
    summary = "colour cells, neighbours must differ"
    form = "col:ROW|ROW|... of . x o #, or col:ROWSxCOLUMNS"
    example = "col:3x3"
    unwanted: ClassVar[dict[str, str]] = {"x": "x", "o": "o"}


class Snort(Colouring):
    """Neighbours must not have different colours.

    >>> [option.move for option in Snort().options("x..", "right")]
    ['c1']
    """

    name = "snort"
    summary = "colour cells, neighbours must agree"
    form = "snort:ROW|ROW|... of . x o #, or snort:ROWSxCOLUMNS"
    example = "snort:3x3"
    unwanted: ClassVar[dict[str, str]] = OPPONENT
