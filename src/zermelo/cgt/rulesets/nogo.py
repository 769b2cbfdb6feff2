"""NoGo: go in which nothing may ever be captured; who cannot place a stone loses (Neil McKay; BIRS 2011)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zermelo.cgt.boards.ruleset import Position, Side
from zermelo.cgt.rulesets.cells import (
    EMPTY,
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
from zermelo.errors import InputError


def has_liberty(cells: str, stone: int, steps: Sequence[int]) -> bool:
    """Has the block of a stone an empty neighbour?"""
    colour, seen, stack = cells[stone], {stone}, [stone]
    while stack:
        cell = stack.pop()
        for step in steps:
            content = cells[cell + step]
            if content == EMPTY:
                return True
            if content == colour and cell + step not in seen:
                seen.add(cell + step)
                stack.append(cell + step)
    return False


class NoGo(CellRuleset):
    """Each side places its stones so that every block on the board keeps a liberty.

    >>> [option.position for option in NoGo().options("..o.", "left")]
    ['x.o.', '.xo.']
    >>> [option.position for option in NoGo().options("..o.", "right")]
    ['o.o.', '.oo.', '..oo']
    """

    name = "nogo"
    summary = "place stones, nothing may lose its last liberty"
    form = "nogo:ROW|ROW|... of . x o #, or nogo:ROWSxCOLUMNS"
    example = "nogo:3x4"
    cells = ".xo#"
    negative = "colours"
    uses = ROOM

    def check(self, board: str, place: str, column: int) -> None:
        """Refuses a block without liberties."""
        cells, steps = walled(board), straight(stride_of(board))
        for cell, content in enumerate(board):
            if content in "xo" and not has_liberty(cells, cell, steps):
                raise InputError(
                    "a block without a liberty, expected one for every block", file=place, line=1, column=column + cell
                )

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """Stones that leave a liberty to their own block and to those beside them; no other block is touched."""
        cells, stride, stone = walled(board), stride_of(board), STONES[side]
        steps = straight(stride)
        for cell, content in enumerate(board):
            if content == EMPTY:
                after = put(cells, (cell, stone))
                touched = [cell] + [cell + step for step in steps if after[cell + step] in "xo"]
                if all(has_liberty(after, one, steps) for one in touched):
                    yield cell_name(cell, stride), after[: len(board)]

    def regions(self, position: Position) -> Sequence[Position]:
        """Empty cells with the blocks that have them as liberties.

        Blocks side by side of different colours say nothing to each other: what a stone may do depends on liberties
        alone. Without an empty cell there is no move.
        """
        stride = stride_of(position)
        empty, left, right = mask_of(position, EMPTY), mask_of(position, "x"), mask_of(position, "o")

        def reached(part: int) -> int:
            by_left, by_right = beside(part & left, stride), beside(part & right, stride)
            return beside(part & empty, stride) | by_left & (left | empty) | by_right & (right | empty)

        parts = linked_parts(empty | left | right, reached)
        return [cut_mask(position, part) for part in parts if part & empty]
