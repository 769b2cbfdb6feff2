"""Clobber and cannibal clobber: a stone moves onto a neighbour and takes it; cannibals take their own colour too."""

from __future__ import annotations

from functools import partial

from zermelo.check.boards.cells import (
    ALIKE,
    BY_COLOURS,
    at,
    cells_with,
    changed,
    drawn,
    named,
    read_cells,
    regions,
    straight,
)
from zermelo.check.boards.ruleset import STONES, Moves, Rules


def _moves(prey: tuple[str, str], board: str, side: int) -> Moves:
    stone = STONES[side]
    for cell in [place for place, content in enumerate(board) if content == stone]:
        for step in straight(board):
            if at(board, cell + step) in prey[side]:
                yield named(board, cell, cell + step), changed(board, {cell: ".", cell + step: stone})


def _crowds(colours: int, board: str) -> list[str]:
    """Stones that hang together and that somebody may yet move; a stone moves onto a stone, so crowds never meet."""
    crowds = [region for region in regions(board, "xo", straight(board)) if region & (region - 1)]
    if colours > 1:
        first, second = cells_with(board, "x"), cells_with(board, "o")
        crowds = [region for region in crowds if region & first and region & second]
    return [drawn(board, region, ".") for region in crowds]


def _checkered(rows: int, columns: int) -> str:
    return "|".join(("xo" * columns)[row % 2 :][:columns] for row in range(rows))


_read = partial(read_cells, ".xo#", _checkered)

RULES = {
    "cannibal": Rules(_read, partial(_moves, ("xo", "xo")), partial(_crowds, 1), BY_COLOURS, ALIKE),
    "clobber": Rules(_read, partial(_moves, ("o", "x")), partial(_crowds, 2), BY_COLOURS, ALIKE),
}
"""The rules of each game by its name."""
