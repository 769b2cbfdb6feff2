"""Who wins a sum of games with whole numbers, by a search that the hard sums of chapter 4 do not defeat at once.

It knows no more than the leaves: a player who cannot win any more, whatever is played, has lost; the components where
most is at stake are tried first; of switches only the hottest is (theorem 3.1, which has its own tests); where nothing
but switches and games without a stake are left, the alternating sum decides unless it is 0.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence

from zermelo.cgt.easy import switch_of
from zermelo.cgt.scored import Tree, positions

Hot = tuple[int, ...]
"""Components that are no numbers, as numbers of positions in ascending order."""


class SumWinner:
    """Who wins, for sums of the given components; positions are numbered, where most is at stake first."""

    def __init__(self, games: Sequence[Tree]) -> None:
        ranges: dict[Tree, tuple[int, int]] = {}
        for game in set(games):
            for position in positions(game):
                if position.number is not None:
                    assert position.number.denominator == 1
                    ranges[position] = position.number.numerator, position.number.numerator
                else:
                    options = [ranges[option] for option in position.left + position.right]
                    ranges[position] = min(low for low, _ in options), max(high for _, high in options)
        order = [game for game in ranges if game.number is None]
        order.sort(key=lambda game: ranges[game][0] - ranges[game][1])
        self.place = {game: place for place, game in enumerate(order)}
        self.low = [ranges[game][0] for game in order]
        self.high = [ranges[game][1] for game in order]
        self.is_switch = [switch_of(game) is not None for game in order]
        self.is_hard = [
            not switch and low < high for switch, low, high in zip(self.is_switch, self.low, self.high, strict=True)
        ]
        self.left = [[self.reached(option) for option in game.left] for game in order]
        self.right = [[self.reached(option) for option in game.right] for game in order]
        self.known: dict[tuple[Hot, int, bool], bool] = {}
        self.nodes = 0

    def reached(self, option: Tree) -> tuple[int, int]:
        """A number and the number of a position, one of which is 0 or -1."""
        return (0, self.place[option]) if option.number is None else (int(option.number), -1)

    def left_wins(self, games: Sequence[Tree], left_moves: bool) -> bool:
        """Does Left win? At a score of 0 who is to move has lost."""
        score = sum(int(game.number) for game in games if game.number is not None)
        return self.decide(tuple(sorted(self.place[game] for game in games if game.number is None)), score, left_moves)

    def decide(self, hot: Hot, score: int, left_moves: bool) -> bool:
        """The same, of a position of the search."""
        if score + sum(self.high[game] for game in hot) < 0:
            return False
        if score + sum(self.low[game] for game in hot) > 0:
            return True
        key = hot, score, left_moves
        if key not in self.known:
            self.nodes += 1
            self.known[key] = self.tried(hot, score, left_moves)
        return self.known[key]

    def tried(self, hot: Hot, score: int, left_moves: bool) -> bool:
        """Looks at the moves until one wins."""
        if not any(self.is_hard[game] for game in hot):
            # Twice the score, since a switch that is not centred has half a number as its mean.
            gain = sum((-1) ** place * (self.high[game] - self.low[game]) for place, game in enumerate(hot))
            total = 2 * score + sum(self.high[game] + self.low[game] for game in hot) + (gain if left_moves else -gain)
            if total:
                return total > 0
        met_switch = False
        for place, game in enumerate(hot):
            if self.is_switch[game]:
                if met_switch:
                    continue
                met_switch = True
            rest = hot[:place] + hot[place + 1 :]
            for number, option in self.left[game] if left_moves else self.right[game]:
                if option < 0:
                    answer = self.decide(rest, score + number, not left_moves)
                else:
                    at = bisect(rest, option)
                    answer = self.decide((*rest[:at], option, *rest[at:]), score, not left_moves)
                if answer == left_moves:
                    return left_moves
        return not left_moves
