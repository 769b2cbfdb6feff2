"""Amazons: a queen moves, and from where she stands then shoots a cell that is blocked for good."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from zermelo.check.boards.cells import ALIKE, BY_COLOURS, around, at, changed, drawn, named, read_cells, regions
from zermelo.check.boards.ruleset import STONES, Moves, Rules


def _seen(board: str, start: int) -> Iterator[int]:
    for step in around(board):
        cell = start + step
        while at(board, cell) == ".":
            yield cell
            cell += step


def _moves(board: str, side: int) -> Moves:
    queen = STONES[side]
    for cell in [place for place, content in enumerate(board) if content == queen]:
        for target in _seen(board, cell):
            moved = changed(board, {cell: ".", target: queen})
            for shot in _seen(moved, target):
                yield f"{named(board, cell, target)}/{named(board, shot)}", changed(moved, {shot: "#"})


def _walled_in(board: str) -> list[str]:
    """What is not blocked and hangs together by steps of a king, if there is a queen with room."""
    parts = [drawn(board, region) for region in regions(board, ".xo", around(board))]
    return [part for part in parts if "." in part and ("x" in part or "o" in part)]


RULES = {"amazons": Rules(partial(read_cells, ".xo#", None), _moves, _walled_in, BY_COLOURS, ALIKE)}
"""The rules of each game by its name."""
