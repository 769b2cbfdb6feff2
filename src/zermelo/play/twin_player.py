"""``uct`` for games that are no rulesheets: tree search on the native twin, or on the game written out if it is small.

The tree is made anew for each move. Games that no kernel takes, because they are too large to write out or because
several move at once, are played by random games alone, with the moves as arms of one bandit.

>>> from zermelo.play.library_model import model_of
>>> from zermelo.play.player import Clock
>>> model = model_of("connect:4,5,3")
>>> decision = TwinPlayer(model, seat=0, seed=1).choose(model.start(), Clock(simulations=20_000))
>>> model.move_text(decision.move), decision.proved, decision.value
('c', True, 1.0)
"""

from __future__ import annotations

import random
import time
from typing import Any

from zermelo import _native
from zermelo.limits import Limits
from zermelo.play.player import Clock, Decision
from zermelo.play.rollout import EXPLORATION
from zermelo.play.sampled_move import sampled_move
from zermelo.search.game_model import GameModel
from zermelo.search.problem import Problem

TREE_BYTES = 256 << 20
MOST_GAMES = 1 << 62


class TwinPlayer:
    """Plays what the search kernel ``uct`` finds: a proved move, or the one visited most."""

    def __init__(self, model: GameModel, seat: int, seed: int, exploration: float = EXPLORATION):
        self._model, self._seat, self._exploration = model, seat, exploration
        self._random = random.Random(seed)

    def choose(self, position: Any, clock: Clock) -> Decision:
        """A move of the seat."""
        begin = time.perf_counter()
        legal = self._model.legal(position, self._seat)
        if len(legal) == 1:
            return Decision(legal[0])
        problem = self._model.problem_at(position)
        if problem is None or "uct" not in problem.native.engines:
            return self._sampled(position, legal, clock)
        params = _native.SearchParams()
        params.table_bytes, params.exploration = TREE_BYTES, self._exploration
        params.simulations, params.seed = clock.simulations or 0, self._random.getrandbits(32)
        control = _native.Control(clock.usable_seconds or 0.0)
        search = problem.native.search("uct", params)
        outcome = search.solve(control)
        counts = search.counts()
        best = max(range(len(counts)), key=counts.__getitem__)
        place = outcome.move if outcome.move >= 0 else best
        value = self._own(problem, outcome)
        seconds = time.perf_counter() - begin
        reason = "proved" if outcome.solved else "searched"
        return Decision(legal[place], reason, sum(counts), control.nodes, seconds, value, outcome.solved)

    def _own(self, problem: Problem, outcome: _native.Outcome) -> float | None:
        """What the seat expects, from 0 to 1; the kernel tells the first role's side, which says all only of two."""
        if len(self._model.seats) > 2 or not problem.zero_sum:
            return None
        low, high = self._model.score_range
        first = float(problem.exact(outcome.lower)) if outcome.solved else outcome.estimate
        own = first if self._seat == self._model.seats[0] else float(problem.total) - first
        return min(max((own - float(low)) / float(high - low), 0.0), 1.0) if low < high else 0.5

    def _sampled(self, position: Any, legal: list[int], clock: Clock) -> Decision:
        begin = time.perf_counter()
        model = self._model
        role = model.game.roles[self._seat]
        limits, most = Limits(clock.usable_seconds), clock.simulations or MOST_GAMES
        chosen, played = sampled_move(model.game, position, role, limits, chooser=self._random, most=most)
        move = model.number_of(chosen)
        assert move in legal
        return Decision(move, "played at random", played, len(legal), time.perf_counter() - begin)
