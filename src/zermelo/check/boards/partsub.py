"""Partizan subtraction: each side takes one of its own numbers of counters from a heap."""

from __future__ import annotations

from zermelo.check.boards.heaps import Heaps, ordered, read_numbers
from zermelo.check.boards.ruleset import Moves, Rules, Wrong

Position = tuple[Heaps, Heaps, Heaps]
"""What Left may take, what Right may take, the heaps."""


def _read(text: str, wrong: Wrong) -> Position:
    takes, colon, heaps = text.partition(":")
    left, stroke, right = takes.partition("/")
    if not colon or not stroke:
        wrong(0, f"unexpected {text[:20]!r}, expected numbers, a stroke, numbers, a colon and heaps")
    found = [tuple(sorted(set(read_numbers(numbers, wrong)))) for numbers in (left, right)]
    if 0 in found[0] + found[1]:
        wrong(0, "unexpected 0, expected to take something")
    return found[0], found[1], ordered(read_numbers(heaps, wrong))


def _moves(position: Position, side: int) -> Moves:
    heaps = position[2]
    found: dict[Heaps, str] = {}
    for heap in dict.fromkeys(heaps):
        others = list(heaps)
        others.remove(heap)
        for taken in position[side]:
            if taken <= heap:
                found.setdefault(ordered((*others, heap - taken)), f"{heap}>{heap - taken}")
    return [(name, (position[0], position[1], after)) for after, name in found.items()]


def _parts(position: Position) -> list[Position]:
    left, right, heaps = position
    return [(left, right, (heap,)) for heap in heaps if heap >= min(left + right)]


def _text(position: Position) -> str:
    left, right, heaps = (",".join(map(str, numbers)) for numbers in position)
    return f"{left}/{right}:{heaps or '0'}"


RULES = {"partsub": Rules(_read, _moves, _parts, text=_text)}
"""The rules of each game by its name."""
