"""Thermographs: what a game is worth to either side when every move costs a tax of t (Yedwab 1985, section 2.7).

Built from the leaves up. Left's scaffold is the largest right wall of Left's options minus t, Right's the smallest left
wall of Right's options plus t; where the two meet is the temperature, and the mast above it stands at the mean. Below
t = 0 as usual since Berlekamp: a number m/2^k is {m-1|m+1}/2^k, so that it has temperature -1/2^k, and integers -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from weakref import WeakKeyDictionary

from zermelo.brief import introduced
from zermelo.cgt.scores.scored import Tree, sum_tree
from zermelo.cgt.thermographs.wall import Corner, Wall, crossing, highest, lowest, made, shift_of, side_by_side, wall_of
from zermelo.errors import InputError


@dataclass(frozen=True)
class Thermograph:
    """Left's wall and Right's wall; they meet at the temperature, and the mast above stands at the mean.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> shape = thermograph(trees_of("{15|{{5|-5}|-20}}")[0])
    >>> shape.mean, shape.temperature
    (Fraction(5, 2), Fraction(25, 2))
    >>> shape.at(0)
    (Fraction(15, 1), Fraction(-5, 1))
    """

    left: Wall
    right: Wall
    left_scaffold: Wall | None = field(default=None, compare=False, repr=False)
    """What Left would get by moving, above the temperature too; None where the walls were not made from options."""
    right_scaffold: Wall | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        return introduced(self, f"mean {self.mean}", f"temperature {self.temperature}")

    @cached_property
    def temperature(self) -> Fraction:
        """The largest tax at which a side still wants to move.

        >>> number_thermograph(Fraction(3, 4)).temperature
        Fraction(-1, 4)
        """
        return max(self.left.last, self.right.last)

    @cached_property
    def mean(self) -> Fraction:
        """Where the mast stands.

        >>> number_thermograph(Fraction(3, 4)).mean
        Fraction(3, 4)
        """
        return Fraction(self.left.corners[-1][0], 1 << self.left.shift)

    def at(self, t: Fraction | int) -> tuple[Fraction, Fraction]:
        """Left's and Right's wall at a tax: tV_L and tV_R.

        >>> number_thermograph(2).at(7)
        (Fraction(2, 1), Fraction(2, 1))
        """
        return self.left.at(t), self.right.at(t)

    def plus(self, amount: Fraction | int) -> Thermograph:
        """The thermograph of the game plus an integer; with any other number it is that of the sum from t = 0 on.

        >>> number_thermograph(2).plus(3).mean
        Fraction(5, 1)
        """
        scaffolds = [None if s is None else s.plus(amount) for s in (self.left_scaffold, self.right_scaffold)]
        return Thermograph(self.left.plus(amount), self.right.plus(amount), *scaffolds)

    def negative(self) -> Thermograph:
        """The thermograph of the negative game: its mirror image.

        >>> number_thermograph(2).negative().mean
        Fraction(-2, 1)
        """
        scaffolds = [None if s is None else s.negative() for s in (self.right_scaffold, self.left_scaffold)]
        return Thermograph(self.right.negative(), self.left.negative(), *scaffolds)

    def to_json(self) -> dict[str, list[list[str]]]:
        """Each wall's [value, t] as exact strings, from t = -1 to where the mast begins.

        >>> number_thermograph(Fraction(1, 2)).to_json()
        {'left': [['1', '-1'], ['1/2', '-1/2']], 'right': [['0', '-1'], ['1/2', '-1/2']]}
        """
        return {
            side: [[str(value), str(t)] for value, t in wall.breakpoints]
            for side, wall in (("left", self.left), ("right", self.right))
        }

    def _repr_svg_(self) -> str:
        from zermelo.cgt.thermographs.thermograph_picture import thermograph_svg

        return thermograph_svg([self])


def from_breakpoints(
    left: Iterable[tuple[Fraction | int, Fraction | int]], right: Iterable[tuple[Fraction | int, Fraction | int]]
) -> Thermograph:
    """The thermograph with these (value, t) on either wall, as they are found in tables.

    >>> from_breakpoints([(3, -1), (1, 1)], [(-1, -1), (1, 1)]).temperature
    Fraction(1, 1)
    """
    walls = wall_of(left), wall_of(right)
    if walls[0].breakpoints[-1][0] != walls[1].breakpoints[-1][0]:
        raise InputError("walls that end at different values, expected them to meet in one mast")
    return Thermograph(*walls)


def number_thermograph(number: Fraction | int) -> Thermograph:
    """The thermograph of a number; takes time linear in its length.

    >>> number_thermograph(Fraction(1, 4)).to_json()["right"]
    [['0', '-1'], ['0', '-1/2'], ['1/4', '-1/4']]
    """
    number = Fraction(number)
    whole = number.numerator // number.denominator
    part = number - whole
    if not part:
        mast = Wall(0, ((whole, -1),))
        return Thermograph(mast, mast)
    return _between_0_and_1(part).plus(whole)


@lru_cache(maxsize=1 << 14)
def _between_0_and_1(number: Fraction) -> Thermograph:
    # Halve [0, 1] until the middle is the number. Between the taxes -width and -width/2 the walls of the middle run
    # from the ends to the middle; below they are those of the ends. So each halving only puts one corner on each wall.
    shift = shift_of(number)
    wanted = number.numerator
    low, high = 0, 1 << shift
    left: list[Corner] = [(high, -high)]
    right: list[Corner] = [(low, -high)]
    while True:
        width = high - low
        middle = low + width // 2
        left.append((high, -width))
        right.append((low, -width))
        if wanted <= middle:
            left.append((middle, -width // 2))
        if wanted >= middle:
            right.append((middle, -width // 2))
        if wanted == middle:
            break
        low, high = (low, middle) if wanted < middle else (middle, high)
    return Thermograph(made(shift, left, 0), made(shift, right, 0))


def thermograph_of_options(left: Sequence[Thermograph], right: Sequence[Thermograph]) -> Thermograph:
    """The thermograph of {left | right} from those of the options, numbers and empty sides included.

    >>> five, minus = number_thermograph(5), number_thermograph(-5)
    >>> thermograph_of_options([five], [minus]).to_json()
    {'left': [['6', '-1'], ['0', '5']], 'right': [['-6', '-1'], ['0', '5']]}
    >>> thermograph_of_options([five], []).mean
    Fraction(6, 1)
    """
    ours = highest([option.right for option in left]).plus(0, -1) if left else None
    theirs = lowest([option.left for option in right]).plus(0, 1) if right else None
    bottom = None if ours is None else ours.at(-1), None if theirs is None else theirs.at(-1)
    if bottom[0] is None or bottom[1] is None or bottom[0] <= bottom[1]:
        # Nobody would move for a subsidy of 1: an integer, the simplest that fits.
        mast = number_thermograph(_simplest_integer(*bottom))
        return Thermograph(mast.left, mast.right, ours, theirs)
    assert ours is not None and theirs is not None
    return _met(ours, theirs)


def _simplest_integer(low: Fraction | None, high: Fraction | None) -> Fraction:
    if low is not None and low > 0:
        return Fraction(-(-low // 1))
    if high is not None and high < 0:
        return Fraction(high // 1)
    return Fraction(0)


def _met(ours: Wall, theirs: Wall) -> Thermograph:
    """Scaffolds up to where they meet, and a mast on top; ours begins above theirs."""
    shift, joined = side_by_side(ours, theirs)
    left: list[Corner] = [(joined[0][1], joined[0][0])]
    right: list[Corner] = [(joined[0][2], joined[0][0])]
    for before, after in pairwise(joined):
        if after[1] <= after[2]:
            peak = crossing(before, after)
            left.append(peak)
            right.append(peak)
            break
        left.append((after[1], after[0]))
        right.append((after[2], after[0]))
    return Thermograph(made(shift, left, 0), made(shift, right, 0), ours, theirs)


_KNOWN: WeakKeyDictionary[Tree, Thermograph] = WeakKeyDictionary()


def thermograph(game: Tree) -> Thermograph:
    """The thermograph of a scored tree, remembered for as long as the tree lives.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> thermograph(trees_of("{12,{20|10}|2}")[0]).temperature
    Fraction(13, 2)
    """
    stack = [game]
    while stack:
        node = stack[-1]
        if node in _KNOWN:
            stack.pop()
        elif node.number is not None:
            _KNOWN[node] = number_thermograph(node.number)
        else:
            unknown = [option for option in node.left + node.right if option not in _KNOWN]
            if unknown:
                stack.extend(unknown)
            else:
                left, right = ([_KNOWN[option] for option in side] for side in (node.left, node.right))
                _KNOWN[node] = thermograph_of_options(left, right)
    return _KNOWN[game]


def mean(games: Iterable[Tree]) -> Fraction:
    """The mean of a sum, which is the sum of the means (Hanner 1959).

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> mean(trees_of("{5|-5} + {3||2|-1} + 1/2"))
    Fraction(5, 2)
    """
    return sum((thermograph(game).mean for game in games), Fraction(0))


def sum_thermograph(games: Sequence[Tree]) -> Thermograph:
    """The thermograph of a sum, written out as one tree; refused where that would be too large.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> sum_thermograph(trees_of("{5|-5} + {5|-5}")).temperature
    Fraction(-1, 1)
    """
    return thermograph(sum_tree(games, "sum"))
