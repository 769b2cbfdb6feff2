"""Games of the library whose strategies can be stated as a rule."""

from __future__ import annotations

from typing import Any

from zermelo.certificate import Claim
from zermelo.game import Game


class Ruled(Game):
    """A game that plays by the rules of :mod:`zermelo.games.strategy_rules`."""

    def rule_move(self, position: Any, claim: Claim) -> Any:
        """The move that the rule of a claim plays in a position; ``None`` for a rule of another game."""
        from zermelo.games.strategy_rules import rule_move

        return rule_move(self, position, claim)
