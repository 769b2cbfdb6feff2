"""King dirt: a king steps, and the cell that it leaves is blocked; kings in hand may be put on empty cells."""

from __future__ import annotations

import re

from zermelo.check.boards.cells import ALIKE, BY_COLOURS, around, at, changed, drawn, empty, named, read_cells, regions
from zermelo.check.boards.ruleset import STONES, Moves, Rules, Wrong

Position = tuple[int, int, int, str]
"""Kings in Left's and in Right's hand, whether they must be put first, and the board."""


def _read(text: str, wrong: Wrong) -> Position:
    found = re.match(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*,\s*([01])\s*:\s*", text)
    begin = found.end() if found else 0
    board = read_cells(".xo#", empty, text[begin:], lambda place, why: wrong(begin + place, why))
    left, right, must = (int(number) for number in found.groups()) if found else (0, 0, 0)
    return left, right, must if left or right else 0, board


def _moves(position: Position, side: int) -> Moves:
    left, right, must, board = position
    held = position[side]
    if held:
        for cell in [place for place, content in enumerate(board) if content == "."]:
            after = changed(board, {cell: STONES[side]})
            rest = left - (side == 0), right - (side == 1)
            yield named(board, cell), (*rest, must if any(rest) else 0, after)
    if not (held and must):
        for cell in [place for place, content in enumerate(board) if content == STONES[side]]:
            for step in around(board):
                if at(board, cell + step) == ".":
                    after = changed(board, {cell: "#", cell + step: STONES[side]})
                    yield named(board, cell, cell + step), (left, right, must, after)


def _parts(position: Position) -> list[Position]:
    left, right, _, board = position
    if left or right:
        return [position]
    parts = [drawn(board, region) for region in regions(board, ".xo", around(board))]
    return [(0, 0, 0, part) for part in parts if "." in part and ("x" in part or "o" in part)]


def _signed(position: Position) -> tuple[Position, bool]:
    if position[0] or position[1]:
        return position, False
    board, negated = BY_COLOURS(position[3])
    return (*position[:3], board), negated


def _alike(position: Position) -> tuple[Position, bool]:
    if position[0] or position[1]:
        return position, False
    return (*position[:3], ALIKE(position[3])[0]), False


def _text(position: Position) -> str:
    left, right, must, board = position
    return f"{left},{right},{must}:{board}" if left or right else board


RULES = {"kingdirt": Rules(_read, _moves, _parts, _signed, _alike, _text)}
"""The rules of each game by its name."""
