"""Thermographs in whole numbers, as the checkers draw them.

A thermograph is a row of corners: taxes with both walls there, straight in between; at the last corner the mast begins.
Left's wall is the highest right wall of his options less the tax, Right's the lowest left wall plus it; where the walls
meet the mast begins (Conway, *On Numbers and Games*, chapter 9).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from zermelo.check.verdict import Fault

Corners = tuple[tuple[int, int, int], ...]
"""Taxes with both walls, straight in between; at the last the mast begins."""


def walls_at(corners: Corners, tax: int) -> tuple[int, int]:
    """The walls at a tax: from the last corner before, straight on towards the next one.

    >>> walls_at(((0, 10, 2), (4, 6, 6)), 2)
    (8, 4)
    """
    low, high = 0, len(corners)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if corners[middle][0] <= tax else (low, middle)
    begin, left, right = corners[low]
    if low + 1 == len(corners) or tax == begin:
        return left, right
    end, next_left, next_right = corners[low + 1]
    part, whole = tax - begin, end - begin
    return left + (next_left - left) * part // whole, right + (next_right - right) * part // whole


def thermograph(left: Sequence[Corners], right: Sequence[Corners], bonus: int = 0) -> Corners:
    """The thermograph of a game with these of its options, if a move earns a bonus.

    >>> thermograph([((0, 10, 10),)], [((0, 2, 2),)])
    ((0, 10, 2), (4, 6, 6))
    """

    def scaffold(tax: int) -> tuple[int, int]:
        best = max(walls_at(option, tax)[1] for option in left) - tax + bonus
        return best, min(walls_at(option, tax)[0] for option in right) + tax - bonus

    made: list[tuple[int, int, int]] = []
    for tax in _bends(left, right):
        high, low = scaffold(tax)
        if high <= low:
            made.append(_meeting(made, tax, high, low))
            return tuple(made)
        made.append((tax, high, low))
    tax, high, low = made[-1]  # from here on every option is a mast: the walls close in from both sides
    half, odd = divmod(high - low, 2)
    if odd:
        raise Fault("two walls meet between whole numbers")
    made.append((tax + half, high - half, high - half))
    return tuple(made)


def _meeting(made: Sequence[tuple[int, int, int]], tax: int, high: int, low: int) -> tuple[int, int, int]:
    """Where the walls meet, at that tax or since the corner before it."""
    if high == low:
        return tax, high, high
    if not made:
        raise Fault("a position is no hot game: the left wall begins below the right one")
    begin, before_high, before_low = made[-1]
    gap, closing = before_high - before_low, (before_high - high) + (low - before_low)
    way, odd = divmod(gap * (tax - begin), closing)
    if odd:
        raise Fault("two walls meet between whole numbers")
    mean = before_high - (before_high - high) * way // (tax - begin)
    return begin + way, mean, mean


def _bends(left: Sequence[Corners], right: Sequence[Corners]) -> Iterator[int]:
    """The taxes at which a scaffold may bend: corners of the options, and where one of them overtakes another."""
    taxes = sorted({0, *(corner[0] for option in (*left, *right) for corner in option)})
    for begin, end in pairwise(taxes):
        yield begin
        inner = set()
        for options, wall in ((left, 1), (right, 0)):
            heights = [(walls_at(option, begin)[wall], walls_at(option, end)[wall]) for option in options]
            level = [here for here, there in heights if here == there]
            sloping = [here for here, there in heights if here != there]
            if level and sloping:  # slopes are 0 and 1 (left options) or 0 and -1 (right options)
                ahead = max(level) - max(sloping) if wall else min(sloping) - min(level)
                if 0 < ahead < end - begin:
                    inner.add(begin + ahead)
        yield from sorted(inner)
    yield taxes[-1]
