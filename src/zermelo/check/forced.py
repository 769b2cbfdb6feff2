"""Checks the score of a sum in which temperature says where to move: plain Python, no engine, no native code.

The tempo is counted in: leaves are twice the score in units, and every move earns its player 1 (as in
:mod:`zermelo.check.sums`). The certificate says what is promised and how its owner chooses; this module plays. At every
sum it finds by itself, from the leaves alone, the one or two games in which somebody who moves has a best move, by one
of three theorems (docs/cgt-forced.md proves them). With Q for all other games, and *spread* for how far leaves are
apart, added up over games:

* the *swing* of a game X (the best worst leaf after a move of Left's, less the least best leaf after one of Right's) is
  at least the spread of Q: then in X;
* X is a switch between two numbers and no game has a greater spread: then in X;
* the swing of X is at least the spread of Q and any option of Y, that of Y at least the spread of Q and any option of
  X, and one side has a single option in X or Y: then in X or Y.

The owner makes the move that the certificate names, the other side all of those. Where one side selects switches in
pairs of games its selections are not tried one by one: :mod:`zermelo.check.selections` finds none that breaks the
promise. Nothing goes round in circles, since every move leaves less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import Any

from zermelo.certificate import Claim, score_text
from zermelo.check.clock import Clock
from zermelo.check.instance import instance_of
from zermelo.check.listed import number_of
from zermelo.check.trees import Summed, Trees
from zermelo.check.verdict import Fault, Undecided, Verdict, judged
from zermelo.errors import NotApplicableError
from zermelo.game import Game
from zermelo.limits import Limits

HIGHEST, MOST_LEAVES = 8, 10_000
"""Larger trees are not written out leaf by leaf."""
MOST_CHOICES = 64
"""Strategies with more choices in one line of play are not followed."""

Leaves = Any
"""A number, or the options of Left and of Right, each in the order of :func:`by_leaves`."""


def check_forced_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim by the rule ``forced``: what a side gets of a sum when the side that the data names starts.

    >>> from zermelo.solving.targets import game_of
    >>> data = {"starts": "left", "value": "8", "strategy": None}
    >>> check_forced_claim(game_of("{7|-7} + {2|-3}"), Claim("left", 4, rule="forced", data=data), Limits()).status
    'accepted'
    >>> check_forced_claim(game_of("{7|-7} + {2|-3}"), Claim("left", 5, rule="forced", data=data), Limits()).reason
    'the strategy promises 4, the claim is at least 5'
    """
    if game.line:
        return Verdict("refuted", "a claim by the rule 'forced' is about a sum as it was stated, not after some moves")
    stated = instance_of(game)
    if not isinstance(stated, Summed):
        return Verdict("refuted", f"the rule 'forced' is for sums in brackets, not {type(game).__name__}")
    return judged(lambda: _checked(stated, claim, limits))


