"""Small games in which several roles move at once: their exact value, by backward induction.

Roles whose scores agree at every end choose the best joint move; two roles whose scores add up mix their moves. What
comes of it is a value without a certificate: a table of moves is no strategy where moves have to be mixed or agreed on.
"""

from __future__ import annotations

from fractions import Fraction
from time import monotonic
from typing import Any

from zermelo.answer import Answer
from zermelo.game import Game, plain_score, winner_of
from zermelo.limits import Limits, step_watch
from zermelo.search.backward import Backward, Interests
from zermelo.search.game_model import GameModel

NOTE = "not verified: there are no certificates for moves made at once"


def solve_at_once(game: Game, limits: Limits) -> Answer:
    """The value of the start; :class:`~zermelo.errors.LimitReachedError` if there are too many positions.

    >>> from zermelo.gdl.game import RulesheetGame
    >>> from zermelo.gdl.library import rulesheet
    >>> solve_at_once(RulesheetGame(rulesheet("matchingpennies")), Limits()).value
    50
    """
    began = monotonic()

    def score(position: Any, role: int) -> Fraction:
        result = game.result(position)
        assert result is not None
        return Fraction(result[role])

    backward = Backward(GameModel(game, explore=False), game.start(), step_watch(limits, often=16), score)
    values = backward.values(game.start())
    value = plain_score(values[0])
    opposed = backward.interests is Interests.OPPOSED
    return Answer(
        engine="dp",
        status="solved",
        value=value,
        bounds=(value, value),
        winner=winner_of(game, value, sum(values, Fraction(0))) if opposed else None,
        note=NOTE,
        stats={
            "seconds": round(monotonic() - began, 6),
            "nodes": len(backward),
            "positions": len(backward),
            "expected": True,
        },
    )
