"""Who wins a sum of games with whole numbers, by a search that the hard sums of chapter 4 do not defeat at once.

It knows no more than the leaves: a player who cannot win any more, whatever is played, has lost; the components where
most is at stake are tried first; of switches only the hottest is (theorem 3.1, which has its own tests); where nothing
but switches and games without a stake are left, the alternating sum decides unless it is 0.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence

from zermelo.cgt.easy import switch_of
from zermelo.cgt.scores.scored import Tree, positions

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
        self.left = [[self.reached(game, option) for option in game.left] for game in order]
        self.right = [[self.reached(game, option) for option in game.right] for game in order]
        self.known: dict[tuple[Hot, int, bool], bool] = {}
        self.nodes = 0

    def reached(self, game: Tree, option: Tree) -> tuple[int, int, int]:
        """The position (-1: a number) that an option is, and how it moves the least and the greatest score."""
        place = self.place[game]
        if option.number is not None:
            return -1, int(option.number) - self.low[place], int(option.number) - self.high[place]
        after = self.place[option]
        return after, self.low[after] - self.low[place], self.high[after] - self.high[place]

    def left_wins(self, games: Sequence[Tree], left_moves: bool) -> bool:
        """Does Left win? At a score of 0 who is to move has lost."""
        score = sum(int(game.number) for game in games if game.number is not None)
        hot = tuple(sorted(self.place[game] for game in games if game.number is None))
        low, high = (score + sum(bound[game] for game in hot) for bound in (self.low, self.high))
        return self.decide(hot, low, high, left_moves)

    def decide(self, hot: Hot, low: int, high: int, left_moves: bool) -> bool:
        """The same, of a position of the search and the least and the greatest score that can come of it."""
        if high < 0 or low > 0:
            return low > 0
        key = hot, low, left_moves
        if key not in self.known:
            self.nodes += 1
            self.known[key] = self.tried(hot, low, high, left_moves)
        return self.known[key]

    def tried(self, hot: Hot, low: int, high: int, left_moves: bool) -> bool:
        """Looks at the moves until one wins."""
        if not any(self.is_hard[game] for game in hot):
            # Twice the score: low + high is twice the means, and a stake twice a temperature.
            stakes = [self.high[game] - self.low[game] for game in hot]
            gain = sum(stakes[0::2]) - sum(stakes[1::2])
            total = low + high + (gain if left_moves else -gain)
            if total:
                return total > 0
        met_switch = False
        for place, game in enumerate(hot):
            if self.is_switch[game]:
                if met_switch:
                    continue
                met_switch = True
            rest = hot[:place] + hot[place + 1 :]
            for option, low_change, high_change in self.left[game] if left_moves else self.right[game]:
                after = rest
                if option >= 0:
                    at = bisect(rest, option)
                    after = (*rest[:at], option, *rest[at:])
                if self.decide(after, low + low_change, high + high_change, not left_moves) == left_moves:
                    return left_moves
        return not left_moves
