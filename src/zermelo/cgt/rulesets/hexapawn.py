"""Hexapawn: pawns of chess on a small board (Martin Gardner 1962)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from zermelo.cgt.boards.ruleset import Side
from zermelo.cgt.rulesets.cells import EMPTY, PREY, STONES, WALL, CellRuleset, cell_name, put, stride_of, walled


class Hexapawn(CellRuleset):
    """Left's pawns go down, Right's up: straight on to an empty cell, or aslant to take. Who gets across has won.

    When a pawn has reached the other side nobody moves on that board any more, so the player to move there has lost.

    >>> [option.move for option in Hexapawn().options("x.|o.|..", "left")]
    []
    >>> [option.move for option in Hexapawn().options("xx.|.o.|..o", "left")]
    ['a1a2', 'a1b2']
    """

    name = "hexapawn"
    summary = "pawns go straight on or take aslant; who reaches the other side or leaves no move wins"
    form = "hexapawn:ROW|ROW|... of . x o #, or hexapawn:ROWSxCOLUMNS"
    example = "hexapawn:3x3"
    cells = ".xo#"
    pieces: ClassVar[dict[str, str]] = {"x": "black-pawn", "o": "white-pawn"}
    symmetry = "none"
    negative = "none"

    def start(self, rows: int, columns: int) -> str | None:
        """A row of pawns on either side."""
        if rows < 3:
            return None
        return WALL.join(["x" * columns, *[EMPTY * columns] * (rows - 2), "o" * columns])

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """Steps and takings of the side's pawns, unless a pawn is across."""
        rows = board.split(WALL)
        if "x" in rows[-1] or "o" in rows[0]:
            return
        cells, stride, pawn = walled(board), stride_of(board), STONES[side]
        ahead = stride if side == "left" else -stride
        for cell, content in enumerate(board):
            if content == pawn:
                for step, wanted in ((ahead, EMPTY), (ahead - 1, PREY[side]), (ahead + 1, PREY[side])):
                    if cells[cell + step] == wanted:
                        name = f"{cell_name(cell, stride)}{cell_name(cell + step, stride)}"
                        yield name, put(board, (cell, EMPTY), (cell + step, pawn))
