"""Domineering: Left places dominoes upright, Right across (Goeran Andersson; Conway, *On Numbers and Games*)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from zermelo.cgt.boards.ruleset import Position, Side
from zermelo.cgt.rulesets.cells import (
    BLOCKED,
    EMPTY,
    MOST_IMAGES,
    WALL,
    CellRuleset,
    cell_name,
    cut_mask,
    mask_of,
    neighbourhoods,
    straight,
    stride_of,
    walled,
)

_EMPTY_OR_BLOCKED = str.maketrans("10", EMPTY + BLOCKED)


def empty_parts(board: str) -> Sequence[str]:
    """The connected parts of the empty cells that have room for a domino.

    >>> empty_parts("..#.|#.#.|##..|..##")
    ['..|#.', '#.|#.|..', '..']
    """
    stride = stride_of(board)
    parts = neighbourhoods(mask_of(board, EMPTY), straight(stride))
    return [_part(part, stride) for part in parts if part & (part - 1)]


@lru_cache(maxsize=MOST_IMAGES)
def _part(cells: int, stride: int) -> str:
    """The smallest board that has these cells empty; the same parts come up again and again."""
    board = bin(cells)[:1:-1].translate(_EMPTY_OR_BLOCKED)
    lines = [board[start : start + stride - 1].ljust(stride - 1, BLOCKED) for start in range(0, len(board), stride)]
    return cut_mask(WALL.join(lines), cells)


def placements(board: str, step: int) -> Iterator[tuple[str, str]]:
    """Every way to place a domino on a cell and the one a step further.

    >>> list(placements("..|..", 1))
    [('a1b1', '##|..'), ('a2b2', '..|##')]
    """
    cells, stride = walled(board), stride_of(board)
    for cell, content in enumerate(board):
        if content == EMPTY and cells[cell + step] == EMPTY:
            other = cell + step
            after = board[:cell] + BLOCKED + board[cell + 1 : other] + BLOCKED + board[other + 1 :]
            yield cell_name(cell, stride) + cell_name(other, stride), after


def dominoes_along(board: str, upright: bool) -> int:
    """The most dominoes of one direction that fit: half of every run of empty cells.

    >>> dominoes_along("...|..#", upright=False), dominoes_along("...|..#", upright=True)
    (2, 2)
    """
    lines = ["".join(column) for column in zip(*board.split(WALL), strict=True)] if upright else board.split(WALL)
    return sum(len(run) // 2 for line in lines for run in line.split(BLOCKED))


class Domineering(CellRuleset):
    """Left fills two empty cells one above the other, Right two side by side; who cannot loses.

    >>> [option.position for option in Domineering().options("..|.#", "left")]
    ['#.|##']
    """

    name = "domineering"
    summary = "place dominoes, Left upright and Right across"
    form = "domineering:ROW|ROW|... of . (empty) and # (blocked), or domineering:ROWSxCOLUMNS"
    example = "domineering:4x4"
    symmetry = "mirrors"
    negative = "turned"

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """Dominoes that fit."""
        return placements(board, stride_of(board) if side == "left" else 1)

    def most_moves(self, position: Position, side: Side) -> int:
        """The dominoes that fit beside each other if the other side places none."""
        return dominoes_along(position, side == "left")

    def regions(self, position: Position) -> Sequence[Position]:
        """Connected empty cells: a domino covers two neighbours, so it never touches two parts."""
        return empty_parts(position)
