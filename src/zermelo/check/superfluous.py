"""Which replies in a sum make which others superfluous: the comparisons that a certificate lists, each played out.

A move from p to a is as good for Left as one from q to b, wherever both can be made, if he wins the sum a + q - p - b
moving second: that says a - p >= b - q. For Right the mirror image. A game and its negative cancel, since the player
who moves second repeats every move in the other one; what is left over is played out in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zermelo.check.listed import list_of
from zermelo.check.sums import pair_of
from zermelo.check.verdict import Fault

if TYPE_CHECKING:
    from zermelo.check.sums import Forest, Reply

DEEPEST = 200
"""Comparisons are played out where the four games together last at most so many moves."""

Games = tuple[int, ...]
"""A few positions, by number, ascending."""


class Superfluous:
    """The replies that a certificate lists and compares, each comparison tested."""

    def __init__(self, forest: Forest, replies: Any, over: Any, *, by_left: bool) -> None:
        """``over`` has pairs of places in the list: the first of them makes the second superfluous."""
        listed = [pair_of(item, '"replies"', len(forest.sides)) for item in list_of(replies, '"replies"')]
        self.rank = {reply: place for place, reply in enumerate(listed)}
        if len(self.rank) != len(listed):
            raise Fault('"replies": one reply is listed twice')
        for origin, target in listed:
            if target not in forest.sides[origin][0 if by_left else 1]:
                raise Fault(f"there is no reply from position {origin} to {target}")
        comparison = Comparison(forest)
        self.under: dict[Reply, set[Reply]] = {}
        for better, worse in (pair_of(item, '"over"', len(listed)) for item in list_of(over, '"over"')):
            (p, a), (q, b) = listed[better], listed[worse]
            plus, minus = ((a, q), (p, b)) if by_left else ((p, b), (a, q))
            if not comparison.second_wins(plus, minus):
                raise Fault(f"the reply from position {p} to {a} does not make the one from {q} to {b} superfluous")
            self.under.setdefault((q, b), set()).add((p, a))

    def kept(self, found: list[Reply]) -> list[Reply]:
        """All but those that an earlier one of the list makes superfluous, be that one kept or left out as well."""
        kept: list[Reply] = []
        earlier: set[Reply] = set()
        for reply in sorted(found, key=lambda reply: self.rank.get(reply, -1)):
            if earlier.isdisjoint(self.under.get(reply, ())):
                kept.append(reply)
            earlier.add(reply)
        return kept


class Comparison:
    """Plays sums of a few games out: does Left win when Right begins?"""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        self.known: dict[tuple[Games, Games, bool], bool] = {}

    def second_wins(self, plus: Sequence[int], minus: Sequence[int]) -> bool:
        one, other = sorted(plus), sorted(minus)
        for position in list(one):
            if position in other:
                one.remove(position)
                other.remove(position)
        if sum(self.forest.height[n] for n in (*one, *other)) > DEEPEST:
            raise Fault("a comparison of two replies takes too many moves to be played out")
        return self.left_wins(tuple(one), tuple(other), False)

    def left_wins(self, plus: Games, minus: Games, left_moves: bool) -> bool:
        key = plus, minus, left_moves
        if key not in self.known:
            self.forest.tick()
            self.known[key] = self.played(plus, minus, left_moves)
        return self.known[key]

    def played(self, plus: Games, minus: Games, left_moves: bool) -> bool:
        """At most :data:`DEEPEST` deep."""
        over = True
        for turned, games in ((False, plus), (True, minus)):
            for index, position in enumerate(games):
                for option in self.forest.sides[position][left_moves == turned]:
                    over = False
                    rest = tuple(sorted((*games[:index], option, *games[index + 1 :])))
                    sides = (plus, rest) if turned else (rest, minus)
                    wins = self.left_wins(*sides, not left_moves)
                    if wins == left_moves:
                        return left_moves
        if not over:
            return not left_moves
        score = sum(self.forest.score[n] or 0 for n in plus) - sum(self.forest.score[n] or 0 for n in minus)
        return score > 0 if left_moves else score >= 0
