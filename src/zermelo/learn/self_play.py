"""Learning by self-play: all roles choose by the values there are, and the values follow what came of it.

Games are numbered, and each depends on its number, the seed and what was learnt before; so learning in parts gives the
same weights as learning at once.

>>> from zermelo.gdl.ground import ground
>>> from zermelo.gdl.library import rulesheet
>>> from zermelo.learn.values import untaught
>>> game = ground(rulesheet("nim", "2,2"))
>>> values = learn(game, untaught(game), games=500)
>>> first, second = values.of(game, [game.native.start()])[0]
>>> values.games, bool(second > 0.8)
(500, True)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from zermelo import _native
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.syntax import RANDOM
from zermelo.kernel_thread import control_for, run_native
from zermelo.learn.values import Values
from zermelo.limits import Limits

MAX_STEPS: Final = 1000
SHOWN: Final = 40
"""Games that each player plays against random moves, to see what it has learnt."""
_SHOW_SEED: Final = 20_231
_SHOW_SHARE: Final = 0.1
"""The most of all time that these may take."""
_BLOCK_SECONDS: Final = 0.5


@dataclass(frozen=True)
class Look:
    """The learner under way: games so far, seconds of this run, the error of late, and a score for each player.

    The score is that against random moves; where turns are solved, it is the value of the start.
    """

    games: int
    seconds: float
    error: float
    scores: tuple[float, ...]


Watch = Callable[[Look], None]


def learn(
    game: GroundReasoner,
    values: Values,
    *,
    games: int | None = None,
    limits: Limits | None = None,
    watch: Watch = lambda look: None,
    keep: Callable[[Values], None] = lambda values: None,
) -> Values:
    """Values after so many games in all, or when the limits are reached, or on Ctrl-C: never less than there was.

    ``keep`` is given what was learnt so far every now and then.
    """
    limits = limits or Limits()
    learner = _Learner(game, values, limits)
    looks, kept = 0, time.monotonic()
    with suppress(KeyboardInterrupt):  # where it strikes between two calls of the kernel
        while not learner.stopped and (games is None or learner.games < games):
            learner.block(games)
            if learner.seconds >= 0.25 * looks + 0.02 * looks * looks or learner.stopped or learner.games == games:
                looks += 1
                watch(learner.look())
            if time.monotonic() - kept > 20:
                keep(learner.values())
                kept = time.monotonic()
    return learner.values()


class _Learner:
    """The kernel at work, block by block."""

    def __init__(self, game: GroundReasoner, values: Values, limits: Limits):
        self._game, self._start, self._limits = game, values, limits
        practice = values.practice
        self._kernel = _native.SelfPlay(
            values.model,
            game.native,
            _native.BanditRules(game.native, None, False),
            values.coherence,
            seed=practice.seed,
            rate=practice.rate,
            trace=practice.trace,
            explore=practice.explore,
            opening=practice.opening or 0,
            max_steps=MAX_STEPS,
        )
        self.games, self.stopped = values.games, False
        self._players = [role for role, name in enumerate(game.roles) if name != RANDOM]
        self._begin, self._showing, self._pace, self._shown_at = time.monotonic(), 0.0, 32.0, 0.0
        self._error = self._positions = 0.0
        self._scores: tuple[float, ...] = (0.5,) * len(self._players)
        self._rows: list[list[float]] = []

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._begin

    def _run(self, call: Callable[[_native.Control], dict[str, Any]]) -> dict[str, Any]:
        """Calls the kernel under the limits; notes where they, or Ctrl-C, stopped it."""
        control = control_for(self._limits)
        told = run_native("learn", call, control)
        self.stopped = self.stopped or control.cause != "none" or self._limits.expired()
        return told

    def block(self, games: int | None) -> None:
        """Some games, about half a second of them."""
        wanted = max(int(self._pace), 1) if games is None else min(max(int(self._pace), 1), games - self.games)
        begin = time.monotonic()
        told = self._run(lambda control: self._kernel.play(self.games, wanted, control))
        took = max(time.monotonic() - begin, 1e-4)
        self.games += told["games"]
        self._error += told["error"]
        self._positions += told["positions"]
        self._pace = min(max(self._pace * _BLOCK_SECONDS / took, self._pace / 4, 1.0), self._pace * 4, 1e6)

    def look(self) -> Look:
        """What can be said of the learner now. Playing against random moves waits where it would take too long."""
        if self._showing <= _SHOW_SHARE * self.seconds and not self.stopped:
            begin = time.monotonic()
            self._scores = self._expected() if self._kernel.by_turns else tuple(map(self._score, self._players))
            self._showing += time.monotonic() - begin
        error = float(np.sqrt(self._error / self._positions)) if self._positions else 0.5
        self._error = self._positions = 0.0
        look = Look(self.games, self.seconds, error, self._scores)
        self._rows.append([look.games, look.seconds, look.error, *look.scores])
        return look

    def _score(self, role: int) -> float:
        told = self._run(lambda control: self._kernel.show(role, _SHOW_SEED, SHOWN, control))
        ended = told["games"] - told["cut"]
        return float(told["goals"][role]) / ended / 100 if ended else 0.5

    def _expected(self) -> tuple[float, ...]:
        """Values within a turn are not learnt where turns are solved: what the start is worth is told instead."""
        start = replace(self._start, weights=self._kernel.weights()).of(self._game, [self._game.native.start()])[0]
        return tuple(float(start[role]) for role in self._players)

    def values(self) -> Values:
        """What was learnt so far, with the history of earlier runs before that of this one."""
        rows = np.array(self._rows, dtype=np.float64).reshape(len(self._rows), 3 + len(self._players))
        before = self._start.history
        if before.shape[1] == rows.shape[1] and len(before):
            rows[:, 1] += before[-1, 1]
            rows = np.concatenate([before, rows])
        return replace(
            self._start,
            weights=self._kernel.weights(),
            coherence=self._kernel.coherence(),
            games=self.games,
            history=rows,
        )
