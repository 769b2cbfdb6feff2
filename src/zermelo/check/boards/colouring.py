"""Col and snort: cells take colours. In col a cell may not be beside its own colour, in snort not beside the other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from zermelo.check.boards.cells import ALIKE, BY_COLOURS, at, changed, cut, empty, named, read_cells, straight
from zermelo.check.boards.ruleset import STONES, Moves, Rules
from zermelo.check.groups import groups


def _moves(unwanted: str, board: str, side: int) -> Moves:
    """``unwanted`` has for each side the colour that must not be beside its own."""
    for cell in _paintable(unwanted, board, side):
        yield named(board, cell), changed(board, {cell: STONES[side]})


def _paintable(unwanted: str, board: str, side: int) -> list[int]:
    steps = straight(board)
    free = [cell for cell, content in enumerate(board) if content == "."]
    return [cell for cell in free if all(at(board, cell + step) != unwanted[side] for step in steps)]


def _maps(unwanted: str, board: str) -> list[str]:
    """Empty cells that still bear on each other, with the coloured cells beside them.

    Two neighbours bear on each other if they may yet take two colours that must not be side by side. What a cell may
    take only ever shrinks, so such links never come back.
    """
    steps = straight(board)
    may = [set(_paintable(unwanted, board, side)) for side in (0, 1)]
    against = [may[STONES.index(colour)] for colour in unwanted]

    def bears(cell: int) -> Iterator[int]:
        for step in steps:
            if any(cell in may[side] and cell + step in against[side] for side in (0, 1)):
                yield cell + step

    found = []
    for part in groups(may[0] | may[1], bears):
        beside = {cell + step for cell in part for step in steps if at(board, cell + step) in STONES}
        found.append(cut(board, part | beside))
    return found


_read = partial(read_cells, ".xo#", empty)

RULES = {
    "col": Rules(_read, partial(_moves, "xo"), partial(_maps, "xo"), BY_COLOURS, ALIKE),
    "snort": Rules(_read, partial(_moves, "ox"), partial(_maps, "ox"), BY_COLOURS, ALIKE),
}
"""The rules of each game by its name."""
