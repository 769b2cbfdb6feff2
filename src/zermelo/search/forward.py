"""The forward model: one set of rules in motion that all players of a match and its referee share.

Positions are opaque and hashable; moves are numbers, for each role those that ``legal`` lists. Chance is a role of its
own, which no player takes and whose moves are drawn evenly. Scores are exact and between 0 and 1, as goals of 0 to 100
are in a rulesheet.

>>> from zermelo.gdl.library import rulesheet
>>> model = rulesheet_model(rulesheet("tictactoe"))
>>> model.seats, model.chance, len(model.legal(model.start(), 0))
((0, 1), None, 9)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, Protocol

from zermelo.errors import GameError
from zermelo.gdl.ground import GroundReasoner, ground
from zermelo.gdl.syntax import RANDOM, Rulesheet
from zermelo.limits import Limits


class ForwardModel(Protocol):
    """Rules in motion. ``roles`` are all roles with chance; ``seats`` are the numbers of those that players take."""

    @property
    def roles(self) -> tuple[str, ...]: ...
    @property
    def seats(self) -> tuple[int, ...]: ...
    @property
    def chance(self) -> int | None: ...
    def start(self) -> Any: ...
    def over(self, position: Any) -> bool: ...
    def legal(self, position: Any, role: int) -> list[int]: ...
    def play(self, position: Any, joint: Sequence[int]) -> Any: ...
    def score(self, position: Any, role: int) -> Fraction: ...
    def move_text(self, move: int) -> str: ...


class RulesheetModel:
    """The forward model of a ground game; positions are its packed states."""

    def __init__(self, game: GroundReasoner):
        self.game = game
        self.roles = game.roles
        self.chance = self.roles.index(RANDOM) if RANDOM in self.roles else None
        self.seats = tuple(role for role in range(len(self.roles)) if role != self.chance)

    def start(self) -> bytes:
        """Where play begins."""
        return self.game.native.start()

    def over(self, position: bytes) -> bool:
        """Whether play has ended, by the rules or because somebody has no move."""
        native = self.game.native
        return native.terminal(position) or not all(native.legal(position, role) for role in range(len(self.roles)))

    def legal(self, position: bytes, role: int) -> list[int]:
        """The moves of a role, in a fixed order."""
        return self.game.native.legal(position, role)

    def play(self, position: bytes, joint: Sequence[int]) -> bytes:
        """The position after a legal move of each role."""
        return self.game.native.next(position, list(joint))

    def score(self, position: bytes, role: int) -> Fraction:
        """What a role has at the end, from 0 to 1."""
        values = self.game.native.goals(position, role)
        if len(values) != 1:
            said = " and ".join(map(str, sorted(values))) or "none"
            raise GameError(f"the goal of {self.roles[role]} is {said}, expected one", file=self.game.sheet.file)
        return min(max(Fraction(values[0], 100), Fraction(0)), Fraction(1))

    def move_text(self, move: int) -> str:
        """The move as the rulesheet writes it."""
        return self.game.moves[move]


def rulesheet_model(sheet: Rulesheet, limits: Limits | None = None) -> RulesheetModel:
    """The forward model of a rulesheet; :class:`~zermelo.errors.LimitReachedError` where it is too large to ground."""
    return RulesheetModel(ground(sheet, limits))


def joint_moves(model: ForwardModel, position: Hashable) -> list[list[int]]:
    """The legal moves of each role.

    >>> from zermelo.gdl.library import rulesheet
    >>> model = rulesheet_model(rulesheet("matchingpennies"))
    >>> [len(moves) for moves in joint_moves(model, model.start())]
    [2, 2, 1]
    """
    return [model.legal(position, role) for role in range(len(model.roles))]
