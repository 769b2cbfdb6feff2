"""Scored trees with the tempo counted in: twice the score in units, and 1 for every move to the one who makes it.

One whole number then holds the score and who is to move at the end (docs/cgt-sums.md), and of a tree only its leaves
matter: ``low`` and ``high`` are the least and the greatest of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.cgt.scores.scored import Tree

HIGHEST = 8
"""Trees of more moves than this are not written out leaf by leaf."""
MOST_LEAVES = 10_000
"""Nor are larger ones."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A number (without options), or a game with options for both sides; options are in one order.

    >>> Counted.over(3).spread
    0
    """

    low: int
    high: int
    left: tuple[Counted, ...] = ()
    right: tuple[Counted, ...] = ()
    key: tuple[Any, ...] = field(default=(), compare=False, repr=False)

    @staticmethod
    def over(number: int) -> Counted:
        """The game that is over with this total."""
        return Counted(number, number, key=(number, number, (), ()))

    @staticmethod
    def of(left: Sequence[Counted], right: Sequence[Counted]) -> Counted:
        """The game with these options, each once."""
        lefts, rights = (tuple(sorted(dict.fromkeys(side), key=_key)) for side in (left, right))
        low, high = min(o.low for o in lefts + rights), max(o.high for o in lefts + rights)
        return Counted(low, high, lefts, rights, (low, high, tuple(map(_key, lefts)), tuple(map(_key, rights))))

    @staticmethod
    def switch(half: int) -> Counted:
        """The switch between a total and its negative."""
        return Counted.of([Counted.over(half)], [Counted.over(-half)])

    @property
    def is_over(self) -> bool:
        """Is it a number?"""
        return not self.left

    @property
    def spread(self) -> int:
        """How far the leaves are apart at most."""
        return self.high - self.low

    @property
    def swing(self) -> int:
        """What it is worth at least to move here before the other side does."""
        return max(option.low for option in self.left) - min(option.high for option in self.right)

    @property
    def is_plain(self) -> bool:
        """Is it a switch between two numbers?"""
        return len(self.left) == len(self.right) == 1 and self.left[0].is_over and self.right[0].is_over

    def options(self, of_left: bool) -> tuple[Counted, ...]:
        """The options of one side."""
        return self.left if of_left else self.right

    def turned(self) -> Counted:
        """The game with the sides exchanged; at most as deep as :data:`HIGHEST`."""
        if self.is_over:
            return Counted.over(-self.low)
        return Counted.of([option.turned() for option in self.right], [option.turned() for option in self.left])


def _key(game: Counted) -> tuple[Any, ...]:
    return game.key


def counted(tree: Tree, unit: Fraction, look: Callable[[], None], earned: int = 0) -> Counted | None:
    """A scored tree with the tempo counted in, or ``None`` where it is too large; ``earned`` is by moves before it.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> (switch,) = trees_of("{5|-5}")
    >>> (game := counted(switch, Fraction(1), lambda: None)).low, game.high, game.swing
    (-11, 11, 22)
    """
    leaves = 0

    def written(node: Tree, bonus: int, height: int) -> Counted | None:
        nonlocal leaves
        look()
        if node.number is not None:
            leaves += 1
            return Counted.over(int(2 * node.number / unit) + bonus) if leaves <= MOST_LEAVES else None
        if height == 0:
            return None
        sides: list[list[Counted]] = []
        for options, move in ((node.left, 1), (node.right, -1)):
            sides.append([])
            for option in options:
                if (made := written(option, bonus + move, height - 1)) is None:
                    return None
                sides[-1].append(made)
        return Counted.of(*sides)

    return written(tree, earned, HIGHEST)
