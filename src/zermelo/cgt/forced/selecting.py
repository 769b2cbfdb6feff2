"""Selections of switches by their alternating sum: which can be reached, and with which the best is reached.

Switches of the sizes x1 >= x2 >= ... are taken in turn, so they are worth x1 - x2 + x3 - ... to the one who begins
(Yedwab 1985, section 3.1). Some of them are there in any case, the others may be selected. The sums within given
intervals are found from both ends: what the largest switches can make, and what the smallest can; where the two meet
in the middle, 2^(n/2) of either are enough.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from zermelo.errors import LimitReachedError

Interval = tuple[int, int]
Intervals = tuple[list[Interval], list[Interval]]
"""Of an even and of an odd number of switches: where their alternating sum may lie."""
Coin = tuple[int, bool]
"""The size of a switch, and whether it may be left out."""
MOST_SUMS = 1_000_000
"""So many sums from either end are kept."""
MOST_RANGES = 64

Upper = tuple[int, int]
"""What the largest switches make: the sum of all is ``start + sign * (that of the others)``."""
Lower = tuple[int, int]
"""What the smallest switches make: whether their number is odd, and their alternating sum."""


@dataclass(frozen=True)
class Clue:
    """How a sum was made: what either end came to, switch by switch, each with what it came from."""

    above: Sequence[Mapping[Upper, Upper | None]]
    below: Sequence[Mapping[Lower, Lower | None]]
    upper: Upper
    lower: Lower


def selections(coins: Sequence[Coin], within: Intervals, look: Callable[[], None]) -> Iterator[tuple[int, int, Clue]]:
    """Alternating sums within the intervals: the sum, whether the number of switches is odd, and a clue to the rest.

    ``coins`` are in descending order. :func:`taken` makes the clue a list of those that are taken.

    >>> found = list(selections([(9, True), (4, True), (3, False)], ([(2, 6)], []), lambda: None))
    >>> sorted((total, odd, taken(clue)) for total, odd, clue in found)
    [(6, 0, [True, False, True])]
    """
    ranges = _ranges(coins, [*within[0], *within[1]])
    above: list[dict[Upper, Upper | None]] = [{(1, 0): None}]
    below: list[dict[Lower, Lower | None]] = [{(0, 0): None}]
    first, last = 0, len(coins)
    while first < last:
        if len(above[-1]) <= len(below[-1]):
            above.append(_further_up(above[-1], coins, first, within, look))
            first += 1
        else:
            last -= 1
            below.append(_further_down(below[-1], coins[last], ranges[last], look))
        if max(len(above[-1]), len(below[-1])) > MOST_SUMS:
            raise LimitReachedError("too many selections of switches to tell apart")
    sums = [sorted(total for odd, total in below[-1] if odd == parity) for parity in (0, 1)]
    for sign, start in above[-1]:
        for odd in (0, 1):
            for low, high in within[odd ^ (sign < 0)]:
                look()
                least, most = sorted((sign * (low - start), sign * (high - start)))
                for at in range(bisect_left(sums[odd], least), len(sums[odd])):
                    if (total := sums[odd][at]) > most:
                        break
                    yield start + sign * total, odd ^ (sign < 0), Clue(above, below, (sign, start), (odd, total))


def taken(clue: Clue) -> list[bool]:
    """Which switches a selection takes, the largest first."""
    return _steps(clue.above, clue.upper)[::-1] + _steps(clue.below, clue.lower)


def _steps(levels: Sequence[Mapping[tuple[int, int], tuple[int, int] | None]], made: tuple[int, int]) -> list[bool]:
    """Of the switches that were added one by one, the latest first, whether each was taken: that changes a sign."""
    found: list[bool] = []
    for level in reversed(levels[1:]):
        before = level[made]
        assert before is not None
        found.append(before[0] != made[0])
        made = before
    return found


def _further_up(
    known: Mapping[Upper, Upper | None], coins: Sequence[Coin], at: int, within: Intervals, look: Callable[[], None]
) -> dict[Upper, Upper | None]:
    size, optional = coins[at]
    most = coins[at + 1][0] if at + 1 < len(coins) else 0  # an alternating sum lies between 0 and its first number
    found: dict[Upper, Upper | None] = {}
    for before in known:
        look()
        sign, start = before
        for after in [(-sign, start + sign * size), *([before] if optional else [])]:
            ends = sorted((after[1], after[1] + after[0] * most))
            if any(low <= ends[1] and high >= ends[0] for side in within for low, high in side):
                found.setdefault(after, before)
    return found


def _further_down(
    known: Mapping[Lower, Lower | None], coin: Coin, ranges: Sequence[Interval], look: Callable[[], None]
) -> dict[Lower, Lower | None]:
    size, optional = coin
    found: dict[Lower, Lower | None] = {}
    for before in known:
        look()
        odd, total = before
        for after in [(1 - odd, size - total), *([before] if optional else [])]:
            if any(low <= after[1] <= high for low, high in ranges):
                found.setdefault(after, before)
    return found


def _ranges(coins: Sequence[Coin], wanted: Sequence[Interval]) -> list[list[Interval]]:
    """For each switch where the alternating sum of it and all smaller ones must lie to be of any use."""
    found: list[list[Interval]] = []
    here = list(wanted)
    for size, optional in coins:
        here = _merged([(max(low, 0), min(high, size)) for low, high in here])
        found.append(here)
        turned = [(size - high, size - low) for low, high in here]
        here = [*here, *turned] if optional else turned
    return found


def _merged(intervals: Sequence[Interval]) -> list[Interval]:
    """Intervals that do not meet, in order; where there are many, those next to each other become one."""
    found: list[Interval] = []
    for low, high in sorted(one for one in intervals if one[0] <= one[1]):
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(high, found[-1][1])
        else:
            found.append((low, high))
    while len(found) > MOST_RANGES:
        gap = min(range(1, len(found)), key=lambda at: found[at][0] - found[at - 1][1])
        found[gap - 1 : gap + 1] = [(found[gap - 1][0], found[gap][1])]
    return found
