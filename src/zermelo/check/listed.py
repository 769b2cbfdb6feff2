"""What certificates of sums and of values have in common: they list games, options before what they are options of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.certificate import parse_score
from zermelo.check.verdict import Fault

if TYPE_CHECKING:
    from zermelo.check.trees import Trees


def number_of(item: Any, where: str) -> Fraction:
    """An exact number, which stands in a certificate as a text.

    >>> number_of("-3/4", "value")
    Fraction(-3, 4)
    """
    try:
        return parse_score(item)
    except (TypeError, ValueError, ZeroDivisionError):
        raise Fault(f"{where}: {str(item)[:40]!r} is not an exact number as a string") from None


def dyadic(item: str, where: str) -> Fraction:
    """A number that a game can be: whole, or with a power of two below its stroke."""
    value = number_of(item, where)
    if value.denominator & (value.denominator - 1):
        raise Fault(f"{where}: {item[:40]} is no dyadic rational")
    return value


def list_of(item: Any, where: str) -> list[Any]:
    """A list, whatever is in it."""
    if not isinstance(item, list):
        raise Fault(f"{where}: expected a list")
    return item


def listed(games: Sequence[int], place: object, where: str) -> int:
    """The game at a place in the list."""
    if type(place) is not int or not 0 <= place < len(games):
        raise Fault(f"{where}: {str(place)[:40]} names no game that was listed before")
    return games[place]


def listed_games(items: Any, where: str, trees: Trees, made: Callable[[list[int], list[int]], int]) -> list[int]:
    """The games of a list: a number as a text, or the places of Left's and of Right's options, of which one is made.

    >>> from zermelo.check.trees import Trees
    >>> trees = Trees()
    >>> trees.left[listed_games(["5", "-5", [[0], [1]]], "games", trees, trees.node)[2]] == (trees.number(Fraction(5)),)
    True
    """
    games: list[int] = []
    for number, item in enumerate(list_of(items, where)):
        trees.tick()
        here = f"{where}, number {number}"
        if isinstance(item, str):
            games.append(trees.number(dyadic(item, here)))
            continue
        sides = list_of(item, here)
        if len(sides) != 2:
            raise Fault(f"{here}: neither a number nor options of both sides")
        left, right = ([listed(games, place, here) for place in list_of(side, here)] for side in sides)
        games.append(made(left, right))
    return games
