"""Hexapawn: pawns go straight on to an empty cell or take aslant; nobody moves once one is across."""

from __future__ import annotations

from functools import partial

from zermelo.check.boards.cells import at, below, changed, named, read_cells
from zermelo.check.boards.ruleset import STONES, Moves, Rules, Wrong


def _start(rows: int, columns: int) -> str:
    return "|".join(["x" * columns, *["." * columns] * (rows - 2), "o" * columns])


def _read(text: str, wrong: Wrong) -> str:
    read = read_cells(".xo#", lambda rows, columns: _start(rows, columns) if rows > 2 else "", text, wrong)
    return read or wrong(0, "expected at least three rows")


def _moves(board: str, side: int) -> Moves:
    first, *_, last = [*board.split("|"), *board.split("|")]
    if "o" in first or "x" in last:
        return
    ahead = -below(board) if side else below(board)
    for cell in [place for place, content in enumerate(board) if content == STONES[side]]:
        for target, wanted in ((cell + ahead, "."), *((cell + ahead + aside, STONES[1 - side]) for aside in (-1, 1))):
            if at(board, target) == wanted:
                yield named(board, cell, target), changed(board, {cell: ".", target: STONES[side]})


RULES = {"hexapawn": Rules(_read, partial(_moves))}
"""The rules of each game by its name."""
