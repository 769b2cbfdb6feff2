"""Short games in canonical form, by the definitions and nothing else: what the native values are compared with.

A game is a pair of frozen sets of games in canonical form; numbers, nimbers and ups are such pairs like all others.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from zermelo.cgt.text.notation import parse
from zermelo.cgt.text.written_expression import (
    Expression,
    Multiple,
    Negative,
    Nimber,
    Number,
    Options,
    Sum,
    Up,
    in_order,
)


class Game:
    """One game in canonical form; equal games are one object."""

    __slots__ = ("birthday", "left", "right")

    def __init__(self, left: frozenset[Game], right: frozenset[Game]):
        self.left, self.right = left, right
        self.birthday: int = 1 + max((option.birthday for option in left | right), default=-1)


_GAMES: dict[tuple[frozenset[Game], frozenset[Game]], Game] = {}


def _interned(left: frozenset[Game], right: frozenset[Game]) -> Game:
    return _GAMES.setdefault((left, right), Game(left, right))


ZERO = _interned(frozenset(), frozenset())


@cache
def less_equal(g: Game, h: Game) -> bool:
    """G <= H unless Left has a move in G that is at least H, or Right one in H that is at most G."""
    return not any(less_equal(h, option) for option in g.left) and not any(less_equal(option, g) for option in h.right)


def canonical(left: Iterable[Game], right: Iterable[Game]) -> Game:
    """The canonical form of a game whose options are canonical: bypass reversible moves, drop dominated ones."""
    lefts, rights = set(left), set(right)
    changed = True
    while changed:
        changed = False
        for option in list(lefts):
            reply = next((r for r in option.right if _at_most(r, lefts, rights)), None)
            if reply is not None:
                lefts.remove(option)
                lefts |= reply.left
                changed = True
        for option in list(rights):
            reply = next((r for r in option.left if _at_least(r, lefts, rights)), None)
            if reply is not None:
                rights.remove(option)
                rights |= reply.right
                changed = True
    best_left = {g for g in lefts if not any(g is not h and less_equal(g, h) for h in lefts)}
    best_right = {g for g in rights if not any(g is not h and less_equal(h, g) for h in rights)}
    return _interned(frozenset(best_left), frozenset(best_right))


def _at_most(g: Game, lefts: set[Game], rights: set[Game]) -> bool:
    """Is G at most {lefts | rights}?"""
    return not any(less_equal(option, g) for option in rights) and not any(
        _at_least(option, lefts, rights) for option in g.left
    )


def _at_least(g: Game, lefts: set[Game], rights: set[Game]) -> bool:
    """Is G at least {lefts | rights}?"""
    return not any(less_equal(g, option) for option in lefts) and not any(
        _at_most(option, lefts, rights) for option in g.right
    )


@cache
def add(g: Game, h: Game) -> Game:
    return canonical(
        {add(o, h) for o in g.left} | {add(g, o) for o in h.left},
        {add(o, h) for o in g.right} | {add(g, o) for o in h.right},
    )


@cache
def negate(g: Game) -> Game:
    return _interned(frozenset(map(negate, g.right)), frozenset(map(negate, g.left)))


@cache
def number(value: Fraction) -> Game:
    if value.denominator > 1:
        step = Fraction(1, value.denominator)
        return canonical([number(value - step)], [number(value + step)])
    if value == 0:
        return ZERO
    return canonical([number(value - 1)], []) if value > 0 else canonical([], [number(value + 1)])


@cache
def nimber(size: int) -> Game:
    heaps = [nimber(smaller) for smaller in range(size)]
    return canonical(heaps, heaps)


def game_of(source: str | Expression) -> Game:
    """The canonical form of what is written."""
    root = parse(source) if isinstance(source, str) else source
    made: dict[int, Game] = {}
    for node in in_order(root):
        made[id(node)] = _of(node, made)
    return made[id(root)]


def _of(node: Expression, made: dict[int, Game]) -> Game:
    match node:
        case Number(value):
            return number(value)
        case Nimber(size):
            return nimber(size)
        case Up(count):
            up = canonical([ZERO], [nimber(1)])
            return _times(abs(count), up if count > 0 else negate(up))
        case Options(left, right):
            return canonical([made[id(o)] for o in left], [made[id(o)] for o in right])
        case Sum(parts):
            total = ZERO
            for part in parts:
                total = add(total, made[id(part)])
            return total
        case Negative(of):
            return negate(made[id(of)])
        case Multiple(count, of):
            return _times(count, made[id(of)])


def _times(count: int, game: Game) -> Game:
    total = ZERO
    for _ in range(count):
        total = add(total, game)
    return total


def outcome(g: Game) -> str:
    """L, R, N (who starts wins) or P (who starts loses)."""
    return {(True, True): "P", (True, False): "R", (False, True): "L", (False, False): "N"}[
        less_equal(g, ZERO), less_equal(ZERO, g)
    ]


def games_born_by(day: int) -> list[Game]:
    """All games whose birthday is at most ``day``; there are 1, 4, 22 and 1474 of them."""
    games = [ZERO]
    for _ in range(day):
        sets = _antichains(games)
        games = list({canonical(left, right) for left in sets for right in sets})
    return games


def _antichains(games: list[Game]) -> list[frozenset[Game]]:
    found: list[frozenset[Game]] = [frozenset()]
    for game in games:
        found += [
            chain | {game}
            for chain in found
            if not any(less_equal(game, other) or less_equal(other, game) for other in chain)
        ]
    return found
