"""Piecewise linear functions of a tax with any rational corners: kos have temperatures in thirds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

Corner = tuple[Fraction, Fraction]
"""A tax and the value there."""


@dataclass(frozen=True)
class Polyline:
    """Straight between its corners, which go up from t = 0, and of slope ``tail`` after the last.

    >>> Polyline(((Fraction(0), Fraction(3)), (Fraction(2), Fraction(1)))).at(Fraction(1))
    Fraction(2, 1)
    """

    corners: tuple[Corner, ...]
    tail: Fraction = Fraction(0)

    def at(self, t: Fraction) -> Fraction:
        """The value at a tax.

        >>> constant(2).at(Fraction(7))
        Fraction(2, 1)
        """
        for (before, low), (after, high) in pairwise(self.corners):
            if before <= t <= after:
                return low + (high - low) * (t - before) / (after - before)
        last, value = self.corners[-1]
        return value + self.tail * (t - last)

    def plus(self, amount: Fraction | int, slope: int = 0) -> Polyline:
        """With a number and a multiple of the tax added.

        >>> constant(2).plus(1, -1).at(Fraction(2))
        Fraction(1, 1)
        """
        return Polyline(tuple((t, value + amount + slope * t) for t, value in self.corners), self.tail + slope)


def constant(value: Fraction | int) -> Polyline:
    """The same at every tax.

    >>> constant(5).corners
    ((Fraction(0, 1), Fraction(5, 1)),)
    """
    return Polyline(((Fraction(0), Fraction(value)),))


def through(breakpoints: Iterable[tuple[Fraction, Fraction]]) -> Polyline:
    """A wall from t = 0 on, through points (value, t).

    >>> through([(Fraction(6), Fraction(-1)), (Fraction(0), Fraction(5))]).corners[0]
    (Fraction(0, 1), Fraction(5, 1))
    """
    points = [(t, value) for value, t in breakpoints]
    line = Polyline(tuple(points))
    zero = Fraction(0)
    return Polyline(((zero, line.at(zero)), *((t, value) for t, value in points if t > 0)))


def extreme(lines: Sequence[Polyline], *, largest: bool) -> Polyline:
    """The largest, or the smallest, of some functions at every tax.

    >>> extreme([constant(1), constant(0).plus(0, 1)], largest=True).corners[1]
    (Fraction(1, 1), Fraction(1, 1))
    """
    best = lines[0]
    for line in lines[1:]:
        best = _of_two(best, line, largest)
    return best


def _of_two(one: Polyline, other: Polyline, largest: bool) -> Polyline:
    choose = max if largest else min
    taxes = {t for line in (one, other) for t, _ in line.corners} | set(crossings(one, other))
    corners = tuple((t, choose(one.at(t), other.at(t))) for t in sorted(taxes))
    beyond = corners[-1][0] + 1
    return Polyline(corners, choose(one.at(beyond), other.at(beyond)) - corners[-1][1])


def crossings(one: Polyline, other: Polyline) -> list[Fraction]:
    """The taxes at which one function passes from one side of another to the other side.

    >>> crossings(constant(3).plus(0, -1), constant(0).plus(0, 2))
    [Fraction(1, 1)]
    """
    taxes = sorted({t for line in (one, other) for t, _ in line.corners})
    found = []
    for before, after in pairwise([*taxes, None]):
        assert before is not None
        gap = one.at(before) - other.at(before)
        upper = before + 1 if after is None else after
        slope = (one.at(upper) - other.at(upper) - gap) / (upper - before)
        if slope and (meeting := before - gap / slope) > before and (after is None or meeting < after):
            found.append(meeting)
    return found


def last_meeting(one: Polyline, other: Polyline) -> Fraction | None:
    """The largest tax at which the first function is not below the second; None where there is none.

    >>> last_meeting(constant(3).plus(0, -1), constant(0).plus(0, 2))
    Fraction(1, 1)
    """
    taxes = {t for line in (one, other) for t, _ in line.corners} | set(crossings(one, other))
    return max((t for t in taxes if one.at(t) >= other.at(t)), default=None)


def up_to(line: Polyline, t: Fraction, mast: Fraction) -> Polyline:
    """A scaffold up to a temperature, and a mast on top of it.

    >>> up_to(constant(3).plus(0, -1), Fraction(1), Fraction(2)).corners[-1]
    (Fraction(1, 1), Fraction(2, 1))
    """
    return Polyline((*((tax, value) for tax, value in line.corners if tax < t), (t, mast)))
