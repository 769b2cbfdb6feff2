"""Short games by number: compared, added and brought to canonical form by the definitions, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.check.clock import Clock
from zermelo.check.trees import Trees
from zermelo.limits import Limits


class Games(Trees):
    """Short games by number: compared, added and brought to canonical form by the definitions.

    Numbers are kept as such, so that 2**200 costs nothing: in a game that is no number nobody need move in a number
    (the number avoidance theorem), and G + x has the options of G, each with x added (the number translation theorem).

    >>> from fractions import Fraction
    >>> games = Games(Limits())
    >>> games.add(games.number(Fraction(1)), games.number(Fraction(1, 2))) == games.number(Fraction(3, 2))
    True
    """

    def __init__(self, limits: Limits) -> None:
        super().__init__(Clock(limits).tick)
        self._less: dict[tuple[int, int], bool] = {}
        self._sums: dict[tuple[int, int], int] = {}

    def less_equal(self, g: int, h: int) -> bool:
        """G <= H unless Left has a move in G to something >= H, or Right one in H to something <= G."""
        if g == h:
            return True
        found = self._less.get((g, h))
        if found is None:
            self.tick()
            x, y = self.numbers[g], self.numbers[h]
            found = x is None or y is None or x <= y
            for option in self.left[g]:
                if self.less_equal(h, option):
                    found = False
                    break
            if found:
                for option in self.right[h]:
                    if self.less_equal(option, g):
                        found = False
                        break
            self._less[g, h] = found
        return found

    def canonical(self, left: Sequence[int], right: Sequence[int]) -> int:
        """The game with these options, all canonical, without dominated options and with reversible ones bypassed."""
        whole = self.node(left, right)
        if self.numbers[whole] is not None:
            return whole
        lefts = self._bypassed(list(left), whole, by_left=True)
        rights = self._bypassed(list(right), whole, by_left=False)
        best = [g for g in lefts if not any(g != h and self.less_equal(g, h) for h in lefts)]
        least = [g for g in rights if not any(g != h and self.less_equal(h, g) for h in rights)]
        return self.node(best, least)

    def _bypassed(self, options: list[int], whole: int, *, by_left: bool) -> list[int]:
        """Options with those that are reversible replaced.

        The options of a number never matter here. Let x be one with x <= G, through which Left's option is reversed:
        its own option is below x, so either x fits between the options of G, which then is a number, or Left has an
        option that is at least x and dominates it.
        """
        replies, onward = (self.right, self.left) if by_left else (self.left, self.right)
        kept: set[int] = set()
        while options:
            option = options.pop()
            self.tick()
            for reply in replies[option]:
                if self.less_equal(reply, whole) if by_left else self.less_equal(whole, reply):
                    options.extend(onward[reply])
                    break
            else:
                kept.add(option)
        return sorted(kept)

    def add(self, g: int, h: int) -> int:
        """The sum of two games in canonical form, in canonical form."""
        if g == self.zero:
            return h
        if h == self.zero:
            return g
        key = (g, h) if g < h else (h, g)
        found = self._sums.get(key)
        if found is None:
            self.tick()
            x, y = self.numbers[g], self.numbers[h]
            if x is not None and y is not None:
                return self._sums.setdefault(key, self.number(x + y))
            # Nobody need move in a number.
            left = [self.add(o, h) for o in self.left[g]] + [self.add(g, o) for o in self.left[h]]
            right = [self.add(o, h) for o in self.right[g]] + [self.add(g, o) for o in self.right[h]]
            found = self.canonical(left, right) if x is None and y is None else self.node(left, right)
            self._sums[key] = found
        return found

    def times(self, count: int, game: int) -> int:
        """That many copies of a game in canonical form, by doubling."""
        total, power = self.zero, game
        while count:
            if count & 1:
                total = self.add(total, power)
            power = self.add(power, power) if count > 1 else power
            count >>= 1
        return total
