"""Stacks of coins, by the single ones among them."""

from __future__ import annotations

from typing import Any, Final

from zermelo.check.named import Data, RuleChecker, no_data
from zermelo.games.coins import Coins
from zermelo.limits import Limits


def single_coins_lemma(game: Coins, role: int, data: Data, limits: Limits) -> str | None:
    """Labels the stacks from the bottom: a stack is won if some lost one can be left, by taking from the top
    run.

    This is the definition of winning, in one pass: the sizes that can be left with n coins reach from n - 1
    down to n - r, where r is the length of the run of like coins on top, so only the largest lost size so far
    matters.

    The rule plays right because a run over a lost stack is taken whole, and over a won stack only a single
    coin is lost: from a longer run the rule leaves that single coin.
    """
    del data
    size = len(game.values)
    run, lost = 0, 0
    for left in range(1, size + 1):
        if left % 4096 == 0 and limits.expired():
            raise TimeoutError
        top = size - left
        run = run + 1 if left > 1 and game.values[top] == game.values[top + 1] else 1
        if lost < left - run:
            lost = left
    first_wins = lost != size
    return None if first_wins == (role == 0) else f"the stack is {'won' if first_wins else 'lost'} for {game.roles[0]}"


def _stack_effort(game: Coins) -> int:
    return len(game.values) ** 2


RULES: Final[dict[str, RuleChecker[Any]]] = {
    "single-coins": RuleChecker(Coins, 1, no_data, _stack_effort, single_coins_lemma),
}
