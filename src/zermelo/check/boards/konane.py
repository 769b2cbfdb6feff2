"""Konane: a stone jumps over one of the other side onto the empty cell behind, once or several times straight on."""

from __future__ import annotations

from functools import partial

from zermelo.check.boards.cells import ALIKE, BY_COLOURS, at, changed, cut, named, read_cells, straight
from zermelo.check.boards.ruleset import STONES, Moves, Rules
from zermelo.check.groups import groups


def _moves(board: str, side: int) -> Moves:
    stone, prey = STONES[side], STONES[1 - side]
    for cell in [place for place, content in enumerate(board) if content == stone]:
        for step in straight(board):
            changes, target = {cell: "."}, cell
            while at(board, target + step) == prey and at(board, target + 2 * step) == ".":
                changes[target + step] = "."
                target += 2 * step
                yield named(board, cell, target), changed(board, changes | {target: stone})


def _jumps(board: str) -> list[str]:
    """Cells joined by jumps that some play might yet make; a jump looks at its own three cells and changes no other.

    Where stones might get to is overestimated: a stone stays where it was and also jumps, over whatever might be there.
    """
    reach = [{place for place, content in enumerate(board) if content == stone} for stone in STONES]
    links: dict[int, set[int]] = {}
    grew = True
    while grew:
        grew = False
        for mine, theirs in (reach, reach[::-1]):
            for cell in list(mine):
                for step in straight(board):
                    over, target = cell + step, cell + 2 * step
                    if over in theirs and at(board, target) in ".xo":
                        for one, other in ((cell, over), (over, target)):
                            links.setdefault(one, set()).add(other)
                            links.setdefault(other, set()).add(one)
                        grew = grew or target not in mine
                        mine.add(target)
    return [cut(board, part) for part in groups(links, links.__getitem__)]


RULES = {"konane": Rules(partial(read_cells, ".xo#", None), _moves, _jumps, BY_COLOURS, ALIKE)}
"""The rules of each game by its name."""
