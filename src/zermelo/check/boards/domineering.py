"""Domineering and cram: dominoes on empty cells. In domineering Left lays them upright, Right flat."""

from __future__ import annotations

from functools import partial

from zermelo.check.boards.cells import (
    ALIKE,
    Images,
    below,
    drawn,
    empty,
    mirrored,
    read_cells,
    regions,
    straight,
    transposed,
    two_named,
)
from zermelo.check.boards.ruleset import Moves, Rules


def _dominoes(board: str, *steps: int) -> Moves:
    down = below(board)
    for step in steps:
        for cell in range(len(board) - step):
            if board[cell] == board[cell + step] == ".":
                after = f"{board[:cell]}#{board[cell + 1 : cell + step]}#{board[cell + step + 1 :]}"
                yield two_named(cell, cell + step, down), after


def _domineering(board: str, side: int) -> Moves:
    return _dominoes(board, 1 if side else below(board))


def _cram(board: str, side: int) -> Moves:
    del side
    return _dominoes(board, 1, below(board))


def _rooms(board: str) -> list[str]:
    """Empty cells that hang together: a domino lies on two neighbours."""
    return [drawn(board, region) for region in regions(board, ".", straight(board)) if region & (region - 1)]


_read = partial(read_cells, ".#", empty)

RULES = {
    "cram": Rules(_read, _cram, _rooms, ALIKE, ALIKE),
    "domineering": Rules(_read, _domineering, _rooms, Images(mirrored, transposed), Images(mirrored)),
}
"""The rules of each game by its name."""
