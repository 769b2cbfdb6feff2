"""Piecewise linear functions of the tax t, exact, from t = -1 on: the walls and scaffolds of thermographs.

Slopes are whole numbers and corners dyadic rationals, so a wall is kept as integers over one power of two: with trees
of small numbers the work is that of small integers, and numbers of any size stay exact.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from zermelo.brief import fields_in_brief
from zermelo.errors import InputError

Corner = tuple[int, int]
"""A value and a tax, both times the same power of two."""


@dataclass(frozen=True, slots=True)
class Wall:
    """A function of t >= -1 with corners (value, t), straight between them and of slope ``tail`` after the last.

    >>> wall = wall_of([(2, -1), (2, 0), (Fraction(3, 4), Fraction(5, 4))])
    >>> wall.at(1), wall.slope_above(0)
    (Fraction(1, 1), -1)
    """

    shift: int
    corners: tuple[Corner, ...]
    tail: int = 0

    __repr__ = fields_in_brief

    @property
    def breakpoints(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The corners as pairs of a value and a tax, upwards from t = -1.

        >>> [(str(value), str(t)) for value, t in wall_of([(2, -1), (1, 0)]).breakpoints]
        [('2', '-1'), ('1', '0')]
        """
        unit = 1 << self.shift
        return tuple((Fraction(value, unit), Fraction(tax, unit)) for value, tax in self.corners)

    @property
    def last(self) -> Fraction:
        """The tax at the last corner.

        >>> wall_of([(2, -1), (1, 0)]).last
        Fraction(0, 1)
        """
        return Fraction(self.corners[-1][1], 1 << self.shift)

    def at(self, t: Fraction | int) -> Fraction:
        """The value at a tax, which may be any rational from -1 on.

        >>> wall_of([(5, 0), (0, 5)]).at(Fraction(1, 3)), wall_of([(5, 0), (0, 5)]).at(7)
        (Fraction(14, 3), Fraction(0, 1))
        """
        top, below = t.numerator << self.shift, t.denominator
        place = self._place(top // below)
        value, tax = self.corners[place]
        return Fraction(value * below + self._slope(place) * (top - tax * below), below << self.shift)

    def slope_above(self, t: Fraction | int) -> int:
        """The slope just above a tax.

        >>> wall_of([(5, 0), (0, 5)]).slope_above(5)
        0
        """
        return self._slope(self._place((t.numerator << self.shift) // t.denominator))

    def plus(self, amount: Fraction | int, slope: int = 0) -> Wall:
        """The wall with ``amount + slope * t`` added.

        >>> wall_of([(5, 0), (0, 5)]).plus(1, 1).breakpoints[1:]
        ((Fraction(6, 1), Fraction(5, 1)),)
        """
        amount = Fraction(amount)
        shift = max(self.shift, shift_of(amount))
        extra = amount.numerator << (shift - shift_of(amount))
        up = shift - self.shift
        corners = [((v << up) + extra + slope * (t << up), t << up) for v, t in self.corners]
        return made(shift, corners, self.tail + slope)

    def negative(self) -> Wall:
        """The wall of the negative game's other side.

        >>> wall_of([(5, 0), (0, 5)]).negative().at(0)
        Fraction(-5, 1)
        """
        return Wall(self.shift, tuple((-value, tax) for value, tax in self.corners), -self.tail)

    def _place(self, tax: int) -> int:
        """The last corner that is not above a tax."""
        return max(bisect_right(self.corners, tax, key=_tax) - 1, 0)

    def _slope(self, place: int) -> int:
        if place + 1 == len(self.corners):
            return self.tail
        (value, tax), (next_value, next_tax) = self.corners[place], self.corners[place + 1]
        return (next_value - value) // (next_tax - tax)


def _tax(corner: Corner) -> int:
    return corner[1]


def shift_of(number: Fraction) -> int:
    """The k of a dyadic rational m/2^k.

    >>> shift_of(Fraction(3, 8))
    3
    """
    below = number.denominator
    if below & (below - 1):
        raise InputError(f"{number} is no dyadic rational, expected a denominator that is a power of two")
    return below.bit_length() - 1


def wall_of(breakpoints: Iterable[tuple[Fraction | int, Fraction | int]], tail: int = 0) -> Wall:
    """The wall with these (value, t), continued straight down to t = -1 where they begin above it.

    >>> wall_of([(5, 0), (0, 5)]).breakpoints[0]
    (Fraction(6, 1), Fraction(-1, 1))
    """
    exact = [(Fraction(value), Fraction(t)) for value, t in breakpoints]
    if not exact:
        raise InputError("a wall without breakpoints, expected at least one (value, t)")
    for (value, t), (next_value, next_t) in pairwise(exact):
        if next_t <= t or ((next_value - value) / (next_t - t)).denominator != 1:
            raise InputError(f"({next_value}, {next_t}) after ({value}, {t}), expected a larger t and a whole slope")
    value, t = exact[0]
    if t > -1:
        slope = (exact[1][0] - value) / (exact[1][1] - t) if len(exact) > 1 else Fraction(tail)
        exact[0] = (value - slope * (t + 1), Fraction(-1))
    shift = max(shift_of(number) for pair in exact for number in pair)
    return made(shift, [(int(value * (1 << shift)), int(t * (1 << shift))) for value, t in exact], tail)


def made(shift: int, corners: Sequence[Corner], tail: int) -> Wall:
    """The wall in its one form: no corner in which nothing bends, no power of two to spare."""
    kept = [corners[0]]
    bits = corners[0][0] | corners[0][1]
    last = len(corners) - 1
    slope: int | None = None
    for place in range(1, last + 1):
        value, tax = corners[place]
        if tax == kept[-1][1]:
            continue
        rising = (value - kept[-1][0]) // (tax - kept[-1][1])
        if rising == slope:
            kept[-1] = (value, tax)
        else:
            kept.append((value, tax))
            slope = rising
    if len(kept) > 1 and slope == tail:
        kept.pop()
    for value, tax in kept:
        bits |= value | tax
    spare = min(shift, (bits & -bits).bit_length() - 1) if bits else shift
    if spare:
        kept = [(value >> spare, tax >> spare) for value, tax in kept]
    return Wall(shift - spare, tuple(kept), tail)


def _aligned(walls: Sequence[Wall], more: int = 0) -> tuple[int, list[list[Corner]]]:
    """The corners of all walls over one power of two, with some bits to spare."""
    shift = max(wall.shift for wall in walls) + more
    return shift, [[(v << shift - wall.shift, t << shift - wall.shift) for v, t in wall.corners] for wall in walls]


Triple = tuple[int, int, int]
"""A tax and the values of two walls there."""


def side_by_side(a: Wall, b: Wall) -> tuple[int, list[Triple]]:
    """Both walls at the corners of either; a last one far enough out shows where their tails go.

    One more bit than the walls need is kept, so that lines whose slopes differ by 1 or 2 cross at whole numbers.
    """
    shift, (first, second) = _aligned((a, b), 1)
    joined: list[Triple] = []
    i = j = 0
    while i < len(first) or j < len(second):
        tax = min(corners[k][1] for corners, k in ((first, i), (second, j)) if k < len(corners))
        i += i < len(first) and first[i][1] == tax
        j += j < len(second) and second[j][1] == tax
        joined.append((tax, _value(first, i - 1, a.tail, tax), _value(second, j - 1, b.tail, tax)))
    tax, one, other = joined[-1]
    # Tails that approach each other do so by at least 1 for every unit of tax.
    out = abs(one - other) + 1
    joined.append((tax + out, one + a.tail * out, other + b.tail * out))
    return shift, joined


def _value(corners: list[Corner], place: int, tail: int, tax: int) -> int:
    value, at = corners[place]
    if place + 1 == len(corners):
        return value + tail * (tax - at)
    next_value, next_tax = corners[place + 1]
    return value + (next_value - value) // (next_tax - at) * (tax - at)


def crossing(before: Triple, after: Triple) -> Corner:
    """Where two walls cross between two taxes, the slopes of which differ by 1 or 2."""
    width = after[0] - before[0]
    gap = before[1] - before[2]
    closing = (gap - (after[1] - after[2])) // width
    step = gap // closing
    return before[1] + (after[1] - before[1]) // width * step, before[0] + step


def higher(a: Wall, b: Wall) -> Wall:
    """The larger of two walls everywhere; where they cross their slopes must differ by 1 or 2.

    >>> higher(wall_of([(5, 0)], -1), wall_of([(3, 0)])).breakpoints
    ((Fraction(6, 1), Fraction(-1, 1)), (Fraction(3, 1), Fraction(2, 1)))
    """
    if a == b:
        return a
    shift, joined = side_by_side(a, b)
    corners: list[Corner] = [(max(joined[0][1:]), joined[0][0])]
    for before, after in pairwise(joined):
        if (before[1] - before[2]) * (after[1] - after[2]) < 0:
            corners.append(crossing(before, after))
        corners.append((max(after[1:]), after[0]))
    tail = a.tail if joined[-1][1] > joined[-1][2] else b.tail if joined[-1][1] < joined[-1][2] else max(a.tail, b.tail)
    return made(shift, corners, tail)


def highest(walls: Sequence[Wall]) -> Wall:
    """The largest of walls everywhere, put together two by two.

    >>> highest([wall_of([(1, 0)]), wall_of([(3, 0)]), wall_of([(2, 0)])]).at(0)
    Fraction(3, 1)
    """
    level = list(walls)
    while len(level) > 1:
        odd = level[-1:] if len(level) % 2 else []
        level = [higher(a, b) for a, b in zip(level[::2], level[1::2], strict=False)] + odd
    return level[0]


def lowest(walls: Sequence[Wall]) -> Wall:
    """The smallest of walls everywhere.

    >>> lowest([wall_of([(1, 0)]), wall_of([(3, 0)])]).at(0)
    Fraction(1, 1)
    """
    return walls[0] if len(walls) == 1 else highest([wall.negative() for wall in walls]).negative()


def total(walls: Sequence[Wall]) -> Wall:
    """The sum of walls; takes time B log B for B corners, however many walls there are.

    >>> total([wall_of([(5, 0), (0, 5)]), wall_of([(1, 0)])]).at(2)
    Fraction(4, 1)
    """
    if not walls:
        return Wall(0, ((0, -1),))
    shift, all_corners = _aligned(walls)
    bends: dict[int, int] = {}
    value = 0
    for corners, wall in zip(all_corners, walls, strict=True):
        value += corners[0][0]
        slope = 0
        for place, (height, tax) in enumerate(corners):
            if place + 1 < len(corners):
                next_height, next_tax = corners[place + 1]
                following = (next_height - height) // (next_tax - tax)
            else:
                following = wall.tail
            bends[tax] = bends.get(tax, 0) + following - slope
            slope = following
    start, slope = -1 << shift, 0
    summed: list[Corner] = []
    for tax in sorted(bends):
        value += slope * (tax - start)
        start = tax
        slope += bends[tax]
        summed.append((value, tax))
    return made(shift, summed, slope)


def difference(a: Wall, b: Wall) -> Wall:
    """One wall minus another.

    >>> difference(wall_of([(5, 0), (0, 5)]), wall_of([(-5, 0), (0, 5)])).at(1)
    Fraction(8, 1)
    """
    return total([a, b.negative()])
