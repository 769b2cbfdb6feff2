"""Wythoff's game, by the golden ratio, and from equal heaps."""

from __future__ import annotations

from math import prod
from typing import Any, Final

from zermelo.check.named import Data, RuleChecker, no_data
from zermelo.games.strategy_rules import lower_wythoff
from zermelo.games.wythoff import Wythoff
from zermelo.limits import Limits


def equal_heaps_lemma(game: Wythoff, role: int, data: Data, limits: Limits) -> str | None:
    """From two equal heaps, not empty, the first player takes everything, and has won."""
    del data, limits
    left, right = game.heaps
    return None if role == 0 and left == right > 0 else f"heaps of {left} and {right}, {game.roles[role]} claims"


def golden_ratio_lemma(game: Wythoff, role: int, data: Data, limits: Limits) -> str | None:
    """The lost positions of Wythoff's game are the pairs (a_k, a_k + k), a_k the least number in no earlier
    pair.

    (a) No move leads from a pair to a pair: pairs have no number in common (a_k is new, and a_k + k is larger
    than all numbers before), so no move on one heap; and their differences differ, so none on both. (b) From
    any other position x <= y a move leads to a pair. Each number is in one of the pairs. If x = a_k + k,
    reduce y to a_k. If x = a_k and y > a_k + k, reduce y to a_k + k. If x = a_k and y < a_k + k, then y - x =
    j < k, and taking x - a_j from both leaves (a_j, a_j + j). By (a) and (b), and as (0, 0) is a pair, who is
    to move loses exactly on the pairs (Wythoff 1907).

    The rule computes a_k as the whole part of k times the golden ratio, which is Wythoff's theorem; that it
    is the same number is tested here for all k that this board can meet: up to the first a_k that is not
    below the smaller heap, beyond which it only matters that the whole parts increase.
    """
    del data
    low, high = sorted(game.heaps)
    named = bytearray(low + 1)
    k = a = 0
    while 0 <= a < low:
        if k % 4096 == 0 and limits.expired():
            raise TimeoutError
        if a != lower_wythoff(k):
            return f"{a} is not the whole part of {k} times the golden ratio"
        named[a] = 1
        if a + k <= low:
            named[a + k] = 1
        k += 1
        a = named.find(0, a + 1)
    # a is now low, or -1 where low is the larger number of an earlier pair and a_k is larger still.
    if lower_wythoff(k) < low or (lower_wythoff(k) == low) != (a == low):
        return f"the whole part of {k} times the golden ratio is not the number to come"
    lost = a == low and high == low + k
    return None if lost == (role == 1) else f"{low} and {high} are {'' if lost else 'not '}a pair of Wythoff's"


def _wythoff_effort(game: Wythoff) -> int:
    return prod(size + 1 for size in game.heaps) * sum(game.heaps)


RULES: Final[dict[str, RuleChecker[Any]]] = {
    "equal-heaps": RuleChecker(Wythoff, 1, no_data, _wythoff_effort, equal_heaps_lemma),
    "golden-ratio": RuleChecker(Wythoff, 1, no_data, _wythoff_effort, golden_ratio_lemma),
}
