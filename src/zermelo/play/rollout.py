"""Values moves by random games, one position at a time: for rules that have no ground game.

The moves of our role are the arms of a bandit (UCB1: Auer, Cesa-Bianchi and Fischer 2002); everything after the first
move is played at random, by all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

from zermelo.errors import GameError
from zermelo.search.forward import ForwardModel

EXPLORATION = 0.7
MAX_STEPS = 1000


@dataclass(frozen=True)
class Estimate:
    """The mean reward of each move that was tried, from 0 to 1, and how many games that rests on."""

    means: Mapping[int, float]
    simulations: int


class Rollouts:
    """Random games from a position, which can be asked for their estimate after each.

    >>> from zermelo.gdl.library import rulesheet
    >>> from zermelo.gdl.reasoner import Reasoner
    >>> from zermelo.search.forward import ReasonerModel
    >>> model = ReasonerModel(Reasoner(rulesheet("nim", "1")))
    >>> games = Rollouts(model, model.start(), 0)
    >>> games.play(stop=lambda: False), games.estimate().means, model.move_text(games.best())
    (True, {0: 1.0}, '(take a 1)')
    """

    def __init__(self, model: ForwardModel, position: Any, role: int, seed: int = 1):
        self.model, self.position, self.role = model, position, role
        self.legal = model.legal(position, role)
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

    def best(self) -> int:
        """The move with the best mean so far, the first of several."""
        return max(self.legal, key=lambda move: self._rewards[move] / max(1, self._visits[move]))

    def estimate(self) -> Estimate:
        """What the games so far say."""
        means = {move: self._rewards[move] / count for move, count in self._visits.items() if count}
        return Estimate(means, self.simulations)

    def _promise(self, move: int) -> float:
        count = self._visits[move]
        if not count:
            return 10.0 + self._chance.random()
        return self._rewards[move] / count + EXPLORATION * sqrt(log(self.simulations + 1) / count)

    def _reward(self, first: int, stop: Callable[[], bool]) -> float | None:
        model, here = self.model, self.position
        for step in range(MAX_STEPS):
            joint = []
            for other in range(len(model.roles)):
                legal = model.legal(here, other)
                if not legal:
                    return 0.5
                joint.append(first if step == 0 and other == self.role else self._chance.choice(legal))
            here = model.play(here, joint)
            if model.over(here):
                try:
                    return float(model.score(here, self.role))
                except GameError:  # who has won is not said
                    return 0.5
            if stop():
                return None
        return 0.5
