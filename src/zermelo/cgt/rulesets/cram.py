"""Cram: domineering in which both sides place dominoes either way (Gardner 1974)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zermelo.cgt.boards.ruleset import Position, Side
from zermelo.cgt.rulesets.cells import EMPTY, CellRuleset, stride_of
from zermelo.cgt.rulesets.domineering import empty_parts, placements


class Cram(CellRuleset):
    """Either side fills two neighbouring empty cells; who cannot loses.

    >>> [option.move for option in Cram().options("..|.#", "right")]
    ['a1b1', 'a1a2']
    """

    name = "cram"
    summary = "place dominoes, both sides either way"
    form = "cram:ROW|ROW|... of . (empty) and # (blocked), or cram:ROWSxCOLUMNS"
    example = "cram:3x4"
    impartial = True

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """Dominoes that fit."""
        yield from placements(board, 1)
        yield from placements(board, stride_of(board))

    def most_moves(self, position: Position, side: Side) -> int:
        """Every domino takes two cells."""
        return int(position.count(EMPTY)) // 2

    def regions(self, position: Position) -> Sequence[Position]:
        """Connected empty cells."""
        return empty_parts(position)
