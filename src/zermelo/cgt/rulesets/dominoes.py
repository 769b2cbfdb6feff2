"""Toppling dominoes: push a domino over and all behind it (Albert, Nowakowski, Wolfe, *Lessons in Play*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from zermelo.cgt.boards.ruleset import Position, Side
from zermelo.cgt.rulesets.cells import BLOCKED, STONES, CellRuleset

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

OWN_AND_COMMON: dict[Side, str] = {"left": "x#", "right": "o#"}


class TopplingDominoes(CellRuleset):
    """A side topples a domino of its own, or one of both sides', to the left or to the right; it takes the rest along.

    >>> [(option.move, option.position) for option in TopplingDominoes().options("xo#", "left")]
    [('1<', 'o#'), ('1>', ''), ('3<', ''), ('3>', 'xo')]
    """

    name = "dominoes"
    summary = "topple a domino of one's own and all behind it, to the left or to the right"
    form = "dominoes:ROW of x (Left), o (Right) and # (both)"
    example = "dominoes:xo#xxo"
    cells = "xo#"
    one_row = True
    symmetry = "mirrors"
    negative = "colours"
    uses = OWN_AND_COMMON

    def parse(self, text: str, place: str, column: int = 1) -> str:
        """A row of dominoes; none is left at the end."""
        return super().parse(text, place, column) if text else ""

    def meaning(self, cell: str) -> str:
        """Nothing is blocked here."""
        return "both sides'" if cell == BLOCKED else super().meaning(cell)

    def start(self, rows: int, columns: int) -> str | None:
        """Any row may be a start."""
        return None

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """Both directions of every domino that the side may push."""
        for place, domino in enumerate(board):
            if domino in (STONES[side], BLOCKED):
                yield f"{place + 1}<", board[place + 1 :]
                yield f"{place + 1}>", board[:place]

    def regions(self, position: Position) -> Sequence[Position]:
        """A row is one piece: every domino can be taken along by any other."""
        return (position,) if position else ()

    def scene(self, position: Position) -> Scene:
        """The dominoes upright."""
        from zermelo.draw.grid import dominoes_scene

        return dominoes_scene(position)
