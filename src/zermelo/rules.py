"""Strategies stated as a rule: which move a rule plays in a position.

A rule is a name and its data, as written in a certificate. What it plays is defined here once; which games it
decides is found in :mod:`zermelo.search.closed` and checked, independently, in :mod:`zermelo.check.rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zermelo.certificate import Claim
from zermelo.game import Game

RuleMove = Callable[[Game, Any, Mapping[str, Any]], Any]

RULE_MOVES: dict[str, RuleMove] = {}


def rule_move(game: Game, position: Any, claim: Claim) -> Any:
    """The move that a claim's rule plays in a position; ``None`` for a rule that is not known."""
    play = RULE_MOVES.get(claim.rule or "")
    return None if play is None else play(game, position, claim.data)
