"""Players that search trees with bandits: UCT and its relatives, on the native forward model.

>>> from zermelo.gdl.library import rulesheet
>>> from zermelo.play.forward import rulesheet_model
>>> from zermelo.play.player import Clock, make_player
>>> model = rulesheet_model(rulesheet("tictactoe"))
>>> decision = make_player("uct", model, seat=0, seed=1).choose(model.start(), Clock(simulations=2000))
>>> decision.simulations, model.move_text(decision.move)
(2000, '(mark b 2)')
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping

from zermelo import _native
from zermelo.errors import NotApplicableError
from zermelo.play.forward import ForwardModel, RulesheetModel
from zermelo.play.player import Clock, Decision, Player, need_known, number_setting, register
from zermelo.play.rollout import EXPLORATION, MAX_STEPS

TREE_BYTES = 256 << 20


class TreePlayer:
    """Plays the most visited move of a Monte-Carlo tree, which it keeps from move to move."""

    def __init__(self, model: RulesheetModel, seat: int, seed: int, exploration: float):
        self._model, self._seat, self._exploration = model, seat, exploration
        self._tree = _native.GdlTree(model.game.native, model.start(), TREE_BYTES, seed)

    def choose(self, position: bytes, clock: Clock) -> Decision:
        """The move that was visited most."""
        begin = time.perf_counter()
        legal = self._model.legal(position, self._seat)
        if len(legal) == 1:
            return Decision(legal[0])
        if self._tree.root() != position:
            self._tree.reset(self._model.game.native, position)
        control = _native.Control(clock.usable_seconds or 0.0)
        most = sys.maxsize if clock.simulations is None else clock.simulations
        done = self._tree.run(most, self._exploration, MAX_STEPS, control)
        move, visits, reward = max(self._tree.arms(self._seat), key=lambda arm: (arm[1], arm[2]))
        seconds = time.perf_counter() - begin
        return Decision(move, done, self._tree.nodes, seconds, reward / visits if visits else None)


@register("uct", "Monte-Carlo tree search by UCB1 (Kocsis and Szepesvari 2006)")
def _uct(model: ForwardModel, seat: int, seed: int, settings: Mapping[str, str]) -> Player:
    need_known("uct", settings, ("exploration",))
    if not isinstance(model, RulesheetModel):
        raise NotApplicableError("uct: expected a game with a ground rulesheet")
    return TreePlayer(model, seat, seed, number_setting(settings, "exploration", EXPLORATION))
