"""How to get what a bound promises: the thermostat as a player (Yedwab 1985, sections 5.1.1 to 5.1.4).

All four strategies are one, set to a tax t. To move, answer in the component in which the other side has just moved if
it is still at least as hot as t, else begin in the widest component that is; there make a move that would be best if
every move cost t. Where no component is as hot, turn the thermostat down to the hottest there is: with that the sum
still makes its mean, which is what walls above their temperature stand for (the induction of theorem 5.3).

Milnor's follower is set to 0 and Hanner's to the highest temperature, and they stay there. The thermostatic policy sets
itself anew before every move to the tax that promises most; what it promised before is never lost by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from zermelo.cgt.boards.ruleset import Side
from zermelo.cgt.scores.bounds import METHODS, Bound, Method, temperatures, thermostatic, widest
from zermelo.cgt.scores.scored import Tree
from zermelo.cgt.scores.taxed import best_options
from zermelo.cgt.thermographs.thermograph import thermograph
from zermelo.errors import InputError


@dataclass(frozen=True)
class Choice:
    """A move in a sum: which component, to what, and the policy to go on with.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> games = trees_of("{5|-5} + {3|-1}")
    >>> choice = policy("hanner", games, side="right", starts="right").choose(games)
    >>> choice.component, str(choice.option)
    (0, '-5')
    """

    component: int
    option: Tree
    policy: Policy


@dataclass(frozen=True)
class Policy:
    """A side that plays for a bound; made by :func:`policy`, or by :func:`policy_for` from the bound itself.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> policy("hanner", trees_of("{5|-5} + {3|-1}"), side="left", starts="left").promise
    Fraction(1, 1)
    """

    method: Method
    side: Side
    t: Fraction
    """What the thermostat is set to."""
    promise: Fraction
    """The score that ``side`` makes sure of: at least that for Left, at most that for Right."""

    def choose(self, games: Sequence[Tree], last: int | None = None) -> Choice:
        """The move in a sum in which the other side has just moved in component ``last`` (None: nobody has moved yet).

        >>> from zermelo.cgt.scores.scored import trees_of
        >>> games = trees_of("{5|-5} + {{90|1}|-1}")
        >>> left = policy("milnor", games, side="left", starts="right")
        >>> left.choose(trees_of("{5|-5} + -1"), 1).component
        0
        """
        set_to = self._set(games)
        component = last
        if component is None or thermograph(games[component]).temperature < set_to or self.method == "thermostatic":
            component = widest(games, set_to)
        if component is None:
            raise InputError("a sum in which every component is a number, expected one that is not over")
        option = best_options(games[component], self.side, set_to)[0]
        return Choice(component, option, replace(self, t=set_to))

    def _set(self, games: Sequence[Tree]) -> Fraction:
        if self.method == "thermostatic":
            now = thermostatic(games, self.side)
            return (now.lower if self.side == "left" else now.upper).t
        return min(self.t, temperatures(games)[0])


def policy(method: Method, games: Sequence[Tree], *, side: Side, starts: Side) -> Policy:
    """The policy that keeps one side's bound on a sum, set before the first move.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> policy("second temperature", trees_of("{5|-5} + {3|-1}"), side="right", starts="left").t
    Fraction(2, 1)
    """
    found = METHODS[method](games, starts)
    return policy_for(found.lower if side == "left" else found.upper)


def policy_for(bound: Bound) -> Policy:
    """The policy that proves a bound.

    >>> from zermelo.cgt.scores.bounds import milnor
    >>> from zermelo.cgt.scores.scored import trees_of
    >>> policy_for(milnor(trees_of("{5|-5} + {3|-1}"), "left").upper).promise
    Fraction(8, 1)
    """
    return Policy(bound.method, bound.side, bound.t, bound.value)
