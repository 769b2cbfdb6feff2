"""Heaps of counters: nim, kayles, Dawson's games, Grundy's game and whatever an octal or hexadecimal code says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Code:
    """Digit k says what may be left of a heap when k counters are taken: 1 nothing, 2 a heap, 4 two, 8 three, or sums.

    The first digit stands before the point; ``tail`` repeats for ever. If ``unequal``, heaps of a break must differ.

    >>> list(Code((0, 7, 8)).left(5)), list(Code((4,), True).left(4))
    ([(4,), (3, 1), (2, 2), (1, 1, 1)], [(3, 1)])
    """

    digits: tuple[int, ...]
    unequal: bool = False
    tail: tuple[int, ...] = ()

    def digit(self, taken: int) -> int:
        """The digit for so many counters."""
        if taken < len(self.digits):
            return self.digits[taken]
        return self.tail[(taken - len(self.digits)) % len(self.tail)] if self.tail else 0

    def longest(self, heap: int) -> int:
        """So many counters are taken from a heap at most."""
        return heap if self.tail else min(heap, len(self.digits) - 1)

    def left(self, heap: int) -> Iterator[Heaps]:
        """What a move may leave of a heap."""
        for taken in range(self.longest(heap) + 1):
            for heaps in range(4):
                if self.digit(taken) >> heaps & 1 and (taken or heaps > 1):
                    yield from self.parted(heap - taken, heaps, heap)

    def parted(self, rest: int, heaps: int, most: int) -> Iterator[Heaps]:
        """So many heaps that add up to a rest, the largest first and none above ``most``."""
        if heaps == 0:
            yield from [()] if rest == 0 else []
            return
        for largest in range(min(rest - heaps + 1, most), 0, -1):
            if largest * heaps < rest:
                return
            for others in self.parted(rest - largest, heaps - 1, largest - 1 if self.unequal else largest):
                yield largest, *others

    def __str__(self) -> str:
        before, *after = map(self._written, self.digits)
        tail = f"[{''.join(map(self._written, self.tail))}]" if self.tail else ""
        return f"{before}.{''.join(after) + tail or '0'}"

    def _written(self, digit: int) -> str:
        return "0123456789ABCDEF"[digit] + ("!" if self.unequal and digit > 3 else "")


def _each_heap(heaps: Heaps) -> list[Heaps]:
    return [(heap,) for heap in heaps]


def _heap_text(heaps: Heaps) -> str:
    return ",".join(map(str, heaps)) or "0"


def _coded(code: Code) -> Rules:
    return Rules(_read, partial(_heap_moves, code.left), _each_heap, text=_heap_text)


Coded = tuple[Code, Heaps]
"""A code, and the heaps."""


def _octal(position: Coded, side: int) -> Moves:
    code, heaps = position
    return [(name, (code, after)) for name, after in _heap_moves(code.left, heaps, side)]


def _octal_text(position: Coded) -> str:
    return f"{position[0]}:{_heap_text(position[1])}"


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


def _read_octal(text: str, wrong: Wrong) -> Coded:
    code, colon, heaps = text.partition(":")
    digit = "[0-9A-Fa-f]!?"
    found = re.fullmatch(rf"([048Cc]!?)?\.((?:{digit})*)(?:\[((?:{digit})+)\])?", code.strip())
    if not colon or found is None:
        wrong(0, f"unexpected {text[:20]!r}, expected a code, a colon and heaps, such as 0.77:12")
    groups = [re.findall(digit, group or "") for group in ((found[1] or "0") + found[2], found[3])]
    breaks = {digit[1:] for group in groups for digit in group if int(digit[0], 16) > 3}
    if len(breaks) > 1:
        wrong(0, "some digits that break heaps have a '!' and others none")
    digits, tail = (tuple(int(digit[0], 16) for digit in group) for group in groups)
    if not any(tail):
        tail = ()
        while len(digits) > 1 and not digits[-1]:
            digits = digits[:-1]
    return Code(digits, "!" in breaks, tail), ordered(read_numbers(heaps, wrong))


CODES = {
    "dawson": Code((0, 0, 7)),
    "dawsonschess": Code((0, 1, 3, 7)),
    "grundy": Code((4,), unequal=True),
    "kayles": Code((0, 7, 7)),
}
"""Games that are codes with a name."""
_BY_CODE = Rules(_read_octal, _octal, lambda at: [(at[0], (heap,)) for heap in at[1]], text=_octal_text)
RULES = {
    **{name: _coded(code) for name, code in CODES.items()},
    "hexadecimal": _BY_CODE,
    "nimheaps": Rules(_read, partial(_heap_moves, _smaller), _each_heap, text=_heap_text),
    "octal": _BY_CODE,
}
"""The rules of each game by its name."""
