"""Values moves by random games, one state at a time: for rules that have no ground game.

The moves of our role are the arms of a bandit (UCB1: Auer, Cesa-Bianchi and Fischer 2002); everything after the first
move is played at random, by all.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from math import log, sqrt

from zermelo.play.positions import P, Positions

EXPLORATION = 0.7
MAX_STEPS = 1000


@dataclass(frozen=True)
class Estimate:
    """The mean reward of each move that was tried, from 0 to 1, and how many games that rests on."""

    means: Mapping[str, float]
    simulations: int


def rollouts(
    positions: Positions[P], state: P, role: int, seconds: float, seed: int = 1, most: int = sys.maxsize
) -> Estimate:
    """What random games say of the moves of a role, within some seconds and so many games.

    >>> from zermelo.gdl.library import rulesheet
    >>> from zermelo.gdl.reasoner import Reasoner
    >>> from zermelo.play.positions import PlainPositions
    >>> positions = PlainPositions(Reasoner(rulesheet("nim", "1")))
    >>> rollouts(positions, positions.start(), 0, 0.1).means
    {'(take a 1)': 1.0}
    """
    end = time.monotonic() + seconds
    chance = random.Random(seed)
    legal = positions.legal(state, role)
    visits = dict.fromkeys(legal, 0)
    rewards = dict.fromkeys(legal, 0.0)
    total = 0

    def promise(move: str) -> float:
        count = visits[move]
        return rewards[move] / count + EXPLORATION * sqrt(log(total + 1) / count) if count else 10.0 + chance.random()

    while total < most and time.monotonic() < end:
        move = max(legal, key=promise)
        reward = _play(positions, state, role, move, chance, end)
        if reward is None:
            break
        visits[move] += 1
        rewards[move] += reward
        total += 1
    return Estimate({move: rewards[move] / count for move, count in visits.items() if count}, total)


def _play(positions: Positions[P], state: P, role: int, first: str, chance: random.Random, end: float) -> float | None:
    """The reward of one random game; ``None`` if time was up before its end."""
    here = state
    for step in range(MAX_STEPS):
        joint = []
        for other in range(len(positions.roles)):
            legal = positions.legal(here, other)
            if not legal:
                return 0.5
            joint.append(first if step == 0 and other == role else chance.choice(legal))
        here = positions.next(here, joint)
        if positions.terminal(here):
            goal = positions.goal(here, role)
            return 0.5 if goal is None else min(1.0, max(0.0, goal / 100))
        if time.monotonic() >= end:
            return None
    return 0.5
