"""Checks a strategy for a sum of scored trees: plain Python over the trees, no engine, no native code.

A certificate names a move for every sum that its owner may meet when he is to move, or ends there with a *bound*. The
walk starts from the components of the game, makes the owner's moves, tries every reply, and asks of each sum the most
that anything before it needs; sums with more moves left come first, so that each is looked at once. What is believed
without playing it out are four theorems, each tested on these very trees, with exact whole numbers:

* *Tempo.* Scores are divided by their unit and doubled, and every move earns its player 1. If Left starts the total
  is twice the score, plus 1 if he moves last; if Right starts, less 1 if he moves last. So one whole number holds the
  score and who is to move at the end, and the totals of components add up.
* *Thermostatic bounds*, by the walls of thermographs: :mod:`zermelo.check.bounds`.
* *Dominated replies*, by playing comparisons out: :mod:`zermelo.check.superfluous`. At a sum replies are taken in the
  order of the list, and one that an *earlier* one makes superfluous is left out: that one, or one before it, is played.
* *Mirrors.* A game and its negative, moved by a number, are worth that number beside anything else
  (docs/formats/sum-certificate.md has the proof). The pairs that are left out at the start are made anew and compared.

Two things could make a false proof look true, and both are excluded: *a reply that was left out* (replies come from the
trees of the game) and *going round in circles* (every move takes away from the moves that are left).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from heapq import heappop, heappush
from itertools import groupby, pairwise
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from zermelo.certificate import Claim, score_text
from zermelo.check.clock import Clock
from zermelo.check.instance import instance_of
from zermelo.check.listed import list_of, listed_games, number_of
from zermelo.check.trees import Summed, Trees
from zermelo.check.verdict import Fault, Verdict
from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.game import Game
from zermelo.limits import Limits

if TYPE_CHECKING:
    from zermelo.check.bounds import Bounds
    from zermelo.check.superfluous import Superfluous

Key = tuple[tuple[int, int], ...]
"""The hot components of a sum, by number, ascending, and how many there are of each."""
Reply = tuple[int, int]
"""A move of the other side, from a position to another."""


def check_sum_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim by the rule ``sum``: what ROLE gets of the sum when the side that the data names starts.

    >>> from zermelo.solving.targets import game_of
    >>> data = {"starts": "left", "value": "3", "positions": ["5", "-5", [[0], [1]]], "replies": [], "over": [],
    ...         "moves": [[[2], 2, 0]], "bounds": []}
    >>> check_sum_claim(game_of("{5|-5}"), Claim("left", 5, rule="sum", data=data), Limits()).status
    'accepted'
    >>> check_sum_claim(game_of("{5|-5}"), Claim("left", 6, rule="sum", data=data), Limits()).reason
    'the strategy promises 5, the claim is at least 6'
    """
    if game.line:
        return Verdict("refuted", "a claim by the rule 'sum' is about a sum as it was stated, not after some moves")
    stated = instance_of(game)
    if not isinstance(stated, Summed):
        return Verdict("refuted", f"the rule 'sum' is for sums in brackets and Go records, not {type(game).__name__}")
    return check_components(stated.components, claim, limits)


def check_components(components: Callable[[Trees], Sequence[int]], claim: Claim, limits: Limits) -> Verdict:
    """The same for a sum whose components are made here, among the trees of the checker."""
    trees = Trees(Clock(limits).tick)
    try:
        made = components(trees)
        if claim.role not in ("left", "right"):
            raise Fault(f"{claim.role!r} is not a role of the game: left, right")
        strategy = _Strategy(claim.data, trees)
        if claim.starts not in ("", claim.data["starts"]):
            raise Fault(f"the claim speaks of play that {claim.starts} starts, the strategy {claim.data['starts']}")
        walk = _Walk(made, strategy, claim.role == "left")
        walk.test_promise(Fraction(claim.at_least))
        return walk.verdict()
    except (Fault, NotApplicableError) as fault:
        return Verdict("refuted", str(fault))
    except LimitReachedError as error:
        return Verdict("limit", f"{error} before every sum was checked")