def _checked(stated: Summed, claim: Claim, limits: Limits) -> Verdict:
    trees = Trees(Clock(limits).tick)
    try:
        components = stated.components(trees)
    except NotApplicableError as reason:
        raise Fault(str(reason)) from None
    if claim.role not in ("left", "right"):
        raise Fault(f"{claim.role!r} is not a role of the game: left, right")
    starts, value = _told(claim)
    unit = _unit(trees, components)
    score = (value // 2 if starts == "left" else -(-value // 2)) * unit
    promised = score if claim.role == "left" else -score
    if promised < Fraction(claim.at_least):
        raise Fault(f"the strategy promises {score_text(promised)}, the claim is at least {score_text(claim.at_least)}")
    written = {tree: _written(trees, tree, unit) for tree in set(components)}
    walk = Walk(value, claim.role == "left", trees.tick)
    walk.play([written[tree] for tree in components], 0, starts == "left", claim.data["strategy"])
    return Verdict("accepted", positions=walk.sums, how=f"forced moves, {starts.title()} starts")


def _told(claim: Claim) -> tuple[str, int]:
    data: Mapping[str, Any] = claim.data
    if set(data) != {"starts", "value", "strategy"}:
        raise Fault("the data of the rule 'forced' is not starts, strategy, value")
    if data["starts"] not in ("left", "right"):
        raise Fault('"starts" is neither "left" nor "right"')
    if claim.starts not in ("", data["starts"]):
        raise Fault(f"the claim speaks of play that {claim.starts} starts, the strategy {data['starts']}")
    value = number_of(data["value"], '"value"')
    if value.denominator != 1:
        raise Fault('"value" is not a whole number')
    return data["starts"], int(value)


def _unit(trees: Trees, components: Sequence[int]) -> Fraction:
    """The largest number of which every score that can be reached is a multiple."""
    scores, open_, met = set[Fraction](), list(components), set(components)
    while open_:
        trees.tick()
        tree = open_.pop()
        scores.add(trees.numbers[tree] or Fraction(0))
        further = set(trees.left[tree] + trees.right[tree]) - met
        met |= further
        open_ += further
    common = lcm(*(score.denominator for score in scores))
    return Fraction(reduce(gcd, (int(score * common) for score in scores), 0) or common, common)


def _written(trees: Trees, root: int, unit: Fraction) -> Leaves:
    """A tree by its leaves, tempo counted in."""
    leaves = 0

    def made(tree: int, bonus: int, height: int) -> Leaves:
        nonlocal leaves
        trees.tick()
        number = trees.numbers[tree]
        leaves += number is not None
        if height == 0 or leaves > MOST_LEAVES:
            raise Undecided("a game of the sum takes too many moves to be written out leaf by leaf")
        if number is not None:
            return int(2 * number / unit) + bonus
        left = {made(option, bonus + 1, height - 1) for option in trees.left[tree]}
        right = {made(option, bonus - 1, height - 1) for option in trees.right[tree]}
        return tuple(sorted(left, key=by_leaves)), tuple(sorted(right, key=by_leaves))

    return made(root, 0, HIGHEST + 1)


def _low(game: Leaves) -> int:
    return game if isinstance(game, int) else min(map(_low, game[0] + game[1]))


def _high(game: Leaves) -> int:
    return game if isinstance(game, int) else max(map(_high, game[0] + game[1]))


def by_leaves(game: Leaves) -> tuple[Any, ...]:
    """Games by their least leaf, then by their greatest, then by their options."""
    sides = ((), ()) if isinstance(game, int) else tuple(tuple(map(by_leaves, side)) for side in game)
    return _low(game), _high(game), *sides


def spread(game: Leaves) -> int:
    """How far the leaves of a game are apart."""
    return _high(game) - _low(game)


def _swing(game: Leaves) -> int:
    return max(map(_low, game[0])) - min(map(_high, game[1]))


def is_switch(game: Leaves) -> bool:
    """Is it a switch between two numbers?"""
    return not isinstance(game, int) and all(len(side) == 1 and isinstance(side[0], int) for side in game)


def best_places(games: Sequence[Leaves]) -> list[int]:
    """Where somebody who moves has a best move, by one of the three theorems; nowhere if none applies.

    >>> best_places([((3,), (-3,)), ((50,), (-50,))])
    [1]
    """
    wide, swings = [spread(game) for game in games], [_swing(game) for game in games]
    total = sum(wide)
    order = sorted(range(len(games)), key=lambda at: (-swings[at], by_leaves(games[at])))
    one = order[0]
    if len(games) == 1 or swings[one] >= total - wide[one]:
        return [one]
    switches = [at for at in order if is_switch(games[at])]
    if switches and wide[switches[0]] >= max(wide):
        return switches[:1]
    other = order[1]
    rest = total - wide[one] - wide[other]
    answered = all(
        swings[first] >= rest + spread(option)
        for first, second in ((one, other), (other, one))
        for side in games[second]
        for option in side
    )
    single = any(len(side) == 1 for at in (one, other) for side in games[at])
    return [one, other] if answered and single else []


class Walk:
    """One strategy against all that the other side may do."""

    def __init__(self, value: int, left_owns: bool, tick: Callable[[], None]) -> None:
        self.value, self.left_owns, self.tick, self.sums = value, left_owns, tick, 0

    def need(self, total: int) -> None:
        """Play may not end below what is promised."""
        if total < self.value if self.left_owns else total > self.value:
            raise Fault(f"play ends {abs(total - self.value)} short of the value, counted in half units")

    def play(self, games: Iterable[Leaves], number: int, left_moves: bool, strategy: Any, depth: int = 0) -> None:
        """Single moves one after the other; choices as deep as the certificate is."""
        if depth > MOST_CHOICES:
            raise Undecided(f"more than {MOST_CHOICES} choices come one after the other")
        while True:
            self.tick()
            self.sums += 1
            games = list(games)
            number += sum(game for game in games if isinstance(game, int))
            games = sorted((game for game in games if not isinstance(game, int)), key=by_leaves)
            if not games:
                if strategy is not None:
                    raise Fault("the strategy goes on where play has ended")
                return self.need(number)
            places = best_places(games)
            if not places:
                raise Fault(f"no theorem says where to move among {len(games)} games")
            if len(places) == 2:
                from zermelo.check.selections import selected  # who meets no such pair need not read it

                if selected(self, games, number, left_moves, strategy):
                    return None
            moves = [(at, option) for at in places for option in games[at][0 if left_moves else 1]]
            if len(moves) > 1:
                break
            ((at, option),) = moves
            games, left_moves = [*games[:at], option, *games[at + 1 :]], not left_moves
        owns = left_moves == self.left_owns
        for (at, option), then in self.told(moves, owns, strategy):
            self.play([*games[:at], option, *games[at + 1 :]], number, not left_moves, then, depth + 1)
        return None

    def told(self, moves: Sequence[Any], owns: bool, strategy: Any) -> list[tuple[Any, Any]]:
        """The moves to follow, each with what the strategy says after it."""
        if owns:
            if not isinstance(strategy, dict) or set(strategy) != {"move", "then"}:
                raise Fault("the strategy names no move where its owner has to choose")
            place = strategy["move"]
            if type(place) is not int or not 0 <= place < len(moves):
                raise Fault(f"{str(place)[:40]} is the place of no move")
            return [(moves[place], strategy["then"])]
        if not isinstance(strategy, list) or len(strategy) != len(moves):
            raise Fault(f"the strategy does not answer each of {len(moves)} moves")
        return list(zip(moves, strategy, strict=True))
