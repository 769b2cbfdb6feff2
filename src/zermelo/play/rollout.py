"""Values moves by random games, one state at a time: for rules that have no ground game.

The moves of our role are the arms of a bandit (UCB1: Auer, Cesa-Bianchi and Fischer 2002); everything after the first
move is played at random, by all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log, sqrt
from typing import Generic

from zermelo.play.rulesheet_positions import P, Positions

EXPLORATION = 0.7
MAX_STEPS = 1000


@dataclass(frozen=True)
class Estimate:
    """The mean reward of each move that was tried, from 0 to 1, and how many games that rests on."""

    means: Mapping[str, float]
    simulations: int


class Rollouts(Generic[P]):
    """Random games from a position, which can be asked for their estimate after each.

    >>> from zermelo.gdl.library import rulesheet
    >>> from zermelo.gdl.reasoner import Reasoner
    >>> from zermelo.play.rulesheet_positions import PlainPositions
    >>> positions = PlainPositions(Reasoner(rulesheet("nim", "1")))
    >>> games = Rollouts(positions, positions.start(), 0)
    >>> games.play(stop=lambda: False), games.estimate().means
    (True, {'(take a 1)': 1.0})
    """

    def __init__(self, positions: Positions[P], state: P, role: int, seed: int = 1):
        self.positions, self.state, self.role = positions, state, role
        self.legal = positions.legal(state, role)
        self.simulations = 0
        self._chance = random.Random(seed)
        self._visits = dict.fromkeys(self.legal, 0)
        self._rewards = dict.fromkeys(self.legal, 0.0)

    def play(self, stop: Callable[[], bool]) -> bool:
        """One game more; ``False`` if it was stopped before its end, and then it does not count."""
        move = max(self.legal, key=self._promise)
        reward = self._reward(move, stop)
        if reward is None:
            return False
        self._visits[move] += 1
        self._rewards[move] += reward
        self.simulations += 1
        return True

    def best(self) -> str:
        """The move with the best mean so far, the first of several."""
        return max(self.legal, key=lambda move: self._rewards[move] / max(1, self._visits[move]))

    def estimate(self) -> Estimate:
        """What the games so far say."""
        means = {move: self._rewards[move] / count for move, count in self._visits.items() if count}
        return Estimate(means, self.simulations)

    def _promise(self, move: str) -> float:
        count = self._visits[move]
        if not count:
            return 10.0 + self._chance.random()
        return self._rewards[move] / count + EXPLORATION * sqrt(log(self.simulations + 1) / count)

    def _reward(self, first: str, stop: Callable[[], bool]) -> float | None:
        positions, here = self.positions, self.state
        for step in range(MAX_STEPS):
            joint = []
            for other in range(len(positions.roles)):
                legal = positions.legal(here, other)
                if not legal:
                    return 0.5
                joint.append(first if step == 0 and other == self.role else self._chance.choice(legal))
            here = positions.next(here, joint)
            if positions.terminal(here):
                goal = positions.goal(here, self.role)
                return 0.5 if goal is None else min(1.0, max(0.0, goal / 100))
            if stop():
                return None
        return 0.5
