"""Selections of switches in a sum with forced moves, and what they come to.

A pair of games {a | u} and {b | v} with numbers u, v and a, and a switch b, is a selection of Left's: he moves in the
second to have the switch, in the first not to, and Right answers in the other one (the third theorem of
:mod:`zermelo.check.forced`, then the first). If both come to the same total, only the switch makes a difference. What
is left after all such pairs is played with every switch counted as if it had been selected: spreads are then the
greatest that they can be, so what the theorems say holds for every selection. In the end switches of half the widths
x1 >= x2 >= ... are taken in turn (the second theorem), which gives x1 - x2 + x3 - ... to the one who begins, and then
comes whatever is narrower than all of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.check.forced import Leaves, Walk, best_places, by_leaves, is_switch, spread
from zermelo.check.verdict import Fault, Undecided

MOST_SUMS = 1_000_000
"""More alternating sums are not kept."""
MOST_RANGES = 64
LONGEST_LAST = 12
"""So many moves may come after the switches; every one of them is tried."""

Span = tuple[int, int]


@dataclass(frozen=True)
class End:
    """One way in which play ends: ``sign * sum + constant[odd]``, or a choice between several ways."""

    sign: int = 0
    constant: tuple[int, int] = (0, 0)
    of_left: bool = False
    ways: tuple[End, ...] = ()

    def total(self, alternating: int, odd: int) -> int:
        """What it comes to."""
        if not self.ways:
            return self.sign * alternating + self.constant[odd]
        return (max if self.of_left else min)(way.total(alternating, odd) for way in self.ways)

    def spans(self, total: int, odd: int, most: int) -> list[Span]:
        """The alternating sums from 0 to ``most`` that come to at least a total."""
        if not self.ways:
            missing = total - self.constant[odd]
            span = (max(missing, 0), most) if self.sign > 0 else (0, min(-missing, most))
            return [span] if span[0] <= span[1] else []
        found = [way.spans(total, odd, most) for way in self.ways]
        if self.of_left:
            return [span for spans in found for span in spans]
        common: list[Span] = [(0, most)]
        for spans in found:
            both = [(max(a, c), min(b, d)) for a, b in common for c, d in spans]
            common = [span for span in both if span[0] <= span[1]]
        return common


@dataclass(frozen=True)
class Selection:
    """Halves of the switches that are there in any case, and of those that Left may select, largest first."""

    fixed: tuple[int, ...]
    open: tuple[int, ...]
    end: End
    tick: Callable[[], None]

    def total(self, select: Any) -> int:
        """What a selection comes to that is written as a digit 0 or 1 for each switch that may be selected."""
        if not isinstance(select, str) or len(select) != len(self.open) or set(select) - {"0", "1"}:
            raise Fault(f"a selection is not written as {len(self.open)} digits 0 or 1")
        chosen = [half for half, digit in zip(self.open, select, strict=True) if digit == "1"]
        taken = sorted([*self.fixed, *chosen], reverse=True)
        return self.end.total(sum(taken[0::2]) - sum(taken[1::2]), len(taken) % 2)

    def reaches(self, total: int) -> int | None:
        """A total that some selection comes to and that is as large; ``None`` if none is."""
        halves = sorted([(half, 0) for half in self.fixed] + [(half, 1) for half in self.open], reverse=True)
        spans = [self.end.spans(total, odd, halves[0][0]) for odd in (0, 1)]
        upper, place = {(1, 0)}, 0
        lower, last = {(0, 0)}, len(halves)
        useful = _useful(halves, spans[0] + spans[1])
        while place < last:
            if len(upper) <= len(lower):
                upper = self.larger(upper, halves, place, spans)
                place += 1
            else:
                last -= 1
                lower = self.smaller(lower, halves[last], useful[last])
            if len(upper) + len(lower) > MOST_SUMS:
                raise Undecided("too many selections of switches to tell apart")
        sums = [sorted(number for odd, number in lower if odd == parity) for parity in (0, 1)]
        for sign, start in upper:
            for odd in (0, 1):
                self.tick()
                both = odd if sign > 0 else 1 - odd
                for span in spans[both]:
                    low, high = sorted((sign * (span[0] - start), sign * (span[1] - start)))
                    at = bisect_left(sums[odd], low)
                    if at < len(sums[odd]) and sums[odd][at] <= high:
                        return self.end.total(start + sign * sums[odd][at], both)
        return None

    def larger(self, known: set[Span], halves: Sequence[Span], at: int, spans: Sequence[list[Span]]) -> set[Span]:
        """What the largest switches make of the others' sum: ``start + sign * sum``, where that can be of use."""
        half, optional = halves[at]
        rest = halves[at + 1][0] if at + 1 < len(halves) else 0  # the others' sum lies between 0 and the first
        found = {(-sign, start + sign * half) for sign, start in known} | (known if optional else set())
        kept = set[Span]()
        for sign, start in found:
            self.tick()
            low, high = (start, start + rest) if sign > 0 else (start - rest, start)
            if any(a <= high and low <= b for one in spans for a, b in one):
                kept.add((sign, start))
        return kept

    def smaller(self, known: set[Span], half: Span, useful: Sequence[Span]) -> set[Span]:
        """What the smallest switches come to, each with whether their number is odd, where that can be of use."""
        found = {(1 - odd, half[0] - number) for odd, number in known} | (known if half[1] else set())
        kept = set[Span]()
        for odd, number in found:
            self.tick()
            if any(low <= number <= high for low, high in useful):
                kept.add((odd, number))
        return kept


