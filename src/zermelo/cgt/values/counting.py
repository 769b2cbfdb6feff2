"""How many different games come up in play: those of numbers, ups and nim heaps by formulas, the others one by one.

A number as large as 10**12 leads to as many others, and so does a nim heap; they are counted, not made. Positions of n
ups and a heap m, beside a number x, are x and what x leads to, x with fewer and fewer ups, the heap changing by one at
each step ({0 | (n-1) ups + *(m xor 1)}; *Winning Ways*, chapter 8), and at last x with a heap and all smaller ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Protocol


class Parts(Protocol):
    """A number with ups and a nim heap."""

    @property
    def number(self) -> Fraction: ...
    @property
    def ups(self) -> int: ...
    @property
    def nimber(self) -> int: ...


def simple_positions(games: Iterable[Parts]) -> int:
    """How many different games come up in play in some numbers with ups and nim heaps, these among them.

    >>> from zermelo.cgt.values.value import Parts
    >>> simple_positions([Parts(Fraction(10**12), 0, 0), Parts(Fraction(-3, 4), 0, 0)])
    1000000000004
    >>> simple_positions([Parts(Fraction(0), 0, 3)]), simple_positions([Parts(Fraction(0), 2, 0)])
    (4, 4)
    """
    numbers: set[Fraction] = set()
    heaps: dict[Fraction, int] = {}  # the largest heap beside each number
    ups: dict[tuple[Fraction, bool, int], int] = {}  # the most ups or downs, by what heap is left when none are
    for game in games:
        numbers.add(game.number)
        heap, count = game.nimber, abs(game.ups)
        if count:
            last = heap ^ (count & 1)
            row = game.number, game.ups > 0, last
            ups[row] = max(ups.get(row, 0), count)
            heap = last or 1  # ^* is {0,*|0}
        heaps[game.number] = max(heaps.get(game.number, 0), heap)
    return _numbers(numbers) + sum(heaps.values()) + sum(ups.values())


def _numbers(given: set[Fraction]) -> int:
    """A fraction leads to the two next to it of every smaller power of two, a whole number to all towards 0."""
    fractions: set[Fraction] = set()
    least = most = 0
    for number in given:
        power = number.denominator
        while power > 1:
            fractions |= {number} if power == number.denominator else set()
            power //= 2
            below = number * power // 1
            fractions |= {end for end in (Fraction(below, power), Fraction(below + 1, power)) if end.denominator > 1}
        floor = number.numerator // number.denominator
        ends = (floor, floor) if number.denominator == 1 else (floor, floor + 1)
        least, most = min(least, *ends), max(most, *ends)
    return len(fractions) + most - least + 1
