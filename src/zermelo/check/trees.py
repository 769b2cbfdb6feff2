"""Games by number: scores, and positions with the options of both sides, each kept once.

The checkers of sums, boards and Go records count with these. A position between whose options a number fits *is* that
number, the simplest one (Conway, *On Numbers and Games*, the simplicity theorem), and is kept as such: 2**200 costs
nothing. Nothing here recurses, so depth does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import count
from typing import Protocol, TypeVar, runtime_checkable

K = TypeVar("K")
T = TypeVar("T")

LEFT_TO_MOVE, RIGHT_TO_MOVE = -1, 1
"""Who is to move when play has stopped; at equal scores Left would rather have it Right."""

Stop = tuple[Fraction, int]
"""The score at which alternating play stops, and who is to move then."""


def folded(root: K, inner: Callable[[K], Iterable[K]], known: dict[K, T], make: Callable[[K], T]) -> T:
    """What ``make`` says of the root once ``known`` holds it for all that is inside of it: inner ones first.

    >>> folded(3, range, ways := {}, lambda number: 1 + sum(ways[less] for less in range(number)))
    8
    """
    stack = [root]
    while stack:
        missing = [part for part in inner(stack[-1]) if part not in known]
        if missing:
            stack += missing
        elif (item := stack.pop()) not in known:  # several may have asked for it
            known[item] = make(item)
    return known[root]


class Trees:
    """Numbers and positions, equal ones under one number; ``tick`` is called now and then and may raise.

    >>> trees = Trees()
    >>> five, minus = trees.number(Fraction(5)), trees.number(Fraction(-5))
    >>> switch = trees.node([five], [minus])
    >>> trees.negate(switch) == switch, trees.left_first[switch]
    (True, (Fraction(5, 1), 1))
    """

    def __init__(self, tick: Callable[[], None] = lambda: None) -> None:
        self.tick = tick
        self.numbers: list[Fraction | None] = []
        self.left: list[tuple[int, ...]] = []
        self.right: list[tuple[int, ...]] = []
        self.left_first: list[Stop] = []
        self.right_first: list[Stop] = []
        self._by_number: dict[Fraction, int] = {}
        self._by_options: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        self._negatives: dict[int, int] = {}
        self.zero = self.number(Fraction(0))

    def number(self, value: Fraction) -> int:
        """The game that is a number."""
        found = self._by_number.get(value)
        if found is None:
            found = self._new(value, (), (), (value, LEFT_TO_MOVE), (value, RIGHT_TO_MOVE))
            self._by_number[value] = found
        return found

    def node(self, left: Iterable[int], right: Iterable[int]) -> int:
        """The game with these options as they are; a number where one fits between them."""
        lefts, rights = tuple(dict.fromkeys(left)), tuple(dict.fromkeys(right))
        above = max((self.right_first[option] for option in lefts), default=None)
        below = min((self.left_first[option] for option in rights), default=None)
        value = simplest_between(above, below)
        if value is not None:
            return self.number(value)
        key = frozenset(lefts), frozenset(rights)
        found = self._by_options.get(key)
        if found is None:
            assert above is not None and below is not None  # else a number would have fitted
            found = self._by_options[key] = self._new(None, lefts, rights, above, below)
        return found

    def _new(
        self, value: Fraction | None, left: tuple[int, ...], right: tuple[int, ...], above: Stop, below: Stop
    ) -> int:
        self.numbers.append(value)
        self.left.append(left)
        self.right.append(right)
        self.left_first.append(above)
        self.right_first.append(below)
        return len(self.numbers) - 1

    def folded(self, root: int, known: dict[int, T], make: Callable[[int], T]) -> T:
        """What ``make`` says of a game once ``known`` holds it for all options; options first, each game once."""
        return folded(root, lambda game: self.left[game] + self.right[game], known, make)

    def negate(self, root: int) -> int:
        """The game with the sides exchanged."""
        return self._rebuilt(self, root, self._negatives, lambda value: -value, turned=True)

    def moved(self, root: int, by: Fraction) -> int:
        """The game with a number added to every score: that is the sum (the number translation theorem)."""
        return self._rebuilt(self, root, {}, lambda value: value + by) if by else root

    def taken_over(self, trees: Trees, root: int) -> int:
        """A game of another collection."""
        return self._rebuilt(trees, root, {}, lambda value: value)

    def _rebuilt(
        self,
        trees: Trees,
        root: int,
        known: dict[int, int],
        number: Callable[[Fraction], Fraction],
        turned: bool = False,
    ) -> int:
        """A game of a collection with every number changed, and perhaps the sides exchanged."""

        def again(game: int) -> int:
            self.tick()
            value = trees.numbers[game]
            if value is not None:
                return self.number(number(value))
            left, right = ([known[option] for option in side[game]] for side in (trees.left, trees.right))
            return self.node(right, left) if turned else self.node(left, right)

        return trees.folded(root, known, again)

    def nimber(self, size: int) -> int:
        """A nim heap: every move leaves less of it."""
        heaps = [self.zero]
        for _ in range(size):
            self.tick()
            heaps.append(self.node(heaps, heaps))
        return heaps[size]

    def up(self) -> int:
        """The game that Left moves to 0, Right to a nim heap of one."""
        return self.node([self.zero], [self.nimber(1)])


@runtime_checkable
class Summed(Protocol):
    """A reading that is a sum of scored trees."""

    def components(self, trees: Trees) -> Sequence[int]:
        """What is added up; ``NotApplicableError`` where some part is no tree."""


def simplest_between(above: Stop | None, below: Stop | None) -> Fraction | None:
    """The simplest number that neither side's best option reaches, or None where there is none.

    An option of Left's bars the score at which it stops when Right moves first in it, and if Right is to move again
    then that score too; of Right's likewise. The simplest number is the whole one next to 0, or else the one with the
    least power of two below its stroke.

    >>> simplest_between((Fraction(0), RIGHT_TO_MOVE), (Fraction(1), LEFT_TO_MOVE))
    Fraction(1, 2)
    >>> simplest_between((Fraction(-3), RIGHT_TO_MOVE), None), simplest_between(None, (Fraction(-3), LEFT_TO_MOVE))
    (Fraction(0, 1), Fraction(-4, 1))
    >>> simplest_between((Fraction(2), RIGHT_TO_MOVE), (Fraction(2), RIGHT_TO_MOVE)) is None
    True
    """
    if above is not None and below is not None:
        shared = (above[1], below[1]) == (LEFT_TO_MOVE, RIGHT_TO_MOVE)  # then one score between them is enough
        if above[0] > below[0] or (above[0] == below[0] and not shared):
            return None
    for parts in (1 << power for power in count()):
        # The least and the greatest number of such parts that fit, each where its side has an option at all.
        least = None if above is None else _parts_over(above[0] * parts, itself=above[1] == LEFT_TO_MOVE)
        most = None if below is None else -_parts_over(-below[0] * parts, itself=below[1] == RIGHT_TO_MOVE)
        if least is not None and most is not None and least > most:
            continue
        return Fraction(max(least or 0, 0) or min(most or 0, 0), parts)
    return None


def _parts_over(bound: Fraction, *, itself: bool) -> int:
    """The least whole number above a bound, which may itself be allowed."""
    least = bound.numerator // bound.denominator
    return least if itself and least == bound else least + 1
