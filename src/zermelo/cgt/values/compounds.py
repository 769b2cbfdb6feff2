"""Other ways to put two games together than side by side (Conway 1976, chapter 14; Siegel 2013, section I.4).

In the *conjunctive* sum one moves in both games at once, in the *selective* sum in one or in both. They are not the
same for equal games, so each game is taken in canonical form. *Conway's product* extends that of numbers.

>>> from zermelo.cgt.values.value import value_of
>>> g, h = value_of("*5"), value_of("*6")
>>> str(conjunctive_sum(g, h)), str(selective_sum(g, h)), str(conway_product(g, h)), str(g.ordinal_sum(h))
('*5', '*11', '*8', '*11')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zermelo.cgt.values.nimbers import nim_product
from zermelo.cgt.values.value import Value, nimber, number, options
from zermelo.cgt.values.walk import MOST_STEPS, worked_out
from zermelo.errors import LimitReachedError

Pair = tuple[Value, Value]


def conjunctive_sum(g: Value, h: Value) -> Value:
    """A move is a move in both games; who cannot move in one of them cannot move.

    >>> from zermelo.cgt.values.value import value_of
    >>> str(conjunctive_sum(value_of("+-1"), value_of("^^")))
    '0|-1'
    """

    def moved(pair: Pair, side: int) -> list[Pair]:
        return [(a, b) for a in _side(pair[0], side) for b in _side(pair[1], side)]

    return _compound(g, h, moved)


def selective_sum(g: Value, h: Value) -> Value:
    """A move is a move in one game or in both.

    >>> from zermelo.cgt.values.value import value_of
    >>> str(selective_sum(value_of("+-1"), value_of("^^")))
    '1^^|-1^*,-1^^'
    """

    def moved(pair: Pair, side: int) -> list[Pair]:
        x, y = pair
        xs, ys = _side(x, side), _side(y, side)
        return [(a, y) for a in xs] + [(x, b) for b in ys] + [(a, b) for a in xs for b in ys]

    return _compound(g, h, moved)


def _compound(g: Value, h: Value, moved: Callable[[Pair, int], list[Pair]]) -> Value:
    """The value of two games together, given what pairs a side may move to from a pair."""
    _refuse_large(g, h)

    def make(pair: Pair, made: Mapping[Pair, Value]) -> Value:
        return options([made[each] for each in moved(pair, 0)], [made[each] for each in moved(pair, 1)])

    return worked_out((g, h), lambda pair: moved(pair, 0) + moved(pair, 1), make)


def conway_product(g: Value, h: Value) -> Value:
    """Conway's product: options x h + g y - x y, for x and y options of the same side for Left, of two for Right.

    >>> from zermelo.cgt.values.value import value_of
    >>> str(conway_product(value_of("{3|1}"), value_of("^^"))), str(conway_product(value_of("1/2"), value_of("1/4")))
    ('^6|^^', '1/8')
    """
    if (easy := _by_numbers(g, h)) is not None:
        return easy
    _refuse_large(g, h)

    def needs(pair: Pair) -> list[Pair]:
        if _by_numbers(*pair) is not None:
            return []
        x, y = pair
        xs, ys = (*x.left, *x.right), (*y.left, *y.right)
        return [(a, y) for a in xs] + [(x, b) for b in ys] + [(a, b) for a in xs for b in ys]

    def make(pair: Pair, made: Mapping[Pair, Value]) -> Value:
        if (easy := _by_numbers(*pair)) is not None:
            return easy
        x, y = pair

        def term(a: Value, b: Value) -> Value:
            return made[a, y] + made[x, b] - made[a, b]

        left = [term(a, b) for side in (0, 1) for a in _side(x, side) for b in _side(y, side)]
        right = [term(a, b) for side in (0, 1) for a in _side(x, side) for b in _side(y, 1 - side)]
        return options(left, right)

    return worked_out((g, h), needs, make)


def _by_numbers(g: Value, h: Value) -> Value | None:
    """The product where both are numbers or nimbers, or one is a whole number: that many copies of the other."""
    if g.number is not None and h.number is not None:
        return number(g.number * h.number)
    for one, other in ((g, h), (h, g)):
        if one.number is not None and one.number.denominator == 1:
            return other * one.number.numerator
    if g.nimber is not None and h.nimber is not None:
        return nimber(nim_product(g.nimber, h.nimber))
    return None


def _side(game: Value, side: int) -> tuple[Value, ...]:
    return game.left if side == 0 else game.right


def _refuse_large(g: Value, h: Value) -> None:
    pairs = g.position_count * h.position_count
    if pairs > MOST_STEPS:
        raise LimitReachedError(f"two games with {pairs:,} pairs of positions, expected at most {MOST_STEPS:,}")
