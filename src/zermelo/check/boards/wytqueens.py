"""Wythoff queens: two heaps; one takes from either, or as many from both."""

from __future__ import annotations

from zermelo.check.boards.heaps import read_numbers
from zermelo.check.boards.ruleset import Moves, Rules, Wrong


def _read(text: str, wrong: Wrong) -> tuple[int, ...]:
    found = read_numbers(text, wrong)
    if len(found) != 2:
        wrong(0, f"{len(found)} heaps, expected two with a comma between them")
    return tuple(found)


def _moves(position: tuple[int, int], side: int) -> Moves:
    del side
    one, other = position
    after = [(rest, other) for rest in range(one - 1, -1, -1)]
    after += [(one, rest) for rest in range(other - 1, -1, -1)]
    after += [(one - taken, other - taken) for taken in range(1, min(position) + 1)]
    return [(f"{left},{right}", (left, right)) for left, right in after]


def _text(position: tuple[int, int]) -> str:
    return f"{position[0]},{position[1]}"


RULES = {"wytqueens": Rules(_read, _moves, lambda at: [at] if any(at) else [], text=_text)}
"""The rules of each game by its name."""
