"""Sums of switches: take the hottest (Yedwab 1985, section 3.1).

A switch ``{x|y}`` is ``u + {v|-v}`` with mean u = (x + y)/2 and temperature v = (x - y)/2 >= 0. The means only move
the score; with v_1 >= v_2 >= ... best play is worth v_1 - v_2 + v_3 - ... to who starts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from zermelo.cgt.easy.outcome import Move, Outcome, to_move_after, total_of
from zermelo.cgt.scores.scored import Tree


@dataclass(frozen=True)
class Switch:
    """``mean + {temperature|-temperature}``.

    >>> Switch(Fraction(4), Fraction(16)).mean
    Fraction(4, 1)
    """

    mean: Fraction
    temperature: Fraction


def switch_of(game: Tree) -> Switch | None:
    """The game as an unbiased switch and a number, or None where it is no switch.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> [switch_of(game) for game in trees_of("{20|-12} + 3")]
    [Switch(mean=Fraction(4, 1), temperature=Fraction(16, 1)), None]
    """
    if len(game.left) != 1 or len(game.right) != 1:
        return None
    high, low = game.left[0].number, game.right[0].number
    if high is None or low is None:
        return None
    return Switch((high + low) / 2, (high - low) / 2)


def alternating_sum(numbers: Sequence[Fraction]) -> Fraction:
    """The first less the second plus the third and so on; of descending temperatures, what starting is worth.

    >>> alternating_sum([Fraction(9), Fraction(4), Fraction(3), Fraction(2)])
    Fraction(6, 1)
    """
    return sum(numbers[0::2], Fraction(0)) - sum(numbers[1::2], Fraction(0))


def play_switches(components: Sequence[Tree], left_starts: bool) -> Outcome:
    """Best play of a sum of switches and numbers, in the time that sorting takes.

    >>> from zermelo.cgt.scores.scored import trees_of
    >>> outcome = play_switches(trees_of("{20|-12} + {9|-9}"), left_starts=True)
    >>> outcome.score, str(outcome.move.option)
    (Fraction(11, 1), '20')
    """
    hot: list[tuple[Fraction, int, Tree]] = []  # with the number of copies: a million of one switch are one entry
    score = total_of(components)
    for game, copies in Counter(components).items():
        if game.number is not None:
            continue
        switch = switch_of(game)
        if switch is None:
            raise ValueError(f"component {components.index(game)} is no switch: {game}")
        score += copies * switch.mean
        hot.append((switch.temperature, copies, game))
    hot.sort(key=lambda entry: -entry[0])
    # Of an even number of copies each player gets half.
    gain = alternating_sum([temperature for temperature, copies, _ in hot if copies % 2])
    move = None
    if hot:
        hottest = {game for temperature, _, game in hot if temperature == hot[0][0]}
        place = next(place for place, game in enumerate(components) if game in hottest)
        move = Move(place, (components[place].left if left_starts else components[place].right)[0])
    count = sum(copies for _, copies, _ in hot)
    return Outcome((score + (gain if left_starts else -gain), to_move_after(count, left_starts)), move)
