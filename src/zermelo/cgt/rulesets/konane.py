"""Konane: a stone jumps over stones of the other side and takes them, in a straight line (Hawaii; Ernst 1995)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zermelo.cgt.boards.ruleset import Position, Side
from zermelo.cgt.rulesets.cells import (
    EMPTY,
    OPPONENT,
    PREY,
    STONES,
    CellRuleset,
    cell_name,
    cut_mask,
    linked_parts,
    mask_of,
    put,
    straight,
    stride_of,
    walled,
)


def possible_links(board: str) -> tuple[int, int]:
    """The cells that some jump, of those that some play might make, links to the next one, across and down.

    Where a side's stones might ever get to is overestimated. Cells are the bits of the two masks.

    >>> [bin(links) for links in possible_links("xo.ox|.....")]
    ['0b1111', '0b0']
    """
    stride, open_cells = stride_of(board), mask_of(board, ".xo")
    reach = {stone: mask_of(board, stone) for stone in "xo"}
    links = {1: 0, stride: 0}
    grew = True
    while grew:
        grew = False
        for stone, other in OPPONENT.items():
            for step in links:
                ahead = reach[stone] & reach[other] >> step & open_cells >> 2 * step
                back = reach[stone] & reach[other] << step & open_cells << 2 * step
                links[step] |= ahead | ahead << step | back >> step | back >> 2 * step
                reached = reach[stone] | ahead << 2 * step | back >> 2 * step
                grew = grew or reached != reach[stone]
                reach[stone] = reached
    return links[1], links[stride]


class Konane(CellRuleset):
    """A stone jumps over a neighbouring stone of the other side onto the empty cell behind, and may jump on that way.

    >>> [option.move for option in Konane().options("xo.o.", "left")]
    ['a1c1', 'a1e1']
    """

    name = "konane"
    summary = "jump over stones of the other side and take them"
    form = "konane:ROW|ROW|... of . x o #"
    example = "konane:xoxo|o.ox|xo.o|oxox"
    cells = ".xo#"
    negative = "colours"
    uses = PREY

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
        stride = stride_of(position)
        across, down = possible_links(position)

        def reached(part: int) -> int:
            sideways = (part & across) << 1 | part >> 1 & across
            return sideways | (part & down) << stride | part >> stride & down

        parts = linked_parts(across | across << 1 | down | down << stride, reached)
        return [cut_mask(position, part) for part in parts]