class _Strategy:
    """What the data states, its shape tested and nothing believed."""

    def __init__(self, data: Mapping[str, Any], trees: Trees) -> None:
        names = {"starts", "value", "positions", "replies", "over", "moves", "bounds"}
        if set(data) - {"mirrors"} != names:
            raise Fault(f"the data of the rule 'sum' is not {', '.join(sorted(names))}")
        if data["starts"] not in ("left", "right"):
            raise Fault('"starts" is neither "left" nor "right"')
        self.left_starts: bool = data["starts"] == "left"
        value = number_of(data["value"], '"value"')
        if value.denominator != 1:
            raise Fault('"value" is not a whole number')
        self.value = int(value)
        self.store = trees
        self.trees = listed_games(data["positions"], '"positions"', trees, trees.node)
        if len(set(self.trees)) != len(self.trees):
            raise Fault('"positions": one position is written down twice')
        self.replies, self.over = data["replies"], data["over"]
        self.moves: dict[Key, tuple[int, int]] = {}
        for item in list_of(data["moves"], '"moves"'):
            if not isinstance(item, list) or len(item) != 3:
                raise Fault('"moves": an entry is not [sum, from, to]')
            key = self.key(item[0], '"moves"')
            if key in self.moves:
                raise Fault('"moves": two entries for one sum')
            self.moves[key] = pair_of(item[1:], '"moves"', len(self.trees))
        self.bounds: dict[tuple[Key, bool], tuple[Fraction, int]] = {}
        for item in list_of(data["bounds"], '"bounds"'):
            if not isinstance(item, list) or len(item) != 4 or item[1] not in ("left", "right"):
                raise Fault('"bounds": an entry is not [sum, who is to move, tax, component]')
            opens, _ = pair_of([item[3], item[3]], '"bounds"', len(self.trees))
            at = self.key(item[0], '"bounds"'), item[1] == "left"
            if at in self.bounds:
                raise Fault('"bounds": two entries for one sum')
            self.bounds[at] = number_of(item[2], '"bounds"'), opens
        self.mirrors = data.get("mirrors", [])

    def key(self, item: Any, where: str) -> Key:
        """Components that repeat stand there as often, or once with their number."""
        several = [one if isinstance(one, list) else [one, 1] for one in list_of(item, where)]
        if not all(len(one) == 2 and all(type(n) is int for n in one) and one[1] > 0 for one in several):
            raise Fault(f"{where}: a component is neither a number nor [number, copies]")
        if not all(0 <= number < len(self.trees) for number, _ in several):
            raise Fault(f"{where}: a component is not the number of a position")
        if any(a > b for (a, _), (b, _) in pairwise(several)):
            raise Fault(f"{where}: components are not in ascending order")
        return tuple((number, sum(n for _, n in same)) for number, same in groupby(several, key=lambda one: one[0]))


def pair_of(item: Any, where: str, below: int) -> tuple[int, int]:
    """Two numbers below a bound."""
    if not isinstance(item, list) or len(item) != 2 or not all(type(n) is int and 0 <= n < below for n in item):
        raise Fault(f"{where}: {str(item)[:40]} is not a pair of numbers below {below}")
    return item[0], item[1]


class Forest:
    """The positions as whole numbers: doubled scores in units, options and heights."""

    def __init__(self, strategy: _Strategy, unit: Fraction) -> None:
        store, positions = strategy.store, strategy.trees
        place = {position: index for index, position in enumerate(positions)}
        self.tick = store.tick
        numbers = [store.numbers[p] for p in positions]
        self.score = [None if number is None else int(2 * number / unit) for number in numbers]
        self.sides = [
            tuple(tuple(place[option] for option in side[p]) for side in (store.left, store.right)) for p in positions
        ]
        self.height: list[int] = []
        for left, right in self.sides:
            self.height.append(1 + max((self.height[n] for n in left + right), default=-1))

    def gain(self, option: int, of_left: bool) -> int:
        """What moving to that position adds to the numbers of a sum."""
        return (self.score[option] or 0) + (1 if of_left else -1)


