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
from collections.abc import Mapping, Sequence

from zermelo import _native
from zermelo.errors import ArgumentError, NotApplicableError
from zermelo.play.forward import ForwardModel, RulesheetModel
from zermelo.play.library_model import GameModel
from zermelo.play.player import Clock, Decision, Player, need_known, number_setting, register
from zermelo.play.rollout import EXPLORATION, MAX_STEPS
from zermelo.play.twin_player import TwinPlayer

TREE_BYTES = 256 << 20
SHARE = 0.9
"""The most of its work that ``mac-ucb`` spends on solving; the rest is random games."""


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

    def hear(self, joint: Sequence[int]) -> None:
        """Goes on with the part of the tree below the joint move."""
        self._tree.advance(list(joint))


class BanditPlayer:
    """Plays by a tree of bandits with proofs, which it keeps from move to move."""

    def __init__(self, model: RulesheetModel, seat: int, tree: _native.BanditTree):
        self._model, self._seat, self._tree = model, seat, tree

    def choose(self, position: bytes, clock: Clock) -> Decision:
        """The move that was visited most, unless another is proved to be better."""
        begin = time.perf_counter()
        legal = self._model.legal(position, self._seat)
        if len(legal) == 1:
            return Decision(legal[0])
        seconds = clock.usable_seconds or 0.0
        control = _native.Control(seconds)
        self._tree.place(position)
        done = self._tree.run(sys.maxsize if clock.simulations is None else clock.simulations, seconds, control)
        move, value, proved = self._tree.verdict(self._seat)
        extra = {"solving share": self._tree.solving_share, "kernel": self._tree.kernel}
        return Decision(move, done, self._tree.nodes, time.perf_counter() - begin, value, proved, extra)


def _bandit(
    name: str, model: ForwardModel, seat: int, seed: int, settings: Mapping[str, str], look_ahead: bool
) -> Player:
    need_known(name, settings, ("exploration", "share"))
    if not isinstance(model, RulesheetModel):
        raise NotApplicableError(f"{name}: expected a game with a ground rulesheet")
    share = number_setting(settings, "share", SHARE)
    if not 0 <= share <= 1:
        raise ArgumentError(f"share={settings['share']} is not between 0 and 1")
    tree = _native.BanditTree(
        model.game.native,
        model.start(),
        TREE_BYTES,
        seed,
        exploration=number_setting(settings, "exploration", EXPLORATION),
        share=share,
        look_ahead=look_ahead,
        max_steps=MAX_STEPS,
    )
    return BanditPlayer(model, seat, tree)


@register("mac-ucb", "solves each stage of the game ahead and samples the rest by UCB1, with proofs")
def _mac_ucb(model: ForwardModel, seat: int, seed: int, settings: Mapping[str, str]) -> Player:
    return _bandit("mac-ucb", model, seat, seed, settings, look_ahead=True)


@register("fc-ucb", "mac-ucb without looking ahead: an end is seen when it is reached")
def _fc_ucb(model: ForwardModel, seat: int, seed: int, settings: Mapping[str, str]) -> Player:
    return _bandit("fc-ucb", model, seat, seed, settings, look_ahead=False)


@register("uct", "Monte-Carlo tree search by UCB1 (Kocsis and Szepesvari 2006)")
def _uct(model: ForwardModel, seat: int, seed: int, settings: Mapping[str, str]) -> Player:
    need_known("uct", settings, ("exploration",))
    if isinstance(model, GameModel):
        return TwinPlayer(model, seat, seed, number_setting(settings, "exploration", EXPLORATION))
    if not isinstance(model, RulesheetModel):
        raise NotApplicableError("uct: expected a game with a ground rulesheet")
    return TreePlayer(model, seat, seed, number_setting(settings, "exploration", EXPLORATION))
