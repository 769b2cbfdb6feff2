"""Domineering and cram: dominoes on empty cells. In domineering Left lays them upright, Right flat."""

from __future__ import annotations

from functools import partial

from zermelo.check.boards import cells
from zermelo.check.boards.ruleset import Moves, Rules


def _dominoes(board: str, *steps: int) -> Moves:
    for step in steps:
        for cell in range(len(board) - step):
            if board[cell] == board[cell + step] == ".":
                after = f"{board[:cell]}#{board[cell + 1 : cell + step]}#{board[cell + step + 1 :]}"
                yield cells.named(board, cell, cell + step), after


def _domineering(board: str, side: int) -> Moves:
    return _dominoes(board, 1 if side else cells.below(board))


def _cram(board: str, side: int) -> Moves:
    del side
    return _dominoes(board, 1, cells.below(board))


def _rooms(board: str) -> list[str]:
    """Empty cells that hang together: a domino lies on two neighbours."""
    return [
        cells.drawn(board, region)
        for region in cells.regions(board, ".", cells.straight(board))
        if region & (region - 1)
    ]


_read = partial(cells.read_cells, ".#", cells.empty)

RULES = {
    "cram": Rules(_read, _cram, _rooms, cells.ALIKE, cells.ALIKE),
    "domineering": Rules(
        _read, _domineering, _rooms, cells.Images(cells.mirrored, cells.transposed), cells.Images(cells.mirrored)
    ),
}
"""The rules of each game by its name."""
