"""What a sum of regions is worth when both sides play well, by search with bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from zermelo.cgt.bounds import thermostatic
from zermelo.cgt.scored import Tree
from zermelo.cgt.thermograph import thermograph
from zermelo.errors import LimitReachedError

Hot = tuple[Tree, ...]


class SumSearch:
    """Scores of sums by alpha-beta with a table, cut off where the thermostatic bounds already decide (theorem 5.3).

    Components come and go between calls, what was found out about sums of them stays.

    >>> from zermelo.cgt.scored import trees_of
    >>> SumSearch().score(trees_of("{5|-5} + {3||2|-1} + 1"), left_moves=True)
    Fraction(8, 1)
    """

    def __init__(self, stop: Callable[[], bool] = lambda: False) -> None:
        self._stop = stop
        self._known: dict[tuple[Hot, bool], tuple[Fraction, Fraction]] = {}
        self.nodes = 0

    def score(self, games: Sequence[Tree], *, left_moves: bool) -> Fraction:
        """The score of a sum when one side starts.

        >>> from zermelo.cgt.scored import trees_of
        >>> SumSearch().score(trees_of("{5|-5} + {3|-3}"), left_moves=False)
        Fraction(-2, 1)
        """
        over = sum((game.number for game in games if game.number is not None), Fraction(0))
        hot = _ordered(game for game in games if game.number is None)
        spread = sum((abs(game.left_stop) + abs(game.right_stop) for game in hot), Fraction(1))
        low, high = self._between(hot, left_moves)
        return over + (low if low == high else self._search(hot, left_moves, -spread * 2, spread * 2))

    def _between(self, hot: Hot, left_moves: bool) -> tuple[Fraction, Fraction]:
        key = hot, left_moves
        known = self._known.get(key)
        if known is None:
            if hot:
                bounds = thermostatic(hot, "left" if left_moves else "right")
                known = bounds.lower.value, bounds.upper.value
            else:
                known = Fraction(0), Fraction(0)
            self._known[key] = known
        return known

    def _search(self, hot: Hot, left_moves: bool, alpha: Fraction, beta: Fraction) -> Fraction:
        """Fail-soft; depth is the number of moves that are left on the board, so recursion is fine."""
        low, high = self._between(hot, left_moves)
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
        self.nodes += 1
        if self.nodes % 256 == 0 and self._stop():
            raise LimitReachedError("the limit was reached while the sum of the regions was searched")
        alpha, beta = max(alpha, low), min(beta, high)
        window = alpha, beta
        best = None
        for number, rest in self._moves(hot, left_moves):
            found = number + self._search(rest, not left_moves, window[0] - number, window[1] - number)
            if left_moves:
                best = found if best is None else max(best, found)
                window = max(window[0], best), window[1]
            else:
                best = found if best is None else min(best, found)
                window = window[0], min(window[1], best)
            if window[0] >= window[1]:
                break
        assert best is not None
        best = min(max(best, low), high)
        self._known[hot, left_moves] = best if best > alpha else low, best if best < beta else high
        return best

    @staticmethod
    def _moves(hot: Hot, left_moves: bool) -> list[tuple[Fraction, Hot]]:
        """Numbers that moves leave and what stays hot, hottest components first, equal components once."""
        found = []
        for game in sorted(dict.fromkeys(hot), key=lambda game: -thermograph(game).temperature):
            place = hot.index(game)
            rest = hot[:place] + hot[place + 1 :]
            for option in game.left if left_moves else game.right:
                if option.number is not None:
                    found.append((option.number, rest))
                else:
                    found.append((Fraction(0), _ordered((*rest, option))))
        return found


def _ordered(games: Iterable[Tree]) -> Hot:
    return tuple(sorted(games, key=id))
