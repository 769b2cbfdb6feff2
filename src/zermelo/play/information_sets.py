"""Search among what roles know instead of among positions, for games in which they perceive only part of what happens.

Searching each believed position by itself takes it that everybody will soon see everything: such a player never bluffs,
and never pays for news. Here every role has a tree of its own, whose nodes are what it has done and perceived
(information-set Monte-Carlo tree search with several observers: Cowling, Powley and Whitehouse 2012). Each game starts
from a position drawn from the belief; a role chooses by the statistics of all games in which it knew the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import Any

from zermelo.errors import GameError
from zermelo.play.belief import Belief, viewed
from zermelo.play.rollout import EXPLORATION, MAX_STEPS, Estimate

Node = dict[int, list[float]]
"""Of each move that was legal there: visits, the sum of its rewards, and in how many games it could be chosen."""


class InformationSearch:
    """Games from believed positions, which can be asked for their estimate after each.

    >>> from zermelo.gdl.kif import read_kif
    >>> from zermelo.gdl.reasoner import Reasoner
    >>> from zermelo.search.forward import ReasonerModel
    >>> rules = "(role random) (role you) (legal random heads) (legal random tails) (legal you heads) (legal you tails)"
    >>> toss = "(<= (next (coin ?c)) (does random ?c)) (<= (next (said ?c)) (does you ?c))"
    >>> goals = "(<= (goal you 100) (true (said heads))) (<= (goal you 0) (true (said tails)))"
    >>> end = "(<= terminal (true (said ?c)))"
    >>> model = ReasonerModel(Reasoner(read_kif(rules + toss + goals + end)))
    >>> search = InformationSearch(Belief(model, 1))
    >>> all(search.play(stop=lambda: False) for _ in range(50)), model.move_text(search.best())
    (True, 'heads')
    """

    def __init__(self, belief: Belief, seed: int = 1):
        self.model, self.role = belief.model, belief.role
        self.simulations = 0
        self._chance = random.Random(seed)
        self._states = list(belief.weights)
        self._weights = list(belief.weights.values())
        self._views = belief.views
        self._legal = sorted(belief.legal())
        self._nodes: dict[tuple[int, int], Node] = {}
        self._root = (self.role, 0)

    def play(self, stop: Callable[[], bool]) -> bool:
        """One game more; ``False`` if it was stopped before its end, and then it does not count."""
        model = self.model
        here = self._chance.choices(self._states, self._weights)[0]
        views: list[int | None] = list(self._views[here])
        views[self.role] = 0
        path: list[tuple[int, list[float]]] = []
        for _ in range(MAX_STEPS):
            if model.over(here):
                break
            joint = []
            for role in range(len(model.roles)):
                legal = model.legal(here, role)
                if len(legal) > 1 and views[role] is not None and role in model.seats:
                    joint.append(self._choose(role, views, legal, path))
                else:
                    joint.append(legal[0] if len(legal) == 1 else self._chance.choice(legal))
            for role, view in enumerate(views):
                if view is not None:
                    views[role] = viewed(view, joint[role], model.sees(here, joint, role))
            here = model.play(here, joint)
            if stop():
                return False
        rewards = self._rewards(here)
        for role, arm in path:
            arm[0] += 1
            arm[1] += rewards[role]
        self.simulations += 1
        return True

    def best(self) -> int:
        """Our move that was played most, the first of several."""
        node = self._nodes.get(self._root, {})
        return max(self._legal, key=lambda move: node[move][0] if move in node else 0.0)

    def estimate(self) -> Estimate:
        """What the games so far say of our moves."""
        node = self._nodes.get(self._root, {})
        return Estimate({move: total / count for move, (count, total, _) in node.items() if count}, self.simulations)

    def _choose(
        self, role: int, views: list[int | None], legal: Sequence[int], path: list[tuple[int, list[float]]]
    ) -> int:
        """By the statistics of what the role knows; below the first node that is new, at random."""
        view = views[role]
        assert view is not None
        node = self._nodes.setdefault((role, view), {})
        if not node and (role, view) != self._root:
            views[role] = None
        for move in legal:
            node.setdefault(move, [0.0, 0.0, 0.0])[2] += 1
        untried = [move for move in legal if not node[move][0]]
        move = self._chance.choice(untried) if untried else max(legal, key=lambda move: _promise(node[move]))
        path.append((role, node[move]))
        return move

    def _rewards(self, end: Any) -> list[float]:
        rewards = [0.5] * len(self.model.roles)
        for role in self.model.seats:
            try:
                rewards[role] = float(self.model.score(end, role)) if self.model.over(end) else 0.5
            except GameError:  # who has won is not said
                rewards[role] = 0.5
        return rewards


def _promise(arm: list[float]) -> float:
    visits, total, available = arm
    return total / visits + EXPLORATION * sqrt(log(available + 1) / visits)
