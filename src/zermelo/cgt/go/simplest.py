"""The simplest form of a scored tree: no dominated and no reversible moves, so that equal games are one object.

The theory is that of canonical forms (Conway, *On Numbers and Games*, chapter 10) with numbers as leaves: a number
and a game that is none compare by the game's stops, since nobody moves in a number while there is anything else.
Depth is that of a region of a board, so plain recursion is fine here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from zermelo.cgt.scores.scored import LEFT_TO_MOVE, RIGHT_TO_MOVE, Tree, leaf, moved_by, tree
from zermelo.cgt.thermographs.thermograph import thermograph

Order = Callable[[Tree, Tree], bool]


class Simplifier:
    """Makes simplest forms and remembers what it found out about them.

    With ``by_stops`` a game whose two stops are equal is taken for the number that they are: what is left of it is
    infinitesimal and changes no score of any sum (Grossman and Siegel, "Reductions of partizan games", 2009).

    >>> make = Simplifier()
    >>> str(make.node([leaf(3), leaf(5)], [leaf(-5), tree([leaf(9)], [leaf(-9)])]))
    '{5|-5}'
    """

    def __init__(self, *, by_stops: bool = False) -> None:
        self._by_stops = by_stops
        self._order: dict[tuple[Tree, Tree], bool] = {}
        self._sums: dict[tuple[Tree, Tree], Tree] = {}
        self._cooled: dict[Tree, Tree] = {}
        self._moved: dict[tuple[Tree, int | Fraction], Tree] = {}
        self._nodes: dict[tuple[frozenset[Tree], frozenset[Tree]], Tree] = {}

    def at_most(self, one: Tree, other: Tree) -> bool:
        """Is one game at most the other, in every sum?

        >>> Simplifier().at_most(leaf(-6), tree([leaf(5)], [leaf(-5)]))
        True
        """
        if one is other:
            return True
        if other.number is not None:
            return one.left_first <= (other.number, LEFT_TO_MOVE)
        if one.number is not None:
            return other.right_first >= (one.number, RIGHT_TO_MOVE)
        if one.left_first > other.left_first or one.right_first > other.right_first:
            return False
        key = one, other
        known = self._order.get(key)
        if known is None:
            known = not any(self.at_most(other, option) for option in one.left) and not any(
                self.at_most(option, one) for option in other.right
            )
            self._order[key] = known
        return known

    def node(self, left: Iterable[Tree], right: Iterable[Tree]) -> Tree:
        """The simplest form of the game with these options, which must be in simplest form themselves.

        >>> make = Simplifier()
        >>> star = tree([leaf(0)], [leaf(0)])
        >>> str(make.node([star], [star])), str(make.node([leaf(0)], [star]))
        ('0', '{0||0|0}')
        """
        lefts, rights = list(dict.fromkeys(left)), list(dict.fromkeys(right))
        key = frozenset(lefts), frozenset(rights)
        known = self._nodes.get(key)
        if known is None:
            known = self._nodes[key] = self._simplest(lefts, rights)
        return known

    def _simplest(self, lefts: list[Tree], rights: list[Tree]) -> Tree:
        while True:
            lefts = self._undominated(lefts, self.at_most)
            rights = self._undominated(rights, lambda one, other: self.at_most(other, one))
            made = tree(lefts, rights)
            if made.number is not None:
                return made
            if self._by_stops and made.left_stop == made.right_stop:
                return leaf(made.left_stop)
            before = lefts, rights
            lefts, rights = self._bypassed(made, lefts, left=True), self._bypassed(made, rights, left=False)
            if (lefts, rights) == before:
                return made

    @staticmethod
    def _undominated(options: Sequence[Tree], worse: Order) -> list[Tree]:
        kept: list[Tree] = []
        for option in options:
            if not any(worse(option, other) for other in kept):
                kept = [other for other in kept if not worse(other, option)]
                kept.append(option)
        return kept

    def _bypassed(self, game: Tree, options: list[Tree], *, left: bool) -> list[Tree]:
        """Options that the other side can take back give way to what could be moved to afterwards.

        Where the reply is a number its own moves are left out: they are worth less than the number, which some other
        option reaches, as the game is none.
        """
        found: list[Tree] = []
        for option in options:
            for reply in option.right if left else option.left:
                if self.at_most(reply, game) if left else self.at_most(game, reply):
                    found += reply.left if left else reply.right
                    break
            else:
                found.append(option)
        return list(dict.fromkeys(found)) or options

    def total(self, games: Iterable[Tree]) -> Tree:
        """The sum of games in simplest form.

        >>> switch = tree([leaf(1)], [leaf(-1)])
        >>> str(Simplifier().total([switch, switch, leaf(2)]))
        '2'
        """
        result = leaf(0)
        for game in games:
            result = self.plus(result, game)
        return result

    def moved(self, game: Tree, amount: int | Fraction) -> Tree:
        """The game with a number added; whole numbers as such are looked up faster than fractions.

        >>> str(Simplifier().moved(tree([leaf(5)], [leaf(-5)]), 2))
        '{7|-3}'
        """
        if not amount:
            return game
        key = game, amount
        known = self._moved.get(key)
        if known is None:
            known = self._moved[key] = moved_by(game, amount)
        return known

    def plus(self, one: Tree, other: Tree) -> Tree:
        """The sum of two games in simplest form.

        >>> str(Simplifier().plus(tree([leaf(5)], [leaf(-5)]), tree([leaf(1)], [leaf(-1)])))
        '{6|4||-4|-6}'
        """
        if one.number is not None:
            return self.moved(other, _whole(one.number))
        if other.number is not None:
            return self.moved(one, _whole(other.number))
        key = (one, other) if id(one) <= id(other) else (other, one)
        known = self._sums.get(key)
        if known is None:
            left = [self.plus(option, other) for option in one.left] + [self.plus(one, option) for option in other.left]
            right = [self.plus(option, other) for option in one.right]
            right += [self.plus(one, option) for option in other.right]
            known = self.node(left, right)
            self._sums[key] = known
        return known

    def cooled(self, game: Tree) -> Tree:
        """The game in which every move costs its mover a point, in simplest form.

        A position at which nobody gains by moving any more is its mean (Berlekamp and Wolfe, *Mathematical Go*, 1994:
        chilling); where all scores are odd, or all are even, that is a whole number.

        >>> make = Simplifier()
        >>> str(make.cooled(tree([leaf(1)], [leaf(-1)]))), str(make.cooled(tree([leaf(4)], [leaf(0)])))
        ('{0|0}', '{3|1}')
        """
        if game.number is not None:
            return game
        known = self._cooled.get(game)
        if known is None:
            left = [self.moved(self.cooled(option), -1) for option in game.left]
            known = self.node(left, [self.moved(self.cooled(option), 1) for option in game.right])
            if known.number is not None:
                known = leaf(thermograph(game).mean)
            self._cooled[game] = known
        return known


def _whole(number: Fraction) -> int | Fraction:
    return number.numerator if number.denominator == 1 else number