def _useful(halves: Sequence[Span], spans: Sequence[Span]) -> list[list[Span]]:
    """For each switch, where the alternating sum of it and the smaller ones can be of use: wider spans do no harm."""
    found: list[list[Span]] = []
    here = list(spans)
    for half, optional in halves:
        cut = sorted((max(low, 0), min(high, half)) for low, high in here if high >= 0 and low <= half)
        joined: list[Span] = []
        for low, high in cut:
            if joined and (low <= joined[-1][1] or len(joined) >= MOST_RANGES):
                joined[-1] = joined[-1][0], max(high, joined[-1][1])
            else:
                joined.append((low, high))
        found.append(joined)
        after = [(half - high, half - low) for low, high in joined]
        here = [*joined, *after] if optional else after
    return found


def selected(walk: Walk, games: Sequence[Leaves], number: int, left_moves: bool, strategy: Any) -> bool:
    """Whether the mover selects switches here; a fault where he breaks the promise, or the owner his own."""
    sign = 1 if left_moves else -1  # whoever selects is Left after the sides have been exchanged
    found = selection_among(games if left_moves else [_turned(game) for game in games], number * sign, walk.tick)
    if found is None:
        return False
    if left_moves == walk.left_owns:
        if not isinstance(strategy, dict) or set(strategy) != {"select"}:
            raise Fault("the strategy selects nothing where its owner may")
        walk.need(sign * found.total(strategy["select"]))
    elif strategy is not None:
        raise Fault("the strategy goes on where the other side selects")
    elif (total := found.reaches(sign * walk.value + 1)) is not None:
        raise Fault(f"the other side can select switches with which play ends at {sign * total}")
    return True


def _turned(game: Leaves) -> Leaves:
    """The game with the sides exchanged."""
    if isinstance(game, int):
        return -game
    return tuple(tuple(sorted(map(_turned, side), key=by_leaves)) for side in (game[1], game[0]))


def selection_among(games: Sequence[Leaves], number: int, tick: Callable[[], None]) -> Selection | None:
    """The selection of Left's, who is to move, if he has one and what comes after it is forced; else ``None``."""
    rest, chosen = list(games), list[Leaves]()
    while rest:
        places = best_places([*rest, *chosen])
        if len(places) != 2 or max(places) >= len(rest):
            break
        made = _offered(*(rest[at] for at in places))
        if made is None:
            break
        number += made[0]
        chosen.append(((made[1],), (-made[1],)))
        rest = [game for at, game in enumerate(rest) if at not in places]
    if not chosen:
        return None
    fixed: list[list[int]] = []
    end = _end(rest, chosen, number, True, fixed)
    if end is None or any(halves != fixed[0] for halves in fixed):
        return None
    offered = sorted((_half(game) for game in chosen), reverse=True)
    return Selection(tuple(fixed[0]), tuple(offered), end, tick)


def _half(switch: Leaves) -> int:
    """Half the width: tempo counted in, both ends are even or both are odd."""
    return spread(switch) // 2


def _middle(switch: Leaves) -> int:
    return int(switch[0][0] + switch[1][0]) // 2


def _offered(one: Leaves, other: Leaves) -> tuple[int, int] | None:
    """What a pair adds to the total in any case, and half of the switch that it offers; the larger swing is first."""
    if any(len(side) != 1 for game in (one, other) for side in game):
        return None
    ((a,), (u,)), ((b,), (v,)) = one, other
    if not (isinstance(a, int) and isinstance(u, int) and isinstance(v, int) and is_switch(b)):
        return None
    return (a + v, _half(b)) if a + v == _middle(b) + u else None


def _end(
    games: list[Leaves], chosen: Sequence[Leaves], number: int, left_moves: bool, fixed: list[list[int]]
) -> End | None:
    """How play goes on whatever was selected; notes the switches that are left beside the selected ones."""
    while True:
        number += sum(game for game in games if isinstance(game, int))
        games = [game for game in games if not isinstance(game, int)]
        places = best_places([*games, *chosen])
        if len(places) != 1 or places[0] >= len(games):
            return _in_turn(games, chosen, number, left_moves, fixed)
        game = games.pop(places[0])
        options = game[0 if left_moves else 1]
        left_moves = not left_moves
        if len(options) == 1:
            games.append(options[0])
            continue
        ways = [_end([*games, option], chosen, number, left_moves, fixed) for option in options]
        made = tuple(way for way in ways if way is not None)
        return End(of_left=not left_moves, ways=made) if len(made) == len(ways) else None


def _in_turn(
    games: Sequence[Leaves], chosen: Sequence[Leaves], number: int, left_moves: bool, fixed: list[list[int]]
) -> End | None:
    """All switches in turn, and what is narrower after them."""
    switches = [game for game in games if is_switch(game)]
    last = tuple(game for game in games if not is_switch(game))
    narrowest = min(map(spread, (*switches, *chosen)))
    if any(spread(game) > narrowest for game in last) or sum(map(_height, last)) > LONGEST_LAST:
        return None
    fixed.append(sorted(map(_half, switches), reverse=True))
    number += sum(map(_middle, switches))
    rests = [_played(last, left_moves == (odd == 0)) for odd in (0, 1)]
    return End(1 if left_moves else -1, (number + rests[0], number + rests[1]))


def _height(game: Leaves) -> int:
    return 0 if isinstance(game, int) else 1 + max(map(_height, game[0] + game[1]))


def _played(games: tuple[Leaves, ...], left_moves: bool) -> int:
    totals = [
        _played((*games[:at], option, *games[at + 1 :]), not left_moves)
        for at, game in enumerate(games)
        if not isinstance(game, int)
        for option in game[0 if left_moves else 1]
    ]
    return (max if left_moves else min)(totals) if totals else sum(games)
