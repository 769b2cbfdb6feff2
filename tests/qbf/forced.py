"""What a role can force within a horizon, by the definition: the oracle for games as formulas."""

from __future__ import annotations

from typing import Any

from zermelo.encode.qbf import Encoded, Question, played_back
from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.progress import no_watch
from zermelo.qbf.cegar import solve_by_cegar
from zermelo.qbf.circuit import Circuit
from zermelo.qbf.formula import Quantifier
from zermelo.qbf.functions import Functions
from zermelo.qbf.solver_answer import Answer


def forced(game: Game, question: Question) -> bool:
    """Whether the first role gets the score in time, trying every line."""
    known: dict[tuple[Any, int], bool] = {}

    def value(position: Any, left: int) -> bool:
        result = game.result(position)
        if result is not None:
            return result[0] >= question.at_least
        if left == 0:
            return question.unfinished
        if (position, left) not in known:
            after = (value(game.play(position, move), left - 1) for move in game.moves(position))
            known[position, left] = any(after) if game.turn(position) == game.roles[0] else all(after)
        return known[position, left]

    return value(game.start(), question.plies)


def answer_to(encoded: Encoded) -> Answer:
    """The answer to a formula, with functions."""
    formula = encoded.formula
    assert formula.is_normal
    if formula.output >> 1 == 0:
        owner: Quantifier = "exists" if formula.output else "forall"
        return Answer(owner == "exists", Functions(owner, Circuit(), {}, {}))
    return solve_by_cegar(formula, Limits(20), no_watch)


def need_same(game: Game, encoded: Encoded) -> None:
    """The formula says what the definition says, and its functions keep that against every reply."""
    question = encoded.question
    answer = answer_to(encoded)
    assert answer.value == forced(game, question)
    assert answer.functions is not None
    played = played_back(game, encoded, answer.functions)
    if answer.value and not question.unfinished:
        assert not played.unfinished
        assert all(score >= question.at_least for score in played.scores)
    elif not answer.value:
        assert all(score < question.at_least for score in played.scores)
        assert not (question.unfinished and played.unfinished)
