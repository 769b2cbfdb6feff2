"""Sums that are easy: polynomial algorithms for switches, stacks of coins and a few left-heavy trees among switches.

:func:`easy_class` says which algorithm applies to a sum; :func:`play_easily` uses it, :func:`easy_policy` plays by it.
The classes and their proofs are those of Yedwab, *On Playing Well in a Sum of Games* (1985), chapter 3, with errata.
"""

from zermelo.cgt.easy.coins import play_greedily, stack_of, stack_tree
from zermelo.cgt.easy.few import play_few, states_of
from zermelo.cgt.easy.leftheavy import (
    LeftHeavy,
    OneLeftHeavy,
    left_heavy_of,
    left_prefers,
    play_one_heavy,
    right_prefers,
)
from zermelo.cgt.easy.outcome import Move, Outcome
from zermelo.cgt.easy.recognise import EasyClass, easy_class, easy_policy, play_easily
from zermelo.cgt.easy.switches import play_switches, switch_of

__all__ = [
    "EasyClass",
    "LeftHeavy",
    "Move",
    "OneLeftHeavy",
    "Outcome",
    "easy_class",
    "easy_policy",
    "left_heavy_of",
    "left_prefers",
    "play_easily",
    "play_few",
    "play_greedily",
    "play_one_heavy",
    "play_switches",
    "right_prefers",
    "stack_of",
    "stack_tree",
    "states_of",
    "switch_of",
]
