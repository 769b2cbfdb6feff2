"""Heaps of counters: nim, kayles, Dawson's games, Grundy's game and whatever an octal code says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from zermelo.check.boards.ruleset import Moves, Rules, Wrong

MOST_DIGITS = 4_000
"""Longer numbers are taken for mistakes."""

Heaps = tuple[int, ...]
"""Sizes, the largest first, none of them 0."""


def ordered(heaps: Iterable[int]) -> Heaps:
    """Heaps as a position.

    >>> ordered([1, 0, 5])
    (5, 1)
    """
    return tuple(sorted(filter(None, heaps), reverse=True))


def _heap_moves(left: Callable[[int], Iterable[Heaps]], heaps: Heaps, side: int) -> Moves:
    """``left`` says what a move may leave of one heap. Each position is named once."""
    del side
    found: dict[Heaps, str] = {}
    for heap in dict.fromkeys(heaps):
        others = list(heaps)
        others.remove(heap)
        for rest in left(heap):
            found.setdefault(ordered((*others, *rest)), f"{heap}>{','.join(map(str, rest)) or '0'}")
    return [(name, after) for after, name in found.items()]


def _smaller(heap: int) -> Iterator[Heaps]:
    return ((rest,) if rest else () for rest in range(heap - 1, -1, -1))


def _by_code(digits: tuple[int, ...], unequal: bool, heap: int) -> Iterator[Heaps]:
    """Digit k says what may be left of a heap when k counters are taken: 1 nothing, 2 a heap, 4 two, or their sums."""
    for taken, digit in enumerate(digits):
        rest = heap - taken
        if digit & 1 and taken and rest == 0:
            yield ()
        if digit & 2 and taken and rest > 0:
            yield (rest,)
        if digit & 4:
            yield from ((rest - less, less) for less in range(1, rest // 2 + 1) if not unequal or rest != 2 * less)


def _each_heap(heaps: Heaps) -> list[Heaps]:
    return [(heap,) for heap in heaps]


def _heap_text(heaps: Heaps) -> str:
    return ",".join(map(str, heaps)) or "0"


def _coded(*digits: int, unequal: bool = False) -> Rules:
    return Rules(_read, partial(_heap_moves, partial(_by_code, digits, unequal)), _each_heap, text=_heap_text)


Octal = tuple[tuple[int, ...], Heaps]
"""The digits of a code, and the heaps."""


def _octal(position: Octal, side: int) -> Moves:
    code, heaps = position
    return [(name, (code, after)) for name, after in _heap_moves(partial(_by_code, code, False), heaps, side)]


def _octal_text(position: Octal) -> str:
    (before, *after), heaps = position
    return f"{before}.{''.join(map(str, after)) or '0'}:{_heap_text(heaps)}"


# Reading


def read_numbers(text: str, wrong: Wrong) -> list[int]:
    """Numbers with commas between them."""
    found, at = list[int](), 0
    for part in text.split(","):
        number = part.strip()
        if not re.fullmatch("[0-9]+", number) or len(number) > MOST_DIGITS:
            wrong(at, f"unexpected {number[:20]!r}, expected the size of a heap, such as 12")
        found.append(int(number))
        at += len(part) + 1
    return found


def _read(text: str, wrong: Wrong) -> tuple[int, ...]:
    return ordered(read_numbers(text, wrong))


def _read_octal(text: str, wrong: Wrong) -> tuple[tuple[int, ...], tuple[int, ...]]:
    code, colon, heaps = text.partition(":")
    found = re.fullmatch(r"([04]?)\.([0-7]*)", code.strip())
    if not colon or found is None:
        wrong(0, f"unexpected {text[:20]!r}, expected an octal code, a colon and heaps, such as 0.77:12")
    digits = (found[1] or "0") + found[2].rstrip("0")
    return tuple(map(int, digits)), ordered(read_numbers(heaps, wrong))


RULES = {
    "dawson": _coded(0, 0, 7),
    "dawsonschess": _coded(0, 1, 3, 7),
    "grundy": _coded(4, unequal=True),
    "kayles": _coded(0, 7, 7),
    "nimheaps": Rules(_read, partial(_heap_moves, _smaller), _each_heap, text=_heap_text),
    "octal": Rules(_read_octal, _octal, lambda at: [(at[0], (heap,)) for heap in at[1]], text=_octal_text),
}
"""The rules of each game by its name."""
