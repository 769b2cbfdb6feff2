"""Bounds on what a sum of scored games is worth, each with its witness (Yedwab 1985, section 5.1).

For every tax t >= 0 the walls of the components bound the untaxed score of the sum (Berlekamp, Conway and Guy's
thermostatic strategy; theorem 5.3 with errata 16 to 18). Write L and R for the sums of Left's and of Right's walls at
t, and w for the width at t of the component that is widest there:

    R + w <= V_L <= L + t,        R - t <= V_R <= L - w.

At t = 0 that is Milnor's bound, at the highest temperature Hanner's (Mean <= V_L <= Mean + temperature), at the second
highest the bound of theorem 5.2. Both sides of :func:`thermostatic` take the best t, which is always a corner of a
wall. A bound is one player's guarantee: :mod:`zermelo.cgt.scores.thermostat` plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from zermelo.brief import fields_in_brief, shown_in_brief
from zermelo.cgt.boards.ruleset import Side
from zermelo.cgt.scores.scored import Tree
from zermelo.cgt.thermographs.thermograph import Thermograph, thermograph
from zermelo.cgt.thermographs.wall import Wall, difference, highest, total
from zermelo.errors import InputError

Method = Literal["milnor", "hanner", "second temperature", "thermostatic"]


@dataclass(frozen=True)
class Bound:
    """What one side can make sure of, and why: the tax t, and the component to move in if that side starts.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> hanner(trees_of("{5|-5} + {3|-1}"), "left").lower
    Bound(value=Fraction(1, 1), side='left', starts='left', method='hanner', t=Fraction(5, 1), component=0)
    """

    value: Fraction
    side: Side
    """Who can make sure of it: Left of lower bounds, Right of upper ones."""
    starts: Side
    method: Method
    t: Fraction
    component: int | None
    """Where ``side`` begins; None where the other one starts, or every component is a number."""

    __repr__ = fields_in_brief

    def to_json(self) -> dict[str, str | int | None]:
        """The bound and its witness, numbers as exact strings.

        >>> from zermelo.cgt.scores.scored import trees_of
        >>> hanner(trees_of("{5|-5} + {3|-1}"), "left").upper.to_json()
        {'value': '6', 'method': 'hanner', 't': '5', 'component': None}
        """
        return {"value": str(self.value), "method": self.method, "t": str(self.t), "component": self.component}


@dataclass(frozen=True)
class Bounds:
    """A lower and an upper bound on the score when one side starts.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> str(milnor(trees_of("{5|-5} + {3|-1}"), "right"))
    '-6 <= V_R <= -2'
    """

    lower: Bound
    upper: Bound

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    def __str__(self) -> str:
        return f"{self.lower.value} <= V_{self.lower.starts[0].upper()} <= {self.upper.value}"


def milnor(games: Sequence[Tree], starts: Side) -> Bounds:
    """Bounds by following the leader with moves that are best in their component (Milnor 1953): t = 0.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> str(milnor(trees_of("{5|-5} + {3|-1}"), "left"))
    '4 <= V_L <= 8'
    """
    return at_tax(games, starts, Fraction(0), "milnor")


def hanner(games: Sequence[Tree], starts: Side) -> Bounds:
    """Bounds by the mean strategy (Hanner 1959): t is the highest temperature.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> str(hanner(trees_of("{5|-5} + {3|-1}"), "left"))
    '1 <= V_L <= 6'
    """
    return at_tax(games, starts, temperatures(games)[0], "hanner")


def second_temperature(games: Sequence[Tree], starts: Side) -> Bounds:
    """Bounds within the second highest temperature of each other (theorem 5.2).

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> str(second_temperature(trees_of("{5|-5} + {3|-1}"), "left"))
    '4 <= V_L <= 6'
    """
    return at_tax(games, starts, temperatures(games)[1], "second temperature")


def temperatures(games: Iterable[Tree]) -> tuple[Fraction, Fraction]:
    """The two highest temperatures, 0 where components are numbers or missing.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> temperatures(trees_of("{5|-5} + 7"))
    (Fraction(5, 1), Fraction(0, 1))
    """
    first = second = Fraction(0)
    for game in games:
        heat = thermograph(game).temperature
        if heat > first:
            first, second = heat, first
        elif heat > second:
            second = heat
    return first, second


def at_tax(games: Sequence[Tree], starts: Side, t: Fraction | int, method: Method = "thermostatic") -> Bounds:
    """The bounds that one tax gives; takes time linear in the number of components.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> str(at_tax(trees_of("{5|-5} + {3|-1}"), "left", 1))
    '4 <= V_L <= 7'
    """
    t = Fraction(t)
    if t < 0:
        raise InputError(f"a tax of {t}, expected 0 or more: below 0 walls say nothing about the score")
    # Above all temperatures Hanner's bound stands (erratum 16).
    t = min(t, temperatures(games)[0])
    walls = [thermograph(game).at(t) for game in games]
    left = sum((ours for ours, _ in walls), Fraction(0))
    right = sum((theirs for _, theirs in walls), Fraction(0))
    component = widest(games, t)
    width = Fraction(0) if component is None else walls[component][0] - walls[component][1]
    if starts == "left":
        lower, upper = right + width, left + t
    else:
        lower, upper = right - t, left - width
    return _bounds(starts, method, (lower, t, component), (upper, t, component))


def widest(games: Sequence[Tree], t: Fraction) -> int | None:
    """The component to move in at tax t: the widest one of those that are at least as hot, the hottest of equals.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> widest(trees_of("{5|-5} + {3|-1}"), Fraction(1))
    0
    """
    best: tuple[Fraction, Fraction, int] | None = None
    for index, game in enumerate(games):
        shape = thermograph(game)
        heat = shape.temperature
        if heat >= t:
            left, right = shape.at(t)
            rank = (left - right, heat, -index)
            if best is None or rank > best:
                best = rank
    return None if best is None else -best[2]


def thermostatic(games: Sequence[Tree], starts: Side) -> Bounds:
    """The best that any tax gives, for the lower and for the upper bound apart.

    Sums of walls are linear between corners, so the best t is a corner. Takes time B log B for B corners in all:
    the sum of the walls and the largest width are worked out as walls themselves.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> str(thermostatic(trees_of("{5|-5} + {3|-1}"), "left"))
    '4 <= V_L <= 6'
    """
    low, high = by_tax(games, starts)
    hottest = temperatures(games)[0]
    lower, low_t = _best(low, hottest, max)
    upper, high_t = _best(high, hottest, min)
    return _bounds(starts, "thermostatic", (lower, low_t, widest(games, low_t)), (upper, high_t, widest(games, high_t)))


def by_tax(games: Sequence[Tree], starts: Side) -> tuple[Wall, Wall]:
    """The lower and the upper bound as functions of the tax; they hold from 0 to the highest temperature.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> low, high = by_tax(trees_of("{5|-5} + {3|-1}"), "left")
    >>> [str(bound.at(1)) for bound in (low, high)]
    ['4', '7']
    """
    shapes = [thermograph(game) for game in games if game.number is None]
    settled = sum((game.number for game in games if game.number is not None), Fraction(0))
    left = total([shape.left for shape in shapes]).plus(settled)
    right = total([shape.right for shape in shapes]).plus(settled)
    if not shapes:
        return left, right
    width = _largest_width(shapes)
    if starts == "left":
        return total([right, width]), left.plus(0, 1)
    return right.plus(0, -1), difference(left, width)


def _largest_width(shapes: Sequence[Thermograph]) -> Wall:
    distinct = {(shape.left, shape.right) for shape in shapes}
    return highest([difference(left, right) for left, right in distinct])


def _best(wall: Wall, hottest: Fraction, better: Callable[[Fraction, Fraction], Fraction]) -> tuple[Fraction, Fraction]:
    """The best value of a wall between 0 and the highest temperature, and the largest tax that gives it."""
    best = wall.at(hottest), hottest
    for value, t in reversed([(wall.at(0), Fraction(0)), *(corner for corner in wall.breakpoints if corner[1] > 0)]):
        if t < hottest and value != best[0] and better(value, best[0]) == value:
            best = value, t
    return best


def _bounds(
    starts: Side,
    method: Method,
    lower: tuple[Fraction, Fraction, int | None],
    upper: tuple[Fraction, Fraction, int | None],
) -> Bounds:
    """Only who starts has a component to begin with."""
    return Bounds(
        Bound(lower[0], "left", starts, method, lower[1], lower[2] if starts == "left" else None),
        Bound(upper[0], "right", starts, method, upper[1], upper[2] if starts == "right" else None),
    )


METHODS: dict[Method, Callable[[Sequence[Tree], Side], Bounds]] = {
    "milnor": milnor,
    "hanner": hanner,
    "second temperature": second_temperature,
    "thermostatic": thermostatic,
}
"""The four bounds by name."""
