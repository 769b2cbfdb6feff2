"""Konane: a stone jumps over stones of the other side and takes them, in a straight line (Hawaii; Ernst 1995)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zermelo.cgt.ruleset import Position, Side
from zermelo.cgt.rulesets.cells import (
    BLOCKED,
    EMPTY,
    OPPONENT,
    STONES,
    WALL,
    CellRuleset,
    cell_name,
    components,
    cut_out,
    put,
    straight,
    stride_of,
    walled,
)

Jump = tuple[int, int, int]
"""From where, over what, to where."""


def possible_jumps(board: str) -> list[Jump]:
    """Every jump that some play might make: where a side's stones might ever get to is overestimated.

    >>> possible_jumps("xo.ox")
    [(0, 1, 2), (4, 3, 2), (1, 2, 3), (3, 2, 1), (2, 3, 4), (2, 1, 0)]
    """
    cells, steps = walled(board), straight(stride_of(board))
    reach = {stone: {cell for cell, content in enumerate(board) if content == stone} for stone in "xo"}
    found: list[Jump] = []
    known: set[Jump] = set()
    grew = True
    while grew:
        grew = False
        for stone, other in OPPONENT.items():
            for cell in sorted(reach[stone]):
                for step in steps:
                    jump = cell, cell + step, cell + 2 * step
                    if jump[1] in reach[other] and jump not in known and cells[jump[2]] not in (WALL, BLOCKED):
                        known.add(jump)
                        found.append(jump)
                        reach[stone].add(jump[2])
                        grew = True
    return found


class Konane(CellRuleset):
    """A stone jumps over a neighbouring stone of the other side onto the empty cell behind, and may jump on that way.

    >>> [option.move for option in Konane().options("xo.o.", "left")]
    ['a1c1', 'a1e1']
    """

    name = "konane"
    summary = "jump over stones of the other side and take them"
    form = "konane:ROW|ROW|... of . x o #"
    cells = ".xo#"

    def start(self, rows: int, columns: int) -> str | None:
        """Which two stones leave the full board first is the players' choice."""
        return None

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """One or more jumps in one direction."""
        cells, stride, stone = walled(board), stride_of(board), STONES[side]
        prey = OPPONENT[stone]
        for cell, content in enumerate(board):
            if content != stone:
                continue
            for step in straight(stride):
                taken, target = [(cell, EMPTY)], cell
                while cells[target + step] == prey and cells[target + 2 * step] == EMPTY:
                    taken.append((target + step, EMPTY))
                    target += 2 * step
                    name = cell_name(cell, stride) + cell_name(target, stride)
                    yield name, put(board, *taken, (target, stone))

    def regions(self, position: Position) -> Sequence[Position]:
        """Cells joined by jumps that might yet happen; a jump reads and changes only its own three cells."""
        jumps = possible_jumps(position)
        links: dict[int, set[int]] = {}
        for start, middle, end in jumps:
            for one, other in ((start, middle), (middle, end)):
                links.setdefault(one, set()).add(other)
                links.setdefault(other, set()).add(one)
        return [cut_out(position, part) for part in components(links, lambda cell: links[cell])]
