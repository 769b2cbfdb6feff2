"""A player of sums: by the thermostat, which is quick however many components there are, or exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from zermelo.cgt.boards.ruleset import SIDES, Side
from zermelo.cgt.game import Components, WrittenSum
from zermelo.cgt.scores.bounds import thermostatic
from zermelo.cgt.scores.naming import option_names
from zermelo.cgt.scores.scored import Tree
from zermelo.cgt.scores.thermostat import policy
from zermelo.decision import Advice, Clock, Decision
from zermelo.errors import LimitReachedError
from zermelo.game import Role, Score
from zermelo.limits import Limits

SUM_PLAYERS = ("auto", "sum", "thermostatic")
"""Engines by which sums are played; ``auto`` is the exact one, and the thermostat where that takes too long."""
SECONDS_A_MOVE = 3.0


class SumPlayer:
    """Chooses moves for either side of a sum in brackets, under limits that count for each move.

    >>> player = SumPlayer(WrittenSum("{5|-5} + {3||2|-1}"), "thermostatic")
    >>> player.choose([]).move
    (0, 0, '1:5')
    """

    def __init__(self, game: WrittenSum, engine: str = "auto", limits: Limits | None = None) -> None:
        self.game, self.engine = game, engine
        self.limits = limits or Limits(SECONDS_A_MOVE)

    def choose(self, line: Sequence[Any], clock: Clock | None = None, *, role: Role | None = None) -> Decision:
        """The move to play after a line, with what it promises; a clock in seconds counts instead of the own one."""
        del role
        limits, (components, turn) = self.limits.restarted(), self._position(line)
        if clock is not None and clock.seconds is not None:
            limits = replace(limits, seconds=clock.usable_seconds)
        if self.engine != "thermostatic":
            try:
                return self._exact(components, SIDES[turn], limits)
            except (LimitReachedError, KeyboardInterrupt):
                pass
        return self._by_thermostat(components, SIDES[turn])

    def advise(self, line: Sequence[Any]) -> Advice:
        """The best move, and what is known of the sum."""
        choice = self.choose(line)
        return Advice(choice.move, choice.score, reason=choice.reason)

    def outcome(self, value: Score) -> str:
        """A score in words."""
        return f"{self.game.roles[value < 0]} wins, {value} for left" if value else "score 0: whoever moves last wins"

    def _position(self, line: Sequence[Any]) -> Components:
        position = self.game.start()
        for move in line:
            position = self.game.play(position, move)
        return position

    def _exact(self, components: tuple[Tree, ...], side: Side, limits: Limits) -> Decision:
        from zermelo.cgt.scores.sums import best_move

        component, option, score = best_move(components, side, limits)
        move = self._move(components, side, component, option)
        return Decision(move, f"proved: {self.outcome(score)}", proved=True, score=score)

    def _by_thermostat(self, components: tuple[Tree, ...], side: Side) -> Decision:
        chosen = policy("thermostatic", components, side=side, starts=side).choose(components)
        known = thermostatic(components, side)
        sure: Fraction = known.lower.value if side == "left" else known.upper.value
        reason = f"thermostat at {chosen.policy.t}: {'at least' if side == 'left' else 'at most'} {sure} for left"
        return Decision(self._move(components, side, chosen.component, chosen.option), reason)

    def _move(self, components: tuple[Tree, ...], side: Side, component: int, option: Tree) -> tuple[int, int, str]:
        options = components[component].left if side == "left" else components[component].right
        number = options.index(option)
        return component, number, option_names(component, options)[number]
