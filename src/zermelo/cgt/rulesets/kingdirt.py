"""King Dirt: a king steps to a neighbouring cell, and the cell that it leaves turns to dirt.

In the general game each side also has kings in hand, which it may put on any empty cell; it may be obliged to do so
before its kings on the board move. (The game ``gen_king_dirt`` of MCGS, the solver of the University of Alberta.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from zermelo.cgt.boards.ruleset import Option, Position, Ruleset, Side
from zermelo.cgt.rulesets.cells import (
    BLOCKED,
    EMPTY,
    STONES,
    CellRuleset,
    around,
    cell_name,
    cut_mask,
    least_image,
    mask_of,
    neighbourhoods,
    put,
    signed_image,
    stride_of,
    walled,
)

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

_HANDS = re.compile(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*,\s*([01])\s*:\s*")


class _Board(CellRuleset):
    """How the board itself is read."""

    name, summary, form = "kingdirt", "", ""
    cells = ".xo#"
    pieces: ClassVar[dict[str, str]] = {"x": "black-king", "o": "white-king"}

    def moves(self, board: str, side: Side) -> Iterator[tuple[str, str]]:
        """A king's step; what it leaves is blocked."""
        cells, stride, king = walled(board), stride_of(board), STONES[side]
        for cell, content in enumerate(board):
            if content == king:
                for step in around(stride):
                    if cells[cell + step] == EMPTY:
                        name = f"{cell_name(cell, stride)}{cell_name(cell + step, stride)}"
                        yield name, put(board, (cell, BLOCKED), (cell + step, king))


_BOARD = _Board()


def _held(left: int, right: int, must: int, board: str) -> Position:
    """Where both hands are empty it does not matter whether they must be emptied first."""
    return left, right, must if left or right else 0, board


class KingDirt(Ruleset):
    """Step with a king, or put one from the hand on an empty cell.

    >>> rules = KingDirt()
    >>> [option.move for option in rules.options(rules.parse("1,0,0:x..", ""), "left")]
    ['b1', 'c1', 'a1b1']
    """

    name = "kingdirt"
    summary = "step with a king, and the cell that it leaves is blocked; kings in hand may be put on empty cells"
    form = "kingdirt:LEFT,RIGHT,MUST:ROW|ROW|... of . x o #, with kings in hand, and 1 if these come first; or the rows"
    example = "kingdirt:x...|....|...o"

    def parse(self, text: str, place: str, column: int = 1) -> Position:
        """Perhaps two numbers of kings in hand and whether they must be put first, then the board."""
        found = _HANDS.match(text)
        begin = found.end() if found else 0
        board = _BOARD.parse(text[begin:], place, column + begin)
        left, right, must = (int(found[1]), int(found[2]), int(found[3])) if found else (0, 0, 0)
        return _held(left, right, must, board)

    def options(self, position: Position, side: Side) -> Sequence[Option]:
        """Kings from the hand, and steps unless the hand must be empty first."""
        left, right, must, board = position
        held = left if side == "left" else right
        stride, found = stride_of(board), []
        if held:
            rest = (left - 1, right) if side == "left" else (left, right - 1)
            for cell, content in enumerate(board):
                if content == EMPTY:
                    after = _held(*rest, must, put(board, (cell, STONES[side])))
                    found.append(Option(cell_name(cell, stride), after))
        if not (held and must):
            found += [Option(name, (left, right, must, after)) for name, after in _BOARD.moves(board, side)]
        return found

    def regions(self, position: Position) -> Sequence[Position]:
        """With empty hands, cells joined by king's moves that are not blocked, with a king and room."""
        left, right, _, board = position
        if left or right:
            return (position,)
        parts = neighbourhoods(mask_of(board, ".xo"), around(stride_of(board)))
        boards = [cut_mask(board, part) for part in parts]
        return [(0, 0, 0, part) for part in boards if EMPTY in part and ("x" in part or "o" in part)]

    def normal(self, position: Position) -> Position:
        """With empty hands the first of the images of the board."""
        left, right, must, board = position
        return position if left or right else (left, right, must, least_image(board, "square"))

    def signed(self, position: Position) -> tuple[Position, bool]:
        """With empty hands by all symmetries of the board; with kings in hand as it is."""
        left, right, must, board = position
        if left or right:
            return position, False
        image, negated = signed_image(board, "square", "colours")
        return (left, right, must, image), negated

    def most_moves(self, position: Position, side: Side) -> int:
        """Every move uses an empty cell up."""
        del side
        return str(position[3]).count(EMPTY)

    def text(self, position: Position) -> str:
        """The hands, if somebody holds a king, and the board."""
        left, right, must, board = position
        return f"{left},{right},{must}:{board}" if left or right else str(board)

    def scene(self, position: Position) -> Scene:
        """The board, and how many kings each side has in hand."""
        from zermelo.draw.hands import note_scene
        from zermelo.draw.scene import stacked

        left, right, must, board = position
        if not left and not right:
            return _BOARD.scene(board)
        hands = f"in hand: left {left}, right {right}{', to be placed first' if must else ''}"
        return stacked([_BOARD.scene(board), note_scene(hands)])
