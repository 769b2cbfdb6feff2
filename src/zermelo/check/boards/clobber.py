"""Clobber and cannibal clobber: a stone moves onto a neighbour and takes it; cannibals take their own colour too."""

from __future__ import annotations

from functools import partial

from zermelo.check.boards import cells
from zermelo.check.boards.ruleset import STONES, Moves, Rules


def _moves(prey: tuple[str, str], board: str, side: int) -> Moves:
    stone = STONES[side]
    for cell in [place for place, content in enumerate(board) if content == stone]:
        for step in cells.straight(board):
            if cells.at(board, cell + step) in prey[side]:
                yield cells.named(board, cell, cell + step), cells.changed(board, {cell: ".", cell + step: stone})


def _crowds(needed: str, board: str) -> list[str]:
    """Stones that hang together and that somebody may yet move; a stone moves onto a stone, so crowds never meet."""
    stones = [cells.cells_with(board, stone) for stone in needed]
    crowds = [crowd for crowd in cells.regions(board, "xo", cells.straight(board)) if crowd & (crowd - 1)]
    return [cells.drawn(board, crowd, ".") for crowd in crowds if all(crowd & some for some in stones)]


def _checkered(rows: int, columns: int) -> str:
    return "|".join(("xo" * columns)[row % 2 :][:columns] for row in range(rows))


_read = partial(cells.read_cells, ".xo#", _checkered)

RULES = {
    "cannibal": Rules(_read, partial(_moves, ("xo", "xo")), partial(_crowds, ""), cells.BY_COLOURS, cells.ALIKE),
    "clobber": Rules(_read, partial(_moves, ("o", "x")), partial(_crowds, "xo"), cells.BY_COLOURS, cells.ALIKE),
}
"""The rules of each game by its name."""
