"""Toppling dominoes: a domino of one's own falls to either side, and all on that side with it."""

from __future__ import annotations

from zermelo.check.boards.cells import Images, exchanged, mirrored, read_cells
from zermelo.check.boards.ruleset import STONES, Moves, Rules, Wrong


def _read(text: str, wrong: Wrong) -> str:
    return read_cells("xo#", None, text, wrong, one_row=True) if text else ""


def _moves(row: str, side: int) -> Moves:
    for place, domino in enumerate(row):
        if domino in (STONES[side], "#"):
            yield f"{place + 1}<", row[place + 1 :]
            yield f"{place + 1}>", row[:place]


RULES = {
    "dominoes": Rules(_read, _moves, lambda row: [row] if row else [], Images(mirrored, exchanged), Images(mirrored))
}
"""The rules of each game by its name."""
