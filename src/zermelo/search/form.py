"""What a closed-form technique returns: an answer by argument instead of search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.certificate import Claim
from zermelo.game import Game, Score


@dataclass(frozen=True)
class ClosedForm:
    """An answer by argument: ``value`` is the first role's score, ``reason`` says why in a sentence.

    It is about play from the start position only.
    """

    engine: str
    value: Score
    reason: str
    claims: tuple[Claim, ...]


def win_by_rule(game: Game, engine: str, role: int, reason: str, *, rule: str, data: Mapping[str, Any]) -> ClosedForm:
    """The answer that one role of a game of wins and losses wins by a rule.

    >>> from zermelo.games import make_game
    >>> win_by_rule(make_game("nim:2,2"), "parity", 1, "the nim-sum is 0", rule="nim-sum", data={}).value
    -1
    """
    claim = Claim(game.roles[role], 1, rule=rule, data=data)
    return ClosedForm(engine, 1 if role == 0 else -1, reason, (claim,))
