"""A game searched where its value is decided, and not explored first.

Positions are found one by one, most of them where proof numbers say that a question about the value is decided
(``native/search/growth.hpp``). From time to time the part that has been found is labelled: as soon as its two bounds
meet, the value is known, however large the rest. A mate in two moves takes some hundred positions, not all of chess.

Two questions are asked in turn, "does the first role get more than so much?" at the thirds of what is still possible,
the one that asks whether the mover wins first (as in ``native/search/threshold.hpp``).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from time import monotonic
from typing import Any

from zermelo import _native
from zermelo.errors import LimitReachedError
from zermelo.game import CHANCE, Game, Score, plain_score, winner_of
from zermelo.graph import Counter, Growing, NotGrownError, find_endless_line
from zermelo.limits import Limits, memory_watch
from zermelo.search.certify import claimants
from zermelo.search.partial import Part, proved_by_growing
from zermelo.watchdog import watchdog

FIRST = 64
"""Positions that are found before the first look at what they prove."""
GROWTH = 1.5
"""How many times as many there are at the next look: so all looks together cost a few times the last one."""
WIDELY, WIDELY_SECONDS = 10_000, 0.5
"""A game of so few positions is explored to its end even where a part has decided: then all its moves have values."""
SLICE = 256


class ByRules(Growing):
    """The positions of any game, by calls of its rules.

    >>> from zermelo.games import make_game
    >>> growing = ByRules(make_game("nim:2,1"), Limits())
    >>> growing.grow(1000, widely=True)
    >>> growing.growth.open, len(growing.graph().positions)
    (0, 8)
    """

    def __init__(self, game: Game, limits: Limits, visit: Callable[[int], None] = lambda count: None) -> None:
        super().__init__(())
        self._game, self._limits, self.visit = game.explorer(limits), limits, visit
        self._roles = {role: number for number, role in enumerate(game.roles)}
        self._totals: set[Score] = set()
        self._numbers: dict[Score, int] = {}
        # What is left of the memory is for what comes after: the part once more, natively, and its labels.
        self._memory = memory_watch(limits.bytes_left() * 3 // 4)
        start = self._game.start()
        self.positions: list[Any] = [start]
        self._index = {start: 0}
        self._met = Counter()
        self.growth = _native.Growth(len(game.roles))
        self.score_range = game.score_range
        with watchdog(limits, lambda: self._met.count):
            if self._game.result(start) is not None:
                raise NotGrownError("the game is over")
            find_endless_line(self._game, start, self._met, limits)

    @property
    def total(self) -> Score:
        """What the scores add up to at the ends met so far; without any, what endless play gives."""
        if len(self._roles) == 1:
            return 0
        return plain_score(next(iter(self._totals), sum(self._game.endless or (0, 0))))

    def grow(self, positions: int, widely: bool = False) -> None:
        """Up to so many positions, each expanded by one call of ``moves`` and its ``play``."""
        with watchdog(self._limits, lambda: self._met.count):
            while self.growth.nodes < positions and (node := self.growth.next(widely)) >= 0:
                self._look_at_limits()
                self._expand(node)

    def forget(self) -> None:
        """Lets go of the positions."""
        self._index.clear()
        del self.positions[1:]

    def _look_at_limits(self) -> None:
        expanded = self.growth.expanded
        if expanded % 64 == 0 or expanded == self._limits.nodes:
            self.visit(expanded)
            if self._limits.expired() or self._memory() or expanded == self._limits.nodes:
                raise LimitReachedError(f"limit reached after {expanded} positions, {self.growth.open} still to visit")

    def _expand(self, node: int) -> None:
        position, game = self.positions[node], self._game
        turn = game.turn(position)
        if isinstance(turn, tuple) or turn == CHANCE:
            raise NotGrownError("chance moves, or several roles at once")
        targets, fresh = [], []
        for move in game.moves(position):
            child = game.play(position, move)
            number = self._index.get(child)
            if number is None:
                fresh.append(self._score_number(child))
                number = self._index[child] = len(self.positions)
                self.positions.append(child)
                self._met.count += 1
                if self._met.count % 256 == 0 and self._memory():
                    raise LimitReachedError(f"the memory limit was reached after {self.growth.expanded} positions")
            targets.append(number)
        self.growth.expand(node, self._roles[turn], targets, fresh)

    def _score_number(self, position: Any) -> int:
        """The number of the first role's score at an end, -1 where play goes on."""
        result = self._game.result(position)
        if result is None:
            return -1
        if len(result) == 2:
            self._totals.add(sum(result, Fraction(0)))
            if len(self._totals) > 1:
                raise NotGrownError("the scores of the two roles do not add up to the same number at every end")
        if result[0] not in self._numbers:
            self._numbers[result[0]] = self.add_score(result[0])
        return self._numbers[result[0]]


def grown(game: Game, limits: Limits, visit: Callable[[int], None]) -> Growing:
    """The game ready to grow from its start, natively where it can."""
    native = game.growing(game.start(), limits)
    if native is None:
        return ByRules(game, limits, visit)
    native.visit = visit
    return native


def decide(game: Game, growing: Growing) -> Part:
    """Grows until the value is known, or no position is open.

    >>> from zermelo.games import make_game
    >>> decide(make_game("nim:3,4,5"), ByRules(make_game("nim:3,4,5"), Limits())).value
    1
    """
    began, growth, size = monotonic(), growing.growth, FIRST
    growing.grow(2, widely=True)  # whose turn it is
    part = proved_by_growing(game, growing)
    while growth.open and not _is_settled(game, part):
        for above in _questions(part):
            growing.ask(above)
            growing.grow(size)
            size = int(max(size, growth.nodes) * GROWTH**0.5) + 1
            if growth.answered:
                break
        before, part = part, proved_by_growing(game, growing)
        if growth.answered and part.bounds == before.bounds:
            growing.grow(growth.nodes + SLICE, widely=True)  # no question that is left can be answered by moves alone
    until = monotonic() + max(WIDELY_SECONDS, (monotonic() - began) / 2)
    most = max(WIDELY, 2 * growth.nodes)
    try:
        while growth.open and growth.nodes < most and monotonic() < until:
            growing.grow(min(most, growth.nodes + SLICE), widely=True)
    except LimitReachedError:
        pass  # the value is known
    return proved_by_growing(game, growing)


def owners(game: Game, part: Part) -> list[int]:
    """The sides whose claims prove the value, 0 for the first role; see :func:`~zermelo.search.certify.claimants`."""
    assert part.value is not None
    lower, upper = part.sides
    return claimants(game, winner_of(game, part.value, part.total), not upper.shown, not lower.shown)


def _is_settled(game: Game, part: Part) -> bool:
    """Whether the value is known, and each bound shown by play where a claim has to show it."""
    return part.value is not None and all(part.sides[owner].shown for owner in owners(game, part))


def _questions(part: Part) -> tuple[Score | None, ...]:
    """The scores that the first role may exceed or not, in the order in which to ask."""
    if not part.sides:
        return (0,)
    lower, upper = (side.outcome.lower for side in part.sides)
    third = (upper - lower - 1) // 3
    thresholds = [upper - third, lower + 1 + third]
    if part.turn == 1:
        thresholds.reverse()  # whether the mover wins comes first
    return tuple(part.score(threshold - 1) for threshold in dict.fromkeys(thresholds))
