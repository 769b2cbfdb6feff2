"""Fission: a stone with an empty cell on either side parts into two, up and down for Left, to both sides for Right."""

from __future__ import annotations

from functools import partial

from zermelo.check.boards.cells import Images, at, below, changed, empty, mirrored, named, read_cells, transposed
from zermelo.check.boards.ruleset import Moves, Rules, itself


def _moves(board: str, side: int) -> Moves:
    step = 1 if side else below(board)
    for cell, content in enumerate(board):
        if content == "x" and at(board, cell - step) == at(board, cell + step) == ".":
            yield named(board, cell), changed(board, {cell - step: "x", cell: ".", cell + step: "x"})


def _stone_in_the_middle(rows: int, columns: int) -> str:
    middle = (rows - 1) // 2 * (columns + 1) + (columns - 1) // 2
    return changed(empty(rows, columns), {middle: "x"})


RULES = {
    "fission": Rules(
        partial(read_cells, ".x#", _stone_in_the_middle), _moves, itself, Images(mirrored, transposed), Images(mirrored)
    )
}
"""The rules of each game by its name."""
