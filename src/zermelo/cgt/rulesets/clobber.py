"""Clobber: a stone captures a neighbouring stone of the other side (Albert, Grossman, Nowakowski, Wolfe 2001)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zermelo.cgt.boards.ruleset import Position, Side
from zermelo.cgt.rulesets.cells import (
    EMPTY,
    OPPONENT,
    PREY,
    STONES,
    CellRuleset,
    cell_name,
    checkered,
    cut_mask,
    mask_of,
    neighbourhoods,
    put,
    straight,
    stride_of,
    walled,
)


def captures(board: str, mover: str, prey: str) -> Iterator[tuple[str, str]]:
    """Every step of a stone of the mover's onto a neighbouring stone among the prey.

    >>> list(captures("xo|.x", "x", "o"))
    [('a1b1', '.x|.x'), ('b2b1', 'xx|..')]
    """
    cells, stride = walled(board), stride_of(board)
    for cell, content in enumerate(board):
        if content == mover:
            for step in straight(stride):
                if cells[cell + step] in prey:
                    name = cell_name(cell, stride) + cell_name(cell + step, stride)
                    yield name, put(board, (cell, EMPTY), (cell + step, mover))


def groups(board: str, mixed: bool) -> Sequence[str]:
    """Connected stones with a move left among them; with ``mixed``, only those of both sides have one."""
    left, right = mask_of(board, "x"), mask_of(board, "o")
    parts = neighbourhoods(left | right, straight(stride_of(board)))
    if mixed:
        parts = [part for part in parts if part & left and part & right]
    return [cut_mask(board, part, EMPTY) for part in parts if part & (part - 1)]


BOTH_COLOURS: dict[Side, str] = {"left": "xo", "right": "xo"}


class Clobber(CellRuleset):
    """A stone moves onto a neighbouring stone of the other side and takes it off; who cannot loses.

    >>> [option.position for option in Clobber().options("xo.", "left")]
    ['.x.']
    """

    name = "clobber"
    summary = "capture a neighbouring stone of the other side"
    form = "clobber:ROW|ROW|... of . x o, or clobber:ROWSxCOLUMNS for a checkered board"
    example = "clobber:3x4"
    cells = ".xo#"
    negative = "colours"
    uses = PREY

    def start(self, rows: int, columns: int) -> str:
        """The checkered board."""
        return checkered(rows, columns)

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """Captures."""
        stone = STONES[side]
        return captures(board, stone, OPPONENT[stone])

    def regions(self, position: Position) -> Sequence[Position]:
        """Connected stones of both sides: stones only ever move onto stones, so groups never meet."""
        return groups(position, mixed=True)


class CannibalClobber(Clobber):
    """Clobber in which stones of one's own may be captured too.

    >>> [option.position for option in CannibalClobber().options("xxo", "right")]
    ['xo.']
    """

    uses = BOTH_COLOURS
    name = "cannibal"
    summary = "clobber in which own stones may be captured too"
    form = "cannibal:ROW|ROW|... of . x o, or cannibal:ROWSxCOLUMNS for a checkered board"
    example = "cannibal:3x4"

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """Captures of either colour."""
        return captures(board, STONES[side], "xo")

    def regions(self, position: Position) -> Sequence[Position]:
        """Connected stones."""
        return groups(position, mixed=False)