class _Walk:
    """One strategy against all replies."""

    def __init__(self, components: Sequence[int], strategy: _Strategy, left_owns: bool) -> None:
        self.strategy, self.left_owns = strategy, left_owns
        number = {position: index for index, position in enumerate(strategy.trees)}
        copies = Counter(components)
        if not copies.keys() <= number.keys():
            raise Fault("a component of the sum is not among the positions")
        scores = {score for position in strategy.trees if (score := strategy.store.numbers[position])}
        common = lcm(*(score.denominator for score in scores))
        self.unit = Fraction(reduce(gcd, (int(score * common) for score in scores), 0) or common, common)
        self.forest = Forest(strategy, self.unit)
        worth = self.cancel(copies)
        roots = sorted((number[root], count) for root, count in copies.items() if count)
        self.total = int(2 * worth / self.unit) + sum((self.forest.score[n] or 0) * count for n, count in roots)
        self.start: Key = tuple((n, count) for n, count in roots if self.forest.score[n] is None)
        self.needed: dict[tuple[Key, bool], int] = {}
        self.tested: dict[tuple[Key, bool], int] = {}
        self.open: list[tuple[int, Key, bool]] = []  # a heap, most moves left first
        self.superfluous = self.compared()

    def cancel(self, copies: Counter[int]) -> Fraction:
        """Takes the mirrored pairs away; what they are worth."""
        if self.strategy.mirrors == []:
            return Fraction(0)
        from zermelo.check.mirrors import cancelled  # who meets no mirrors need not read it

        return cancelled(self.strategy.store, self.strategy.trees, self.strategy.mirrors, copies)

    def test_promise(self, at_least: Fraction) -> None:
        value = self.strategy.value
        score = (value // 2 if self.strategy.left_starts else -(-value // 2)) * self.unit
        promised = score if self.left_owns else -score
        if promised < at_least:
            raise Fault(f"the strategy promises {score_text(promised)}, the claim is at least {score_text(at_least)}")

    def compared(self) -> Superfluous | None:
        """Which replies make which others superfluous, where the data lists any."""
        if self.strategy.replies == [] == self.strategy.over:
            return None
        from zermelo.check.superfluous import Superfluous  # who meets no such replies need not read it

        return Superfluous(self.forest, self.strategy.replies, self.strategy.over, by_left=not self.left_owns)

    def verdict(self) -> Verdict:
        self.demand(self.start, self.strategy.left_starts, self.strategy.value - self.total)
        while self.open:
            _, key, left_moves = heappop(self.open)
            self.forest.tick()
            value = self.needed[key, left_moves]
            if self.tested.get((key, left_moves)) != value:
                self.tested[key, left_moves] = value
                self.test(key, left_moves, value)
        how = f"strategy and bounds, {'Left' if self.strategy.left_starts else 'Right'} starts"
        return Verdict("accepted", positions=len(self.tested), how=how)

    @cached_property
    def bounds(self) -> Bounds:
        """Thermographs, drawn where a bound asks for them."""
        from zermelo.check.bounds import Bounds

        return Bounds(self.forest, self.left_owns)

    def enough(self, promised: int, wanted: int) -> bool:
        return promised >= wanted if self.left_owns else promised <= wanted

    def demand(self, key: Key, left_moves: bool, value: int) -> None:
        """The owner must get so much of this sum, besides its numbers; a sum that needs more is tested anew."""
        if not key:
            if not self.enough(0, value):
                raise Fault(f"play ends {abs(value)} short of the value, counted in half units")
            return
        before = self.needed.get((key, left_moves))
        if before is None or not self.enough(before, value):
            self.needed[key, left_moves] = value
            height = sum(self.forest.height[n] * count for n, count in key)
            heappush(self.open, (-height, key, left_moves))

    def test(self, key: Key, left_moves: bool, value: int) -> None:
        bound = self.strategy.bounds.get((key, left_moves))
        if bound is not None:
            tax, opens = bound
            promised = self.bounds.promised(key, tax, opens if left_moves == self.left_owns else None)
            if not self.enough(promised, value):
                raise Fault(f"{shown(key)}: the bound at {tax} promises {promised}, {value} is needed")
        elif left_moves == self.left_owns:
            move = self.strategy.moves.get(key)
            if move is None:
                raise Fault(f"there is no move for the sum of the positions {shown(key)}")
            origin, target = move
            if not any(n == origin for n, _ in key) or target not in self.forest.sides[origin][0 if left_moves else 1]:
                raise Fault(f"there is no move from position {origin} to {target} in {shown(key)}")
            self.follow(key, origin, target, left_moves, value)
        else:
            for origin, target in self.replies(key, left_moves):
                self.follow(key, origin, target, left_moves, value)

    def replies(self, key: Key, left_moves: bool) -> list[Reply]:
        """All replies but those that an earlier one makes superfluous."""
        side = 0 if left_moves else 1
        found = [(origin, target) for origin, _ in key for target in self.forest.sides[origin][side]]
        return found if self.superfluous is None else self.superfluous.kept(found)

    def follow(self, key: Key, origin: int, target: int, left_moves: bool, value: int) -> None:
        rest = dict(key)
        rest[origin] -= 1
        if self.forest.score[target] is None:
            rest[target] = rest.get(target, 0) + 1
        after = tuple(sorted((n, count) for n, count in rest.items() if count))
        self.demand(after, not left_moves, value - self.forest.gain(target, left_moves))


def shown(key: Key) -> str:
    """A sum in words, as far as they go."""
    return ", ".join(f"{count} x {n}" for n, count in key)[:100]
