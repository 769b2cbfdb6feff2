"""Col and Snort: colour the cells of a map; neighbours differ in the one, agree in the other (Conway 1976)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from zermelo.cgt.ruleset import SIDES, Position, Side
from zermelo.cgt.rulesets.cells import (
    EMPTY,
    OPPONENT,
    STONES,
    CellRuleset,
    cell_name,
    components,
    cut_out,
    put,
    straight,
    stride_of,
    walled,
)


class Colouring(CellRuleset):
    """A cell may be coloured unless a neighbour has the colour that the rules do not want beside it."""

    cells = ".xo#"
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
        cells, steps = walled(position), straight(stride_of(position))
        may = {
            cell: {STONES[side] for side in SIDES if self.allowed(cells, cell, STONES[side], steps)}
            for cell, content in enumerate(position)
            if content == EMPTY
        }
        playable = [cell for cell, colours in may.items() if colours]

        def linked(cell: int) -> Iterator[int]:
            for step in steps:
                other = may.get(cell + step, set())
                if any(self.unwanted[colour] in other for colour in may[cell]):
                    yield cell + step

        parts = []
        for part in components(playable, linked):
            beside = {cell + step for cell in part for step in steps if cells[cell + step] in "xo"}
            parts.append(cut_out(position, part | beside))
        return parts


class Col(Colouring):
    """Neighbours must not have the same colour.

    >>> [option.move for option in Col().options("x..", "left")]
    ['c1']
    """

    name = "col"
    summary = "colour cells, neighbours must differ"
    form = "col:ROW|ROW|... of . x o #, or col:ROWSxCOLUMNS"
    unwanted: ClassVar[dict[str, str]] = {"x": "x", "o": "o"}


class Snort(Colouring):
    """Neighbours must not have different colours.

    >>> [option.move for option in Snort().options("x..", "right")]
    ['c1']
    """

    name = "snort"
    summary = "colour cells, neighbours must agree"
    form = "snort:ROW|ROW|... of . x o #, or snort:ROWSxCOLUMNS"
    unwanted: ClassVar[dict[str, str]] = OPPONENT
