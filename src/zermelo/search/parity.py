"""Parity: a number that one side can keep right, and the other cannot but spoil.

Proofs are with the lemmas of :mod:`zermelo.check.named`. References: Bouton, Nim, a game with a complete
mathematical theory, 1901; Wythoff, A modification of the game of Nim, 1907; Golomb, A mathematical
investigation of games of take-away, 1966. Nim takes time linear in the number of heaps, Wythoff's game a
square root, coins the length of the stack; a subtraction game its preperiod and period times the number of
takes.
"""

from __future__ import annotations

from zermelo.game import Game
from zermelo.games.coins import Coins
from zermelo.games.nim import Nim
from zermelo.games.strategy_rules import lower_wythoff, periodic_label, stack_is_lost
from zermelo.games.subtraction import Subtraction
from zermelo.games.wythoff import Wythoff
from zermelo.search.form import ClosedForm, win_by_rule

LONGEST_LABELS = 1_000_000
"""A period is sought among the labels of so many sizes, and given up beyond."""

MOST_MARKS = 10_000_000
"""Labelling is given up after so many steps (sets of many takes make each size dear)."""


def parity(game: Game) -> ClosedForm | None:
    """Nim by nim-sum, Wythoff's game by the golden ratio, subtraction by its period, coins by single coins.

    >>> parity(Nim(1, 2, 3)).reason
    'the nim-sum of the heaps is 0: whatever first leaves, second can make it 0 again (Bouton 1901)'
    """
    if type(game) is Nim:
        return _nim(game)
    if type(game) is Wythoff:
        return _wythoff(game)
    if type(game) is Subtraction:
        return _subtraction(game)
    if type(game) is Coins:
        return _coins(game)
    return None


def _nim(game: Nim) -> ClosedForm:
    total = 0
    for size in game.heaps:
        total ^= size
    if total:
        reason = f"the nim-sum of the heaps is {total}: first makes it 0, second cannot keep it (Bouton 1901)"
    else:
        reason = "the nim-sum of the heaps is 0: whatever first leaves, second can make it 0 again (Bouton 1901)"
    return win_by_rule(game, "parity", 0 if total else 1, reason, rule="nim-sum", data={})


def _wythoff(game: Wythoff) -> ClosedForm:
    low, high = sorted(game.heaps)
    lost = low == lower_wythoff(high - low)
    cold = "floor(k phi) and floor(k phi) + k, phi the golden ratio"
    if lost:
        reason = f"{low} and {high} are {cold}: lost for who must move (Wythoff 1907)"
    else:
        reason = f"first leaves {cold}: lost for who must move (Wythoff 1907)"
    return win_by_rule(game, "parity", 1 if lost else 0, reason, rule="golden-ratio", data={})


def _coins(game: Coins) -> ClosedForm:
    values = game.values
    singles = 0
    while singles < len(values) and (singles + 1 == len(values) or values[singles] != values[singles + 1]):
        singles += 1
    lost = stack_is_lost(values)
    winner = game.roles[1 if lost else 0]
    if singles == len(values):
        reason = f"no two like coins touch, so every move is forced: coin {singles} of {singles} is {winner}'s"
    else:
        above = f"{singles} single coins lie" if singles != 1 else "1 single coin lies"
        reason = f"{above} above the first run of like coins, so {winner} comes to it and takes all or all but one"
    return win_by_rule(game, "parity", 1 if lost else 0, reason, rule="single-coins", data={})


def _subtraction(game: Subtraction) -> ClosedForm | None:
    takes = game.takes
    largest = takes[-1]
    if takes[0] == 1 and all(take % 2 for take in takes):
        found: tuple[str, int] | None = ("LW", 2)
        why = "every take is odd and play goes on to 0, so the parity of the pile says who takes last"
    elif len(takes) == largest < LONGEST_LABELS:  # every number from 1 to the largest
        found = ("L" + "W" * largest, largest + 1)
        why = f"multiples of {largest + 1} are lost: who takes t is answered by taking {largest + 1} - t"
    else:
        found = labels_of(takes, game.size)
        why = ""
    if found is None:
        return None
    labels, period = found
    label = periodic_label(labels, period, game.size)
    if not why:
        state = "won" if label == "W" else "lost"
        repeat = f"won and lost sizes repeat with period {period} from size {len(labels) - period} on: "
        why = f"{repeat if period else ''}a pile of {game.size} is {state} for who must move"
    return win_by_rule(
        game,
        "parity",
        0 if label == "W" else 1,
        why,
        rule="period",
        data={"labels": labels, "period": period},
    )


def labels_of(takes: tuple[int, ...], size: int) -> tuple[str, int] | None:
    """Labels of a subtraction game from 0 on and the period with which their end repeats, enough to cover
    ``size``.

    If as many consecutive labels as the largest take come again, everything after them does. ``None`` if no
    repetition shows within reasonable work.

    >>> labels_of((1, 3, 4), 10**9)
    ('LWLWWWW', 7)
    >>> labels_of((2, 3), 4)
    ('LLWWW', 0)
    """
    window = takes[-1]
    length = min(size + 1, max(2048, 4 * window))
    while length <= LONGEST_LABELS:
        won = _won_sizes(takes, length)
        if won is None:
            return None
        text = won.translate(b"LW" + bytes(254)).decode("ascii")
        # The last labels, looked for among the earlier ones; backwards, as the search from the left is
        # linear.
        backwards = text[::-1]
        period = backwards.find(backwards[:window], 1)
        if period > 0:
            return _shortest(text, period)
        if length == size + 1:
            return (text, 0)
        length = min(length * 2, size + 1)
    return None


def _won_sizes(takes: tuple[int, ...], length: int) -> bytearray | None:
    """1 for each size below ``length`` that is won to move: each lost size makes others won."""
    won = bytearray(length)
    marks = 0
    lost = 0
    while lost >= 0:
        for take in takes:
            if lost + take >= length:
                break
            won[lost + take] = 1
        marks += len(takes)
        if marks > MOST_MARKS:
            return None
        lost = won.find(0, lost + 1)
    return won


def _shortest(text: str, period: int) -> tuple[str, int]:
    """The labels up to the end of the first period."""
    preperiod = len(text) - period
    while preperiod and text[preperiod - 1] == text[preperiod - 1 + period]:
        preperiod -= 1
    return (text[: preperiod + period], period)
