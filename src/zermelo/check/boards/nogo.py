"""NoGo: stones are placed so that every block, of either colour, keeps an empty cell beside it."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.check.boards.cells import ALIKE, BY_COLOURS, at, changed, cut, empty, named, read_cells, straight
from zermelo.check.boards.ruleset import STONES, Moves, Rules, Wrong
from zermelo.check.groups import groups


def _breathes(board: str, stone: int) -> bool:
    colour, block = board[stone], [stone]
    for cell in block:
        for step in straight(board):
            content = at(board, cell + step)
            if content == ".":
                return True
            if content == colour and cell + step not in block:
                block.append(cell + step)
    return False


def _read(text: str, wrong: Wrong) -> str:
    board = read_cells(".xo#", empty, text, wrong)
    if not all(_breathes(board, cell) for cell, content in enumerate(board) if content in STONES):
        wrong(0, "a block without a liberty, expected one for every block")
    return board


def _moves(board: str, side: int) -> Moves:
    for cell, content in enumerate(board):
        if content == ".":
            after = changed(board, {cell: STONES[side]})
            touched = [cell, *(cell + step for step in straight(board) if at(after, cell + step) in STONES)]
            if all(_breathes(after, stone) for stone in touched):
                yield named(board, cell), after


def _breathing(board: str) -> list[str]:
    """Empty cells with the blocks beside them: blocks of different colours say nothing to each other."""
    steps = straight(board)

    def near(cell: int) -> Iterator[int]:
        for step in steps:
            if {board[cell], at(board, cell + step)} != {"x", "o"}:
                yield cell + step

    parts = groups((cell for cell, content in enumerate(board) if content in ".xo"), near)
    return [cut(board, part) for part in parts if any(board[cell] == "." for cell in part)]


RULES = {"nogo": Rules(_read, _moves, _breathing, BY_COLOURS, ALIKE)}
"""The rules of each game by its name."""
