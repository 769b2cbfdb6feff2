"""What is left when one side has made its selections: a few forced moves, then switches in turn.

The totals that such an end comes to are ``number + sign * A + rest``, where A is the alternating sum of the switches,
``sign`` says who begins with them, and ``rest`` is what is played last, by whoever has the turn then. Either side may
have had a choice before: so an end is a tree of such formulas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.cgt.forced.counted import Counted
from zermelo.cgt.forced.selecting import Coin, Interval, Intervals
from zermelo.cgt.forced.steps import forced_among

FAR = 1 << 20_000
"""Farther than any total."""
MOST_LAST_MOVES = 12
"""What is played after the switches is played out in full; it may last so many moves."""


@dataclass(frozen=True)
class Formula:
    """The total ``number + sign * A + rest[who begins with what is left]``, Left being 0 and Right 1."""

    number: int
    sign: int
    rest: tuple[int, int]

    def constant(self, odd: int) -> int:
        """All but the alternating sum of the switches, whose number is even or odd."""
        left_begins = (self.sign > 0) == (odd == 0)
        return self.number + self.rest[0 if left_begins else 1]

    def total(self, alternating: int, odd: int) -> int:
        """What it comes to."""
        return self.constant(odd) + self.sign * alternating

    def at_least(self, total: int, odd: int) -> list[Interval]:
        """The alternating sums with which Left gets so much."""
        bound = self.sign * (total - self.constant(odd))
        return [(bound, FAR)] if self.sign > 0 else [(-FAR, bound)]


@dataclass(frozen=True)
class Choice:
    """A choice of one side between several ends."""

    of_left: bool
    ends: tuple[Formula | Choice, ...]

    def total(self, alternating: int, odd: int) -> int:
        """What the best choice comes to."""
        return (max if self.of_left else min)(end.total(alternating, odd) for end in self.ends)

    def at_least(self, total: int, odd: int) -> list[Interval]:
        """The alternating sums with which Left gets so much."""
        found = [end.at_least(total, odd) for end in self.ends]
        if self.of_left:
            return [interval for intervals in found for interval in intervals]
        common = found[0]
        for intervals in found[1:]:
            pairs = [(max(a, c), min(b, d)) for a, b in common for c, d in intervals]
            common = [(low, high) for low, high in pairs if low <= high]
        return common


End = Formula | Choice


def intervals(end: End, total: int) -> Intervals:
    """Where the alternating sum must lie for Left to get so much, for an even and for an odd number of switches."""
    return end.at_least(total, 0), end.at_least(total, 1)


@dataclass(frozen=True)
class Selection:
    """Left selects some of the switches that may be left out; all are played in turn, and then comes the end.

    ``coins`` are the switches in descending order of size.
    """

    coins: tuple[Coin, ...]
    end: End

    @property
    def offered(self) -> list[int]:
        """The sizes of those that may be left out."""
        return [size for size, optional in self.coins if optional]


def selection_of(games: Sequence[Counted], number: int) -> Selection | None:
    """What Left, who is to move, selects from in pairs of games; ``None`` where he does not, or more is to be played.

    A pair is X = {a | u} and Y = {b | u'} with numbers u and u', of which one of a, b is a number and the other a
    switch that is selected by moving there: the other side has to answer in the other one of the pair.
    """
    rest, optional = list(games), list[Counted]()
    while rest:
        everything = [*rest, *optional]
        places = forced_among(everything)
        if len(places) != 2 or max(places) >= len(rest):
            break
        pair = [everything[at] for at in places]
        if (made := selectable(*pair)) is None:
            break
        shift, half = made
        number += shift
        optional.append(Counted.switch(half))
        rest = [game for at, game in enumerate(rest) if at not in places]
    if not optional:
        return None
    return _with_end(rest, optional, number)


def selectable(one: Counted, other: Counted) -> tuple[int, int] | None:
    """What a pair adds to the numbers, and the switch that Left may select in it."""
    if any(len(side) != 1 for game in (one, other) for side in (game.left, game.right)):
        return None
    (a,), (u,), (b,), (v,) = one.left, one.right, other.left, other.right
    if not (u.is_over and v.is_over):
        return None
    if not a.is_over:
        (a, u), (b, v) = (b, v), (a, u)
    if not (a.is_over and b.is_plain):
        return None
    middle, half = _parted(b)
    without, selected = a.low + v.low, middle + u.low  # who moves in one of them has the other answered
    return (without, half) if without == selected else None


def _parted(switch: Counted) -> tuple[int, int]:
    """The middle of a switch and half its width. Tempo counted in, the two ends add up to an even number."""
    return (switch.high + switch.low) // 2, (switch.high - switch.low) // 2


def _with_end(rest: Sequence[Counted], optional: Sequence[Counted], number: int) -> Selection | None:
    reached: list[tuple[int, ...]] = []
    end = _end(list(rest), optional, number, True, reached)
    if end is None or len(set(reached)) != 1:
        return None
    coins = sorted([(half, False) for half in reached[0]] + [(_parted(game)[1], True) for game in optional])
    return Selection(tuple(reversed(coins)), end)


def _end(
    rest: list[Counted], optional: Sequence[Counted], number: int, left_moves: bool, reached: list[tuple[int, ...]]
) -> End | None:
    """Moves that are forced whatever has been selected; at most as many choices as the trees are deep."""
    while True:
        number += sum(game.low for game in rest if game.is_over)
        rest = [game for game in rest if not game.is_over]
        places = forced_among([*rest, *optional])
        if len(places) != 1 or places[0] >= len(rest):
            return _formula(rest, optional, number, left_moves, reached)
        game = rest.pop(places[0])
        options = game.options(left_moves)
        if len(options) > 1:
            ends = [_end([*rest, option], optional, number, not left_moves, reached) for option in options]
            return None if any(end is None for end in ends) else Choice(left_moves, tuple(e for e in ends if e))
        rest.append(options[0])
        left_moves = not left_moves


def _formula(
    rest: Sequence[Counted], optional: Sequence[Counted], number: int, left_moves: bool, reached: list[tuple[int, ...]]
) -> Formula | None:
    """From here on all switches are played in turn, widest first, and what is no switch after them."""
    plain = [game for game in rest if game.is_plain]
    last = [game for game in rest if not game.is_plain]
    narrowest = min(game.spread for game in (*plain, *optional))
    totals = [played_out(last, left) for left in (True, False)]
    if any(game.spread > narrowest for game in last) or totals[0] is None or totals[1] is None:
        return None
    reached.append(tuple(sorted(_parted(game)[1] for game in plain)))
    number += sum(_parted(game)[0] for game in plain)
    return Formula(number, 1 if left_moves else -1, (totals[0], totals[1]))


def played_out(games: Sequence[Counted], left_moves: bool) -> int | None:
    """What a few games come to, every move tried; ``None`` where they may last too long."""
    if sum(map(_height, games)) > MOST_LAST_MOVES:
        return None
    return _played(tuple(games), left_moves)


def _height(game: Counted) -> int:
    return 0 if game.is_over else 1 + max(map(_height, game.left + game.right))


def _played(games: tuple[Counted, ...], left_moves: bool) -> int:
    found = [
        _played((*games[:at], option, *games[at + 1 :]), not left_moves)
        for at, game in enumerate(games)
        for option in game.options(left_moves)
    ]
    if not found:
        return sum(game.low for game in games)
    return max(found) if left_moves else min(found)
